/* SPDX-License-Identifier: MIT
 * A launch waits until there are as many as there is room for, until one that comes later
 * needs what it writes, or until somebody looks. */
#include "hit/run/queue.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/trace.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    VALUE_BYTES = 256 /* of all values of a launch that waits */
};

/* What a launch that waits does with a tile. */
typedef struct touched {
    const hit_storage *storage;
    hit_domain need;
    bool writes;
} touched;

typedef struct waiting {
    hit_run run;
    int uses;
    touched use[HIT_MAX_ARGS];
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

static bool conflict(const touched *a, const touched *b)
{
    hit_domain common;

    if (a->storage != b->storage || (!a->writes && !b->writes)) return false;
    common = hit_domain_intersect(&a->need, &b->need);
    return !hit_domain_is_empty(&common);
}

static void set_touched(const hit_runner *r, touched of[])
{
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];

        of[u] = (touched){.storage = r->call->args[use->arg].tile->storage,
                          .need = r->plan->part[0].claim[u].need,
                          .writes = use->mode != HIT_MODE_IN};
    }
}

/* Does the launch need what one that waits writes, or write what that one needs? */
static bool must_follow(const hit_queue *queue, int uses, const touched of[])
{
    for (int k = 0; k < queue->count; k++) {
        const waiting *item = &queue->item[k];

        for (int u = 0; u < item->uses * uses; u++) {
            if (conflict(&item->use[u / uses], &of[u % uses])) return true;
        }
    }
    return false;
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
    const double start_s = hit_trace_now();
    hit_status status;

    if (count == 0) return HIT_OK;
    queue->count = 0;
    status = device->processor->run_many(device->state, count, queue->job);
    stations->busy_s += hit_trace_now() - start_s;
    return status;
}

static bool uses_storage(const void *of, const hit_storage *storage)
{
    const hit_queue *queue = of;

    for (int k = 0; k < queue->count; k++) {
        for (int u = 0; u < queue->item[k].uses; u++) {
            if (queue->item[k].use[u].storage == storage) return true;
        }
    }
    return false;
}

/* Before a launch that waits itself, whose caller takes the time. */
static hit_status run_others(hit_queue *queue)
{
    const double busy_s = queue->stations->busy_s;
    const hit_status status = run_all(queue);

    queue->stations->busy_s = busy_s;
    return status;
}

static hit_status make_queue(hit_stations *stations)
{
    hit_queue *made = NULL;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    made->stations = stations;
    stations->deferred = (hit_deferred){
        .queue = made, .run = run_all, .uses = uses_storage, .destroy = free};
    return HIT_OK;
}

hit_status hit_queue_add(hit_runner *r, bool *taken)
{
    touched of[HIT_MAX_ARGS] = {{0}};
    hit_queue *queue;
    waiting *item;

    *taken = false;
    if (r->stations->deferred.queue == NULL) HIT_TRY(make_queue(r->stations));
    queue = r->stations->deferred.queue;
    set_touched(r, of);
    if (queue->count == HIT_MAX_JOBS || must_follow(queue, r->plan->uses, of)) {
        HIT_TRY(run_others(queue));
    }
    item = &queue->item[queue->count];
    item->run = r->run;
    item->run.threads = 1;
    item->uses = r->plan->uses;
    memcpy(item->use, of, (size_t)item->uses * sizeof(of[0]));
    if (!copy_values(r->call, item)) return run_others(queue);
    queue->job[queue->count++] = (hit_job){r->call->kernel, &item->run, cost_of(r)};
    *taken = true;
    return HIT_OK;
}
