/* SPDX-License-Identifier: MIT
 * Square corner: of two ranks one has a corner and the other the rest, in the shape that
 * communicates least (layouts/partition/shapes.c). Elements are counted exactly: the
 * last column of the corner need not be full, so that parts are regions. Becker and
 * Lastovetsky, "Matrix multiplication on two interconnected processors" (Cluster 2006).
 */
#include "layouts/layouts.h"

typedef struct corner {
    int dims[2];
    hit_corner has; /**< part: the rank that has the corner */
    hit_index rows;
    hit_index columns;
} corner;

static hit_status check_ranks(const hit_layout_spec *spec)
{
    if (spec->ranks <= 2) return HIT_OK;
    return HIT_LAYOUT_FAIL(spec, "expected 1 or 2 ranks but found %d", spec->ranks);
}

/** Read the option dims=K,L and the sizes of these dimensions. */
static hit_status read_plane(const hit_layout_spec *spec, corner *c)
{
    HIT_TRY(hit_layout_dims(spec, c->dims));
    c->rows = hit_sig_count(spec->domain.sig[c->dims[0]]);
    c->columns = hit_sig_count(spec->domain.sig[c->dims[1]]);
    return hit_layout_tell(spec, hit_plane_check_size(c->rows, c->columns));
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
        return HIT_LAYOUT_FAIL(
            spec, "expected box=RANK.HEIGHT.ELEMENTS within %lld x %lld but found \"%s\"",
            (long long)c->rows, (long long)c->columns,
            hit_layout_option(spec, "box", ""));
    }
    *has = (hit_corner){(int)number[0], number[1], 0, number[2]};
    if (has->units > 0) has->width = (has->units - 1) / has->height + 1;
    if (spec->ranks == 2 || has->units == c->rows * c->columns) return HIT_OK;
    return HIT_LAYOUT_FAIL(spec, "expected all elements in the box of 1 rank");
}

/** The full columns of the corner, its last column; and for the other rank what is below
 * these, and what is right of them. */
static hit_status place(const hit_layout_spec *spec, const corner *c, hit_rects *rects)
{
    const hit_corner *has = &c->has;
    const hit_index last = has->units - has->height * (has->width - 1);
    const hit_index full = has->units == 0       ? 0
                           : last == has->height ? has->width
                                                 : has->width - 1;
    const hit_rect rect[] = {{0, 0, has->height, full},
                             {0, full, last, has->width - full},
                             {has->height, 0, c->rows - has->height, full},
                             {last, full, c->rows - last, has->width - full},
                             {0, has->width, c->rows, c->columns - has->width}};

    for (int k = 0; k < 5; k++) {
        const int rank = k < 2 ? has->part : 1 - has->part;

        HIT_TRY(hit_rects_add(rects, rank, rect[k].column, rect[k]));
    }
    return hit_rects_finish(spec, spec->ranks, rects);
}

static hit_status create(const hit_layout_spec *spec, void **state)
{
    corner c;

    HIT_TRY(check_ranks(spec));
    HIT_TRY(read_plane(spec, &c));
    HIT_TRY(read_box(spec, &c));
    HIT_TRY(hit_rects_create(c.dims, state));
    return place(spec, &c, *state);
}

/* ---- speeds and models into options ---- */

static hit_status find(const hit_layout_spec *spec, hit_growing *options)
{
    hit_index share[2] = {0, 0};
    corner c;

    HIT_TRY(check_ranks(spec));
    HIT_TRY(read_plane(spec, &c));
    HIT_TRY(hit_layout_shares(spec, c.dims[0], c.dims[1], hit_partition_fpm, share));
    HIT_TRY(hit_partition_corner(c.rows, c.columns, share, &c.has));
    hit_growing_add(options, "dims=%d,%d,box=%d.%lld.%lld", c.dims[0], c.dims[1],
                    c.has.part, (long long)c.has.height, (long long)c.has.units);
    return HIT_OK;
}

const hit_layout_ops hit_layout_corner = {
    .name = "corner",
    .options = (const char *const[]){"speeds", "models", "box", "dims", NULL},
    .help = "speeds=S0,S1 (numbers >= 0; default both 1) or "
            "models=FILE,FILE (or one for both) or "
            "box=RANK.HEIGHT.ELEMENTS (whose corner, of how many rows and elements), "
            "dims=K,L (the dimensions of rows and columns; default 0,1)",
    .create = create,
    HIT_RECTS_OPS,
    .resolve = hit_layout_find,
    .of = &(const hit_layout_needs){"box", find},
};
