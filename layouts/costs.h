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

/** What was measured on this process between hit_costs_begin() and hit_costs_end(). */
typedef struct hit_costs_info {
    uint64_t indices;  /**< of launches, run by this process ... */
    uint64_t measured; /**< ... and those whose costs are in the tile */
    uint64_t boxes;    /**< that were timed */
    double seconds;    /**< of these, together */
} hit_costs_info;

/** From here on, measure what each index of @p costs costs, until hit_costs_end(): the
 * indices of a launch run in boxes that take 1 ms and more, and take about a 64th of
 * the time of what this process has of costs where that is longer (less where very many
 * boxes cost next to nothing), so that what beginning a box takes is little of it; the
 * seconds of a box are shared by the indices that ran in it (HIT_WHERE()), and added to
 * those of other launches. All launches of kernels of as many dimensions count, each
 * index as the element of costs with the same numbers. Results of strict kernels stay the
 * same.
 *
 * Not measured are launches whose boxes cannot be cut, or do not run at once: they run as
 * ever, and hit_costs_info.measured stays behind indices. These are kernels that reduce,
 * of whole boxes, or in an order; launches on GPUs, on several devices of a process, in
 * chains (hit_chain()), as tasks or placed by a scheduler; and indices whose costs
 * another process owns, so let costs be over the layout of what is launched.
 *
 * @shape  costs: of type double; borrowed until hit_costs_end(), which overwrites it
 * @units  seconds of this process times @p speed, so that an index costs the same on all
 *         processes. @p speed is that of the process, as in a layout's speeds=: 1 where
 *         all are alike, less on one that slow= makes slower.
 * @collective yes
 * @errors HIT_E_ARG costs of another type, a speed that is not > 0, a second call before
 *         hit_costs_end(); HIT_E_NOMEM; HIT_E_PEER */
HIT_API hit_status hit_costs_begin(hit_context *context, hit_tile *costs, double speed);
/** End it: the costs are in the tile, 0 where no index ran. @p info may be NULL.
 * @collective yes
 * @errors HIT_E_ARG no hit_costs_begin(); as hit_wait() */
HIT_API hit_status hit_costs_end(hit_context *context, hit_costs_info *info);

HIT_C_END

#endif
