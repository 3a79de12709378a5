/* SPDX-License-Identifier: MIT
 * Layouts that measure: the loop that serves every plug-in with a search. */
#ifndef LAYOUTS_SEARCH_H
#define LAYOUTS_SEARCH_H

#include "hit/base/alloc.h"
#include "hit/measure/trial.h"
#include "hit/model/store_impl.h"
#include "hit/topo/layout.h"
#include "hit/topo/layout_plugin.h"

#include <stdio.h>

/** Find the options of a layout whose spec has an option kernel=: look its models up in
 * the store; unless they know about the shares that are best by them, measure
 * distributions on all processes until the plug-in's search is content, and keep what was
 * learned.
 *
 * @collective yes; the search runs on process 0
 * @owner  *options is the caller's: free()
 * @errors HIT_E_ARG an option, no such kernel, or one of other dimensions; those of
 * hit_trial_run() and of the plug-in; HIT_E_PEER
 */
hit_status hit_layout_search(hit_context *context, const hit_layout_spec *spec,
                             char **options);

/* A search under way. */

/** What process 0 has. */
typedef struct hit_search_root {
    void *state;          /**< of the plug-in's search */
    hit_measured *all;    /**< of every rank: its key, and what it measured last */
    hit_fpm **seed;       /**< of every rank: the model of the store, or NULL */
    double *seconds;      /**< of every rank */
    int *local;           /**< of every rank: its number on its host */
    hit_layout_spec spec; /**< with local, for the plug-in's search */
    int rounds;           /**< measured so far */
    bool begun;           /**< was an offer made? */
    bool complete;        /**< the seeds know about any share: nothing is measured */
    double start_s;
    FILE *log;         /**< NULL: none */
    hit_arrays arrays; /**< all but the seeds */
} hit_search_root;

typedef struct hit_search {
    hit_context *context;
    const hit_layout_spec *spec;
    hit_trial trial;
    hit_model_key key; /**< of this process's model */
    double error;      /**< relative half-width of times */
    double piece_s;    /**< that a piece takes on the slowest process; 0: whole parts */
    bool calibrated;   /**< is it known how many indices that are? */
    bool always;       /**< measure even if the models know */
    double *kill_s;    /**< of every rank, for the offer under way */
    hit_search_root root;
} hit_search;

/* search_nodes.c */

/** In a dry run on nodes: their models as seeds. @errors HIT_E_ARG the machine has no
 * speed of the kernel; HIT_E_NOMEM */
hit_status hit_search_nodes(hit_search *s);

/* search_root.c: what process 0 does in a search. */

/** Make room for what the processes tell. The caller closes it also on failure. */
hit_status hit_search_root_open(hit_search *s);

void hit_search_root_close(hit_search *s);

/** Look the models of all ranks up and begin the search. */
hit_status hit_search_begin(hit_search *s);

/** Tell the search what was measured, get the next offer. */
hit_status hit_search_next(hit_search *s, hit_layout_offer *offer);

/** Keep what was measured. */
hit_status hit_search_keep(hit_search *s);

#endif
