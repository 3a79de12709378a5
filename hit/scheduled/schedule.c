/* SPDX-License-Identifier: MIT
 * The executor that places launches by a scheduler. Launches are tasks that wait in a
 * window; when the window is full, or the program looks at what they write, they run: the
 * engine of hit/sched places them, and a driver carries copies and kernels out. Which
 * launches are none: docs/scheduling.md. */
#include "hit/scheduled/schedule.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/trace.h"
#include "hit/comm/comm.h"
#include "hit/run/chains.h"
#include "hit/run/live.h"
#include "hit/sched/registry.h"
#include "hit/scheduled/schedule_impl.h"
#include "hit/tile/station.h"

#include <stdlib.h>

/* ---- what tiles ask ---- */

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

/* The devices of a simulated machine are its own. */
static hit_status keeper_leave(void *self)
{
    hit_scheduled *s = self;

    if (!s->driver->real) return HIT_OK;
    s->driver->arrive(s); /* ... after those to whom it leaves the devices */
    return hit_scheduled_leave(s);
}

/* ---- launches ---- */

/* Nothing else goes on, and what the launch touches is on the host; whatever fails, as
 * much of it as can be. */
static hit_status bring_home(hit_scheduled *s, const hit_call *call)
{
    hit_first first;

    hit_first_begin(&first);
    for (int k = 0; k < call->count; k++) {
        const bool writes = call->kernel->arg[k].mode != HIT_MODE_IN;
        hit_scheduled_wish w = {
            .piece = -1, .content = true, .only = writes, .forget = writes};

        if (call->args[k].tile == NULL) continue;
        w.storage = call->args[k].tile->storage;
        hit_first_keep(&first, hit_scheduled_home(s, &w));
    }
    hit_first_keep(&first, hit_scheduled_drain(s)); /* so that time is the machine's */
    hit_first_keep(&first, hit_scheduled_begin(s));
    return hit_first_tell(&first);
}

static void say_refused(const hit_call *call, hit_launch_plan *plan, const char *why)
{
    if (why == NULL || plan->told) return;
    (void)hit_launch_takes(call, "not placed", why);
    plan->told = true;
}

/* ---- on a simulated machine ---- */

/* Its trace has virtual times, which the rest of the library does not know. */
static hit_status run_untraced(hit_scheduled *s, const hit_call *call,
                               hit_launch_plan *plan)
{
    hit_trace *trace = s->context->trace;
    hit_status status;

    s->context->trace = NULL;
    status = s->driver->live(s, call, plan);
    s->context->trace = trace;
    return status;
}

static hit_status simulate(hit_scheduled *s, const hit_call *call, hit_launch_plan *plan)
{
    const char *why = hit_scheduled_task_refused(plan);
    hit_trace *trace = call->context->trace;
    const bool traced = hit_trace_on(trace);
    hit_status status;
    double start_s;

    if (traced) trace->plan_s = 0; /* its machine does not plan */
    start_s = traced ? s->driver->trace_s(s) : 0;
    say_refused(call, plan, why);
    plan->placed = why == NULL;
    if (!plan->placed) HIT_TRY(bring_home(s, call));
    status = run_untraced(s, call, plan);
    if (traced) hit_launcher_put(call, plan, start_s, s->driver->trace_s(s));
    return status;
}

/* ---- on the devices of the process ---- */

hit_status hit_scheduled_give_way(hit_scheduled *s, const hit_call *call,
                                  const hit_launch_plan *plan)
{
    hit_first first;

    hit_first_begin(&first);
    hit_first_keep(&first, bring_home(s, call));
    if (first.status == HIT_OK || s->context->size > 1) {
        hit_first_keep(&first, s->driver->leave(s, call, plan));
    }
    if (s->context->size == 1) return hit_first_tell(&first);
    hit_stations_keep_failure(s->context->stations, hit_first_tell(&first));
    return hit_launch_plan_check_lost(plan, call);
}

/* What a launch makes in its buffers goes to the owners before it returns, and these are
 * of the next launch then. */
static hit_status submit_whole(hit_scheduled *s, const hit_call *call,
                               hit_launch_plan *plan, hit_phase phase, bool *taken)
{
    hit_first first;

    hit_first_begin(&first);
    hit_first_keep(&first, hit_scheduled_begin(s));
    if (first.status == HIT_OK) {
        hit_first_keep(&first, hit_scheduled_submit(s, call, plan, phase, taken));
    }
    if (s->buffers > 0) hit_first_keep(&first, hit_scheduled_collect(s));
    return hit_first_tell(&first);
}

