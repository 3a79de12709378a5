/* SPDX-License-Identifier: MIT
 * From a launch to a task of the graph: its boxes are data, its kernel and their edges
 * are the work. */
#include "hit/base/alloc.h"
#include "hit/base/status_impl.h"
#include "hit/scheduled/schedule_impl.h"
#include "hit/tile/tile_impl.h"

#include <stdlib.h>

static hit_storage *storage_of(const hit_call *call, const hit_use *use)
{
    return call->args[use->arg].tile->storage;
}

/* The piece of its storage that has what the argument needs, or what it is otherwise. */
static int piece_of(const hit_call *call, const hit_use *use)
{
    if (hit_mode_reduces(use->mode)) return HIT_DATUM_SUM;
    return use->piece[0] < 0 ? HIT_DATUM_HELD : hit_use_storage_piece(use, call, 0);
}

/* Have two arguments elements in common, in boxes that are not equal? Boxes that are held
 * lie each in memory of its own. */
static bool overlap(const hit_call *call, const hit_launch_plan *plan, int u, int v,
                    const hit_domain box[])
{
    const hit_use *a = &plan->use[u];
    const hit_use *b = &plan->use[v];
    hit_domain common;

    if (storage_of(call, a) != storage_of(call, b)) return false;
    if (piece_of(call, a) < 0 || piece_of(call, a) != piece_of(call, b)) return false;
    common = hit_domain_intersect(&box[u], &box[v]);
    return !hit_domain_is_empty(&common) && !hit_domain_equal(&box[u], &box[v]);
}

/* What arguments have in common is in one box. */
static void join(const hit_call *call, const hit_launch_plan *plan, hit_domain box[])
{
    bool again = true;

    while (again) {
        again = false;
        for (int u = 0; u < plan->uses; u++) {
            for (int v = 0; v < u; v++) {
                if (!overlap(call, plan, u, v, box)) continue;
                box[u] = hit_domain_cover(&box[u], &box[v]);
                box[v] = box[u];
                again = true;
            }
        }
    }
}

/* The datum that is exactly the box. Data with which it has elements in common are given
 * up: the window is run, and they go home. */
static hit_status find_datum(hit_scheduled *s, hit_storage *storage, int piece,
                             const hit_domain *box, int *datum)
{
    const hit_scheduled_wish others = {.storage = storage,
                                       .piece = piece,
                                       .box = box,
                                       .content = true,
                                       .only = true,
                                       .forget = true};

    *datum = hit_scheduled_data_find(s, storage, piece, box);
    if (*datum >= 0) return HIT_OK;
    HIT_TRY(hit_scheduled_home(s, &others));
    HIT_TRY(hit_scheduled_begin(s));
    HIT_TRY(hit_storage_touch(storage, piece, box, HIT_READ_WRITE));
    return hit_scheduled_data_add(
        s, &(hit_scheduled_datum){.storage = storage, .piece = piece, .box = *box},
        datum);
}

/* The datum that is what is held now. If something came since, it is another one. */
static hit_status find_held(hit_scheduled *s, hit_storage *storage,
                            const hit_held_box *box, int *datum)
{
    const hit_scheduled_datum now = {.storage = storage,
                                     .piece = HIT_DATUM_HELD,
                                     .box = box->box,
                                     .held = box->memory,
                                     .content = box->content};

    *datum = hit_scheduled_data_find(s, storage, HIT_DATUM_HELD, &box->box);
    if (*datum >= 0 && s->datum[*datum].content == box->content) return HIT_OK;
    if (*datum >= 0) {
        HIT_TRY(hit_scheduled_reach(s, *datum, true));
        HIT_TRY(hit_scheduled_retire(s, *datum));
    }
    return hit_scheduled_data_add(s, &now, datum);
}

/* The box of a datum, which has what is between elements with strides, too: that of a
 * datum that is there if the need is most of it, so that what programs write of a tile,
 * and read around it, moves nothing. */
static hit_domain box_of(const hit_scheduled *s, const hit_call *call, const hit_use *use)
{
    const hit_storage *storage = storage_of(call, use);
    const int piece = piece_of(call, use);
    hit_domain box = use->need[0];

    for (int d = 0; d < box.dims; d++) {
        box.sig[d].stride = 1;
    }
    if (piece < 0 || hit_scheduled_data_find(s, storage, piece, &box) >= 0) return box;
    for (int d = hit_scheduled_data_next(s, -1, storage, piece, &box); d >= 0;
         d = hit_scheduled_data_next(s, d, storage, piece, &box)) {
        const hit_domain *other = &s->datum[d].box;

        if (hit_domain_inside(&box, other) &&
            2 * hit_domain_count(&box) > hit_domain_count(other)) {
            return *other;
        }
    }
    return box;
}

static hit_status find_data(hit_scheduled *s, const hit_call *call,
                            const hit_launch_plan *plan, hit_scheduled_task *task)
{
    hit_domain box[HIT_MAX_ARGS];

    for (int u = 0; u < plan->uses; u++) {
        box[u] = box_of(s, call, &plan->use[u]);
    }
    join(call, plan, box);
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];
        const int piece = piece_of(call, use);
        const hit_scheduled_datum sum = {.storage = storage_of(call, use),
                                         .piece = HIT_DATUM_SUM,
                                         .box = box[u],
                                         .held = use->user[0].data};

        if (piece == HIT_DATUM_SUM) {
            HIT_TRY(hit_scheduled_data_add(s, &sum, &task->use[u].datum));
            continue;
        }
        if (piece == HIT_DATUM_HELD) {
            HIT_TRY(find_held(s, storage_of(call, use), hit_holds_find(call, use),
                              &task->use[u].datum));
            continue;
        }
        HIT_TRY(
            find_datum(s, storage_of(call, use), piece, &box[u], &task->use[u].datum));
        /* what is around the need stays as it is */
        if (!hit_domain_equal(&box[u], &use->need[0])) {
            task->use[u].reads = true;
        }
    }
    return HIT_OK;
}

