/* SPDX-License-Identifier: MIT
 * Launches run when the window is full, or when the program looks at what they write. */
#include "hit/base/status_impl.h"
#include "hit/scheduled/schedule_impl.h"

#include <limits.h>
#include <stdlib.h>

enum {
    WINDOW = 4096,       /* tasks that are not over */
    LEFT = 3072,         /* of them, when the window was full */
    TOGETHER = 64,       /* tasks that a driver which goes on is told of at once */
    FORGET = 16 * WINDOW /* tasks of which the graph knows */
};

/* ---- launches run ---- */

void hit_scheduled_clear(hit_scheduled *s)
{
    if (s->engine != NULL) s->driver->give_up(s);
    for (int t = 0; t < s->graph.tasks; t++) {
        free(s->task[t]);
    }
    free(s->task);
    s->task = NULL;
    s->task_room = 0;
    s->forgotten += (uint64_t)s->graph.tasks;
    s->over = 0;
    s->buffers = 0;
    s->receives = 0;
    hit_scheduled_note_over(s);
    hit_scheduled_data_close(s);
    hit_graph_clear(&s->graph);
    s->driver->close(s);
}

/* What launches were to write that did not run. */
static void lose_tasks(const hit_scheduled *s, const hit_first *failure)
{
    for (int t = 0; t < s->graph.tasks; t++) {
        const hit_scheduled_task *task = s->task[t];

        for (int u = 0; task != NULL && u < task->uses; u++) {
            const hit_scheduled_use *use = &task->use[u];

            if (!use->writes) continue;
            hit_scheduled_datum_lose(s, use->datum, &use->written, failure);
        }
    }
}

static hit_status bring(hit_scheduled *s, int datum, int node)
{
    const hit_domain own = hit_scheduled_data_own(s, datum);

    return s->driver->copy(s, datum, node, 0, &own);
}

static void collapse(hit_scheduled *s, const hit_first *failure)
{
    hit_action action;

    s->driver->give_up(s);
    while (hit_engine_next(s->engine, &action)) { /* copies back count as done */
        if (action.back && bring(s, action.datum, action.from) != HIT_OK) {
            hit_scheduled_datum_lose(s, action.datum, &s->datum[action.datum].box,
                                     failure);
        }
    }
    for (int d = 0; d < s->graph.data; d++) {
        if (s->datum[d].storage == NULL) continue;
        if (hit_engine_where(s->engine, d) == 0) continue;
        if (bring(s, d, hit_engine_where(s->engine, d)) != HIT_OK) {
            hit_scheduled_datum_lose(s, d, &s->datum[d].box, failure);
        }
    }
    lose_tasks(s, failure);
    hit_scheduled_clear(s);
}

hit_status hit_scheduled_keep_going(hit_scheduled *s, hit_status status)
{
    hit_first failure;

    if (status == HIT_OK) return HIT_OK;
    hit_first_store(&failure, status);
    collapse(s, &failure);
    return hit_first_tell(&failure);
}

hit_status hit_scheduled_restart(hit_scheduled *s)
{
    HIT_TRY(hit_engine_restart(s->engine, &s->scheduler));
    hit_graph_forget_tasks(&s->graph);
    return HIT_OK;
}

hit_status hit_scheduled_drain(hit_scheduled *s)
{
    const int tasks = s->graph.tasks;
    hit_status status;

    if (s->engine == NULL || tasks == 0) return HIT_OK;
    status = s->driver->submit(s);
    if (status == HIT_OK) status = s->driver->run(s, 0);
    if (status == HIT_OK) status = hit_scheduled_restart(s);
    if (status != HIT_OK) return hit_scheduled_keep_going(s, status);
    s->forgotten += (uint64_t)tasks;
    s->over = 0;
    hit_scheduled_note_over(s);
    return HIT_OK;
}

hit_status hit_scheduled_tell(hit_scheduled *s)
{
    return hit_first_tell(&s->failed);
}

