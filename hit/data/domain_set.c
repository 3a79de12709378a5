/* SPDX-License-Identifier: MIT
 * Domains as sets ([Torres2013] section III.A), dimension by dimension with the functions
 * of sig.c. */
#include "hit/data/domain_set.h"

#include <inttypes.h>
#include <math.h>

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
        if (sig.stride == 1 && sig.begin <= sig.end) continue;
        if (!hit_sig_equal(sig, hit_sig_make(sig.begin, sig.end, sig.stride))) {
            return HIT_FAIL(HIT_E_ARG,
                            "expected a canonical signature in dimension %d but found "
                            "(%" PRId64 ", %" PRId64 ", %" PRId64 "): use hit_sig_make()",
                            d, sig.begin, sig.end, sig.stride);
        }
    }
    return HIT_OK;
}

hit_status hit_domain_check_given(const hit_domain *domain)
{
    HIT_TRY(hit_domain_check(domain));
    for (int d = 0; d < domain->dims; d++) {
        const hit_sig sig = domain->sig[d];

        if (hit_sig_is_empty(sig)) continue;
        if (sig.begin >= -HIT_INDEX_LIMIT && sig.end <= HIT_INDEX_LIMIT) continue;
        return HIT_FAIL(HIT_E_ARG,
                        "expected indices from %" PRId64 " to %" PRId64
                        " (2^60) but found %" PRId64 ":%" PRId64 " in dimension %d",
                        -HIT_INDEX_LIMIT, HIT_INDEX_LIMIT, sig.begin, sig.end, d);
    }
    return HIT_OK;
}

/* In elements of memory for all of the domain. */
static double reach_of(const hit_domain *domain)
{
    double stride = 1;
    double reach = 0;

    for (int d = domain->dims; d-- > 0 && !hit_domain_is_empty(domain);) {
        const hit_sig sig = domain->sig[d];
        const double far = fmax(fabs((double)sig.begin), fabs((double)sig.end));

        reach += far / (double)sig.stride * stride;
        stride *= (double)hit_sig_count(sig);
    }
    return reach;
}

/* Addresses are computed from where indices are 0: by halos rows become longer, and that
 * must not overflow either. */
hit_status hit_domain_check_reach(const hit_domain *domain, size_t size_bytes,
                                  const char *name)
{
    char found[128];

    if (reach_of(domain) * (double)size_bytes <= 0x1p56) return HIT_OK;
    hit_domain_print(domain, found, sizeof(found));
    return HIT_FAIL(HIT_E_ARG,
                    "tile %s: expected elements at most 2^56 bytes from where indices "
                    "are 0 but found %s of %zu bytes each: begin nearer to 0",
                    name, found, size_bytes);
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

void hit_domain_halve(const hit_domain *domain, int dim, hit_domain half[2])
{
    const hit_index count = hit_sig_count(domain->sig[dim]);

    half[0] = half[1] = *domain;
    half[0].sig[dim] = hit_sig_slice(domain->sig[dim], 0, count / 2 - 1);
    half[1].sig[dim] = hit_sig_slice(domain->sig[dim], count / 2, count - 1);
}

uint64_t hit_domain_place(const hit_domain *domain, const hit_index at[])
{
    uint64_t place = 0;

    for (int d = 0; d < domain->dims; d++) {
        place = place * (uint64_t)hit_sig_count(domain->sig[d]) +
                (uint64_t)hit_sig_position(domain->sig[d], at[d]);
    }
    return place;
}

void hit_domain_at_place(const hit_domain *domain, uint64_t place, hit_index at[])
{
    for (int d = domain->dims - 1; d >= 0; d--) {
        const uint64_t count = (uint64_t)hit_sig_count(domain->sig[d]);

        at[d] = hit_sig_at(domain->sig[d], (hit_index)(place % count));
        place /= count;
    }
}

hit_rest hit_rest_of(const hit_domain *domain, const hit_domain *hole)
{
    hit_rest made = {.left = *domain, .hole = hit_domain_intersect(domain, hole)};

    if (hit_domain_is_empty(domain)) made.dim = domain->dims;
    return made;
}

bool hit_rest_next(hit_rest *rest, hit_domain *box)
{
    for (; rest->dim < rest->left.dims; rest->dim++, rest->part = 0) {
        hit_sig *sig = &rest->left.sig[rest->dim];
        const hit_sig hole = rest->hole.sig[rest->dim];

        if (rest->part < hit_sig_minus_count(*sig, hole)) {
            *box = rest->left;
            box->sig[rest->dim] = hit_sig_minus(*sig, hole, rest->part++);
            return true;
        }
        if (hit_sig_is_empty(hole)) return false; /* that was all of it */
        *sig = hole;
    }
    return false;
}
