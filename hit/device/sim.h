/* SPDX-License-Identifier: MIT
 * A simulated device: its operations take the time that models say, and do nothing else.
 * Each lane has a clock: an operation begins when it is asked for, when its lane is free,
 * and when what it waits for is over. So what runs on it is a discrete-event simulation
 * of what would run on a device. */
#ifndef HIT_DEVICE_SIM_H
#define HIT_DEVICE_SIM_H

#include "hit/device/device.h"
#include "hit/model/fpm.h"

/** The state of a simulated device. The caller sets the first group of members, and the
 * others to 0. An unknown time is NAN, and so is everything that waits for it. */
typedef struct hit_sim {
    const hit_links *links;
    const hit_fpm *kernel; /**< speed in indices per second */
    hit_index sum;         /**< extent of the kernel's sum; boxes may do a part of it */
    int threads;           /**< busy while a kernel runs */
    bool async; /**< as hit_processor_ops.async; else the lane of kernels is the caller */

    hit_processor_ops processor;
    double lane_s[HIT_LANES]; /**< when each lane is free */
    double caller_s;          /**< when the process is that asks */
    double busy_s;            /**< of all cores that run kernels and copies, together */
    size_t used_bytes;
} hit_sim;

/** Let @p device be the simulated one: its operations and its state. */
void hit_sim_open(hit_sim *sim, hit_device *device);
/** Run a kernel on @p units indices, @p share of their sum. */
void hit_sim_run(hit_sim *sim, double units, double share);
/** When all lanes are done. */
double hit_sim_end(const hit_sim *sim);

#endif
