/* SPDX-License-Identifier: MIT
 * The driver on the devices of the process. The calling thread carries actions out
 * whenever it launches, and while it waits: so the engine needs no lock, and kernels and
 * copies of all devices go on at the same time. At the end programs choose a scheduler,
 * on simulated machines, too. */
#include "hit/base/alloc.h"
#include "hit/base/trace.h"
#include "hit/run/chains.h"
#include "hit/run/live.h"
#include "hit/scheduled/real_impl.h"
#include "hit/tile/station.h"

#include <stdlib.h>

/* ---- memory of devices ----
 * What a datum gives up is kept for the next one of its size: some devices finish all
 * their work before they free memory. It counts against the limit, and goes when that, or
 * the device, has no room left. */

static hit_device *device_of(const hit_scheduled *s, int node)
{
    return s->context->device[hit_real_of_node(s, node)];
}

static void give_back(hit_scheduled *s, int node)
{
    hit_kept_list *list = &((hit_real *)s->driven)->kept[node];

    for (size_t k = 0; k < list->count; k++) {
        hit_device_give(device_of(s, node), list->kept[k].memory, list->kept[k].bytes);
    }
    free(list->kept);
    *list = (hit_kept_list){.kept = NULL};
}

static void free_memory(hit_scheduled *s)
{
    for (int n = 1; n < s->nodes; n++) {
        give_back(s, n);
    }
}

static hit_status take(hit_scheduled *s, int datum, int node, void **memory)
{
    hit_kept_list *list = &((hit_real *)s->driven)->kept[node];
    const size_t bytes = (size_t)s->graph.datum[datum].bytes;
    hit_status status;

    for (size_t k = list->count; k-- > 0;) {
        if (list->kept[k].bytes != bytes) continue;
        *memory = list->kept[k].memory;
        list->kept[k] = list->kept[--list->count];
        return HIT_OK;
    }
    status = hit_device_take(device_of(s, node), bytes, memory);
    if ((status != HIT_E_LIMIT && status != HIT_E_NOMEM) || list->count == 0) {
        return status;
    }
    give_back(s, node);
    return hit_device_take(device_of(s, node), bytes, memory);
}

static void release(hit_scheduled *s, int datum, int node, void *memory)
{
    hit_kept_list *list = &((hit_real *)s->driven)->kept[node];
    const size_t bytes = (size_t)s->graph.datum[datum].bytes;

    if (HIT_ONE_MORE(list->kept, list->count, list->room, "memory of a device") !=
        HIT_OK) {
        hit_device_give(device_of(s, node), memory, bytes);
        return;
    }
    list->kept[list->count++] = (hit_kept){memory, bytes};
}

/* Somebody else may have taken memory of a device. What could be had is kept for the data
 * of the task. */
static void probe_node(hit_scheduled *s, const hit_scheduled_task *task, int node)
{
    void *had[HIT_MAX_ARGS] = {NULL};
    hit_status status = HIT_OK;

    for (int u = 0; u < task->uses && status == HIT_OK; u++) {
        const int datum = task->use[u].datum;

        if (hit_scheduled_task_has(task, u, datum)) continue;
        if (s->copy[datum * s->nodes + node] != NULL) continue;
        status = take(s, datum, node, &had[u]);
    }
    if (status == HIT_E_NOMEM) {
        hit_engine_limit(s->engine, node, (int64_t)device_of(s, node)->used_bytes);
    }
    for (int u = 0; u < task->uses; u++) {
        if (had[u] != NULL) release(s, task->use[u].datum, node, had[u]);
    }
}

static void probe(hit_scheduled *s, const hit_scheduled_task *task)
{
    for (int e = 0; e < s->devices; e++) {
        const int node = s->device[e].node;

        if (node == 0) continue;
        if (!hit_device_set_is_empty(&task->on) && !hit_device_set_has(&task->on, e)) {
            continue;
        }
        probe_node(s, task, node);
    }
}

