/* SPDX-License-Identifier: MIT
 * Balancing at two levels: rectangles of a plane for nodes, in columns, and slices of a
 * node's rectangle for its devices, whole columns of it. At run time, by measuring (INPA
 * around IDPA), or at once from models of all devices. No MPI and no callbacks: see
 * dynamic.h. Devices are numbered node by node. */
#ifndef HIT_LAYOUTS_PARTITION_HIERARCHICAL_H
#define HIT_LAYOUTS_PARTITION_HIERARCHICAL_H

#include "layouts/partition/dynamic/dynamic.h"

/** What is shared out, and among whom. */
typedef struct hit_hierarchy {
    hit_index rows;
    hit_index columns;
    int nodes;
    const int *devices; /**< how many each node has, >= 1; borrowed during calls only */
} hit_hierarchy;

/** A rectangle for each node, and the width of each device's slice of it. */
typedef struct hit_slices {
    hit_rect *rect;   /**< nodes of them; together they are the plane */
    hit_index *width; /**< of all devices; those of a node sum to that of its rectangle */
} hit_slices;

typedef struct hit_hierarchical hit_hierarchical;

/** Begin to balance by measuring.
 *
 * @param options of the loop over nodes; that over devices asks for half the imbalance;
 *        seeds, if any, are models of all devices, functional or constant, their units
 *        being those of the plane
 * @owner  *hierarchical is the caller's: hit_hierarchical_destroy()
 * @errors HIT_E_ARG as hit_dynamic_create_plane(), a node without devices; HIT_E_NOMEM
 * @paper  [Clarke 2012] INPA, IDPA; differs: the loops stop as in dynamic.h; points are
 *         added at the area that a node really has, not at the one it was to have; what
 *         was learned of devices is the start at the next rectangle
 */
hit_status hit_hierarchical_create(const hit_hierarchy *hierarchy,
                                   const hit_dynamic_options *options,
                                   hit_hierarchical **hierarchical);
/** Accepts NULL in *hierarchical; sets it to NULL. */
void hit_hierarchical_destroy(hit_hierarchical **hierarchical);
/** Take the times of the slices handed out last and hand out the next ones. When it stops
 * they are the best ones. All devices are to be measured at the same time; times of nodes
 * that are not busy, and of slices of no width, are ignored.
 *
 * @shape  seconds: of all devices; NULL in the first call
 * @owner  the arrays of @p slices are the caller's
 * @errors as hit_dynamic_next()
 */
hit_status hit_hierarchical_next(hit_hierarchical *hierarchical, const double seconds[],
                                 hit_slices *slices, hit_dynamic_verdict *verdict);
/** Are the devices of this node to be measured? Others have found their slices. */
bool hit_hierarchical_busy(const hit_hierarchical *hierarchical, int node);
/** Cut benchmarks of this node off at so many seconds. */
double hit_hierarchical_kill_s(const hit_hierarchical *h, int number);
/** How many distributions over nodes were measured. */
int hit_hierarchical_rounds(const hit_hierarchical *hierarchical);

/* hierarchical_static.c: two levels, nodes and devices, from models. */

hit_status hit_hierarchy_check(const hit_hierarchy *hierarchy);

/** As hit_hierarchical_create(), from a model of each device, in units of the plane, at
 * once: the time of a node is the optimum over its devices.
 *
 * @shape  model: of all devices, functional or constant
 * @errors HIT_E_ARG; HIT_E_LIMIT infeasible; HIT_E_NOMEM
 */
hit_status hit_hierarchical_static(const hit_hierarchy *hierarchy,
                                   const hit_fpm *const model[], hit_slices *slices,
                                   double *makespan_s);

/** The model of a node from those of its devices: the time of the best distribution, at
 * many loads, so that speeds between them are within 0.5 %.
 * @owner *node is the caller's @errors as above */
hit_status hit_hierarchical_node(hit_index units, int devices,
                                 const hit_fpm *const model[], hit_fpm **node);

#endif
