/* SPDX-License-Identifier: MIT
 * Internal to hit/check: a launch on copies of its tiles, in the memory of one process,
 * on which a kernel can be tried without any effect on the program. */
#ifndef HIT_CHECK_REHEARSAL_H
#define HIT_CHECK_REHEARSAL_H

#include "hit/data/ndcopy.h"
#include "hit/data/region.h"
#include "patterns/kernel.h"

/** One actual argument. */
typedef struct hit_rehearsal_arg {
    const void *value; /**< NULL: a tile */
    const char *tile;  /**< its name */
    hit_domain domain; /**< the tile's: what ":" means */
    bool fresh; /**< nothing was ever written to the tile, and that is to be told */
    hit_view
        view; /**< the copy, row-major; larger than the tile where it has a boundary */
    hit_index cells; /**< of the copy; behind them is one more for what lies outside */
    char *pristine;  /**< the same elements again: what the launch finds */
} hit_rehearsal_arg;

typedef struct hit_rehearsal {
    const hit_kernel *kernel;
    const hit_pattern *pattern; /**< one per argument, as declared; NULL: do not look */
    hit_domain index;
    hit_rehearsal_arg arg[HIT_MAX_ARGS];
} hit_rehearsal;

/** Memory for the copy of tile argument @p k over @p box, cleared. @errors HIT_E_NOMEM */
hit_status hit_rehearsal_take(hit_rehearsal *trial, int k, const hit_domain *box);
/** What the copies hold now is what the launch finds. */
void hit_rehearsal_keep(hit_rehearsal *trial);
/** Let the copy of argument @p k hold again what the launch finds. */
void hit_rehearsal_restore(hit_rehearsal *trial, int k);
void hit_rehearsal_clear(hit_rehearsal *trial);

/** A run on the indices @p box of the copies, with one thread. */
hit_run hit_rehearsal_run(const hit_rehearsal *trial, const hit_domain *box);
/** What argument @p k may touch at the indices @p box, clipped to its copy.
 * @errors HIT_E_NOMEM */
hit_status hit_rehearsal_region(const hit_rehearsal *trial, int k, const hit_domain *box,
                                hit_region *region);
/** The number of element @p at in the copy of an argument; -1: it is not there. */
hit_index hit_rehearsal_cell(const hit_rehearsal_arg *arg, const hit_index at[]);
/** The element with that number. */
void hit_rehearsal_element(const hit_rehearsal_arg *arg, hit_index cell, hit_index at[]);
/** The domain of one index. */
hit_domain hit_rehearsal_point(int dims, const hit_index at[]);

/** Text such as "(3, 4)" and "()". */
void hit_rehearsal_print_index(int dims, const hit_index at[], char *text, size_t size);
/** An element as a number, or its bytes. */
void hit_rehearsal_print_value(hit_type type, const void *element, char *text,
                               size_t size);

#endif
