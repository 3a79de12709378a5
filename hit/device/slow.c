/* SPDX-License-Identifier: MIT
 * Emulated slowness: run() is that of the device, and returns later. */
#include "hit/base/clock.h"
#include "hit/base/memory.h"
#include "hit/device/device.h"

/* How many times as long this run is to take. */
static int factor_of(const hit_device *device, const hit_run *run)
{
    const hit_slow_spec *spec = &device->spec.slow;
    const bool slow = spec->factor > 1 && device->slow->runs++ >= spec->from;
    int factor = slow ? spec->factor : 1;

    if (spec->cliff > 1 && run->elements > spec->cliff_from) factor *= spec->cliff;
    return factor;
}

/* The device records the kernel; here is the rest of the time. */
hit_status hit_slow_run(const hit_device *device, const hit_kernel *kernel,
                        const hit_run *run, const hit_domain need[])
{
    const hit_clock *clock = device->spec.clock;
    const int factor = factor_of(device, run);
    double ran_s;
    double start_s;
    double before_s;
    hit_status status;

    if (factor <= 1) return device->processor->run(device->state, kernel, run, need);
    /* what a crowded machine takes is not taken so many times */
    before_s = hit_clock_crowded(clock);
    start_s = hit_clock_now(clock);
    status = device->processor->run(device->state, kernel, run, need);
    ran_s = hit_clock_now(clock) - start_s;
    hit_clock_wait_until(
        clock, start_s + factor * (ran_s - (hit_clock_crowded(clock) - before_s)));
    hit_trace_add(device->spec.trace, HIT_TRACE_RUN, kernel->name, start_s + ran_s, 0);
    return status;
}

hit_status hit_slow_wrap(hit_device *device)
{
    HIT_TRY(hit_memory_zeroed(1, sizeof(*device->slow), &device->slow));
    device->slow->processor = *device->processor;
    device->slow->processor.run_alone = NULL;
    device->slow->processor.run_chain = NULL;
    device->slow->processor.cache_bytes = NULL;
    device->processor = &device->slow->processor;
    return HIT_OK;
}
