/* SPDX-License-Identifier: MIT
 * Rows x columns of equal units that are shared out in rectangles: what the partitions in
 * two dimensions have in common. */
#ifndef LAYOUTS_PARTITION_PLANE_H
#define LAYOUTS_PARTITION_PLANE_H

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

#endif
