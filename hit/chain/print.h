/* SPDX-License-Identifier: MIT
 * Internal: chains as text. */
#ifndef HIT_CHAIN_PRINT_H
#define HIT_CHAIN_PRINT_H

#include "hit/chain/choose.h"

/** One line: "24 launches, shifts 23 x 23, growths 23 x 23, tiles 8 x 2048, chunks 2 x
 * 1". Never more than @p size bytes. */
void hit_tiling_print(const hit_tiling *tiling, char *text, size_t size);

#endif
