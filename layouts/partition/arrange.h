/* SPDX-License-Identifier: MIT
 * Which areas share a column, when rectangles of given areas are to tile a plane in
 * columns with the least sum of half-perimeters. */
#ifndef LAYOUTS_PARTITION_ARRANGE_H
#define LAYOUTS_PARTITION_ARRANGE_H

#include "hit/base/status.h"

/** The parts with an area > 0, largest first, the lower number first where areas are
 * equal; and how many. @errors HIT_E_NOMEM */
hit_status hit_arrange_rank(int parts, const double area[], int ranked[], int *count);

/** Deal the first @p parts of @p ranked to columns back and forth, 0 1 2 2 1 0 0 1 2 ...:
 * columns of similar sums and numbers, which round best. Others keep their column. */
void hit_arrange_deal(const int ranked[], int parts, int columns, int column_of[]);

/** The best arrangements of some areas, one for each number of columns. */
typedef struct hit_arrange hit_arrange;

/** Find the best arrangement of the areas > 0 in 1, 2, ... columns; sides of rectangles
 * are real numbers here. Known are the numbers of columns up to 3 after the best one, all
 * for up to 60 areas, and beyond 1000 only the best one; never more than there are areas
 * or than @p columns.
 *
 * @shape  area: @p parts numbers >= 0, in any unit, not all 0
 * @owner  *arrange is the caller's: hit_arrange_close()
 * @errors HIT_E_NOMEM
 * @paper  [Beaumont2001]; differs: O(p^2) instead of O(p^3) for the best number of
 *         columns, O(p log p) for every other one
 */
hit_status hit_arrange_open(hit_index rows, hit_index columns, int parts,
                            const double area[], hit_arrange **arrange);
/** Accepts NULL in *arrange; sets it to NULL. */
void hit_arrange_close(hit_arrange **arrange);
/** The number of columns of the best arrangement. */
int hit_arrange_best(const hit_arrange *arrange);
/** The sum of half-perimeters of the best arrangement in this number of columns; INFINITY
 * if it is not known. */
double hit_arrange_cost(const hit_arrange *arrange, int columns);
/** The column of each part, 0..columns-1; -1 for an area of 0. The cost is finite. */
void hit_arrange_get(const hit_arrange *arrange, int columns, int column_of[]);

#endif
