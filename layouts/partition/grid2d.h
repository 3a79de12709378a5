/* SPDX-License-Identifier: MIT
 * Grids of rectangles. */
#ifndef LAYOUTS_PARTITION_GRID2D_H
#define LAYOUTS_PARTITION_GRID2D_H

#include "layouts/partition/plane.h"

/** As hit_partition_columns(), with an equal number of rectangles in every column (some
 * may be empty): the sum of half-perimeters is then rows x columns of rectangles,
 * whatever the areas are. Up to 3 slow parts may be idle where that gives a better grid.
 * @paper [Lastovetsky2007] */
hit_status hit_partition_grid(const hit_plane *plane, hit_rect rect[]);

#endif
