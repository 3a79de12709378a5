/* SPDX-License-Identifier: MIT
 * What launches have in common: kernels that are known, and plans by key. */
#include "hit/launch/launcher.h"

#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/data/extremes.h"
#include "hit/data/hash.h"
#include "hit/tile/tile_impl.h"

#include <stdlib.h>
#include <string.h>

enum { /* of plans among those that were used recently */
    KEY_PLAIN = 1,
    KEY_LOOKS = 2 /* numbers in tiles say what it needs, or which indices run */
};

hit_status hit_launcher_create(hit_context *context)
{
    HIT_TRY(hit_stations_create(context, &context->stations));
    HIT_TRY(hit_memory_zeroed(1, sizeof(*context->launcher), &context->launcher));
    context->launcher->moves = -1;
    context->launcher->kernels_most = HIT_MAX_KERNELS;
    context->launcher->ordered.least = HIT_ORDERED_LEAST;
    context->launcher->most_cells = HIT_MOST_CELLS;
    return hit_table_reserve(&context->launcher->by_key, HIT_MAX_PLANS, "plans");
}

void hit_launcher_destroy(hit_context *context)
{
    hit_launcher *launcher = context->launcher;

    if (context->stations != NULL) (void)hit_stations_finish_deferred(context->stations);
    if (context->comm != NULL) hit_comm_meanwhile(context->comm, NULL, NULL);
    if (launcher != NULL) {
        for (int k = 0; k < HIT_MAX_ARGS; k++) {
            hit_tile_destroy(&launcher->result[k]);
        }
        for (int k = 0; k < launcher->plans; k++) {
            hit_launch_plan_destroy(&launcher->plan[k]);
        }
        hit_known_calls_destroy(launcher->known_call);
        for (int k = 0; k < launcher->kernels; k++) {
            hit_known_kernel_destroy(launcher->kernel[k]);
        }
        for (int k = 0; k < HIT_KNOWN_WHERES; k++) {
            free(launcher->known_where[k]);
        }
        hit_launcher_drop_scratch(context);
        hit_scatter_forget(launcher);
        hit_table_clear(&launcher->by_key);
        hit_table_clear(&launcher->by_kind);
        free(launcher->kind);
        free(launcher->kernel);
        hit_table_clear(&launcher->by_text);
        free(launcher);
        context->launcher = NULL;
    }
    hit_stations_destroy(&context->stations);
}

/* ---- plans ---- */

uint64_t hit_launcher_key(const hit_call *call, const hit_known_kernel *known)
{
    uint64_t hash = hit_hash_place(hit_move_class(call, known), &call->domain);

    if (known->of != known) hash = hit_hash_word(hash, known->number);
    for (int k = 0; k < call->count; k++) {
        const hit_tile *tile = call->args[k].tile;

        if (tile != NULL) hash = hit_hash_word(hash, tile->shape);
    }
    return hash;
}

/* The plan under the key of a class or of a place. */
static hit_launch_plan *find_plan(const hit_launcher *launcher,
                                  const hit_known_kernel *known, const hit_call *call,
                                  uint64_t key, bool moves)
{
    const hit_known_kernel *of = known->of;

    for (int k = hit_table_first(&launcher->by_key, key); k >= 0;
         k = hit_table_next(&launcher->by_key, k)) {
        hit_launch_plan *plan = launcher->plan[k];

        if (plan->key != key || plan->known->of != of) continue;
        if ((plan->moves != HIT_STAYS) != moves) continue;
        if (!moves && plan->known != known) continue;
        if (moves || hit_domain_equal(&plan->domain, &call->domain)) return plan;
    }
    return NULL;
}

static void put_plan(hit_launcher *launcher, hit_launch_plan *plan, int number)
{
    launcher->plan[number] = plan;
    plan->recent = &launcher->recent_plan[number];
    hit_table_put(&launcher->by_key, plan->key, number);
}

/* The least recently used plan that looks into tiles, or of those that do not; -1: there
 * is none. *count: how many there are. */
static int oldest_plan(const hit_launcher *launcher, bool looks, int *count)
{
    int oldest = -1;

    *count = 0;
    for (int k = 0; k < launcher->plans; k++) {
        const hit_recent *recent = &launcher->recent_plan[k];

        if ((recent->key == KEY_LOOKS) != looks) continue;
        if (oldest < 0 || recent->used < launcher->recent_plan[oldest].used) oldest = k;
        ++*count;
    }
    return oldest;
}

/* The number of a new plan. Plans that look into tiles are made by all processes
 * together: so all forget them alike, whatever other plans each of them has. */
