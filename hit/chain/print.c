/* SPDX-License-Identifier: MIT
 * Chains as text: the same on every machine for the same numbers. */
#include "hit/chain/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Adds "24 x 2048" to what the text holds. */
static void add_numbers(char *text, size_t size, const char *name, int count,
                        const hit_index number[])
{
    size_t used = strlen(text);

    for (int c = 0; c < count && used < size; c++) {
        const int wrote = snprintf(text + used, size - used, "%s%" PRId64,
                                   c == 0 ? name : " x ", (int64_t)number[c]);

        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

void hit_tiling_print(const hit_tiling *tiling, char *text, size_t size)
{
    const int axes = tiling->chain->axes;
    const int last = tiling->launches - 1;
    hit_index shift[HIT_MAX_DIMS];
    hit_index chunks[HIT_MAX_DIMS];
    hit_index width[HIT_MAX_DIMS];

    if (size == 0) return;
    for (int c = 0; c < axes; c++) {
        shift[c] = hit_tiling_shift(tiling, last, c);
        chunks[c] = tiling->chunks[c];
        width[c] = tiling->width[c];
        if (width[c] == 0) width[c] = tiling->end[c] - tiling->begin[c] + 1;
    }
    (void)snprintf(text, size, "%d launches, ", tiling->launches);
    add_numbers(text, size, "shifts ", axes, shift);
    add_numbers(text, size, ", growths ", axes, tiling->chain->place[last].growth);
    add_numbers(text, size, ", tiles ", axes, width);
    add_numbers(text, size, ", chunks ", axes, chunks);
}