/* What launches without a scheduler left on the devices goes home. */
static hit_status clear_devices(hit_scheduled *s)
{
    hit_stations *stations = s->context->stations;
    hit_real *r = s->driven;

    if (!r->lived) return HIT_OK;
    HIT_TRY(hit_stations_finish_deferred(stations));
    HIT_TRY(hit_stations_settle(stations));
    for (int d = 0; d < stations->count; d++) {
        hit_station *station = &stations->station[d];

        if (station->in_place) continue;
        HIT_TRY(hit_residents_evict(&station->residents));
        hit_device_release_arena(station->device);
    }
    r->lived = false;
    return HIT_OK;
}

static hit_status real_open(hit_scheduled *s)
{
    const hit_engine_options options = {.learns = true, .back_when_arrived = true};
    hit_real *r = s->driven;

    if (r->lanes == NULL) {
        HIT_TRY(hit_run_lanes_create(s->context->devices, s->context->device,
                                     &s->context->clock, &r->lanes));
    }
    return hit_engine_open(&s->graph, &s->machine, &s->scheduler, &options, &s->engine);
}

static void real_close(hit_scheduled *s)
{
    hit_real *r = s->driven;

    hit_engine_close(&s->engine);
    hit_run_lanes_destroy(&r->lanes);
    free_memory(s);
    hit_real_lessons_close(s);
    free(r->flight);
    free(r->learnt);
    r->flight = NULL;
    r->room = 0;
    r->learnt = NULL;
    r->works = 0;
}

static hit_status real_submit(hit_scheduled *s)
{
    HIT_TRY(clear_devices(s));
    return hit_engine_submit(s->engine, hit_real_now_ns(s));
}

/* A device that does all in the background may have a failure of its own to tell, and
 * events of a trace. */
static void wait_for_devices(hit_scheduled *s)
{
    for (int d = 0; d < s->context->devices; d++) {
        hit_status status;

        if (!hit_device_async(s->context->device[d])) continue;
        status = hit_device_wait(s->context->device[d]);
        hit_stations_keep_failure(s->context->stations, status);
    }
}

static hit_status real_run(hit_scheduled *s, int left)
{
    const double start_s = hit_real_now_s(s);
    const hit_status status = hit_real_go(s, left);

    if (left == 0 && status == HIT_OK && s->failed.status == HIT_OK) wait_for_devices(s);
    s->context->stations->busy_s += hit_real_now_s(s) - start_s;
    return status;
}

static double real_trace_s(const hit_scheduled *s)
{
    (void)s;
    return hit_trace_now();
}

/* Nobody asked for a scheduler: devices that share launches, of one kind, since another
 * one may round differently: that of the first one with a memory of its own, for which
 * the scheduler has come. NULL: all that are able are spare. */
static const hit_device_ops *kind_at_need(const hit_scheduled *s,
                                          const hit_launch_plan *plan)
{
    const hit_device_ops *in_place = NULL;

    for (int d = 0; d < s->context->devices; d++) {
        const hit_device *device = s->context->device[d];

        if (!hit_device_set_has(&plan->able, d) || device->spec.spare) continue;
        if (!hit_device_in_place(device)) return device->ops;
        if (in_place == NULL) in_place = device->ops;
    }
    return in_place;
}

/* As the plan says, in the numbers of the engine. */
static hit_status real_find_on(hit_scheduled *s, const hit_call *call,
                               const hit_launch_plan *plan, hit_device_set *on)
{
    const hit_device_ops *kind =
        s->context->stations->keeper.at_need ? kind_at_need(s, plan) : NULL;
    const hit_real *r = s->driven;
    bool all = true;

    (void)call;
    *on = (hit_device_set){{0}};
    for (int e = 0; e < s->devices; e++) {
        const hit_device *device = s->context->device[r->device[e]];
        const bool able = hit_device_set_has(&plan->able, r->device[e]) &&
                          (kind == NULL || (device->ops == kind && !device->spec.spare));

        if (able) hit_device_set_add(on, e);
        all = all && able;
    }
    if (all) *on = (hit_device_set){{0}};
    return HIT_OK;
}

