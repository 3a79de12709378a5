/* SPDX-License-Identifier: MIT
 * Internal: the ranks that may own some of a box, found without a look at all ranks. */
#ifndef HIT_TOPO_OWNERS_H
#define HIT_TOPO_OWNERS_H

#include "hit/data/nearby.h"
#include "hit/topo/layout.h"

/** A set of ranks. {0} is empty. */
typedef struct hit_owners {
    bool all;  /**< of the layout, and no list: they are many, or cannot be found so */
    int count; /**< in the list; a rank may be there twice until hit_owners_sort() */
    size_t room;
    int *rank;
    int walked; /**< parts' boxes that were looked at */
} hit_owners;

/** Add the ranks of @p layout that own elements in @p box; maybe a few more.
 * @owner the caller: hit_owners_clear() @errors HIT_E_NOMEM */
hit_status hit_owners_add(const hit_layout *layout, const hit_hull *box,
                          hit_owners *owners);
bool hit_owners_has(const hit_owners *owners, int rank);
/** Ascending, each once. */
void hit_owners_sort(hit_owners *owners);
void hit_owners_clear(hit_owners *owners);

#endif