/* Tasks that the engine does not know yet. */
static int count_new(const hit_scheduled *s)
{
    return s->graph.tasks - hit_engine_tasks_done(s->engine) -
           hit_engine_pending(s->engine);
}

/* Tasks are told together, since the engine looks at the whole graph then. */
static hit_status go_on(hit_scheduled *s)
{
    if (hit_engine_pending(s->engine) == 0 || count_new(s) >= TOGETHER) {
        HIT_TRY(s->driver->submit(s));
    }
    return s->driver->run(s, INT_MAX);
}

hit_status hit_scheduled_make_way(hit_scheduled *s)
{
    hit_status status;

    if (s->graph.tasks >= FORGET) return hit_scheduled_drain(s);
    if (s->graph.tasks - hit_engine_tasks_done(s->engine) < WINDOW) {
        return s->driver->real ? hit_scheduled_keep_going(s, go_on(s)) : HIT_OK;
    }
    status = s->driver->submit(s);
    if (status == HIT_OK) status = s->driver->run(s, LEFT);
    return hit_scheduled_keep_going(s, status);
}

/* ---- the caller waits for some tasks ---- */

/* Do tasks that are not over write the datum, or, for @p writes, use it? */
static bool is_used(const hit_scheduled *s, int datum, bool writes)
{
    const hit_graph_datum *of = &s->graph.datum[datum];

    if (of->last_writer >= 0 && s->task[of->last_writer] != NULL) return true;
    for (int k = of->first_reader; k >= 0 && writes; k = s->graph.link[k].next) {
        if (s->task[s->graph.link[k].task] != NULL) return true;
    }
    return false;
}

static hit_status step(hit_scheduled *s, bool briefly)
{
    if (count_new(s) > 0) HIT_TRY(s->driver->submit(s));
    return s->driver->step(s, briefly);
}

static hit_status reach(hit_scheduled *s, int datum, bool writes)
{
    while (is_used(s, datum, writes)) {
        HIT_TRY(step(s, false));
    }
    return HIT_OK;
}

hit_status hit_scheduled_reach(hit_scheduled *s, int datum, bool writes)
{
    return hit_scheduled_keep_going(s, reach(s, datum, writes));
}

hit_status hit_scheduled_reach_task(void *scheduled, uint64_t task)
{
    hit_scheduled *s = scheduled;

    while (s->over < s->graph.tasks && s->forgotten + (uint64_t)s->over < task) {
        HIT_TRY(hit_scheduled_keep_going(s, step(s, false)));
    }
    return HIT_OK;
}

bool hit_scheduled_help(void *of)
{
    hit_scheduled *s = of;

    if (s->engine == NULL || s->over == s->graph.tasks) return false;
    hit_stations_keep_failure(s->context->stations,
                              hit_scheduled_keep_going(s, step(s, true)));
    return true;
}

/* ---- data come home ---- */

/* Mostly the box is that of a datum, beside which no other has elements of it. */
static int next(const hit_scheduled *s, int before, const hit_scheduled_wish *w)
{
    const int equal = w->piece < 0 || w->box == NULL
                          ? -1
                          : hit_scheduled_data_find(s, w->storage, w->piece, w->box);

    if (equal >= 0) return before < 0 ? equal : -1;
    return hit_scheduled_data_next(s, before, w->storage, w->piece, w->box);
}

static hit_status fetch(hit_scheduled *s, const hit_scheduled_wish *w)
{
    for (int d = next(s, -1, w); d >= 0; d = next(s, d, w)) {
        /* what is around the box is not given up */
        if (!w->content &&
            (w->box == NULL || hit_domain_inside(&s->datum[d].box, w->box))) {
            continue;
        }
        HIT_TRY(hit_engine_fetch(s->engine, d, s->driver->now_ns(s)));
    }
    HIT_TRY(s->driver->run(s, 0));
    for (int d = next(s, -1, w); d >= 0 && w->only; d = next(s, d, w)) {
        HIT_TRY(hit_engine_take_back(s->engine, d));
    }
    return s->driver->run(s, 0);
}

