/* SPDX-License-Identifier: MIT
 * Virtual time goes on when the window of launches is full, or when the program looks at
 * what they write. */
#include "hit/scheduled/window.h"

#include "hit/base/context.h"
#include "hit/scheduled/data.h"
#include "hit/scheduled/virtual.h"
#include "hit/tile/station.h"

enum {
    WINDOW = 4096,     /* tasks that are not over */
    LEFT = 3072,       /* of them, when the window was full */
    FORGET = 16 * 4096 /* tasks of which the graph knows */
};

/* ---- virtual time ---- */

void hit_scheduled_note_time(hit_scheduled *s)
{
    s->now_ns = hit_simulation_now_ns(s->simulation);
    s->context->stations->busy_s = (double)s->now_ns * 1e-9;
}

/* After a failure of the engine: what is right on some node goes home, and tasks that did
 * not run are lost, which the failure says. */
void hit_scheduled_collapse(hit_scheduled *s)
{
    const hit_engine *engine = hit_simulation_engine(s->simulation);

    hit_simulation_give_up(s->simulation);
    for (int d = 0; d < s->graph.data && s->carries; d++) {
        if (s->datum[d].storage == NULL) continue;
        if (hit_engine_where(engine, d) == 0) continue;
        (void)hit_scheduled_data_copy(s, d, hit_engine_where(engine, d), 0);
    }
    hit_scheduled_note_time(s);
    hit_scheduled_clear(s);
}

static hit_status keep_going(hit_scheduled *s, hit_status status)
{
    if (status == HIT_OK) {
        hit_scheduled_note_time(s);
    } else {
        hit_scheduled_collapse(s);
    }
    return status;
}

hit_status hit_scheduled_drain(hit_scheduled *s)
{
    const int tasks = s->graph.tasks;
    hit_status status;

    if (s->simulation == NULL || s->graph.tasks == 0) return HIT_OK;
    status = hit_simulation_submit(s->simulation);
    if (status == HIT_OK) status = hit_simulation_run(s->simulation, 0);
    if (status == HIT_OK) {
        status = hit_simulation_restart(s->simulation, &s->graph, &s->scheduler);
    }
    if (status == HIT_OK) s->forgotten += (uint64_t)tasks;
    return keep_going(s, status);
}

hit_status hit_scheduled_tell(hit_scheduled *s)
{
    const hit_status failed = s->failed;

    s->failed = HIT_OK;
    return failed == HIT_OK ? HIT_OK : HIT_FAIL(failed, "%s", s->failed_text);
}

hit_status hit_scheduled_make_way(hit_scheduled *s)
{
    const hit_engine *engine = hit_simulation_engine(s->simulation);
    hit_status status;

    if (s->graph.tasks >= FORGET) return hit_scheduled_drain(s);
    if (s->graph.tasks - hit_engine_tasks_done(engine) < WINDOW) return HIT_OK;
    status = hit_simulation_submit(s->simulation);
    if (status == HIT_OK) status = hit_simulation_run(s->simulation, LEFT);
    return keep_going(s, status);
}

hit_status hit_scheduled_begin(hit_scheduled *s)
{
    if (s->simulation != NULL) return HIT_OK;
    return hit_simulation_open(&s->graph, &s->machine, &s->scheduler, &s->options,
                               s->now_ns, &s->simulation);
}

/* ---- data come home ---- */

static int next(const hit_scheduled *s, int before, const hit_scheduled_wish *w)
{
    return hit_scheduled_data_next(s, before, w->storage, w->piece, w->box);
}

static hit_status fetch(hit_scheduled *s, const hit_scheduled_wish *w)
{
    hit_engine *engine = hit_simulation_engine(s->simulation);
    const int64_t now_ns = hit_simulation_now_ns(s->simulation);

    for (int d = next(s, -1, w); d >= 0; d = next(s, d, w)) {
        /* what is around the box is not given up */
        if (!w->content &&
            (w->box == NULL || hit_domain_inside(&s->datum[d].box, w->box))) {
            continue;
        }
        HIT_TRY(hit_engine_fetch(engine, d, now_ns));
    }
    HIT_TRY(hit_simulation_run(s->simulation, 0));
    for (int d = next(s, -1, w); d >= 0 && w->only; d = next(s, d, w)) {
        HIT_TRY(hit_engine_take_back(engine, d));
    }
    return hit_simulation_run(s->simulation, 0);
}

hit_status hit_scheduled_home(hit_scheduled *s, const hit_scheduled_wish *w)
{
    if (s->simulation == NULL || next(s, -1, w) < 0) return HIT_OK;
    HIT_TRY(hit_scheduled_drain(s));
    HIT_TRY(keep_going(s, fetch(s, w)));
    for (int d = next(s, -1, w); d >= 0 && w->forget;) {
        const int gone = d;

        d = next(s, d, w);
        hit_scheduled_data_forget(s, gone);
    }
    return hit_scheduled_tell(s);
}