static int number_of_new(const hit_launcher *launcher, bool looks)
{
    int count;
    int oldest;

    if (!looks && launcher->plans < HIT_MAX_PLANS) return launcher->plans;
    oldest = oldest_plan(launcher, looks, &count);
    if (looks && count == HIT_MAX_LOOKING) return oldest;
    if (launcher->plans < HIT_MAX_PLANS) return launcher->plans;
    return looks ? oldest_plan(launcher, false, &count) : oldest;
}

/* Of plans that looked into what was written since, and do not run again. They stay among
 * the others, so that all processes forget the same ones. */
static void give_old_tables(const hit_launcher *launcher)
{
    for (int k = 0; k < launcher->plans; k++) {
        hit_launch_plan *plan = launcher->plan[k];
        bool old = false;

        for (unsigned left = plan->known->looked; left != 0; left &= left - 1) {
            const hit_extremes *table = plan->known->table[__builtin_ctz(left)];

            old = old || (table != NULL && !hit_extremes_is_there(table));
        }
        for (int u = 0; old && u < plan->uses; u++) {
            hit_use_give_memory(&plan->use[u]);
        }
    }
}

/* Keep a plan, instead of the least recently used one when there are too many. */
static void keep_plan(hit_launcher *launcher, hit_launch_plan *plan)
{
    const bool looks = plan->known->looked != 0;
    const int number = number_of_new(launcher, looks);

    if (looks) give_old_tables(launcher);
    launcher->plans_made++;
    if (number == launcher->plans) {
        launcher->plans++;
    } else {
        hit_table_drop(&launcher->by_key, number);
        hit_known_call_forget(launcher->known_call, launcher->plan[number]);
        hit_launch_plan_destroy(&launcher->plan[number]);
    }
    put_plan(launcher, plan, number);
    plan->recent->key = looks ? KEY_LOOKS : KEY_PLAIN;
}

static hit_status make_plan(const hit_call *call, hit_launch_plan **plan)
{
    const hit_known_kernel *known = NULL;

    HIT_TRY(hit_launcher_know(call, &known));
    HIT_TRY(hit_launch_plan_make(call, known, plan));
    return hit_launcher_reserve(call->context, (*plan)->scratch_bytes);
}

/* What serves the place of the call; NULL: nothing that is there. */
static hit_launch_plan *find(hit_launcher *launcher, hit_call *call,
                             const hit_known_kernel *known)
{
    const bool moves = known->where == NULL && known->looked == 0;
    hit_launch_plan *plan;

    plan = moves ? find_plan(launcher, known, call, hit_move_class(call, known), true)
                 : NULL;
    if (plan == NULL || !hit_move(plan, call, known)) {
        plan = find_plan(launcher, known, call, hit_launcher_key(call, known), false);
    }
    if (plan != NULL) hit_known_call_keep(call, plan);
    if (plan != NULL || launcher->sketch == NULL || !moves) return plan;
    return launcher->sketch(call, known);
}

/* Under which key the plan will be found: there is one plan of a class that moves. */
static void set_key(const hit_launcher *launcher, const hit_call *call,
                    hit_launch_plan *plan)
{
    const uint64_t key = hit_move_class(call, plan->known);

    plan->moves = HIT_STAYS;
    if (launcher->moves > 0 &&
        find_plan(launcher, plan->known, call, key, true) == NULL) {
        plan->moves = hit_move_can(plan, call);
    }
    plan->key = plan->moves != HIT_STAYS ? key : hit_launcher_key(call, plan->known);
}

/* May plans be moved? All processes must say the same, so that on several of them all
 * have one device, which works in place. Asked with the first plan. */
static hit_status ask_whether_plans_move(const hit_context *context)
{
    hit_launcher *launcher = context->launcher;
    uint64_t simple = context->size == 1 || hit_stations_in_place(context->stations);

    if (launcher->moves >= 0) return HIT_OK;
    HIT_TRY(hit_comm_sum_u64(context->comm, &simple, 1));
    launcher->moves = simple == (uint64_t)hit_comm_present(context->comm);
    return HIT_OK;
}

/* Can this process not make it again alone? Others would have to look into tiles with it,
 * do not send again what it has got, or serve calls of another kind by theirs. */
static bool is_shared(const hit_context *context, const hit_launch_plan *plan)
{
    bool shared = plan->known->looked != 0;

    shared = shared || (context->size > 1 && plan->moves != HIT_STAYS);
    for (int u = 0; u < plan->uses && !shared; u++) {
        const hit_exchange *gather = plan->use[u].gather;

        shared = gather != NULL && hit_exchange_plan(gather)->receives > 0;
    }
    return shared;
}

