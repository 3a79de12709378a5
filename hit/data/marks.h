/* SPDX-License-Identifier: MIT
 * Internal: a set of elements of a domain, a bit for each element. */
#ifndef HIT_DATA_MARKS_H
#define HIT_DATA_MARKS_H

#include "hit/data/view.h"

#include <stdbool.h>
#include <stdint.h>

HIT_C_BEGIN

typedef struct hit_marks hit_marks;

/** No element of @p domain. @owner *made: hit_marks_release() @errors HIT_E_NOMEM */
hit_status hit_marks_create(const hit_domain *domain, hit_marks **made);
/** Element @p at of the domain is in the set. */
void hit_marks_add(hit_marks *marks, const hit_index at[]);
/** Is it? */
bool hit_marks_have(const hit_marks *marks, const hit_index at[]);
/** How many are. */
uint64_t hit_marks_count(const hit_marks *marks);
/** The set as words: those of several sets of one domain that are disjoint are put
 * together by exclusive or. */
uint64_t *hit_marks_words(hit_marks *marks, int *count);
/** Let those of the elements @p box of @p view that are in the set have bytes of 0. */
void hit_marks_zero(const hit_marks *marks, const hit_view *view, const hit_domain *box);

/** Accepts NULL. */
hit_marks *hit_marks_share(hit_marks *marks);
/** Accepts NULL in *marks; sets it to NULL. */
void hit_marks_release(hit_marks **marks);

HIT_C_END

#endif
