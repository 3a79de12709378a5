/* SPDX-License-Identifier: MIT
 * Internal: what several layouts share. */
#ifndef HIT_LAYOUTS_LAYOUTS_H
#define HIT_LAYOUTS_LAYOUTS_H

#include "hit/base/alloc.h"
#include "hit/base/text.h"
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

/** What a layout needs, in whole numbers: ops->of, or its first member, where resolve is
 * hit_layout_find(). */
typedef struct hit_layout_needs {
    const char *what; /**< the option that says it; else it is found */
    /** Find it, and add it to @p options. */
    hit_status (*find)(const hit_layout_spec *spec, hit_growing *options);
} hit_layout_needs;

/** resolve of a plug-in that has such an option, or finds it by speeds=, models=,
 * weights= or energy=, within=. @errors HIT_E_ARG both; those of find */
hit_status hit_layout_find(const hit_layout_spec *spec, char **options);

/** @p count whole numbers >= 0, with ',' between them. @errors HIT_E_ARG not that, or not
 * as many */
hit_status hit_layout_wholes(const hit_layout_spec *spec, const char *key, int count,
                             hit_index value[]);

/** The models of option @p key, FILE,FILE,...: one per rank, or one for all. A unit of a
 * model is an element of the domain; here it becomes @p elements of them: a row, for
 * example.
 * @owner *models is the caller's, also on failure, and NULL before:
 *        hit_partition_models_clear()
 * @errors HIT_E_ARG; HIT_E_IO; HIT_E_NOMEM */
hit_status hit_layout_models(const hit_layout_spec *spec, const char *key,
                             hit_index elements, hit_fpm ***models);

/** How fast the ranks are: option speeds=, weights= or models=. */
typedef struct hit_layout_pace {
    double *speed;    /**< one per rank, or NULL, and */
    hit_fpm **models; /**< a model per rank */
} hit_layout_pace;

/** Read the option speeds=S0,S1,... or weights= (all 1 without them) or models=, as
 * hit_layout_models() does.
 * @owner *pace is the caller's, also on failure: hit_layout_pace_clear()
 * @errors HIT_E_ARG; HIT_E_IO; HIT_E_NOMEM */
hit_status hit_layout_pace_read(const hit_layout_spec *spec, hit_index elements,
                                hit_layout_pace *pace);

void hit_layout_pace_clear(const hit_layout_spec *spec, hit_layout_pace *pace);

/** Shares of all positions of dimension @p a, or of the plane of @p a and @p b: by option
 * speeds= or weights=, or by models= and @p partition. Without @p b it is -1. @errors
 * those of hit_layout_pace_read() and of the partitions */
hit_status hit_layout_shares(const hit_layout_spec *spec, int a, int b,
                             hit_partition_function *partition, hit_index share[]);

/** The elements of the domain for each position of dimension @p a (and @p b, or -1), at
 * least 1. */
hit_index hit_layout_elements(const hit_layout_spec *spec, int a, int b);

/* rects.c: rectangles, as the state of a layout. */

/** One of a layout. */
typedef struct hit_placed {
    hit_rect rect;
    hit_index band; /**< the first column of the column of rectangles that it is in */
    int rank;
} hit_placed;

/** Rectangles that are a plane, any number for each rank: columns of them (bands), from
 * left to right, each from top to bottom, and there slices from left to right. */
typedef struct hit_rects {
    int dims[2]; /**< of rows, -1: there is one; and of columns */
    bool cut[2]; /**< are rows, and columns? */
    int count;   /**< none of them is empty */
    size_t room;
    hit_placed *placed; /**< by band, row and column */
    int *of_rank;       /**< their numbers, rank by rank: */
    int *first;         /**< of each rank the first, and the end */
} hit_rects;

/** The state of a layout, without a rectangle. @owner *state: hit_rects_destroy() */
hit_status hit_rects_create(const int dims[2], void **state);
/** Add one, unless it is empty. @errors HIT_E_NOMEM */
hit_status hit_rects_add(hit_rects *rects, int rank, hit_index band, hit_rect rect);
/** All rectangles of ranks 0 to before @p ranks are there. @errors HIT_E_NOMEM */
hit_status hit_rects_finish(const hit_layout_spec *spec, int ranks, hit_rects *rects);

