/* SPDX-License-Identifier: MIT
 * From accesses in program order to edges. A task is only compared with the last writer
 * of its data and with those that read them since: all others come before these. */
#include "hit/sched/graph.h"

#include "hit/base/alloc.h"

#include <stdlib.h>
#include <string.h>

/** Room for one more. @param array_pointer the array itself */
static hit_status grow(int count, size_t *room, size_t size_bytes, void *array_pointer)
{
    if (count == INT32_MAX) {
        return HIT_FAIL(HIT_E_LIMIT, "expected at most %d entries in a graph of tasks",
                        INT32_MAX);
    }
    return hit_memory_grow((size_t)count + 1, room, size_bytes, "a graph of tasks",
                           array_pointer);
}

void hit_graph_clear(hit_graph *graph)
{
    free(graph->work);
    free(graph->datum);
    free(graph->task);
    free(graph->access);
    free(graph->link);
    *graph = (hit_graph){0};
}

hit_status hit_graph_add_work(hit_graph *graph, const char *kernel, int block,
                              const hit_device_set *on, int *work)
{
    const hit_device_set places = on != NULL ? *on : (hit_device_set){{0}};
    hit_graph_work *made;

    if (kernel == NULL || kernel[0] == '\0' || strlen(kernel) >= sizeof made->kernel ||
        block < 1) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a kernel's name of 1 to %zu characters and a block of "
                        "at least 1 but found \"%s\" and %d",
                        sizeof made->kernel - 1, kernel != NULL ? kernel : "", block);
    }
    for (int k = 0; k < graph->works; k++) {
        if (graph->work[k].block != block) continue;
        if (strcmp(graph->work[k].kernel, kernel) != 0) continue;
        if (!hit_device_set_equal(&graph->work[k].on, &places)) continue;
        *work = k;
        return HIT_OK;
    }
    HIT_TRY(grow(graph->works, &graph->work_room, sizeof *made, &graph->work));
    made = &graph->work[graph->works];
    *made = (hit_graph_work){.block = block, .on = places};
    memcpy(made->kernel, kernel, strlen(kernel) + 1);
    *work = graph->works++;
    return HIT_OK;
}

hit_status hit_graph_add_datum(hit_graph *graph, int64_t bytes, int *datum)
{
    if (bytes < 0) {
        return HIT_FAIL(HIT_E_ARG, "expected a datum of at least 0 bytes but found %lld",
                        (long long)bytes);
    }
    HIT_TRY(grow(graph->data, &graph->datum_room, sizeof *graph->datum, &graph->datum));
    graph->datum[graph->data] = (hit_graph_datum){bytes, -1, -1};
    *datum = graph->data++;
    return HIT_OK;
}

void hit_graph_set_bytes(hit_graph *graph, int datum, int64_t bytes)
{
    graph->datum[datum].bytes = bytes;
}

static hit_status add_link(hit_graph *graph, int before, int task, int *first)
{
    HIT_TRY(grow(graph->links, &graph->link_room, sizeof *graph->link, &graph->link));
    graph->link[graph->links] = (hit_graph_link){task, *first, before};
    *first = graph->links++;
    return HIT_OK;
}

/** @p before comes before @p task; -1: nothing does. */
static hit_status add_edge(hit_graph *graph, int before, int task)
{
    if (before < 0 || before == task || graph->task[before].mark == task) return HIT_OK;
    HIT_TRY(add_link(graph, before, task, &graph->task[before].first_next));
    graph->task[before].mark = task;
    graph->task[task].befores++;
    graph->edges++;
    return HIT_OK;
}

static hit_status add_edges(hit_graph *graph, int task, const hit_graph_access *access)
{
    const hit_graph_datum *datum = &graph->datum[access->datum];

    if (access->reads || datum->first_reader < 0) {
        HIT_TRY(add_edge(graph, datum->last_writer, task));
    }
    if (!access->writes) return HIT_OK;
    for (int k = datum->first_reader; k >= 0; k = graph->link[k].next) {
        HIT_TRY(add_edge(graph, graph->link[k].task, task));
    }
    return HIT_OK;
}

