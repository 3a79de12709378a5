/* SPDX-License-Identifier: MIT
 * Random numbers, signatures and domains that are the same on every machine and in every
 * run. */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include "hit/data/domain.h"

typedef struct hit_random {
    uint64_t state;
} hit_random;

/** Start at @p seed, or at that in the environment variable HIT_SEED; prints which. */
hit_random hit_random_start(uint64_t seed);
/** How many of @p cases a test tries: all, or a sixteenth, but at least 50, where a
 * sanitizer makes each of them several times as slow. */
int hit_random_cases(int cases);
/** Was this built with a sanitizer? */
bool hit_random_is_slow(void);
uint64_t hit_random_next(hit_random *random);
/** Uniform in low..high, both inclusive. */
hit_index hit_random_index(hit_random *random, hit_index low, hit_index high);
/** Within low..high, of stride 1..max_stride; one in 16 is empty, one in 8 a single
 * element. */
hit_sig hit_random_sig(hit_random *random, hit_index low, hit_index high,
                       hit_index max_stride);
/** The product of @p dims such signatures. */
hit_domain hit_random_domain(hit_random *random, int dims, hit_index low, hit_index high,
                             hit_index max_stride);
/** A random subset of @p domain: slices and coarser strides of its signatures; may be
 * empty. */
hit_domain hit_random_subdomain(hit_random *random, const hit_domain *domain,
                                hit_index max_factor);

#endif
