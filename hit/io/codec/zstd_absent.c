/* SPDX-License-Identifier: MIT
 * Takes the place of zstd.c where libzstd is not there: says why. */
#include "hit/io/codec/codec.h"

/* NOLINTBEGIN(misc-unused-parameters): nothing is done with what comes */
#pragma GCC diagnostic ignored "-Wunused-parameter"

hit_status hit_zstd_check(const char *path)
{
    return HIT_FAIL(HIT_E_ABSENT, "%s: zstd is %s", path, HIT_ZSTD_WHY);
}

size_t hit_zstd_bound(size_t size)
{
    return size;
}

hit_status hit_zstd_pack(const char *path, const void *from, size_t size, void *to,
                         size_t room, size_t *packed)
{
    *packed = 0;
    return hit_zstd_check(path);
}

hit_status hit_zstd_unpack(const char *path, const void *from, size_t size, void *to,
                           size_t room)
{
    return hit_zstd_check(path);
}
/* NOLINTEND(misc-unused-parameters) */
