/* SPDX-License-Identifier: MIT
 * Ordered: one dimension in panels, each with one owner, such that all panels after any
 * step of a factorisation are shared out well (layouts/partition/ordered.c): block-cyclic
 * for unlike ranks. By models, step k works on the rows after the diagonal of panel k.
 * Parts are runs of panels. */
#include "hit/base/memory.h"
#include "layouts/layouts.h"

#include <stdlib.h>

enum {
    DEFAULT_PANEL = 64,   /**< as blockcyclic */
    MOST_PANELS = 1 << 20 /**< owners are sent as text */
};

typedef struct ordered {
    int dim;
    hit_index panel;  /**< elements of a panel; the last one may be short */
    hit_index panels; /**< how many */
} ordered;

static hit_status read_panels(const hit_layout_spec *spec, ordered *in)
{
    hit_index count;

    HIT_TRY(hit_layout_dim(spec, &in->dim));
    in->panel = DEFAULT_PANEL;
    HIT_TRY(hit_layout_option_index(spec, "panel", 1, INT64_MAX, &in->panel));
    count = hit_sig_count(spec->domain.sig[in->dim]);
    in->panels = hit_index_ceil_div(count, in->panel);
    if (in->panels <= MOST_PANELS) return HIT_OK;
    return HIT_LAYOUT_FAIL(
        spec,
        "expected at most %d panels but found %lld; use a larger panel=", MOST_PANELS,
        (long long)in->panels);
}

/** Runs of panels with the same owner. */
static hit_status place(const hit_layout_spec *spec, const ordered *in,
                        const hit_index owner[], hit_rects *rects)
{
    const hit_index count = hit_sig_count(spec->domain.sig[in->dim]);
    hit_index end;

    for (hit_index first = 0; first < in->panels; first = end) {
        const hit_index begin = first * in->panel;

        if (owner[first] >= spec->ranks) {
            return HIT_LAYOUT_FAIL(spec, "expected owners= ranks below %d but found %lld",
                                   spec->ranks, (long long)owner[first]);
        }
        end = first + 1;
        while (end < in->panels && owner[end] == owner[first]) {
            end++;
        }
        HIT_TRY(hit_rects_add(
            rects, (int)owner[first], begin,
            (hit_rect){0, begin, 1,
                       (end < in->panels ? end * in->panel : count) - begin}));
    }
    return hit_rects_finish(spec, spec->ranks, rects);
}

static hit_status create(const hit_layout_spec *spec, void **state)
{
    ordered in = {0};
    hit_index *owner;
    hit_status st = HIT_OK;

    HIT_TRY(read_panels(spec, &in));
    HIT_TRY(hit_rects_create((const int[]){-1, in.dim}, state));
    HIT_TRY(hit_memory_zeroed((size_t)in.panels, sizeof *owner, &owner));
    if (in.panels > 0 || hit_layout_option(spec, "owners", NULL) != NULL) {
        st = hit_layout_wholes(spec, "owners", (int)in.panels, owner);
    }
    if (st == HIT_OK) st = place(spec, &in, owner, *state);
    free(owner);
    return st;
}

/* ---- speeds and models into owners ---- */

/** A unit is one row of a panel, and panel k + j has as many in step k as there are rows
 * after panel k; where there are no rows, one. */
static hit_status by_models(const hit_layout_spec *spec, const ordered *in,
                            const hit_layout_pace *pace, int owner[])
{
    const int rows_dim = spec->domain.dims < 2 ? -1 : in->dim == 0;
    const hit_index rows = rows_dim < 0 ? 1 : hit_sig_count(spec->domain.sig[rows_dim]);
    hit_index *height;
    hit_status st;

    HIT_TRY(hit_memory_zeroed((size_t)in->panels, sizeof *height, &height));
    for (hit_index k = 0; k < in->panels; k++) {
        const hit_index done = rows_dim < 0 ? 0 : (k + 1) * in->panel;

        height[k] = done < rows ? rows - done : 1;
    }
    st = hit_partition_ordered_fpm(in->panels, height, spec->ranks,
                                   (const hit_fpm *const *)pace->models, owner);
    free(height);
    return st;
}

static hit_status find_owners(const hit_layout_spec *spec, const ordered *in, int owner[])
{
    const hit_index count = hit_sig_count(spec->domain.sig[in->dim]);
    const int rows_dim = spec->domain.dims < 2 ? -1 : in->dim == 0;
    hit_index elements = hit_layout_elements(spec, in->dim, rows_dim);
    hit_layout_pace pace;
    hit_status st;

    if (__builtin_mul_overflow(elements, in->panel < count ? in->panel : count,
                               &elements)) {
        elements = INT64_MAX;
    }
    st = hit_layout_pace_read(spec, elements, &pace);
    if (st == HIT_OK && pace.speed != NULL) {
        st = hit_partition_ordered(in->panels, spec->ranks, pace.speed, owner);
    } else if (st == HIT_OK && in->panels > 0) {
        st = by_models(spec, in, &pace, owner);
    }
    hit_layout_pace_clear(spec, &pace);
    return st;
}

static hit_status find(const hit_layout_spec *spec, hit_growing *options)
{
    ordered in = {0};
    int *owner;
    hit_status st;

    HIT_TRY(read_panels(spec, &in));
    HIT_TRY(hit_memory_zeroed((size_t)in.panels, sizeof *owner, &owner));
    st = find_owners(spec, &in, owner);
    hit_growing_add(options, "dim=%d,panel=%lld", in.dim, (long long)in.panel);
    for (hit_index k = 0; st == HIT_OK && k < in.panels; k++) {
        hit_growing_add(options, k == 0 ? ",owners=%d" : ",%d", owner[k]);
    }
    free(owner);
    return st;
}

const hit_layout_ops hit_layout_ordered = {
    .name = "ordered",
    .options = (const char *const[]){"speeds", "models", "owners", "panel", "dim", NULL},
    .help = "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
            "models=FILE,FILE,... (one per rank, or one for all) or "
            "owners=R0,R1,... (of each panel), "
            "panel=B (elements of a panel; default 64), "
            "dim=K (the dimension that is cut; default 0)",
    .create = create,
    HIT_RECTS_OPS,
    .resolve = hit_layout_find,
    .of = &(const hit_layout_needs){"owners", find},
};
