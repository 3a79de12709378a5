/* SPDX-License-Identifier: MIT
 * Internal to the library: what a launch would do on all of its processes, from the pure
 * plans alone. */
#ifndef HIT_COST_PREVIEW_H
#define HIT_COST_PREVIEW_H

#include "hit/base/context.h"
#include "hit/cost/rates.h"
#include "hit/tile/footprint.h"

/** A figure over all processes. */
typedef struct hit_figure {
    uint64_t sum;
    uint64_t most; /**< on one process */
} hit_figure;

/** Totals over all processes for the devices of one number. */
typedef struct hit_device_preview {
    hit_figure indices;
    uint64_t peak_bytes; /**< of the memory of one of them */
    hit_forecast time;   /**< until the last of them is done, without messages */
    hit_domain sample;   /**< indices that run at a time, on the first process where it
                            has some; else empty */
} hit_device_preview;

typedef struct hit_preview {
    int processes; /**< that have indices */
    hit_figure indices;
    hit_figure messages;      /**< sent; content that did not change, and what is held,
                                 count in full */
    hit_figure message_bytes; /**< sent */
    hit_figure superblocks;   /**< on a device that works in place: boxes of indices */
    hit_figure bytes_in;      /**< to the device's memory */
    hit_figure bytes_out;
    uint64_t buffer_bytes[HIT_FOOTPRINT_MOST]; /**< for messages, on the processes of the
                                                  context's footprint, if it has one */
    uint64_t streams; /**< processes whose indices do not fit their devices as a whole */
    uint64_t stays;   /**< those whose do */
    uint64_t peak_bytes; /**< of the memory of one device */
    hit_forecast time;   /**< until the last process is done */
    hit_device_preview device[HIT_MAX_DEVICES];
} hit_preview;

/** A box that a message brings and that its receiver may hold (hit/comm/exchange.h). */
typedef struct hit_preview_box {
    int arg; /**< of which tile */
    int from;
    int to;
    hit_domain box;
    size_t size_bytes;
} hit_preview_box;

/** {0}: none. For each two processes in the order of the arguments. */
typedef struct hit_preview_boxes {
    int count;
    int room;
    hit_preview_box *of;
} hit_preview_boxes;

void hit_preview_boxes_clear(hit_preview_boxes *boxes);

/** Plan a call for every process of its context, and run nothing; times are as @p rates
 * say, the same on all processes. The devices of a process run side by side, and it is
 * done when the last of them is. Not collective.
 * @shape rates: one per device of the context. boxes: may be NULL; appended to
 * @owner the caller of *boxes, also on failure: hit_preview_boxes_clear()
 * @errors as a launch, those of all processes: the first one's */
hit_status hit_preview_make(const hit_call *call, const hit_known_kernel *known,
                            const hit_rates rates[], hit_preview *preview,
                            hit_preview_boxes *boxes);

#endif