/* Alone: only those that this process can make again without the others. */
static void forget_plans(hit_context *context, bool alone)
{
    hit_launcher *launcher = context->launcher;
    const int plans = launcher->plans;

    hit_stations_keep_failure(context->stations, hit_settle(context));
    hit_table_empty(&launcher->by_key);
    launcher->plans = 0;
    for (int k = 0; k < plans; k++) {
        hit_launch_plan *plan = launcher->plan[k];

        if (alone && is_shared(context, plan)) {
            launcher->recent_plan[launcher->plans] = launcher->recent_plan[k];
            put_plan(launcher, plan, launcher->plans++);
        } else {
            hit_known_call_forget(launcher->known_call, plan);
            hit_launch_plan_destroy(&plan);
        }
    }
}

static bool knows_kind(const hit_launcher *launcher, uint64_t kind)
{
    int k = hit_table_first(&launcher->by_kind, kind);

    while (k >= 0 && launcher->kind[k] != kind) {
        k = hit_table_next(&launcher->by_kind, k);
    }
    return k >= 0;
}

/* Memory for one more: who has none tells the others before they keep theirs. */
static hit_status reserve_kind(hit_launcher *launcher)
{
    const int kinds = launcher->kinds < HIT_MAX_KINDS ? launcher->kinds + 1 : 0;

    HIT_TRY(hit_table_reserve(&launcher->by_kind, kinds, "launches"));
    return hit_memory_grow((size_t)kinds, &launcher->kind_room, sizeof(*launcher->kind),
                           "launches", &launcher->kind);
}

/* Plans go with the kinds, so that a process that has one more than others asks, too. */
static void keep_kind(hit_context *context, uint64_t kind)
{
    hit_launcher *launcher = context->launcher;

    if (launcher->kinds == HIT_MAX_KINDS) {
        forget_plans(context, false);
        hit_table_empty(&launcher->by_kind);
        launcher->kinds = 0;
    }
    launcher->kind[launcher->kinds] = kind;
    hit_table_put(&launcher->by_kind, kind, launcher->kinds++);
}

/* On one process nobody waits; a dry run has all processes here. */
static bool has_kinds(const hit_context *context)
{
    return context->size > 1 && !hit_comm_is_planned(context->comm);
}

/* The first launch of its kind: the processes plan alone and agree that all could. A
 * process that comes early waits then: this is no planning. */
static hit_status plan_together(const hit_call *call, hit_status status,
                                hit_launch_plan **plan)
{
    hit_trace *trace = call->context->trace;
    hit_status agreed;
    double start_s;

    HIT_TRY(hit_comm_enter_ahead(call->context->comm)); /* a plan may wait for launches */
    if (status == HIT_OK) status = make_plan(call, plan);
    if (status == HIT_OK) status = hit_launch_plan_finish(*plan, call);
    if (status == HIT_OK && has_kinds(call->context)) {
        status = reserve_kind(call->context->launcher);
    }
    start_s = hit_trace_start(trace);
    agreed = hit_call_agree(call, status);
    call->context->launcher->refused = agreed != HIT_OK;
    /* a process that failed early has not seen whether the launch may hold something */
    if (agreed != HIT_OK) call->context->launcher->holds = true;
    if (status == HIT_OK) status = agreed;
    if (status == HIT_OK) status = ask_whether_plans_move(call->context);
    if (hit_trace_on(trace)) trace->plan_s -= hit_trace_now() - start_s;
    if (status == HIT_OK && has_kinds(call->context)) {
        keep_kind(call->context, hit_move_kind(call));
    }
    return status;
}

bool hit_launcher_makes_room(hit_context *context, hit_status status)
{
    if (status != HIT_E_NOMEM) return false;
    forget_plans(context, true);
    hit_comm_forget_notes(context->comm); /* others still have those plans */
    return true;
}

/* At another place, of which no process tells the others: they wait for messages. What
 * fails but for want of memory does so on all of them. */
static hit_status plan_alone(const hit_call *call, hit_launch_plan **plan)
{
    hit_status status;

    hit_call_note(call);
    status = make_plan(call, plan);
    if (status == HIT_E_NOMEM) hit_launch_plan_destroy(plan);
    if (hit_launcher_makes_room(call->context, status)) status = make_plan(call, plan);
    return status;
}

/* May this process plan the call, whose check ended with @p checked, without the others?
 */
static bool is_known_kind(const hit_call *call, hit_status checked)
{
    if (checked != HIT_OK || !has_kinds(call->context)) return false;
    return knows_kind(call->context->launcher, hit_move_kind(call));
}

