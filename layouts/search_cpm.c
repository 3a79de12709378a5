/* SPDX-License-Identifier: MIT
 * Searches by constant speeds, for comparison: an even distribution is measured, the next
 * one is in proportion to the speeds seen, and so on, at most rounds= times (default 1).
 * One round is the single-CPM partitioning of [Clarke2012] section 4, several are the
 * multiple-CPM one: the last distribution counts, as there, not the best. */
#include "hit/base/memory.h"
#include "hit/topo/layout_text.h"
#include "layouts/columns.h"
#include "layouts/partition/columns.h"
#include "layouts/partition/cpm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct search {
    const hit_layout_spec *spec;
    int dims[2]; /**< that are cut; the second one is -1 for slices */
    hit_index rounds;
    hit_index round; /**< how many were measured */
    double *speed;
    hit_index *share;
    hit_rect *rect;
} search;

static void destroy(void *state)
{
    search *s = state;

    free(s->speed);
    free(s->share);
    free(s->rect);
    free(s);
}

static hit_status create(const hit_layout_spec *spec, const int dims[2], void **state)
{
    const size_t ranks = (size_t)spec->ranks;
    search *made;
    hit_status st;

    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    made->spec = spec;
    made->rounds = 1;
    memcpy(made->dims, dims, sizeof made->dims);
    st = hit_layout_option_index(spec, "rounds", 1, 1000, &made->rounds);
    if (st == HIT_OK) st = hit_memory_zeroed(ranks, sizeof(double), &made->speed);
    if (st == HIT_OK) st = hit_memory_zeroed(ranks, sizeof *made->share, &made->share);
    if (st == HIT_OK) st = hit_memory_zeroed(ranks, sizeof *made->rect, &made->rect);
    if (st != HIT_OK) {
        destroy(made);
        return st;
    }
    *state = made;
    return HIT_OK;
}

static hit_status create_slices(const hit_layout_spec *spec, const hit_fpm *const seed[],
                                double noise, void **state)
{
    static const char *const known[] = {HIT_SEARCH_OPTIONS, "rounds", "dim", NULL};
    int dims[2] = {0, -1};

    (void)seed; /* there is no model, only the last speed */
    (void)noise;
    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(hit_layout_dim(spec, &dims[0]));
    return create(spec, dims, state);
}

static hit_status create_columns(const hit_layout_spec *spec, const hit_fpm *const seed[],
                                 double noise, void **state)
{
    static const char *const known[] = {HIT_SEARCH_OPTIONS, "rounds", "dims", NULL};
    int dims[2];

    (void)seed;
    (void)noise;
    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(hit_layout_dims(spec, dims));
    return create(spec, dims, state);
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
    const hit_domain *domain = &s->spec->domain;
    const hit_index rows = hit_sig_count(domain->sig[s->dims[0]]);
    hit_plane plane = {.rows = rows, .parts = s->spec->ranks, .speed = s->speed};

    if (s->dims[1] < 0) {
        return hit_partition_cpm(rows, s->spec->ranks, s->speed, s->share);
    }
    plane.columns = hit_sig_count(domain->sig[s->dims[1]]);
    return hit_partition_columns(&plane, s->rect);
}

static hit_status next(void *state, const double seconds[], hit_layout_offer *offer)
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
    if (s->dims[1] < 0) {
        return hit_slices_options(s->spec, s->dims[0], s->share, &offer->options);
    }
    return hit_columns_options(s->dims, s->spec->ranks, s->rect, "", &offer->options);
}

static hit_status cut_slices(const hit_layout_spec *spec, bool cut[])
{
    return hit_search_slices.cut(spec, cut);
}

static hit_status cut_columns(const hit_layout_spec *spec, bool cut[])
{
    return hit_search_columns.cut(spec, cut);
}

const hit_layout_search_ops hit_search_cpm = {
    .cut = cut_slices, .create = create_slices, .destroy = destroy, .next = next};

const hit_layout_search_ops hit_search_cpm2d = {
    .cut = cut_columns, .create = create_columns, .destroy = destroy, .next = next};
