/* SPDX-License-Identifier: MIT
 * Internal to hit/check: which elements one index of a launch touches. */
#ifndef HIT_CHECK_RECORD_H
#define HIT_CHECK_RECORD_H

#include "hit/check/replica.h"

/** An element that was touched. */
typedef struct hit_touched {
    hit_index at[HIT_MAX_DIMS];
    hit_index cell; /**< of the copy; -1: it is not there, the body saw a zero */
} hit_touched;

/** What was touched of one argument since hit_record_start(), each element once. */
typedef struct hit_record {
    hit_touch touch; /**< first: what the body calls */
    const hit_replica_arg *arg;
    uint32_t *seen; /**< per cell: the number of the last run that touched it */
    uint32_t run;
    int count;
    size_t room;
    int outside; /**< of the list: elements that are not in the copy */
    hit_touched *list;
    int found_dims; /**< -1, or how many indices an access had that does not fit the tile
                     */
    bool lost;      /**< there was no memory for all */
} hit_record;

/** Records for all tile arguments of a replica; those of values stay empty. */
typedef struct hit_recorder {
    const hit_replica *replica;
    hit_record of[HIT_MAX_ARGS];
} hit_recorder;

/** @owner the caller's: hit_recorder_clear(), also on failure @errors HIT_E_NOMEM */
hit_status hit_recorder_init(const hit_replica *replica, hit_recorder *recorder);
void hit_recorder_clear(hit_recorder *recorder);
/** Run the body once, at index @p at, on the copies. Needs a checked half, or else a host
 * function, of which nothing is recorded. @errors HIT_E_NOMEM, and what the body returns
 */
hit_status hit_recorder_run(hit_recorder *recorder, const hit_index at[]);
/** Let the copies hold again what the launch finds, where the last run touched them. */
void hit_recorder_restore(const hit_recorder *recorder);
/** Note that element @p at is touched. */
void hit_record_add(hit_record *record, const hit_index at[]);
/** Forget what was touched. */
void hit_record_start(hit_record *record);

#endif
