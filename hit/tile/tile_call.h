/* SPDX-License-Identifier: MIT
 * Internal: what all processes call alike with a tile. */
#ifndef HIT_TILE_TILE_CALL_H
#define HIT_TILE_TILE_CALL_H

#include "hit/tile/tile_impl.h"

typedef struct hit_tile_call {
    const char *name; /**< "hit_tile_get" */
    const hit_tile *tile;
    const hit_tile *other; /**< or NULL */
    int numbers;
    const hit_index *number; /**< an index, or a root */
    const char *path;        /**< or NULL */
    const char *options;     /**< of the path; NULL as "" */
} hit_tile_call;

/** Continue @p hash over what is the same of a tile on all processes. */
uint64_t hit_tile_mark(uint64_t hash, const hit_tile *tile);
/** hit_comm_agree_on() the call. @collective yes */
hit_status hit_tile_agree(const hit_tile_call *call, hit_status status);

#endif
