/* SPDX-License-Identifier: MIT
 * Internal: chains over processes. All that is decided here follows from the sequence of
 * launches, and of the places where the program writes tiles, which are equal on all
 * processes: never from the time, nor from who reads a tile when. */
#ifndef HIT_DEEP_H
#define HIT_DEEP_H

#include "hit/base/containers.h"
#include "hit/chain/spread.h"
#include "hit/chain/tuner.h"
#include "hit/comm/exchange.h"
#include "hit/comm/message.h"
#include "hit/launch/launcher.h"
#include "hit/tile/tile_impl.h"

enum {
    HIT_DEEP_TILES = 64,
    HIT_DEEP_PLANS = 32,
    HIT_DEEP_LAYOUTS = 32,
    HIT_DEEP_HOMES = 32,
    HIT_DEEP_SUMS = 64,
    HIT_DEEP_HISTORY = HIT_CHAIN_LAUNCHES,
    HIT_DEEP_USES = 4 * HIT_DEEP_HISTORY, /* of the launches of a period */
    HIT_DEEP_SETTLE = 24,                 /* blocks until the best tiles are found */
    HIT_DEEP_FIELDS = HIT_MAX_ARGS        /* of a chain */
};

/* The parts of a layout, if each process has one box. */
typedef struct hit_deep_layout {
    uint64_t key;
    hit_layout_shape shape;
    hit_domain own;
} hit_deep_layout;

/* A launch that needs a look at the parts of all processes. */
typedef struct hit_deep_home {
    bool known;   /* it was asked for again */
    bool yes;     /* each process owns all that its indices touch */
    bool cramped; /* where nothing is run: some device has no room for a row of it */
    uint64_t at;  /* until it is known: launches in the history when it came first ... */
    uint64_t exact; /* ... and hit_deep_form.exact of that */
} hit_deep_home;

/* What is known of a tile, by the number of its storage. */
typedef struct hit_deep_tile {
    hit_storage *storage; /* NULL: it is gone */
    uint64_t looks;       /* of the program that write, up to the last launch */
    uint64_t writes;      /* launches before which there were some, since it is known */
    unsigned periodic;    /* axes, a bit each, when it was used last */
    unsigned images;      /* axes beyond whose boundaries are the elements of the other
                             side, which a block needs there: also where its boundary,
                             which launches alone heed, says otherwise */
    hit_deep_state state;
} hit_deep_tile;

/* A launch, as a chain over processes sees it. */
typedef struct hit_deep_form {
    uint64_t hash;  /* of all but where it is in axes that are not shared: there a launch
                       may move from step to step, as a record of each step does */
    uint64_t exact; /* of that, too */
    uint64_t plan_key; /* of its plan; 0: it has none */
    bool home; /* no process needs anything of others for it: of what follows only domain,
                  which uses write, and what is set for each tile are set */
    uint64_t layout;
    int dims;         /* of all tiles */
    bool cramped;     /* at home: hit_deep_home.cramped */
    uint64_t streams; /* processes that run more of it than fits their devices, this one
                         or,  where launches are not run, all; 0: none */
    uint64_t stays;   /* those that run some of it, all of which fits */
    double launch_s;  /* what it took here at least, before; 0: not known */
    hit_index period[HIT_MAX_DIMS]; /* beyond the tile are the elements so far away; 0:
                                       the axis is not periodic */
    hit_deep_anchor anchor;
    /* What it has of each use lies in memory for as many as there are: */
    hit_chain_launch *launch; /* but for covers; each use has its own number. At home the
                                 domain is that of this process, as far as it is known.
                                 NULL: there was no memory */
    hit_deep_use *use;
    uint64_t *number; /* of the storages */
    void *memory;     /* owned; it stays for the launch that is described here next */
    size_t memory_bytes;
} hit_deep_form;

/* What is exchanged of a tile when a block begins. */
typedef struct hit_deep_part {
    uint64_t number;
    size_t size_bytes;
    hit_deep_field need;
    bool sent; /* for the block that began last */
    bool under_way;
} hit_deep_part;

