/* SPDX-License-Identifier: MIT
 * Random chains whose launches compute with numbers, so that a wrong order shows. */
#ifndef TESTS_HIT_CHAIN_CHAIN_CASE_H
#define TESTS_HIT_CHAIN_CHAIN_CASE_H

#include "hit/chain/chain.h"
#include "hit/chain/spread.h"
#include "tests/support/random.h"

enum {
    CASE_LAUNCHES = 7,
    CASE_STORAGES = 3,
    CASE_CELL = 2, /* elements of a position in a dimension that is no axis */
    CASE_ELEMENTS = 16 * 16 * 16 * CASE_CELL
};

typedef struct chain_case {
    int axes;
    hit_domain axis;                /**< the extents of the axes */
    int cell[CASE_STORAGES];        /**< the dimension that is no axis; -1: none */
    hit_domain tile[CASE_STORAGES]; /**< with it */
    int launches;
    hit_chain_launch launch[CASE_LAUNCHES];
    const hit_chain_launch *list[CASE_LAUNCHES];
    hit_pattern pattern[CASE_LAUNCHES][3];
    hit_skew chain;
} chain_case;

/** The memory of all storages. */
typedef struct chain_memory {
    uint64_t element[CASE_STORAGES][CASE_ELEMENTS];
} chain_memory;

/** Make a chain; of its launches those are left that could join. @p strides: domains may
 * have some. */
void chain_case_make(hit_random *random, bool strides, chain_case *c);
void chain_case_clear(chain_case *c);
/** The box of a storage whose axes have the extents of @p box. */
hit_domain chain_case_box(const chain_case *c, int storage, hit_domain box);
/** Where an element of a storage is in its memory. */
hit_index chain_case_element(const chain_case *c, int storage, const hit_index at[]);
/** Some value in each element. */
void chain_case_fill(chain_memory *memory);
/** A random part of the launches, through at least @p least_bytes of memory, and in one
 * of
 * @p times cases results that need not go out: they are in @p dead, which is borrowed. */
hit_chain_stream_request chain_case_request(hit_random *random, const chain_case *c,
                                            hit_index least_bytes, int times,
                                            hit_domain dead[]);
/** Random chunks and widths that are legal. */
hit_tiling chain_case_tiling(hit_random *random, const chain_case *c);
/** One launch after the other. */
void chain_case_run(const chain_case *c, chain_memory *memory);
/** The indices @p box of launch @p l; returns their number. */
hit_index chain_case_run_box(const chain_case *c, int l, const hit_domain *box,
                             chain_memory *memory);
/** In the boxes of a tiling; the items of a phase in the order of their numbers or the
 * other way round. Returns the number of indices that were run. */
hit_index chain_case_run_tiled(const chain_case *c, const hit_tiling *tiling,
                               bool backwards, chain_memory *memory);

#endif
