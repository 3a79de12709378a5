/* SPDX-License-Identifier: MIT
 * Internal: what a launch does on this process. */
#ifndef HIT_LAUNCH_LAUNCH_PLAN_H
#define HIT_LAUNCH_LAUNCH_PLAN_H

#include "hit/base/alloc.h"
#include "hit/comm/exchange.h"
#include "hit/launch/call.h"

/* use.c: where the elements of one tile argument of a launch lie, and their messages. */

struct hit_launch_plan;

/** How one tile argument is used by a launch plan. The arrays have one entry per piece of
 * the process's indices. */
typedef struct hit_use {
    int arg;       /**< its number among the kernel's arguments */
    hit_mode mode; /**< the argument's; HIT_MODE_SUM also for what is put together, as
                      sums are, since data says who writes it: then of bits */
    struct hit_marks *marks;    /**< then: the elements that all processes write */
    unsigned beside;            /**< hit_alias_beside() */
    const hit_pattern *pattern; /**< the known kernel's */
    const hit_pattern *writes;  /**< the same without what is only read */
    hit_domain tile;
    uint64_t shape; /**< the tile's */
    hit_domain *need;
    int *piece; /**< the tile's piece that holds the need; -1: a temporary buffer does */
    size_t *offset_bytes; /**< of the temporary buffer, in the scratch memory or below */
    bool retained; /**< what is gathered stays in the tile's memory, on all processes
                      alike */
    bool single;   /**< then: each process owns one box at most */
    bool holds;    /**< some messages before the run bring a box that can be held */
    bool has;      /**< to this process, which needs no more */
    bool kept; /**< temporary buffers are its own, and what is gathered stays there, on
                  all processes alike */
    void *memory;
    size_t memory_bytes;
    hit_context *context;       /**< that holds it, if there is any */
    hit_exchange *gather;       /**< NULL: nothing to get or give before the run */
    size_t gather_offset_bytes; /**< of its buffer, in the scratch memory */
    hit_exchange *give_back;    /**< NULL: nothing afterwards */
    size_t return_offset_bytes;
    int homes;
    hit_home *home;  /**< per device: of temporary pieces */
    hit_view *user;  /**< refreshed at every launch */
    hit_view *owner; /**< one per piece of the tile */
} hit_use;

/** Find where elements of the argument use->arg of a call lie: mode, pattern and tile
 * must be set, and the plan's split and indices. Adds what it needs of scratch memory to
 * the plan. @errors HIT_E_NOMEM, HIT_E_PATTERN; clear it also then
 */
hit_status hit_use_place(hit_use *use, const hit_call *call,
                         struct hit_launch_plan *plan);
/** Then plan its messages, in scratch memory, too. @errors as above */
hit_status hit_use_connect(hit_use *use, const hit_call *call,
                           struct hit_launch_plan *plan);
/** Give back the table that is kept: of a plan that does not run again. */
void hit_use_give_memory(hit_use *use);
void hit_use_clear(hit_use *use);
/** Is what the launch needs a halo around what each process owns? The answer, which is in
 * use->retained, depends only on what all processes know, so that all keep halos, or none
 * does. Needs mode and pattern. @errors HIT_E_NOMEM */
hit_status hit_use_set_retained(hit_use *use, const hit_tile *tile,
                                const hit_split *split);
/** May boxes that come be held: does the launch leave them as they are, and do they not
 * lie in the tile? Needs mode and retained. */
bool hit_use_may_hold(const hit_use *use);
/** Does a launch of one piece of indices leave what the argument uses as it is, in the
 * tile's own memory or where a box of another process is held? What else comes lies in
 * memory that the next launch takes, or changes the tile. */
bool hit_use_stays(const hit_use *use);
/** Does data say which elements it writes? Boxes around those of several processes, or
 * devices, may meet. Needs pattern, and the mode of the kernel's argument. */
bool hit_use_is_scattered(const hit_use *use);
/** Are elements of the argument brought to the indices before the run? Needs arg, mode,
 * pattern and tile. */
bool hit_use_gathers(const hit_use *use, const hit_call *call);
/** The plan to ask for of what this process sends and receives for the argument. Needs
 * arg, pattern and writes. */
hit_message_request hit_use_request(const hit_use *use, const hit_call *call,
                                    const hit_split *split, hit_direction direction);
/** Shrink the indices *inner of a process to those that touch, of a tile with the layout
 * @p layout, only what it owns of it, @p owned. */
