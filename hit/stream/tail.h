/* SPDX-License-Identifier: MIT
 * Internal: state that lets a streamed launch start before the previous one has finished.
 * A launch writes a buffer when its content is no longer needed, and reads elements of
 * the host when they have arrived there. */
#ifndef HIT_STREAM_TAIL_H
#define HIT_STREAM_TAIL_H

#include "hit/plan/superblocks.h"

enum {
    HIT_ARRIVALS = 16
};

/** Boxes of elements on their way to the host, the last ones of a lane, which arrive in
 * the order in which they were added. Older ones are merged into one that covers all. */
typedef struct hit_arrivals {
    uint64_t added;
    uint64_t older; /**< its mark */
    struct {
        const void *memory; /**< of the host: where their piece begins */
        hit_domain box;
        uint64_t mark;
    } slot[HIT_ARRIVALS];
} hit_arrivals;

/** @p box arrives with @p mark of the lane, which is not 0. */
void hit_arrivals_add(hit_arrivals *arrivals, const void *memory, const hit_domain *box,
                      uint64_t mark);
/** The mark after which all of @p box that is on its way has arrived; 0: nothing is. */
uint64_t hit_arrivals_find(const hit_arrivals *arrivals, const void *memory,
                           const hit_domain *box);

/** The buffers of one argument. */
typedef struct hit_ring {
    int buffers;
    int at; /**< the one that was given last */
    size_t each_bytes;
    char *data;
    uint64_t run[HIT_STREAM_BUFFERS];  /**< the lanes' marks: a buffer may be written */
    uint64_t sent[HIT_STREAM_BUFFERS]; /**< again when both have been passed */
} hit_ring;

/** All zero before the first launch. */
typedef struct hit_tail {
    int rings;
    hit_ring ring[HIT_MAX_ARGS];
    hit_arrivals arrivals;
} hit_tail;

/** Go on with the rings @p ring, of which buffers, each_bytes and data are set: where
 * they lie as before, each buffer is free when the launch before is done with it;
 * elsewhere when it is done with all, @p run and @p sent. */
void hit_tail_go_on(hit_tail *tail, int rings, const hit_ring ring[], uint64_t run,
                    uint64_t sent);

#endif
