/* SPDX-License-Identifier: MIT
 * A domain in pieces of about one size, one after the other. */
#ifndef HIT_MEASURE_PIECES_H
#define HIT_MEASURE_PIECES_H

#include "hit/data/domain.h"

typedef struct hit_pieces {
    hit_domain whole;
    hit_index count[HIT_MAX_DIMS]; /**< of pieces along each dimension */
    hit_index next;                /**< whose turn it is */
} hit_pieces;

/** Cut @p whole, which is not empty, into pieces of about @p indices >= 1 indices each,
 * as near to cubes as it allows; INFINITY: one. */
hit_pieces hit_pieces_cut(const hit_domain *whole, double indices);
/** How many there are. */
hit_index hit_pieces_count(const hit_pieces *pieces);
/** The piece whose turn it is; after the last one comes the first one again. */
hit_domain hit_pieces_take(hit_pieces *pieces);

#endif