static hit_status new_plan(hit_call *call, hit_status checked, hit_launch_plan **plan)
{
    const hit_status status = is_known_kind(call, checked)
                                  ? plan_alone(call, plan)
                                  : plan_together(call, checked, plan);

    hit_scatter_forget(call->context->launcher);
    if (status != HIT_OK) {
        hit_launch_plan_destroy(plan);
        return status;
    }
    set_key(call->context->launcher, call, *plan);
    keep_plan(call->context->launcher, *plan);
    if ((*plan)->moves != HIT_STAYS) hit_known_call_keep(call, *plan);
    return HIT_OK;
}

/* NULL: it fails, or there is none that is asked for. */
static const hit_known_kernel *known_of(const hit_call *call,
                                        hit_status (*ask)(const hit_call *call,
                                                          const hit_known_kernel **known))
{
    const hit_known_kernel *known = NULL;
    hit_status status = ask(call, &known);

    if (hit_launcher_makes_room(call->context, status)) status = ask(call, &known);
    return status == HIT_OK ? known : NULL;
}

/* What serves a call that was checked, after what stands in its tiles was looked at;
 * NULL: nothing does. */
static hit_status look_up(hit_call *call, hit_launch_plan **plan)
{
    const hit_known_kernel *known = known_of(call, hit_launcher_known);
    const hit_known_kernel *of = known;

    *plan = NULL;
    if (known == NULL || hit_call_looked(call, known) != 0) {
        if (known == NULL) of = known_of(call, hit_launcher_learn);
        if (of != NULL) HIT_TRY(hit_lookups_begin(call, of));
        known = known_of(call, hit_launcher_known);
    }
    if (known != NULL) *plan = find(call->context->launcher, call, known);
    if (known == NULL || *plan != NULL || known->looked == 0) return HIT_OK;
    HIT_TRY(hit_lookups_check(call, known, hit_launcher_key(call, known)));
    return hit_scatter_check(call, known);
}

hit_status hit_launcher_find_plan(hit_call *call, hit_status checked,
                                  hit_launch_plan **plan)
{
    hit_trace *trace = call->context->trace;
    hit_launch_plan *found = NULL;

    if (hit_trace_on(trace)) trace->plan_s = -hit_trace_now();
    if (checked == HIT_OK) HIT_TRY(look_up(call, &found));
    if (found == NULL) HIT_TRY(new_plan(call, checked, &found));
    *plan = found;
    if (hit_trace_on(trace)) trace->plan_s += hit_trace_now();
    return HIT_OK;
}

void hit_launcher_put(const hit_call *call, const hit_launch_plan *plan, double start_s,
                      double end_s)
{
    hit_trace *trace = call->context->trace;

    hit_trace_put(
        trace, HIT_TRACE_LAUNCH,
        &(hit_trace_event){.what = call->kernel->name,
                           .start_s = start_s - trace->plan_s, /* it began with it */
                           .end_s = end_s,
                           .bytes = hit_launch_plan_touched(plan),
                           .indices = plan->indices,
                           .operations = hit_call_operations(call, plan->indices),
                           .plan_s = trace->plan_s,
                           .pack_s = trace->pack_s,
                           .column = plan->known->column});
    trace->plan_s = 0;
    trace->pack_s = 0;
}

/* ---- contexts for trials ---- */

hit_status hit_launcher_open_child(hit_context *parent, const hit_executor *executor,
                                   struct hit_spare *spare, hit_device *device,
                                   hit_context **child)
{
    hit_context *made = NULL;

    *child = NULL;
    HIT_TRY(hit_stations_finish_deferred(parent->stations));
    HIT_TRY(hit_stations_end_tasks(parent->stations));
    for (int d = 0; d < parent->devices; d++) { /* the child needs the room */
        if (device != NULL && parent->device[d] != device) continue;
        HIT_TRY(hit_residents_evict(&parent->stations->station[d].residents));
    }
    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    *child = made;
    made->process = parent->process;
    made->size = 1;
    made->clock = parent->clock;
    made->out = parent->out;
    if (device != NULL) {
        made->devices = 1;
        made->device[0] = device;
    } else {
        made->devices = parent->devices;
        memcpy(made->device, parent->device, sizeof(made->device));
        made->crew = parent->crew;
    }
    hit_devices_set_counting(made->devices, made->device, false);
    made->spare = spare;
    made->search = parent->search;
    made->executor = executor;
    HIT_TRY(hit_comm_open_self(&made->comm));
    return hit_launcher_create(made);
}

void hit_launcher_close_child(hit_context **child)
{
    hit_context *closing = *child;

    if (closing == NULL) return;
    hit_launcher_destroy(closing);
    hit_devices_set_counting(closing->devices, closing->device, true);
    hit_comm_close(&closing->comm);
    free(closing);
    *child = NULL;
}
