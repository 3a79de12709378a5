/* SPDX-License-Identifier: MIT
 * Memory for elements: aligned, and on huge pages where that pays. */
#ifndef HIT_BASE_MEMORY_H
#define HIT_BASE_MEMORY_H

#include "hit/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Allocate @p size_bytes at a multiple of 64 bytes; large buffers ask for huge pages.
 * Not cleared. A size of 0 gives a valid pointer. @owner the caller: hit_memory_release()
 * @errors HIT_E_NOMEM says how much was asked for and what for (@p what: "tile now") */
HIT_API hit_status hit_memory_take(size_t size_bytes, const char *what, void **memory);
/** Accepts NULL in *memory; sets it to NULL. */
HIT_API void hit_memory_release(void **memory);
/** count * size_bytes, cleared. @errors HIT_E_NOMEM, also when the product overflows */
HIT_API hit_status hit_memory_zeroed(size_t count, size_t size_bytes,
                                     void *memory_pointer);
/** Room for @p count elements in the array that @p array_pointer points to (NULL: none
 * yet), which keeps what it has; what is new is not cleared. It stays as it is on
 * failure.
 * @errors HIT_E_NOMEM says what for */
HIT_API hit_status hit_memory_resize(size_t count, size_t size_bytes, const char *what,
                                     void *array_pointer);
/** The memory of this machine in bytes, all of its NUMA nodes; 0 where unknown. */
size_t hit_memory_machine_bytes(void);
/** The largest resident size this process had so far, in bytes; 0 where unknown. */
HIT_API size_t hit_memory_peak_bytes(void);

/** Read "512MiB", "16 MB", "4096", "1.5GiB": MB is 10^6 and MiB is 2^20 bytes.
 * @errors HIT_E_ARG not a positive finite size, unknown unit, more than SIZE_MAX / 2 */
HIT_API hit_status hit_memory_parse(const char *text, size_t *size_bytes);
/** Write 1048576 as "1 MiB", 1500 as "1.46 KiB". Never more than @p size bytes. */
HIT_API void hit_memory_print(uint64_t bytes, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
