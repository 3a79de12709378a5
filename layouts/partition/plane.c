/* SPDX-License-Identifier: MIT
 * Rectangles in columns: integers that tile the plane exactly. With constant speeds the
 * best heights of a column (CPM partition of the rows) do not depend on its width, so
 * that a column is one process whose speed is the least speed / height in it, and the
 * best widths are a CPM partition again: makespan = the optimum for these columns. */
#include "hit/model/fpm_time.h"
#include "layouts/partition/partition_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

hit_status hit_plane_check_size(hit_index rows, hit_index columns)
{
    if (rows < 0 || columns < 0) {
        return HIT_FAIL(HIT_E_ARG, "expected rows and columns >= 0 but found %lld x %lld",
                        (long long)rows, (long long)columns);
    }
    if (rows == 0 || columns <= (INT64_C(1) << 62) / rows) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "expected at most 2^62 units but found %lld x %lld",
                    (long long)rows, (long long)columns);
}

hit_status hit_plane_check(const hit_plane *plane)
{
    HIT_TRY(hit_plane_check_size(plane->rows, plane->columns));
    if (plane->fpm == NULL) {
        return hit_partition_check_speeds(plane->parts, plane->speed);
    }
    if (plane->parts >= 1) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "expected parts >= 1 but found %d", plane->parts);
}

static double time_of(const hit_plane *plane, int part, const hit_rect *rect)
{
    if (rect->height == 0 || rect->width == 0) return 0.0;
    if (plane->fpm != NULL) {
        return hit_fpm_time(plane->fpm[part], rect->height * rect->width);
    }
    return (double)rect->height * (double)rect->width / plane->speed[part];
}

double hit_plane_makespan(const hit_plane *plane, const hit_rect rect[])
{
    double makespan = 0.0;

    for (int i = 0; i < plane->parts; i++) {
        makespan = fmax(makespan, time_of(plane, i, &rect[i]));
    }
    return makespan;
}

double hit_plane_half_perimeter(const hit_plane *plane, const hit_rect rect[])
{
    double sum = 0.0;

    for (int i = 0; i < plane->parts; i++) {
        if (rect[i].height == 0 || rect[i].width == 0) continue;
        sum += (double)rect[i].height + (double)rect[i].width;
    }
    return sum;
}

/* ---- heights and widths by speeds ---- */

/** The heights of column @p c; *speed: that of the column per column of units. */
static hit_status size_column(const hit_plane *plane, hit_plane_sizes *sizes, int c,
                              double part_speed[], double *speed)
{
    const int first = sizes->first[c];
    const int count = sizes->first[c + 1] - first;
    hit_index *height = sizes->height + first;
    double fastest = 0.0;

    *speed = 0.0;
    for (int k = 0; k < count; k++) {
        part_speed[k] = plane->speed[sizes->member[first + k]];
        fastest = fmax(fastest, part_speed[k]);
    }
    if (fastest == 0.0) return HIT_OK;
    HIT_TRY(hit_partition_cpm(plane->rows, count, part_speed, height));
    *speed = INFINITY;
    for (int k = 0; k < count; k++) {
        if (height[k] > 0) *speed = fmin(*speed, part_speed[k] / (double)height[k]);
    }
    return HIT_OK;
}

/** Fill in heights and widths. */
static hit_status sizes_by_speeds(const hit_plane *plane, hit_plane_sizes *sizes)
{
    const size_t parts = (size_t)plane->parts;
    double *part;   /* speeds */
    double *column; /* the same */
    double fastest = 0.0;

    HIT_TRY(HIT_TAKE(&sizes->arrays, parts, part));
    HIT_TRY(HIT_TAKE(&sizes->arrays, parts + 1, column));
    for (int c = 0; c < sizes->columns; c++) {
        HIT_TRY(size_column(plane, sizes, c, part, &column[c]));
        fastest = fmax(fastest, column[c]);
    }
    if (fastest == 0.0) {
        return HIT_FAIL(HIT_E_LIMIT, "%lld x %lld units are left but all speeds are 0",
                        (long long)plane->rows, (long long)plane->columns);
    }
    return hit_partition_cpm(plane->columns, sizes->columns, column, sizes->width);
}

