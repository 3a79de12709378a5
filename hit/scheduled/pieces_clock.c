/* SPDX-License-Identifier: MIT
 * The stream of a chain runs on a simulated device, whose clock tells the time. */
#include "hit/scheduled/pieces_clock.h"

#include "patterns/kernel_impl.h"

#include <string.h>

typedef struct simulation {
    const hit_pieces_clock *clock;
    hit_sim sim;
    hit_device device;
    hit_chain_pieces *pieces;
    char memory; /* the device's: only its address counts */
} simulation;

static hit_status launch(void *caller, int l)
{
    simulation *s = caller;
    const hit_chain_record *one = &s->pieces->chains->record[l];

    if (one->indices == 0) return HIT_OK; /* it fills a rim */
    s->clock->launch(s->clock->caller, &s->sim, l,
                     hit_run_indices(&s->pieces->run[l], one->kernel->dims));
    return HIT_OK;
}

static hit_status next(void *caller)
{
    return hit_chain_pieces_next(caller);
}

static hit_status flush(void *caller)
{
    return hit_chain_pieces_flush(caller);
}

static hit_status stream(simulation *s, int count, hit_forecast *time)
{
    const hit_predicted all = {.pieces = s->pieces->share->plan.pieces,
                               .next = next,
                               .flush = flush,
                               .caller = s->pieces};

    HIT_TRY(hit_chain_pieces_begin(s->pieces, count));
    *time = hit_predict_pieces(s->clock->rates, &s->sim, &all);
    return HIT_OK;
}

hit_status hit_pieces_clock_run(const hit_pieces_clock *clock, hit_chain_pieces *p,
                                int count, hit_forecast *time)
{
    hit_device *device = p->device;
    hit_status status;
    simulation s;

    memset(&s, 0, sizeof(s));
    s.clock = clock;
    s.pieces = p;
    s.sim = hit_predict_sim(clock->rates);
    hit_sim_open(&s.sim, &s.device);
    s.device.arena = &s.memory;
    p->device = &s.device;
    p->launch = launch;
    p->caller = &s;
    status = stream(&s, count, time);
    p->device = device;
    p->launch = NULL;
    return status;
}