void hit_use_shrink(const hit_use *use, const hit_layout *layout, const hit_split *split,
                    const hit_domain *owned, hit_domain *inner);
/** Must the elements that @p index need of the argument be there before the kernel runs?
 * No if all of them are overwritten. */
bool hit_use_loads(const hit_use *use, const hit_call *call,
                   const hit_known_kernel *known, const hit_domain *index);

static inline hit_tile *hit_use_tile(const hit_use *use, const hit_call *call)
{
    return call->args[use->arg].tile;
}

static inline hit_storage *hit_use_storage(const hit_use *use, const hit_call *call)
{
    return call->args[use->arg].tile->storage;
}

/** The piece of the tile's memory that holds the need of piece @p piece of the indices;
 * @p piece itself for a temporary one. */
static inline int hit_use_storage_piece(const hit_use *use, const hit_call *call,
                                        int piece)
{
    const int own = use->piece[piece];

    return own < 0 ? piece : call->args[use->arg].tile->piece[own];
}

/* holds.c: what is held of tiles that others own (hit/comm/exchange.h). */

/** Has the program promised that all processes that own some of the tile write it at the
 * same places among the launches, and do all own some? Then both ends know whether a box
 * that is held is as it was. */
bool hit_holds_promised(const hit_context *context, const hit_storage *storage);
/** Let a tile have a list with room for @p more boxes. @errors HIT_E_NOMEM */
hit_status hit_holds_reserve(hit_storage *storage, int more);
/** The box that the argument has of another process, where the kernel looks for it; NULL:
 * it is elsewhere. @owner borrowed, until the next change of what is held */
hit_held_box *hit_holds_find(const hit_call *call, const hit_use *use);
/** Is all that a launch of one piece has of other processes held, where the kernel looks
 * for it? Then it stays there until the launch is over. */
bool hit_holds_all(const hit_call *call, const struct hit_launch_plan *plan);
/** Before a launch: what the program wrote of its tiles is held no more. @collective
 * where the program has promised that it is, some has written a tile since a launch had
 * it, and something may be held at all
 * @errors HIT_E_ARG the processes have not written the same tiles */
hit_status hit_holds_begin(const hit_call *call);
/** After it: nor is what it wrote. */
void hit_holds_end(const hit_call *call, const hit_known_kernel *known);

/* parts.c: the index range of each device of the process, the elements it needs, and
 * its superblock plan. */

struct hit_launch_plan;

/** What a part of a launch needs of one tile argument. */
typedef struct hit_claim {
    hit_domain need;   /**< of that of the piece */
    hit_domain writes; /**< of the need, what is written, where some is only read */
    hit_domain box;    /**< what stays on the device: the need, or a little more */
    bool loads;        /**< must the need be on the device before the run? */
    bool partial; /**< it is added up in a buffer of its own, since another device adds
                     to the same elements */
    size_t offset_bytes;  /**< of that buffer, in the scratch memory */
    hit_view own;         /**< that buffer; refreshed at every launch */
    const hit_view *host; /**< where the elements are: it, or what the piece uses */
} hit_claim;

/** What one device does of one piece of the process's indices. */
typedef struct hit_part {
    int piece;
    int device;
    hit_domain index;
    hit_superblocks superblocks; /**< for a device with its own memory */
    bool rims;                   /**< there is room on the device for the claims' boxes */
    bool replanned;              /**< the device had less memory than its limit */
    bool begun;       /**< its inner indices ran while messages were under way */
    hit_claim *claim; /**< one per use */
} hit_part;

/** Plan what the devices do: needs plan->index and plan->use. @errors HIT_E_NOMEM, and
 * those of hit_call_superblocks(); clear also then */
hit_status hit_parts_plan(struct hit_launch_plan *plan, const hit_call *call);
/** The same by other shares along plan->cut_dim; not of a plan that reduces.
 * @errors also as hit_cut_again(); the plan is then as it was */
hit_status hit_parts_cut(struct hit_launch_plan *plan, const hit_call *call,
                         const hit_index share[]);
/** Several devices have the same shares of indices of the same extents: let them follow
 * from the plan's domain to that of the call. */
void hit_parts_shift(struct hit_launch_plan *plan, const hit_call *call);
/** The parts of a plan of one piece that hit_move() moves: plan->index and what the uses
 * need are new. Of parts in place the claims stay behind: */
