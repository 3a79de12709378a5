/* SPDX-License-Identifier: MIT
 * Emulated slowness: all operations are those of the wrapped device, and run() returns
 * later. */
#include "hit/device/slow.h"

#include "hit/base/clock.h"
#include "hit/base/memory.h"
#include "hit/base/trace.h"
#include "hit/device/device.h"

#include <stdlib.h>

typedef struct slow_device {
    hit_device inner;
    hit_device_ops ops;
    hit_memory_ops memory;
    hit_processor_ops processor;
    int runs;
} slow_device;

/* ---- how long ---- */

/* How many times as long this run is to take. */
static int factor_of(slow_device *self, const hit_run *run)
{
    const hit_slow_spec *spec = &self->inner.spec.slow;
    const bool slow = spec->factor > 1 && self->runs++ >= spec->from;
    int factor = slow ? spec->factor : 1;

    if (spec->cliff > 1 && run->elements > spec->cliff_from) factor *= spec->cliff;
    return factor;
}

/* The wrapped device records the kernel; here is the rest of the time. */
static hit_status slow_run(void *state, const hit_kernel *kernel, const hit_run *run,
                           const hit_domain need[])
{
    slow_device *self = state;
    const hit_clock *clock = self->inner.spec.clock;
    const int factor = factor_of(self, run);
    double ran_s;
    double start_s;
    double before_s;
    hit_status status;

    if (factor <= 1) return hit_device_run(&self->inner, kernel, run, need);
    /* what a crowded machine takes is not taken so many times */
    before_s = hit_clock_crowded(clock);
    start_s = hit_clock_now(clock);
    status = hit_device_run(&self->inner, kernel, run, need);
    ran_s = hit_clock_now(clock) - start_s;
    hit_clock_wait_until(
        clock, start_s + factor * (ran_s - (hit_clock_crowded(clock) - before_s)));
    hit_trace_add(self->inner.spec.trace, HIT_TRACE_RUN, kernel->name, start_s + ran_s,
                  0);
    return status;
}

/* ---- operations that are forwarded ---- */

static void slow_close(void *state)
{
    slow_device *self = state;

    self->inner.ops->close(self->inner.state);
    free(self);
}

static void slow_describe(const void *state, char *text, size_t size)
{
    hit_device_describe(&((const slow_device *)state)->inner, text, size);
}

static hit_status slow_wait(void *state)
{
    return hit_device_wait(&((slow_device *)state)->inner);
}

static size_t slow_memory_bytes(const void *state)
{
    const hit_device *inner = &((const slow_device *)state)->inner;
    return inner->memory->memory_bytes(inner->state);
}

static hit_status slow_allocate(void *state, size_t size_bytes, void **memory)
{
    const hit_device *inner = &((slow_device *)state)->inner;
    return inner->memory->allocate(inner->state, size_bytes, memory);
}

static void slow_release(void *state, void *memory)
{
    const hit_device *inner = &((slow_device *)state)->inner;
    inner->memory->release(inner->state, memory);
}

static void slow_pin(void *state, void *memory, size_t size_bytes)
{
    const hit_device *inner = &((slow_device *)state)->inner;
    inner->memory->pin(inner->state, memory, size_bytes);
}

static void slow_unpin(void *state, void *memory)
{
    const hit_device *inner = &((slow_device *)state)->inner;
    inner->memory->unpin(inner->state, memory);
}

static hit_status slow_copy(void *state, hit_lane lane, hit_way way, const hit_view *from,
                            const hit_view *to, const hit_domain *domain)
{
    return hit_device_copy(&((slow_device *)state)->inner, lane, way, from, to, domain);
}

static uint64_t slow_mark(void *state, hit_lane lane)
{
    return hit_device_mark(&((slow_device *)state)->inner, lane);
}

static hit_status slow_reached(void *state, hit_lane lane, uint64_t mark, bool *over)
{
    return hit_device_reached(&((slow_device *)state)->inner, lane, mark, over);
}

static hit_status slow_after(void *state, hit_lane lane, hit_lane of, uint64_t mark)
{
    return hit_device_after(&((slow_device *)state)->inner, lane, of, mark);
}

static void slow_set_links(void *state, const hit_links *links)
{
    hit_device_set_links(&((slow_device *)state)->inner, links);
}

static int slow_threads(const void *state)
{
    return hit_device_threads(&((const slow_device *)state)->inner);
}

static hit_memory_ops memory_of(const hit_device *inner)
{
    const bool pins = hit_device_pins(inner);

    return (hit_memory_ops){
        .memory_bytes = slow_memory_bytes,
        .allocate = slow_allocate,
        .release = slow_release,
        .pin = pins ? slow_pin : NULL,
        .unpin = pins ? slow_unpin : NULL,
        .copy = slow_copy,
        .mark = slow_mark,
        .reached = slow_reached,
        .after = slow_after,
        .set_links = hit_device_packs(inner) ? slow_set_links : NULL,
    };
}

/* Without run_alone and run_chain: each run takes its own time. */
static void set_tables(slow_device *self)
{
    const hit_device *inner = &self->inner;

    self->ops = *inner->ops;
    self->ops.close = slow_close;
    self->ops.describe = slow_describe;
    self->ops.wait = slow_wait;
    self->memory = memory_of(inner);
    self->processor = *inner->processor;
    self->processor.run = slow_run;
    self->processor.run_alone = NULL;
    self->processor.run_chain = NULL;
    self->processor.cache_bytes = NULL;
    self->processor.threads = slow_threads;
}

hit_status hit_slow_wrap(hit_device *device)
{
    slow_device *self = NULL;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*self), &self));
    self->inner = *device;
    set_tables(self);
    device->ops = &self->ops;
    device->processor = &self->processor;
    if (device->memory != NULL) device->memory = &self->memory;
    device->state = self;
    return HIT_OK;
}
