/* SPDX-License-Identifier: MIT
 * Internal: what launches of a context have in common. */
#ifndef HIT_LAUNCH_LAUNCHER_H
#define HIT_LAUNCH_LAUNCHER_H

#include "hit/base/containers.h"
#include "hit/base/context.h"
#include "hit/base/status_impl.h"
#include "hit/base/trace.h"
#include "hit/chain/chain.h"
#include "hit/comm/comm.h"
#include "hit/launch/call.h"
#include "hit/launch/launch_impl.h"
#include "hit/launch/launch_plan.h"
#include "hit/tile/station.h"

/* known_call.c: calls that were checked and planned before. A program launches the same
 * kernels on the same tiles again and again: such a call is compared once with what it
 * was then, and neither checked nor looked up again. */

struct hit_launch_plan;
struct hit_runner;

/** One of them; plan NULL: none. Calls with a layout or HIT_ON() are not kept. */
typedef struct hit_known_call {
    struct hit_launch_plan *plan;
    /** How it was carried out last (hit/run/live.c), which an equal call begins with. Its
     * slots are right while `ready` is stations->grown. NULL, or 0: they are not set. */
    struct hit_runner *runner;
    uint64_t ready;
    uint64_t place;              /**< the plan's when it served last; 0: not yet */
    struct hit_known_call *next; /**< the one that was launched after it; NULL: none */
    /** What a tile argument is, to all that checks and plans; 0: a value. */
    struct {
        uint64_t storage;
        uint64_t family;
        uint64_t shape;
    } tile[HIT_MAX_ARGS];
} hit_known_call;

/** Inequalities that were parsed, for a kernel that stays as it is
 * (hit_kernel.constant); NULL: none. */
typedef struct hit_known_where {
    const hit_kernel *kernel;
    unsigned named; /**< values in the text, a bit each, whose numbers were */
    hit_index number[HIT_MAX_ARGS];
    char text[200];
    hit_where where;
} hit_known_where;

enum {
    HIT_KNOWN_SETS = 16, /* a power of two */
    HIT_KNOWN_WAYS = 4,  /* calls of a set, which share their hash */
    HIT_KNOWN_WHERES = 8 /* a power of two */
};

/** An equal call, whose plan is at the place of @p call now; its alias is set. NULL: it
 * is to be checked and planned. Accepts any call of a context. */
hit_known_call *hit_known_call_find(hit_call *call);
/** Keep a call that was checked with its plan, which is found again under its key. It is
 * known from now on, if there is memory. */
void hit_known_call_keep(hit_call *call, struct hit_launch_plan *plan);
/** The plan goes. */
void hit_known_call_forget(hit_known_call *const known[],
                           const struct hit_launch_plan *plan);
/** At the end. */
void hit_known_calls_destroy(hit_known_call *known[]);

struct hit_choice;
struct hit_spare;

enum {
    HIT_MAX_PLANS = 512,    /* then the least recently used one is forgotten */
    HIT_MAX_LOOKING = 256,  /* of them that look into tiles: all processes forget the
                               least recently used one of these alike */
    HIT_MAX_KINDS = 4096,   /* then all processes forget them all, and all plans */
    HIT_MAX_KERNELS = 2048, /* known at a time; then those go that were not used lately */
    HIT_LATELY = 512,       /* launches */
    HIT_MOST_CELLS = 65536  /* of a table of a tile, of 32 bytes on each process */
};

/** Devices that are not there, through whose memories the blocks of a process would go:
 * those of a simulated machine (hit/scheduled/virtual_chain.c). */
typedef struct hit_chain_machine {
    int devices;
    size_t bytes[HIT_MAX_DEVICES]; /**< of the memory of each; 0: it is the host's */
    size_t most_bytes;             /**< of the largest */
    bool carries;                  /**< blocks run, too, in memory of the host */
    /** Why launches of a plan are in no block; NULL: they may be. */
    const char *(*against)(const hit_call *call, const hit_launch_plan *plan);
    /** How many rows each device has beside the others, of a block that begins with the
     * launch that comes. @shape weight: devices */
    void (*share)(void *of, hit_index weight[]);
    void *of;
} hit_chain_machine;

