/* SPDX-License-Identifier: MIT
 * Cartesian cuts: rows are cut once and columns once, for unlike processes. */
#ifndef LAYOUTS_PARTITION_CARTESIAN_H
#define LAYOUTS_PARTITION_CARTESIAN_H

#include "layouts/partition/plane.h"

/** As hit_partition_grid() by speeds, where the rectangles of a row of the grid also have
 * one height: each has at most one neighbour on each side, which costs balance where
 * speeds are no product of one number per row and one per column. Heights
 * and widths are found by turns, each the best for the other, from several beginnings: on
 * small planes within a tenth of the best cuts. Up to 3 slow parts may be idle.
 *
 * @errors HIT_E_ARG also models in place of speeds; else as hit_partition_columns() */
hit_status hit_partition_cartesian(const hit_plane *plane, hit_rect rect[]);

#endif
