/* SPDX-License-Identifier: MIT
 * From a device's queue to its start: a task is staged when memory for all of its data is
 * reserved, then what it lacks is asked for, and it starts when it is the device's first
 * and all is there. Copies between two accelerators that are no peers go through the
 * host's memory; one copy to the host serves all that wait for it. */
#include "hit/base/alloc.h"
#include "hit/sched/sched_impl.h"

/* ---- queues ---- */

/** Count what @p task reads among what is wanted on its node. */
static void want(hit_engine *engine, int task, int by)
{
    const int node = engine->device[engine->task[task].device].node;

    HIT_EACH_ACCESS (access, engine->graph, task) {
        if (access->reads) {
            hit_place_at(&engine->place, access->datum, node)->wanted += by;
        }
    }
}

void hit_engine_push(hit_engine *engine, int task, int device)
{
    engine_device *at = &engine->at[device];
    engine_task *state = &engine->task[task];

    state->state = TASK_GIVEN;
    state->device = device;
    state->run_ns = hit_engine_run_ns(engine, task, device);
    state->next = -1;
    at->given_ns += state->run_ns;
    if (at->first < 0) {
        at->first = task;
    } else {
        engine->task[at->last].next = task;
    }
    at->last = task;
    want(engine, task, 1);
}

/** Of the tasks of a queue that is none of the first in, first out, the one with the
 * least key is taken. */
static int64_t key_of(hit_engine *engine, int task, int node)
{
    return engine->order == HIT_SCHED_LACK ? hit_engine_lacks_bytes(engine, task, node)
                                           : -hit_engine_rank_ns(engine, task, false);
}

/** Is task @p a to be taken before @p b, which was given earlier? */
static bool goes_before(hit_engine *engine, int a, int b, int node)
{
    const int64_t key_a = key_of(engine, a, node);
    const int64_t key_b = key_of(engine, b, node);

    return key_a < key_b || (key_a == key_b && a < b);
}

/** The task that the device takes next; -1: none. */
static int head(hit_engine *engine, int device)
{
    const int first = engine->at[device].first;
    int best = first;

    if (first < 0 || engine->order == HIT_SCHED_FIFO) return first;
    for (int t = engine->task[first].next; t >= 0; t = engine->task[t].next) {
        if (goes_before(engine, t, best, engine->device[device].node)) best = t;
    }
    return best;
}

static void leave(hit_engine *engine, int task)
{
    engine_device *at = &engine->at[engine->task[task].device];
    int before = -1;

    for (int t = at->first; t != task; t = engine->task[t].next) {
        before = t;
    }
    if (before < 0) {
        at->first = engine->task[task].next;
    } else {
        engine->task[before].next = engine->task[task].next;
    }
    if (at->last == task) at->last = before;
    want(engine, task, -1);
}

/* ---- copies ---- */

/** Append an action, whose number it gets. */
static hit_status act(hit_engine *engine, hit_action *action)
{
    const int waiting = engine->actions - engine->first_action;

    if ((size_t)engine->actions == engine->action_room &&
        engine->first_action > waiting) { /* room in front */
        for (int k = 0; k < waiting; k++) {
            engine->action[k] = engine->action[engine->first_action + k];
        }
        engine->first_action = 0;
        engine->actions = waiting;
    }
    HIT_TRY(HIT_ONE_MORE(engine->action, engine->actions, engine->action_room,
                         "actions of a scheduler"));
    action->number = engine->numbers++;
    engine->action[engine->actions++] = *action;
    return HIT_OK;
}

static engine_wait *wait_at(const hit_engine *engine, int k)
{
    return hit_pool_at(&engine->waits, k);
}

/** Append @p wait to the list of the copy of @p datum on @p node. */
static hit_status add_wait(hit_engine *engine, int datum, int node, engine_wait wait)
{
    hit_place_copy *copy = hit_place_at(&engine->place, datum, node);
    int at;

    HIT_TRY(hit_pool_reserve(&engine->waits, 1, "copies that are waited for"));
    at = hit_pool_take(&engine->waits);
    wait.next = -1;
    *wait_at(engine, at) = wait;
    if (copy->first_wait < 0) {
        copy->first_wait = at;
    } else {
        wait_at(engine, copy->last_wait)->next = at;
    }
    copy->last_wait = at;
    return HIT_OK;
}

