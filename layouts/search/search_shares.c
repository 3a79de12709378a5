/* SPDX-License-Identifier: MIT
 * Searches that hand out shares of one dimension, or rectangles of two, and are told the
 * seconds. By functional models: the dynamic partition (layouts/partition/dynamic/)
 * decides. By constant speeds, for comparison: an even distribution is measured, the next
 * one is in proportion to the speeds seen, and so on, at most rounds= times (default 1).
 * One round is the single-CPM partitioning of [Clarke2012] section 4, several are the
 * multiple-CPM one: the last distribution counts, as there, not the best. */
#include "hit/base/memory.h"
#include "hit/topo/layout_text.h"
#include "layouts/layouts.h"
#include "layouts/partition/algorithms.h"
#include "layouts/partition/dynamic/dynamic.h"

#include <math.h>
#include <stdlib.h>

typedef struct search {
    const hit_layout_spec *spec;
    int dims[2];     /**< that are cut; the second one is -1 for slices */
    hit_plane plane; /**< of one column for slices */
    hit_index *share;
    hit_rect *rect;
    hit_dynamic *dynamic; /**< by models; else NULL, and */
    double *speed;
    hit_index rounds;
    hit_index round; /**< how many were measured */
    hit_arrays arrays;
} search;

/* ---- what is cut ---- */

/** Does the search cut two dimensions? All but these two do. */
static bool is_plane(const hit_layout_spec *spec)
{
    const hit_layout_search_ops *ops = spec->ops->search;

    return ops != &hit_search_slices && ops != &hit_search_cpm;
}

static hit_status read_dims(const hit_layout_spec *spec, int dims[2])
{
    dims[1] = -1;
    return is_plane(spec) ? hit_layout_dims(spec, dims) : hit_layout_dim(spec, &dims[0]);
}

static hit_status cut(const hit_layout_spec *spec, bool cut[])
{
    int dims[2];

    HIT_TRY(read_dims(spec, dims));
    cut[dims[0]] = true;
    if (dims[1] >= 0) cut[dims[1]] = true;
    return HIT_OK;
}

/* ---- create and destroy ---- */

static void destroy(void *state)
{
    search *s = state;

    hit_dynamic_destroy(&s->dynamic);
    hit_arrays_free(&s->arrays);
    free(s);
}

/** A unit of the partition is a row, or an element of a plane. */
static hit_status begin(search *s, const hit_fpm *const seed[], double noise)
{
    const hit_dynamic_options options = {
        .noise = noise,
        .seed = seed,
        .by = hit_layout_elements(s->spec, s->dims[0], s->dims[1])};

    if (s->dims[1] >= 0) {
        return hit_dynamic_create_plane(&s->plane, &options, &s->dynamic);
    }
    return hit_dynamic_create(s->plane.rows, s->spec->ranks, &options, &s->dynamic);
}

/** By models, or without: there is only the last speed. */
static hit_status fill(search *s, const hit_fpm *const seed[], double noise,
                       bool by_models)
{
    const size_t ranks = (size_t)s->spec->ranks;

    s->rounds = 1;
    HIT_TRY(read_dims(s->spec, s->dims));
    s->plane = (hit_plane){.rows = hit_sig_count(s->spec->domain.sig[s->dims[0]]),
                           .columns = 1,
                           .parts = s->spec->ranks};
    if (s->dims[1] >= 0) {
        s->plane.columns = hit_sig_count(s->spec->domain.sig[s->dims[1]]);
    }
    HIT_TRY(HIT_TAKE(&s->arrays, ranks, s->share));
    HIT_TRY(HIT_TAKE(&s->arrays, ranks, s->rect));
    if (by_models) return begin(s, seed, noise);
    HIT_TRY(hit_layout_option_index(s->spec, "rounds", 1, 1000, &s->rounds));
    return HIT_TAKE(&s->arrays, ranks, s->speed);
}

