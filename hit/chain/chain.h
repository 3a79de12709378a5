/* SPDX-License-Identifier: MIT
 * Internal: chains of launches as values. A chain is a list of launches in the order of
 * the program. Its axes are dimensions of the tiles that it writes; the position of an
 * index of a launch is the element that it writes, up to a constant. A dimension of which
 * each index may touch all, such as the components of a cell, is no axis. */
#ifndef HIT_CHAIN_CHAIN_H
#define HIT_CHAIN_CHAIN_H

#include "hit/data/domain.h"
#include "hit/data/sig.h"
#include "patterns/pattern.h"

enum {
    HIT_CHAIN_LAUNCHES = 64, /* the longest chain */
    HIT_CHAIN_STORAGES = 32  /* of a chain */
};

/** A tile argument of a launch. */
typedef struct hit_chain_use {
    const char *name;
    int storage; /**< a number below HIT_CHAIN_STORAGES; equal for the same memory */
    bool writes;
    const hit_pattern *pattern; /**< borrowed */
    hit_domain tile;
    hit_domain cover; /**< hit_pattern_cover() of all indices */
    size_t size_bytes;
    bool overwrites; /**< it writes all of its cover, and reads none of it */
} hit_chain_use;

typedef struct hit_chain_launch {
    const char *kernel;
    hit_domain domain; /**< not empty; of strides 1 where its chain streams or is deep */
    int uses;
    hit_chain_use use[HIT_MAX_ARGS];
} hit_chain_launch;

/** How a launch lies in a chain, for each axis. A tile of positions [a, b) runs, of this
 * launch, the positions [a - shift, b - shift); a chunk that begins at c begins here at c
 * + growth. */
typedef struct hit_chain_place {
    int index[HIT_MAX_DIMS];       /**< the dimension of the index; -1: the position is
                                        begin, whatever the index */
    hit_index begin[HIT_MAX_DIMS]; /**< of the positions, inclusive */
    hit_index end[HIT_MAX_DIMS];   /**< inclusive */
    hit_index shift[HIT_MAX_DIMS];
    hit_index growth[HIT_MAX_DIMS];
    hit_index line_shift; /**< along the last axis, in whole lines of the cache; legal,
                             too */
} hit_chain_place;

/** Which dimension of its tiles each axis is. */
typedef struct hit_chain_axes {
    int since; /**< number of the launch that set it, plus 1; 0: it is not known */
    int dim[HIT_MAX_DIMS];
} hit_chain_axes;

/** What is known of a chain. Every chain that begins with the same launches has the same
 * places for them. */
typedef struct hit_skew {
    int axes;       /**< 0: there is no launch yet */
    hit_index line; /**< elements of a line of the cache */
    int launches;
    hit_chain_place place[HIT_CHAIN_LAUNCHES];
    hit_chain_axes of[HIT_CHAIN_STORAGES]; /**< by the number of the storage */
} hit_skew;

#endif
