/* SPDX-License-Identifier: MIT
 * A scheduler that nobody asked for. On devices with memories of their own narrow
 * launches are placed, as tasks, while they follow each other; before another launch on
 * these devices everything comes home, and it runs as ever. To change costs what the
 * devices hold, so it is done when launches have moved as many bytes without a scheduler,
 * and less readily where it did not pay. Nothing here asks for the time, but what tasks
 * move is up to it: a policy chooses from those that are ready. So the bytes of a run
 * vary once it has come, and when it comes again may; results do not. Each process
 * decides for itself. Decision 0078. */
#include "hit/base/context.h"
#include "hit/base/status_impl.h"
#include "hit/run/chains.h"
#include "hit/scheduled/schedule_impl.h"
#include "hit/tile/station.h"

#include <math.h>

enum {
    FASTER = 8, /* is memory than links, at least */
    SMALL = 8,  /* times what a launch touches is less than what devices use */
    MOST_DOUBTS = 32
};

/* ---- does it pay? ---- */

static uint64_t bytes_moved(const hit_stations *stations)
{
    uint64_t bytes = 0;

    for (int d = 0; d < stations->count; d++) {
        const hit_residents *of = &stations->station[d].residents;

        bytes += of->bytes_in + of->bytes_out;
    }
    return bytes;
}

static uint64_t bytes_held(const hit_stations *stations)
{
    uint64_t bytes = 0;

    for (int d = 0; d < stations->count; d++) {
        if (stations->station[d].in_place) continue;
        bytes += stations->station[d].device->used_bytes;
    }
    return bytes;
}

/* Have launches behind each other cost more than what goes home, and may come back, if
 * this one is placed? Of several devices those that could have run another one wait. */
static bool pays(const hit_context *context, const hit_launch_plan *plan)
{
    hit_stations *stations = context->stations;
    hit_narrow *row = &stations->narrow;
    const uint64_t moved = bytes_moved(stations);
    const uint64_t held = bytes_held(stations);
    uint64_t cost;

    if (row->launches == 0) {
        row->moved = moved;
        row->touched = 0;
    }
    row->each = (double)(moved - row->moved) / fmax((double)row->launches, 1);
    row->launches++;
    row->then = moved;
    row->held = held;
    cost = moved - row->moved;
    if (hit_device_sharing(context->devices, context->device) > 1) {
        cost += row->touched / FASTER;
        row->touched += hit_launch_plan_touched(plan);
    }
    return cost >> row->doubts > held;
}

/* What devices may have of the tiles while there are tasks: what they have now is up to
 * time. */
static uint64_t bytes_of_data(const hit_context *context)
{
    const hit_scheduled *s = context->execution;
    const uint64_t data = (uint64_t)s->data_bytes;
    const uint64_t held = context->stations->narrow.held;
    uint64_t left = data > held ? data : held;
    uint64_t bytes = 0;

    for (int d = 0; d < context->devices; d++) {
        const hit_device *device = context->device[d];
        const uint64_t some = left < device->limit_bytes ? left : device->limit_bytes;

        if (hit_device_in_place(device)) continue;
        bytes += some;
        left -= some;
    }
    return bytes;
}

/* Does it write most of a small tile? To change costs more than to let one device run it.
 */
static bool is_small(const hit_context *context, const hit_launch_plan *plan)
{
    const hit_stations *stations = context->stations;
    const uint64_t used =
        stations->keeper.self != NULL ? bytes_of_data(context) : bytes_held(stations);

    return plan->places && SMALL * hit_launch_plan_touched(plan) <= used;
}

/* Tasks are over. What the devices held when they came is to be brought again. */
static void judge(hit_scheduled *s)
{
    hit_stations *stations = s->context->stations;
    hit_narrow *row = &stations->narrow;
    const double tasks = (double)(s->forgotten + (uint64_t)s->graph.tasks - row->tasks);
    const double cost = (double)(bytes_moved(stations) - row->then + row->held);

    if (cost <= tasks * row->each) {
        row->doubts = 0;
    } else if (row->doubts < MOST_DOUBTS) {
        row->doubts++;
    }
    row->launches = 0;
}

/* ---- it comes and goes ---- */

/* False: it cannot be made, and launches run as ever. */
static bool is_made(hit_context *context)
{
    if (context->execution != NULL) return true;
    return hit_scheduled_open_at_need(context) == HIT_OK;
}

static hit_status come(hit_context *context)
{
    hit_stations *stations = context->stations;
    hit_scheduled *s = context->execution;

    HIT_TRY(hit_stations_run_recorded(stations));
    s->driver->arrive(s);
    stations->narrow.tasks = s->forgotten + (uint64_t)s->graph.tasks;
    stations->keeper.self = s;
    return HIT_OK;
}

/* The scheduler goes, unless some device still holds data of it. The next call that waits
 * tells what failed. */
static hit_status go(hit_scheduled *s, hit_status status)
{
    hit_stations *stations = s->context->stations;
    hit_first first;

    if (hit_scheduled_data_next(s, -1, NULL, -1, NULL) >= 0) return status;
    hit_first_begin(&first);
    hit_first_keep(&first, status);
    hit_stations_keep_failure(stations, hit_scheduled_drain(s));
    hit_stations_keep_failure(stations, hit_scheduled_tell(s));
    s->driver->free_memory(s);
    judge(s);
    stations->keeper.self = NULL;
    return hit_first_tell(&first);
}

static hit_status leave(void *self)
{
    return go(self, hit_scheduled_leave(self));
}

/* Is the launch to be placed? */
static bool is_task(const hit_call *call, const hit_launch_plan *plan)
{
    hit_stations *stations = call->context->stations;

    if (!plan->narrow && !is_small(call->context, plan)) {
        stations->narrow.launches = 0;
        return false;
    }
    if (hit_scheduled_task_refused(plan) != NULL) return false;
    if (stations->keeper.self != NULL) return true;
    return plan->narrow && pays(call->context, plan) && is_made(call->context);
}

static hit_status place(const hit_call *call, hit_launch_plan *plan, hit_phase phase,
                        uint64_t *task)
{
    hit_stations *stations = call->context->stations;
    const bool is_there = stations->keeper.self != NULL;
    hit_scheduled *s;

    *task = 0;
    if (phase != HIT_PHASE_BORDER) {
        /* the launch before may have failed */
        if (is_there) HIT_TRY(hit_scheduled_end_receiving(stations->keeper.self));
        plan->placed = is_task(call, plan) && !hit_chains_want(call, plan);
    }
    if (!plan->placed && !is_there) return HIT_OK;
    if (!is_there) HIT_TRY(come(call->context));
    s = call->context->execution;
    if (!plan->placed) return go(s, hit_scheduled_give_way(s, call, plan));
    HIT_TRY(hit_scheduled_place_launch(call, plan, phase, task));
    if (*task > 0) return HIT_OK;
    plan->narrow = plan->places = false; /* it needs more memory than there is */
    return go(s, HIT_OK);
}

void hit_scheduled_be_there(hit_context *context)
{
    hit_keeper *keeper = &context->stations->keeper;

    keeper->self = NULL;
    keeper->leave = leave;
    keeper->place = place;
    keeper->at_need = true;
}

hit_status hit_scheduled_end_need(hit_context *context)
{
    const hit_keeper *keeper = &context->stations->keeper;

    if (keeper->self != NULL) HIT_TRY(keeper->leave(keeper->self));
    hit_scheduled_close(context);
    return HIT_OK;
}
