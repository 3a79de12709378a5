/* SPDX-License-Identifier: MIT
 * The stream of a chain runs on a simulated device, whose clock tells the time. */
#include "hit/base/context.h"
#include "hit/data/domain_set.h"
#include "hit/dry/dry_impl.h"
#include "patterns/kernel_impl.h"

#include <string.h>

typedef struct simulation {
    hit_sim sim;
    hit_device device;
    hit_chain_pieces *pieces;
    const hit_seen *seen;
    hit_view host[HIT_CHAIN_STORAGES];
    char memory[HIT_CHAIN_STORAGES]; /* the host's, of each storage another one */
} simulation;

static const hit_rates *rates_of(const hit_seen *seen, const hit_chain_record *one)
{
    return &hit_seen_at(seen, one->number)->rates;
}

/* ---- one process's memory ---- */

/* What another process has of a storage: its part, and what it reaches in the block. The
 * same of this one would be what was allocated. */
static hit_status view_elsewhere(simulation *s, int number, int count, int rank)
{
    const hit_chains *chains = s->pieces->chains;
    const hit_storage *storage = chains->storage[number];
    hit_domain box;

    HIT_TRY(hit_dry_held_own(storage->layout, rank, &box));
    for (int l = 0; l < count; l++) {
        const hit_chain_launch *launch = chains->launch[l];

        for (int u = 0; u < launch->uses; u++) {
            if (launch->use[u].storage != number) continue;
            box = hit_domain_cover(&box, &launch->use[u].cover);
        }
    }
    s->host[number] = hit_view_make(&box, storage->type.size_bytes, &s->memory[number]);
    s->pieces->host[number] = &s->host[number];
    return HIT_OK;
}

static hit_status find_host(simulation *s, int count, int rank)
{
    const hit_chains *chains = s->pieces->chains;

    for (int k = 0; k < chains->storages; k++) {
        s->pieces->host[k] = &chains->storage[k]->view[0];
        if (chains->context->size > 1) HIT_TRY(view_elsewhere(s, k, count, rank));
    }
    return HIT_OK;
}

/* ---- the stream ---- */

static hit_status launch(void *caller, int l)
{
    simulation *s = caller;
    const hit_chain_record *one = &s->pieces->chains->record[l];

    if (one->indices == 0) return HIT_OK; /* it fills a rim */
    s->sim.kernel = rates_of(s->seen, one)->kernel;
    hit_sim_run(&s->sim, hit_run_indices(&s->pieces->run[l], one->kernel->dims), 1);
    return HIT_OK;
}

static hit_status next(void *caller)
{
    const simulation *s = caller;
    return hit_chain_pieces_next(s->pieces);
}

static hit_status flush(void *caller)
{
    const simulation *s = caller;
    return hit_chain_pieces_flush(s->pieces);
}

static hit_status stream(simulation *s, const hit_rates *rates, int count,
                         hit_forecast *time)
{
    const hit_predicted all = {.pieces = s->pieces->share->plan.pieces,
                               .next = next,
                               .flush = flush,
                               .caller = s};

    HIT_TRY(hit_chain_pieces_begin(s->pieces, count));
    *time = hit_predict_pieces(rates, &s->sim, &all);
    return HIT_OK;
}

/* The models of all its launches, of which each has those of copies. NULL: it only fills
 * rims. */
static const hit_rates *find_rates(const hit_chain_pieces *p, const hit_seen *seen,
                                   unsigned *lacks)
{
    const hit_rates *found = NULL;

    *lacks = 0;
    for (int l = p->share->plan.first; l < p->share->plan.first + p->share->plan.launches;
         l++) {
        const hit_chain_record *one = &p->chains->record[l];

        if (one->indices == 0) continue;
        found = rates_of(seen, one);
        *lacks |= hit_predict_lacks(found);
    }
    return found;
}

hit_status hit_dry_pieces_time(hit_chain_pieces *p, int count, int rank,
                               const hit_seen *seen, hit_forecast *time)
{
    hit_device *device = p->device;
    const hit_rates *rates;
    hit_status status;
    simulation s;

    *time = (hit_forecast){0};
    rates = find_rates(p, seen, &time->lacks);
    if (rates == NULL || time->lacks != 0) return HIT_OK;
    memset(&s, 0, sizeof(s));
    s.pieces = p;
    s.seen = seen;
    s.sim = hit_predict_sim(rates);
    hit_sim_open(&s.sim, &s.device);
    s.device.arena = s.memory; /* only the address counts */
    p->device = &s.device;
    p->launch = launch;
    p->caller = &s;
    status = find_host(&s, count, rank);
    if (status == HIT_OK) status = stream(&s, rates, count, time);
    p->device = device;
    p->launch = NULL;
    return status;
}
