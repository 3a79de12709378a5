/* SPDX-License-Identifier: MIT
 * Columns of rectangles by cost: a jagged partition (Saule, Bas, Catalyurek,
 * "Load-balancing spatially located computations using rectangular partitions", JPDC 72,
 * 2012) for unlike processes. Its sums are those of columns, then those of the rows of
 * each column of rectangles: no process needs the costs of all elements. */
#include "hit/base/alloc.h"
#include "hit/model/fpm_time.h"
#include "layouts/partition/algorithms.h"
#include "layouts/partition/costs/costs.h"

#include <string.h>

/* ---- widths ---- */

/** Put parts that begin at the same column of units into one column of rectangles, from
 * left to right. */
static void number_columns(const hit_plane *plane, const hit_rect rect[],
                           hit_costs_columns *made)
{
    hit_index at = 0;

    for (int i = 0; i < plane->parts; i++) {
        made->column_of[i] = -1;
    }
    while (at < plane->columns) {
        hit_index end = plane->columns;

        for (int i = 0; i < plane->parts; i++) {
            if (rect[i].height == 0 || rect[i].width == 0 || rect[i].column != at) {
                continue;
            }
            made->column_of[i] = made->columns;
            end = at + rect[i].width;
        }
        made->columns++;
        at = end;
    }
}

/** Units per second of a part: by a model those of its rectangle for even costs. */
static double speed_of(const hit_plane *plane, int i, const hit_rect *even)
{
    if (plane->speed != NULL) return plane->speed[i];
    return hit_fpm_speed(plane->fpm[i], (double)even->height * (double)even->width);
}

static hit_status cut_widths(const hit_plane *plane, const hit_index sum[],
                             const hit_rect even[], double speed[], hit_index width[],
                             hit_costs_columns *made)
{
    const hit_costs line = {
        .n = plane->columns, .sum = sum, .parts = made->columns, .speed = speed};

    for (int i = 0; i < plane->parts; i++) {
        const int column = made->column_of[i];

        if (column >= 0) speed[column] += speed_of(plane, i, &even[i]);
    }
    if (made->columns > 0) HIT_TRY(hit_partition_costs(&line, width));
    made->first[0] = 0;
    for (int c = 0; c < made->columns; c++) {
        made->first[c + 1] = made->first[c] + width[c];
    }
    return HIT_OK;
}

hit_status hit_costs_widths(const hit_plane *plane, const hit_index sum[],
                            hit_costs_columns *made)
{
    const size_t parts = (size_t)plane->parts;
    hit_arrays arrays = {NULL};
    hit_rect *even;
    double *speed;
    hit_index *width;
    hit_status st = HIT_TAKE(&arrays, parts, even);

    if (st == HIT_OK) st = HIT_TAKE(&arrays, parts, speed);
    if (st == HIT_OK) st = HIT_TAKE(&arrays, parts, width);
    if (st == HIT_OK && made->columns == 0) {
        st = hit_partition_columns(plane, even);
        if (st == HIT_OK) number_columns(plane, even, made);
    }
    if (st == HIT_OK) st = cut_widths(plane, sum, even, speed, width, made);
    hit_arrays_free(&arrays);
    return st;
}

/* ---- heights ---- */

/** What the parts of one column of rectangles have. */
typedef struct members {
    int parts;
    int *part; /**< their numbers */
    double *speed;
    const hit_fpm **fpm;
    hit_index *share;
} members;

static void collect(const hit_plane *plane, const int column_of[], int number,
                    members *column)
{
    column->parts = 0;
    for (int i = 0; i < plane->parts; i++) {
        if (column_of[i] != number) continue;
        if (plane->speed != NULL) {
            column->speed[column->parts] = plane->speed[i];
        } else {
            column->fpm[column->parts] = plane->fpm[i];
        }
        column->part[column->parts++] = i;
    }
}

static hit_status cut_heights(const hit_plane *plane, const hit_index sum[],
                              hit_index width, const members *column)
{
    hit_costs line = {.n = plane->rows, .sum = sum, .parts = column->parts};
    hit_fpm **scaled = NULL;
    hit_status st;

    if (plane->speed != NULL) {
        line.speed = column->speed;
        return hit_partition_costs(&line, column->share);
    }
    HIT_TRY(hit_partition_scale_all(column->parts, column->fpm, width, &scaled));
    line.fpm = (const hit_fpm *const *)scaled;
    st = hit_partition_costs(&line, column->share);
    hit_partition_models_clear(column->parts, &scaled);
    return st;
}

static hit_status fill_column(const hit_plane *plane, const hit_costs_columns *made,
                              const hit_index sum[], int number, members *column,
                              hit_rect rect[])
{
    const hit_index first = made->first[number];
    const hit_index width = made->first[number + 1] - first;
    hit_index row = 0;

    if (width == 0) return HIT_OK;
    collect(plane, made->column_of, number, column);
    HIT_TRY(cut_heights(plane, sum + number * (plane->rows + 1), width, column));
    for (int k = 0; k < column->parts; k++) {
        const hit_index height = column->share[k];

        if (height > 0) {
            rect[column->part[k]] = (hit_rect){row, first, height, width};
        }
        row += height;
    }
    return HIT_OK;
}

hit_status hit_costs_heights(const hit_plane *plane, const hit_costs_columns *made,
                             const hit_index sum[], hit_rect rect[])
{
    const size_t parts = (size_t)plane->parts;
    hit_arrays arrays = {NULL};
    members room = {0};
    hit_status st = HIT_TAKE(&arrays, parts, room.part);

    if (st == HIT_OK) st = HIT_TAKE(&arrays, parts, room.speed);
    if (st == HIT_OK) st = HIT_TAKE(&arrays, parts, room.fpm);
    if (st == HIT_OK) st = HIT_TAKE(&arrays, parts, room.share);
    if (st == HIT_OK) memset(rect, 0, parts * sizeof *rect);
    for (int c = 0; c < made->columns && st == HIT_OK; c++) {
        st = fill_column(plane, made, sum, c, &room, rect);
    }
    hit_arrays_free(&arrays);
    return st;
}
