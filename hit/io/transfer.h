/* SPDX-License-Identifier: MIT
 * Internal: the elements of a tile on their way to a file, or from one. */
#ifndef HIT_IO_TRANSFER_H
#define HIT_IO_TRANSFER_H

#include "hit/io/format.h"
#include "hit/tile/tile.h"

#define HIT_TRANSFER_BUFFER ((size_t)32 << 20) /* bytes of each process: the default */

enum {
    HIT_TRANSFER_NAME = 256 /* options.h has as many */
};

typedef struct hit_file_transfer {
    hit_tile *tile;
    hit_context *context;
    hit_array array;
    char dataset[HIT_TRANSFER_NAME]; /**< what array.dataset points to */
    size_t buffer_bytes;
    bool writes;
    /** Flat files only: where the elements begin, told by writing and asked by reading.
     * Or NULL. */
    uint64_t *begin_bytes;
} hit_file_transfer;

/** Fill in type and extents of the array, which are those of the tile. */
void hit_file_transfer_shape(hit_file_transfer *t);
/** Create or open, move, close. @collective yes */
hit_status hit_file_transfer_carry_out(hit_file_transfer *t);

#endif