static hit_status create(const hit_layout_spec *spec, const hit_fpm *const seed[],
                         double noise, void **state)
{
    const hit_layout_search_ops *ops = spec->ops->search;
    const bool by_models = ops != &hit_search_cpm && ops != &hit_search_cpm2d;
    const char *dim = is_plane(spec) ? "dims" : "dim";
    const char *const known[] = {HIT_SEARCH_OPTIONS, by_models ? dim : "rounds",
                                 by_models ? NULL : dim, NULL};
    search *made;

    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    *state = made; /* destroyed by the caller, also after a failure */
    made->spec = spec;
    return fill(made, seed, noise, by_models);
}

/* ---- offers ---- */

static hit_status offer_options(const search *s, hit_layout_offer *offer)
{
    hit_growing text = {.text = NULL};

    if (s->dims[1] < 0) {
        hit_slices_write(s->dims[0], s->spec->ranks, s->share, &text);
    } else {
        hit_columns_write(s->dims, s->spec->ranks, s->rect, &text);
    }
    return hit_growing_end(&text, &offer->options);
}

static hit_status next(void *state, const double seconds[], hit_layout_offer *offer)
{
    search *s = state;
    hit_dynamic_verdict verdict;

    HIT_TRY(hit_dynamic_next(s->dynamic, seconds, s->share, &verdict));
    for (int k = 0; k < s->spec->ranks; k++) {
        offer->kill_s[k] = hit_dynamic_kill_s(s->dynamic);
    }
    offer->reason = NULL;
    if (verdict != HIT_DYNAMIC_CONTINUE) {
        offer->reason = hit_dynamic_verdict_name(verdict);
    }
    if (s->dims[1] >= 0) hit_dynamic_rects(s->dynamic, s->rect);
    return offer_options(s, offer);
}

/** Take the speeds of those that had something to do; without any, all are alike. */
static bool take(search *s, const double seconds[])
{
    double least = INFINITY;
    double most = 0;

    for (int k = 0; k < s->spec->ranks; k++) {
        const double units = s->dims[1] < 0
                                 ? (double)s->share[k]
                                 : (double)s->rect[k].height * (double)s->rect[k].width;

        if (seconds == NULL) s->speed[k] = 1.0;
        if (seconds == NULL || !(units > 0)) continue;
        s->speed[k] = isfinite(seconds[k]) ? units / fmax(seconds[k], 1e-12) : 0.0;
        least = fmin(least, seconds[k]);
        most = fmax(most, seconds[k]);
    }
    return most - least <= 0.05 * most;
}

static hit_status solve(search *s)
{
    s->plane.speed = s->speed;
    if (s->dims[1] >= 0) return hit_partition_columns(&s->plane, s->rect);
    return hit_partition_cpm(s->plane.rows, s->spec->ranks, s->speed, s->share);
}

static hit_status next_by_speeds(void *state, const double seconds[],
                                 hit_layout_offer *offer)
{
    search *s = state;
    const bool balanced = take(s, seconds);

    offer->reason = NULL;
    offer->exact = true; /* there may be no other round */
    if (seconds != NULL) s->round++;
    if (seconds != NULL && s->round >= s->rounds) offer->reason = "limit";
    if (seconds != NULL && balanced) offer->reason = "balanced";
    if (offer->reason == NULL || !balanced) HIT_TRY(solve(s));
    for (int k = 0; k < s->spec->ranks; k++) {
        offer->kill_s[k] = INFINITY;
    }
    return offer_options(s, offer);
}

const hit_layout_search_ops hit_search_slices = {
    .cut = cut, .create = create, .destroy = destroy, .next = next};

const hit_layout_search_ops hit_search_columns = {
    .cut = cut, .create = create, .destroy = destroy, .next = next};

const hit_layout_search_ops hit_search_cpm = {
    .cut = cut, .create = create, .destroy = destroy, .next = next_by_speeds};

const hit_layout_search_ops hit_search_cpm2d = {
    .cut = cut, .create = create, .destroy = destroy, .next = next_by_speeds};
