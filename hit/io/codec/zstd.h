/* SPDX-License-Identifier: MIT
 * Internal: compression by libzstd. */
#ifndef HIT_IO_CODEC_ZSTD_H
#define HIT_IO_CODEC_ZSTD_H

#include "hit/base/status.h"

#include <stdbool.h>

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
