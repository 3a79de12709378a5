/* SPDX-License-Identifier: MIT
 * How long blocks take that go through the memories of processes, by the models of their
 * launches. */
#include "hit/base/context.h"
#include "hit/data/domain_set.h"
#include "hit/dry/dry_impl.h"
#include "hit/scheduled/pieces_clock.h"

/* The host's elements of another process. */
typedef struct elsewhere {
    hit_view host[HIT_CHAIN_STORAGES];
    char memory[HIT_CHAIN_STORAGES]; /* of each storage another address */
} elsewhere;

/* What is asked for the times of kernels. */
typedef struct models {
    const hit_chains *chains;
    const hit_seen *seen;
} models;

static const hit_rates *rates_of(const hit_seen *seen, const hit_chain_record *one)
{
    return &hit_seen_at(seen, one->number)->rates;
}

/* ---- one process's memory ---- */

/* What another process has of a storage: its part, and what it reaches in the block. The
 * same of this one would be what was allocated. */
static hit_status view_elsewhere(elsewhere *s, hit_chain_pieces *p, int number, int count,
                                 int rank)
{
    const hit_chains *chains = p->chains;
    const hit_storage *storage = chains->storage[number];
    hit_domain box;

    HIT_TRY(hit_alike_own(storage->layout, rank, &box));
    for (int l = 0; l < count; l++) {
        const hit_chain_launch *launch = chains->launch[l];

        for (int u = 0; u < launch->uses; u++) {
            if (launch->use[u].storage != number) continue;
            box = hit_domain_cover(&box, &launch->use[u].cover);
        }
    }
    s->host[number] = hit_view_make(&box, storage->type.size_bytes, &s->memory[number]);
    p->host[number] = &s->host[number];
    return HIT_OK;
}

static hit_status find_host(elsewhere *s, hit_chain_pieces *p, int count, int rank)
{
    const hit_chains *chains = p->chains;

    for (int k = 0; k < chains->storages; k++) {
        p->host[k] = &chains->storage[k]->view[0];
        if (chains->context->size > 1) HIT_TRY(view_elsewhere(s, p, k, count, rank));
    }
    return HIT_OK;
}

/* ---- the stream ---- */

static void launch(void *caller, hit_sim *sim, int l, double indices)
{
    const models *of = caller;

    sim->kernel = rates_of(of->seen, &of->chains->record[l])->kernel;
    hit_sim_run(sim, indices, 1);
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
    models of = {p->chains, seen};
    hit_pieces_clock clock = {.launch = launch, .caller = &of};
    elsewhere there;

    *time = (hit_forecast){0};
    clock.rates = find_rates(p, seen, &time->lacks);
    if (clock.rates == NULL || time->lacks != 0) return HIT_OK;
    HIT_TRY(find_host(&there, p, count, rank));
    return hit_pieces_clock_run(&clock, p, count, time);
}
