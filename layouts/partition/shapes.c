/* SPDX-License-Identifier: MIT
 * Shapes: Becker and Lastovetsky, "Matrix multiplication on two interconnected
 * processors" (Cluster 2006), DeFlumere, Lastovetsky and Becker, "Partitioning for
 * parallel matrix multiplication with heterogeneous processors: the optimal solution"
 * (HCW 2012). Volumes of three are those of real numbers, for a square of side 1; for
 * two, whole elements are counted: the last column of a corner need not be full. */
#include "hit/data/sig.h"
#include "layouts/partition/algorithms.h"

#include <math.h>
#include <stdbool.h>

/* ---- two processes ---- */

/** The elements sent when a corner of @p units in a box of @p height is cut out. */
static uint64_t corner_volume(hit_index rows, hit_index columns, hit_index units,
                              hit_index height)
{
    const hit_index width = hit_index_ceil_div(units, height);
    const hit_index last = units - height * (width - 1); /* in the last column */
    hit_index mixed_rows = 0;
    hit_index mixed_columns = 0;

    if (width < columns) mixed_rows += last;
    if (width > 1) mixed_rows += height - last;
    if (height < rows) mixed_columns += width - 1;
    if (last < rows) mixed_columns++;
    return (uint64_t)mixed_rows * (uint64_t)columns +
           (uint64_t)mixed_columns * (uint64_t)rows;
}

typedef struct search {
    hit_index rows;
    hit_index columns;
    hit_index units;
    hit_index height; /**< the best so far */
    uint64_t volume;
} search;

/** Try a height of less than all rows. Returns whether heights that are further from the
 * best real number can still be better. */
static bool try_height(search *s, hit_index height)
{
    double least;
    uint64_t volume;

    if (height < 1 || height >= s->rows || height > s->units) return false;
    if (hit_index_ceil_div(s->units, height) >= s->columns) return false;
    least = (double)s->columns * (double)height +
            (double)s->rows * (double)s->units / (double)height;
    if (least > (double)s->volume) return false;
    volume = corner_volume(s->rows, s->columns, s->units, height);
    if (volume < s->volume) {
        s->volume = volume;
        s->height = height;
    }
    return true;
}

/** The best corner that is not a strip: columns x height + rows x units / height is least
 * near one height, and is looked at from there in both directions. A volume of UINT64_MAX
 * says that there is none. */
static search find_corner(hit_index rows, hit_index columns, hit_index units)
{
    search s = {rows, columns, units, 0, UINT64_MAX};
    const double middle = sqrt((double)units * (double)rows / (double)columns);
    hit_index start = middle < (double)rows ? (hit_index)middle : rows - 1;

    if (start > units) start = units;
    for (hit_index height = start; try_height(&s, height); height--) {
    }
    for (hit_index height = start + 1; try_height(&s, height); height++) {
    }
    return s;
}

/** The strip that is as high as the plane, or the one that is as wide if that is better.
 */
static search find_strip(hit_index rows, hit_index columns, hit_index units)
{
    const hit_index height = hit_index_ceil_div(units, columns);
    const uint64_t high = corner_volume(rows, columns, units, rows);
    const uint64_t wide = corner_volume(rows, columns, units, height);

    if (wide < high) return (search){rows, columns, units, height, wide};
    return (search){rows, columns, units, rows, high};
}

hit_status hit_partition_corner(hit_index rows, hit_index columns,
                                const hit_index share[], hit_corner *corner)
{
    search best = {0};
    int part = 0;

    HIT_TRY(hit_plane_check_size(rows, columns));
    if (share[0] < 0 || share[1] < 0 || share[0] > rows * columns ||
        share[1] != rows * columns - share[0]) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected two shares of %lld x %lld elements but found %lld and "
                        "%lld",
                        (long long)rows, (long long)columns, (long long)share[0],
                        (long long)share[1]);
    }
    if (share[0] == 0 || share[1] == 0) {
        *corner = (hit_corner){.part = 0}; /* nothing for 0 ... */
        if (share[0] > 0) *corner = (hit_corner){0, rows, columns, share[0]};
        return HIT_OK;
    }
    best = find_strip(rows, columns, share[0]);
    for (int k = 1; k < 4; k++) {
        const int i = k % 2;
        const search found = k == 1 ? find_strip(rows, columns, share[i])
                                    : find_corner(rows, columns, share[i]);

        if (found.volume < best.volume) {
            best = found;
            part = i;
        }
    }
    *corner = (hit_corner){part, best.height, hit_index_ceil_div(best.units, best.height),
                           best.units};
    return HIT_OK;
}

