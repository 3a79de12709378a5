/* SPDX-License-Identifier: MIT
 * Internal to hit/checkpoint: checksums of the blocks of an array, of which each process
 * has stretches. */
#ifndef HIT_CHECKPOINT_SUMS_H
#define HIT_CHECKPOINT_SUMS_H

#include "hit/checkpoint/stored.h"

struct hit_comm;

/** How many checksums an array of so many bytes has. */
hit_index hit_sums_blocks(uint64_t bytes);
/** Add @p size bytes from @p offset on of an array of @p all bytes to what this process
 * knows: @p crc has a number for each block, 0 at the beginning. */
void hit_sums_add(uint64_t crc[], uint64_t all, uint64_t offset, const void *data,
                  size_t size);
/** Join what the processes know: the checksums. @collective yes */
hit_status hit_sums_join(struct hit_comm *comm, uint64_t crc[], uint64_t all);
/** Are these the checksums of *stored? @errors HIT_E_IO the first block that differs */
hit_status hit_sums_check(const hit_stored *stored, const uint64_t crc[]);

#endif
