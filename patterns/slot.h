/* SPDX-License-Identifier: MIT
 * Where the elements of a tile argument lie, as a running kernel sees them. */
#ifndef PATTERNS_SLOT_H
#define PATTERNS_SLOT_H

#include "hit/data/ndcopy.h"
#include "patterns/kernel.h"

#include <stdbool.h>

/** Set @p slot (all but touch) to a tile argument with the domain @p tile whose elements
 * lie in @p view. A body that is called for each index (@p by_index) asks for elements of
 * the tile only: where those of a strided tile lie as far apart as their indices, as in a
 * selection, it needs no steps, and no division. Functions of whole boxes traverse the
 * tile by its steps. */
void hit_slot_set(hit_slot *slot, const hit_view *view, const hit_domain *tile,
                  bool by_index);

/** Set slot number @p arg of a run so, and what the run says of all its tiles. */
static inline void hit_run_set_slot(hit_run *run, int arg, const hit_view *view,
                                    const hit_domain *tile, bool by_index)
{
    const hit_index elements = hit_domain_count(&view->domain);

    hit_slot_set(&run->slot[arg], view, tile, by_index);
    run->dense &= run->slot[arg].dense;
    if (run->elements < elements) run->elements = elements;
}

#endif