/* ---- given columns ---- */

/** Sort the parts into their columns; columns without a part stay. */
static hit_status take_columns(const hit_plane *plane, const int column_of[],
                               hit_plane_sizes *sizes)
{
    const size_t parts = (size_t)plane->parts;
    hit_arrays *arrays = &sizes->arrays;
    int *first;

    HIT_TRY(HIT_TAKE(arrays, parts + 2, sizes->first));
    HIT_TRY(HIT_TAKE(arrays, parts, sizes->member));
    HIT_TRY(HIT_TAKE(arrays, parts, sizes->height));
    HIT_TRY(HIT_TAKE(arrays, parts, sizes->width));
    first = sizes->first + 1; /* first[c]: where the next part of column c goes */
    for (int i = 0; i < plane->parts; i++) {
        if (column_of[i] < -1 || column_of[i] >= plane->parts) {
            return HIT_FAIL(HIT_E_ARG, "expected columns from -1 to %d but found %d",
                            plane->parts - 1, column_of[i]);
        }
        if (column_of[i] >= sizes->columns) sizes->columns = column_of[i] + 1;
        if (column_of[i] >= 0) first[column_of[i] + 1]++;
    }
    for (int c = 0; c < sizes->columns; c++) {
        first[c + 1] += first[c];
    }
    for (int i = 0; i < plane->parts; i++) {
        if (column_of[i] >= 0) sizes->member[first[column_of[i]]++] = i;
    }
    return HIT_OK;
}

/** A column on its way to its place. */
typedef struct place {
    hit_index width;
    int column;
    int part; /**< the first */
} place;

static int compare_places(const void *one, const void *other)
{
    const place *a = one;
    const place *b = other;

    if (a->width != b->width) return a->width > b->width ? -1 : 1;
    return (a->part > b->part) - (a->part < b->part);
}

static void place_column(const hit_plane_sizes *sizes, int c, hit_index at,
                         hit_rect rect[])
{
    hit_index row = 0;

    for (int k = sizes->first[c]; k < sizes->first[c + 1]; k++) {
        const hit_index height = sizes->height[k];

        if (height == 0) continue;
        rect[sizes->member[k]] = (hit_rect){row, at, height, sizes->width[c]};
        row += height;
    }
}

static hit_status place_all(const hit_plane *plane, hit_plane_sizes *sizes,
                            hit_rect rect[])
{
    place *places;
    hit_index at = 0;
    int count = 0;

    HIT_TRY(HIT_TAKE(&sizes->arrays, (size_t)plane->parts, places));
    for (int c = 0; c < sizes->columns; c++) {
        if (sizes->width[c] == 0) continue;
        places[count++] = (place){sizes->width[c], c, sizes->member[sizes->first[c]]};
    }
    qsort(places, (size_t)count, sizeof *places, compare_places);
    memset(rect, 0, (size_t)plane->parts * sizeof *rect);
    for (int k = 0; k < count; k++) {
        place_column(sizes, places[k].column, at, rect);
        at += places[k].width;
    }
    return HIT_OK;
}

hit_status hit_plane_given_columns(const hit_plane *plane, const int column_of[],
                                   hit_rect rect[])
{
    hit_plane_sizes sizes = {0};
    hit_status st;

    HIT_TRY(hit_plane_check(plane));
    if (plane->rows == 0 || plane->columns == 0) {
        memset(rect, 0, (size_t)plane->parts * sizeof *rect);
        return HIT_OK;
    }
    st = take_columns(plane, column_of, &sizes);
    if (st == HIT_OK && sizes.columns == 0) {
        st = HIT_FAIL(HIT_E_LIMIT, "%lld x %lld units are left but no part takes any",
                      (long long)plane->rows, (long long)plane->columns);
    }
    if (st == HIT_OK) {
        st = plane->fpm != NULL ? hit_plane_sizes_fpm(plane, &sizes)
                                : sizes_by_speeds(plane, &sizes);
    }
    if (st == HIT_OK) st = place_all(plane, &sizes, rect);
    hit_arrays_free(&sizes.arrays);
    return st;
}
