/* SPDX-License-Identifier: MIT
 * Columns: two dimensions are cut into one rectangle per rank, of areas in proportion to
 * speeds or as models say, arranged in columns (partition/columns.h). Clarke, Ilic,
 * Lastovetsky and Sousa, "Hierarchical partitioning algorithm for scientific computing on
 * highly heterogeneous CPU + GPU clusters" (Euro-Par 2012). */
#include "hit/base/memory.h"
#include "layouts/layouts.h"
#include "layouts/partition/columns.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct box {
    hit_rect rect;
    int rank;
} box;

typedef struct boxes {
    int dims[2]; /**< of rows, and of columns */
    bool cut[2]; /**< is it? */
    int count;
    box *column; /**< what is not empty, by column, and by row in a column */
    hit_rect of_rank[];
} boxes;

/* ---- options into rectangles ---- */

/** Read "1.2.3.4" from @p text; NULL: it is not that, else where it ends. */
static const char *read_rect(const char *text, hit_rect *rect)
{
    hit_index *side[] = {&rect->row, &rect->column, &rect->height, &rect->width};

    for (int k = 0; k < 4; k++) {
        char *end;

        if (k > 0 && *text++ != '.') return NULL;
        if (*text < '0' || *text > '9') return NULL;
        errno = 0;
        *side[k] = strtoll(text, &end, 10);
        if (errno != 0) return NULL;
        text = end;
    }
    return text;
}

