/* SPDX-License-Identifier: MIT
 * Internal: partitions on plain arrays that are not installed: in one dimension, in two,
 * of ordered sets. */
#ifndef LAYOUTS_PARTITION_ALGORITHMS_H
#define LAYOUTS_PARTITION_ALGORITHMS_H

#include "hit/base/status.h"
#include "hit/model/fpm.h"
#include "layouts/partition/partition.h"

/* cpm.c: partition by constant speeds (CPM: constant performance model), on plain arrays.
 */

/** Give @p n units to @p parts processes so that max of share[i] / speed[i] is smallest;
 * of these, the one in which every further unit went where it finishes first, on ties to
 * the lowest index. A speed of 0 gets nothing. Equal on every machine: only integers
 * decide.
 *
 * @shape speed, share: parts numbers
 * @errors HIT_E_ARG n < 0, parts < 1, a speed that is negative, infinite or no number,
 * all speeds 0 with n > 0; HIT_E_NOMEM; share is not written then
 */
hit_status hit_partition_cpm(hit_index n, int parts, const double speed[],
                             hit_index share[]);
/** The same where process i can take at most @p most[i] units.
 *
 * @shape  speed, most, share: parts numbers; most may be NULL: no limits
 * @errors HIT_E_LIMIT the processes with a speed > 0 can take less than @p n units in
 *         all; HIT_E_ARG also a limit < 0; else as hit_partition_cpm()
 */
hit_status hit_partition_cpm_limited(hit_index n, int parts, const double speed[],
                                     const hit_index most[], hit_index share[]);

/* scale.c: models in larger units. */

/** The model whose unit is @p by units of @p fpm: rows of that width, for example. Loads
 * of a table that are no multiples are left out. @errors HIT_E_NOMEM */
hit_status hit_partition_scale(const hit_fpm *fpm, hit_index by, hit_fpm **scaled);
/** The same for the models of all parts; NULL stays NULL.
 * @owner *scaled is the caller's: hit_partition_models_clear() @errors HIT_E_NOMEM */
hit_status hit_partition_scale_all(int parts, const hit_fpm *const model[], hit_index by,
                                   hit_fpm ***scaled);
/** Give models and their array back. Accepts NULL in *model; sets it to NULL. */
void hit_partition_models_clear(int parts, hit_fpm ***model);
/** hit_partition_fpm() in such units. */
hit_status hit_partition_scaled(hit_index n, hit_index by, int parts,
                                const hit_fpm *const model[], hit_index share[]);

/* optimal.c: the optimal partition for any models: times that fall, cliffs, tables with
 * gaps. */

/** The partition with the smallest makespan, to the last bit of a double; among those
 * with the same one, shares are close to what each process can do in that time.
 * O(p I J log(range of times)) with J spans of loads that one process can do in a time
 * and I spans of sums of those; I is small where loads are many (docs/model.md).
 *
 * @errors as hit_partition_function
 * @paper  instead of HPOPTA [Khaleghzadeh2018]
 */
hit_partition_function hit_partition_optimal;

/** Can n units be done in @p seconds by some partition? @errors HIT_E_ARG; HIT_E_NOMEM */
hit_status hit_partition_feasible(hit_index n, int parts, const hit_fpm *const model[],
                                  double seconds, bool *feasible);

/* numerical.c: numerical partitioning: smooth curves through the models, and a system
 * of equations. */

/** A partition after which all processes finish at the same time, if their times were
 * Akima splines; for few, smooth, well-sampled points. Its makespan, as that of all
 * algorithms, is by the models themselves, and at most 1.1 times the smallest.
 *
 * @errors HIT_E_ARG also: it declines, and the text says why. The solver does not
 *         converge, a model has a load of infinite time below others, or a better
 *         partition exists; then use hit_partition_fpm()
 * @paper  [Rychkov2011]; differs: splines of time, Newton steps that
 *         use the shape of the Jacobian, and the certificate
 */
hit_partition_function hit_partition_numerical;

/* ordered.c: ordered sets: the column panels of a factorisation. Step k works on the
 * panels after k, so that every suffix of the panels has to be shared out well, by one
 * owner per panel. */

/** Owners for constant speeds: every suffix is shared out as well as it can be alone, so
 * that the sum of the steps' times is least whatever one panel costs in each step. Whole
 * speeds give a pattern that repeats. O(panels log(parts))
 *
 * @shape  speed: @p parts; owner: @p panels
 * @errors HIT_E_ARG panels < 0, parts < 1, a speed that is negative, infinite or no
 *         number; HIT_E_LIMIT all speeds are 0; HIT_E_NOMEM
 * @paper  [Boulet1999] by dynamic programming; here read backwards
 */
hit_status hit_partition_ordered(hit_index panels, int parts, const double speed[],
                                 int owner[]);

/** Owners by models. In step k, one panel after k is height[k] units of the models. With
 * panels^parts <= 10^6 this is optimal, by dynamic programming; else it is the Reverse
 * algorithm, and single panels are moved afterwards while that is faster.
 *
 * @shape  height: panels - 1 numbers >= 1; NULL: panels - 1, panels - 2, ... 1, as in an
 *         LU factorisation whose unit is a square block
 * @errors as above; HIT_E_LIMIT infeasible: the models cannot do the first step, or no
 *         owners are found that they allow in each step (tables with gaps)
 * @paper  [LastovetskyReddy2007b] for Reverse
 */
hit_status hit_partition_ordered_fpm(hit_index panels, const hit_index height[],
                                     int parts, const hit_fpm *const fpm[], int owner[]);
/** The sum of the steps' times in s. */
double hit_partition_ordered_time(hit_index panels, const hit_index height[], int parts,
                                  const hit_fpm *const fpm[], const int owner[]);

/* plane.c: rows x columns of equal units that are shared out in rectangles: what the
 * partitions in two dimensions have in common. */

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

/** @errors HIT_E_ARG a size < 0, more than 2^62 units */
hit_status hit_plane_check_size(hit_index rows, hit_index columns);
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

/* shapes.c: shapes that need not be rectangles, for two and three processes: how much
 * each makes them communicate in a product C = A B of matrices that are all shared out
 * alike. */

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