static hit_action copy_of(const hit_engine *engine, int datum, int from, int to)
{
    return (hit_action){.kind = HIT_ACTION_COPY,
                        .task = -1,
                        .device = -1,
                        .datum = datum,
                        .from = from,
                        .to = to,
                        .bytes = engine->graph->datum[datum].bytes,
                        .after = -1};
}

/** Copy @p datum; one of the nodes is the host, or both are peers. */
static hit_status copy(hit_engine *engine, int datum, int from, int to, int64_t after)
{
    hit_action action = copy_of(engine, datum, from, to);

    action.after = after;
    hit_place_at(&engine->place, datum, to)->coming = true;
    hit_place_at(&engine->place, datum, to)->bringer = engine->numbers;
    if (from > 0) hit_place_at(&engine->place, datum, from)->pins++;
    return act(engine, &action);
}

hit_status hit_engine_ask(hit_engine *engine, int datum, int node, int64_t after)
{
    hit_place_copy *host = hit_place_at(&engine->place, datum, 0);
    const int peer = hit_engine_peer(engine, datum, node);
    const engine_wait second = {.task = -1, .to = node, .after = after};

    if (node > 0 && host->valid) return copy(engine, datum, 0, node, after);
    if (peer > 0) return copy(engine, datum, peer, node, after);
    if (!host->coming) {
        const int source = hit_place_source(&engine->place, datum);

        if (source == 0) {
            return HIT_FAIL(HIT_E_INTERNAL, "scheduler %s: datum %d is valid nowhere",
                            engine->ops->name, datum);
        }
        HIT_TRY(copy(engine, datum, source, 0, -1));
    }
    if (node == 0) return HIT_OK;
    hit_place_at(&engine->place, datum, node)->coming = true;
    return add_wait(engine, datum, 0, second);
}

/** The memory of @p datum on @p node is free. */
static hit_status act_drop(hit_engine *engine, int datum, int node)
{
    hit_action action = copy_of(engine, datum, node, 0);

    action.kind = HIT_ACTION_DROP;
    return act(engine, &action);
}

hit_status hit_engine_drop(hit_engine *engine, int datum, int node)
{
    for (int n = 1; n < engine->nodes; n++) {
        if (n == node || !hit_place_at(&engine->place, datum, n)->has_room) continue;
        HIT_TRY(act_drop(engine, datum, n));
    }
    return HIT_OK;
}

/** Write @p datum back, the only copy of which had to go for @p task. Where the host has
 * it from now on its room is free from now on, too, and only copies come after; otherwise
 * the task waits. */
static hit_status act_back(hit_engine *engine, int datum, int task, int node)
{
    hit_place_copy *host = hit_place_at(&engine->place, datum, 0);
    hit_action action = copy_of(engine, datum, node, 0);

    action.task = task;
    action.back = true;
    HIT_TRY(act(engine, &action));
    if (engine->options.back_when_arrived) {
        host->coming = true;
        host->bringer = action.number;
        engine->task[task].lacks++;
    } else {
        host->valid = true;
    }
    return HIT_OK;
}

/** Write back what had to go for @p task. @param last the number of the last copy back;
 * -1: there is none */
static hit_status write_back(hit_engine *engine, int task, int node, int64_t *last)
{
    *last = -1;
    for (int k = 0; k < engine->place.victims; k++) {
        const int datum = engine->place.victim[k];

        if (hit_place_is_only(&engine->place, datum, node)) {
            HIT_TRY(act_back(engine, datum, task, node));
            *last = engine->numbers - 1;
        } else {
            HIT_TRY(act_drop(engine, datum, node));
        }
        hit_place_at(&engine->place, datum, node)->valid = false;
    }
    return HIT_OK;
}

