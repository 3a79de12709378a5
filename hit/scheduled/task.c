/* SPDX-License-Identifier: MIT
 * Launches that wait to be run. A plan is changed by the next launch of its class, so
 * that a task has copies of what it needs of it. */
#include "hit/base/memory.h"
#include "hit/scheduled/schedule_impl.h"
#include "hit/tile/station.h"
#include "patterns/kernel_impl.h"
#include "patterns/slot.h"
#include "patterns/transform.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_PIECES = 256 /* their boxes are compared with each other */
};

const char *hit_scheduled_task_refused(const hit_launch_plan *plan)
{
    if (plan->pieces == 0) return "this process has none of its indices";
    if (plan->pieces > MOST_PIECES) return "its indices are in more than 256 pieces";
    if (plan->known->of->looked != 0) return "what it needs stands in data";
    for (int u = 0; u < plan->uses; u++) {
        for (int k = 0; k < plan->pieces; k++) {
            if (hit_domain_is_empty(&plan->use[u].need[k])) {
                return "it needs no element of a tile";
            }
        }
    }
    return NULL;
}

/* ---- the task of a launch ---- */

/* Behind the task: their places are noted, since those of the others change. */
static void keep_values(const hit_call *call, hit_scheduled_task *task, size_t size)
{
    hit_slot slot[HIT_MAX_ARGS];

    (void)hit_call_keep_values(call, task + 1, size, slot);
    for (int k = 0; k < call->count; k++) {
        if (call->args[k].tile != NULL) continue;
        task->value[k] = (char *)slot[k].base - (char *)task;
    }
}

/* Among @p edges, which rise. */
static void insert(hit_index edge[], int edges, hit_index one)
{
    int at = edges;

    for (; at > 0 && edge[at - 1] > one; at--) {
        edge[at] = edge[at - 1];
    }
    edge[at] = one;
}

int hit_scheduled_block(const hit_call *call, const hit_launch_plan *plan, int piece,
                        uint64_t indices)
{
    const hit_kernel *kernel = call->kernel;
    hit_index edge[HIT_MAX_ARGS * HIT_MAX_DIMS];
    int edges = 0;
    double block = 1;

    for (int u = 0; u < plan->uses; u++) {
        const hit_domain *box = &plan->use[u].need[piece];

        for (int d = 0; d < box->dims; d++) {
            insert(edge, edges++, hit_sig_count(box->sig[d]));
        }
    }
    if (edges > 0) {
        const hit_index middle = edge[edges / 2];

        block = (double)middle;
    }
    if (kernel->alongs > 0) {
        const hit_along along = kernel->along[0];
        const hit_sig sum = call->args[along.arg].tile->domain.sig[along.dim];

        block = cbrt((double)indices * (double)hit_sig_count(sum)) + 0.5;
    }
    return (int)fmax(1, fmin(block, 1 << 20));
}

/* Its share of what the launch touches. */
static uint64_t bytes_of(const hit_launch_plan *plan, uint64_t indices)
{
    const double share = (double)indices / (double)plan->indices;

    if (indices == plan->indices) return hit_launch_plan_touched(plan);
    return (uint64_t)(share * (double)hit_launch_plan_touched(plan));
}

/* What the indices write of an argument; of one that is only read, nothing. */
static hit_domain written_by(const hit_launch_plan *plan, const hit_use *use,
                             const hit_domain *index)
{
    hit_domain made = {.dims = use->tile.dims};

    if (use->mode == HIT_MODE_IN) return made;
    if (use->pattern->only_read > 0) {
        return hit_pattern_cover(use->writes, &use->tile, index);
    }
    hit_known_kernel_cover(plan->known, use->arg, &use->tile, index, &made);
    return made;
}

hit_status hit_scheduled_task_make(const hit_call *call, const hit_launch_plan *plan,
                                   const hit_domain *index, int piece,
                                   hit_scheduled_task **task)
{
    hit_scheduled *s = call->context->execution;
    const size_t values_bytes = plan->known->values_bytes;
    hit_scheduled_task *made = NULL;
    hit_device_set on;

    HIT_TRY(s->driver->find_on(s, call, plan, &on));
    HIT_TRY(hit_memory_zeroed(sizeof(*made) + values_bytes, 1, &made));
    if (values_bytes > 0) keep_values(call, made, values_bytes);
    made->kernel = call->kernel;
    made->prepared = plan->known->prepared;
    made->on = on;
    made->where = plan->known->where;
    made->index = *index;
    made->indices = (uint64_t)hit_where_count(made->where, index);
    made->block = hit_scheduled_block(call, plan, piece, made->indices);
    made->operations = hit_call_operations(call, made->indices);
    made->bytes = bytes_of(plan, made->indices);
    made->uses = plan->uses;
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];

        made->use[u] =
            (hit_scheduled_use){.arg = use->arg,
                                .datum = -1,
                                .reads = hit_mode_reduces(use->mode) != 0 ||
                                         hit_use_loads(use, call, plan->known, index),
                                .writes = use->mode != HIT_MODE_IN,
                                .written = written_by(plan, use, index),
                                .tile = call->args[use->arg].tile->domain};
    }
    *task = made;
    return HIT_OK;
}

