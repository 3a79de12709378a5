/* SPDX-License-Identifier: MIT
 * Internal: checksums of bytes, CRC-32C (Castagnoli), also of bytes that several
 * processes have. */
#ifndef HIT_IO_CODEC_CRC32C_H
#define HIT_IO_CODEC_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/** The checksum of some bytes: of "123456789" 0xe3069283. */
uint32_t hit_crc32c(const void *data, size_t size);
/** What a stretch adds to the checksum of a block in which @p behind bytes follow it. The
 * parts of stretches that make up the block are joined by XOR, in any order. */
uint32_t hit_crc32c_part(const void *data, size_t size, uint64_t behind);
/** The checksum of a block of @p size bytes from its joined parts. */
uint32_t hit_crc32c_whole(uint32_t parts, uint64_t size);

#endif
