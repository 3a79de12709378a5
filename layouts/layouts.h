/* SPDX-License-Identifier: MIT
 * Internal: what several layouts share. */
#ifndef HIT_LAYOUTS_LAYOUTS_H
#define HIT_LAYOUTS_LAYOUTS_H

#include "hit/model/fpm.h"
#include "hit/topo/layout.h"
#include "hit/topo/layout_plugin.h"
#include "hit/topo/layout_text.h"
#include "hit/topo/topology.h"
#include "layouts/partition/partition.h"

/* grid.c: grids of ranks, and dimensions, as options. */

/** The grid of ranks that option grid=AxB asks for; without it the one that fits @p
 * domain best.
 * @shape cut: as in hit_topology_fit()
 * @errors HIT_E_ARG not one size >= 1 per dimension, or not spec->ranks in all */
hit_status hit_layout_grid(const hit_layout_spec *spec, const hit_domain *domain,
                           const bool cut[], hit_topology *grid);

/** The dimension that option dim=K names; 0 without it.
 * @errors HIT_E_ARG a scalar has no dimension; not one of the domain's */
hit_status hit_layout_dim(const hit_layout_spec *spec, int *dim);

/* options.c: options that several layouts have. */

/** The two dimensions that option dims=K,L names; 0 and 1 without it.
 * @errors HIT_E_ARG not two different ones of the domain's */
hit_status hit_layout_dims(const hit_layout_spec *spec, int dims[2]);

/** Fail if more than one of the options is given. @errors HIT_E_ARG */
hit_status hit_layout_one_of(const hit_layout_spec *spec, const char *a, const char *b);

/** Check the options of a plug-in that finds option @p what= by speeds= or models= unless
 * it is given. @p known: all options of the plug-in @errors HIT_E_ARG an unknown one,
 * both
 */
hit_status hit_layout_given(const hit_layout_spec *spec, const char *const known[],
                            const char *what, bool *given);

/** One number for each rank, with ',' between them; all 1 when the option is not given.
 * @errors HIT_E_ARG not that, or not as many */
hit_status hit_layout_reals(const hit_layout_spec *spec, const char *key, double value[]);

/** @p count whole numbers >= 0. @errors as above */
hit_status hit_layout_wholes(const hit_layout_spec *spec, const char *key, int count,
                             hit_index value[]);

/** The models of option @p key, FILE,FILE,...: one per rank, or one for all. A unit of a
 * model is an element of the domain; here it becomes @p elements of them: a row, for
 * example.
 * @owner *models is the caller's, also on failure, and NULL before:
 *        hit_layout_models_clear()
 * @errors HIT_E_ARG; HIT_E_IO; HIT_E_NOMEM */
hit_status hit_layout_models(const hit_layout_spec *spec, const char *key,
                             hit_index elements, hit_fpm ***models);
void hit_layout_models_clear(const hit_layout_spec *spec, hit_fpm ***models);

/** How fast the ranks are: option speeds= or models=. */
typedef struct hit_layout_pace {
    double *speed;    /**< one per rank, or NULL, and */
    hit_fpm **models; /**< a model per rank */
} hit_layout_pace;

/** Read the option speeds=S0,S1,... (all 1 without it) or models=, as
 * hit_layout_models() does.
 * @owner *pace is the caller's, also on failure: hit_layout_pace_clear()
 * @errors HIT_E_ARG; HIT_E_IO; HIT_E_NOMEM */
hit_status hit_layout_pace_read(const hit_layout_spec *spec, hit_index elements,
                                hit_layout_pace *pace);

void hit_layout_pace_clear(const hit_layout_spec *spec, hit_layout_pace *pace);

/** Shares of all positions of dimension @p a, or of the plane of @p a and @p b: by option
 * speeds=, or by models= and @p partition. Without @p b it is -1. @errors those of
 * hit_layout_pace_read() and of the partitions */
hit_status hit_layout_shares(const hit_layout_spec *spec, int a, int b,
                             hit_partition_function *partition, hit_index share[]);

/** The elements of the domain for each position of dimension @p a (and @p b, or -1), at
 * least 1. */
hit_index hit_layout_elements(const hit_layout_spec *spec, int a, int b);

/* slices.c: one dimension in slices. */

/** Write the options shares= and dim= of weighted, cpm and fpm. @owner *options is the
 * caller's: free() */
hit_status hit_slices_options(const hit_layout_spec *spec, int dim,
                              const hit_index share[], char **options);

/* ---- searches: search_shares.c, search_hierarchical.c ---- */

/** The options of the loop that measures, for lists of known ones. */
#define HIT_SEARCH_OPTIONS "kernel", "k", "error", "piece", "measure", "log"

extern const hit_layout_search_ops hit_search_slices;  /**< by models, dim= */
extern const hit_layout_search_ops hit_search_columns; /**< by models, dims= */
extern const hit_layout_search_ops hit_search_hierarchical;
extern const hit_layout_search_ops hit_search_cpm;   /**< by speeds, dim= */
extern const hit_layout_search_ops hit_search_cpm2d; /**< by speeds, dims= */

/* parts.c: how a layout is cut, whatever its plug-in, by the parts it has. */

/** How a layout is cut: along this dimension, or so. */
enum {
    HIT_PARTS_ANY = -1,  /**< to be found out */
    HIT_PARTS_PLANE = -2 /**< along dimensions 0 and 1 */
};

/** The shares of all ranks of a layout with at most one box each: elements along *dim, of
 * slices in order that are cut along that dimension only, or elements of dimensions 0 and
 * 1. HIT_PARTS_ANY becomes what the layout is; slices count as such.
 * @shape share: one per rank @errors HIT_E_ARG a layout that is not cut so */
hit_status hit_parts_read(const hit_layout *layout, int *dim, hit_index share[]);
/** The part of all elements that have another owner in @p after, of two layouts of a
 * domain with at most one box each. */
hit_status hit_parts_moved(const hit_layout *before, const hit_layout *after,
                           double *moved);

#endif