hit_status hit_scheduled_place_launch(const hit_call *call, hit_launch_plan *plan,
                                      hit_phase phase, uint64_t *task)
{
    hit_scheduled *s = call->context->execution;
    bool taken = false;

    *task = 0;
    if (!plan->placed) return HIT_OK;
    if (phase == HIT_PHASE_BORDER) HIT_TRY(hit_scheduled_end_receiving(s));
    HIT_TRY(submit_whole(s, call, plan, phase, &taken));
    plan->large = !taken;
    plan->placed = taken;
    if (!taken) return hit_scheduled_give_way(s, call, plan);
    *task = s->forgotten + (uint64_t)s->graph.tasks;
    return HIT_OK;
}

/* Its messages have come. Chains are there where the program asks for them, and come
 * first. */
static hit_status place(const hit_call *call, hit_launch_plan *plan, hit_phase phase,
                        uint64_t *task)
{
    const char *why;

    *task = 0;
    if (phase == HIT_PHASE_BORDER) {
        return hit_scheduled_place_launch(call, plan, phase, task);
    }
    why = plan->large ? "no device has room for its data"
                      : hit_scheduled_task_refused(plan);
    say_refused(call, plan, why);
    plan->placed = why == NULL && !hit_chains_want(call, plan);
    return plan->placed ? hit_scheduled_place_launch(call, plan, phase, task)
                        : hit_scheduled_give_way(call->context->execution, call, plan);
}

/* Its messages are those of every launch. */
static hit_status launch(hit_scheduled *s, const hit_call *call, hit_launch_plan *plan)
{
    const hit_status status = hit_live_run(call, plan);

    hit_stations_keep_failure(s->context->stations, hit_scheduled_end_receiving(s));
    return status;
}

hit_status hit_scheduled_launch(hit_call *call, hit_status checked)
{
    hit_scheduled *s = call->context->execution;
    hit_launch_plan *plan = NULL;

    HIT_TRY(hit_launcher_plan(call, checked, &plan));
    return s->driver->real ? launch(s, call, plan) : simulate(s, call, plan);
}

/* ---- open and close ---- */

void hit_scheduled_close(hit_context *context)
{
    hit_scheduled *s = context->execution;

    if (s == NULL) return;
    if (context->stations != NULL) context->stations->keeper = (hit_keeper){.self = NULL};
    if (context->comm != NULL) hit_comm_meanwhile(context->comm, NULL, NULL);
    hit_scheduled_clear(s);
    hit_machine_clear(&s->machine);
    free(s->place);
    free(s->made);
    free(s->buffer);
    free(s->receiving);
    free(s);
    context->execution = NULL;
}

hit_status hit_scheduled_create(hit_context *context, const hit_scheduled_driver *driver,
                                const hit_executor *executor, hit_scheduled **scheduled)
{
    hit_scheduled *made = NULL;

    HIT_TRY(hit_memory_zeroed(1, sizeof *made + driver->driven_bytes, &made));
    made->driven = made + 1;
    made->context = context;
    made->driver = driver;
    made->data.size_bytes = sizeof(hit_scheduled_datum);
    /* the numbers of tasks go on behind those of one before: boxes that are held, and
     * their memory, know the last task that reads them */
    made->forgotten = context->stations->over[hit_source_of_tasks(context->stations)];
    context->execution = made;
    context->executor = executor;
    context->stations->keeper = (hit_keeper){.self = made,
                                             .settle = keeper_settle,
                                             .touch = keeper_touch,
                                             .drop = keeper_drop,
                                             .leave = keeper_leave,
                                             .await = hit_scheduled_await,
                                             .renew = hit_scheduled_renew,
                                             .place = place,
                                             .reach = hit_scheduled_reach_task};
    hit_comm_meanwhile(context->comm, hit_scheduled_help, made);
    *scheduled = made;
    return HIT_OK;
}

hit_status hit_scheduled_find_devices(hit_scheduled *s)
{
    HIT_TRY(hit_machine_devices(&s->machine, &s->devices, s->device));
    s->nodes = 1;
    for (int d = 0; d < s->devices; d++) {
        s->nodes += s->device[d].node > 0;
    }
    return HIT_OK;
}

hit_status hit_scheduled_choose(hit_scheduled *s, const char *text)
{
    hit_scheduler before;
    hit_scheduler read;
    hit_status status;

    HIT_TRY(hit_scheduler_read(s->context, text, &read));
    HIT_TRY(hit_scheduled_drain(s));
    before = s->scheduler;
    s->scheduler = read;
    status = s->engine == NULL ? hit_scheduled_begin(s) : hit_scheduled_restart(s);
    if (status != HIT_OK) s->scheduler = before;
    return status;
}
