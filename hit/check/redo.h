/* SPDX-License-Identifier: MIT
 * Internal to checks of blocks: the memory of some tiles, for work that is done twice on
 * the same elements. */
#ifndef HIT_CHECK_REDO_H
#define HIT_CHECK_REDO_H

#include "hit/base/kind.h"
#include "hit/data/view.h"

/** Some memory, and as many elements beside it. */
typedef struct hit_redo_piece {
    hit_view view;
    hit_view other; /**< the copy */
    hit_type type;
    int of;          /**< the caller's */
    hit_domain dead; /**< elements that do not matter */
} hit_redo_piece;

typedef struct hit_redo {
    int count;
    hit_redo_piece *piece;
} hit_redo;

/** Copy what @p view, the whole of some memory, holds now; *redo is {0} at first. The
 * elements @p dead are not compared.
 * @owner *redo: hit_redo_end(), also on failure @errors HIT_E_NOMEM */
hit_status hit_redo_keep(hit_redo *redo, const hit_view *view, hit_type type, int of,
                         const hit_domain *dead);
/** The memory and the copies change places. */
void hit_redo_swap(hit_redo *redo);
/** An element that the memory and the copy have not alike: numbers may differ by @p terms
 * units in the last place of the largest one of their tile; 0: bits are compared. NULL:
 * there is none. @shape at: HIT_MAX_DIMS */
const hit_redo_piece *hit_redo_find(const hit_redo *redo, double terms, hit_index at[]);
/** The element in the copy. */
const char *hit_redo_other(const hit_redo_piece *piece, const hit_index at[]);
void hit_redo_end(hit_redo *redo);

#endif
