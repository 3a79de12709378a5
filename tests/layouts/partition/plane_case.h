/* SPDX-License-Identifier: MIT
 * Random planes, and the promises that every partition of a plane keeps. */
#ifndef TESTS_LAYOUTS_PARTITION_PLANE_CASE_H
#define TESTS_LAYOUTS_PARTITION_PLANE_CASE_H

#include "layouts/partition/algorithms.h"
#include "tests/support/random.h"

/** Speeds of very different size, up to 10^6 : 1, some 0, some equal; the first is > 0.
 */
void plane_case_speeds(hit_random *random, int parts, double speed[]);
/** Do the rectangles lie in the plane, in columns from its top to its bottom, and are
 * they the plane? What has no units is all 0. */
void plane_case_check(const hit_plane *plane, const hit_rect rect[]);
/** The least time per unit of width of column @p c, over all heights of its parts from
 * @p part on that sum up to @p rows; by speeds. */
double plane_case_column(const hit_plane *plane, const int column_of[], int c, int part,
                         hit_index rows);
/** All ways to write @p sum as @p count numbers >= 0, one after the other. */
bool plane_case_first(int count, hit_index sum, hit_index number[]);
bool plane_case_next(int count, hit_index number[]);

#endif