typedef struct hit_launcher {
    int kernels;
    int kernels_most; /**< then some may go */
    hit_known_kernel **kernel;
    hit_table by_text; /**< of kernels */
    uint64_t kernels_made;
    int plans;
    hit_launch_plan *plan[HIT_MAX_PLANS];
    hit_recent recent_plan[HIT_MAX_PLANS + 1]; /**< the last one: of lent plans */
    hit_table by_key;                          /**< of plans */
    /** Kinds of launches (hit_move_kind()) that all processes could plan at some place.
     */
    uint64_t *kind;
    size_t kind_room;
    hit_table by_kind;
    int kinds;
    /** The ways of each set; owned; NULL: no call of it was kept. */
    hit_known_call *known_call[HIT_KNOWN_SETS];
    hit_known_call *last_call; /**< of them; NULL: the last call was new */
    int next_way;              /**< which one of a full set goes next */
    hit_known_where *known_where[HIT_KNOWN_WHERES]; /**< owned; NULL: none there */
    uint64_t stamps; /**< given to runners of known calls, and to what comes into boxes
                         that are held */
    int moves;       /**< may plans be moved to other places? -1: not asked yet */
    uint64_t plans_made;
    hit_ordered ordered;
    uint64_t launches;
    hit_sent sent;                  /**< by launches */
    uint64_t indices;               /**< run by this process */
    hit_tile *result[HIT_MAX_ARGS]; /**< results.c; NULL: not needed so far */
    char *scratch; /**< temporary pieces and message buffers of the launch under way */
    size_t scratch_bytes;
    int chain_most;   /**< launches of a chain; below 2: there are none */
    int chain_room;   /**< the same, as hit_chain() says */
    bool chain_both;  /**< only launches that all kinds of devices can run: some process
                         has   a spare device, and blocks go through its first one */
    bool chain_asked; /**< HIT_CHAIN is a number, or hit_chain() was called */
    /** Of the program, on all processes alike, that all write a tile at the same places
     * among the launches: the number of the call that gave it, from 1; 0: there is none.
     */
    uint64_t promise;
    uint64_t promises;
    bool refused; /**< the processes agreed that not all of them could plan the last
                     launch that they planned together: none ran it */
    bool looks;   /**< there are tables of tiles (lookups.c) */
    hit_index most_cells; /**< of such a table; tests replace it */
    /** What the launch that is planned now writes where data says, by argument. */
    struct hit_marks *marks[HIT_MAX_ARGS];
    bool holds; /**< what came with launches so far may be held (hit/launch/holds.c); all
                     processes say the same */
    bool chain_around;        /**< blocks have deep halos: of several processes, or of one
                                   with tiles that are their own neighbours */
    bool chain_says;          /**< print why chains end, and how they run */
    bool chain_compares;      /**< run each block as one launch after the other, too */
    size_t chain_cache_bytes; /**< chains begin with launches that touch more */
    const hit_chain_machine *chain_machine; /**< borrowed; NULL: devices are there */
    /** What serves a launch of a block over processes that has no plan for its place,
     * instead of a new one, which is collective; NULL: it needs one. Borrowed until the
     * next call. All processes say the same. The hook may be NULL. */
    hit_launch_plan *(*sketch)(const hit_call *call, const hit_known_kernel *known);
    /** Tests: how all blocks are run, however small they are. NULL: as it is fastest. */
    const struct hit_choice *chain_choice;
    double wait_s;    /**< several processes: the shortest wait for messages so far */
    uint64_t chained; /**< launches that ran in tiles with others */
} hit_launcher;

/** Make context->launcher and context->stations; the devices must be open.
 * @errors HIT_E_NOMEM */
hit_status hit_launcher_create(hit_context *context);
/** Accepts a context that has none. */
void hit_launcher_destroy(hit_context *context);
/** At the end: let the profile say what plans there are. Accepts a context without a
 * trace.
 */
