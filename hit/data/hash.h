/* SPDX-License-Identifier: MIT
 * Internal: keys of what was planned. FNV-1a, 64 bits. */
#ifndef HIT_DATA_HASH_H
#define HIT_DATA_HASH_H

#include "hit/data/domain.h"

#define HIT_HASH_START UINT64_C(14695981039346656037)

/** Continue @p hash over @p size bytes. */
uint64_t hit_hash(uint64_t hash, const void *data, size_t size);
uint64_t hit_hash_domain(uint64_t hash, const hit_domain *domain);

#endif
