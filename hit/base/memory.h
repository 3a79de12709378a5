/* SPDX-License-Identifier: MIT
 * Cleared memory, and sizes in bytes as text. */
#ifndef HIT_BASE_MEMORY_H
#define HIT_BASE_MEMORY_H

#include "hit/base/status.h"

HIT_C_BEGIN

/** Let the pointer at @p memory_pointer point to count * size_bytes, cleared; to NULL on
 * failure, so that callers may free() it in any case.
 * @errors HIT_E_NOMEM, also when the product overflows */
HIT_API hit_status hit_memory_zeroed(size_t count, size_t size_bytes,
                                     void *memory_pointer);

/** Read "512MiB", "16 MB", "4096", "1.5GiB": MB is 10^6 and MiB is 2^20 bytes.
 * @errors HIT_E_ARG not a positive finite size, unknown unit, more than SIZE_MAX / 2 */
HIT_API hit_status hit_memory_parse(const char *text, size_t *size_bytes);
/** Write 1048576 as "1 MiB", 1500 as "1.46 KiB". Never more than @p size bytes. */
HIT_API void hit_memory_print(uint64_t bytes, char *text, size_t size);

HIT_C_END

#endif
