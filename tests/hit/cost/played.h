/* SPDX-License-Identifier: MIT
 * A device that plays time: it does what the host's staged device does, at once, and
 * keeps a clock for each lane that says when it would have been done if every copy and
 * every kernel took what models say. */
#ifndef TESTS_HIT_COST_PLAYED_H
#define TESTS_HIT_COST_PLAYED_H

#include "hit/cost/predict.h"
#include "hit/device/device.h"

enum {
    PLAYED_MARKS = 100000
};

typedef struct played {
    hit_device *device; /* whose place it takes */
    hit_device real;    /* as it was */
    void *state;
    hit_device_ops ops;
    hit_memory_ops memory;
    hit_processor_ops processor;
    const hit_rates *rates;
    hit_index sum; /* extent of the kernel's sum, if it has one */
    double lane_s[HIT_LANES];
    double caller_s;
    double *mark_s[HIT_LANES];
    uint64_t marks[HIT_LANES];
} played;

/** Take the place of @p device's operations until played_stop(). */
void played_start(played *p, hit_device *device, const hit_rates *rates, hit_index sum);
void played_stop(played *p);
/** When all lanes are done. */
double played_end(const played *p);

#endif