/* A block that is expected. The table of fields is long, and the last of it. */
typedef struct hit_deep_plan {
    int launches;      /* 0: it is no use */
    int most;          /* of the launches it was chosen among */
    int period;        /* they are so many, again and again */
    unsigned periodic; /* axes in which they repeat beyond the tiles */
    uint64_t hash[HIT_CHAIN_LAUNCHES];
    uint64_t exact[HIT_CHAIN_LAUNCHES]; /* 0: it moves */
    hit_margin extra[HIT_CHAIN_LAUNCHES];
    hit_domain *reached; /* of launches that do not move, one after the other: the indices
                            that this process runs, and what each use needs for them */
    int first_reached[HIT_CHAIN_LAUNCHES];
    double work; /* of a launch, per work without margins */
    double
        *grown; /* where nothing is run, of each launch: its indices on the process that
                   runs most of it, per those of the one that does without margins */
    int waits; /* launches of a period that wait for messages where they run alone, ... */
    double wait_s;          /* ... so long ... */
    double passage_s;       /* ... and for its fields to pass through the memory once */
    hit_exchange *exchange; /* of its fields: a message for each neighbour. NULL where
                               nothing is run */
    void *buffer;
    hit_worth worth;   /* on one process: its peers wait for no block */
    hit_worth overlap; /* the other way: inner boxes run while messages are under way */
    int fields;
    hit_deep_part
        field[HIT_DEEP_FIELDS]; /* a plan that is kept has as many as it needs */
} hit_deep_plan;

/* What planning takes. It is there from when processes compare themselves until the
 * launch has a block, or none. */
typedef struct hit_deep_planning {
    hit_deep_launch work[HIT_CHAIN_LAUNCHES];
    hit_deep_use use[HIT_DEEP_USES]; /* of the launches of one period */
    hit_deep_plan begun;             /* without launches */
} hit_deep_planning;

/* The messages of all processes for what lies around their parts. */
typedef struct hit_deep_sum {
    uint64_t key; /* 0: free */
    hit_around_sum sum;
} hit_deep_sum;

typedef struct hit_deep {
    hit_context *context;
    bool dry; /* launches are not run: blocks have no memory and no messages */
    uint64_t dry_streams; /* then: of the next launch, hit_deep_form.streams ... */
    uint64_t dry_stays;   /* ... and stays */
    bool rims;     /* the devices of all processes fill in what is beyond boundaries */
    bool in_place; /* all of them work in place */
    uint64_t launches; /* so far: a clock */
    uint64_t votes;    /* collective calls so far, also where none is made (dry), ... */
    uint64_t voted;    /* ... of so many numbers in all */
    uint64_t compared; /* the launch at which processes compared themselves last */
    uint64_t recorded; /* launches in the history so far; the last ones are kept */
    int period;        /* so many were found to repeat last; 0: none yet */
    hit_deep_form form[HIT_DEEP_HISTORY];    /* those that are equal are one ... */
    unsigned char held[HIT_DEEP_HISTORY];    /* ... of so many launches of ... */
    unsigned char history[HIT_DEEP_HISTORY]; /* ... these, each by its number */
    hit_deep_form coming; /* where the launch that comes is described: none of these */
    bool poor;            /* some process had no memory for a form, or to plan, when they
                             compared themselves last */
    uint64_t run;         /* launches since something else came between */
    uint64_t last_run;    /* so many were there the time before */
    uint64_t hopeless;    /* the hash of launches that repeat, but are in no block */
    uint64_t alone;       /* no block begins before launch number alone of the history */
    uint64_t plans;       /* made so far, by all processes together */
    hit_deep_tile tile[HIT_DEEP_TILES];
    hit_recent recent_tile[HIT_DEEP_TILES]; /* by the numbers of their storages */
    int written; /* the number of the tile that ended the block, from 1; 0: none did */
    hit_deep_layout layout[HIT_DEEP_LAYOUTS];
    hit_recent recent_layout[HIT_DEEP_LAYOUTS];
    hit_deep_home home[HIT_DEEP_HOMES];
    hit_recent recent_home[HIT_DEEP_HOMES];
    hit_deep_plan *plan[HIT_DEEP_PLANS];
    hit_recent recent_plan[HIT_DEEP_PLANS];
    bool inside; /* other processes may still be in the block that began last, or ... */
    hit_deep_plan *open; /* ... in the next one of this plan, too, without a comparison
                            between the two; NULL: not that */
    bool interrupted;    /* there was a collective call since the block began */
    bool told;           /* a neighbour has left: it sends nothing for the next block */
    hit_deep_plan *now;  /* of the block; NULL: it is over */
    hit_deep_plan *last; /* that ended with the launch before; NULL: none did */
    int position;        /* launches of it that were recorded */
    hit_deep_plan *under_way;    /* its messages are to be waited for */
    uint64_t begun_at;           /* the launch with which they began */
    hit_deep_planning *planning; /* NULL: no block may begin now, or no memory */
    hit_deep_sum *sum;           /* where nothing is run; NULL: none was needed yet */
    hit_launch_plan sketch;      /* of the launch that is expected (hit_deep_sketch()) */
    hit_domain sketch_index;     /* of this process, and what its uses need for it */
    hit_domain sketch_need[HIT_MAX_ARGS];
} hit_deep;

