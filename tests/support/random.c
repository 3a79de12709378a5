/* SPDX-License-Identifier: MIT
 * The splitmix64 generator of Steele, Lea, Flood ("Fast splittable pseudorandom number
 * generators", OOPSLA 2014) in its public-domain form: 64 bits of state, any seed is
 * good. */
#include "tests/support/random.h"

#include "hit/data/domain_set.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* gcc names each sanitizer by a macro, clang by a feature */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                     \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED true
#else
#define SANITIZED false
#endif

hit_random hit_random_start(uint64_t seed)
{
    const char *other = getenv("HIT_SEED");

    if (other != NULL) seed = strtoull(other, NULL, 0);
    printf("random seed %" PRIu64 " (HIT_SEED sets another)\n", seed);
    return (hit_random){seed};
}

bool hit_random_is_slow(void)
{
    return SANITIZED;
}

int hit_random_cases(int cases)
{
    const int few = cases / 16 > 50 ? cases / 16 : 50;

    return SANITIZED && few < cases ? few : cases;
}

uint64_t hit_random_next(hit_random *random)
{
    random->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = random->state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

hit_index hit_random_index(hit_random *random, hit_index low, hit_index high)
{
    uint64_t values = (uint64_t)high - (uint64_t)low + 1; /* 0: all 2^64 */
    uint64_t next = hit_random_next(random);
    return (hit_index)((uint64_t)low + (values == 0 ? next : next % values));
}

hit_sig hit_random_sig(hit_random *random, hit_index low, hit_index high,
                       hit_index max_stride)
{
    hit_index a = hit_random_index(random, low, high);
    hit_index b = hit_random_index(random, low, high);
    hit_index kind = hit_random_index(random, 0, 15);

    if (kind == 0) return hit_sig_make(0, -1, 1);
    if (kind <= 2) return hit_sig_make(a, a, 1);
    return hit_sig_make(a < b ? a : b, a < b ? b : a,
                        hit_random_index(random, 1, max_stride));
}

hit_domain hit_random_domain(hit_random *random, int dims, hit_index low, hit_index high,
                             hit_index max_stride)
{
    hit_domain domain = {.dims = dims};
    for (int d = 0; d < dims; d++) {
        domain.sig[d] = hit_random_sig(random, low, high, max_stride);
    }
    return domain;
}

hit_domain hit_random_subdomain(hit_random *random, const hit_domain *domain,
                                hit_index max_factor)
{
    hit_domain sub = {.dims = domain->dims};
    for (int d = 0; d < domain->dims; d++) {
        hit_sig sig = domain->sig[d];
        hit_sig at = hit_random_sig(random, 0, hit_sig_count(sig) - 1, max_factor);
        if (hit_sig_is_empty(sig) || hit_sig_is_empty(at)) {
            return hit_domain_empty(domain->dims);
        }
        sub.sig[d] = hit_sig_make(hit_sig_at(sig, at.begin), hit_sig_at(sig, at.end),
                                  at.stride * sig.stride);
    }
    return sub;
}