void hit_parts_move(struct hit_launch_plan *plan, const hit_call *call);
/** Before claims of parts in place are looked at: let them be those of the plan's place.
 * Most launches at new places are small, and run without. */
void hit_parts_claim(struct hit_launch_plan *plan, const hit_call *call);
void hit_parts_clear(struct hit_launch_plan *plan);
/** Let the superblocks of @p part that need none of what comes by messages be the first.
 */
void hit_part_defer(const hit_call *call, const struct hit_launch_plan *plan,
                    hit_part *part);
/** Does nothing of a part on a device with a memory of its own run before the messages of
 * its launch have come? */
bool hit_part_waits(const struct hit_launch_plan *plan, const hit_part *part);
/** Why no index of a launch runs while its messages are under way, if a process has its
 * indices in @p pieces; NULL: nothing is against it. */
const char *hit_call_against_overlap(const hit_call *call, int pieces);
/** Before the parts of a launch run at the same time: what @p part needs and another
 * device than its own has is sent to the host; what it will write is forgotten there. */
hit_status hit_part_settle(const hit_call *call, const struct hit_launch_plan *plan,
                           const hit_part *part);

/** Which other places a plan serves (hit/launch/launch_plan.h). */
typedef enum hit_moves {
    HIT_STAYS,
    HIT_MOVES_ALONE,   /**< on one process: what is needed is in the tiles' memory */
    HIT_MOVES_ALIGNED, /**< every process needs its own elements only */
    HIT_MOVES_OWNED    /**< one process owns all that is needed, and does all */
} hit_moves;

/** What a launch does on this process; found again under its key. */
typedef struct hit_launch_plan {
    const hit_known_kernel *known;
    hit_domain domain;
    uint64_t alias; /**< of the calls that it serves (hit/launch/call.h) */
    uint64_t key;   /**< of its class if it moves, of its place otherwise */
    hit_moves moves;
    uint64_t place;  /**< a number of its place, from 1: another one after each move */
    hit_split split; /**< its layout is that of the place: it may be gone */
    struct hit_recent *recent; /**< when it was used */
    int pieces;
    hit_domain *index;
    uint64_t indices;       /**< in all pieces */
    uint64_t touched_bytes; /**< hit_launch_plan_touched(); 0: not counted yet */
    bool reduces;
    bool gathers; /**< some use has something to get or give before the run */
    bool returns; /**< and some after it */
    bool light;   /**< it is less work than to hand it to other threads */
    uint64_t runs;
    double least_s;      /**< the shortest of its runs that were timed; 0: none was */
    uint64_t light_runs; /**< of light ones, of which not each is timed */
    double light_s;      /**< what one of them takes */
    bool waits;   /**< from the first run on: the launch may return before it runs, to run
                     beside others */
    bool places;  /**< from the first run on: a scheduler may place it at need, ... */
    bool narrow;  /**< ... and come for it */
    bool records; /**< from the first run on: it may be part of a chain */
    bool at_home; /**< from the first run on: with one piece, it is all in the tiles' own
                     memory */
    bool placed;  /**< by a scheduler, when its messages have come, ... */
    bool large;   /**< ... but no device had room for its data */
    bool told;    /**< why it is not placed */
    bool overlaps; /**< messages are under way while the inner part of the indices runs */
    bool defers;   /**< then superblocks of that part come first: what comes lies around
                      the one box that each process owns */
    bool stays;    /**< every result may stay on the device, and nothing of the launch is
                      in memory that the next one takes */
    hit_domain inner;
    hit_region border;
    hit_device_set able; /**< the devices on which it may run */
    int parts;           /**< in the order of the pieces, and of the devices in each */
    hit_part *part;
    hit_claim *claim; /**< of all parts */
    uint64_t claimed; /**< the place of which these are, in place (hit_parts_claim()) */
    bool shared;      /**< a device other than the first has a part */
    int cut_dim; /**< along which devices share the indices; -1: in rectangles, or one has
                    all */
    struct hit_shares *shares; /**< they follow measured times; NULL: they stay */
    bool partials;             /**< some claim is partial */
    size_t scratch_bytes;
    bool unfinished; /**< it is not known how the devices run it */
    int uses;
    hit_use use[HIT_MAX_ARGS]; /**< last: a plan that is made has as many as there are */
} hit_launch_plan;

/** Check a call's devices and patterns, and choose how its indices are split. Pure.
 * @errors HIT_E_ABSENT, HIT_E_PATTERN, HIT_E_ARG */
