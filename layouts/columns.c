/* SPDX-License-Identifier: MIT
 * Rectangles in columns, of ranks or of nodes: options into rectangles and back. How the
 * rectangles are found is what the layouts fpm2d, cpm2d, grid2d and cartesian, and
 * hierarchical, differ in (layouts/partition). fpm2d, and cpm2d by constant speeds:
 * Clarke, Ilic, Lastovetsky and Sousa, "Hierarchical partitioning algorithm for
 * scientific computing on highly heterogeneous CPU + GPU clusters" (Euro-Par 2012).
 * grid2d has equally many rectangles in every column: Lastovetsky, "On grid-based matrix
 * partitioning for heterogeneous processors" (ISPDC 2007). cartesian cuts rows once and
 * columns once: block with widths, so that messages go to neighbours in a grid only. */
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "layouts/layouts.h"

#include <stdlib.h>

/* ---- options into rectangles ---- */

/** Read "1.2.3.4" from @p text; NULL: it is not that, else where it ends. */
static const char *read_rect(const char *text, hit_rect *rect)
{
    hit_index *side[] = {&rect->row, &rect->column, &rect->height, &rect->width};

    for (int k = 0; k < 4; k++) {
        if (k > 0 && *text++ != '.') return NULL;
        if (!hit_number_next(&text, 0, INT64_MAX, side[k])) return NULL;
    }
    return text;
}

static hit_status read_rects(const hit_layout_spec *spec, int count, hit_rect rect[])
{
    const char *at = hit_layout_option(spec, "rects", "");

    for (int k = 0; k < count; k++) {
        const char *end = read_rect(at, &rect[k]);

        if (end == NULL || *end != (k + 1 < count ? ';' : '\0')) {
            return HIT_LAYOUT_FAIL(
                spec,
                "expected rects= %d times ROW.COLUMN.HEIGHT.WIDTH with ';' between them "
                "but found \"%.40s\" for rank %d",
                count, at, k);
        }
        at = end + 1;
    }
    return HIT_OK;
}

/** Are the sorted rectangles columns without gaps? Each begins where the last one ends,
 * or a new column does. */
static bool are_columns(const hit_rects *r, hit_index rows, hit_index columns)
{
    hit_rect last = {0, 0, rows, 0};

    for (int k = 0; k < r->count; k++) {
        const hit_rect *next = &r->placed[k].rect;
        const hit_index below = last.row + last.height;

        if (next->height > rows - next->row || next->width > columns - next->column) {
            return false;
        }
        if (below == rows) {
            if (next->row != 0 || next->column != last.column + last.width) return false;
        } else if (next->row != below || next->column != last.column ||
                   next->width != last.width) {
            return false;
        }
        last = *next;
    }
    return last.row + last.height == rows && last.column + last.width == columns;
}

static hit_status check(const hit_layout_spec *spec, const hit_rects *r)
{
    const hit_index rows = hit_sig_count(spec->domain.sig[r->dims[0]]);
    const hit_index columns = hit_sig_count(spec->domain.sig[r->dims[1]]);

    if (rows == 0 || columns == 0 ? r->count == 0 : are_columns(r, rows, columns)) {
        return HIT_OK;
    }
    return HIT_LAYOUT_FAIL(
        spec, "expected rects= that are %lld x %lld elements in columns but found gaps",
        (long long)rows, (long long)columns);
}

hit_status hit_columns_read(const hit_layout_spec *spec, int count, const int dims[2],
                            hit_rect rect[], void **state)
{
    HIT_TRY(read_rects(spec, count, rect));
    HIT_TRY(hit_rects_create(dims, state));
    for (int k = 0; k < count; k++) {
        HIT_TRY(hit_rects_add(*state, k, rect[k].column, rect[k]));
    }
    HIT_TRY(hit_rects_finish(spec, count, *state));
    return check(spec, *state);
}

static hit_status create(const hit_layout_spec *spec, void **state)
{
    hit_rect *rect;
    int dims[2];
    hit_status st;

    HIT_TRY(hit_layout_dims(spec, dims));
    HIT_TRY(hit_memory_zeroed((size_t)spec->ranks, sizeof *rect, &rect));
    st = hit_columns_read(spec, spec->ranks, dims, rect, state);
    free(rect);
    return st;
}

