/* SPDX-License-Identifier: MIT
 * Carries the plan of a launch out: gather, run (on all devices at once; in place, or
 * superblock by superblock through the device's memory), return. Nothing is allocated
 * here from the second run of a plan on, but by reductions that waited. */
#include "hit/run/live.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/trace.h"
#include "hit/model/pace.h"
#include "hit/run/chains.h"

#include <math.h>
#include <string.h>

enum {
    LIGHT_FIRST = 4, /* of them with one plan, these are timed, ... */
    LIGHT_SAMPLE = 8 /* ... and then one of so many */
};

static void set_values(hit_runner *r)
{
    unsigned left = r->plan->known->values;

    for (; left != 0; left &= left - 1) {
        const int k = __builtin_ctz(left);

        r->run.slot[k].base = (void *)(uintptr_t)r->call->args[k].value;
        r->run.slot[k].dense = 1;
    }
}

static hit_status prepare(hit_runner *r)
{
    HIT_TRY(hit_launch_plan_finish(r->plan, r->call));
    HIT_TRY(hit_launch_plan_refresh(r->plan, r->call));
    set_values(r);
    if (r->stations->lost) HIT_TRY(hit_launch_plan_check_lost(r->plan, r->call));
    return r->plan->reduces ? hit_runner_start_sums(r) : HIT_OK;
}

static void note_least(hit_launch_plan *plan, double took_s)
{
    if (plan->least_s == 0 || took_s < plan->least_s) plan->least_s = took_s;
}

/* Run the indices of a phase, and keep the time. */
static hit_status run_phase(hit_runner *r, hit_phase phase)
{
    const double start_s = hit_clock_now(&r->call->context->clock);
    hit_status status;

    r->phase = phase;
    status = hit_runner_parts(r);
    r->phase = HIT_PHASE_ALL;
    r->stations->busy_s += hit_clock_now(&r->call->context->clock) - start_s;
    return status;
}

/* The inner part of the indices while halos are under way, then the border. */
static hit_status run_overlapped(hit_runner *r)
{
    const double busy_s = r->stations->busy_s;
    hit_status inner = hit_runner_end_some(r, false);
    hit_status border;

    for (int k = 0; k < r->plan->parts; k++) {
        r->plan->part[k].begun = false;
    }
    if (inner == HIT_OK) inner = run_phase(r, HIT_PHASE_INNER);
    for (int k = 0; k < r->plan->parts && r->plan->placed; k++) {
        r->plan->part[k].begun = true; /* a scheduler has taken them */
    }
    HIT_TRY(hit_runner_end_some(r, true)); /* whatever happened: the peers wait for it */
    HIT_TRY(inner);
    border = run_phase(r, HIT_PHASE_BORDER);
    if (!r->left) note_least(r->plan, r->stations->busy_s - busy_s);
    return border;
}

/* When a launch begins; below 0: its time is that of others of its plan. To look at the
 * clock twice takes a quarter of what the smallest launches take. */
static double begin_busy(const hit_runner *r)
{
    const hit_clock *clock = &r->call->context->clock;
    const uint64_t runs = r->plan->light_runs;
    const bool timed = !r->run.light || clock->now_s != NULL || runs < LIGHT_FIRST ||
                       runs % LIGHT_SAMPLE == 0;

    return timed ? hit_clock_now(clock) : -1;
}

/* It took @p own_s. Of the first ones the least is believed: caches were cold, or another
 * program had the core. */
static void learn_light(hit_launch_plan *plan, double own_s)
{
    if (plan->light_runs == 0) {
        plan->light_s = own_s;
    } else if (plan->light_runs < LIGHT_FIRST) {
        plan->light_s = fmin(plan->light_s, own_s);
    } else {
        plan->light_s = hit_pace_correct(plan->light_s, own_s);
    }
}

/* @p busy_s: of the stations when it began. */
static void learn_busy(hit_runner *r, double busy_s, double start_s)
{
    hit_launch_plan *plan = r->plan;

    const double took_s = hit_clock_now(&r->call->context->clock) - start_s;
    /* blocks of launches that ran meanwhile have added their own time */
    const double others_s = r->stations->busy_s - busy_s;

    if (r->run.light) learn_light(plan, fmax(took_s - others_s, 0));
    if (!r->left) note_least(plan, took_s);
    r->stations->busy_s = busy_s + took_s;
}

