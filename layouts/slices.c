/* SPDX-License-Identifier: MIT
 * Slices: one dimension is cut into one block per rank. How their sizes are found is what
 * the layouts weighted, cpm and fpm differ in. Weighted: in proportion to one weight per
 * rank, with the integer shares that minimise the largest share / weight. Constant
 * speeds: to one speed per rank, given, or that of a model at an even share, as one
 * benchmark would tell; what is true at that size is taken to be true at all, which fails
 * where a memory ends. Functional models: so that the slowest rank is done as early as
 * its model allows; a unit of a model is an element of the domain. */
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "layouts/layouts.h"
#include "layouts/partition/algorithms.h"
#include "layouts/partition/even.h"
#include "layouts/partition/pareto.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct slices {
    int dim;
    bool cut;          /**< do at least two ranks own something? */
    hit_index first[]; /**< position of the first element of every rank, and the end */
} slices;

/** Make first[] of the shares in first[1], first[2], ... */
static hit_status add_up(const hit_layout_spec *spec, slices *s)
{
    const hit_index count = hit_sig_count(spec->domain.sig[s->dim]);

    for (int rank = 0; rank < spec->ranks; rank++) {
        const hit_index share = s->first[rank + 1];

        if (share > count - s->first[rank]) {
            return HIT_FAIL(HIT_E_ARG,
                            "layout %s: expected shares= that sum up to %lld but found "
                            "more",
                            spec->ops->name, (long long)count);
        }
        s->cut = s->cut || (s->first[rank] > 0 && share > 0);
        s->first[rank + 1] = s->first[rank] + share;
    }
    if (s->first[spec->ranks] == count) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "layout %s: expected shares= that sum up to %lld but found %lld",
                    spec->ops->name, (long long)count, (long long)s->first[spec->ranks]);
}

static hit_status create(const hit_layout_spec *spec, void **state)
{
    static const char *const known[] = {"shares", "dim", NULL};
    const size_t numbers = (size_t)spec->ranks + 1;
    int dim;
    slices *s;

    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(hit_layout_dim(spec, &dim));
    HIT_TRY(hit_memory_zeroed(1, sizeof *s + numbers * sizeof s->first[0], &s));
    *state = s;
    s->dim = dim;
    HIT_TRY(hit_layout_wholes(spec, "shares", spec->ranks, s->first + 1));
    return add_up(spec, s);
}

static hit_status part(const hit_layout_spec *spec, const void *state, int rank,
                       hit_region *part)
{
    const slices *s = state;
    hit_domain mine = spec->domain;

    if (s->first[rank] == s->first[rank + 1]) return HIT_OK;
    mine.sig[s->dim] =
        hit_sig_slice(mine.sig[s->dim], s->first[rank], s->first[rank + 1] - 1);
    return hit_region_append(part, &mine);
}

/** The last rank whose first element is not after the position: empty parts come out as
 * no owner. */
static int owner(const hit_layout_spec *spec, const void *state, const hit_index index[])
{
    const slices *s = state;
    hit_index position = hit_sig_position(spec->domain.sig[s->dim], index[s->dim]);
    int low = 0;
    int high = spec->ranks - 1;

    while (low < high) {
        int middle = low + (high - low + 1) / 2;

        if (s->first[middle] <= position) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static bool splits(const hit_layout_spec *spec, const void *state, int dim)
{
    const slices *s = state;

    (void)spec;
    return dim == s->dim && s->cut;
}

hit_status hit_slices_options(const hit_layout_spec *spec, int dim,
                              const hit_index share[], char **options)
{
    const size_t size = 32 + 21 * (size_t)spec->ranks; /* -2^63 has 20 characters */

    HIT_TRY(hit_memory_zeroed(size, 1, options));
    (void)snprintf(*options, size, "dim=%d,shares=", dim);
    hit_text_add_numbers(*options, size, ",", spec->ranks, share);
    return HIT_OK;
}

/* ---- weights, speeds and models into shares ---- */

typedef hit_status find_function(const hit_layout_spec *spec, int dim, hit_index share[]);

/** The option shares= by @p find, unless it is given. */
static hit_status resolve(const hit_layout_spec *spec, const char *const known[],
                          find_function *find, char **options)
{
    hit_index *share;
    bool given;
    int dim;
    hit_status st;

    HIT_TRY(hit_layout_given(spec, known, "shares", &given));
    HIT_TRY(hit_layout_dim(spec, &dim));
    if (given) return HIT_OK;
    HIT_TRY(hit_memory_zeroed((size_t)spec->ranks, sizeof *share, &share));
    st = find(spec, dim, share);
    if (st == HIT_OK) st = hit_slices_options(spec, dim, share, options);
    free(share);
    return st;
}

static hit_status find_weighted(const hit_layout_spec *spec, int dim, hit_index share[])
{
    double *weight;
    hit_status st;

    HIT_TRY(hit_memory_zeroed((size_t)spec->ranks, sizeof *weight, &weight));
    st = hit_layout_reals(spec, "weights", weight);
    if (st == HIT_OK) {
        st = hit_partition_cpm(hit_sig_count(spec->domain.sig[dim]), spec->ranks, weight,
                               share);
    }
    free(weight);
    return st;
}

static hit_status find_cpm(const hit_layout_spec *spec, int dim, hit_index share[])
{
    return hit_layout_shares(spec, dim, -1, hit_partition_single, share);
}

/* Option within=5%, 0 without it. */
static hit_status read_within(const hit_layout_spec *spec, double *slack)
{
    const char *text = hit_layout_option(spec, "within", "0");

    if (hit_text_percent(text, slack)) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "layout %s: expected within= as 5%% but found \"%s\"",
                    spec->ops->name, text);
}

/* The least energy within some percent of the shortest time. */
/* NOLINTNEXTLINE(readability-non-const-parameter): it is written through *found */
static hit_status find_thrifty(const hit_layout_spec *spec, int dim, hit_index share[])
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
    hit_layout_models_clear(spec, &time);
    hit_layout_models_clear(spec, &energy);
    return st;
}

