/* SPDX-License-Identifier: MIT
 * Internal to message plans: what one process needs of a tile, as images of elements
 * inside it. */
#ifndef HIT_COMM_NEEDS_H
#define HIT_COMM_NEEDS_H

#include "hit/comm/message.h"
#include "hit/comm/peers.h"
#include "hit/data/hulls.h"
#include "hit/data/region.h"

/** Images, and for each the number of the index piece that needs it. {0} is empty. */
typedef struct hit_needs {
    int count;
    int room;
    hit_image *image;
    int *piece;
} hit_needs;

/** Append the elements of @p box, some of which may lie beyond the tile. @errors
 * HIT_E_PATTERN it leaves a tile without a boundary; HIT_E_NOMEM */
hit_status hit_needs_add(const hit_domain *tile, const hit_boundary boundary[],
                         const hit_domain *box, int piece, hit_needs *list);
/** The elements of @p image whose sources lie in @p owned: the remap is undone per
 * dimension. */
hit_domain hit_needs_overlap(const hit_image *image, const hit_domain *owned);
/** Around the sources of @p image: most of what is owned is apart from it, and this is
 * much cheaper to see than hit_needs_overlap(). */
hit_hull hit_needs_hull(const hit_image *image);

/** What every process needs and owns of a request's tile. {0} is empty. */
typedef struct hit_everyone {
    int ranks;
    hit_needs *need;
    int *like; /**< the first rank that needs the same */
    hit_region *owned;
    hit_hulls *hulls; /**< over what each owns */
    hit_peers users;  /**< of a rank's elements: all, and maybe a few more */
    hit_peers owners; /**< of what a rank needs */
} hit_everyone;

/** Room for @p ranks processes that need and own nothing. @owner and @errors as below */
hit_status hit_everyone_make(int ranks, hit_everyone *everyone);
/** To be called when what @p rank owns is in everyone->owned. @errors HIT_E_NOMEM */
hit_status hit_everyone_own(hit_everyone *everyone, int rank);
/** The request's rank does not matter. @owner the caller, also on failure:
 * hit_everyone_clear() @errors as hit_needs_add() */
hit_status hit_everyone_find(const hit_message_request *request, hit_everyone *everyone);
/** Find out who may exchange elements with whom, before the plans of all ranks are made:
 * each of them would look at all others. Where nearly all meet, nothing is kept.
 * @errors HIT_E_NOMEM */
hit_status hit_everyone_meet(const hit_message_request *request, hit_everyone *everyone);
void hit_everyone_clear(hit_everyone *everyone);

/** Make room for one more element in the array that @p array_pointer points to. */
hit_status hit_needs_grow(void *array_pointer, int count, int *room, size_t size_bytes);

#endif