hit_status hit_launch_plan_split(const hit_call *call, const hit_known_kernel *known,
                                 hit_split *split);
/** The same of a call that was checked. @errors HIT_E_PATTERN, HIT_E_ARG */
hit_status hit_call_split(const hit_call *call, const hit_known_kernel *known,
                          hit_split *split);
/** Set what a plan is before it is known where elements lie: domain, split, and of each
 * use its argument, mode, pattern and tile. Allocates nothing; known must be set. @errors
 * as above */
hit_status hit_launch_plan_sketch(const hit_call *call, hit_launch_plan *plan);
/** Make the plan of a call. Not collective; exchanges are ready, nothing has run. @errors
 * HIT_E_NOMEM, HIT_E_PATTERN, HIT_E_ABSENT; where no device can run it on this process,
 * which only hit_launch_plan_finish() says, it is unfinished */
hit_status hit_launch_plan_make(const hit_call *call, const hit_known_kernel *known,
                                hit_launch_plan **plan);
/** Make as much of it as says where elements lie, and what scratch memory it needs
 * without messages. It cannot run. @errors HIT_E_NOMEM, HIT_E_PATTERN, HIT_E_ABSENT */
hit_status hit_launch_plan_foresee(const hit_call *call, const hit_known_kernel *known,
                                   hit_launch_plan **plan);
/** Find devices for a plan that is unfinished. @errors as below */
hit_status hit_launch_plan_complete(hit_launch_plan *plan, const hit_call *call);
/** Before a run: let the memory of tiles hold what it uses, and views point to where that
 * is now. @errors HIT_E_NOMEM: of this process alone, whose messages say so */
hit_status hit_launch_plan_refresh(hit_launch_plan *plan, const hit_call *call);
/** Is it, at its place, less work than to hand it to other threads? */
bool hit_launch_plan_is_light(const hit_launch_plan *plan, const hit_call *call);
/** To be called before it runs. @errors HIT_E_LIMIT no device can, nor could when it was
 * made; HIT_E_NOMEM */
static inline hit_status hit_launch_plan_finish(hit_launch_plan *plan,
                                                const hit_call *call)
{
    return plan->unfinished ? hit_launch_plan_complete(plan, call) : HIT_OK;
}
/** The tiles that it writes have other contents now. */
static inline void hit_launch_plan_note_written(const hit_launch_plan *plan,
                                                const hit_call *call)
{
    for (unsigned left = plan->known->written; left != 0; left &= left - 1) {
        call->args[__builtin_ctz(left)].tile->storage->version++;
    }
}
void hit_launch_plan_destroy(hit_launch_plan **plan);
/** Count the bytes that its indices touch, in all tiles together. */
uint64_t hit_launch_plan_count(const hit_launch_plan *plan);
/** The same, as they were counted if they were. */
static inline uint64_t hit_launch_plan_touched(const hit_launch_plan *plan)
{
    return plan->touched_bytes > 0 ? plan->touched_bytes : hit_launch_plan_count(plan);
}
/** The memory that it takes, scratch memory excepted. */
size_t hit_launch_plan_bytes(const hit_launch_plan *plan);
/** Scratch memory for the plan: the offset of @p size_bytes. */
static inline size_t hit_launch_plan_take(hit_launch_plan *plan, size_t size_bytes)
{
    const size_t offset = plan->scratch_bytes;

    plan->scratch_bytes += hit_memory_padded(size_bytes);
    return offset;
}

/* cut.c: a process's indices cut over its devices. */

/** Cut the pieces @p index of one process's indices over the devices of the context, in
 * proportion to their shares, along one dimension: of those that balance well the one for
 * which the devices need the fewest bytes together. Four and more devices with memories
 * of their own get rectangles where they need at most 0.9 of that then. No two devices
 * write the same elements; where no cut has that, or only one device may run the launch
 * (hit_call_able()), one device gets all. Those of @p small get none. Pure.
 *
 * @shape  cut: index->count * context->devices; number k * devices + d is what device d
 *         does of piece k, and may be empty. *dim: the dimension; -1: one gets all, or
 * rectangles
 * @errors HIT_E_NOMEM; HIT_E_ABSENT as hit_call_able()
 */
hit_status hit_cut_make(const hit_call *call, const hit_known_kernel *known,
                        const hit_region *index, const hit_device_set *small,
                        hit_domain cut[], int *dim);
