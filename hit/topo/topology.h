/* SPDX-License-Identifier: MIT
 * Process grids: ranks arranged in as many dimensions as a domain has. Arithmetic only,
 * no MPI. */
#ifndef HIT_TOPO_TOPOLOGY_H
#define HIT_TOPO_TOPOLOGY_H

#include "hit/data/domain.h"

HIT_C_BEGIN

/** size[d] ranks along dimension d; ranks are numbered in row-major order. Zero
 * dimensions: one rank. */
typedef struct hit_topology {
    int dims;
    int size[HIT_MAX_DIMS];
} hit_topology;

/** Arrange @p ranks >= 1 so that as few parts as possible of @p domain are empty; of
 * these, so that the surface between parts is smallest; of these, so that the first
 * dimensions are cut most.
 *
 * @shape cut: one flag per dimension, may it be cut; NULL: all may. With no dimension
 * that may be cut the first one is.
 */
HIT_API hit_topology hit_topology_fit(const hit_domain *domain, int ranks,
                                      const bool cut[]);
/** The number of ranks of the grid. */
HIT_API int hit_topology_ranks(const hit_topology *topology);
/** The place of @p rank, 0 <= rank < ranks. */
HIT_API void hit_topology_coords(const hit_topology *topology, int rank, int coord[]);
/** The rank at @p coord, 0 <= coord[d] < size[d]. */
HIT_API int hit_topology_rank(const hit_topology *topology, const int coord[]);

HIT_C_END

#endif
