/* SPDX-License-Identifier: MIT
 * Internal: indices go through the memory of a device superblock by superblock: in three
 * lanes, or one superblock at a time, as their plan says. Launches do so on a device, and
 * predictions on a simulated one (hit/device/device.h). */
#ifndef HIT_STREAM_STREAM_H
#define HIT_STREAM_STREAM_H

#include "hit/data/fence.h"
#include "hit/device/device.h"
#include "hit/plan/plan.h"

/* tail.c: state that lets a streamed launch start before the previous one has finished. A
 * launch writes a buffer when its content is no longer needed, and reads elements of the
 * host when they have arrived there. */

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

/* stream.c */

enum {
    HIT_STREAM_RECENT = 16 /* results whose boxes are told apart */
};

/** A superblock that is prepared, runs, or has run. */
typedef struct hit_superblock {
    hit_index k;                     /**< of the plan's */
    hit_domain box;                  /**< its indices */
    hit_view view[HIT_MAX_ARGS];     /**< in the device's memory: what it needs */
    hit_domain writes[HIT_MAX_ARGS]; /**< of that; where an argument is not written it
                                        does not matter */
    bool same[HIT_MAX_ARGS];  /**< it needs, and writes, the same as the one before */
    int buffer[HIT_MAX_ARGS]; /**< of its argument's ring */
    uint64_t loaded;          /**< the mark after which all it needs is there ... */
    uint64_t freed;           /**< ... and that after which it may write */
    bool sent;
} hit_superblock;

/** The caller sets the first group of members. */
typedef struct hit_stream {
    hit_device *device; /**< its arena is as large as the superblocks ask for */
    const hit_superblocks *superblocks;
    hit_index from;  /**< of the plan's pieces that are run the first, ... */
    hit_index until; /**< ... and the one behind the last */
    int args;
    const hit_plan_arg *arg;            /**< with the patterns of superblocks->sum */
    const hit_view *host[HIT_MAX_ARGS]; /**< where the elements of each argument lie */
    /** Per argument the log of accesses to the host's elements, in which the copies are
     * entered: as those to piece @p piece, by sources number source[] + lane. */
    hit_fence *log[HIT_MAX_ARGS];
    int piece[HIT_MAX_ARGS];
    int source[HIT_MAX_ARGS];
    hit_tail *tail;
    /** Run the indices of superblock @p of, whose elements are in its views. */
    hit_status (*run)(void *caller, const hit_superblock *of);
    void *caller;

    uint64_t bytes_in; /**< so far */
    uint64_t bytes_out;
    hit_index done; /**< superblocks that were asked for */
    hit_index next; /**< the one after them; at the end `until`, or later */

    hit_superblock superblock[3];       /**< the one after n others is in place n % 3 */
    uint64_t freed;                     /**< for the next superblock */
    uint64_t recent[HIT_STREAM_RECENT]; /**< marks of the last results */
    uint64_t results;                   /**< that were sent to the host */
} hit_stream;

/** Copy the elements @p box, and count them. @errors those of the device */
static inline hit_status hit_stream_copy(hit_stream *s, hit_lane lane, hit_way way,
                                         const hit_view *from, const hit_view *to,
                                         const hit_domain *box)
{
    const uint64_t bytes = (uint64_t)hit_domain_count(box) * from->size_bytes;

    if (bytes == 0) return HIT_OK;
    HIT_TRY(hit_device_copy(s->device, lane, way, from, to, box));
    if (way == HIT_WAY_IN) s->bytes_in += bytes;
    if (way == HIT_WAY_OUT) s->bytes_out += bytes;
    return HIT_OK;
}

/** Do superblocks go in lanes? Else one at a time. */
static inline bool hit_stream_in_lanes(const hit_superblocks *superblocks)
{
    return superblocks->arena_bytes > 0 && superblocks->buffers[0] > 0;
}

/** Ask the device for all superblocks. What goes in lanes follows what the stream before
 * it has left to do, and leaves its own last copies: the caller waits for the device when
 * it wants to. @errors those of the device and of run; the device may be at work then */
hit_status hit_stream_run(hit_stream *stream);

/** The same step by step: begin, next() for each superblock, and, to stop before the last
 * one, flush(): send back what has run. */
hit_status hit_stream_begin(hit_stream *stream);
hit_status hit_stream_next(hit_stream *stream);
hit_status hit_stream_flush(hit_stream *stream);

#endif
