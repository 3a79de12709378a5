/* SPDX-License-Identifier: MIT
 * Checksums that do not depend on how elements are spread over processes. */
#include "hit/checkpoint/checkpoint_impl.h"
#include "hit/comm/comm.h"
#include "hit/io/codec/codec.h"

#include <inttypes.h>

hit_index hit_sums_blocks(uint64_t bytes)
{
    return (hit_index)((bytes + HIT_STORED_BLOCK - 1) / HIT_STORED_BLOCK);
}

/* The bytes of block @p k. */
static uint64_t block_size(uint64_t all, uint64_t k)
{
    const uint64_t rest = all - k * HIT_STORED_BLOCK;

    return rest < HIT_STORED_BLOCK ? rest : HIT_STORED_BLOCK;
}

void hit_sums_add(uint64_t crc[], uint64_t all, uint64_t offset, const void *data,
                  size_t size)
{
    const unsigned char *byte = data;

    while (size > 0) {
        const uint64_t k = offset / HIT_STORED_BLOCK;
        const uint64_t room = block_size(all, k) - offset % HIT_STORED_BLOCK;
        const size_t now = size < room ? size : (size_t)room;

        crc[k] ^= hit_crc32c_part(byte, now, room - now);
        offset += now;
        byte += now;
        size -= now;
    }
}

hit_status hit_sums_join(struct hit_comm *comm, uint64_t crc[], uint64_t all)
{
    const hit_index blocks = hit_sums_blocks(all);

    for (hit_index k = 0; k < blocks; k += INT32_MAX) {
        const hit_index rest = blocks - k;

        HIT_TRY(
            hit_comm_xor_u64(comm, crc + k, rest < INT32_MAX ? (int)rest : INT32_MAX));
    }
    for (hit_index k = 0; k < blocks; k++) {
        crc[k] = hit_crc32c_whole((uint32_t)crc[k], block_size(all, (uint64_t)k));
    }
    return HIT_OK;
}

hit_status hit_sums_check(const hit_stored *stored, const uint64_t crc[])
{
    for (hit_index k = 0; k < stored->blocks; k++) {
        if (crc[k] == stored->crc[k]) continue;
        return HIT_FAIL(HIT_E_IO,
                        "%s: dataset %s: expected checksum %08" PRIx64
                        " in block %lld of %lld but found %08" PRIx64
                        ": its elements are not those that were written",
                        stored->path, stored->name, stored->crc[k], (long long)k,
                        (long long)stored->blocks, crc[k]);
    }
    return HIT_OK;
}