/* The accesses of a task: what is only read first. Returns how many. */
static int list_accesses(const hit_scheduled_task *task, hit_graph_access access[])
{
    int count = 0;

    for (int turn = 0; turn < 2; turn++) {
        for (int u = 0; u < task->uses; u++) {
            const hit_scheduled_use *use = &task->use[u];

            if (use->writes != (turn == 1)) continue;
            access[count++] = (hit_graph_access){use->datum, use->reads, use->writes};
        }
    }
    return count;
}

/* All data of a task, each once. */
static int64_t footprint(const hit_scheduled *s, const hit_scheduled_task *task)
{
    int64_t bytes = 0;

    for (int u = 0; u < task->uses; u++) {
        bool again = false;

        for (int v = 0; v < u; v++) {
            again = again || task->use[v].datum == task->use[u].datum;
        }
        if (!again) bytes += s->graph.datum[task->use[u].datum].bytes;
    }
    return bytes;
}

int64_t hit_scheduled_guessed_ns(int64_t bytes)
{
    return bytes / 8 + 1;
}

/* Where the block that the task is there for lies among those like it. */
static void set_place(const hit_scheduled *s, const hit_scheduled_task *task,
                      hit_graph_task *what)
{
    const hit_domain *box = &s->datum[task->use[0].datum].box;

    for (int u = task->uses - 1; u >= 0; u--) {
        if (task->use[u].writes) box = &s->datum[task->use[u].datum].box;
    }
    for (int d = 0; d < box->dims && d < 2; d++) {
        const hit_index edge = hit_sig_count(box->sig[d]);
        const hit_index at = edge > 0 ? box->sig[d].begin / edge : 0;

        if (at < 0 || at > INT32_MAX) continue;
        *(d == 0 ? &what->row : &what->column) = (int)at;
    }
}

static hit_status add_task(hit_scheduled *s, hit_scheduled_task *task)
{
    const size_t number = (size_t)s->graph.tasks;
    hit_graph_access access[HIT_MAX_ARGS];
    hit_graph_task what = {.work = task->work};
    hit_status status;

    set_place(s, task, &what);
    HIT_TRY(hit_memory_grow(number + 1, &s->task_room, sizeof(task), "launches that wait",
                            &s->task));
    status = hit_graph_add_task(&s->graph, &what, list_accesses(task, access), access);
    if (status != HIT_OK) return hit_scheduled_keep_going(s, status);
    s->task[number] = task;
    return HIT_OK;
}

/* *fits: no launch is refused that can be cut. */
static hit_status make_task(hit_scheduled *s, const hit_call *call,
                            const hit_launch_plan *plan, hit_scheduled_task *task,
                            bool *fits)
{
    hit_status status;
    int64_t bytes;

    HIT_TRY(find_data(s, call, plan, task));
    bytes = footprint(s, task);
    HIT_TRY(s->driver->find_work(s, call, plan, task, bytes, &task->work));
    if (s->driver->probe != NULL) s->driver->probe(s, task);
    status = hit_engine_fits(s->engine, task->work, bytes);
    *fits = status != HIT_E_LIMIT;
    return !*fits && s->driver->real ? HIT_OK : status;
}

static hit_status collect(hit_scheduled *s, hit_storage *storage, const hit_domain *box)
{
    const hit_scheduled_wish w = {
        .storage = storage, .piece = HIT_DATUM_SUM, .box = box, .content = true};
    hit_first first;
    int datum;

    hit_first_begin(&first);
    hit_first_keep(&first, hit_scheduled_home(s, &w));
    datum = hit_scheduled_data_find(s, storage, HIT_DATUM_SUM, box);
    if (datum >= 0) hit_first_keep(&first, hit_scheduled_retire(s, datum));
    return hit_first_tell(&first);
}

hit_status hit_scheduled_collect(hit_scheduled *s, const hit_call *call,
                                 const hit_launch_plan *plan)
{
    hit_first first;

    hit_first_begin(&first);
    for (int u = 0; u < plan->uses && plan->reduces; u++) {
        const hit_use *use = &plan->use[u];

        if (!hit_mode_reduces(use->mode)) continue;
        hit_first_keep(&first, collect(s, storage_of(call, use), &use->need[0]));
    }
    return hit_first_tell(&first);
}

hit_status hit_scheduled_submit(hit_scheduled *s, const hit_call *call,
                                hit_launch_plan *plan, bool *taken)
{
    hit_scheduled_task *task = NULL;
    hit_status status;

    HIT_TRY(hit_scheduled_task_make(call, plan, &task));
    status = make_task(s, call, plan, task, taken);
    if (status == HIT_OK && *taken) status = add_task(s, task);
    if (status != HIT_OK || !*taken) {
        free(task);
        return status;
    }
    return hit_scheduled_make_way(s);
}
