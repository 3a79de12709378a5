/* SPDX-License-Identifier: MIT
 * Internal: what a launch does on this process. */
#ifndef HIT_LAUNCH_LAUNCH_PLAN_H
#define HIT_LAUNCH_LAUNCH_PLAN_H

#include "hit/launch/parts.h"
#include "hit/launch/use.h"

/** Which other places a plan serves (hit/launch/move.h). */
typedef enum hit_moves {
    HIT_STAYS,
    HIT_MOVES_ALONE,   /**< on one process: what is needed is in the tiles' memory */
    HIT_MOVES_ALIGNED, /**< every process needs its own elements only */
    HIT_MOVES_OWNED    /**< one process owns all that is needed, and does all */
} hit_moves;

/** Is a launch of less work than it takes to hand it to other threads? */
typedef enum hit_weight {
    HIT_WEIGHT_UNKNOWN, /**< at this place it has not been asked yet */
    HIT_WEIGHT_LIGHT,
    HIT_WEIGHT_HEAVY
} hit_weight;

/** What a launch does on this process; found again under its key. */
typedef struct hit_launch_plan {
    const hit_known_kernel *known;
    hit_domain domain;
    uint64_t alias; /**< of the calls that it serves (hit/launch/alias.h) */
    uint64_t key;   /**< of its class if it moves, of its place otherwise */
    hit_moves moves;
    uint64_t place;  /**< a number of its place, from 1: another one after each move */
    hit_split split; /**< of which only the layout of the call it was made for is known */
    struct hit_recent *recent; /**< when it was used */
    int pieces;
    hit_domain *index;
    uint64_t indices;       /**< in all pieces */
    uint64_t touched_bytes; /**< by them, in all tiles together */
    int uses;
    hit_use use[HIT_MAX_ARGS];
    bool reduces;
    bool gathers; /**< some use has something to get or give before the run */
    hit_weight weight;
    uint64_t runs;
    double least_s;      /**< the shortest of its runs that were timed; 0: none was */
    uint64_t light_runs; /**< of light ones, of which not each is timed */
    double light_s;      /**< what one of them takes */
    bool waits;   /**< from the first run on: the launch may return before it runs, to run
                     beside others */
    bool records; /**< from the first run on: it may be part of a chain */
    bool told;    /**< why it is not placed by a scheduler */
    bool overlaps; /**< messages are under way while the inner part of the indices runs */
    bool stays;    /**< every result may stay on the device, and nothing of the launch is
                      in memory that the next one takes */
    hit_domain inner;
    hit_region border;
    hit_device_set able; /**< the devices on which it may run */
    int parts;           /**< in the order of the pieces, and of the devices in each */
    hit_part *part;
    hit_claim *claim; /**< of all parts */
    bool shared;      /**< a device other than the first has a part */
    int cut_dim;      /**< along which devices share the indices; -1: they do not */
    struct hit_shares *shares; /**< they follow measured times; NULL: they stay */
    bool partials;             /**< some claim is partial */
    size_t scratch_bytes;
    bool unfinished; /**< it is not known how the devices run it */
} hit_launch_plan;

/** Check a call's devices and patterns, and choose how its indices are split. Pure.
 * @errors HIT_E_ABSENT, HIT_E_PATTERN, HIT_E_ARG */
hit_status hit_launch_plan_split(const hit_call *call, const hit_known_kernel *known,
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
/** To be called before it runs. @errors HIT_E_LIMIT no device can, nor could when it was
 * made; HIT_E_NOMEM */
hit_status hit_launch_plan_finish(hit_launch_plan *plan, const hit_call *call);
void hit_launch_plan_destroy(hit_launch_plan **plan);
/** Mode inout: do two indices near to each other write or read the same element? @errors
 * HIT_E_PATTERN */
hit_status hit_launch_plan_check_inout(const hit_call *call, const hit_pattern *pattern,
                                       int arg);
/** The memory that it takes, scratch memory excepted. */
size_t hit_launch_plan_bytes(const hit_launch_plan *plan);
/** Scratch memory for the plan: the offset of @p size_bytes. */
size_t hit_launch_plan_take(hit_launch_plan *plan, size_t size_bytes);

#endif