static void real_arrive(hit_scheduled *s)
{
    ((hit_real *)s->driven)->lived = true;
}

/* The devices with memories of their own are needed for a launch without a scheduler. */
static hit_status real_leave(hit_scheduled *s, const hit_call *call,
                             const hit_launch_plan *plan)
{
    (void)call;
    real_arrive(s);
    for (int k = 0; k < plan->parts; k++) {
        if (hit_device_in_place(s->context->device[plan->part[k].device])) continue;
        return hit_scheduled_leave(s);
    }
    return HIT_OK;
}

static hit_status real_step(hit_scheduled *s, bool briefly)
{
    const double start_s = hit_real_now_s(s);
    const hit_status status = hit_real_step(s, briefly);

    s->context->stations->busy_s += hit_real_now_s(s) - start_s;
    return status;
}

static hit_status real_copy(hit_scheduled *s, int datum, int from, int to,
                            const hit_domain *box)
{
    const int number = hit_real_of_node(s, to > 0 ? to : from);
    hit_status status = hit_real_begin_copy(
        s, &(hit_action){.datum = datum, .from = from, .to = to}, box);

    return status != HIT_OK ? status : hit_device_wait(s->context->device[number]);
}

static const hit_scheduled_driver driver = {
    .real = true,
    .driven_bytes = sizeof(hit_real),
    .open = real_open,
    .close = real_close,
    .submit = real_submit,
    .run = real_run,
    .step = real_step,
    .give_up = hit_real_give_up,
    .now_ns = hit_real_now_ns,
    .trace_s = real_trace_s,
    .find_on = real_find_on,
    .find_work = hit_real_find_work,
    .arrive = real_arrive,
    .leave = real_leave,
    .probe = probe,
    .take = take,
    .release = release,
    .free_memory = free_memory,
    .copy = real_copy,
};

static const hit_executor executor = {
    .name = "scheduled", .launch = hit_scheduled_launch, .close = hit_scheduled_close};

bool hit_scheduled_can_real(const hit_context *context)
{
    for (int d = 0; d < context->devices; d++) {
        if (!hit_device_in_place(context->device[d])) return true;
    }
    return false;
}

static hit_status open_real(hit_context *context, const hit_executor *its,
                            const char *scheduler)
{
    hit_scheduled *s = NULL;

    HIT_TRY(hit_scheduled_create(context, &driver, its, &s));
    real_arrive(s);
    HIT_TRY(hit_real_make_machine(s));
    return hit_scheduled_choose(s, scheduler);
}

/* What failed is as it was before. */
hit_status hit_scheduled_open_at_need(hit_context *context)
{
    const hit_status status = open_real(context, context->executor, "home:queue=lack");

    if (status != HIT_OK) hit_scheduled_close(context);
    hit_scheduled_be_there(context);
    return status;
}

hit_status hit_scheduled_open_real(hit_context *context, const char *scheduler)
{
    const hit_executor *before = context->executor;
    hit_status status;

    if (before != &hit_executor_live || !hit_scheduled_can_real(context)) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a device with a memory of its own, or HIT_DEVICES="
                        "simulated:FILE, for scheduler %s but %s",
                        scheduler,
                        before != &hit_executor_live
                            ? "launches are checked or only planned"
                            : "all devices work in place");
    }
    HIT_TRY(hit_scheduled_end_need(context));
    status = open_real(context, &executor, scheduler);
    if (status == HIT_OK) return HIT_OK;
    hit_scheduled_close(context);
    context->executor = before;
    hit_scheduled_be_there(context);
    return status;
}

hit_status hit_schedule(hit_context *context, const char *scheduler)
{
    if (context == NULL || scheduler == NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a context and a scheduler but found NULL");
    }
    if (context->executor->launch == hit_scheduled_launch) {
        HIT_TRY(hit_scheduled_choose(context->execution, scheduler));
    } else {
        HIT_TRY(hit_scheduled_open_real(context, scheduler));
    }
    hit_chains_yield(context);
    return HIT_OK;
}
