/* SPDX-License-Identifier: MIT
 * Internal to message plans: what one process needs of a tile, as images of elements
 * inside it. */
#ifndef HIT_COMM_NEEDS_H
#define HIT_COMM_NEEDS_H

#include "hit/comm/message.h"
#include "hit/comm/peers.h"
#include "hit/data/nearby.h"
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

/** What each process needs and owns of a request's tile. Processes that neither have
 * indices nor own what others need are not in it: a process is meant by its place, the
 * order is that of ranks. {0} is empty. */
typedef struct hit_everyone {
    int count;
    int *rank; /**< ascending; NULL: all of them are in it, or none */
    hit_needs *need;
    int *like; /**< the first place that needs the same */
    hit_region *owned;
    hit_hulls *hulls; /**< over what each owns */
    hit_peers users;  /**< of a place's elements: all, and maybe a few more */
    hit_peers owners; /**< of what a place needs */
} hit_everyone;

/** Room for @p count processes that need and own nothing. @owner and @errors as below */
hit_status hit_everyone_make(int count, hit_everyone *everyone);
static inline int hit_everyone_rank(const hit_everyone *everyone, int place)
{
    return everyone->rank != NULL ? everyone->rank[place] : place;
}
/** -1: it is not in it. */
int hit_everyone_place(const hit_everyone *everyone, int rank);
/** To be called when what is owned at @p place is in everyone->owned. @errors HIT_E_NOMEM
 */
hit_status hit_everyone_own(hit_everyone *everyone, int place);
/** The request's rank does not matter. @owner the caller, also on failure:
 * hit_everyone_clear() @errors as hit_needs_add() */
hit_status hit_everyone_find(const hit_message_request *request, hit_everyone *everyone);
/** Find out who may exchange elements with whom, before the plans of all of them are
 * made: each would look at all others. Where nearly all meet, nothing is kept.
 * @errors HIT_E_NOMEM */
hit_status hit_everyone_meet(const hit_message_request *request, hit_everyone *everyone);
void hit_everyone_clear(hit_everyone *everyone);

/** Make room for one more element in the array that @p array_pointer points to. */
hit_status hit_needs_grow(void *array_pointer, int count, int *room, size_t size_bytes);

#endif
