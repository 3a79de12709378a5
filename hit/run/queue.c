/* SPDX-License-Identifier: MIT
 * Deferred launches. A launch is deferred until the queue is full, a later launch depends
 * on it, or the program accesses one of its tiles. */
#include "hit/run/queue.h"

#include "hit/base/clock.h"
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/tile/coherence.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    VALUE_BYTES = 256 /* of all values of a launch that waits */
};

typedef struct waiting {
    hit_run run;
    _Alignas(max_align_t) char value[VALUE_BYTES]; /* its values: the caller's are gone */
} waiting;

typedef struct hit_queue {
    hit_stations *stations;
    int count;
    waiting item[HIT_MAX_JOBS];
    hit_job job[HIT_MAX_JOBS];
} hit_queue;

bool hit_queue_may_wait(const hit_call *call, const hit_launch_plan *plan)
{
    const hit_context *context = call->context;
    const hit_device *device = context->device[0];

    if (context->size > 1 || context->devices > 1 || plan->parts != 1) return false;
    if (call->kernel->whole_box != 2 || call->kernel->alongs < 1) return false;
    if (device->processor->run_many == NULL) return false;
    if (!context->stations->station[0].in_place) return false;
    if (hit_device_threads(device) == 1 || !plan->stays) return false;
    for (int u = 0; u < plan->uses; u++) {
        if (plan->use[u].gather != NULL) return false;
    }
    return true;
}

/* Visits what the launch accesses: true, if it must follow one that was deferred. */
static bool must_follow(const hit_runner *r)
{
    const hit_part *part = &r->plan->part[0];

    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];

        if (hit_storage_follows(r->call->args[use->arg].tile->storage,
                                hit_use_storage_piece(use, r->call, part->piece),
                                &part->claim[u].need, use->mode != HIT_MODE_IN,
                                hit_source_of_deferred(r->stations))) {
            return true;
        }
    }
    return false;
}

/* Launch number @p number accesses its tiles when it runs. */
static hit_status log_accesses(const hit_runner *r, uint64_t number)
{
    const hit_part *part = &r->plan->part[0];

    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];

        HIT_TRY(hit_storage_log(r->call->args[use->arg].tile->storage,
                                hit_use_storage_piece(use, r->call, part->piece),
                                &part->claim[u].need, use->mode != HIT_MODE_IN,
                                hit_source_of_deferred(r->stations), number));
    }
    return HIT_OK;
}

/* False: there is no room for them. */
static bool copy_values(const hit_call *call, waiting *item)
{
    size_t used = 0;

    for (int k = 0; k < call->count; k++) {
        const size_t size_bytes = call->args[k].type.size_bytes;

        if (call->args[k].tile != NULL) continue;
        used = (used + _Alignof(max_align_t) - 1) / _Alignof(max_align_t) *
               _Alignof(max_align_t);
        if (size_bytes > VALUE_BYTES || used > VALUE_BYTES - size_bytes) return false;
        memcpy(item->value + used, call->args[k].value, size_bytes);
        item->run.slot[k].base = item->value + used;
        used += size_bytes;
    }
    return true;
}

/* What a launch costs beside others: its indices, and what each of them sums. */
static double cost_of(const hit_runner *r)
{
    const hit_along along = r->call->kernel->along[0];
    const hit_domain *tile = &r->call->args[along.arg].tile->domain;

    return (double)r->plan->indices * (double)hit_sig_count(tile->sig[along.dim]);
}

static hit_status run_all(void *of)
{
    hit_queue *queue = of;
    hit_stations *stations = queue->stations;
    hit_device *device = stations->station[0].device;
    const int count = queue->count;
    const double start_s = hit_clock_now(stations->clock);
    hit_status status;

    if (count == 0) return HIT_OK;
    queue->count = 0;
    status = device->processor->run_many(device->state, count, queue->job);
    stations->busy_s += hit_clock_now(stations->clock) - start_s;
    return status;
}

/* Before a launch that waits itself, whose caller takes the time. */
static hit_status run_others(hit_queue *queue)
{
    const double busy_s = queue->stations->busy_s;
    const hit_status status = hit_stations_run_deferred(queue->stations);

    queue->stations->busy_s = busy_s;
    return status;
}

static hit_status make_queue(hit_stations *stations)
{
    hit_queue *made = NULL;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    made->stations = stations;
    stations->deferred = (hit_deferred){.queue = made, .run = run_all, .destroy = free};
    return HIT_OK;
}

hit_status hit_queue_add(hit_runner *r, bool *taken)
{
    hit_deferred *deferred = &r->stations->deferred;
    hit_queue *queue;
    waiting *item;

    *taken = false;
    if (deferred->queue == NULL) HIT_TRY(make_queue(r->stations));
    queue = deferred->queue;
    if (queue->count == HIT_MAX_JOBS || must_follow(r)) HIT_TRY(run_others(queue));
    item = &queue->item[queue->count];
    item->run = r->run;
    item->run.threads = 1;
    if (!copy_values(r->call, item)) return run_others(queue);
    deferred->asked++;
    if (log_accesses(r, deferred->asked) != HIT_OK) return run_others(queue);
    queue->job[queue->count++] = (hit_job){r->call->kernel, &item->run, cost_of(r)};
    *taken = true;
    return HIT_OK;
}