static hit_status read_rects(const hit_layout_spec *spec, hit_rect rect[])
{
    const char *at = hit_layout_option(spec, "rects", "");

    for (int rank = 0; rank < spec->ranks; rank++) {
        const char *end = read_rect(at, &rect[rank]);

        if (end == NULL || *end != (rank + 1 < spec->ranks ? ';' : '\0')) {
            return HIT_FAIL(HIT_E_ARG,
                            "layout %s: expected rects= %d times ROW.COLUMN.HEIGHT.WIDTH "
                            "with ';' between them but found \"%.40s\" for rank %d",
                            spec->ops->name, spec->ranks, at, rank);
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
static bool are_columns(const boxes *b, hit_index rows, hit_index columns)
{
    hit_rect last = {0, 0, rows, 0};

    for (int k = 0; k < b->count; k++) {
        const hit_rect *next = &b->column[k].rect;
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

static hit_status sort(const hit_layout_spec *spec, boxes *b)
{
    const hit_index rows = hit_sig_count(spec->domain.sig[b->dims[0]]);
    const hit_index columns = hit_sig_count(spec->domain.sig[b->dims[1]]);

    HIT_TRY(hit_memory_zeroed((size_t)spec->ranks, sizeof *b->column, &b->column));
    for (int rank = 0; rank < spec->ranks; rank++) {
        const hit_rect rect = b->of_rank[rank];

        if (rect.height > 0 && rect.width > 0) b->column[b->count++] = (box){rect, rank};
        if (rect.height > 0 && rect.width > 0 && rect.height < rows) b->cut[0] = true;
        if (rect.height > 0 && rect.width > 0 && rect.width < columns) b->cut[1] = true;
    }
    qsort(b->column, (size_t)b->count, sizeof *b->column, compare);
    if (rows == 0 || columns == 0 ? b->count == 0 : are_columns(b, rows, columns)) {
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG,
                    "layout %s: expected rects= that are %lld x %lld elements "
                    "in columns but found gaps",
                    spec->ops->name, (long long)rows, (long long)columns);
}

static void destroy(void *state)
{
    boxes *b = state;

    free(b->column);
    free(b);
}

static hit_status create(const hit_layout_spec *spec, void **state)
{
    static const char *const known[] = {"rects", "dims", NULL};
    const size_t size = sizeof(boxes) + (size_t)spec->ranks * sizeof(hit_rect);
    boxes *b;
    hit_status st;

    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(hit_memory_zeroed(1, size, &b));
    st = hit_layout_dims(spec, b->dims);
    if (st == HIT_OK) st = read_rects(spec, b->of_rank);
    if (st == HIT_OK) st = sort(spec, b);
    if (st != HIT_OK) {
        destroy(b);
        return st;
    }
    *state = b;
    return HIT_OK;
}

/* ---- who owns what ---- */

static hit_status part(const hit_layout_spec *spec, const void *state, int rank,
                       hit_region *part)
{
    const boxes *b = state;
    const hit_rect *rect = &b->of_rank[rank];
    hit_domain mine = spec->domain;
    hit_sig *rows = &mine.sig[b->dims[0]];
    hit_sig *columns = &mine.sig[b->dims[1]];

    if (rect->height == 0 || rect->width == 0) return HIT_OK;
    *rows = hit_sig_slice(*rows, rect->row, rect->row + rect->height - 1);
    *columns = hit_sig_slice(*columns, rect->column, rect->column + rect->width - 1);
    return hit_region_append(part, &mine);
}

/** The last rectangle that begins at or before the column, and in it at or before @p row;
 * a column begins with a row of 0. */
static int last_before(const boxes *b, hit_index column, hit_index row)
{
    int low = 0;
    int high = b->count - 1;

    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        const hit_rect *rect = &b->column[middle].rect;

        if (rect->column < column || (rect->column == column && rect->row <= row)) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static int owner(const hit_layout_spec *spec, const void *state, const hit_index index[])
{
    const boxes *b = state;
    const hit_index row =
        hit_sig_position(spec->domain.sig[b->dims[0]], index[b->dims[0]]);
    const hit_index column =
        hit_sig_position(spec->domain.sig[b->dims[1]], index[b->dims[1]]);
    const int in_column = last_before(b, column, INT64_MAX);

    return b->column[last_before(b, b->column[in_column].rect.column, row)].rank;
}

static bool splits(const hit_layout_spec *spec, const void *state, int dim)
{
    const boxes *b = state;

    (void)spec;
    return (dim == b->dims[0] && b->cut[0]) || (dim == b->dims[1] && b->cut[1]);
}

/* ---- speeds and models into options ---- */

static hit_status write_rects(const hit_layout_spec *spec, const int dims[],
                              const hit_rect rect[], char **options)
{
    const size_t size = 64 + 84 * (size_t)spec->ranks;
    size_t used;

    HIT_TRY(hit_memory_zeroed(size, 1, options));
    used = (size_t)snprintf(*options, size, "dims=%d,%d,rects=", dims[0], dims[1]);
    for (int rank = 0; rank < spec->ranks; rank++) {
        const hit_rect *r = &rect[rank];

        used += (size_t)snprintf(*options + used, size - used, "%s%lld.%lld.%lld.%lld",
                                 rank == 0 ? "" : ";", (long long)r->row,
                                 (long long)r->column, (long long)r->height,
                                 (long long)r->width);
    }
    return HIT_OK;
}

static hit_status find_rects(const hit_layout_spec *spec, const int dims[],
                             hit_rect rect[])
{
    hit_plane plane = {.rows = hit_sig_count(spec->domain.sig[dims[0]]),
                       .columns = hit_sig_count(spec->domain.sig[dims[1]]),
                       .parts = spec->ranks};
    hit_layout_pace pace;
    hit_status st =
        hit_layout_pace_read(spec, hit_layout_elements(spec, dims[0], dims[1]), &pace);

    plane.speed = pace.speed;
    plane.fpm = (const hit_fpm *const *)pace.models;
    if (st == HIT_OK) st = hit_partition_columns(&plane, rect);
    hit_layout_pace_clear(spec, &pace);
    return st;
}

static hit_status resolve(const hit_layout_spec *spec, char **options)
{
    static const char *const known[] = {"speeds", "models", "rects", "dims", NULL};
    hit_rect *rect;
    int dims[2];
    hit_status st;

    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(hit_layout_dims(spec, dims));
    HIT_TRY(hit_layout_one_of(spec, "speeds", "rects"));
    HIT_TRY(hit_layout_one_of(spec, "models", "rects"));
    if (hit_layout_option(spec, "rects", NULL) != NULL) return HIT_OK;
    HIT_TRY(hit_memory_zeroed((size_t)spec->ranks, sizeof *rect, &rect));
    st = find_rects(spec, dims, rect);
    if (st == HIT_OK) st = write_rects(spec, dims, rect, options);
    free(rect);
    return st;
}

const hit_layout_ops hit_layout_fpm2d = {
    .name = "fpm2d",
    .help = "models=FILE,FILE,... (one per rank, or one for all) or "
            "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
            "rects=ROW.COLUMN.HEIGHT.WIDTH;... (of each rank), "
            "dims=K,L (the dimensions of rows and columns; default 0,1)",
    .create = create,
    .destroy = destroy,
    .part = part,
    .owner = owner,
    .splits = splits,
    .resolve = resolve,
};