static inline void end_busy(hit_runner *r, double busy_s, double start_s)
{
    if (start_s < 0) {
        r->stations->busy_s += r->plan->light_s;
    } else {
        learn_busy(r, busy_s, start_s);
    }
    r->plan->light_runs += r->run.light != 0;
}

static hit_status run_pieces(hit_runner *r)
{
    const double busy_s = r->stations->busy_s;
    hit_status status;
    double start_s;

    if (r->plan->gathers) HIT_TRY(hit_runner_end_gathers(r));
    start_s = begin_busy(r);
    status = hit_runner_parts(r);
    end_busy(r, busy_s, start_s);
    return status;
}

/* Is all in the tiles' own memory, whatever the place, and nothing to be sent? Of several
 * devices where they all work in place, as what may become a task says. */
static bool may_be_at_home(const hit_call *call, const hit_launch_plan *plan)
{
    const hit_context *context = call->context;

    if (plan->moves == HIT_STAYS || plan->returns) return false;
    if (context->stations->keeper.place != NULL) return false;
    if (context->devices == 1) return hit_stations_in_place(context->stations);
    return plan->waits && hit_device_sharing(context->devices, context->device) > 1;
}

static bool is_at_home(const hit_call *call, const hit_launch_plan *plan)
{
    return plan->at_home && plan->pieces == 1 &&
           (call->context->devices == 1 || !plan->records);
}

/* Are there blocks with deep halos? */
static bool runs_around(const hit_context *context)
{
    return context->size > 1 || context->launcher->chain_around;
}

/* Where the one piece of each tile lies. An equal call need not ask again. */
static void set_slots_at_home(hit_runner *r)
{
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];
        const hit_tile *tile = r->call->args[use->arg].tile;

        hit_runner_set_slot(r, u, &tile->storage->view[tile->piece[use->piece[0]]]);
    }
    if (runs_around(r->call->context)) return;
    hit_runner_keep_slots(r);
    r->ready = r->known != NULL;
}

/* The way of most launches of programs whose domain moves, which are small: what
 * hit_runner_set_slots() and the functions around it do where there is one piece. The
 * slots of the tiles are set. */
static hit_status run_at_home(hit_runner *r)
{
    const double busy_s = r->stations->busy_s;
    double start_s;
    hit_status status;

    set_values(r);
    if (r->plan->reduces) HIT_TRY(hit_runner_start_sums(r));
    hit_launch_plan_note_written(r->plan, r->call);
    start_s = begin_busy(r);
    status = r->stations->count > 1 ? hit_runner_on_devices(r)
                                    : hit_runner_at_home(r, &r->plan->part[0]);
    end_busy(r, busy_s, start_s);
    return status;
}

/* The same, for the first time with these tiles. */
static hit_status begin_at_home(hit_runner *r)
{
    hit_status status;

    if (r->stations->lost) HIT_TRY(hit_launch_plan_check_lost(r->plan, r->call));
    set_slots_at_home(r);
    status = run_at_home(r);
    if (r->stations->lost && status == HIT_OK) hit_launch_plan_restore(r->plan, r->call);
    return status;
}

/* Gather, run, return. A launch that was planned before has messages for others, who wait
 * for them: whatever fails, they are sent, and say so. */
static hit_status run_with_messages(hit_runner *r)
{
    hit_first first;

    hit_first_begin(&first);
    r->gathers = false;
    hit_first_keep(&first, prepare(r));
    r->fails = first.status != HIT_OK;
    if (!r->plan->records && r->plan->gathers) {
        hit_first_keep(&first, hit_runner_begin_gathers(r));
    }
    r->fails = first.status != HIT_OK;
    if (r->fails) {
        if (r->plan->gathers) (void)hit_runner_end_gathers(r);
    } else { /* what fails is lost afterwards, of a task maybe before it returns */
        if (r->stations->lost) hit_launch_plan_restore(r->plan, r->call);
        hit_first_keep(&first, r->plan->overlaps ? run_overlapped(r) : run_pieces(r));
        r->fails = first.status != HIT_OK;
    }
    hit_launch_plan_note_written(r->plan, r->call);
    if (r->plan->returns) hit_first_keep(&first, hit_runner_return(r));
    if (r->plan->shares != NULL && first.status == HIT_OK && !r->left) {
        hit_shares_note(r->call, r->plan);
    }
    return hit_first_tell(&first);
}

