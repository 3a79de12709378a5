/* SPDX-License-Identifier: MIT
 * Rectangles in columns, of ranks or of nodes: options into rectangles and back, and who
 * owns a position, in O(log ranks). How the rectangles are found is what the layouts
 * fpm2d, cpm2d, grid2d and cartesian, and hierarchical, differ in (layouts/partition).
 * fpm2d, and cpm2d by constant speeds: Clarke, Ilic, Lastovetsky and Sousa, "Hierarchical
 * partitioning algorithm for scientific computing on highly heterogeneous CPU + GPU
 * clusters" (Euro-Par 2012). grid2d has equally many rectangles in every column:
 * Lastovetsky, "On grid-based matrix partitioning for heterogeneous processors" (ISPDC
 * 2007). cartesian cuts rows once and columns once: block with widths, so that messages
 * go to neighbours in a grid only. */
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/topo/layout_text.h"
#include "layouts/layouts.h"
#include "layouts/partition/algorithms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct box {
    hit_rect rect;
    int number;
} box;

struct hit_columns {
    bool cut[2]; /**< are rows, and columns? */
    int boxes;
    box *box; /**< what is not empty, by column, and by row in a column; behind rect */
    hit_rect rect[];
};

/** The state of a layout with one rectangle per rank. */
typedef struct plane {
    int dims[2]; /**< of rows, and of columns */
    hit_columns *columns;
} plane;

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
            return HIT_FAIL(HIT_E_ARG,
                            "layout %s: expected rects= %d times ROW.COLUMN.HEIGHT.WIDTH "
                            "with ';' between them but found \"%.40s\" for rank %d",
                            spec->ops->name, count, at, k);
        }
        at = end + 1;
    }
    return HIT_OK;
}

