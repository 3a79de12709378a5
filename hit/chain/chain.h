/* SPDX-License-Identifier: MIT
 * Internal: chains of launches as values. A chain is a list of launches in the order of
 * the program. Its axes are dimensions of the tiles that it writes; the position of an
 * index of a launch is the element that it writes, up to a constant. A dimension of which
 * each index may touch all, such as the components of a cell, is no axis. */
#ifndef HIT_CHAIN_CHAIN_H
#define HIT_CHAIN_CHAIN_H

#include "hit/data/domain.h"
#include "hit/data/nearby.h"
#include "hit/data/sig.h"
#include "patterns/kernel.h"
#include "patterns/pattern.h"

#include <stddef.h>

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
    int arg;         /**< of the kernel, ... */
    int piece;       /**< ... and of the storage; of launches that are recorded */
} hit_chain_use;

/** The table of uses is long: where many launches are kept it is as long as they need. */
typedef struct hit_chain_launch {
    const char *kernel;
    hit_domain domain; /**< not empty; of strides 1 where its chain streams or is deep */
    int uses;
    hit_chain_use use[HIT_MAX_ARGS];
} hit_chain_launch;

/** The bytes of one with so many uses. */
static inline size_t hit_chain_launch_bytes(int uses)
{
    return offsetof(hit_chain_launch, use) + (size_t)uses * sizeof(hit_chain_use);
}

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

/* depend.c: may a launch be blocked in time with those before it, and how far must its
 * tiles be shifted? */

/** Let @p launch[chain->launches] join the chain of the launches before it. False: it
 * cannot, the chain is as it was, and @p why (of @p size bytes) says the reason. Pure.
 * @shape launch: chain->launches + 1 <= HIT_CHAIN_LAUNCHES */
bool hit_skew_join(hit_skew *chain, const hit_chain_launch *const launch[], char *why,
                   size_t size);
/** What all expressions of @p pattern touch of dimension @p dim, from index @p index on
 * (-1: from 0 on): @p low to @p high. False: some do not follow it with coefficient 1. */
bool hit_chain_interval(const hit_pattern *pattern, int dim, int index, hit_index *low,
                        hit_index *high);
/** What a use touches of axis @p axis, which is dimension @p dim of its tile, from the
 * position of an index on: @p low to @p high. False: it does not follow the position. */
bool hit_chain_reach(const hit_chain_place *place, const hit_chain_use *use, int axis,
                     int dim, hit_index *low, hit_index *high);
/** Elements that a use has in each position, of dimensions that are no axes; 0: it is not
 * known which dimensions are axes. */
hit_index hit_chain_breadth(const hit_skew *chain, const hit_chain_use *use);
/** Let the chain be that of its first @p launches launches. */
void hit_skew_cut(hit_skew *chain, int launches);

/* tile.c: the boxes of a chain that is blocked in time, in an order that keeps all
 * dependencies. */

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
    /** Of each chunk of the first axis, which has as much of it beside the others. NULL:
     * all have as much. Borrowed. */
    const double *speed;
} hit_tiling;

/** The first @p launches launches of @p chain in one chunk and one tile. */
hit_tiling hit_tiling_make(const hit_skew *chain, int launches);
/** Leave of an axis only what depends on no position before @p from or from @p to on: the
 * items are those of one chunk [from, to). The rest may run behind it, launch after
 * launch. */
void hit_tiling_limit(hit_tiling *tiling, int axis, hit_index from, hit_index to);
/** Cut it in chunks for @p threads threads where the axes are long enough. */
void hit_tiling_share(hit_tiling *tiling, int threads);
/** The same where thread number k is to have @p speed[k] of the first axis beside the
 * others, if that is long enough for a chunk of each. NULL: all as much. */
void hit_tiling_share_by(hit_tiling *tiling, int threads, const double speed[]);
/** The positions of the first axis that are in chunk number @p chunk, of all launches
 * together, but for what wedges take of them. */
hit_index hit_tiling_chunk(const hit_tiling *tiling, int chunk);
/** All positions of a launch. */
hit_domain hit_tiling_positions(const hit_tiling *tiling, int launch);
/** Those within the limits. */
hit_domain hit_tiling_inside(const hit_tiling *tiling, int launch);
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

/** The run of the positions @p box of a launch. Its indices may have been moved: the run
 * has those that the kernel knows. False: it has none, since the launch has strides. */
bool hit_chain_work_run(const hit_chain_work *work, int launch, const hit_domain *box,
                        hit_run *run);

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
/** The next box that is not empty: positions of launch walk->launch. False: there are no
 * more. */
bool hit_tiling_next(hit_tiling_walk *walk, hit_domain *box);

/* rim.c: the elements beyond a boundary as launches of a chain: each copies a layer of
 * elements of the tile, or what lies there already, to the layer beyond one side. */

enum {
    HIT_RIMS = 2 * HIT_MAX_DIMS
};

/** What lies beyond one side. */
typedef struct hit_rim {
    int axis;
    hit_domain box;   /**< the elements, all beyond the tile in this axis */
    bool constant;    /**< they have the tile's constant; else element x ... */
    int sign;         /**< ... has the value of element sign * x + offset in this axis */
    hit_index offset; /**< and of the same one in the others */
} hit_rim;

/** The box of @p need, and of the elements that its rims are filled from: a part of one
 * row beside a mirror needs the row behind it. @shape kind: tile->dims */
hit_domain hit_rims_need(const hit_domain *tile, const hit_boundary kind[],
                         const hit_domain *need);
/** The rims of what @p need has beyond @p tile, to be filled in this order; returns their
 * number. -1: a boundary is periodic, so that what lies beyond is far away, or @p need
 * reaches further than the tile.
 * @shape kind: tile->dims; rim: HIT_RIMS */
int hit_rims(const hit_domain *tile, const hit_boundary kind[], const hit_domain *need,
             hit_rim rim[]);
/** The layer of elements that a rim which is not constant is filled from. */
hit_domain hit_rim_source(const hit_rim *rim);
/** What a rim writes and reads, as the patterns of a launch whose indices are those of
 * the box, but one in the rim's axis. A constant rim reads nothing. */
void hit_rim_accesses(const hit_rim *rim, hit_access *writes, hit_access *reads);
/** The indices of that launch. */
hit_domain hit_rim_indices(const hit_rim *rim);

/* rim_kernels.c: the kernels that fill what lies beyond a boundary, for host cores and
 * GPUs. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HIT_RIM_BYTES = 64 /* of an element, at most */
};

/** The value of such a kernel: layers of elements, all with the same indices but in one
 * axis. */
typedef struct hit_rim_fill {
    int dims; /**< a kernel's function does not know them */
    int axis;
    hit_index begin; /**< the layers, in that axis */
    hit_index end;   /**< inclusive */
    bool constant;   /**< all are @p element; else layer k ... */
    int sign;
    hit_index offset; /**< ... is a copy of layer sign * k + offset */
    size_t size_bytes;
    uint64_t element[HIT_RIM_BYTES / sizeof(uint64_t)];
} hit_rim_fill;

/** The kernel for d + 1 dimensions. Arguments are the tile, and a hit_rim_fill as the
 * value; indices are those of the layers, with any single one in their axis. */
extern const hit_kernel hit_rim_kernel[HIT_MAX_DIMS];

/** Their half for GPUs, in builds with CUDA. */
hit_status hit_rim_fill_cuda(const hit_run *run);

#ifdef __cplusplus
}
#endif

#endif
