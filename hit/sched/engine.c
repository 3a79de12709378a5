/* SPDX-License-Identifier: MIT
 * The engine's life: tasks come in, their ends release others, and the scheduler is asked
 * where these go ("activate" of [Bleuse2014]). */
#include "hit/sched/engine.h"

#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/data/hash.h"
#include "hit/sched/sched_impl.h"

#include <stdlib.h>

/* ---- open and close ---- */

static hit_status open_devices(hit_engine *engine)
{
    const hit_machine *machine = engine->machine;

    HIT_TRY(hit_machine_devices(machine, &engine->devices, engine->device));
    HIT_TRY(hit_memory_zeroed((size_t)engine->devices, sizeof *engine->at, &engine->at));
    engine->nodes = 1;
    for (int d = 0; d < engine->devices; d++) {
        const hit_machine_device *device = &engine->device[d];
        const hit_machine_kind *kind = &machine->kind[device->kind];

        engine->seen[d] = (hit_sched_device){device->kind, device->node, kind->threads};
        engine->at[d] =
            (engine_device){.first = -1, .last = -1, .most = kind->window + 1};
        if (device->node == 0) continue;
        engine->nodes = device->node + 1;
        engine->limit[device->node] = kind->bytes;
        engine->link[device->node] = &machine->link[device->link];
    }
    engine->place = (hit_place){.nodes = engine->nodes, .limit = engine->limit};
    return HIT_OK;
}

static hit_status open_policy(const hit_engine *engine, const hit_scheduler *scheduler,
                              void **policy)
{
    if (scheduler->learns && !engine->options.learns) {
        return HIT_FAIL(HIT_E_ARG,
                        "scheduler %s: expected no option learn on a simulated machine, "
                        "whose file says how long kernels take",
                        scheduler->ops->name);
    }
    return scheduler->ops->open(scheduler->options, &engine->view, policy);
}

hit_status hit_engine_open(const hit_graph *graph, const hit_machine *machine,
                           const hit_scheduler *scheduler,
                           const hit_engine_options *options, hit_engine **engine)
{
    hit_engine *made;
    hit_status st;

    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    made->graph = graph;
    made->machine = machine;
    made->options = *options;
    made->order = scheduler->order;
    made->random = (options->seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    if (made->random == 0) made->random = 1; /* which would stay 0 */
    made->waits.size_bytes = sizeof(engine_wait);
    HIT_TRY_GOTO(st, open_devices(made), close);
    hit_engine_view(made);
    HIT_TRY_GOTO(st, open_policy(made, scheduler, &made->policy), close);
    made->ops = scheduler->ops;
    *engine = made;
    return HIT_OK;
close:
    hit_engine_close(&made);
    return st;
}

void hit_engine_close(hit_engine **engine)
{
    hit_engine *closing = *engine;

    if (closing == NULL) return;
    if (closing->ops != NULL) closing->ops->close(closing->policy);
    hit_place_clear(&closing->place);
    free(closing->at);
    free(closing->task);
    free(closing->rank_ns);
    free(closing->mean_rank_ns);
    free(closing->ready);
    free(closing->work_ns);
    free(closing->work_rank);
    hit_pool_clear(&closing->waits);
    free(closing->action);
    free(closing);
    *engine = NULL;
}

int hit_engine_tasks_done(const hit_engine *engine)
{
    return engine->done;
}

int hit_engine_pending(const hit_engine *engine)
{
    return engine->tasks - engine->done;
}

hit_status hit_engine_check_end(const hit_engine *engine)
{
    if (engine->done == engine->tasks) return HIT_OK;
    return HIT_FAIL(HIT_E_INTERNAL,
                    "scheduler %s: nothing goes on but %d of %d tasks are not done",
                    engine->ops->name, hit_engine_pending(engine), engine->tasks);
}

int hit_engine_devices(const hit_engine *engine)
{
    return engine->devices;
}

const hit_machine_device *hit_engine_device(const hit_engine *engine, int device)
{
    return &engine->device[device];
}

/* ---- times ---- */

/** The times of all works on all kinds. */
static hit_status update_works(hit_engine *engine)
{
    const size_t works = (size_t)engine->graph->works;
    const int kinds = engine->machine->kinds;

    if (engine->works == engine->graph->works) return HIT_OK;
    HIT_TRY(hit_memory_resize(works * (size_t)kinds, sizeof *engine->work_ns,
                              "times of tasks", &engine->work_ns));
    HIT_TRY(hit_memory_resize(works, sizeof *engine->work_rank, "times of tasks",
                              &engine->work_rank));
    for (int w = engine->works; w < engine->graph->works; w++) {
        const hit_graph_work *work = &engine->graph->work[w];

        for (int k = 0; k < kinds; k++) {
            engine->work_ns[w * kinds + k] =
                hit_machine_run_ns(engine->machine, work->kernel, work->block, k);
        }
    }
    engine->works = engine->graph->works;
    return HIT_OK;
}

/** One time for each work: the least of all devices, or the mean. */
static void sum_up(hit_engine *engine, bool mean)
{
    for (int w = 0; w < engine->works; w++) {
        int64_t least = -1;
        int64_t sum = 0;
        int count = 0;

        for (int d = 0; d < engine->devices; d++) {
            const int64_t ns = hit_engine_work_ns(engine, w, d);

            if (ns < 0) continue;
            sum += ns;
            count++;
            if (least < 0 || ns < least) least = ns;
        }
        engine->work_rank[w] = count == 0 ? 0 : mean ? sum / count : least;
    }
}

/** Ranks of tasks that are over are not asked for. */
static void find_ranks(hit_engine *engine)
{
    const int end = engine->tasks;

    engine->ranked = true;
    while (engine->first < end && engine->task[engine->first].state == TASK_DONE) {
        engine->first++;
    }
    sum_up(engine, true);
    hit_graph_ranks(engine->graph, engine->first, end, engine->work_rank,
                    engine->mean_rank_ns);
    sum_up(engine, false);
    hit_graph_ranks(engine->graph, engine->first, end, engine->work_rank,
                    engine->rank_ns);
}

int64_t hit_engine_rank_ns(hit_engine *engine, int task, bool mean)
{
    if (!engine->ranked) find_ranks(engine);
    return (mean ? engine->mean_rank_ns : engine->rank_ns)[task];
}

/* ---- tasks ---- */

/** Can any device run a task of @p work with data of @p bytes? */
static hit_status check_work(const hit_engine *engine, int work, int64_t bytes)
{
    const hit_graph_work *what = &engine->graph->work[work];
    int64_t most = -1;

    for (int d = 0; d < engine->devices; d++) {
        const int node = engine->device[d].node;

        if (hit_engine_work_ns(engine, work, d) < 0) continue;
        if (node == 0 || bytes <= engine->limit[node]) return HIT_OK;
        if (engine->limit[node] > most) most = engine->limit[node];
    }
    if (most < 0) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a device that runs %s on blocks of %d%s but the "
                        "machine has none",
                        what->kernel, what->block,
                        hit_device_set_is_empty(&what->on)
                            ? ""
                            : ", of those on which it is placed,");
    }
    return HIT_FAIL(HIT_E_LIMIT,
                    "a task of %s on blocks of %d needs %lld bytes at once, and the "
                    "largest memory of the devices that run it has %lld",
                    what->kernel, what->block, (long long)bytes, (long long)most);
}