/* Of data around which elements of others lie, programs and messages look at an edge. */
static bool is_edge(const hit_scheduled *s, int datum, const hit_scheduled_wish *w)
{
    const hit_domain own = hit_scheduled_data_own(s, datum);

    return w->box != NULL && !hit_domain_equal(&own, &s->datum[datum].box) &&
           !hit_domain_inside(&own, w->box) && hit_engine_where(s->engine, datum) > 0;
}

static hit_status fetch_edge(hit_scheduled *s, int datum, const hit_scheduled_wish *w)
{
    const hit_domain own = hit_scheduled_data_own(s, datum);
    const hit_domain edge = hit_domain_intersect(&own, w->box);

    if (hit_domain_is_empty(&edge)) return HIT_OK;
    return s->driver->copy(s, datum, hit_engine_where(s->engine, datum), 0, &edge);
}

/* The same for who reads: other tasks go on. */
static hit_status fetch_meanwhile(hit_scheduled *s, const hit_scheduled_wish *w)
{
    for (int d = next(s, -1, w); d >= 0; d = next(s, d, w)) {
        HIT_TRY(reach(s, d, false));
        HIT_TRY(is_edge(s, d, w) ? fetch_edge(s, d, w)
                                 : hit_engine_fetch(s->engine, d, s->driver->now_ns(s)));
    }
    for (int d = next(s, -1, w); d >= 0; d = next(s, d, w)) {
        while (!hit_engine_has(s->engine, d, 0) && !is_edge(s, d, w)) {
            HIT_TRY(step(s, false));
        }
    }
    return HIT_OK;
}

static hit_status await_buffer(hit_scheduled *s, int datum, bool content)
{
    HIT_TRY(reach(s, datum, true));
    if (!content) return HIT_OK;
    HIT_TRY(hit_engine_fetch(s->engine, datum, s->driver->now_ns(s)));
    while (!hit_engine_has(s->engine, datum, 0)) {
        HIT_TRY(step(s, false));
    }
    return HIT_OK;
}

hit_status hit_scheduled_await_buffer(hit_scheduled *s, int buffer)
{
    const int datum = buffer < 0 ? ~buffer : buffer;

    HIT_TRY(hit_scheduled_keep_going(s, await_buffer(s, datum, buffer < 0)));
    if (!hit_scheduled_datum_fails(s, datum, false)) return HIT_OK;
    HIT_TRY(hit_scheduled_drain(s)); /* it may not be the first one */
    return hit_scheduled_tell(s);
}

hit_status hit_scheduled_await(void *scheduled, hit_storage *storage, int piece,
                               const hit_domain *box)
{
    const hit_scheduled_wish w = {.storage = storage, .piece = piece, .box = box};
    hit_scheduled *s = scheduled;

    return s->engine == NULL || next(s, -1, &w) < 0 ? HIT_OK : hit_scheduled_drain(s);
}

static hit_status take_back(hit_scheduled *s, int datum)
{
    HIT_TRY(hit_engine_take_back(s->engine, datum));
    return s->driver->run(s, INT_MAX); /* what is dropped is dropped now */
}

/* On all devices that have it. */
static hit_status renew(hit_scheduled *s, int datum, const hit_domain *box)
{
    const hit_domain part = hit_domain_intersect(&s->datum[datum].box, box);

    for (int n = 1; n < s->nodes; n++) {
        if (!hit_engine_has(s->engine, datum, n)) continue;
        HIT_TRY(s->driver->copy(s, datum, 0, n, &part));
    }
    return HIT_OK;
}