/* What it must come after. On several processes it runs whatever has failed before, which
 * is told afterwards: the peers wait for it. */
static hit_status finish_before(hit_runner *r)
{
    hit_status status = HIT_OK;

    if (!r->plan->records) status = hit_stations_run_recorded(r->stations);
    if (r->stations->tasks != NULL && status == HIT_OK && !r->plan->waits) {
        status = hit_submit_wait(r);
    }
    if (r->call->context->size == 1) return status;
    hit_stations_keep_failure(r->stations, status);
    return HIT_OK;
}

/* A call that was carried out before: there is nothing to ask. */
static hit_status run_again(hit_runner *r)
{
    hit_status status;

    HIT_TRY(finish_before(r));
    status = run_at_home(r);
    if (status != HIT_OK) hit_launch_plan_lose(r->plan, r->call, status);
    return status;
}

/* Now, or beside others: it is part of no chain, or of one on this process alone. */
static hit_status run_apart(hit_runner *r)
{
    hit_status status;

    HIT_TRY(finish_before(r));
    if (is_at_home(r->call, r->plan)) {
        status = begin_at_home(r);
    } else {
        status = run_with_messages(r);
    }
    if (status != HIT_OK) hit_launch_plan_lose(r->plan, r->call, status);
    return status;
}

/* Blocks have deep halos. On several processes, whatever failed before, the peers wait
 * for this launch. */
static hit_status run_around(hit_runner *r)
{
    bool taken = false;
    hit_status status;

    r->plan->records = false; /* in chains without halos */
    set_values(r);
    status = hit_chains_take_deep(r, &taken);
    if (status != HIT_OK && !taken) hit_launch_plan_lose(r->plan, r->call, status);
    if (taken || status != HIT_OK) return status;
    hit_runner_forget_slots(r);
    status = run_apart(r);
    return status != HIT_OK ? status : hit_stations_tell_failure(r->stations);
}

/* On several processes what was written before, and by the launch, is held no more. */
static hit_status run_with_others(hit_runner *r)
{
    hit_status status;

    HIT_TRY(hit_holds_begin(r->call));
    status = run_around(r);
    hit_holds_end(r->call, r->plan->known);
    return status;
}

/* Not cleared as a whole: it is large, and every used slot is set later. */
static void begin_runner(hit_runner *r, const hit_call *call, hit_launch_plan *plan)
{
    r->call = call;
    r->launcher = call->context->launcher;
    r->stations = call->context->stations;
    r->plan = plan;
    r->known = NULL;
    r->ready = false;
    r->stamp = 0;
    r->place = 0;
    r->box = NULL;
    hit_runner_set_device(r, 0);
    r->phase = HIT_PHASE_ALL;
    r->left = false;
    r->gathers = false;
    r->fails = false;
    r->run.later = 0;
    r->run.light = plan->light;
    r->run.team = NULL;
    r->run.prepared = plan->known->prepared;
    r->run.where = plan->known->where;
    r->run.in_bands = plan->known->in_bands;
    r->run.device = NULL;
}

/* May equal calls begin with what this one leaves in its runner? */
static bool may_keep_runner(const hit_call *call, const hit_launch_plan *plan)
{
    const hit_context *context = call->context;

    if (!runs_around(context) && !is_at_home(call, plan)) return false;
    for (int d = 0; d < context->devices; d++) {
        if (context->device[d]->slow != NULL) return false;
    }
    return true;
}

