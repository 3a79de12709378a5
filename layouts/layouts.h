/* SPDX-License-Identifier: MIT
 * Internal: what several layouts share. */
#ifndef HIT_LAYOUTS_LAYOUTS_H
#define HIT_LAYOUTS_LAYOUTS_H

#include "hit/data/region.h"
#include "hit/model/fpm.h"
#include "hit/tile/tile.h"
#include "hit/topo/layout.h"
#include "hit/topo/layout_plugin.h"
#include "hit/topo/layout_text.h"
#include "hit/topo/topology.h"
#include "layouts/partition/algorithms.h"
#include "layouts/partition/hierarchical.h"
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

/* columns.c: rectangles in columns, as text and for finding an owner. */

/** Rectangles that are a plane, in columns. */
typedef struct hit_columns hit_columns;

/** Read @p count rectangles, "ROW.COLUMN.HEIGHT.WIDTH;...", from option rects=, and check
 * that they are columns of the domain's dimensions @p dims.
 * @owner *columns, NULL before: free(), also after a failure @errors HIT_E_ARG;
 * HIT_E_NOMEM */
hit_status hit_columns_read(const hit_layout_spec *spec, int count, const int dims[2],
                            hit_columns **columns);
/** Rectangle @p k. */
const hit_rect *hit_columns_rect(const hit_columns *columns, int k);
/** The number of the rectangle that holds a position. */
int hit_columns_find(const hit_columns *columns, hit_index row, hit_index column);
/** Is there a rectangle that is not as high (dim 0) or as wide (dim 1) as the plane? */
bool hit_columns_cut(const hit_columns *columns, int dim);
/** Write "dims=K,L,rects=..." and @p more options. @owner *options is the caller's:
 * free()
 */
hit_status hit_columns_options(const int dims[2], int count, const hit_rect rect[],
                               const char *more, char **options);
/** @p rect of the domain's dimensions @p dims, appended to @p part unless it is empty. */
hit_status hit_columns_append(const hit_layout_spec *spec, const int dims[2],
                              const hit_rect *rect, hit_region *part);

/* dealt.c: blocks of one or two dimensions that are dealt to ranks one by one, by a rule
 * (sbc.c) or by a map (map.c). */

/** How the domain is cut into blocks: rows and columns of them. */
typedef struct hit_dealt {
    int dims[2];        /**< that are cut; the second is -1 where there is one only */
    hit_index size[2];  /**< elements of a block, the last one may have less */
    hit_index count[2]; /**< blocks; 1 where the dimension is not there */
} hit_dealt;

/** Read the options dims=K,L (0,1 without it) and block=B or AxB (64 without it).
 * @errors HIT_E_ARG not that, a scalar, or more than INT_MAX blocks */
hit_status hit_dealt_read(const hit_layout_spec *spec, hit_dealt *dealt);
/** The row (k 0) or column (k 1) of blocks that an element is in. */
hit_index hit_dealt_place(const hit_layout_spec *spec, const hit_dealt *dealt, int k,
                          const hit_index index[]);
/** The elements of a block. */
hit_domain hit_dealt_block(const hit_layout_spec *spec, const hit_dealt *dealt,
                           hit_index row, hit_index column);
/** Is there more than one block along dimension @p dim? */
bool hit_dealt_splits(const hit_dealt *dealt, int dim);

/* What the files of layout hierarchical share. */

/** Read option nodes=: the number of ranks of each node. @shape devices: room for one per
 * rank @errors HIT_E_ARG */
hit_status hit_nodes_read(const hit_layout_spec *spec, int *nodes, int devices[]);
/** Write the options of a distribution. @owner *options is the caller's: free() */
hit_status hit_nodes_options(const hit_layout_spec *spec, const int dims[2],
                             const hit_hierarchy *hierarchy, const hit_slices *slices,
                             char **options);

/* costs_sums.c: the sums of a tile of costs. */

/** Along which dimension costs are added up; of the whole domain, or of strips of it. */
typedef struct hit_costs_frame {
    int dim;
    int across;             /**< that strips cut */
    int strips;             /**< 1: the whole domain */
    const hit_index *first; /**< of each strip its first position across, and the end */
} hit_costs_frame;

/** For each strip, and each position of the dimension and the end, the cost of what is
 * before it, on every process: whole numbers, in a unit of which all costs are at most
 * HIT_COSTS_MOST. Exact for whole costs of at most 2^51 in all.
 *
 * @collective yes @owner *sum is the caller's: free()
 * @errors HIT_E_ARG a cost < 0, or that is no number, all 0; HIT_E_NOMEM; HIT_E_PEER */
hit_status hit_costs_add_up(hit_context *context, hit_tile *costs,
                            const hit_costs_frame *frame, hit_index **sum);

#endif