void hit_launcher_trace_plans(const hit_context *context);
/** Scratch memory of @p size_bytes in place of less. @errors HIT_E_NOMEM */
hit_status hit_launcher_grow_scratch(hit_context *context, size_t size_bytes);
/** Give it back; accepts none. */
void hit_launcher_drop_scratch(hit_context *context);
/** Scratch memory of at least @p size_bytes. @errors HIT_E_NOMEM */
static inline hit_status hit_launcher_reserve(hit_context *context, size_t size_bytes)
{
    return size_bytes > context->launcher->scratch_bytes
               ? hit_launcher_grow_scratch(context, size_bytes)
               : HIT_OK;
}
/* known_kernel.c: kernels that were launched before. */

/** The patterns of the kernel of @p call, with the numbers of its values in their places.
 * It is prepared for the devices of the context at its first launch. @errors
 * HIT_E_PATTERN; HIT_E_ARG a kernel that is put together wrongly, or a number beyond 64
 * bits */
hit_status hit_launcher_know(const hit_call *call, const hit_known_kernel **known);
/** The same without numbers. */
hit_status hit_launcher_learn(const hit_call *call, const hit_known_kernel **known);
/** The same as know, without one that is new: then it is NULL. */
hit_status hit_launcher_known(const hit_call *call, const hit_known_kernel **known);
/** The same of a kernel that is known; it stays as it is where the numbers are its own.
 */
hit_status hit_launcher_bind(const hit_call *call, const hit_known_kernel **known);

/** Keep the kernels that are known few, where a program makes them by texts of its own:
 * what may still need one is settled first. To be called before each launch. */
void hit_launcher_forget_kernels(hit_context *context);

/* lookups.c: tiles in which stands what launches need of others. Each process has a table
 * of the least and the greatest numbers in their boxes (hit/data/extremes.h), which is
 * made when a launch looks into the tile for the first time, or after it was written. */

/** By which the table of argument @p k of @p looked is known, for each of them; 0: there
 * is none. Equal on all processes. */
void hit_lookups_numbers(const hit_call *call, unsigned looked, hit_index number[]);
/** Let a kernel share the tables of those of its arguments that are looked into. */
void hit_lookups_share(const hit_call *call, hit_known_kernel *known);
/** Is the call one whose tables are as they should be? All are on one process, if nobody
 * wrote the tiles; on several the answer is theirs together. */
bool hit_lookups_are_new(const hit_call *call, const hit_known_kernel *known);
/** Before the plan of a call, which is checked, is looked for: make the tables of its
 * kernel that are missing or old.
 * @collective where a tile has none, or was written: by launches, or by the program, on
 * all processes at the same place; and for tiles of which a process owns nothing always.
 * @errors HIT_E_NOMEM, HIT_E_PEER, HIT_E_ARG (unlike calls), those of lost elements: then
 * all processes have one */
hit_status hit_lookups_begin(const hit_call *call, const hit_known_kernel *known);
/** Before a plan is made: do all numbers lead to elements of the tiles? All processes say
 * the same. Asked once for @p key, that of the plan. @collective where tables do not say
 * it @errors HIT_E_PATTERN an element that does not; as above */
hit_status hit_lookups_check(const hit_call *call, const hit_known_kernel *known,
                             uint64_t key);
/** Do the lookups of argument @p arg fit the tiles? @errors HIT_E_PATTERN */
hit_status hit_lookups_check_form(const hit_call *call, const hit_pattern *pattern,
                                  int arg);
/** A launch writes tiles. */
void hit_lookups_note_written(const hit_call *call, const hit_known_kernel *known);

/* launcher.c: plans. */

/** Where @p status is HIT_E_NOMEM: give plans back, those that this process can make
 * again without the others, and say that what failed can be tried again, once. Others may
 * know the launch, and wait for its messages. */
bool hit_launcher_makes_room(hit_context *context, hit_status status);

/** As hit_launcher_plan(), of a call that is not known. */
hit_status hit_launcher_find_plan(hit_call *call, hit_status checked,
                                  hit_launch_plan **plan);
/** The plan of a call whose check ended with @p checked: the one that is kept under its
 * key, what launcher->sketch() says, or a new one. call->kernel becomes the launcher's
 * copy of the kernel. A new plan of a kind that was planned before is made by each
 * process alone, which may find no device to run it (hit_launch_plan_finish()).
 * @collective yes where no launch of the kind was planned before */