hit_status hit_engine_fits(hit_engine *engine, int work, int64_t bytes)
{
    HIT_TRY(update_works(engine));
    return check_work(engine, work, bytes);
}

void hit_engine_limit(hit_engine *engine, int node, int64_t bytes)
{
    if (bytes < engine->limit[node]) engine->limit[node] = bytes;
}

hit_status hit_engine_learn(hit_engine *engine, int work, int kind, int64_t run_ns)
{
    HIT_TRY(update_works(engine));
    engine->work_ns[work * engine->machine->kinds + kind] = run_ns;
    return HIT_OK;
}

static hit_status make_room(hit_engine *engine)
{
    const size_t tasks = (size_t)engine->graph->tasks;
    const size_t room = 2 * tasks;

    if (tasks <= engine->task_room) return HIT_OK;
    HIT_TRY(hit_memory_resize(room, sizeof *engine->task, "tasks", &engine->task));
    HIT_TRY(hit_memory_resize(room, sizeof *engine->ready, "tasks", &engine->ready));
    HIT_TRY(hit_memory_resize(room, sizeof *engine->rank_ns, "tasks", &engine->rank_ns));
    HIT_TRY(hit_memory_resize(room, sizeof *engine->mean_rank_ns, "tasks",
                              &engine->mean_rank_ns));
    engine->task_room = room;
    return HIT_OK;
}

hit_status hit_engine_check(const hit_engine *engine)
{
    if (!engine->misgiven) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "scheduler %s: expected a task that is ready, and a device that can "
                    "run it, but it gave another one",
                    engine->ops->name);
}

/** Ask the scheduler where the first @p count tasks of engine->ready go. */
static hit_status activate(hit_engine *engine, int by, int count)
{
    if (count == 0) return HIT_OK;
    for (int k = 0; k < count; k++) {
        engine->task[engine->ready[k]].state = TASK_READY;
    }
    HIT_TRY(engine->ops->ready(engine->policy, by, count, engine->ready));
    for (int k = 0; k < count && engine->ops->take == NULL; k++) {
        if (engine->task[engine->ready[k]].state != TASK_READY) continue;
        return HIT_FAIL(HIT_E_ARG,
                        "scheduler %s: expected all tasks that are ready to be given to "
                        "devices but task %d was not",
                        engine->ops->name, engine->ready[k]);
    }
    return hit_engine_check(engine);
}

/** How many of the tasks before each new one are not over? */
static void count_befores(hit_engine *engine)
{
    const hit_graph *graph = engine->graph;

    for (int t = engine->tasks; t < graph->tasks; t++) {
        engine->task[t] =
            (engine_task){.befores = graph->task[t].befores, .device = -1, .next = -1};
    }
    for (; engine->links < graph->links; engine->links++) {
        const hit_graph_link *link = &graph->link[engine->links];

        if (link->before < 0 || engine->task[link->before].state != TASK_DONE) continue;
        engine->task[link->task].befores--;
    }
}

