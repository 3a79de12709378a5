/* SPDX-License-Identifier: MIT
 * What is written already is copied, twice as much each time, until it fills a part of
 * the first level cache: then this part is copied on. A call for each element takes a
 * nanosecond, here 16 to 64 bytes do. */
#include "hit/base/alloc.h"

#include <stdbool.h>
#include <string.h>

enum {
    PART_BYTES = 4096
};

static bool bytes_are_equal(const unsigned char *element, size_t size_bytes)
{
    return memcmp(element, element + 1, size_bytes - 1) == 0;
}

void hit_memory_repeat(void *to, size_t count, const void *element, size_t size_bytes)
{
    const size_t bytes = count * size_bytes;
    const size_t part =
        size_bytes < PART_BYTES ? PART_BYTES / size_bytes * size_bytes : size_bytes;
    char *at = to;

    if (bytes == 0) return;
    if (bytes_are_equal(element, size_bytes)) {
        memset(at, *(const unsigned char *)element, bytes);
        return;
    }
    memcpy(at, element, size_bytes);
    for (size_t done = size_bytes; done < bytes;) {
        const size_t written = done < part ? done : part;
        const size_t more = written < bytes - done ? written : bytes - done;

        memcpy(at + done, at, more);
        done += more;
    }
}