/* The functions of a plug-in with this state. */
void hit_rects_destroy(void *state);
hit_status hit_rects_part(const hit_layout_spec *spec, const void *state, int rank,
                          hit_region *part);
int hit_rects_owner(const hit_layout_spec *spec, const void *state,
                    const hit_index index[]);
void hit_rects_box(const hit_layout_spec *spec, const void *state,
                   const hit_index index[], hit_domain *box);
bool hit_rects_splits(const hit_layout_spec *spec, const void *state, int dim);

#define HIT_RECTS_OPS                                                                    \
    .destroy = hit_rects_destroy, .part = hit_rects_part, .owner = hit_rects_owner,      \
    .box = hit_rects_box, .splits = hit_rects_splits

/* slices.c: one dimension in slices. */

/** Add the options dim= and shares= of weighted, cpm and fpm. */
void hit_slices_write(int dim, int ranks, const hit_index share[], hit_growing *options);

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

/* columns.c: rectangles in columns, as text. */

/** Read @p count rectangles, "ROW.COLUMN.HEIGHT.WIDTH;...", from option rects=, and check
 * that they are columns of the domain's dimensions @p dims.
 * @owner *state, NULL before: hit_rects_destroy(), also after a failure
 * @errors HIT_E_ARG; HIT_E_NOMEM */
hit_status hit_columns_read(const hit_layout_spec *spec, int count, const int dims[2],
                            hit_rect rect[], void **state);
/** Add the options dims= and rects=. */
void hit_columns_write(const int dims[2], int count, const hit_rect rect[],
                       hit_growing *options);

/* dealt.c: blocks of one or two dimensions that are dealt to ranks one by one, by a rule
 * (sbc.c), by a map (map.c), or all to one (single.c). */

/** How the domain is cut into blocks: rows and columns of them. The first member of the
 * state of a layout. */
typedef struct hit_dealt hit_dealt;
struct hit_dealt {
    int dims[2];        /**< that are cut; -1: none */
    hit_index size[2];  /**< elements of a block, the last one may have less */
    hit_index count[2]; /**< blocks; 1 where the dimension is not there */
    /** The rank that has a block. */
    int (*rank)(const hit_dealt *dealt, hit_index row, hit_index column);
};

/** Read the options dims=K,L (0,1 without it) and block=B or AxB (64 without it).
 * @errors HIT_E_ARG not that, a scalar, or more than INT_MAX blocks */
hit_status hit_dealt_read(const hit_layout_spec *spec, hit_dealt *dealt);
/** Append a block to @p part. */
hit_status hit_dealt_append(const hit_layout_spec *spec, const hit_dealt *dealt,
                            hit_index row, hit_index column, hit_region *part);

/* The functions of a plug-in with such a state. */

/** Asks for the rank of each block. */
hit_status hit_dealt_part(const hit_layout_spec *spec, const void *state, int rank,
                          hit_region *part);
int hit_dealt_owner(const hit_layout_spec *spec, const void *state,
                    const hit_index index[]);
void hit_dealt_box(const hit_layout_spec *spec, const void *state,
                   const hit_index index[], hit_domain *box);
bool hit_dealt_splits(const hit_layout_spec *spec, const void *state, int dim);

#define HIT_DEALT_OPS                                                                    \
    .owner = hit_dealt_owner, .box = hit_dealt_box, .splits = hit_dealt_splits

/* What the files of layout hierarchical share. */

/** A plane, nodes, and room for their rectangles and the slices of all ranks. */
typedef struct hit_nodes {
    int dims[2]; /**< of rows, and of columns */
    hit_hierarchy hierarchy;
    hit_slices slices;
    hit_arrays arrays; /**< of all these */
} hit_nodes;

/** Read the options dims= and nodes=, the number of ranks of each node.
 * @owner the caller: hit_arrays_free(&nodes->arrays), also after a failure
 * @errors HIT_E_ARG; HIT_E_NOMEM */
hit_status hit_nodes_open(const hit_layout_spec *spec, hit_nodes *nodes);
/** Add the options of a distribution. */
void hit_nodes_write(const hit_nodes *nodes, int ranks, hit_growing *options);

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
