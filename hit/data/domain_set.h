/* SPDX-License-Identifier: MIT
 * Domains as sets: what plug-ins and the library compute with them. */
#ifndef HIT_DATA_DOMAIN_SET_H
#define HIT_DATA_DOMAIN_SET_H

#include "hit/data/domain.h"
#include "hit/data/sig.h"

HIT_C_BEGIN

HIT_API hit_domain hit_domain_empty(int dims);
/** Are dims in range and all signatures canonical? @errors HIT_E_ARG says what is not */
HIT_API hit_status hit_domain_check(const hit_domain *domain);
/** The same for one that a program gives: are its indices within HIT_INDEX_LIMIT, too? */
HIT_API hit_status hit_domain_check_given(const hit_domain *domain);
HIT_API bool hit_domain_has(const hit_domain *domain, const hit_index index[]);
/** Its first half and its second one along dimension @p dim, where it has two elements or
 * more. */
HIT_API void hit_domain_halve(const hit_domain *domain, int dim, hit_domain half[2]);
/** Where element @p at of @p domain stands in it, row by row. */
HIT_API uint64_t hit_domain_place(const hit_domain *domain, const hit_index at[]);
/** The element that stands there. */
HIT_API void hit_domain_at_place(const hit_domain *domain, uint64_t place,
                                 hit_index at[]);

/** Do the elements of tile @p name over it, each of @p size_bytes, lie at most 2^56 bytes
 * from where that with all indices 0 would? @errors HIT_E_ARG says what they do */
HIT_API hit_status hit_domain_check_reach(const hit_domain *domain, size_t size_bytes,
                                          const char *name);

/** What a domain has outside of another one, box after box, none of which is empty:
 * what is beside that in the first dimension, of the rest in the second, ... So boxes
 * keep whole rows of the last one, which are contiguous in memory. */
typedef struct hit_rest {
    hit_domain left; /**< of which dimensions from dim on are as they were */
    hit_domain hole; /**< what both have */
    int dim;
    hit_index part; /**< of that dimension, which comes next */
} hit_rest;

/** Those of @p domain outside of @p hole. */
HIT_API hit_rest hit_rest_of(const hit_domain *domain, const hit_domain *hole);
/** The next one; false: there are no more. */
HIT_API bool hit_rest_next(hit_rest *rest, hit_domain *box);

/* Inline is what every launch asks, many times (see hit/data/sig.h). */

/** Is every stride 1? */
HIT_API inline bool hit_domain_is_dense(const hit_domain *domain)
{
    for (int d = 0; d < domain->dims; d++) {
        if (domain->sig[d].stride != 1) return false;
    }
    return true;
}

HIT_API inline bool hit_domain_inside(const hit_domain *inner, const hit_domain *outer)
{
    bool inside = true;

    if (inner->dims != outer->dims) return false;
    for (int d = 0; d < inner->dims; d++) {
        if (hit_sig_is_empty(inner->sig[d])) return true;
        inside = inside && hit_sig_inside(inner->sig[d], outer->sig[d]);
    }
    return inside;
}

/** Do they have an element in common? */
HIT_API inline bool hit_domain_meets(const hit_domain *a, const hit_domain *b)
{
    hit_domain both;

    for (int d = 0; d < a->dims; d++) { /* most that are apart are so in one dimension */
        if (a->sig[d].end < b->sig[d].begin || b->sig[d].end < a->sig[d].begin) {
            return false;
        }
    }
    both = hit_domain_intersect(a, b);
    return !hit_domain_is_empty(&both);
}

/** Coarse union; an empty domain does not count. @paper [Torres2013] section III.D */
HIT_API hit_domain hit_domain_cover(const hit_domain *a, const hit_domain *b);

HIT_C_END

#endif
