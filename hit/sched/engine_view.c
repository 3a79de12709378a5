/* SPDX-License-Identifier: MIT
 * What schedulers see of the engine. Predictions of copies count each datum by itself,
 * with its latency, and forget that links are shared. */
#include "hit/sched/sched_impl.h"

/** A prediction of a copy between a device's memory and the host's. */
static int64_t copy_ns(const hit_engine *engine, int node, bool in, int64_t bytes)
{
    const int64_t percent = engine->machine->predicted_percent;
    const int64_t seen = bytes / 100 * percent + bytes % 100 * percent / 100;

    return hit_machine_copy_ns(engine->link[node], in, seen);
}

int hit_engine_peer(const hit_engine *engine, int datum, int node)
{
    const hit_place_copy *host = hit_place_at(&engine->place, datum, 0);
    const int source = hit_place_source(&engine->place, datum);

    if (node == 0 || source == 0 || host->valid || host->coming) return 0;
    return engine->link[node]->peer && engine->link[node] == engine->link[source] ? source
                                                                                  : 0;
}

/** To bring one datum to @p node, where it is not. */
static int64_t datum_ns(const hit_engine *engine, int datum, int node)
{
    const int64_t bytes = engine->graph->datum[datum].bytes;
    const hit_place_copy *host = hit_place_at(&engine->place, datum, 0);
    const int source = hit_place_source(&engine->place, datum);
    int64_t ns = 0;

    if (!host->valid && !host->coming && source > 0 &&
        hit_engine_peer(engine, datum, node) == 0) {
        ns += copy_ns(engine, source, false, bytes);
    }
    if (node > 0) ns += copy_ns(engine, node, true, bytes);
    return ns;
}

static int64_t now_ns(void *self)
{
    return ((const hit_engine *)self)->now_ns;
}

_Static_assert((int)HIT_MACHINE_DEVICES <= (int)HIT_DEVICE_SET_ROOM,
               "a set has room for all devices of a machine");

int64_t hit_engine_work_ns(const hit_engine *engine, int work, int device)
{
    const hit_device_set *on = &engine->graph->work[work].on;

    if (!hit_device_set_is_empty(on) && !hit_device_set_has(on, device)) return -1;
    return engine->work_ns[work * engine->machine->kinds + engine->device[device].kind];
}

int64_t hit_engine_run_ns(const hit_engine *engine, int task, int device)
{
    const int node = engine->device[device].node;
    const int64_t ns = hit_engine_work_ns(engine, engine->graph->task[task].work, device);

    if (ns < 0 || node == 0) return ns;
    return hit_place_footprint(engine->graph, task) <= engine->limit[node] ? ns : -1;
}

static int64_t run_ns(void *self, int task, int device)
{
    return hit_engine_run_ns(self, task, device);
}

static int64_t bring_ns(void *self, int task, int device)
{
    const hit_engine *engine = self;
    const int node = engine->device[device].node;
    int64_t ns = 0;

    HIT_EACH_ACCESS (access, engine->graph, task) {
        const hit_place_copy *copy = hit_place_at(&engine->place, access->datum, node);

        if (!access->reads || copy->valid || copy->coming || copy->wanted > 0) continue;
        ns += datum_ns(engine, access->datum, node);
    }
    return ns;
}

static int64_t held_bytes(void *self, int task, int device, bool written)
{
    const hit_engine *engine = self;
    const int node = engine->device[device].node;
    int64_t bytes = 0;

    HIT_EACH_ACCESS (access, engine->graph, task) {
        if (written && !access->writes) continue;
        if (!hit_place_at(&engine->place, access->datum, node)->valid) continue;
        bytes += engine->graph->datum[access->datum].bytes;
    }
    return bytes;
}

int64_t hit_engine_lacks_bytes(const hit_engine *engine, int task, int node)
{
    int64_t bytes = 0;

    HIT_EACH_ACCESS (access, engine->graph, task) {
        const hit_place_copy *copy = hit_place_at(&engine->place, access->datum, node);

        if (!access->reads || copy->valid || copy->coming) continue;
        bytes += engine->graph->datum[access->datum].bytes;
    }
    return bytes;
}

static int64_t free_ns(void *self, int device)
{
    return ((const hit_engine *)self)->at[device].free_ns;
}

static int64_t rank_ns(void *self, int task)
{
    return hit_engine_rank_ns(self, task, false);
}

static int64_t mean_rank_ns(void *self, int task)
{
    return hit_engine_rank_ns(self, task, true);
}

/** The largest divisor of @p count whose square is at most that. */
static int grid_rows(int count)
{
    int rows = 1;

    for (int p = 2; p * p <= count; p++) {
        if (count % p == 0) rows = p;
    }
    return rows;
}

static int home(void *self, int task)
{
    const hit_engine *engine = self;
    const hit_graph_task *t = &engine->graph->task[task];
    const int count = engine->view.accelerators;
    int rows;
    int device;

    if (count == 0) return -1;
    rows = grid_rows(count);
    device = t->column == HIT_GRAPH_ROW
                 ? t->row % count
                 : t->row % rows + rows * (t->column % (count / rows));
    return hit_engine_run_ns(engine, task, device) >= 0 ? device : -1;
}

static void give(void *self, int task, int device, int64_t end_ns)
{
    hit_engine *engine = self;

    if (task < 0 || task >= engine->tasks || device < 0 || device >= engine->devices ||
        engine->task[task].state != TASK_READY ||
        hit_engine_run_ns(engine, task, device) < 0) {
        engine->misgiven = true;
        return;
    }
    engine->at[device].free_ns = end_ns;
    hit_engine_push(engine, task, device);
}

uint64_t hit_engine_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

static uint64_t random_number(void *self)
{
    return hit_engine_random(&((hit_engine *)self)->random);
}

void hit_engine_view(hit_engine *engine)
{
    int accelerators = 0;

    while (accelerators < engine->devices && engine->device[accelerators].node > 0) {
        accelerators++;
    }
    engine->view = (hit_sched_view){.self = engine,
                                    .devices = engine->devices,
                                    .accelerators = accelerators,
                                    .device = engine->seen,
                                    .now_ns = now_ns,
                                    .run_ns = run_ns,
                                    .bring_ns = bring_ns,
                                    .held_bytes = held_bytes,
                                    .free_ns = free_ns,
                                    .rank_ns = rank_ns,
                                    .mean_rank_ns = mean_rank_ns,
                                    .home = home,
                                    .give = give,
                                    .random = random_number};
}