static int compare(const void *one, const void *other)
{
    const hit_rect *a = &((const box *)one)->rect;
    const hit_rect *b = &((const box *)other)->rect;

    if (a->column != b->column) return a->column < b->column ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

/** Are the sorted rectangles columns without gaps? Each begins where the last one ends,
 * or a new column does. */
static bool are_columns(const hit_columns *c, hit_index rows, hit_index columns)
{
    hit_rect last = {0, 0, rows, 0};

    for (int k = 0; k < c->boxes; k++) {
        const hit_rect *next = &c->box[k].rect;
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

static hit_status sort(const hit_layout_spec *spec, int count, const int dims[2],
                       hit_columns *c)
{
    const hit_index rows = hit_sig_count(spec->domain.sig[dims[0]]);
    const hit_index columns = hit_sig_count(spec->domain.sig[dims[1]]);

    for (int k = 0; k < count; k++) {
        const hit_rect rect = c->rect[k];

        if (rect.height == 0 || rect.width == 0) continue;
        c->box[c->boxes++] = (box){rect, k};
        if (rect.height < rows) c->cut[0] = true;
        if (rect.width < columns) c->cut[1] = true;
    }
    qsort(c->box, (size_t)c->boxes, sizeof *c->box, compare);
    if (rows == 0 || columns == 0 ? c->boxes == 0 : are_columns(c, rows, columns)) {
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG,
                    "layout %s: expected rects= that are %lld x %lld elements "
                    "in columns but found gaps",
                    spec->ops->name, (long long)rows, (long long)columns);
}

hit_status hit_columns_read(const hit_layout_spec *spec, int count, const int dims[2],
                            hit_columns **columns)
{
    const size_t number = (size_t)count;
    hit_columns *made;

    HIT_TRY(hit_memory_zeroed(
        1, sizeof *made + number * (sizeof made->rect[0] + sizeof *made->box), &made));
    *columns = made;
    made->box = (box *)(void *)(made->rect + number);
    HIT_TRY(read_rects(spec, count, made->rect));
    return sort(spec, count, dims, made);
}

/* ---- who owns what ---- */

const hit_rect *hit_columns_rect(const hit_columns *columns, int k)
{
    return &columns->rect[k];
}

bool hit_columns_cut(const hit_columns *columns, int dim)
{
    return columns->cut[dim];
}

/** The last rectangle that begins at or before the column, and in it at or before @p row;
 * a column begins with a row of 0. */
static const box *last_before(const hit_columns *c, hit_index column, hit_index row)
{
    int low = 0;
    int high = c->boxes - 1;

    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        const hit_rect *rect = &c->box[middle].rect;

        if (rect->column < column || (rect->column == column && rect->row <= row)) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return &c->box[low];
}

int hit_columns_find(const hit_columns *columns, hit_index row, hit_index column)
{
    const box *in_column = last_before(columns, column, INT64_MAX);

    return last_before(columns, in_column->rect.column, row)->number;
}

hit_status hit_columns_append(const hit_layout_spec *spec, const int dims[2],
                              const hit_rect *rect, hit_region *part)
{
    hit_domain mine = spec->domain;
    hit_sig *rows = &mine.sig[dims[0]];
    hit_sig *columns = &mine.sig[dims[1]];

    if (rect->height == 0 || rect->width == 0) return HIT_OK;
    *rows = hit_sig_slice(*rows, rect->row, rect->row + rect->height - 1);
    *columns = hit_sig_slice(*columns, rect->column, rect->column + rect->width - 1);
    return hit_region_append(part, &mine);
}

/* ---- one rectangle per rank ---- */

static void destroy(void *state)
{
    plane *p = state;

    free(p->columns);
    free(p);
}

static hit_status create(const hit_layout_spec *spec, void **state)
{
    static const char *const known[] = {"rects", "dims", NULL};
    plane *made;

    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    *state = made;
    HIT_TRY(hit_layout_dims(spec, made->dims));
    return hit_columns_read(spec, spec->ranks, made->dims, &made->columns);
}

static hit_status part(const hit_layout_spec *spec, const void *state, int rank,
                       hit_region *part)
{
    const plane *p = state;

    return hit_columns_append(spec, p->dims, hit_columns_rect(p->columns, rank), part);
}

static int owner(const hit_layout_spec *spec, const void *state, const hit_index index[])
{
    const plane *p = state;
    const int *dims = p->dims;

    return hit_columns_find(p->columns,
                            hit_sig_position(spec->domain.sig[dims[0]], index[dims[0]]),
                            hit_sig_position(spec->domain.sig[dims[1]], index[dims[1]]));
}

static bool splits(const hit_layout_spec *spec, const void *state, int dim)
{
    const plane *p = state;

    (void)spec;
    return (dim == p->dims[0] && hit_columns_cut(p->columns, 0)) ||
           (dim == p->dims[1] && hit_columns_cut(p->columns, 1));
}

/* ---- speeds and models into options ---- */

hit_status hit_columns_options(const int dims[2], int count, const hit_rect rect[],
                               const char *more, char **options)
{
    const size_t size = 64 + strlen(more) + 84 * (size_t)count;
    size_t used;

    HIT_TRY(hit_memory_zeroed(size, 1, options));
    used =
        (size_t)snprintf(*options, size, "%sdims=%d,%d,rects=", more, dims[0], dims[1]);
    for (int k = 0; k < count; k++) {
        const hit_rect *r = &rect[k];

        used +=
            (size_t)snprintf(*options + used, size - used, "%s%lld.%lld.%lld.%lld",
                             k == 0 ? "" : ";", (long long)r->row, (long long)r->column,
                             (long long)r->height, (long long)r->width);
    }
    return HIT_OK;
}

/** hit_partition_columns() or another one of the kind. */
typedef hit_status find_function(const hit_plane *plane, hit_rect rect[]);

static hit_status find_rects(const hit_layout_spec *spec, const int dims[],
                             find_function *find, hit_rect rect[])
{
    hit_plane whole = {.rows = hit_sig_count(spec->domain.sig[dims[0]]),
                       .columns = hit_sig_count(spec->domain.sig[dims[1]]),
                       .parts = spec->ranks};
    hit_layout_pace pace;
    hit_status st =
        hit_layout_pace_read(spec, hit_layout_elements(spec, dims[0], dims[1]), &pace);

    whole.speed = pace.speed;
    whole.fpm = (const hit_fpm *const *)pace.models;
    if (st == HIT_OK) st = find(&whole, rect);
    hit_layout_pace_clear(spec, &pace);
    return st;
}

/** The option rects= by speeds= or models= and @p find, unless it is given. */
static hit_status resolve(const hit_layout_spec *spec, const char *const known[],
                          find_function *find, char **options)
{
    hit_rect *rect;
    int dims[2];
    bool given;
    hit_status st;

    HIT_TRY(hit_layout_given(spec, known, "rects", &given));
    HIT_TRY(hit_layout_dims(spec, dims));
    if (given) return HIT_OK;
    HIT_TRY(hit_memory_zeroed((size_t)spec->ranks, sizeof *rect, &rect));
    st = find_rects(spec, dims, find, rect);
    if (st == HIT_OK) st = hit_columns_options(dims, spec->ranks, rect, "", options);
    free(rect);
    return st;
}

/* ---- the layouts ---- */

static const char *const by_speeds[] = {"speeds", "rects", "dims", NULL};
static const char *const by_models[] = {"speeds", "models", "rects", "dims", NULL};

static hit_status resolve_fpm2d(const hit_layout_spec *spec, char **options)
{
    return resolve(spec, by_models, hit_partition_columns, options);
}

static hit_status resolve_cpm2d(const hit_layout_spec *spec, char **options)
{
    return resolve(spec, by_speeds, hit_partition_columns, options);
}

static hit_status resolve_grid2d(const hit_layout_spec *spec, char **options)
{
    return resolve(spec, by_models, hit_partition_grid, options);
}

static hit_status resolve_cartesian(const hit_layout_spec *spec, char **options)
{
    return resolve(spec, by_speeds, hit_partition_cartesian, options);
}

#define RECTANGLES                                                                       \
    .create = create, .destroy = destroy, .part = part, .owner = owner, .splits = splits

const hit_layout_ops hit_layout_fpm2d = {
    .name = "fpm2d",
    .help = "models=FILE,FILE,... (one per rank, or one for all) or "
            "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
            "rects=ROW.COLUMN.HEIGHT.WIDTH;... (of each rank) or "
            "kernel=NAME (measured, see docs/measure.md), "
            "dims=K,L (the dimensions of rows and columns; default 0,1)",
    RECTANGLES,
    .resolve = resolve_fpm2d,
    .search = &hit_search_columns,
};

const hit_layout_ops hit_layout_cpm2d = {
    .name = "cpm2d",
    .help = "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
            "rects=ROW.COLUMN.HEIGHT.WIDTH;... (of each rank) or "
            "kernel=NAME (measured, rounds=R times; default 1), "
            "dims=K,L (the dimensions of rows and columns; default 0,1)",
    RECTANGLES,
    .resolve = resolve_cpm2d,
    .search = &hit_search_cpm2d,
};

const hit_layout_ops hit_layout_grid2d = {
    .name = "grid2d",
    .help = "models=FILE,FILE,... (one per rank, or one for all) or "
            "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
            "rects=ROW.COLUMN.HEIGHT.WIDTH;... (of each rank), "
            "dims=K,L (the dimensions of rows and columns; default 0,1)",
    RECTANGLES,
    .resolve = resolve_grid2d,
};

const hit_layout_ops hit_layout_cartesian = {
    .name = "cartesian",
    .help = "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
            "rects=ROW.COLUMN.HEIGHT.WIDTH;... (of each rank), "
            "dims=K,L (the dimensions of rows and columns; default 0,1)",
    RECTANGLES,
    .resolve = resolve_cartesian,
};
