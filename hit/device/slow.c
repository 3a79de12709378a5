/* SPDX-License-Identifier: MIT
 * Emulated slowness: run() is that of the device, and returns later. */
#include "hit/base/clock.h"
#include "hit/base/memory.h"
#include "hit/chain/chain.h"
#include "hit/device/device.h"

/* How many times as long this run is to take, which is as many runs as @p runs. */
static int factor_of(const hit_device *device, int runs)
{
    const hit_slow_spec *spec = &device->spec.slow;
    const bool slow = spec->factor > 1 && device->slow->runs >= spec->from;

    device->slow->runs += runs;
    return slow ? spec->factor : 1;
}

/* Wait for the rest of the time. Returns when the device was done. */
static double end(const hit_device *device, hit_clock_stretch of, int factor)
{
    const hit_clock *clock = device->spec.clock;
    const double now_s = hit_clock_now(clock);
    const double took_s = hit_clock_took(clock, of);

    /* what a crowded machine takes is not taken so many times */
    if (device->slow->owes) {
        device->slow->owed_s += (factor - 1) * took_s;
    } else {
        hit_clock_wait_until(clock, of.start_s + factor * took_s);
    }
    return now_s;
}

void hit_slow_owe(const hit_device *device)
{
    if (device->slow == NULL) return;
    device->slow->owes = true;
    device->slow->owed_s = 0;
}

double hit_slow_owed(const hit_device *device)
{
    return device->slow == NULL ? 0 : device->slow->owed_s;
}

void hit_slow_pay(const hit_device *device)
{
    const hit_clock *clock = device->spec.clock;

    if (device->slow == NULL) return;
    hit_clock_wait_until(clock, hit_clock_now(clock) + device->slow->owed_s);
    device->slow->owes = false;
    device->slow->owed_s = 0;
}

/* The device records the kernel; here is the rest of the time. */
hit_status hit_slow_run(const hit_device *device, const hit_kernel *kernel,
                        const hit_run *run, const hit_domain need[])
{
    const hit_slow_spec *spec = &device->spec.slow;
    const hit_clock *clock = device->spec.clock;
    int factor = factor_of(device, 1);
    hit_status status;
    hit_clock_stretch of;

    if (spec->cliff > 1 && run->elements > spec->cliff_from) factor *= spec->cliff;
    if (factor <= 1) return device->processor->run(device->state, kernel, run, need);
    of = hit_clock_begin(clock);
    status = device->processor->run(device->state, kernel, run, need);
    hit_trace_add(device->spec.trace, HIT_TRACE_RUN, kernel->name,
                  end(device, of, factor), 0);
    return status;
}

hit_status hit_slow_run_chain(const hit_device *device, const hit_chain_work *work,
                              const hit_chain_items *items)
{
    const hit_clock *clock = device->spec.clock;
    const int factor = factor_of(device, items->phase == 0 ? work->tiling->launches : 0);
    const hit_clock_stretch of = hit_clock_begin(clock);
    const hit_status status = device->processor->run_chain(device->state, work, items);

    if (factor > 1) (void)end(device, of, factor);
    return status;
}

hit_status hit_slow_wrap(hit_device *device)
{
    HIT_TRY(hit_memory_zeroed(1, sizeof(*device->slow), &device->slow));
    device->slow->processor = *device->processor;
    device->slow->processor.run_alone = NULL;
    if (device->spec.slow.cliff > 1) { /* what a chain touches is not asked for */
        device->slow->processor.run_chain = NULL;
        device->slow->processor.cache_bytes = NULL;
    }
    device->processor = &device->slow->processor;
    return HIT_OK;
}
