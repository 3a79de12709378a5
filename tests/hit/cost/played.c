/* SPDX-License-Identifier: MIT
 * The played device. Data moves when an operation is asked for, which is right, since
 * operations are asked for in an order in which they may be carried out. */
#include "tests/hit/cost/played.h"

#include <stdlib.h>

static double later(double a, double b)
{
    return a > b ? a : b;
}

/* An operation of @p lane: begins when it is asked for and the lane is free. */
static void spend(played *p, hit_lane lane, double seconds)
{
    p->lane_s[lane] = later(p->lane_s[lane], p->caller_s) + seconds;
    if (lane == HIT_LANE_RUN && !p->processor.async) p->caller_s = p->lane_s[lane];
}

static void describe(const void *state, char *text, size_t size)
{
    const played *p = state;
    p->real.ops->describe(p->state, text, size);
}

static size_t memory_bytes(const void *state)
{
    const played *p = state;
    return p->real.memory->memory_bytes(p->state);
}

static hit_status allocate(void *state, size_t size_bytes, void **memory)
{
    played *p = state;
    return p->real.memory->allocate(p->state, size_bytes, memory);
}

static void release(void *state, void *memory)
{
    played *p = state;
    p->real.memory->release(p->state, memory);
}

static hit_status copy(void *state, hit_lane lane, hit_way way, const hit_view *from,
                       const hit_view *to, const hit_domain *domain)
{
    static const hit_link_name link[] = {HIT_LINK_IN, HIT_LINK_OUT, HIT_LINK_WITHIN};
    played *p = state;
    const hit_ndcopy made = hit_ndcopy_make(from, to, domain, NULL);
    double runs = 1;

    for (int d = 0; d < made.dims; d++) {
        runs *= (double)made.count[d];
    }
    spend(
        p, lane,
        hit_links_time(&p->rates->links, link[way], runs, runs * (double)made.run_bytes));
    return p->real.memory->copy(p->state, HIT_LANE_RUN, way, from, to, domain);
}

static uint64_t mark(void *state, hit_lane lane)
{
    played *p = state;

    if (p->marks[lane] + 1 >= PLAYED_MARKS) abort();
    p->mark_s[lane][++p->marks[lane]] = p->lane_s[lane];
    return p->marks[lane];
}

static hit_status after(void *state, hit_lane lane, hit_lane of, uint64_t number)
{
    played *p = state;

    if (number == 0) return HIT_OK;
    p->lane_s[lane] = later(p->lane_s[lane], p->mark_s[of][number]);
    return HIT_OK;
}

static hit_status run(void *state, const hit_kernel *kernel, const hit_run *box,
                      const hit_domain need[])
{
    played *p = state;
    double units = 1;
    double share = 1;

    for (int d = 0; d < kernel->dims; d++) {
        const hit_index count = (box->end[d] - box->begin[d]) / box->stride[d] + 1;

        units *= (double)count;
    }
    if (kernel->alongs > 0) {
        const hit_along *along = &kernel->along[0];
        const hit_slot *slot = &box->slot[along->arg];

        share = (double)(slot->end[along->dim] - slot->begin[along->dim] + 1) /
                (double)p->sum;
    }
    spend(p, HIT_LANE_RUN, units / hit_fpm_speed(p->rates->kernel, units) * share);
    return p->real.processor->run(p->state, kernel, box, need);
}

static hit_status wait(void *state)
{
    played *p = state;
    return p->real.ops->wait(p->state);
}

static int threads(const void *state)
{
    const played *p = state;
    return p->real.processor->threads(p->state);
}

void played_start(played *p, hit_device *device, const hit_rates *rates, hit_index sum)
{
    *p = (played){.device = device,
                  .real = *device,
                  .state = device->state,
                  .rates = rates,
                  .sum = sum};
    p->ops =
        (hit_device_ops){.kind = device->ops->kind, .describe = describe, .wait = wait};
    p->memory = (hit_memory_ops){.memory_bytes = memory_bytes,
                                 .allocate = allocate,
                                 .release = release,
                                 .copy = copy,
                                 .mark = mark,
                                 .after = after};
    p->processor = (hit_processor_ops){.async = rates->async,
                                       .run = run,
                                       .threads = threads,
                                       .function = device->processor->function};
    for (int k = 0; k < HIT_LANES; k++) {
        p->mark_s[k] = calloc(PLAYED_MARKS, sizeof(double));
        if (p->mark_s[k] == NULL) abort();
    }
    device->ops = &p->ops;
    device->memory = &p->memory;
    device->processor = &p->processor;
    device->state = p;
}

void played_stop(played *p)
{
    p->device->ops = p->real.ops;
    p->device->memory = p->real.memory;
    p->device->processor = p->real.processor;
    p->device->state = p->state;
    for (int k = 0; k < HIT_LANES; k++) {
        free(p->mark_s[k]);
    }
}

double played_end(const played *p)
{
    double end_s = 0;

    for (int k = 0; k < HIT_LANES; k++) {
        end_s = later(end_s, p->lane_s[k]);
    }
    return end_s;
}
