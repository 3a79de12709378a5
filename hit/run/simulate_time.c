/* SPDX-License-Identifier: MIT
 * Virtual time goes on when the window of launches is full, or when the program looks at
 * what they write. */
#include "hit/run/simulate_time.h"

#include "hit/base/context.h"
#include "hit/run/simulate_data.h"
#include "hit/run/simulate_open.h"
#include "hit/tile/station.h"

enum {
    WINDOW = 4096,     /* tasks that are not over */
    LEFT = 3072,       /* of them, when the window was full */
    FORGET = 16 * 4096 /* tasks of which the graph knows */
};

/* ---- virtual time ---- */

void hit_sim_note_time(hit_simulator *sim)
{
    sim->now_ns = hit_simulation_now_ns(sim->simulation);
    sim->context->stations->busy_s = (double)sim->now_ns * 1e-9;
}

/* After a failure of the engine: what is right on some node goes home, and tasks that did
 * not run are lost, which the failure says. */
void hit_sim_collapse(hit_simulator *sim)
{
    const hit_engine *engine = hit_simulation_engine(sim->simulation);

    hit_simulation_give_up(sim->simulation);
    for (int d = 0; d < sim->graph.data && sim->carries; d++) {
        if (sim->datum[d].storage == NULL) continue;
        if (hit_engine_where(engine, d) == 0) continue;
        (void)hit_sim_data_copy(sim, d, hit_engine_where(engine, d), 0);
    }
    hit_sim_note_time(sim);
    hit_simulator_clear(sim);
}

static hit_status keep_going(hit_simulator *sim, hit_status status)
{
    if (status == HIT_OK) {
        hit_sim_note_time(sim);
    } else {
        hit_sim_collapse(sim);
    }
    return status;
}

hit_status hit_sim_drain(hit_simulator *sim)
{
    const int tasks = sim->graph.tasks;
    hit_status status;

    if (sim->simulation == NULL || sim->graph.tasks == 0) return HIT_OK;
    status = hit_simulation_submit(sim->simulation);
    if (status == HIT_OK) status = hit_simulation_run(sim->simulation, 0);
    if (status == HIT_OK) {
        status = hit_simulation_restart(sim->simulation, &sim->graph, &sim->scheduler);
    }
    if (status == HIT_OK) sim->forgotten += (uint64_t)tasks;
    return keep_going(sim, status);
}

hit_status hit_sim_tell(hit_simulator *sim)
{
    const hit_status failed = sim->failed;

    sim->failed = HIT_OK;
    return failed == HIT_OK ? HIT_OK : HIT_FAIL(failed, "%s", sim->failed_text);
}

hit_status hit_sim_make_way(hit_simulator *sim)
{
    const hit_engine *engine = hit_simulation_engine(sim->simulation);
    hit_status status;

    if (sim->graph.tasks >= FORGET) return hit_sim_drain(sim);
    if (sim->graph.tasks - hit_engine_tasks_done(engine) < WINDOW) return HIT_OK;
    status = hit_simulation_submit(sim->simulation);
    if (status == HIT_OK) status = hit_simulation_run(sim->simulation, LEFT);
    return keep_going(sim, status);
}

hit_status hit_sim_begin(hit_simulator *sim)
{
    if (sim->simulation != NULL) return HIT_OK;
    return hit_simulation_open(&sim->graph, &sim->machine, &sim->scheduler, &sim->options,
                               sim->now_ns, &sim->simulation);
}

/* ---- data come home ---- */

static int next(const hit_simulator *sim, int before, const hit_sim_wish *w)
{
    return hit_sim_data_next(sim, before, w->storage, w->piece, w->box);
}

static hit_status fetch(hit_simulator *sim, const hit_sim_wish *w)
{
    hit_engine *engine = hit_simulation_engine(sim->simulation);
    const int64_t now_ns = hit_simulation_now_ns(sim->simulation);

    for (int d = next(sim, -1, w); d >= 0; d = next(sim, d, w)) {
        /* what is around the box is not given up */
        if (!w->content &&
            (w->box == NULL || hit_domain_inside(&sim->datum[d].box, w->box))) {
            continue;
        }
        HIT_TRY(hit_engine_fetch(engine, d, now_ns));
    }
    HIT_TRY(hit_simulation_run(sim->simulation, 0));
    for (int d = next(sim, -1, w); d >= 0 && w->only; d = next(sim, d, w)) {
        HIT_TRY(hit_engine_take_back(engine, d));
    }
    return hit_simulation_run(sim->simulation, 0);
}

hit_status hit_sim_home(hit_simulator *sim, const hit_sim_wish *w)
{
    if (sim->simulation == NULL || next(sim, -1, w) < 0) return HIT_OK;
    HIT_TRY(hit_sim_drain(sim));
    HIT_TRY(keep_going(sim, fetch(sim, w)));
    for (int d = next(sim, -1, w); d >= 0 && w->forget;) {
        const int gone = d;

        d = next(sim, d, w);
        hit_sim_data_forget(sim, gone);
    }
    return hit_sim_tell(sim);
}
