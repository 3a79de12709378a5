/* SPDX-License-Identifier: MIT
 * From a launch to tasks of the graph, one for each of its pieces: its boxes are data,
 * its kernel and their edges are the work. */
#include "hit/base/alloc.h"
#include "hit/base/status_impl.h"
#include "hit/scheduled/schedule_impl.h"
#include "patterns/transform.h"

#include <stdlib.h>
#include <string.h>

/* ---- where the arguments of all pieces lie ---- */

/* The box of a datum, which has what is between elements with strides, too, where the
 * tile has that: that of a datum that is there if the need is most of it, so that what
 * programs write of a tile, and read around it, moves nothing. */
static hit_domain box_of(const hit_scheduled *s, const hit_scheduled_datum *at)
{
    const hit_storage *storage = at->storage;
    hit_domain box = at->box;

    if (!hit_domain_is_dense(&storage->owned[at->piece])) {
        return storage->owned[at->piece];
    }
    for (int d = 0; d < box.dims; d++) {
        box.sig[d].stride = 1;
    }
    if (hit_scheduled_data_find(s, storage, at->piece, &box) >= 0) return box;
    for (int d = hit_scheduled_data_next(s, -1, storage, at->piece, &box); d >= 0;
         d = hit_scheduled_data_next(s, d, storage, at->piece, &box)) {
        const hit_domain *other = &s->datum[d].box;

        if (hit_domain_inside(&box, other) &&
            2 * hit_domain_count(&box) > hit_domain_count(other)) {
            return *other;
        }
    }
    return box;
}

/* In the piece of its storage that has what the argument of a piece needs, in what is
 * held, or in a buffer of the launch. */
static hit_scheduled_datum place_of(const hit_scheduled *s, const hit_call *call,
                                    const hit_launch_plan *plan, int piece,
                                    const hit_use *use)
{
    hit_scheduled_datum at = {.storage = hit_use_storage(use, call),
                              .piece = HIT_DATUM_BUFFER,
                              .box = use->need[piece],
                              .held = use->user[piece].data};
    const hit_held_box *held = NULL;

    if (hit_mode_reduces(use->mode)) return at;
    if (use->piece[piece] >= 0) {
        at.piece = hit_use_storage_piece(use, call, piece);
        at.box = box_of(s, &at);
        return at;
    }
    if (plan->pieces == 1 && use->has) held = hit_holds_find(call, use);
    if (held == NULL) return at;
    at.piece = HIT_DATUM_HELD;
    at.box = held->box;
    at.content = held->content;
    return at;
}

/* Have they elements in common, in boxes that are not equal? Boxes that are held, and
 * buffers, lie each in memory of its own. */
static bool overlap(const hit_scheduled_datum *a, const hit_scheduled_datum *b)
{
    if (a->piece < 0 || a->piece != b->piece || a->storage != b->storage) return false;
    return hit_domain_meets(&a->box, &b->box) && !hit_domain_equal(&a->box, &b->box);
}

/* What they have in common is in one box. */
static void join(hit_scheduled_datum place[], int count)
{
    bool again = true;

    while (again) {
        again = false;
        for (int u = 0; u < count; u++) {
            for (int v = 0; v < u; v++) {
                if (!overlap(&place[u], &place[v])) continue;
                place[u].box = hit_domain_cover(&place[u].box, &place[v].box);
                place[v].box = place[u].box;
                again = true;
            }
        }
    }
}

static hit_status find_places(hit_scheduled *s, const hit_call *call,
                              const hit_launch_plan *plan, int boxes)
{
    const int count = plan->pieces * plan->uses;
    const size_t buffers = (size_t)boxes * (size_t)plan->uses;

    HIT_TRY(hit_memory_grow((size_t)count, &s->place_room, sizeof *s->place,
                            "boxes of a launch", &s->place));
    HIT_TRY(hit_memory_grow(buffers, &s->buffer_room, sizeof *s->buffer,
                            "boxes of a launch", &s->buffer));
    HIT_TRY(hit_memory_grow(s->receives + (size_t)plan->uses, &s->receive_room,
                            sizeof *s->receiving, "boxes of a launch", &s->receiving));
    HIT_TRY(hit_memory_grow((size_t)boxes, &s->made_room, sizeof(*s->made),
                            "pieces of a launch", &s->made));
    for (int k = 0; k < count; k++) {
        s->place[k] = place_of(s, call, plan, k / plan->uses, &plan->use[k % plan->uses]);
    }
    join(s->place, count);
    return HIT_OK;
}

/* ---- their data ---- */

/* The datum that is exactly @p at. Data with which it has elements in common are given
 * up: the window is run, and they go home. If something came since for what is held, it
 * is another one. */