hit_status hit_engine_submit(hit_engine *engine, int64_t now_ns)
{
    const int from = engine->tasks;
    int count = 0;

    engine->now_ns = now_ns;
    HIT_TRY(make_room(engine));
    HIT_TRY(update_works(engine));
    HIT_TRY(hit_place_update(&engine->place, engine->graph));
    for (int t = from; t < engine->graph->tasks; t++) {
        HIT_TRY(check_work(engine, engine->graph->task[t].work,
                           hit_place_footprint(engine->graph, t)));
    }
    count_befores(engine);
    engine->ranked = false;
    engine->tasks = engine->graph->tasks;
    for (int t = from; t < engine->tasks; t++) {
        if (engine->task[t].befores == 0) engine->ready[count++] = t;
    }
    HIT_TRY(activate(engine, -1, count));
    return hit_engine_stage(engine);
}

bool hit_engine_next(hit_engine *engine, hit_action *action)
{
    if (engine->first_action == engine->actions) {
        engine->first_action = 0;
        engine->actions = 0;
        return false;
    }
    *action = engine->action[engine->first_action++];
    return true;
}

/** What @p task wrote on @p node is old elsewhere. */
static hit_status drop_others(hit_engine *engine, int task, int node)
{
    HIT_EACH_ACCESS (access, engine->graph, task) {
        if (access->writes) HIT_TRY(hit_engine_drop(engine, access->datum, node));
    }
    return HIT_OK;
}

/** A task is over: what comes after it may be ready. */
static hit_status end_task(hit_engine *engine, const hit_action *action)
{
    engine_device *at = &engine->at[action->device];
    const hit_graph *graph = engine->graph;
    const int node = engine->device[action->device].node;
    hit_status dropped = HIT_OK;
    int count = 0;

    engine->task[action->task].state = TASK_DONE;
    engine->done++;
    at->runs = false;
    at->holds--;
    for (int k = 0; k < at->holds; k++) {
        at->held[k] = at->held[k + 1];
    }
    at->free_ns = engine->now_ns + at->given_ns;
    if (!action->skipped) dropped = drop_others(engine, action->task, node);
    hit_place_end(&engine->place, graph, action->task, node, !action->skipped);
    HIT_TRY(dropped);
    for (int k = graph->task[action->task].first_next; k >= 0; k = graph->link[k].next) {
        const int next = graph->link[k].task;

        if (next < engine->tasks && --engine->task[next].befores == 0) {
            engine->ready[count++] = next;
        }
    }
    qsort(engine->ready, (size_t)count, sizeof *engine->ready, hit_order_ints);
    HIT_TRY(activate(engine, action->device, count));
    return hit_engine_start(engine, action->device);
}

hit_status hit_engine_done(hit_engine *engine, const hit_action *action, int64_t now_ns)
{
    engine->now_ns = now_ns;
    if (action->kind == HIT_ACTION_RUN) {
        HIT_TRY(end_task(engine, action));
    } else {
        HIT_TRY(hit_engine_arrived(engine, action));
    }
    return hit_engine_stage(engine);
}

/* ---- what the program does with data between tasks ---- */

hit_status hit_engine_fetch(hit_engine *engine, int datum, int64_t now_ns)
{
    const hit_place_copy *host;

    engine->now_ns = now_ns;
    if (datum >= engine->place.data) return HIT_OK; /* no task uses it yet */
    host = hit_place_at(&engine->place, datum, 0);
    if (host->valid || host->coming) return HIT_OK;
    return hit_engine_ask(engine, datum, 0, -1);
}

hit_status hit_engine_take_back(hit_engine *engine, int datum)
{
    if (datum >= engine->place.data) return HIT_OK;
    HIT_TRY(hit_engine_drop(engine, datum, 0));
    hit_place_take_back(&engine->place, engine->graph, datum);
    return HIT_OK;
}

bool hit_engine_has(const hit_engine *engine, int datum, int node)
{
    if (datum >= engine->place.data) return node == 0; /* no task uses it yet */
    return hit_place_at(&engine->place, datum, node)->valid;
}

int hit_engine_where(const hit_engine *engine, int datum)
{
    if (datum >= engine->place.data) return 0; /* no task uses it yet */
    return hit_place_at(&engine->place, datum, 0)->valid
               ? 0
               : hit_place_source(&engine->place, datum);
}

hit_status hit_engine_restart(hit_engine *engine, const hit_scheduler *scheduler)
{
    void *policy = NULL;

    if (engine->done != engine->tasks) {
        return HIT_FAIL(HIT_E_ARG, "expected all tasks to be over but %d of %d are not",
                        hit_engine_pending(engine), engine->tasks);
    }
    HIT_TRY(open_policy(engine, scheduler, &policy));
    engine->ops->close(engine->policy);
    engine->ops = scheduler->ops;
    engine->order = scheduler->order;
    engine->policy = policy;
    engine->tasks = 0;
    engine->done = 0;
    engine->links = 0;
    engine->first = 0;
    engine->numbers = 0; /* none is waited for */
    return HIT_OK;
}