/* The one that a known call keeps, or @p fresh. */
static hit_runner *runner_of(const hit_call *call, hit_launch_plan *plan,
                             hit_runner *fresh)
{
    hit_known_call *known = call->known;

    if (known != NULL && known->ready == call->context->stations->grown) {
        known->runner->call = call;
        known->runner->left = false;
        known->runner->run.light = plan->light;
        return known->runner;
    }
    if (known == NULL || !may_keep_runner(call, plan) ||
        (known->runner == NULL &&
         hit_memory_zeroed(1, sizeof(*fresh), &known->runner) != HIT_OK)) {
        known = NULL;
    }
    if (known != NULL) fresh = known->runner;
    begin_runner(fresh, call, plan);
    fresh->known = known;
    return fresh;
}

hit_status hit_live_record(const hit_call *call, hit_launch_plan *plan, bool *taken)
{
    hit_runner r;

    *taken = false;
    begin_runner(&r, call, plan);
    if (plan->runs++ == 0) plan->records = hit_chains_may_take(call, plan);
    if (plan->reduces) {
        HIT_TRY(hit_chain_reductions_take(call, plan, hit_live_run, taken));
    }
    if (*taken) return HIT_OK;
    if (!plan->records) return hit_stations_run_recorded(r.stations);
    HIT_TRY(prepare(&r));
    hit_runner_set_slots(&r, &plan->part[0]);
    return hit_chains_take(&r, taken);
}

hit_status hit_live_record_part(hit_chains *chains, const hit_call *call,
                                hit_launch_plan *plan, const hit_chain_part *part)
{
    hit_runner r;
    bool taken; /* if not, the host runs it: nothing is moved */

    memset(&r, 0, sizeof(r)); /* the tiles of the process are not here */
    begin_runner(&r, call, plan);
    set_values(&r);
    return hit_chains_record(chains, &r, part, &taken);
}

/* What is asked once of a plan. */
static hit_status meet(const hit_call *call, hit_launch_plan *plan)
{
    const hit_context *context = call->context;
    hit_status status = HIT_OK;

    plan->waits = hit_submit_may(call, plan);
    hit_submit_meet(call, plan);
    if ((context->executor == &hit_executor_live || hit_comm_is_planned(context->comm)) &&
        context->size == 1 && context->launcher->chain_asked &&
        hit_chains_need_halos(call, plan)) {
        status = hit_stations_run_recorded(context->stations);
        hit_chains_open_around(call->context);
    }
    plan->records = hit_chains_may_take(call, plan);
    plan->at_home = may_be_at_home(call, plan);
    if (plan->waits && hit_chains_want(call, plan)) {
        (void)hit_launch_takes(call, "no task", "it waits in a chain");
    }
    return status;
}

hit_status hit_live_run(const hit_call *call, hit_launch_plan *plan)
{
    const hit_context *context = call->context;
    const double start_s = hit_trace_start(context->trace);
    hit_runner fresh;
    hit_runner *r;
    bool taken;
    hit_status status;

    if (plan->runs++ == 0) {
        status = meet(call, plan);
        if (status != HIT_OK && context->size == 1) return status;
        hit_stations_keep_failure(context->stations, status); /* the peers wait for it */
    }
    if (plan->reduces && context->size == 1) {
        HIT_TRY(hit_chain_reductions_take(call, plan, hit_live_run, &taken));
        if (taken) return HIT_OK;
    }
    r = runner_of(call, plan, &fresh);
    status = r->ready               ? run_again(r)
             : context->size > 1    ? run_with_others(r)
             : runs_around(context) ? run_around(r)
                                    : run_apart(r);
    r->launcher->indices += plan->indices;
    if (r->stations->tasks != NULL) hit_tasks_resume(r->stations->tasks);
    if (hit_trace_on(call->context->trace)) {
        hit_launcher_put(call, plan, start_s, hit_trace_now());
    }
    return status;
}

static hit_status launch(hit_call *call, hit_status checked)
{
    hit_launch_plan *plan = NULL;

    HIT_TRY(hit_launcher_plan(call, checked, &plan));
    return hit_live_run(call, plan);
}

const hit_executor hit_executor_live = {.name = "live", .launch = launch};
