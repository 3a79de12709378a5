/* SPDX-License-Identifier: MIT
 * Searches by functional models: the dynamic partition (partition/dynamic.h) hands out
 * shares of one dimension, or rectangles of two, and is told the seconds. */
#include "hit/base/memory.h"
#include "hit/topo/layout_text.h"
#include "layouts/columns.h"
#include "layouts/partition/dynamic.h"
#include "layouts/partition/dynamic_online.h"
#include "layouts/partition/scale.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct search {
    const hit_layout_spec *spec;
    int dims[2]; /**< that are cut; the second one is -1 for slices */
    hit_dynamic *dynamic;
    hit_index *share;
    hit_rect *rect;
} search;

static hit_status cut_slices(const hit_layout_spec *spec, bool cut[])
{
    int dim;

    HIT_TRY(hit_layout_dim(spec, &dim));
    for (int d = 0; d < spec->domain.dims; d++) {
        cut[d] = d == dim;
    }
    return HIT_OK;
}

static hit_status cut_columns(const hit_layout_spec *spec, bool cut[])
{
    int dims[2];

    HIT_TRY(hit_layout_dims(spec, dims));
    for (int d = 0; d < spec->domain.dims; d++) {
        cut[d] = d == dims[0] || d == dims[1];
    }
    return HIT_OK;
}

static void destroy(void *state)
{
    search *s = state;

    hit_dynamic_destroy(&s->dynamic);
    free(s->share);
    free(s->rect);
    free(s);
}

/** The dynamic partition of the dimensions that are cut. */
static hit_status begin(search *s, const hit_dynamic_options *options)
{
    const hit_domain *domain = &s->spec->domain;
    const hit_index rows = hit_sig_count(domain->sig[s->dims[0]]);
    hit_plane plane = {.rows = rows, .parts = s->spec->ranks};

    if (s->dims[1] < 0) {
        return hit_dynamic_create(rows, s->spec->ranks, options, &s->dynamic);
    }
    plane.columns = hit_sig_count(domain->sig[s->dims[1]]);
    return hit_dynamic_create_plane(&plane, options, &s->dynamic);
}

/** Seeds in units of the partition: rows, or elements of a plane. */
static hit_status begin_scaled(search *s, const hit_fpm *const seed[], double noise)
{
    const hit_index elements = hit_layout_elements(s->spec, s->dims[0], s->dims[1]);
    hit_dynamic_options options = {.noise = noise};
    hit_fpm **scaled;
    hit_status st;

    HIT_TRY(hit_partition_scale_all(s->spec->ranks, seed, elements, &scaled));
    options.seed = (const hit_fpm *const *)scaled;
    st = begin(s, &options);
    hit_partition_scale_clear(s->spec->ranks, &scaled);
    return st;
}

static hit_status create(const hit_layout_spec *spec, const int dims[2],
                         const hit_fpm *const seed[], double noise, void **state)
{
    const size_t ranks = (size_t)spec->ranks;
    search *made;
    hit_status st;

    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    made->spec = spec;
    memcpy(made->dims, dims, sizeof made->dims);
    st = hit_memory_zeroed(ranks, sizeof *made->share, &made->share);
    if (st == HIT_OK) st = hit_memory_zeroed(ranks, sizeof *made->rect, &made->rect);
    if (st == HIT_OK) st = begin_scaled(made, seed, noise);
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
    static const char *const known[] = {HIT_SEARCH_OPTIONS, "dim", NULL};
    int dims[2] = {0, -1};

    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(hit_layout_dim(spec, &dims[0]));
    return create(spec, dims, seed, noise, state);
}

static hit_status create_columns(const hit_layout_spec *spec, const hit_fpm *const seed[],
                                 double noise, void **state)
{
    static const char *const known[] = {HIT_SEARCH_OPTIONS, "dims", NULL};
    int dims[2];

    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(hit_layout_dims(spec, dims));
    return create(spec, dims, seed, noise, state);
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
    if (s->dims[1] < 0) {
        return hit_slices_options(s->spec, s->dims[0], s->share, &offer->options);
    }
    hit_dynamic_rects(s->dynamic, s->rect);
    return hit_columns_options(s->dims, s->spec->ranks, s->rect, "", &offer->options);
}

const hit_layout_search_ops hit_search_slices = {
    .cut = cut_slices, .create = create_slices, .destroy = destroy, .next = next};

const hit_layout_search_ops hit_search_columns = {
    .cut = cut_columns, .create = create_columns, .destroy = destroy, .next = next};
