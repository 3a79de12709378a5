/* SPDX-License-Identifier: MIT
 * Slices: one dimension is cut into one block per rank. How their sizes are found is what
 * the layouts weighted, cpm and fpm differ in. Weighted: in proportion to one weight per
 * rank, with the integer shares that minimise the largest share / weight. Constant
 * speeds: to one speed per rank, given, or that of a model at an even share, as one
 * benchmark would tell; what is true at that size is taken to be true at all, which fails
 * where a memory ends. Functional models: so that the slowest rank is done as early as
 * its model allows; a unit of a model is an element of the domain. */
#include "hit/base/memory.h"
#include "layouts/layouts.h"
#include "layouts/partition/even.h"
#include "layouts/partition/pareto.h"

#include <stdlib.h>

/** Slices of so many elements, one behind the other. */
static hit_status place(const hit_layout_spec *spec, int dim, const hit_index share[],
                        hit_rects *rects)
{
    const hit_index count = hit_sig_count(spec->domain.sig[dim]);
    hit_index at = 0;

    for (int rank = 0; rank < spec->ranks; rank++) {
        if (share[rank] > count - at) {
            return HIT_LAYOUT_FAIL(spec,
                                   "expected shares= that sum up to %lld but found more",
                                   (long long)count);
        }
        HIT_TRY(hit_rects_add(rects, rank, at, (hit_rect){0, at, 1, share[rank]}));
        at += share[rank];
    }
    if (at == count) return hit_rects_finish(spec, spec->ranks, rects);
    return HIT_LAYOUT_FAIL(spec, "expected shares= that sum up to %lld but found %lld",
                           (long long)count, (long long)at);
}

static hit_status create(const hit_layout_spec *spec, void **state)
{
    int dims[2] = {-1, 0};
    hit_index *share;
    hit_status st;

    HIT_TRY(hit_layout_dim(spec, &dims[1]));
    HIT_TRY(hit_rects_create(dims, state));
    HIT_TRY(hit_memory_zeroed((size_t)spec->ranks, sizeof *share, &share));
    st = hit_layout_wholes(spec, "shares", spec->ranks, share);
    if (st == HIT_OK) st = place(spec, dims[1], share, *state);
    free(share);
    return st;
}

void hit_slices_write(int dim, int ranks, const hit_index share[], hit_growing *options)
{
    hit_growing_add(options, "dim=%d,shares=", dim);
    for (int rank = 0; rank < ranks; rank++) {
        hit_growing_add(options, "%s%lld", rank == 0 ? "" : ",", (long long)share[rank]);
    }
}

/* ---- weights, speeds and models into shares ---- */

static hit_status share_cpm(const hit_layout_spec *spec, int dim, hit_index share[])
{
    return hit_layout_shares(spec, dim, -1, hit_partition_single, share);
}

/* Option within=5%, 0 without it. */
static hit_status read_within(const hit_layout_spec *spec, double *slack)
{
    const char *text = hit_layout_option(spec, "within", "0");

    if (hit_text_percent(text, slack)) return HIT_OK;
    return HIT_LAYOUT_FAIL(spec, "expected within= as 5%% but found \"%s\"", text);
}

/* The least energy within some percent of the shortest time. */
/* NOLINTNEXTLINE(readability-non-const-parameter): it is written through *found */
static hit_status share_thrifty(const hit_layout_spec *spec, int dim, hit_index share[])
{
    const hit_index elements = hit_layout_elements(spec, dim, -1);
    hit_trade found = {.share = share};
    hit_fpm **time = NULL;
    hit_fpm **energy = NULL;
    double slack;
    hit_status st = read_within(spec, &slack);

    if (st == HIT_OK) st = hit_layout_models(spec, "models", elements, &time);
    if (st == HIT_OK) st = hit_layout_models(spec, "energy", elements, &energy);
    if (st == HIT_OK) {
        st = hit_partition_thrifty(hit_sig_count(spec->domain.sig[dim]),
                                   &(hit_trade_models){spec->ranks,
                                                       (const hit_fpm *const *)time,
                                                       (const hit_fpm *const *)energy},
                                   slack, &found);
    }
    hit_partition_models_clear(spec->ranks, &time);
    hit_partition_models_clear(spec->ranks, &energy);
    return st;
}

static hit_status share_fpm(const hit_layout_spec *spec, int dim, hit_index share[])
{
    const bool has_energy = hit_layout_option(spec, "energy", NULL) != NULL;

    if (!has_energy && hit_layout_option(spec, "within", NULL) != NULL) {
        return HIT_LAYOUT_FAIL(spec, "expected energy= beside within=");
    }
    if (hit_layout_option(spec, "models", NULL) == NULL) {
        return HIT_LAYOUT_FAIL(spec, "expected models=, kernel= or shares=");
    }
    if (has_energy) return share_thrifty(spec, dim, share);
    return hit_layout_shares(spec, dim, -1, hit_partition_fpm, share);
}

/** What the layouts differ in: ops->of. */
typedef struct kind {
    hit_layout_needs needs;
    hit_status (*share)(const hit_layout_spec *spec, int dim, hit_index share[]);
} kind;

static hit_status find(const hit_layout_spec *spec, hit_growing *options)
{
    const kind *k = spec->ops->of;
    hit_index *share;
    int dim;
    hit_status st;

    HIT_TRY(hit_layout_dim(spec, &dim));
    HIT_TRY(hit_memory_zeroed((size_t)spec->ranks, sizeof *share, &share));
    st = k->share(spec, dim, share);
    if (st == HIT_OK) hit_slices_write(dim, spec->ranks, share, options);
    free(share);
    return st;
}

const hit_layout_ops hit_layout_weighted = {
    .name = "weighted",
    .options = (const char *const[]){"weights", "shares", "dim", NULL},
    .help = "weights=W0,W1,... (one number >= 0 per rank; default all 1) or "
            "shares=N0,N1,... (elements of each rank), "
            "dim=K (the dimension that is cut; default 0)",
    .create = create,
    HIT_RECTS_OPS,
    .resolve = hit_layout_find,
    .of = &(const kind){{"shares", find}, share_cpm},
};

const hit_layout_ops hit_layout_cpm = {
    .name = "cpm",
    .options = (const char *const[]){"speeds", "models", "shares", "dim", NULL},
    .help = "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
            "models=FILE,FILE,... (one per rank, or one for all) or "
            "shares=N0,N1,... (elements of each rank) or "
            "kernel=NAME (measured, rounds=R times; default 1), "
            "dim=K (the dimension that is cut; default 0)",
    .create = create,
    HIT_RECTS_OPS,
    .resolve = hit_layout_find,
    .of = &(const kind){{"shares", find}, share_cpm},
    .search = &hit_search_cpm,
};

const hit_layout_ops hit_layout_fpm = {
    .name = "fpm",
    .options = (const char *const[]){"models", "energy", "within", "shares", "dim", NULL},
    .help = "models=FILE,FILE,... (one per rank, or one for all), with "
            "energy=FILE,FILE,... the least energy within=P% of the shortest time, or "
            "shares=N0,N1,... (elements of each rank) or "
            "kernel=NAME (measured, see docs/measure.md), "
            "dim=K (the dimension that is cut; default 0)",
    .create = create,
    HIT_RECTS_OPS,
    .resolve = hit_layout_find,
    .of = &(const kind){{"shares", find}, share_fpm},
    .search = &hit_search_slices,
};
