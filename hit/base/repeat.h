/* SPDX-License-Identifier: MIT
 * Memory that holds one element again and again. */
#ifndef HIT_BASE_REPEAT_H
#define HIT_BASE_REPEAT_H

#include <stddef.h>

/** Set @p count elements of @p size_bytes at @p to to @p element, which lies elsewhere.
 */
void hit_memory_repeat(void *to, size_t count, const void *element, size_t size_bytes);

#endif
