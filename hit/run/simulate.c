/* SPDX-License-Identifier: MIT
 * The executor on a simulated machine. Launches are tasks that wait in a window; when the
 * window is full, or the program looks at what they write, virtual time goes on: the
 * engine of hit/sched places them, and copies and kernels are carried out as it passes
 * (hit/sched/clock.h). Which launches are none, and what they take: docs/scheduling.md.
 */
#include "hit/run/simulate.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/trace.h"
#include "hit/run/live.h"
#include "hit/run/simulate_data.h"
#include "hit/run/simulate_impl.h"
#include "hit/run/simulate_open.h"
#include "hit/run/simulate_submit.h"
#include "hit/run/simulate_task.h"
#include "hit/run/simulate_time.h"
#include "hit/sched/registry.h"
#include "hit/tile/station.h"

#include <stdlib.h>

static hit_status keeper_settle(void *self)
{
    HIT_TRY(hit_sim_drain(self));
    return hit_sim_tell(self);
}

static hit_status keeper_touch(void *self, hit_storage *storage, int piece,
                               const hit_domain *box, hit_intent intent)
{
    const hit_sim_wish w = {.storage = storage,
                            .piece = piece,
                            .box = box,
                            .content = intent != HIT_WRITE,
                            .only = intent != HIT_READ};

    return hit_sim_home(self, &w);
}

/* Errors are not those of the caller, and the content is not wanted. */
static void keeper_drop(void *self, hit_storage *storage)
{
    hit_simulator *sim = self;
    const hit_sim_wish w = {
        .storage = storage, .piece = -1, .content = false, .only = true, .forget = true};

    hit_stations_keep_failure(sim->context->stations, hit_sim_home(sim, &w));
}

/* ---- launches ---- */

static void put_launch(const hit_call *call, const hit_launch_plan *plan)
{
    hit_simulator *sim = call->context->execution;
    hit_trace *trace = call->context->trace;
    const double now_s = (double)sim->now_ns * 1e-9;

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
static hit_status run_alone(hit_simulator *sim, const hit_call *call,
                            hit_launch_plan *plan)
{
    hit_trace *trace = call->context->trace;
    hit_status status = HIT_OK;

    for (int k = 0; k < call->count; k++) {
        hit_sim_wish w = {.piece = -1, .content = true, .only = true, .forget = true};

        if (call->args[k].tile == NULL) continue;
        w.storage = call->args[k].tile->storage;
        HIT_TRY(hit_sim_home(sim, &w));
    }
    HIT_TRY(hit_sim_drain(sim)); /* so that time is that of the machine */
    HIT_TRY(hit_sim_begin(sim));
    call->context->trace = NULL; /* its time is that of the system */
    if (sim->carries) status = hit_live_run(call, plan);
    call->context->trace = trace;
    hit_simulation_pass(sim->simulation,
                        hit_sim_guessed_ns((int64_t)plan->touched_bytes));
    hit_sim_note_time(sim);
    return status;
}

static hit_status launch(hit_call *call, hit_status checked)
{
    hit_simulator *sim = call->context->execution;
    hit_launch_plan *plan = NULL;
    hit_status status;

    HIT_TRY(hit_launcher_plan(call, checked, &plan));
    HIT_TRY(hit_sim_begin(sim));
    put_launch(call, plan);
    if (!hit_sim_task_is(call, plan)) return run_alone(sim, call, plan);
    status = hit_sim_submit(sim, call, plan);
    if (status == HIT_OK) call->context->launcher->indices += plan->indices;
    return status;
}

/* ---- the executor ---- */

static double time_s(const hit_context *context)
{
    const hit_simulator *sim = context->execution;

    return (double)sim->now_ns * 1e-9;
}

static void describe(const hit_context *context, char *text, size_t size)
{
    hit_simulator_describe(context->execution, text, size);
}

static void close_simulator(hit_context *context)
{
    hit_simulator *sim = context->execution;

    if (sim == NULL) return;
    if (context->stations != NULL) context->stations->keeper = (hit_keeper){.self = NULL};
    hit_simulator_clear(sim);
    hit_machine_clear(&sim->machine);
    free(sim);
    context->execution = NULL;
}

const hit_executor hit_executor_simulated = {.name = "simulated",
                                             .launch = launch,
                                             .places = true,
                                             .time_s = time_s,
                                             .describe = describe,
                                             .close = close_simulator};

hit_status hit_simulate_open(hit_context *context, const char *text, bool carries)
{
    hit_simulator *made = NULL;

    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    made->context = context;
    made->carries = carries;
    context->execution = made;
    context->executor = &hit_executor_simulated;
    hit_sim_data_open(made);
    HIT_TRY(hit_simulator_read(made, text));
    context->stations->keeper = (hit_keeper){.self = made,
                                             .settle = keeper_settle,
                                             .touch = keeper_touch,
                                             .drop = keeper_drop};
    return HIT_OK;
}

hit_status hit_schedule(hit_context *context, const char *scheduler)
{
    hit_simulator *sim;
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
    sim = context->execution;
    HIT_TRY(hit_scheduler_read(context, scheduler, &read));
    HIT_TRY(hit_sim_drain(sim));
    before = sim->scheduler;
    sim->scheduler = read;
    if (sim->simulation == NULL) {
        status = hit_sim_begin(sim);
    } else {
        status = hit_simulation_restart(sim->simulation, &sim->graph, &read);
    }
    if (status != HIT_OK) sim->scheduler = before;
    return status;
}
