/* SPDX-License-Identifier: MIT
 * Ordered: one dimension in panels, each with one owner, such that all panels after any
 * step of a factorisation are shared out well (partition/ordered.h): block-cyclic for
 * unlike ranks. By models, step k works on the rows after the diagonal of panel k. Parts
 * are runs of panels. */
#include "hit/base/memory.h"
#include "layouts/layouts.h"
#include "layouts/partition/algorithms.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    DEFAULT_PANEL = 64,   /**< as blockcyclic */
    MOST_PANELS = 1 << 20 /**< owners are sent as text */
};

typedef struct ordered {
    int dim;
    bool cut;         /**< do at least two ranks own something? */
    hit_index panel;  /**< elements of a panel; the last one may be short */
    hit_index panels; /**< how many */
} ordered;

typedef struct owned {
    ordered in;
    hit_index owner[]; /**< of each panel */
} owned;

static hit_status read_panels(const hit_layout_spec *spec, ordered *in)
{
    hit_index count;

    HIT_TRY(hit_layout_dim(spec, &in->dim));
    in->panel = DEFAULT_PANEL;
    HIT_TRY(hit_layout_option_index(spec, "panel", 1, INT64_MAX, &in->panel));
    count = hit_sig_count(spec->domain.sig[in->dim]);
    in->panels = hit_index_ceil_div(count, in->panel);
    if (in->panels <= MOST_PANELS) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "layout %s: expected at most %d panels but found %lld; "
                    "use a larger panel=",
                    spec->ops->name, MOST_PANELS, (long long)in->panels);
}

static hit_status check_owners(const hit_layout_spec *spec, owned *made)
{
    for (hit_index k = 0; k < made->in.panels; k++) {
        if (made->owner[k] >= spec->ranks) {
            return HIT_FAIL(HIT_E_ARG,
                            "layout %s: expected owners= ranks below %d but found %lld",
                            spec->ops->name, spec->ranks, (long long)made->owner[k]);
        }
        made->in.cut = made->in.cut || made->owner[k] != made->owner[0];
    }
    return HIT_OK;
}

static hit_status create(const hit_layout_spec *spec, void **state)
{
    static const char *const known[] = {"owners", "panel", "dim", NULL};
    ordered in = {0};
    owned *made;

    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(read_panels(spec, &in));
    HIT_TRY(hit_memory_zeroed(1, sizeof *made + (size_t)in.panels * sizeof made->owner[0],
                              &made));
    *state = made;
    made->in = in;
    if (in.panels > 0 || hit_layout_option(spec, "owners", NULL) != NULL) {
        HIT_TRY(hit_layout_wholes(spec, "owners", (int)in.panels, made->owner));
    }
    return check_owners(spec, made);
}

/** Panels @p first to before @p end of the domain. */
static hit_domain run_of(const hit_layout_spec *spec, const ordered *in, hit_index first,
                         hit_index end)
{
    hit_domain run = spec->domain;
    hit_sig *sig = &run.sig[in->dim];
    const hit_index count = hit_sig_count(*sig);
    const hit_index last = end < in->panels ? end * in->panel : count;

    *sig = hit_sig_slice(*sig, first * in->panel, last - 1);
    return run;
}

static hit_status part(const hit_layout_spec *spec, const void *state, int rank,
                       hit_region *part)
{
    const owned *s = state;
    hit_index end;

    for (hit_index first = 0; first < s->in.panels; first = end) {
        hit_domain run;

        for (end = first + 1; end < s->in.panels; end++) {
            if (s->owner[end] != s->owner[first]) break;
        }
        if (s->owner[first] != rank) continue;
        run = run_of(spec, &s->in, first, end);
        HIT_TRY(hit_region_append(part, &run));
    }
    return HIT_OK;
}

static hit_index panel_of(const hit_layout_spec *spec, const ordered *in,
                          const hit_index index[])
{
    return hit_sig_position(spec->domain.sig[in->dim], index[in->dim]) / in->panel;
}

static int owner(const hit_layout_spec *spec, const void *state, const hit_index index[])
{
    const owned *s = state;

    return (int)s->owner[panel_of(spec, &s->in, index)];
}

static void box(const hit_layout_spec *spec, const void *state, const hit_index index[],
                hit_domain *box)
{
    const owned *s = state;
    hit_index first = panel_of(spec, &s->in, index);
    hit_index end = first + 1;

    while (first > 0 && s->owner[first - 1] == s->owner[first]) {
        first--;
    }
    while (end < s->in.panels && s->owner[end] == s->owner[first]) {
        end++;
    }
    *box = run_of(spec, &s->in, first, end);
}

static bool splits(const hit_layout_spec *spec, const void *state, int dim)
{
    const owned *s = state;

    (void)spec;
    return dim == s->in.dim && s->in.cut;
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

static hit_status write_options(const ordered *in, const int owner[], char **options)
{
    const size_t size = 96 + 12 * (size_t)in->panels;
    size_t used;

    HIT_TRY(hit_memory_zeroed(size, 1, options));
    used = (size_t)snprintf(*options, size, "dim=%d,panel=%lld", in->dim,
                            (long long)in->panel);
    for (hit_index k = 0; k < in->panels; k++) {
        used += (size_t)snprintf(*options + used, size - used,
                                 k == 0 ? ",owners=%d" : ",%d", owner[k]);
    }
    return HIT_OK;
}

static hit_status resolve(const hit_layout_spec *spec, char **options)
{
    static const char *const known[] = {"speeds", "models", "owners",
                                        "panel",  "dim",    NULL};
    ordered in = {0};
    bool given;
    int *found;
    hit_status st;

    HIT_TRY(hit_layout_given(spec, known, "owners", &given));
    HIT_TRY(read_panels(spec, &in));
    if (given) return HIT_OK;
    HIT_TRY(hit_memory_zeroed((size_t)in.panels, sizeof *found, &found));
    st = find_owners(spec, &in, found);
    if (st == HIT_OK) st = write_options(&in, found, options);
    free(found);
    return st;
}

const hit_layout_ops hit_layout_ordered = {
    .name = "ordered",
    .help = "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
            "models=FILE,FILE,... (one per rank, or one for all) or "
            "owners=R0,R1,... (of each panel), "
            "panel=B (elements of a panel; default 64), "
            "dim=K (the dimension that is cut; default 0)",
    .create = create,
    .destroy = free,
    .part = part,
    .owner = owner,
    .box = box,
    .splits = splits,
    .resolve = resolve,
};