static int shapes_of_two(hit_index side, const hit_index share[], hit_shape shape[])
{
    static const char *const corner[] = {"square corner of the first",
                                         "square corner of the second"};
    const search strip = find_strip(side, side, share[0]);

    shape[0] = (hit_shape){"strips", (double)strip.volume};
    for (int i = 0; i < 2; i++) {
        const search found = find_corner(side, side, share[i]);
        const bool none = found.volume == UINT64_MAX;

        shape[1 + i] = (hit_shape){corner[i], none ? INFINITY : (double)found.volume};
    }
    return 3;
}

/* ---- three processes ---- */

/** @p r >= @p s: the fractions of those that are not the largest. */
static int shapes_of_three(double elements, double r, double s, hit_shape shape[])
{
    const double sides = sqrt(r) + sqrt(s);

    shape[0] = (hit_shape){"square corner", sides <= 1.0 ? 2.0 * sides : INFINITY};
    shape[1] = (hit_shape){"rectangle corner", 1.0 + sides * sides};
    shape[2] = (hit_shape){"square rectangle",
                           sqrt(s) <= 1.0 - r ? 1.0 + 2.0 * sqrt(s) : INFINITY};
    shape[3] = (hit_shape){"block rectangle", 1.0 + r + s};
    shape[4] = (hit_shape){"L rectangle", 2.0 - r};
    shape[5] = (hit_shape){"strips", 2.0};
    for (int k = 0; k < 6; k++) {
        shape[k].volume *= elements;
    }
    return 6;
}

static hit_status check_shares(hit_index side, int parts, const hit_index share[])
{
    hit_index left = side * side;

    for (int i = 0; i < parts; i++) {
        if (share[i] >= 0 && share[i] <= left) {
            left -= share[i];
        } else {
            left = -1;
            break;
        }
    }
    if (left == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "expected shares >= 0 of %lld elements in all",
                    (long long)(side * side));
}

hit_status hit_partition_shapes(hit_index side, int parts, const hit_index share[],
                                int *count, hit_shape shape[], int *best)
{
    hit_index some[3] = {0}; /* shares > 0, largest first */
    int sharing = 0;

    if (side < 1 || side > INT64_C(1) << 31) {
        return HIT_FAIL(HIT_E_ARG, "expected a side from 1 to 2^31 but found %lld",
                        (long long)side);
    }
    if (parts != 2 && parts != 3) {
        return HIT_FAIL(HIT_E_ARG, "expected 2 or 3 processes but found %d", parts);
    }
    HIT_TRY(check_shares(side, parts, share));
    for (int i = 0; i < parts; i++) {
        int at = sharing;

        if (share[i] == 0) continue;
        for (; parts == 3 && at > 0 && some[at - 1] < share[i]; at--) {
            some[at] = some[at - 1];
        }
        some[at] = share[i];
        sharing++;
    }
    if (sharing == 1) {
        shape[0] = (hit_shape){"all on one", 0.0};
        *count = 1;
    } else if (sharing == 2) {
        *count = shapes_of_two(side, some, shape);
    } else {
        const double elements = (double)side * (double)side;

        *count = shapes_of_three(elements, (double)some[1] / elements,
                                 (double)some[2] / elements, shape);
    }
    *best = 0;
    for (int k = 1; k < *count; k++) { /* a rounding makes no difference */
        if (shape[k].volume < shape[*best].volume * (1.0 - 1e-12)) *best = k;
    }
    return HIT_OK;
}
