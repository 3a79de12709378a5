/* SPDX-License-Identifier: MIT
 * Chains as text: the same on every machine for the same numbers. */
#include "hit/base/text.h"
#include "hit/chain/tuner.h"

#include <stdio.h>

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
    hit_text_add(text, size, "shifts ");
    hit_text_add_numbers(text, size, " x ", axes, shift);
    hit_text_add(text, size, ", growths ");
    hit_text_add_numbers(text, size, " x ", axes, tiling->chain->place[last].growth);
    hit_text_add(text, size, ", tiles ");
    hit_text_add_numbers(text, size, " x ", axes, width);
    hit_text_add(text, size, ", chunks ");
    hit_text_add_numbers(text, size, " x ", axes, chunks);
}
