/* SPDX-License-Identifier: MIT
 * Arrays of a test with ghosts and padding, which tiles adopt, and known bytes wherever
 * the library must not write. */
#ifndef TESTS_SUPPORT_OWN_ARRAY_H
#define TESTS_SUPPORT_OWN_ARRAY_H

#include "hit/data/region.h"
#include "hit/tile/adopt.h"
#include "tests/support/random.h"

typedef struct own_array {
    hit_local_array array;
    hit_domain owned; /* of no elements: array is not given */
    hit_view view;    /* of the owned elements and the ghosts */
    char *memory;
    size_t bytes;
} own_array;

/** Does @p layout give each process one box at most? */
bool own_array_may(const hit_layout *layout);
/** Memory for what process @p rank owns, with up to @p most ghosts on each side, and up
 * to 3 elements of padding. @owner own_array_free() */
own_array own_array_make(const hit_layout *layout, int rank, size_t size_bytes,
                         hit_index most, hit_random *random);
/** As hit_tile_adopt(). */
hit_status own_array_adopt(const own_array *own, hit_layout *layout, hit_type type,
                           const char *name, hit_tile **tile);
/** Are the bytes beside the owned elements and the ghosts as they were? */
bool own_array_is_intact(const own_array *own);
void own_array_free(own_array *own);

#endif