/** The memory of @p device does not hold what an index of its part needs, as its
 * superblocks say: add it to *small, and those that have no more memory. False: no other
 * device may run the launch, and the failure is that of the largest memory. */
bool hit_cut_leave(const hit_call *call, int device, hit_device_set *small);
/** The same along @p dim, of which device d gets @p share[d]; they sum up to the extents
 * of all pieces. Pure.
 * @errors HIT_E_PATTERN two devices would write the same elements; HIT_E_NOMEM */
hit_status hit_cut_again(const hit_call *call, const hit_known_kernel *known,
                         const hit_region *index, int dim, const hit_index share[],
                         hit_domain cut[]);

/* shares.c: shares of a process's devices, as HIT_DEVICES gives them, or as they follow
 * measured times ("share=auto"): of each plan of a launch, and of each kind of blocks of
 * launches (hit/run/chain_shares.c), on its own. */

typedef struct hit_shares hit_shares;
struct hit_stations;

/** Per device of the process, of its indices it has as many beside the others: as it is
 * given, 1 where it is not, 0 of one that takes only what no other can. False: none is
 * given, nor do they follow times.
 * @shape share, here and below: the devices of the context */
bool hit_shares_given(const hit_context *context, hit_index share[]);
/** Per device, how much it has of the dimension along which the plan is cut; all 0: it is
 * not cut. */
void hit_shares_of_plan(const struct hit_launch_plan *plan, int devices,
                        hit_index share[]);
/** Begin to follow: devices of which @p share is 0 take no part. The sum of all shares
 * stays. @owner the caller: hit_shares_end() @errors HIT_E_NOMEM */
hit_status hit_shares_create(int devices, const hit_index share[], hit_shares **shares);
/** @p launches launches ran behind each other, and the stations know how long they took.
 * True: a round of them is over. */
bool hit_shares_look(hit_shares *shares, const struct hit_stations *stations,
                     int launches);
/** By the times of the round, which ran with these shares: set those that pay. False:
 * these stay. */
bool hit_shares_follow(hit_shares *shares, hit_index share[]);
/** The next round begins, with the same shares or with @p better ones. */
void hit_shares_open_round(hit_shares *shares, bool better);

/** Begin to follow, where devices ask for it and share the indices. A launch that reduces
 * does not: its bits must not depend on times. @errors HIT_E_NOMEM */
hit_status hit_shares_begin(const hit_call *call, struct hit_launch_plan *plan);
/** Accepts NULL in *shares; sets it to NULL. */
void hit_shares_end(hit_shares **shares);
/** A launch of the plan has run, and the stations know how long it took. Cuts the plan
 * anew where that pays; where it cannot be done, it stays. */
void hit_shares_note(const hit_call *call, hit_launch_plan *plan);

/* apart.c */

/** Mode inout: do two indices near to each other write or read the same element, or does
 * one read what another writes ("<-")? @errors HIT_E_PATTERN */
hit_status hit_launch_plan_check_inout(const hit_call *call, const hit_pattern *pattern,
                                       int arg);

/* move.c: a plan that is made for one place serves others. */

/** Hash of what all places of a class of launches share: kernel, layout that splits, what
 * of its tiles does not depend on the place, and, on devices with memory of their own,
 * the extents of the domain and of the tiles. */
uint64_t hit_move_class(const hit_call *call, const hit_known_kernel *known);
/** The same of what all processes have alike, whatever their devices are: where one of
 * them can plan a launch at some place, it can at others, if it has memory for it. Other
 * numbers in its patterns are another kind: all processes must have the same. */
uint64_t hit_move_kind(const hit_call *call);
/** May @p plan, which was made for @p call, be moved? If no message is sent by any
 * process, and all is in the tiles' own memory; through a device's memory only with
 * patterns that shift as a whole. All processes say the same. */
hit_moves hit_move_can(const hit_launch_plan *plan, const hit_call *call);
/** Let a plan that may be moved be the plan of @p call, which is of its class, and whose
 * kernel with its numbers is @p known. All that depends on the place is computed anew;
 * nothing that is needed is allocated. False: a plan of its own is needed, for example
 * since the place needs elements outside the tile; then the plan is as it was. All
 * processes say the same without a vote: only what all of them know is looked at. */
bool hit_move(hit_launch_plan *plan, const hit_call *call, const hit_known_kernel *known);
/** Has the call's domain the extents and strides of the plan's? */
bool hit_move_keeps_extents(const hit_launch_plan *plan, const hit_call *call);

#endif
