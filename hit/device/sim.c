/* SPDX-License-Identifier: MIT
 * The simulated device. A mark is the moment at which its lane will have done what it was
 * asked for: moments are not negative, so their bits are in the order of their values. */
#include "hit/base/alloc.h"
#include "hit/device/device.h"
#include "hit/model/fpm_time.h"
#include "patterns/kernel_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    NOWHERE = 4096 /* the address of the first byte of a memory that is not there */
};

static double later(double a, double b)
{
    return isnan(a) || a > b ? a : b; /* unknown stays so */
}

/* The lane of kernels is the caller, unless the device runs them by itself. */
static void keep_caller(hit_sim *sim, hit_lane lane)
{
    if (sim->async || lane != HIT_LANE_RUN) return;
    sim->caller_s = later(sim->caller_s, sim->lane_s[lane]);
}

static void spend(hit_sim *sim, hit_lane lane, double seconds, int cores)
{
    sim->lane_s[lane] = later(sim->lane_s[lane], sim->caller_s) + seconds;
    sim->busy_s += seconds * cores;
    keep_caller(sim, lane);
}

static void describe(const void *state, char *text, size_t size)
{
    const hit_sim *sim = state;

    (void)snprintf(text, size, "simulated, %d thread%s", sim->threads,
                   sim->threads == 1 ? "" : "s");
}

static size_t memory_bytes(const void *state)
{
    (void)state;
    return SIZE_MAX / 2;
}

static hit_status allocate(void *state, size_t size_bytes, void **memory)
{
    hit_sim *sim = state;

    *memory = (void *)(uintptr_t)(NOWHERE + sim->used_bytes); /* never read */
    sim->used_bytes += hit_memory_padded(size_bytes);
    return HIT_OK;
}

static void release(void *state, void *memory)
{
    (void)state;
    (void)memory;
}

static hit_status copy(void *state, hit_lane lane, hit_way way, const hit_view *from,
                       const hit_view *to, const hit_domain *domain)
{
    static const hit_link_name link[] = {HIT_LINK_IN, HIT_LINK_OUT, HIT_LINK_WITHIN};
    hit_sim *sim = state;
    hit_ndcopy made;
    double runs = 1;

    if (hit_domain_is_empty(domain)) return HIT_OK;
    made = hit_ndcopy_make(from, to, domain, NULL);
    for (int d = 0; d < made.dims; d++) {
        runs *= (double)made.count[d];
    }
    spend(sim, lane,
          hit_links_time(sim->links, link[way], runs, runs * (double)made.run_bytes), 1);
    return HIT_OK;
}

static uint64_t mark(void *state, hit_lane lane)
{
    const hit_sim *sim = state;
    uint64_t number;

    memcpy(&number, &sim->lane_s[lane], sizeof(number));
    return number;
}

static hit_status after(void *state, hit_lane lane, hit_lane of, uint64_t number)
{
    hit_sim *sim = state;
    double moment_s;

    (void)of;
    memcpy(&moment_s, &number, sizeof(moment_s));
    sim->lane_s[lane] = later(moment_s, sim->lane_s[lane]);
    keep_caller(sim, lane);
    return HIT_OK;
}

void hit_sim_run(hit_sim *sim, double units, double share)
{
    const double seconds = units / hit_fpm_speed(sim->kernel, units) * share;

    spend(sim, HIT_LANE_RUN, seconds, sim->threads);
}

static hit_status run(void *state, const hit_kernel *kernel, const hit_run *box,
                      const hit_domain need[])
{
    hit_sim *sim = state;
    double share = 1;

    (void)need;
    if (kernel->alongs > 0) {
        const hit_along *along = &kernel->along[0];
        const hit_slot *slot = &box->slot[along->arg];

        share = (double)(slot->end[along->dim] - slot->begin[along->dim] + 1) /
                (double)sim->sum;
    }
    hit_sim_run(sim, hit_run_indices(box, kernel->dims), share);
    return HIT_OK;
}

static hit_status wait(void *state)
{
    hit_sim *sim = state;

    sim->caller_s = later(sim->caller_s, hit_sim_end(sim));
    return HIT_OK;
}

static hit_kernel_function function(const hit_kernel *kernel)
{
    return kernel->host;
}

static const hit_memory_ops memory_ops = {.memory_bytes = memory_bytes,
                                          .allocate = allocate,
                                          .release = release,
                                          .copy = copy,
                                          .mark = mark,
                                          .after = after};

static const hit_device_ops device_ops = {
    .kind = "sim", .memory = &memory_ops, .describe = describe, .wait = wait};

void hit_sim_open(hit_sim *sim, hit_device *device)
{
    sim->processor =
        (hit_processor_ops){.async = sim->async, .run = run, .function = function};
    device->threads = sim->threads;
    device->ops = &device_ops;
    device->memory = &memory_ops;
    device->processor = &sim->processor;
    device->state = sim;
}

double hit_sim_end(const hit_sim *sim)
{
    return later(later(sim->lane_s[HIT_LANE_IN], sim->lane_s[HIT_LANE_OUT]),
                 sim->lane_s[HIT_LANE_RUN]);
}