hit_status hit_engine_arrived(hit_engine *engine, const hit_action *action)
{
    hit_place_copy *there = hit_place_at(&engine->place, action->datum, action->to);
    int wait = there->first_wait;

    if (action->back && engine->options.back_when_arrived) {
        engine->task[action->task].lacks--;
        HIT_TRY(hit_engine_start(engine, engine->task[action->task].device));
    } else if (action->from > 0 && !action->back) {
        hit_place_at(&engine->place, action->datum, action->from)->pins--;
    }
    if (there->bringer != action->number) return HIT_OK; /* an old one */
    there->bringer = -1;
    there->coming = false;
    there->valid = true;
    there->first_wait = -1;
    while (wait >= 0) {
        const engine_wait one = *wait_at(engine, wait);

        hit_pool_give(&engine->waits, wait);
        if (one.task < 0) {
            HIT_TRY(copy(engine, action->datum, 0, one.to, one.after));
        } else {
            engine->task[one.task].lacks--;
            HIT_TRY(hit_engine_start(engine, engine->task[one.task].device));
        }
        wait = one.next;
    }
    return HIT_OK;
}

/* ---- staging and starting ---- */

/** Ask for all that @p task reads and its node lacks. What it overwrites may still be on
 * its way to the host, and must not arrive there later. */
static hit_status gather(hit_engine *engine, int task, int node, int64_t after)
{
    HIT_EACH_ACCESS (access, engine->graph, task) {
        const hit_place_copy *here = hit_place_at(&engine->place, access->datum, node);

        if (!access->reads && hit_place_at(&engine->place, access->datum, 0)->coming) {
            HIT_TRY(add_wait(engine, access->datum, 0, (engine_wait){.task = task}));
            engine->task[task].lacks++;
        }
        if (!access->reads || here->valid) continue;
        if (!here->coming) HIT_TRY(hit_engine_ask(engine, access->datum, node, after));
        HIT_TRY(add_wait(engine, access->datum, node, (engine_wait){.task = task}));
        engine->task[task].lacks++;
    }
    return HIT_OK;
}

hit_status hit_engine_start(hit_engine *engine, int device)
{
    engine_device *at = &engine->at[device];
    hit_action action = {.kind = HIT_ACTION_RUN, .device = device, .after = -1};
    engine_task *task;
    int64_t end_ns;

    if (at->runs || at->holds == 0) return HIT_OK;
    task = &engine->task[at->held[0]];
    if (task->lacks > 0) return HIT_OK;
    task->state = TASK_RUNS;
    at->runs = true;
    at->given_ns -= task->run_ns;
    end_ns = engine->now_ns + task->run_ns + at->given_ns;
    if (end_ns > at->free_ns) at->free_ns = end_ns;
    action.task = at->held[0];
    action.run_ns = task->run_ns;
    return act(engine, &action);
}

/** Stage the next task of a device; *staged: was there one, and room for it? */
static hit_status stage_one(hit_engine *engine, int device, bool *staged)
{
    engine_device *at = &engine->at[device];
    const int node = engine->device[device].node;
    int task = head(engine, device);
    int64_t after;

    *staged = false;
    if (task < 0 && engine->ops->take != NULL) {
        task = engine->ops->take(engine->policy, device);
        if (task >= 0) {
            engine->view.give(engine, task, device,
                              at->free_ns > engine->now_ns ? at->free_ns
                                                           : engine->now_ns);
            if (engine->misgiven) return hit_engine_check(engine);
            at->free_ns += engine->task[task].run_ns;
        }
    }
    if (task < 0) return HIT_OK;
    if (!hit_place_reserve(&engine->place, engine->graph, task, node)) return HIT_OK;
    leave(engine, task);
    engine->task[task].state = TASK_STAGED;
    at->held[at->holds++] = task;
    HIT_TRY(write_back(engine, task, node, &after));
    HIT_TRY(gather(engine, task, node, after));
    *staged = true;
    return hit_engine_start(engine, device);
}

hit_status hit_engine_stage(hit_engine *engine)
{
    for (int d = 0; d < engine->devices; d++) {
        bool staged = true;

        while (staged && engine->at[d].holds < engine->at[d].most) {
            HIT_TRY(stage_one(engine, d, &staged));
        }
    }
    return HIT_OK;
}
