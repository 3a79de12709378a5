/* SPDX-License-Identifier: MIT
 * A plane in columns of rectangles, one rectangle per part. */
#ifndef LAYOUTS_PARTITION_COLUMNS_H
#define LAYOUTS_PARTITION_COLUMNS_H

#include "layouts/partition/plane.h"

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