/** What later tasks will see of @p task. */
static hit_status note(hit_graph *graph, int task, const hit_graph_access *access)
{
    hit_graph_datum *datum = &graph->datum[access->datum];

    if (access->writes) {
        datum->last_writer = task;
        datum->first_reader = -1;
    } else if (datum->last_writer != task) {
        HIT_TRY(add_link(graph, -1, task, &datum->first_reader));
    }
    return HIT_OK;
}

static hit_status check(const hit_graph *graph, const hit_graph_task *what, int accesses,
                        const hit_graph_access access[])
{
    if (what->work < 0 || what->work >= graph->works || what->row < 0 ||
        what->column < HIT_GRAPH_ROW) {
        return HIT_FAIL(
            HIT_E_ARG,
            "expected one of %d works, a row >= 0 and a column >= -1 but found "
            "work %d, row %d, column %d",
            graph->works, what->work, what->row, what->column);
    }
    for (int k = 0; k < accesses; k++) {
        if (access[k].datum >= 0 && access[k].datum < graph->data) continue;
        return HIT_FAIL(HIT_E_ARG, "expected one of %d data but found %d", graph->data,
                        access[k].datum);
    }
    return HIT_OK;
}

/** The accesses of a new task, those to the same datum as one. */
static hit_status add_accesses(hit_graph *graph, hit_graph_task *task, int accesses,
                               const hit_graph_access access[])
{
    task->first_access = graph->accesses;
    for (int k = 0; k < accesses; k++) {
        hit_graph_access *known = graph->access + task->first_access;
        const hit_graph_access *end = known + task->accesses;

        while (known < end && known->datum != access[k].datum) {
            known++;
        }
        if (known < end) {
            known->reads = known->reads || access[k].reads;
            known->writes = known->writes || access[k].writes;
            continue;
        }
        HIT_TRY(grow(task->first_access + task->accesses, &graph->access_room,
                     sizeof *graph->access, &graph->access));
        graph->access[task->first_access + task->accesses++] = access[k];
    }
    return HIT_OK;
}

hit_status hit_graph_add_task(hit_graph *graph, const hit_graph_task *what, int accesses,
                              const hit_graph_access access[])
{
    const int number = graph->tasks;
    hit_graph_task *task;

    HIT_TRY(check(graph, what, accesses, access));
    HIT_TRY(grow(number, &graph->task_room, sizeof *graph->task, &graph->task));
    task = &graph->task[number];
    *task = (hit_graph_task){.work = what->work,
                             .row = what->row,
                             .column = what->column,
                             .first_next = -1,
                             .mark = -1};
    HIT_TRY(add_accesses(graph, task, accesses, access));
    graph->accesses += task->accesses;
    for (int k = 0; k < task->accesses; k++) {
        HIT_TRY(add_edges(graph, number, &graph->access[task->first_access + k]));
    }
    for (int k = 0; k < task->accesses; k++) {
        HIT_TRY(note(graph, number, &graph->access[task->first_access + k]));
    }
    graph->tasks++;
    return HIT_OK;
}

void hit_graph_forget_tasks(hit_graph *graph)
{
    graph->tasks = 0;
    graph->accesses = 0;
    graph->links = 0;
    graph->edges = 0;
    for (int d = 0; d < graph->data; d++) {
        graph->datum[d].last_writer = -1;
        graph->datum[d].first_reader = -1;
    }
}

void hit_graph_ranks(const hit_graph *graph, int first, int end, const int64_t work_ns[],
                     int64_t rank_ns[])
{
    for (int t = end - 1; t >= first; t--) {
        int64_t longest = 0;

        for (int k = graph->task[t].first_next; k >= 0; k = graph->link[k].next) {
            const int next = graph->link[k].task;

            if (next < end && rank_ns[next] > longest) longest = rank_ns[next];
        }
        rank_ns[t] = longest + work_ns[graph->task[t].work];
    }
}
