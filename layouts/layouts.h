/* SPDX-License-Identifier: MIT
 * Internal: what several layouts share. */
#ifndef LAYOUTS_LAYOUTS_H
#define LAYOUTS_LAYOUTS_H

#include "hit/data/region.h"
#include "hit/model/fpm.h"
#include "hit/topo/layout.h"
#include "hit/topo/layout_text.h"
#include "hit/topo/topology.h"

/* ---- options: grid.c, options.c ---- */

/** The grid of ranks that option grid=AxB asks for; without it the one that fits @p
 * domain best.
 * @shape cut: as in hit_topology_fit()
 * @errors HIT_E_ARG not one size >= 1 per dimension, or not spec->ranks in all */
hit_status hit_layout_grid(const hit_layout_spec *spec, const hit_domain *domain,
                           const bool cut[], hit_topology *grid);

/** The dimension that option dim=K names; 0 without it.
 * @errors HIT_E_ARG a scalar has no dimension; not one of the domain's */
hit_status hit_layout_dim(const hit_layout_spec *spec, int *dim);
/** The two dimensions that option dims=K,L names; 0 and 1 without it.
 * @errors HIT_E_ARG not two different ones of the domain's */
hit_status hit_layout_dims(const hit_layout_spec *spec, int dims[2]);

/** Fail if more than one of the options is given. @errors HIT_E_ARG */
hit_status hit_layout_one_of(const hit_layout_spec *spec, const char *a, const char *b);
/** One number for each rank, with ',' between them; all 1 when the option is not given.
 * @errors HIT_E_ARG not that, or not as many */
hit_status hit_layout_reals(const hit_layout_spec *spec, const char *key, double value[]);
/** One whole number >= 0 for each rank. @errors as above */
hit_status hit_layout_wholes(const hit_layout_spec *spec, const char *key,
                             hit_index value[]);

/** How fast the ranks are: option speeds= or models=. */
typedef struct hit_layout_pace {
    double *speed;    /**< one per rank, or NULL, and */
    hit_fpm **models; /**< a model per rank */
} hit_layout_pace;

/** Read the option speeds=S0,S1,... (all 1 without it) or models=FILE,FILE,...: one per
 * rank, or one for all. A unit of a model is an element of the domain; here it becomes
 * @p elements of them: a row, for example.
 * @owner *pace is the caller's, also on failure: hit_layout_pace_clear()
 * @errors HIT_E_ARG; HIT_E_IO; HIT_E_NOMEM */
hit_status hit_layout_pace_read(const hit_layout_spec *spec, hit_index elements,
                                hit_layout_pace *pace);
void hit_layout_pace_clear(const hit_layout_spec *spec, hit_layout_pace *pace);
/** The elements of the domain for each position of dimension @p a (and @p b, or -1), at
 * least 1. */
hit_index hit_layout_elements(const hit_layout_spec *spec, int a, int b);

/* ---- one dimension in slices: slices.c. The functions of weighted, cpm, fpm ---- */

/** Options shares=N0,N1,... and dim=K, which are whole numbers. */
hit_status hit_slices_create(const hit_layout_spec *spec, void **state);
hit_status hit_slices_part(const hit_layout_spec *spec, const void *state, int rank,
                           hit_region *part);
int hit_slices_owner(const hit_layout_spec *spec, const void *state,
                     const hit_index index[]);
bool hit_slices_splits(const hit_layout_spec *spec, const void *state, int dim);
/** Write these options. @owner *options is the caller's: free() */
hit_status hit_slices_options(const hit_layout_spec *spec, int dim,
                              const hit_index share[], char **options);

/* ---- searches: search_fpm.c, search_cpm.c ---- */

/** The options of the loop that measures, for lists of known ones. */
#define HIT_SEARCH_OPTIONS "kernel", "k", "error", "piece", "measure", "log"

extern const hit_layout_search_ops hit_search_slices;  /**< by models, dim= */
extern const hit_layout_search_ops hit_search_columns; /**< by models, dims= */
extern const hit_layout_search_ops hit_search_hierarchical;
extern const hit_layout_search_ops hit_search_cpm;   /**< by speeds, dim= */
extern const hit_layout_search_ops hit_search_cpm2d; /**< by speeds, dims= */

#endif
