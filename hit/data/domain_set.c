/* SPDX-License-Identifier: MIT
 * Domains as sets ([Torres2013] section III.A), dimension by dimension with the functions
 * of sig.c. */
#include "hit/data/domain_set.h"

#include "hit/data/sig.h"

#include <inttypes.h>

extern inline bool hit_domain_is_dense(const hit_domain *domain);
extern inline bool hit_domain_inside(const hit_domain *inner, const hit_domain *outer);
extern inline bool hit_domain_meets(const hit_domain *a, const hit_domain *b);

hit_domain hit_domain_empty(int dims)
{
    hit_domain domain = {.dims = dims};
    for (int d = 0; d < dims; d++) {
        domain.sig[d] = hit_sig_make(0, -1, 1);
    }
    return domain;
}

hit_status hit_domain_check(const hit_domain *domain)
{
    if (domain->dims < 0 || domain->dims > HIT_MAX_DIMS) {
        return HIT_FAIL(HIT_E_ARG, "expected a domain of 0 to %d dimensions but found %d",
                        HIT_MAX_DIMS, domain->dims);
    }
    for (int d = 0; d < domain->dims; d++) {
        hit_sig sig = domain->sig[d];
        if (!hit_sig_equal(sig, hit_sig_make(sig.begin, sig.end, sig.stride))) {
            return HIT_FAIL(HIT_E_ARG,
                            "expected a canonical signature in dimension %d but found "
                            "(%" PRId64 ", %" PRId64 ", %" PRId64 "): use hit_sig_make()",
                            d, sig.begin, sig.end, sig.stride);
        }
    }
    return HIT_OK;
}

bool hit_domain_has(const hit_domain *domain, const hit_index index[])
{
    for (int d = 0; d < domain->dims; d++) {
        if (!hit_sig_has(domain->sig[d], index[d])) return false;
    }
    return true;
}

hit_domain hit_domain_cover(const hit_domain *a, const hit_domain *b)
{
    if (hit_domain_is_empty(a)) return *b;
    if (hit_domain_is_empty(b)) return *a;

    hit_domain domain = {.dims = a->dims};
    for (int d = 0; d < a->dims; d++) {
        domain.sig[d] = hit_sig_cover(a->sig[d], b->sig[d]);
    }
    return domain;
}
