/* SPDX-License-Identifier: MIT
 * Internal: the least and the greatest of the whole numbers in a box of elements, from a
 * table that is small whatever their number: elements are taken together in cells, and
 * cells in larger ones. Made once, by all who know some of the elements, and asked often.
 */
#ifndef HIT_DATA_EXTREMES_H
#define HIT_DATA_EXTREMES_H

#include "hit/data/domain.h"

#include <stdint.h>

HIT_C_BEGIN

typedef struct hit_extremes hit_extremes;

/** A table for the elements of @p domain in at most @p most cells, >= 1, without any
 * number yet. With a cell for each element it is exact; else a box also has what else is
 * in the cells at its rim. @owner *made: hit_extremes_release() @errors HIT_E_NOMEM */
hit_status hit_extremes_create(const hit_domain *domain, hit_index most,
                               hit_extremes **made);
/** Element @p at of the domain is @p number. */
void hit_extremes_note(hit_extremes *table, const hit_index at[], hit_index number);
/** What was noted, as words: those of several tables over one domain, of which each knows
 * some elements, are put together by the greater of each two. */
uint64_t *hit_extremes_words(hit_extremes *table, int *count);
/** All is noted, and put together: it may be asked. */
void hit_extremes_finish(hit_extremes *table);
/** Of the elements of @p box, which may lead beyond the domain. More elements never give
 * a greater *least or a less *greatest. False: there are none. Of a table that was
 * forgotten they are any number. */
bool hit_extremes_find(const hit_extremes *table, const hit_domain *box, hit_index *least,
                       hit_index *greatest);

/** Does the table say more of parts of @p box than of it: has it several cells? */
bool hit_extremes_divides(const hit_extremes *table, const hit_domain *box);

hit_extremes *hit_extremes_share(hit_extremes *table);
/** Give its memory back before the last one has released it. Accepts NULL. */
void hit_extremes_forget(hit_extremes *table);
/** Was it not forgotten? */
bool hit_extremes_is_there(const hit_extremes *table);
/** Accepts NULL in *table; sets it to NULL. */
void hit_extremes_release(hit_extremes **table);

HIT_C_END

#endif