/* @errors of a copy, after which no device has it */
static hit_status renew_or_drop(hit_scheduled *s, int datum, const hit_domain *box)
{
    hit_status status;

    HIT_TRY(hit_scheduled_reach(s, datum, true));
    status = renew(s, datum, box);
    if (status == HIT_OK) return HIT_OK;
    hit_scheduled_copy_failed(s, datum, status);
    HIT_TRY(hit_scheduled_keep_going(s, take_back(s, datum)));
    return hit_scheduled_tell(s);
}

hit_status hit_scheduled_renew(void *scheduled, hit_storage *storage, int piece,
                               const hit_domain *box)
{
    const hit_scheduled_wish w = {.storage = storage, .piece = piece, .box = box};
    hit_scheduled *s = scheduled;

    for (int d = next(s, -1, &w); s->engine != NULL && d >= 0; d = next(s, d, &w)) {
        if (s->datum[d].receiving) {
            s->datum[d].rim_is_old = true;
        } else {
            HIT_TRY(renew_or_drop(s, d, box));
        }
    }
    return HIT_OK;
}

static hit_status renew_rim(hit_scheduled *s, int datum)
{
    const hit_scheduled_datum *one = &s->datum[datum];
    hit_region rim = {0};
    hit_status status = hit_region_append(&rim, &one->box);

    if (status == HIT_OK) status = hit_region_subtract(&rim, &one->there);
    for (int k = 0; k < rim.count && status == HIT_OK; k++) {
        status = renew_or_drop(s, datum, &rim.part[k]);
    }
    hit_region_clear(&rim);
    return status;
}

hit_status hit_scheduled_renew_received(hit_scheduled *s)
{
    hit_first first;

    hit_first_begin(&first);
    while (s->receives > 0 && s->engine != NULL) {
        const int d = s->receiving[--s->receives];
        const bool old = s->datum[d].rim_is_old;

        if (!s->datum[d].receiving) continue; /* another one has its number */
        s->datum[d].receiving = s->datum[d].rim_is_old = false;
        if (old) hit_first_keep(&first, renew_rim(s, d));
    }
    s->receives = 0;
    return hit_first_tell(&first);
}

hit_status hit_scheduled_retire(hit_scheduled *s, int datum)
{
    HIT_TRY(hit_scheduled_keep_going(s, take_back(s, datum)));
    hit_scheduled_data_forget(s, datum);
    return HIT_OK;
}

/* What has nothing to do with the failure does not tell it. */
static bool meets_failure(const hit_scheduled *s, const hit_scheduled_wish *w)
{
    for (int d = next(s, -1, w); d >= 0; d = next(s, d, w)) {
        if (hit_scheduled_datum_fails(s, d, w->only)) return true;
    }
    return false;
}

hit_status hit_scheduled_home(hit_scheduled *s, const hit_scheduled_wish *w)
{
    bool met;

    if (s->engine == NULL || next(s, -1, w) < 0) return HIT_OK;
    if (w->only) {
        HIT_TRY(hit_scheduled_drain(s));
        HIT_TRY(hit_scheduled_keep_going(s, fetch(s, w)));
    } else {
        HIT_TRY(hit_scheduled_keep_going(s, fetch_meanwhile(s, w)));
    }
    met = meets_failure(s, w);
    if (met) HIT_TRY(hit_scheduled_drain(s)); /* it may not be the first one */
    for (int d = next(s, -1, w); d >= 0 && w->forget;) {
        const int gone = d;

        d = next(s, d, w);
        hit_scheduled_data_forget(s, gone);
    }
    return met ? hit_scheduled_tell(s) : HIT_OK;
}

hit_status hit_scheduled_leave(hit_scheduled *s)
{
    const hit_scheduled_wish all = {
        .piece = -1, .content = true, .only = true, .forget = true};

    hit_status status;

    if (s->engine == NULL) return HIT_OK;
    status = hit_scheduled_home(s, &all);
    /* a failure may have been told when all was home */
    if (s->driver->free_memory != NULL) s->driver->free_memory(s);
    return status;
}
