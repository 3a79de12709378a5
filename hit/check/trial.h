/* SPDX-License-Identifier: MIT
 * Internal to hit/check: a launch on copies of its tiles, in the memory of one process,
 * on which a kernel can be tried without any effect on the program. */
#ifndef HIT_CHECK_TRIAL_H
#define HIT_CHECK_TRIAL_H

#include "hit/data/ndcopy.h"
#include "hit/data/region.h"
#include "patterns/kernel.h"

/** One actual argument. */
typedef struct hit_trial_arg {
    const void *value; /**< NULL: a tile */
    const char *tile;  /**< its name */
    hit_domain domain; /**< the tile's: what ":" means */
    bool fresh; /**< nothing was ever written to the tile, and that is to be told */
    hit_view
        view; /**< the copy, row-major; larger than the tile where it has a boundary */
    hit_index cells; /**< of the copy; behind them is one more for what lies outside */
    char *pristine;  /**< the same elements again: what the launch finds */
} hit_trial_arg;

typedef struct hit_trial {
    const hit_kernel *kernel;
    const hit_pattern *pattern; /**< one per argument, as declared; NULL: do not look */
    hit_domain index;
    hit_trial_arg arg[HIT_MAX_ARGS];
} hit_trial;

/** Memory for the copy of tile argument @p k over @p box, cleared. @errors HIT_E_NOMEM */
hit_status hit_trial_take(hit_trial *trial, int k, const hit_domain *box);
/** What the copies hold now is what the launch finds. */
void hit_trial_keep(hit_trial *trial);
/** Let the copy of argument @p k hold again what the launch finds. */
void hit_trial_restore(hit_trial *trial, int k);
void hit_trial_clear(hit_trial *trial);

/** A run on the indices @p box of the copies, with one thread. */
hit_run hit_check_run(const hit_trial *trial, const hit_domain *box);
/** What argument @p k may touch at the indices @p box, clipped to its copy.
 * @errors HIT_E_NOMEM */
hit_status hit_trial_region(const hit_trial *trial, int k, const hit_domain *box,
                            hit_region *region);
/** The number of element @p at in the copy of an argument; -1: it is not there. */
hit_index hit_trial_cell(const hit_trial_arg *arg, const hit_index at[]);
/** The element with that number. */
void hit_trial_element(const hit_trial_arg *arg, hit_index cell, hit_index at[]);
/** The domain of one index. */
hit_domain hit_trial_point(int dims, const hit_index at[]);

/** Text such as "(3, 4)" and "()". */
void hit_trial_print_index(int dims, const hit_index at[], char *text, size_t size);
/** An element as a number, or its bytes. */
void hit_trial_print_value(hit_type type, const void *element, char *text, size_t size);

#endif