/* ---- the run ---- */

static hit_status set_slot(hit_scheduled *s, const hit_scheduled_task *task, int u,
                           int node, hit_run *run)
{
    const hit_scheduled_use *use = &task->use[u];
    hit_view view = hit_scheduled_data_view(s, use->datum, node);

    if (view.data == NULL && use->reads && s->datum[use->datum].not_written == 0) {
        return HIT_FAIL(HIT_E_INTERNAL,
                        "kernel %s: expected argument %d in memory %d but it is not "
                        "there",
                        task->kernel->name, use->arg, node);
    }
    if (view.data == NULL) HIT_TRY(hit_scheduled_data_make(s, use->datum, node, &view));
    hit_run_set_slot(run, use->arg, &view, &use->tile, hit_kernel_has_body(task->kernel));
    return HIT_OK;
}

hit_status hit_scheduled_task_begin(hit_scheduled *s, const hit_scheduled_task *task,
                                    int node, const hit_device *device, hit_run *run)
{
    memset(run, 0, offsetof(hit_run, slot));
    run->threads = device->threads;
    run->prepared = task->prepared;
    run->where = task->where;
    hit_run_set_box(run, &task->index);
    for (int k = 0; k < task->kernel->args; k++) {
        if (task->value[k] == 0) continue;
        run->slot[k].base = (char *)task + task->value[k];
        run->slot[k].dense = 1;
    }
    for (int u = 0; u < task->uses; u++) {
        HIT_TRY(set_slot(s, task, u, node, run));
    }
    return HIT_OK;
}

void hit_scheduled_task_need(const hit_scheduled_task *task, hit_domain need[])
{
    for (int u = 0; u < task->uses; u++) {
        const hit_scheduled_use *use = &task->use[u];

        if (!hit_mode_reduces(task->kernel->arg[use->arg].mode)) continue;
        need[use->arg] = use->written;
    }
}

/* ---- failures ---- */

void hit_scheduled_datum_lose(const hit_scheduled *s, int datum, const hit_domain *box,
                              const hit_first *failure)
{
    const hit_scheduled_datum *one = &s->datum[datum];

    if (s->context->size == 1 || one->piece < 0) return;
    hit_first_recall(failure);
    hit_storage_lose(one->storage, one->piece, box, failure->status);
}

hit_domain hit_scheduled_datum_copied(hit_scheduled *s, int datum, int node)
{
    hit_scheduled_datum *one = &s->datum[datum];

    if (node == 0) return hit_scheduled_data_own(s, datum);
    if (!one->receiving) return one->box;
    one->rim_is_old = true;
    return one->there;
}

/* The edges of the graph, which forgets them when the window has run to its end. */
bool hit_scheduled_task_is_cancelled(const hit_scheduled *s,
                                     const hit_scheduled_task *task)
{
    for (int u = 0; u < task->uses; u++) {
        const hit_scheduled_use *use = &task->use[u];

        if (hit_scheduled_datum_fails(s, use->datum, use->writes)) return true;
    }
    return false;
}

/* Those behind it are cancelled until its failure is told. Messages say what is lost,
 * also when it has been told here. */
static void note(hit_scheduled *s, const hit_scheduled_task *task, bool done)
{
    for (int u = 0; u < task->uses; u++) {
        const hit_scheduled_use *use = &task->use[u];
        hit_scheduled_datum *datum = &s->datum[use->datum];

        if (use->writes) {
            datum->not_written = done ? 0 : s->failures;
            if (!done) {
                hit_scheduled_datum_lose(s, use->datum, &use->written, &s->failed);
            }
        } else if (!done) {
            datum->not_read = s->failures;
        }
    }
}

/* Of the failures that are not told yet, that of the first task is kept. */
static void store_failure(hit_scheduled *s, uint64_t task, hit_status status)
{
    if (s->failed.status != HIT_OK && s->failed_task <= task) return;
    s->failures += s->failed.status == HIT_OK;
    hit_first_store(&s->failed, status);
    s->failed_task = task;
}

void hit_scheduled_task_end(hit_scheduled *s, int number, bool done, hit_status status)
{
    hit_scheduled_task *task = s->task[number];

    if (status != HIT_OK) store_failure(s, s->forgotten + (uint64_t)number, status);
    note(s, task, done && status == HIT_OK);
    free(task);
    s->task[number] = NULL;
    while (s->over < s->graph.tasks && s->task[s->over] == NULL) {
        s->over++;
    }
    hit_scheduled_note_over(s);
}

void hit_scheduled_note_over(const hit_scheduled *s)
{
    hit_stations *stations = s->context->stations;

    if (stations == NULL) return; /* the context closes */
    stations->over[hit_source_of_tasks(stations)] = s->forgotten + (uint64_t)s->over;
}

void hit_scheduled_copy_failed(hit_scheduled *s, int datum, hit_status status)
{
    store_failure(s, UINT64_MAX, status);
    s->datum[datum].not_written = s->failures;
    s->datum[datum].content = 0; /* what is held is still right on the host */
    hit_scheduled_datum_lose(s, datum, &s->datum[datum].box, &s->failed);
}