/** @owner the caller: hit_deep_destroy() @errors HIT_E_NOMEM */
hit_status hit_deep_create(hit_context *context, hit_deep **deep);
/** A tile; it is known from now on. */
hit_deep_tile *hit_deep_meet(hit_deep *deep, hit_storage *storage);
/** Accepts NULL in *deep; sets it to NULL. */
void hit_deep_destroy(hit_deep **deep);
/** The storage goes. */
void hit_deep_forget(hit_deep *deep, const hit_storage *storage);
/** The tile of a number; NULL: it is not known. */
static inline hit_deep_tile *hit_deep_find(hit_deep *deep, uint64_t number)
{
    const int k = hit_recent_find(deep->recent_tile, HIT_DEEP_TILES, number);

    return k >= 0 ? &deep->tile[k] : NULL;
}
/** The launch of number @p number, counted from 0, which must be kept. Launches that are
 * equal have one form. */
static inline hit_deep_form *hit_deep_at(hit_deep *deep, uint64_t number)
{
    return &deep->form[deep->history[number % HIT_DEEP_HISTORY]];
}
/** The memory of a form with so many uses. */
size_t hit_deep_form_bytes(int uses);
/** Let a form have memory for so many uses. @owner form->memory: hit_memory_release()
 * @errors HIT_E_NOMEM: it has none */
hit_status hit_deep_form_reserve(hit_deep_form *form, int uses);
/** Let @p to be @p from, in memory of its own. Owner and errors as above: what is not of
 * its uses is there. */
hit_status hit_deep_form_copy(hit_deep_form *to, const hit_deep_form *from);
/** The launch a period before, if it is @p home alike; NULL: there is none, or there was
 * no memory for it. */
static inline hit_deep_form *hit_deep_before(hit_deep *deep, bool home)
{
    const uint64_t period = (uint64_t)deep->period;
    hit_deep_form *before;

    if (deep->recorded < period || period == 0) return NULL;
    before = hit_deep_at(deep, deep->recorded - period);
    return before->home == home && before->launch != NULL ? before : NULL;
}

/* form.c: what a launch is to a chain over processes. */

/** What the launch is: as the launch a period before, if they are equal, so that the
 * history of a program that repeats a few launches takes little memory. NULL: no part of
 * a chain, and @p why says the reason. Equal on all processes. */
hit_deep_form *hit_deep_describe(hit_deep *deep, const hit_call *call,
                                 const hit_launch_plan *plan, char *why, size_t size);
/** The reason against it that has nothing to do with patterns; NULL: there is none. */
const char *hit_deep_refused(const hit_call *call, const hit_launch_plan *plan);
/** The axes in which a tile is periodic, a bit each. */
unsigned hit_deep_periodic(const hit_tile *tile);
/** The axes beyond which the indices of the launch repeat. */
unsigned hit_deep_repeats(const hit_deep_form *form);
/** Beyond periodic boundaries the indices repeat, moved by the extents of the tile: set
 * @p move, per axis, to number @p k of these moves, from 0 on, which is none. False:
 * there is no such number. */
bool hit_deep_move(const hit_deep_form *form, int k, hit_index move[]);
/** The indices of the launch that belong to @p own and its margins, if they are where @p
 * move moves them: there. */
hit_domain hit_deep_indices(const hit_deep_form *form, const hit_domain *own,
                            const hit_margin *extra, const hit_index move[]);
/** Set box[0] to these, and box[1 + u] to what use u touches for them. */
void hit_deep_reached(const hit_deep_form *form, const hit_domain *own,
                      const hit_margin *extra, const hit_index move[], hit_domain box[]);
/** Does the launch write every element of what use @p u touches, and read none of it, for
 * any box of its indices? */
bool hit_deep_overwrites(const hit_deep_form *form, int u);
/** What use @p u needs of its tile for such indices @p box, with what rims are filled
 * from. */
hit_domain hit_deep_need(const hit_deep_form *form, int u, const hit_domain *box);
/** Was the layout of its tile seen before? Else hit_deep_describe() takes note of it. */
bool hit_deep_knows(const hit_deep *deep, const hit_call *call,
                    const hit_launch_plan *plan);
/** The parts of a layout; NULL: they are not one box for each process. */
const hit_deep_layout *hit_deep_layout_of(hit_deep *deep, const hit_storage *storage);

/* blocks.c: which launches are in blocks over processes. */

