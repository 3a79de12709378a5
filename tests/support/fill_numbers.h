/* SPDX-License-Identifier: MIT
 * Tiles of whole numbers that follow from the index. */
#ifndef TESTS_SUPPORT_FILL_NUMBERS_H
#define TESTS_SUPPORT_FILL_NUMBERS_H

#include "hit/hit.h"

#include <stdint.h>

/** Let element k of a tile of one dimension, of type int64_t, be number(k). */
static inline void fill_numbers(hit_tile *tile, hit_index (*number)(hit_index k))
{
    for (int p = 0; p < hit_tile_pieces(tile); p++) {
        hit_view view;

        HIT_MUST(hit_tile_map(tile, p, HIT_WRITE, &view));
        HIT_FOR_EACH (at, view.domain) {
            *(int64_t *)hit_view_at(&view, at) = number(at[0]);
        }
    }
}

#endif
