/* SPDX-License-Identifier: MIT
 * Internal: the memory of the host that the tiles and launches of a dry run would take on
 * its processes. Halos, launches and what is held are followed on all of them, or on 32
 * from the first to the last; where another one owns more of a tile than any of these,
 * what it has more is added. */
#ifndef HIT_TILE_FOOTPRINT_H
#define HIT_TILE_FOOTPRINT_H

#include "hit/data/nearby.h"

#include <stddef.h>
#include <stdint.h>

struct hit_storage;

typedef struct hit_footprint hit_footprint;

enum {
    HIT_FOOTPRINT_MOST = 32 /**< processes that are looked at */
};

/** The memory of one process when it takes most. Without that of the program, of MPI, and
 * of GPUs. */
typedef struct hit_footprint_bytes {
    uint64_t tiles;   /**< with halos */
    uint64_t scratch; /**< temporary pieces and messages of launches, tables that stay */
    uint64_t held;    /**< boxes of other processes that are held, and spare memory for
                         such */
    uint64_t staged;  /**< of cores that work in a memory of their own, which lies in the
                         host's: their copies of tiles */
} hit_footprint_bytes;

/** What a tile takes on one process that is looked at; owned NULL ends a list of them. */
typedef struct hit_foreseen {
    int pieces;
    hit_domain *owned;
    hit_hulls hulls; /**< over these */
    hit_domain
        *cover; /**< per piece, behind them: with the halos that launches so far need */
} hit_foreseen;

/** Of @p processes. @owner the caller: hit_footprint_destroy() @errors HIT_E_NOMEM */
hit_status hit_footprint_create(int processes, hit_footprint **footprint);
/** Accepts NULL in *footprint; sets it to NULL. */
void hit_footprint_destroy(hit_footprint **footprint);
/** How many processes are looked at; NULL: none. */
int hit_footprint_processes(const hit_footprint *footprint);
/** The rank of number @p k of them. */
int hit_footprint_rank(const hit_footprint *footprint, int k);
/** The number of process @p rank; -1: it is not looked at. */
int hit_footprint_number(const hit_footprint *footprint, int rank);
/** Of the process that takes most. */
hit_footprint_bytes hit_footprint_most(const hit_footprint *footprint);

/** A new tile, of the context's footprint if it has one. @errors HIT_E_NOMEM */
hit_status hit_footprint_add(struct hit_storage *storage);
/** It goes. */
void hit_footprint_drop(struct hit_storage *storage);
/** Its memory on process number @p k covers @p box around a piece, too. */
void hit_footprint_cover(struct hit_storage *storage, int k, int piece,
                         const hit_domain *box);
/** A process takes so much memory more, or less, for boxes of a hit_storage that it holds
 * (hit_held_memory). */
void hit_footprint_hold(void *storage, int rank, int64_t bytes);
/** A launch on process number @p k: launches share the scratch memory, tables stay. */
void hit_footprint_launch(hit_footprint *footprint, int k, uint64_t scratch_bytes,
                          uint64_t table_bytes);

#endif