static hit_status find_datum(hit_scheduled *s, const hit_scheduled_datum *at, int *datum)
{
    const hit_scheduled_wish others = {.storage = at->storage,
                                       .piece = at->piece,
                                       .box = &at->box,
                                       .content = true,
                                       .only = true,
                                       .forget = true};

    *datum = hit_scheduled_data_find(s, at->storage, at->piece, &at->box);
    if (*datum >= 0 && s->datum[*datum].content == at->content) return HIT_OK;
    if (*datum >= 0) {
        HIT_TRY(hit_scheduled_reach(s, *datum, true));
        HIT_TRY(hit_scheduled_retire(s, *datum));
    } else if (at->piece >= 0) {
        HIT_TRY(hit_scheduled_home(s, &others));
        HIT_TRY(hit_scheduled_begin(s));
        HIT_TRY(hit_storage_touch(at->storage, at->piece, &at->box, HIT_READ_WRITE));
    }
    return hit_scheduled_data_add(s, at, datum);
}

/* The piece of box @p k of a phase: all boxes of inner indices and borders are of the
 * first one. */
static int piece_of_box(hit_phase phase, int k)
{
    return phase == HIT_PHASE_ALL ? k : 0;
}

/* Of box @p k of a phase, which becomes a task. Boxes of one piece have one buffer in
 * common: what each of them makes in it must come home. The launch waits for it, and
 * wants its content if its tasks write it. */
static hit_status find_data(hit_scheduled *s, const hit_launch_plan *plan, int k,
                            hit_phase phase)
{
    const int piece = piece_of_box(phase, k);
    const bool first = piece == k;

    for (int u = 0; u < plan->uses; u++) {
        const hit_scheduled_datum *at = &s->place[piece * plan->uses + u];
        hit_scheduled_use *its = &s->made[k]->use[u];

        if (at->piece != HIT_DATUM_BUFFER) {
            HIT_TRY(find_datum(s, at, &its->datum));
        } else if (first) {
            HIT_TRY(hit_scheduled_data_add(s, at, &its->datum));
            s->buffer[s->buffers++] = its->writes ? ~its->datum : its->datum;
        } else {
            its->datum = s->made[piece]->use[u].datum;
        }
        /* what is around what it writes stays as it is */
        its->reads = its->reads || !hit_domain_equal(&at->box, &its->written);
    }
    return HIT_OK;
}

/* ---- tasks ---- */

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
        const int datum = task->use[u].datum;

        if (hit_scheduled_task_has(task, u, datum)) continue;
        bytes += s->graph.datum[datum].bytes;
    }
    return bytes;
}

/* The number of a piece among those of the process along a dimension, of which there are
 * two at most, in the order of rows. */
static int number_of_piece(const hit_storage *storage, int piece, int d)
{
    int columns = 1;

    if (storage->pieces == 1 || storage->owned[0].dims == 1) return piece;
    while (columns < storage->pieces &&
           storage->owned[columns].sig[0].begin == storage->owned[0].sig[0].begin) {
        columns++;
    }
    return d == 0 ? piece / columns : piece % columns;
}

/* The number of a box among those like it of the process, along a dimension. */
static int number_along(const hit_scheduled_datum *of, int d)
{
    const hit_index edge = hit_sig_count(of->box.sig[d]);
    hit_index at = of->box.sig[d].begin;

    if (edge < 1) return 0;
    if (of->piece >= 0) {
        const hit_sig own = of->storage->owned[of->piece].sig[d];

        at += number_of_piece(of->storage, of->piece, d) * hit_sig_count(own);
        at -= own.begin;
    }
    return at < 0 || at / edge > INT32_MAX ? 0 : (int)(at / edge);
}

/* Where the block that the task is there for lies among those like it. Those that are as
 * long as the tile in one of two dimensions are a row of blocks. */
static void set_place(const hit_scheduled *s, const hit_scheduled_task *task,
                      hit_graph_task *what)
{
    const hit_scheduled_datum *of = &s->datum[task->use[0].datum];
    const hit_domain *all;
    int number[2] = {0, 0};
    int count = 0;

    for (int u = task->uses - 1; u >= 0; u--) {
        if (task->use[u].writes) of = &s->datum[task->use[u].datum];
    }
    all = &of->storage->layout->spec.domain;
    for (int d = 0; d < of->box.dims && d < 2; d++) {
        if (hit_sig_count(of->box.sig[d]) >= hit_sig_count(all->sig[d])) continue;
        number[count++] = number_along(of, d);
    }
    what->row = number[0];
    what->column = count < 2 ? HIT_GRAPH_ROW : number[1];
}

