/* SPDX-License-Identifier: MIT
 * Square corner: of two ranks one has a corner and the other the rest, in the shape that
 * communicates least (partition/shapes.h). Elements are counted exactly: the last column
 * of the corner need not be full, so that parts are regions. Becker and Lastovetsky,
 * "Matrix multiplication on two interconnected processors" (Cluster 2006). */
#include "hit/base/memory.h"
#include "layouts/layouts.h"
#include "layouts/partition/algorithms.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct corner {
    int dims[2];
    hit_corner has; /**< part: the rank that has the corner */
    hit_index rows;
    hit_index columns;
} corner;

static hit_status check_ranks(const hit_layout_spec *spec)
{
    if (spec->ranks <= 2) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "layout %s: expected 1 or 2 ranks but found %d",
                    spec->ops->name, spec->ranks);
}

/** Read the option dims=K,L and the sizes of these dimensions. */
static hit_status read_plane(const hit_layout_spec *spec, corner *c)
{
    HIT_TRY(hit_layout_dims(spec, c->dims));
    c->rows = hit_sig_count(spec->domain.sig[c->dims[0]]);
    c->columns = hit_sig_count(spec->domain.sig[c->dims[1]]);
    if (c->rows == 0 || c->columns <= (INT64_C(1) << 62) / c->rows) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "layout %s: expected at most 2^62 elements but found %lld x %lld",
                    spec->ops->name, (long long)c->rows, (long long)c->columns);
}

/** Option box=RANK.HEIGHT.ELEMENTS. */
static hit_status read_box(const hit_layout_spec *spec, corner *c)
{
    hit_index number[HIT_MAX_DIMS];
    hit_corner *has = &c->has;
    int count;

    HIT_TRY(hit_layout_option_list(spec, "box", '.', &count, number));
    if (count != 3 || number[0] >= spec->ranks || number[1] > c->rows ||
        (number[2] > 0 && number[1] == 0) ||
        (number[2] > 0 && (number[2] - 1) / number[1] >= c->columns)) {
        return HIT_FAIL(HIT_E_ARG,
                        "layout %s: expected box=RANK.HEIGHT.ELEMENTS within %lld x %lld "
                        "but found \"%s\"",
                        spec->ops->name, (long long)c->rows, (long long)c->columns,
                        hit_layout_option(spec, "box", ""));
    }
    *has = (hit_corner){(int)number[0], number[1], 0, number[2]};
    if (has->units > 0) has->width = (has->units - 1) / has->height + 1;
    if (spec->ranks == 2 || has->units == c->rows * c->columns) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "layout %s: expected all elements in the box of 1 rank",
                    spec->ops->name);
}

static hit_status create(const hit_layout_spec *spec, void **state)
{
    static const char *const known[] = {"box", "dims", NULL};
    corner *c;

    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(check_ranks(spec));
    HIT_TRY(hit_memory_zeroed(1, sizeof *c, &c));
    *state = c;
    HIT_TRY(read_plane(spec, c));
    return read_box(spec, c);
}

/* ---- who owns what ---- */

/** The full columns of the corner, its last column; and for the other rank what is below
 * these, and what is right of them. */
static hit_status part(const hit_layout_spec *spec, const void *state, int rank,
                       hit_region *part)
{
    const corner *c = state;
    const hit_corner *has = &c->has;
    const hit_index last = has->units - has->height * (has->width - 1);
    const hit_index full = has->units == 0       ? 0
                           : last == has->height ? has->width
                                                 : has->width - 1;
    const hit_rect mine[] = {{0, 0, has->height, full},
                             {0, full, last, has->width - full}};
    const hit_rect others[] = {{has->height, 0, c->rows - has->height, full},
                               {last, full, c->rows - last, has->width - full},
                               {0, has->width, c->rows, c->columns - has->width}};
    const hit_rect *rect = rank == has->part ? mine : others;

    for (int k = 0; k < (rank == has->part ? 2 : 3); k++) {
        HIT_TRY(hit_columns_append(spec, c->dims, &rect[k], part));
    }
    return HIT_OK;
}

static int owner(const hit_layout_spec *spec, const void *state, const hit_index index[])
{
    const corner *c = state;
    const hit_index row =
        hit_sig_position(spec->domain.sig[c->dims[0]], index[c->dims[0]]);
    const hit_index column =
        hit_sig_position(spec->domain.sig[c->dims[1]], index[c->dims[1]]);
    const bool inside = row < c->has.height && column < c->has.width &&
                        column * c->has.height + row < c->has.units;

    return inside ? c->has.part : 1 - c->has.part;
}

static bool splits(const hit_layout_spec *spec, const void *state, int dim)
{
    const corner *c = state;
    const bool both = c->has.units > 0 && c->has.units < c->rows * c->columns;

    (void)spec;
    if (!both) return false;
    if (dim == c->dims[0]) {
        return c->has.height < c->rows || c->has.units % c->has.height != 0;
    }
    return dim == c->dims[1] &&
           (c->has.width < c->columns || c->has.units % c->has.height != 0);
}

/* ---- speeds and models into options ---- */

static hit_status resolve(const hit_layout_spec *spec, char **options)
{
    static const char *const known[] = {"speeds", "models", "box", "dims", NULL};
    enum {
        SIZE = 96
    };
    hit_index share[2] = {0, 0};
    bool given;
    corner c;

    HIT_TRY(hit_layout_given(spec, known, "box", &given));
    HIT_TRY(check_ranks(spec));
    if (given) return HIT_OK;
    HIT_TRY(read_plane(spec, &c));
    HIT_TRY(hit_layout_shares(spec, c.dims[0], c.dims[1], hit_partition_fpm, share));
    HIT_TRY(hit_partition_corner(c.rows, c.columns, share, &c.has));
    HIT_TRY(hit_memory_zeroed(SIZE, 1, options));
    (void)snprintf(*options, SIZE, "dims=%d,%d,box=%d.%lld.%lld", c.dims[0], c.dims[1],
                   c.has.part, (long long)c.has.height, (long long)c.has.units);
    return HIT_OK;
}

const hit_layout_ops hit_layout_corner = {
    .name = "corner",
    .help = "speeds=S0,S1 (numbers >= 0; default both 1) or "
            "models=FILE,FILE (or one for both) or "
            "box=RANK.HEIGHT.ELEMENTS (whose corner, of how many rows and elements), "
            "dims=K,L (the dimensions of rows and columns; default 0,1)",
    .create = create,
    .destroy = free,
    .part = part,
    .owner = owner,
    .splits = splits,
    .resolve = resolve,
};
