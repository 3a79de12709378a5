/* SPDX-License-Identifier: MIT
 * Launches that wait to be run on a simulated machine. A plan is changed by the next
 * launch of its class, so that a task has copies of what it needs of it. */
#include "hit/scheduled/task.h"

#include "hit/base/memory.h"
#include "hit/scheduled/data.h"
#include "patterns/slot.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

bool hit_scheduled_task_is(const hit_call *call, const hit_launch_plan *plan)
{
    if (plan->pieces != 1 || plan->parts != 1 || plan->reduces || plan->partials) {
        return false;
    }
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];
        const hit_claim *claim = &plan->part[0].claim[u];
        const hit_tile *tile = call->args[use->arg].tile;

        if (use->gather != NULL || use->give_back != NULL || use->piece[0] < 0) {
            return false;
        }
        if (!hit_domain_is_dense(&claim->need) || hit_domain_is_empty(&claim->need)) {
            return false;
        }
        if (!hit_domain_inside(
                &claim->need,
                &tile->storage->view[hit_use_storage_piece(use, call, 0)].domain)) {
            return false;
        }
    }
    return true;
}

/* ---- the task of a launch ---- */

/* Behind the task: their places are noted, since those of the others change. */
static void keep_values(const hit_call *call, hit_scheduled_task *task, size_t size)
{
    hit_slot slot[HIT_MAX_ARGS];

    (void)hit_call_keep_values(call, task + 1, size, slot);
    for (int k = 0; k < call->count; k++) {
        const bool is_value = call->args[k].tile == NULL;

        task->value[k] = is_value ? (char *)slot[k].base - (char *)task : -1;
    }
}

static int compare_edges(const void *a, const void *b)
{
    const hit_index first = *(const hit_index *)a;
    const hit_index second = *(const hit_index *)b;

    return (first > second) - (first < second);
}

/* Of a kernel with a sum, such as a product: the cube root of what is multiplied. Of
 * others: the median of the edges of all boxes, as some of these are thin. */
static int block_of(const hit_call *call, const hit_launch_plan *plan)
{
    const hit_kernel *kernel = call->kernel;
    hit_index edge[HIT_MAX_ARGS * HIT_MAX_DIMS];
    int edges = 0;
    double block = 1;

    for (int u = 0; u < plan->uses; u++) {
        const hit_domain *box = &plan->part[0].claim[u].need;

        for (int d = 0; d < box->dims; d++) {
            edge[edges++] = hit_sig_count(box->sig[d]);
        }
    }
    qsort(edge, (size_t)edges, sizeof *edge, compare_edges);
    const int middle = edges / 2;

    if (edges > 0) block = (double)edge[middle];
    if (kernel->alongs > 0) {
        const hit_along along = kernel->along[0];
        const hit_sig sum = call->args[along.arg].tile->domain.sig[along.dim];

        block = cbrt((double)plan->indices * (double)hit_sig_count(sum)) + 0.5;
    }
    return (int)fmax(1, fmin(block, 1 << 20));
}

/* Where the launch may run, by the names of the machine file. */
static hit_status find_on(const hit_scheduled *s, const hit_call *call,
                          hit_device_set *set)
{
    const hit_on on = hit_call_on(call);
    hit_on_device device[HIT_MACHINE_DEVICES];

    *set = (hit_device_set){{0}};
    if (on.of_kernel == NULL && on.of_launch == NULL) return HIT_OK;
    for (int d = 0; d < s->devices; d++) {
        const hit_machine_device *one = &s->device[d];

        device[d] = (hit_on_device){s->machine.kind[one->kind].name, one->node == 0};
    }
    return hit_on_find(&on, s->devices, device, set);
}