/** What becomes of a launch. */
typedef struct hit_deep_turn {
    const hit_deep_form *form; /**< NULL: it can be in no block */
    hit_deep_plan *block;      /**< that it is in; NULL: it runs alone */
    const hit_margin *extra;   /**< then: how far beyond its part it runs */
    const hit_domain
        *reached; /**< its indices and needs (hit_deep_plan); NULL: it moves */
    bool begins;  /**< the block: what its fields say is sent has to be sent before */
    int position; /**< of the launch in the block, from 0 */
} hit_deep_turn;

/** Take note of the next launch. Nothing is run or sent. Of its plan only the split and
 * what its uses are is looked at.
 * @collective where a block ends or begins
 * @errors HIT_E_COMM processes did not write a tile at the same places */
hit_status hit_deep_next(hit_deep *deep, const hit_call *call,
                         const hit_launch_plan *plan, hit_deep_turn *turn);

/** The processes leave the block that is under way: they compare themselves.
 * @collective yes @errors as above */
hit_status hit_deep_leave(hit_deep *deep);

/* exchange.c: the messages of a block over processes. */

/** Send what the block needs; begins its wait for what it gets. What was recorded has
 * run. */
hit_status hit_deep_begin(hit_deep *deep, hit_deep_plan *plan);
/** Of a plan without a process to send them: the messages of all processes for the block
 * that began last, with a launch of @p form on tiles of @p layout.
 * @errors HIT_E_NOMEM */
hit_status hit_deep_add_up(hit_deep *deep, const hit_deep_plan *plan,
                           const hit_layout *layout, const hit_deep_form *form,
                           hit_around_sum *sum);
/** Wait for it. Where a neighbour sent nothing, since it left blocks, the processes
 * compare themselves. @errors as hit_deep_next() */
hit_status hit_deep_arrive(hit_deep *deep);

/* sketch.c: launches of a block that have no plan. */

/** What stands for the plan of a launch that is the next one of the block: what the
 * launch is, and which of its indices are this process's, without messages and parts of
 * devices. It holds until the next call. NULL: the launch is not expected. Equal on all
 * processes; not collective. */
hit_launch_plan *hit_deep_sketch(hit_deep *deep, const hit_call *call,
                                 const hit_known_kernel *known);

/** Let a sketch be that of a process which has @p index: one piece, or, if that is empty,
 * none. Borrows it and @p need, which is set to what each use needs for it. */
void hit_deep_sketch_at(hit_launch_plan *plan, hit_domain *index, hit_domain need[]);

/* alike.c: processes that do the same in a block, each at its own place. Of a thousand
 * most lie alike: what one of each class does is planned, and counted for all of it. */

/** A launch of a block, as processes are alike in it. */
typedef struct hit_alike_launch {
    const hit_deep_form *form;
    const hit_margin *extra;     /**< how far beyond its part a process runs it */
    const hit_call *call;        /**< at home: its tiles ... */
    const hit_launch_plan *plan; /**< ... and its uses, which may be a sketch; NULL: a
                                    launch at home is left out */
} hit_alike_launch;

/** Processes of one key. */
typedef struct hit_alike_class {
    uint64_t key;
    int rank; /**< of the first one */
    uint64_t processes;
} hit_alike_class;

/** {0}: none yet. */
typedef struct hit_alike {
    hit_index far; /**< what lies further from a part might lie anywhere */
    int firsts;    /**< launches that are looked at, ... */
    unsigned char first[HIT_CHAIN_LAUNCHES]; /**< ... by number */
    int count;
    size_t room;
    hit_alike_class *of;
    hit_table by_key;
} hit_alike;

/** The classes of processes that run boxes of all the launches which are the same, moved
 * with their parts of @p layout, in which each has one box; NULL: all launches are at
 * home. @owner the caller, also on failure: hit_alike_clear() @errors HIT_E_NOMEM */
hit_status hit_alike_find(const hit_context *context, const hit_layout *layout,
                          const hit_alike_launch launch[], int count, hit_alike *alike);
void hit_alike_clear(hit_alike *alike);
/** Continue @p key by the extents of @p box, and by how far it lies from @p beside, or
 * where @p beside has fewer dimensions from 0. */
uint64_t hit_alike_add_box(uint64_t key, const hit_domain *box, const hit_domain *beside);
/** The one box of a process; empty: it has none, or there is no layout. */
hit_status hit_alike_own(const hit_layout *layout, int rank, hit_domain *own);
/** The indices of a process, of a launch at home; empty: it has none. */
hit_status hit_alike_index(const hit_launch_plan *plan, int rank, hit_domain *index);

#endif