static inline hit_status hit_launcher_plan(hit_call *call, hit_status checked,
                                           hit_launch_plan **plan)
{
    if (hit_trace_on(call->context->trace)) hit_trace_begin(call->context->trace);
    if (call->known != NULL) {
        *plan = call->known->plan;
    } else {
        HIT_TRY(hit_launcher_find_plan(call, checked, plan));
    }
    call->kernel = (*plan)->known->kernel; /* the program's may go after its launch */
    if (call->context->launcher->looks) hit_lookups_note_written(call, (*plan)->known);
    if ((*plan)->known->of != (*plan)->known) { /* unlike numbers: the next vote tells */
        hit_comm_note(call->context->comm, (*plan)->known->hash);
    }
    (*plan)->recent->used = ++call->context->launcher->launches;
    return HIT_OK;
}
/** Put a launch that ran from @p start_s to @p end_s, after its plan was found or made,
 * into the trace, which there is. */
void hit_launcher_put(const hit_call *call, const hit_launch_plan *plan, double start_s,
                      double end_s);
/** A hash of all that the plan of a call depends on. */
uint64_t hit_launcher_key(const hit_call *call, const hit_known_kernel *known);

/** A context of this process alone that borrows @p device of @p parent (NULL: all its
 * devices), and whose launches @p executor carries out: for trials. Tiles on the devices
 * go to the host.
 * @owner  *child: hit_launcher_close_child(), also on failure
 * @errors HIT_E_NOMEM, those of copies to the host */
hit_status hit_launcher_open_child(hit_context *parent, const hit_executor *executor,
                                   struct hit_spare *spare, hit_device *device,
                                   hit_context **child);
/** Accepts NULL in *child; sets it to NULL. */
void hit_launcher_close_child(hit_context **child);

/* chainable.c: which launches may be part of a chain, on one process and on several. */

enum {
    HIT_CHAIN_VALUE_ROOM = 256 + 64 /* bytes for all values of a launch that waits, and
                                       for what aligns them */
};

/** Why no launch of such a plan can be, on one process or several; NULL: nothing of the
 * kernel is against it. */
const char *hit_chain_kernel_refused(const hit_call *call, const hit_launch_plan *plan);
/** Why such a plan's launches are part of chains on one process in place only; NULL: of
 * others, too. */
const char *hit_chain_own_refused(const hit_launch_plan *plan);
/** Set what chains see of a use, but for what it covers, whether it overwrites that, and
 * the number of its storage. */
static inline void hit_chain_use_set(const hit_call *call, const hit_use *use,
                                     hit_chain_use *made)
{
    made->name = call->kernel->arg[use->arg].name;
    made->writes = use->mode != HIT_MODE_IN;
    made->pattern = use->pattern;
    made->tile = use->tile;
    made->size_bytes = call->args[use->arg].tile->storage->type.size_bytes;
}
/** Why launches of a chain cannot fill in what @p need has beyond @p tile; NULL: they
 * can. */
const char *hit_chain_rims_against(const hit_tile *tile, const hit_domain *need);
/** May a chain begin with one of them? What they touch does not fit the cache, or the
 * memory of any device that has one; those that follow may be small. */
static inline bool hit_chains_may_begin(const hit_context *context,
                                        const hit_launch_plan *plan)
{
    const hit_launcher *launcher = context->launcher;

    bool streams = false;

    if (launcher->chain_machine != NULL) {
        return hit_launch_plan_touched(plan) > launcher->chain_machine->most_bytes;
    }
    if (context->stations->in_place) {
        return hit_launch_plan_touched(plan) > launcher->chain_cache_bytes ||
               launcher->chain_choice != NULL;
    }
    for (int k = 0; k < plan->parts; k++) {
        if (context->stations->station[plan->part[k].device].in_place) continue;
        if (plan->part[k].superblocks.arena_bytes == 0) return false;
        streams = true;
    }
    return streams;
}
/** Does a launch go a way that others go: @p why is NULL? Else that is printed, if
 * HIT_CHAIN=say: "kernel NAME: WAY: WHY". To be asked once of a plan. */
bool hit_launch_takes(const hit_call *call, const char *way, const char *why);
/** Print why a chain ends, if HIT_CHAIN=say. */
void hit_chain_say_end(const hit_context *context, const char *why);

#endif
