/* SPDX-License-Identifier: MIT
 * Domains: [Torres2013] section III.A. Everything is done dimension by dimension with the
 * functions of sig.c. We differ: an empty domain is a value like any other, and
 * intersections of strided domains are exact. Signatures beyond `dims` are zero, so that
 * equal domains have equal bytes. */
#include "hit/data/domain.h"

#include "hit/base/text.h"
#include "hit/data/domain_set.h"

#include <inttypes.h>
#include <stdio.h>

extern inline bool hit_domain_is_empty(const hit_domain *domain);
extern inline bool hit_domain_equal(const hit_domain *a, const hit_domain *b);

hit_domain hit_domain_of_sizes(int dims, const hit_index size[])
{
    const hit_index begin[HIT_MAX_DIMS] = {0};
    hit_index end[HIT_MAX_DIMS];

    for (int d = 0; d < dims && d < HIT_MAX_DIMS; d++) {
        end[d] = size[d] < 1 ? -1 : size[d] - 1;
    }
    return hit_domain_box(dims, begin, end);
}

hit_domain hit_domain_box(int dims, const hit_index begin[], const hit_index end[])
{
    if (dims < 0 || dims > HIT_MAX_DIMS) return hit_domain_empty(HIT_MAX_DIMS);

    hit_domain domain = {.dims = dims};
    for (int d = 0; d < dims; d++) {
        if (begin[d] > end[d]) return hit_domain_empty(dims);
        domain.sig[d] = hit_sig_make(begin[d], end[d], 1);
    }
    return domain;
}

hit_domain hit_domain_scalar(void)
{
    return (hit_domain){.dims = 0};
}

hit_index hit_domain_count(const hit_domain *domain)
{
    hit_index count = 1;

    for (int d = 0; d < domain->dims; d++) {
        hit_index size = hit_sig_count(domain->sig[d]);
        if (size == 0) return 0;
        if (__builtin_mul_overflow(count, size, &count)) count = INT64_MAX;
    }
    return count;
}

hit_domain hit_domain_intersect(const hit_domain *a, const hit_domain *b)
{
    hit_domain domain = {.dims = a->dims};
    for (int d = 0; d < a->dims; d++) {
        domain.sig[d] = hit_sig_intersect(a->sig[d], b->sig[d]);
        if (hit_sig_is_empty(domain.sig[d])) return hit_domain_empty(a->dims);
    }
    return domain;
}

hit_domain hit_domain_grow(hit_domain domain, hit_index width)
{
    for (int d = 0; d < domain.dims; d++) {
        domain.sig[d] = hit_sig_grow(domain.sig[d], width);
    }
    return hit_domain_is_empty(&domain) ? hit_domain_empty(domain.dims) : domain;
}

void hit_domain_print(const hit_domain *domain, char *text, size_t size)
{
    if (size == 0) return;
    (void)snprintf(text, size, "%s", domain->dims == 0 ? "()" : "");
    for (int d = 0; d < domain->dims; d++) {
        const hit_sig sig = domain->sig[d];

        hit_text_add(text, size, "%s%" PRId64 ":%" PRId64, d > 0 ? " x " : "", sig.begin,
                     sig.end);
        if (sig.stride != 1) hit_text_add(text, size, ":%" PRId64, sig.stride);
    }
}

bool hit_domain_first(const hit_domain *domain, hit_index index[])
{
    if (hit_domain_is_empty(domain)) return false;
    for (int d = 0; d < domain->dims; d++) {
        index[d] = domain->sig[d].begin;
    }
    return true;
}

bool hit_domain_next(const hit_domain *domain, hit_index index[])
{
    for (int d = domain->dims; d-- > 0;) {
        if (index[d] != domain->sig[d].end) {
            index[d] += domain->sig[d].stride;
            return true;
        }
        index[d] = domain->sig[d].begin;
    }
    return false;
}
