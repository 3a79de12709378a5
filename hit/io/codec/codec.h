/* SPDX-License-Identifier: MIT
 * Internal: checksums and compression of bytes. */
#ifndef HIT_IO_CODEC_CODEC_H
#define HIT_IO_CODEC_CODEC_H

#include "hit/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* crc32c.c: checksums of bytes, CRC-32C (Castagnoli), also of bytes that several
 * processes have. */

/** The checksum of some bytes: of "123456789" 0xe3069283. */
uint32_t hit_crc32c(const void *data, size_t size);
/** The same without an instruction of the processor, and without what is done at both
 * ends: @p crc goes on over more bytes. */
uint32_t hit_crc32c_add(uint32_t crc, const void *data, size_t size);
/** What a stretch adds to the checksum of a block in which @p behind bytes follow it. The
 * parts of stretches that make up the block are joined by XOR, in any order. */
uint32_t hit_crc32c_part(const void *data, size_t size, uint64_t behind);
/** The checksum of a block of @p size bytes from its joined parts. */
uint32_t hit_crc32c_whole(uint32_t parts, uint64_t size);

/* zstd.c: compression by libzstd. */

enum {
    HIT_ZSTD_LEVEL = 1 /* the fastest */
};

/** Was this built with libzstd? @errors HIT_E_ABSENT the reason why not */
hit_status hit_zstd_check(const char *path);
/** The most that @p size bytes can become. */
size_t hit_zstd_bound(size_t size);
/** @errors HIT_E_IO, @p path for the text; HIT_E_ABSENT; HIT_E_NOMEM */
hit_status hit_zstd_pack(const char *path, const void *from, size_t size, void *to,
                         size_t room, size_t *packed);
/** The reverse; what comes out is of @p room bytes. */
hit_status hit_zstd_unpack(const char *path, const void *from, size_t size, void *to,
                           size_t room);

#endif
