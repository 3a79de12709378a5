/* SPDX-License-Identifier: MIT
 * Rows x columns of equal units that are shared out in rectangles: what the partitions in
 * two dimensions have in common. */
#ifndef HIT_LAYOUTS_PARTITION_PLANE_H
#define HIT_LAYOUTS_PARTITION_PLANE_H

#include "hit/model/fpm.h"

/** What is shared out, and among whom. */
typedef struct hit_plane {
    hit_index rows;
    hit_index columns;
    int parts;
    const double *speed;       /**< units per second of each part, >= 0; or NULL, and */
    const hit_fpm *const *fpm; /**< a model of each part */
    /** An arrangement may take this much longer than the fastest one if its rectangles
     * have a smaller sum of half-perimeters, which is what they communicate. 0: 0.05 */
    double slack;
} hit_plane;

/** Rows row..row+height-1 and columns column..column+width-1; all 0: nothing. */
typedef struct hit_rect {
    hit_index row;
    hit_index column;
    hit_index height;
    hit_index width;
} hit_rect;

/** Where a partition has columns of rectangles: the widths of columns, and the heights in
 * each, such that the slowest rectangle is done as early as possible. Columns stand in
 * the order of their widths, widest first, and parts in a column in that of their
 * numbers.
 *
 * With speeds this is optimal: the best heights of a column do not depend on its width.
 * With models whose times never fall, too, and on small planes; else heights and widths
 * are found by turns, each the best for the other.
 *
 * @shape  column_of: for each part the number of its column, 0..parts-1, or -1: nothing
 * @errors HIT_E_ARG a size < 0, more than 2^62 units, parts < 1, a speed that is
 *         negative, infinite or no number; HIT_E_LIMIT the parts of column_of cannot do
 *         all units; HIT_E_NOMEM
 * @paper  [Kalinov1999]; integers: [Clarke2012] does not say how, rounding both sides
 *         alone can be 50 times off
 */
hit_status hit_plane_given_columns(const hit_plane *plane, const int column_of[],
                                   hit_rect rect[]);

/** The seconds until the last rectangle is done. */
double hit_plane_makespan(const hit_plane *plane, const hit_rect rect[]);
/** The sum of height + width over all rectangles that are not empty. */
double hit_plane_half_perimeter(const hit_plane *plane, const hit_rect rect[]);

/* cartesian.c: cartesian cuts: rows are cut once and columns once, for unlike
 * processes. */

/** As hit_partition_grid() by speeds, where the rectangles of a row of the grid also have
 * one height: each has at most one neighbour on each side, which costs balance where
 * speeds are no product of one number per row and one per column. Heights
 * and widths are found by turns, each the best for the other, from several beginnings: on
 * small planes within a tenth of the best cuts. Up to 3 slow parts may be idle.
 *
 * @errors HIT_E_ARG also models in place of speeds; else as hit_partition_columns() */
hit_status hit_partition_cartesian(const hit_plane *plane, hit_rect rect[]);

/* grid2d.c: grids of rectangles. */

/** As hit_partition_columns(), with an equal number of rectangles in every column (some
 * may be empty): the sum of half-perimeters is then rows x columns of rectangles,
 * whatever the areas are. Up to 3 slow parts may be idle where that gives a better grid.
 * @paper [Lastovetsky2007] */
hit_status hit_partition_grid(const hit_plane *plane, hit_rect rect[]);

/* columns.c: a plane in columns of rectangles, one rectangle per part. */

/** Tile the plane with one rectangle per part, in columns: as fast as columns can be,
 * within the slack of the plane, and of these with the least sum of half-perimeters.
 * Slow parts get nothing only where that is needed to be fast enough.
 *
 * Up to 7 parts (6 with models) all arrangements are tried; else, for each number of
 * columns, the one that is best for areas and one that rounds well; around the best
 * number of columns only where there are more than 60 parts of 100 units or more each.
 *
 * @shape  rect: one per part; together they are the plane
 * @errors HIT_E_ARG as hit_plane_given_columns(); HIT_E_LIMIT infeasible: all speeds 0,
 *         the models' caps are too small; HIT_E_NOMEM
 * @paper  [Beaumont2001] for areas, [Clarke2012] CMA; differs: integers are found
 *         together with the arrangement
 */
hit_status hit_partition_columns(const hit_plane *plane, hit_rect rect[]);

#endif
