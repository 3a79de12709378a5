/* SPDX-License-Identifier: MIT
 * FNV-1a, 64 bits (Fowler, Noll, Vo); the order of numbers. */
#include "hit/data/hash.h"

#include <string.h>

uint64_t hit_hash(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *byte = data;

    for (size_t k = 0; k < size; k++) {
        hash = (hash ^ byte[k]) * UINT64_C(1099511628211);
    }
    return hash;
}

uint64_t hit_hash_text(uint64_t hash, const char *text)
{
    return hit_hash(hash, text, strlen(text) + 1);
}

uint64_t hit_hash_place(uint64_t hash, const hit_domain *domain)
{
    if (hit_domain_is_empty(domain)) return hit_hash_extents(hash, domain);
    for (int d = 0; d < domain->dims; d++) {
        hash = hit_hash_word(hash, (uint64_t)domain->sig[d].begin);
    }
    return hit_hash_extents(hash, domain);
}

uint64_t hit_hash_extents(uint64_t hash, const hit_domain *domain)
{
    hash = hit_hash_word(hash, (uint64_t)domain->dims);
    if (hit_domain_is_empty(domain)) return hash; /* all of them are equal */
    for (int d = 0; d < domain->dims; d++) {
        const hit_sig *sig = &domain->sig[d];

        hash = hit_hash_word(hash, (uint64_t)sig->end - (uint64_t)sig->begin);
        hash = hit_hash_word(hash, (uint64_t)sig->stride);
    }
    return hash;
}

int hit_order_ints(const void *a, const void *b)
{
    const int x = *(const int *)a;
    const int y = *(const int *)b;

    return (x > y) - (x < y);
}