static hit_status add_task(hit_scheduled *s, hit_scheduled_task *task)
{
    const size_t number = (size_t)s->graph.tasks;
    hit_graph_access access[HIT_MAX_ARGS];
    hit_graph_task what = {.work = task->work};
    hit_status status;

    set_place(s, task, &what);
    HIT_TRY(HIT_ONE_MORE(s->task, number, s->task_room, "launches that wait"));
    status = hit_graph_add_task(&s->graph, &what, list_accesses(task, access), access);
    if (status != HIT_OK) return hit_scheduled_keep_going(s, status);
    s->task[number] = task;
    return HIT_OK;
}

/* What is to run in a phase: boxes of indices, each of a piece. */
static int count_boxes(const hit_launch_plan *plan, hit_phase phase)
{
    if (phase == HIT_PHASE_BORDER) return plan->border.count;
    return phase == HIT_PHASE_INNER ? 1 : plan->pieces;
}

static const hit_domain *indices_of(const hit_launch_plan *plan, hit_phase phase, int k)
{
    if (phase == HIT_PHASE_BORDER) return &plan->border.part[k];
    return phase == HIT_PHASE_INNER ? &plan->inner : &plan->index[k];
}

/* *fits: no launch is refused that can be cut. The driver is not asked again how much
 * memory there is for borders: they use what the inner part uses. */
static hit_status make_task(hit_scheduled *s, const hit_call *call,
                            const hit_launch_plan *plan, int k, hit_phase phase,
                            bool *fits)
{
    hit_scheduled_task *task;
    hit_status status;
    int64_t bytes;

    HIT_TRY(hit_scheduled_task_make(call, plan, indices_of(plan, phase, k),
                                    piece_of_box(phase, k), &s->made[k]));
    task = s->made[k];
    HIT_TRY(find_data(s, plan, k, phase));
    bytes = footprint(s, task);
    HIT_TRY(s->driver->find_work(s, call, plan, task, bytes, &task->work));
    if (s->driver->probe != NULL && phase != HIT_PHASE_BORDER) s->driver->probe(s, task);
    status = hit_engine_fits(s->engine, task->work, bytes);
    *fits = status != HIT_E_LIMIT;
    return !*fits && s->driver->real ? HIT_OK : status;
}

/* Around what the inner indices need of them something may be under way. */
static void begin_receiving(hit_scheduled *s, const hit_launch_plan *plan)
{
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];
        const int d = s->made[0]->use[u].datum;
        hit_scheduled_datum *one = &s->datum[d];
        hit_domain need;

        if (use->gather == NULL || one->piece < 0) continue;
        if (!one->receiving) s->receiving[s->receives++] = d;
        if (!one->receiving) one->there = hit_scheduled_data_own(s, d);
        one->receiving = true;
        need = hit_pattern_cover(use->pattern, &use->tile, &plan->inner);
        need = hit_domain_intersect(&need, &one->box);
        one->there = hit_domain_cover(&one->there, &need);
    }
}

/* All of them, before the first one is added. */
static hit_status make_tasks(hit_scheduled *s, const hit_call *call,
                             const hit_launch_plan *plan, hit_phase phase, bool *taken)
{
    const int boxes = count_boxes(plan, phase);

    *taken = true;
    for (int k = 0; k < boxes && *taken; k++) {
        HIT_TRY(make_task(s, call, plan, k, phase, taken));
    }
    if (*taken && phase == HIT_PHASE_INNER) begin_receiving(s, plan);
    for (int k = 0; k < boxes && *taken; k++) {
        HIT_TRY(add_task(s, s->made[k]));
        s->made[k] = NULL; /* the window's */
    }
    return HIT_OK;
}

hit_status hit_scheduled_collect(hit_scheduled *s)
{
    hit_first first;

    hit_first_begin(&first);
    while (s->buffers > 0) {
        const int buffer = s->buffer[s->buffers - 1];

        hit_first_keep(&first, hit_scheduled_await_buffer(s, buffer));
        if (s->buffers == 0) break; /* all was given up */
        s->buffers--;
        hit_first_keep(&first, hit_scheduled_retire(s, buffer < 0 ? ~buffer : buffer));
    }
    return hit_first_tell(&first);
}

hit_status hit_scheduled_submit(hit_scheduled *s, const hit_call *call,
                                hit_launch_plan *plan, hit_phase phase, bool *taken)
{
    const int boxes = count_boxes(plan, phase);
    hit_status status;

    HIT_TRY(find_places(s, call, plan, boxes));
    memset(s->made, 0, (size_t)boxes * sizeof(*s->made));
    status = make_tasks(s, call, plan, phase, taken);
    for (int k = 0; k < boxes; k++) {
        free(s->made[k]);
    }
    *taken = *taken && status == HIT_OK;
    return *taken ? hit_scheduled_make_way(s) : status;
}
