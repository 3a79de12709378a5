/* SPDX-License-Identifier: MIT
 * Internal to hit/launch: what a streamed launch that returned left its device to do. The
 * next one begins behind it: it writes a buffer when nobody needs what is in it, and
 * reads elements of the host when they have arrived there. */
#ifndef HIT_STREAM_TAIL_H
#define HIT_STREAM_TAIL_H

#include "hit/plan/superblocks.h"

enum {
    HIT_ARRIVALS = 16
};

/** A mark of a device's lane, or a moment of a prediction. */
typedef union hit_when {
    uint64_t mark;
    double moment_s;
} hit_when;

/** Boxes of elements on their way to the host, the last ones of a lane, which arrive in
 * the order in which they were added. Older ones count as one that is everywhere. */
typedef struct hit_arrivals {
    uint64_t added;
    hit_when older;
    struct {
        const void *memory; /**< of the host: where their piece begins */
        hit_domain box;
        hit_when when;
    } slot[HIT_ARRIVALS];
} hit_arrivals;

void hit_arrivals_add(hit_arrivals *arrivals, const void *memory, const hit_domain *box,
                      hit_when when);
/** When all of @p box that is on its way has arrived; NULL: nothing is. */
const hit_when *hit_arrivals_find(const hit_arrivals *arrivals, const void *memory,
                                  const hit_domain *box);

/** The buffers of one argument. */
typedef struct hit_ring {
    int buffers;
    int at; /**< the one that holds the elements `box`, if `holds` */
    bool holds;
    hit_domain box;
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
