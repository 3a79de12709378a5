/* SPDX-License-Identifier: MIT
 * Domains as sets: what plug-ins and the library compute with them. */
#ifndef HIT_DATA_DOMAIN_SET_H
#define HIT_DATA_DOMAIN_SET_H

#include "hit/data/domain.h"
#include "hit/data/sig.h"

#ifdef __cplusplus
extern "C" {
#endif

HIT_API hit_domain hit_domain_empty(int dims);
/** Are dims in range and all signatures canonical? @errors HIT_E_ARG says what is not */
HIT_API hit_status hit_domain_check(const hit_domain *domain);
/** Is every stride 1? */
HIT_API bool hit_domain_is_dense(const hit_domain *domain);
HIT_API bool hit_domain_has(const hit_domain *domain, const hit_index index[]);
HIT_API bool hit_domain_inside(const hit_domain *inner, const hit_domain *outer);
/** Coarse union; an empty domain does not count. @paper [Torres2013] section III.D */
HIT_API hit_domain hit_domain_cover(const hit_domain *a, const hit_domain *b);
HIT_API hit_domain hit_domain_shift(const hit_domain *domain, const hit_index by[]);

#ifdef __cplusplus
}
#endif

#endif
