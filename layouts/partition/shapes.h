/* SPDX-License-Identifier: MIT
 * Shapes that need not be rectangles, for two and three processes: how much each makes
 * them communicate in a product C = A B of matrices that are all shared out alike. */
#ifndef LAYOUTS_PARTITION_SHAPES_H
#define LAYOUTS_PARTITION_SHAPES_H

#include "hit/base/status.h"

/** The most shapes that hit_partition_shapes() tells of. */
#define HIT_MOST_SHAPES 6

typedef struct hit_shape {
    const char *name;
    double volume; /**< elements that are sent: for each line that k processes share, k -
                      1 times its length; INFINITY where the shape is not possible */
} hit_shape;

/** The shapes in which a square may be shared out, and the number of the one of least
 * volume. With two processes volumes are exact for whole elements; with three they are
 * those of real numbers.
 *
 * @shape  share: @p parts numbers of elements, side^2 in all; shape: HIT_MOST_SHAPES
 * @errors HIT_E_ARG side < 1 or > 2^31, not 2 or 3 parts, shares that are negative or not
 *         side^2 in all
 * @paper  [Becker2006] two processes; [DeFlumere2012] three
 */
hit_status hit_partition_shapes(hit_index side, int parts, const hit_index share[],
                                int *count, hit_shape shape[], int *best);

/** What one of two processes has: the first @p units elements, column by column, of the
 * height x width box at the first row and column; the other has the rest. */
typedef struct hit_corner {
    int part; /**< 0 or 1 */
    hit_index height;
    hit_index width;
    hit_index units;
} hit_corner;

/** The corner of least volume, for either process; one that is as high or as wide as the
 * plane is a strip, which is best where the speeds' ratio is below 3 : 1.
 *
 * @shape  share: 2 numbers of elements, rows x columns in all
 * @errors HIT_E_ARG rows or columns < 0, more than 2^62 elements, shares that do not sum
 *         up to them
 * @paper  [Becker2006]; differs: whole elements, planes that are not square
 */
hit_status hit_partition_corner(hit_index rows, hit_index columns,
                                const hit_index share[], hit_corner *corner);

#endif