hit_status hit_scheduled_task_make(const hit_call *call, const hit_launch_plan *plan,
                                   hit_scheduled_task **task)
{
    const size_t values_bytes = hit_call_values_bytes(call);
    hit_scheduled_task *made = NULL;
    hit_device_set on;

    HIT_TRY(find_on(call->context->execution, call, &on));
    HIT_TRY(hit_memory_zeroed(sizeof(*made) + values_bytes, 1, &made));
    keep_values(call, made, values_bytes);
    made->kernel = call->kernel;
    made->prepared = plan->known->prepared;
    made->on = on;
    made->index = plan->part[0].index;
    made->block = block_of(call, plan);
    made->indices = plan->indices;
    made->operations = hit_call_operations(call, plan->indices);
    made->bytes = plan->touched_bytes;
    made->uses = plan->uses;
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];

        made->use[u] = (hit_scheduled_use){.arg = use->arg,
                                           .datum = -1,
                                           .reads = plan->part[0].claim[u].loads,
                                           .writes = use->mode != HIT_MODE_IN,
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
    hit_index elements;

    if (view.data == NULL && use->reads && s->datum[use->datum].not_written == 0) {
        return HIT_FAIL(HIT_E_INTERNAL,
                        "kernel %s: expected argument %d in memory %d of the simulated "
                        "machine but it is not there",
                        task->kernel->name, use->arg, node);
    }
    HIT_TRY(hit_scheduled_data_make(s, use->datum, node, &view));
    elements = hit_domain_count(&view.domain);
    hit_slot_set(&run->slot[use->arg], &view, &use->tile, task->kernel->whole_box == 0);
    run->dense &= run->slot[use->arg].dense;
    if (run->elements < elements) run->elements = elements;
    return HIT_OK;
}

hit_status hit_scheduled_task_run(hit_scheduled *s, const hit_scheduled_task *task,
                                  int node)
{
    const hit_device *device = s->context->device[0];
    hit_run run;

    memset(&run, 0, offsetof(hit_run, slot));
    run.threads = hit_device_threads(device);
    run.prepared = task->prepared;
    run.dense = 1;
    for (int d = 0; d < task->index.dims; d++) {
        run.begin[d] = task->index.sig[d].begin;
        run.end[d] = task->index.sig[d].end;
        run.stride[d] = task->index.sig[d].stride;
        run.dense &= task->index.sig[d].stride == 1;
    }
    for (int k = 0; k < task->kernel->args; k++) {
        if (task->value[k] < 0) continue;
        run.slot[k].base = (char *)task + task->value[k];
        run.slot[k].dense = 1;
    }
    for (int u = 0; u < task->uses; u++) {
        HIT_TRY(set_slot(s, task, u, node, &run));
    }
    return hit_device_run(device, task->kernel, &run, NULL);
}

/* ---- failures ---- */

/* The edges of the graph, which forgets them when the window has run to its end. */
bool hit_scheduled_task_is_cancelled(const hit_scheduled *s,
                                     const hit_scheduled_task *task)
{
    for (int u = 0; u < task->uses && s->failed != HIT_OK; u++) {
        const hit_scheduled_datum *datum = &s->datum[task->use[u].datum];

        if (datum->not_written == s->failures) return true;
        if (task->use[u].writes && datum->not_read == s->failures) return true;
    }
    return false;
}

void hit_scheduled_task_note(hit_scheduled *s, const hit_scheduled_task *task, bool done)
{
    for (int u = 0; u < task->uses; u++) {
        hit_scheduled_datum *datum = &s->datum[task->use[u].datum];

        if (task->use[u].writes) {
            datum->not_written = done ? 0 : s->failures;
        } else if (!done) {
            datum->not_read = s->failures;
        }
    }
}

/* ---- its name ---- */

static bool knows(const hit_scheduled *s, const char *name)
{
    for (int k = 0; k < s->machine.kernels; k++) {
        if (strcmp(s->machine.kernel[k].name, name) == 0) return true;
    }
    for (int k = 0; k < s->speeds; k++) {
        if (strcmp(s->machine.speed[k].kernel, name) == 0) return true;
    }
    return false;
}

/* Without its last word; false: it has one only. */
static bool shorten(char *name)
{
    char *last = strrchr(name, '_');

    if (last == NULL || last == name) return false;
    *last = '\0';
    return true;
}

void hit_scheduled_task_name(const hit_scheduled *s, const char *kernel, char *name,
                             bool *known)
{
    char part[128];
    size_t length = strlen(kernel);

    if (length >= sizeof part) length = sizeof part - 1;
    memcpy(part, kernel, length);
    part[length] = '\0';
    *known = true;
    do {
        if (!knows(s, part)) continue;
        memcpy(name, part, strlen(part) + 1); /* as long as in the file */
        return;
    } while (shorten(part));
    *known = false;
    if (length >= HIT_MACHINE_NAME) length = HIT_MACHINE_NAME - 1;
    memcpy(name, kernel, length);
    name[length] = '\0';
}
