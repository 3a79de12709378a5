/* SPDX-License-Identifier: MIT
 * Compression by libzstd: whole frames in memory, so that what comes out can never be
 * more than there is room for. */
#include "hit/io/codec/codec.h"

#include <zstd.h>

hit_status hit_zstd_check(const char *path)
{
    (void)path;
    return HIT_OK;
}

size_t hit_zstd_bound(size_t size)
{
    return ZSTD_compressBound(size);
}

static hit_status check(const char *path, const char *what, size_t found)
{
    if (!ZSTD_isError(found)) return HIT_OK;
    return HIT_FAIL(HIT_E_IO, "%s: a chunk cannot be %s: zstd says: %s", path, what,
                    ZSTD_getErrorName(found));
}

hit_status hit_zstd_pack(const char *path, const void *from, size_t size, void *to,
                         size_t room, size_t *packed)
{
    *packed = ZSTD_compress(to, room, from, size, HIT_ZSTD_LEVEL);
    return check(path, "compressed", *packed);
}

hit_status hit_zstd_unpack(const char *path, const void *from, size_t size, void *to,
                           size_t room)
{
    const size_t found = ZSTD_decompress(to, room, from, size);

    HIT_TRY(check(path, "expanded", found));
    if (found == room) return HIT_OK;
    return HIT_FAIL(HIT_E_IO, "%s: expected a chunk of %zu bytes but found %zu", path,
                    room, found);
}
