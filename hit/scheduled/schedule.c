/* SPDX-License-Identifier: MIT
 * The executor on a simulated machine. Launches are tasks that wait in a window; when the
 * window is full, or the program looks at what they write, virtual time goes on: the
 * engine of hit/sched places them, and copies and kernels are carried out as it passes
 * (hit/sched/clock.h). Which launches are none, and what they take: docs/scheduling.md.
 */
#include "hit/scheduled/schedule.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/trace.h"
#include "hit/run/live.h"
#include "hit/sched/registry.h"
#include "hit/scheduled/data.h"
#include "hit/scheduled/schedule_impl.h"
#include "hit/scheduled/submit.h"
#include "hit/scheduled/task.h"
#include "hit/scheduled/virtual.h"
#include "hit/scheduled/window.h"
#include "hit/tile/station.h"

#include <stdlib.h>

static hit_status keeper_settle(void *self)
{
    HIT_TRY(hit_scheduled_drain(self));
    return hit_scheduled_tell(self);
}

static hit_status keeper_touch(void *self, hit_storage *storage, int piece,
                               const hit_domain *box, hit_intent intent)
{
    const hit_scheduled_wish w = {.storage = storage,
                                  .piece = piece,
                                  .box = box,
                                  .content = intent != HIT_WRITE,
                                  .only = intent != HIT_READ};

    return hit_scheduled_home(self, &w);
}

/* Errors are not those of the caller, and the content is not wanted. */
static void keeper_drop(void *self, hit_storage *storage)
{
    hit_scheduled *s = self;
    const hit_scheduled_wish w = {
        .storage = storage, .piece = -1, .content = false, .only = true, .forget = true};

    hit_stations_keep_failure(s->context->stations, hit_scheduled_home(s, &w));
}

/* ---- launches ---- */

static void put_launch(const hit_call *call, const hit_launch_plan *plan)
{
    hit_scheduled *s = call->context->execution;
    hit_trace *trace = call->context->trace;
    const double now_s = (double)s->now_ns * 1e-9;

    if (!hit_trace_on(trace)) return;
    hit_trace_put(
        trace, HIT_TRACE_LAUNCH,
        &(hit_trace_event){.what = call->kernel->name,
                           .start_s = trace->origin_s + now_s,
                           .end_s = trace->origin_s + now_s,
                           .bytes = plan->touched_bytes,
                           .indices = plan->indices,
                           .operations = hit_call_operations(call, plan->indices)});
}

/* On the host's memory, when nothing else goes on. */
static hit_status run_alone(hit_scheduled *s, const hit_call *call, hit_launch_plan *plan)
{
    hit_trace *trace = call->context->trace;
    hit_status status = HIT_OK;

    for (int k = 0; k < call->count; k++) {
        hit_scheduled_wish w = {
            .piece = -1, .content = true, .only = true, .forget = true};

        if (call->args[k].tile == NULL) continue;
        w.storage = call->args[k].tile->storage;
        HIT_TRY(hit_scheduled_home(s, &w));
    }
    HIT_TRY(hit_scheduled_drain(s)); /* so that time is that of the machine */
    HIT_TRY(hit_scheduled_begin(s));
    call->context->trace = NULL; /* its time is that of the system */
    if (s->carries) status = hit_live_run(call, plan);
    call->context->trace = trace;
    hit_simulation_pass(s->simulation,
                        hit_scheduled_guessed_ns((int64_t)plan->touched_bytes));
    hit_scheduled_note_time(s);
    return status;
}

static hit_status launch(hit_call *call, hit_status checked)
{
    hit_scheduled *s = call->context->execution;
    hit_launch_plan *plan = NULL;
    hit_status status;

    HIT_TRY(hit_launcher_plan(call, checked, &plan));
    HIT_TRY(hit_scheduled_begin(s));
    put_launch(call, plan);
    if (!hit_scheduled_task_is(call, plan)) return run_alone(s, call, plan);
    status = hit_scheduled_submit(s, call, plan);
    if (status == HIT_OK) call->context->launcher->indices += plan->indices;
    return status;
}

/* ---- the executor ---- */

static double time_s(const hit_context *context)
{
    const hit_scheduled *s = context->execution;

    return (double)s->now_ns * 1e-9;
}

static void describe(const hit_context *context, char *text, size_t size)
{
    hit_scheduled_describe(context->execution, text, size);
}

static void close_scheduled(hit_context *context)
{
    hit_scheduled *s = context->execution;

    if (s == NULL) return;
    if (context->stations != NULL) context->stations->keeper = (hit_keeper){.self = NULL};
    hit_scheduled_clear(s);
    hit_machine_clear(&s->machine);
    free(s);
    context->execution = NULL;
}

const hit_executor hit_executor_simulated = {.name = "simulated",
                                             .launch = launch,
                                             .places = true,
                                             .time_s = time_s,
                                             .describe = describe,
                                             .close = close_scheduled};

hit_status hit_simulate_open(hit_context *context, const char *text, bool carries)
{
    hit_scheduled *made = NULL;

    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    made->context = context;
    made->carries = carries;
    context->execution = made;
    context->executor = &hit_executor_simulated;
    hit_scheduled_data_open(made);
    HIT_TRY(hit_scheduled_read(made, text));
    context->stations->keeper = (hit_keeper){.self = made,
                                             .settle = keeper_settle,
                                             .touch = keeper_touch,
                                             .drop = keeper_drop};
    return HIT_OK;
}

hit_status hit_schedule(hit_context *context, const char *scheduler)
{
    hit_scheduled *s;
    hit_scheduler read;
    hit_scheduler before;
    hit_status status;

    if (context == NULL || scheduler == NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a context and a scheduler but found NULL");
    }
    if (context->executor != &hit_executor_simulated) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected HIT_DEVICES=simulated:FILE for scheduler %s but the "
                        "devices are not simulated",
                        scheduler);
    }
    s = context->execution;
    HIT_TRY(hit_scheduler_read(context, scheduler, &read));
    HIT_TRY(hit_scheduled_drain(s));
    before = s->scheduler;
    s->scheduler = read;
    if (s->simulation == NULL) {
        status = hit_scheduled_begin(s);
    } else {
        status = hit_simulation_restart(s->simulation, &s->graph, &read);
    }
    if (status != HIT_OK) s->scheduler = before;
    return status;
}
