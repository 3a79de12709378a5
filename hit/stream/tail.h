/* SPDX-License-Identifier: MIT
 * Internal: state that lets a streamed launch start before the previous one has finished.
 * A launch writes a buffer when its content is no longer needed, and reads elements of
 * the host when they have arrived there. */
#ifndef HIT_STREAM_TAIL_H
#define HIT_STREAM_TAIL_H

#include "hit/plan/plan.h"

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
} hit_tail;

/** Go on with the rings @p ring, of which buffers, each_bytes and data are set: where
 * they lie as before, each buffer is free when the launch before is done with it;
 * elsewhere when it is done with all, @p run and @p sent. */
void hit_tail_go_on(hit_tail *tail, int rings, const hit_ring ring[], uint64_t run,
                    uint64_t sent);

#endif