/* ---- speeds and models into options ---- */

void hit_columns_write(const int dims[2], int count, const hit_rect rect[],
                       hit_growing *options)
{
    hit_growing_add(options, "dims=%d,%d,rects=", dims[0], dims[1]);
    for (int k = 0; k < count; k++) {
        const hit_rect *r = &rect[k];

        hit_growing_add(options, "%s%lld.%lld.%lld.%lld", k == 0 ? "" : ";",
                        (long long)r->row, (long long)r->column, (long long)r->height,
                        (long long)r->width);
    }
}

/** What the layouts differ in: ops->of. */
typedef struct kind {
    hit_layout_needs needs;
    hit_status (*find)(const hit_plane *plane, hit_rect rect[]);
} kind;

static hit_status find(const hit_layout_spec *spec, hit_growing *options)
{
    const kind *k = spec->ops->of;
    hit_plane whole = {.parts = spec->ranks};
    hit_layout_pace pace;
    hit_rect *rect;
    int dims[2];
    hit_status st;

    HIT_TRY(hit_layout_dims(spec, dims));
    HIT_TRY(hit_memory_zeroed((size_t)spec->ranks, sizeof *rect, &rect));
    st = hit_layout_pace_read(spec, hit_layout_elements(spec, dims[0], dims[1]), &pace);
    whole.rows = hit_sig_count(spec->domain.sig[dims[0]]);
    whole.columns = hit_sig_count(spec->domain.sig[dims[1]]);
    whole.speed = pace.speed;
    whole.fpm = (const hit_fpm *const *)pace.models;
    if (st == HIT_OK) st = k->find(&whole, rect);
    if (st == HIT_OK) hit_columns_write(dims, spec->ranks, rect, options);
    hit_layout_pace_clear(spec, &pace);
    free(rect);
    return st;
}

/* ---- the layouts ---- */

const hit_layout_ops hit_layout_fpm2d = {
    .name = "fpm2d",
    .options = (const char *const[]){"speeds", "models", "rects", "dims", NULL},
    .help = "models=FILE,FILE,... (one per rank, or one for all) or "
            "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
            "rects=ROW.COLUMN.HEIGHT.WIDTH;... (of each rank) or "
            "kernel=NAME (measured, see docs/measure.md), "
            "dims=K,L (the dimensions of rows and columns; default 0,1)",
    .create = create,
    HIT_RECTS_OPS,
    .resolve = hit_layout_find,
    .of = &(const kind){{"rects", find}, hit_partition_columns},
    .search = &hit_search_columns,
};

const hit_layout_ops hit_layout_cpm2d = {
    .name = "cpm2d",
    .options = (const char *const[]){"speeds", "rects", "dims", NULL},
    .help = "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
            "rects=ROW.COLUMN.HEIGHT.WIDTH;... (of each rank) or "
            "kernel=NAME (measured, rounds=R times; default 1), "
            "dims=K,L (the dimensions of rows and columns; default 0,1)",
    .create = create,
    HIT_RECTS_OPS,
    .resolve = hit_layout_find,
    .of = &(const kind){{"rects", find}, hit_partition_columns},
    .search = &hit_search_cpm2d,
};

const hit_layout_ops hit_layout_grid2d = {
    .name = "grid2d",
    .options = (const char *const[]){"speeds", "models", "rects", "dims", NULL},
    .help = "models=FILE,FILE,... (one per rank, or one for all) or "
            "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
            "rects=ROW.COLUMN.HEIGHT.WIDTH;... (of each rank), "
            "dims=K,L (the dimensions of rows and columns; default 0,1)",
    .create = create,
    HIT_RECTS_OPS,
    .resolve = hit_layout_find,
    .of = &(const kind){{"rects", find}, hit_partition_grid},
};

const hit_layout_ops hit_layout_cartesian = {
    .name = "cartesian",
    .options = (const char *const[]){"speeds", "rects", "dims", NULL},
    .help = "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
            "rects=ROW.COLUMN.HEIGHT.WIDTH;... (of each rank), "
            "dims=K,L (the dimensions of rows and columns; default 0,1)",
    .create = create,
    HIT_RECTS_OPS,
    .resolve = hit_layout_find,
    .of = &(const kind){{"rects", find}, hit_partition_cartesian},
};