static hit_status find_fpm(const hit_layout_spec *spec, int dim, hit_index share[])
{
    const bool has_energy = hit_layout_option(spec, "energy", NULL) != NULL;

    if (!has_energy && hit_layout_option(spec, "within", NULL) != NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "layout %s: expected energy= beside within=", spec->ops->name);
    }
    if (hit_layout_option(spec, "models", NULL) == NULL) {
        return HIT_FAIL(HIT_E_ARG, "layout %s: expected models=, kernel= or shares=",
                        spec->ops->name);
    }
    if (has_energy) return find_thrifty(spec, dim, share);
    return hit_layout_shares(spec, dim, -1, hit_partition_fpm, share);
}

static hit_status resolve_weighted(const hit_layout_spec *spec, char **options)
{
    static const char *const known[] = {"weights", "shares", "dim", NULL};

    HIT_TRY(hit_layout_one_of(spec, "weights", "shares"));
    return resolve(spec, known, find_weighted, options);
}

static hit_status resolve_cpm(const hit_layout_spec *spec, char **options)
{
    static const char *const known[] = {"speeds", "models", "shares", "dim", NULL};

    return resolve(spec, known, find_cpm, options);
}

static hit_status resolve_fpm(const hit_layout_spec *spec, char **options)
{
    static const char *const known[] = {"models", "energy", "within",
                                        "shares", "dim",    NULL};

    HIT_TRY(hit_layout_one_of(spec, "energy", "shares"));
    return resolve(spec, known, find_fpm, options);
}

#define SLICES                                                                           \
    .create = create, .destroy = free, .part = part, .owner = owner, .splits = splits

const hit_layout_ops hit_layout_weighted = {
    .name = "weighted",
    .help = "weights=W0,W1,... (one number >= 0 per rank; default all 1) or "
            "shares=N0,N1,... (elements of each rank), "
            "dim=K (the dimension that is cut; default 0)",
    SLICES,
    .resolve = resolve_weighted,
};

const hit_layout_ops hit_layout_cpm = {
    .name = "cpm",
    .help = "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
            "models=FILE,FILE,... (one per rank, or one for all) or "
            "shares=N0,N1,... (elements of each rank) or "
            "kernel=NAME (measured, rounds=R times; default 1), "
            "dim=K (the dimension that is cut; default 0)",
    SLICES,
    .resolve = resolve_cpm,
    .search = &hit_search_cpm,
};

const hit_layout_ops hit_layout_fpm = {
    .name = "fpm",
    .help = "models=FILE,FILE,... (one per rank, or one for all), with "
            "energy=FILE,FILE,... the least energy within=P% of the shortest time, or "
            "shares=N0,N1,... (elements of each rank) or "
            "kernel=NAME (measured, see docs/measure.md), "
            "dim=K (the dimension that is cut; default 0)",
    SLICES,
    .resolve = resolve_fpm,
    .search = &hit_search_slices,
};
