/* SPDX-License-Identifier: MIT
 * Layouts for work that is not even: what an index costs is in a tile. */
#ifndef LAYOUTS_COSTS_H
#define LAYOUTS_COSTS_H

#include "hit/tile/tile.h"

HIT_C_BEGIN

/** A layout of the domain of @p costs as @p text says, where each process gets as much of
 * the costs as it is fast, not as many of the indices: "block" (equal processes),
 * "weighted", "cpm", "fpm", "cpm2d" or "fpm2d", with the options of these. Costs are
 * numbers >= 0 in any unit; a mask, 1 for an index that is computed and 0 for another
 * one, is a tile of costs.
 *
 * One dimension ("block:dims=K", "block" of one dimension, "weighted", "cpm", "fpm") is
 * cut into slices: the best ones, and by models of more than 4096 positions the best of
 * some 4096 cuts. Two are cut into columns of rectangles: the best heights for widths by
 * the speeds of whole columns. By a model, a part takes the seconds of as many elements,
 * times their mean cost: an element that costs 1 is one that the model measured.
 *
 * The layout prints as text that hit_layout_create() reads: shares= or rects=; "block"
 * becomes "weighted" or "cpm2d".
 *
 * @shape  costs: of a real or whole type, over the whole domain, in any layout; it is
 *         read, and may be destroyed afterwards
 * @collective yes: all processes give the same text. What is sent are the sums along
 *         dimension K; or those of columns, and those of the rows of each column of
 *         rectangles
 * @owner  *layout is the caller's: hit_layout_destroy()
 * @errors HIT_E_ARG another layout, options that leave nothing to find (shares=, rects=,
 *         kernel=), a cost that is negative or no number (says where), all costs 0;
 *         HIT_E_ABSENT a dry run of several processes, which has no costs; those of
 *         hit_layout_create()
 * @paper  [Pinar2008] slices, [Saule2012] columns of rectangles */
HIT_API hit_status hit_layout_from_costs(hit_context *context, const char *text,
                                         hit_tile *costs, hit_layout **layout);

HIT_C_END

#endif
