/* SPDX-License-Identifier: MIT
 * Internal to layouts/costs*.c: the sums of a tile of costs. */
#ifndef LAYOUTS_COSTS_IMPL_H
#define LAYOUTS_COSTS_IMPL_H

#include "hit/tile/tile.h"

/** Along which dimension costs are added up; of the whole domain, or of strips of it. */
typedef struct hit_costs_frame {
    int dim;
    int across;             /**< that strips cut */
    int strips;             /**< 1: the whole domain */
    const hit_index *first; /**< of each strip its first position across, and the end */
} hit_costs_frame;

/** For each strip, and each position of the dimension and the end, the cost of what is
 * before it, on every process: whole numbers, in a unit of which all costs are at most
 * HIT_COSTS_MOST. Exact for whole costs of at most 2^51 in all.
 *
 * @collective yes @owner *sum is the caller's: free()
 * @errors HIT_E_ARG a cost < 0, or that is no number, all 0; HIT_E_NOMEM; HIT_E_PEER */
hit_status hit_costs_add_up(hit_context *context, hit_tile *costs,
                            const hit_costs_frame *frame, hit_index **sum);

#endif
