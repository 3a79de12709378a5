/* SPDX-License-Identifier: MIT
 * Internal: the boxes of a chain that is blocked in time, in an order that keeps all
 * dependencies. */
#ifndef HIT_CHAIN_TILE_H
#define HIT_CHAIN_TILE_H

#include "hit/chain/chain.h"
#include "patterns/kernel.h"

/** How the first launches of a chain are cut. Chunks of an axis may run side by side;
 * what is between two of them, where their ends recede and grow from launch to launch, is
 * a wedge, which runs after them. With d axes in chunks there are d + 1 phases. */
typedef struct hit_tiling {
    const hit_skew *chain; /**< borrowed */
    int launches;
    bool lines;                    /**< along the last axis use line_shift */
    hit_index width[HIT_MAX_DIMS]; /**< of a tile; 0: the axis is not cut in tiles */
    hit_index origin;              /**< of the last axis: a line of the cache begins */
    int chunks[HIT_MAX_DIMS];      /**< >= 1 */
    hit_index begin[HIT_MAX_DIMS]; /**< of all positions; hit_tiling_make() sets it ... */
    hit_index end[HIT_MAX_DIMS];   /**< ... and this, inclusive */
    hit_index from[HIT_MAX_DIMS];  /**< hit_tiling_limit() sets both */
    hit_index to[HIT_MAX_DIMS];
} hit_tiling;

/** The first @p launches launches of @p chain in one chunk and one tile. */
hit_tiling hit_tiling_make(const hit_skew *chain, int launches);
/** Leave of an axis only what depends on no position before @p from or from @p to on: the
 * items are those of one chunk [from, to). The rest may run behind it, launch after
 * launch. */
void hit_tiling_limit(hit_tiling *tiling, int axis, hit_index from, hit_index to);
/** Cut it in chunks for @p threads threads where the axes are long enough. */
void hit_tiling_share(hit_tiling *tiling, int threads);
/** The positions of a launch within the limits. False: there are none. */
bool hit_tiling_inside(const hit_tiling *tiling, int launch, hit_index begin[],
                       hit_index end[]);
/** The positions that are not, as boxes; returns their number. @shape begin and end: a
 * row for each, at most 2 * axes */
int hit_tiling_outside(const hit_tiling *tiling, int launch,
                       hit_index begin[][HIT_MAX_DIMS], hit_index end[][HIT_MAX_DIMS]);
/** The shift of a launch along an axis. */
hit_index hit_tiling_shift(const hit_tiling *tiling, int launch, int axis);
/** The least extent of a chunk of an axis. */
hit_index hit_tiling_least_chunk(const hit_tiling *tiling, int axis);
/** How many phases there are, and how many items phase @p phase has. Phases run one after
 * the other; the items of a phase have nothing to do with each other. */
int hit_tiling_phases(const hit_tiling *tiling);
int hit_tiling_items(const hit_tiling *tiling, int phase);

/** A tiling of kernels: launch number l runs kernel[l] as run[l] says, whose indices are
 * all of the launch's. */
typedef struct hit_chain_work {
    const hit_tiling *tiling;
    const hit_kernel *kernel[HIT_CHAIN_LAUNCHES];
    const hit_run *run[HIT_CHAIN_LAUNCHES];
} hit_chain_work;

/** Which items a device runs: those of the threads from @p first on, of all threads,
 * which take turns. */
typedef struct hit_chain_items {
    int phase;
    int first;
    int threads; /**< of the device */
    int all;     /**< of all devices that share the phase */
} hit_chain_items;

/** The run of the positions @p begin to @p end, inclusive, of a launch. Its indices may
 * have been moved: the run has those that the kernel knows. False: it has none, since the
 * launch has strides. */
bool hit_chain_work_run(const hit_chain_work *work, int launch, const hit_index begin[],
                        const hit_index end[], hit_run *run);

/** The boxes of an item, one after the other. */
typedef struct hit_tiling_walk {
    const hit_tiling *tiling;
    int launch; /**< of the box */
    hit_index low[HIT_CHAIN_LAUNCHES][HIT_MAX_DIMS];
    hit_index high[HIT_CHAIN_LAUNCHES][HIT_MAX_DIMS];
    hit_index first[HIT_MAX_DIMS]; /**< where the first tile begins */
    hit_index tiles[HIT_MAX_DIMS];
    hit_index tile[HIT_MAX_DIMS];
    hit_index from[HIT_MAX_DIMS]; /**< the tile, inclusive */
    hit_index to[HIT_MAX_DIMS];
} hit_tiling_walk;

void hit_tiling_start(const hit_tiling *tiling, int phase, int item,
                      hit_tiling_walk *walk);
/** The next box that is not empty: positions @p begin to @p end, inclusive, of launch
 * walk->launch. False: there are no more. */
bool hit_tiling_next(hit_tiling_walk *walk, hit_index begin[], hit_index end[]);

#endif
