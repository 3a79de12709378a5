/* SPDX-License-Identifier: MIT
 * Internal: may a launch be blocked in time with those before it, and how far must its
 * tiles be shifted? */
#ifndef HIT_CHAIN_DEPEND_H
#define HIT_CHAIN_DEPEND_H

#include "hit/chain/chain.h"

/** Let @p launch[chain->launches] join the chain of the launches before it. False: it
 * cannot, the chain is as it was, and @p why (of @p size bytes) says the reason. Pure.
 * @shape launch: chain->launches + 1 <= HIT_CHAIN_LAUNCHES */
bool hit_skew_join(hit_skew *chain, const hit_chain_launch *const launch[], char *why,
                   size_t size);
/** What all expressions of @p pattern touch of dimension @p dim, from index @p index on
 * (-1: from 0 on): @p low to @p high. False: some do not follow it with coefficient 1. */
bool hit_chain_interval(const hit_pattern *pattern, int dim, int index, hit_index *low,
                        hit_index *high);
/** What a use touches of axis @p axis, which is dimension @p dim of its tile, from the
 * position of an index on: @p low to @p high. False: it does not follow the position. */
bool hit_chain_reach(const hit_chain_place *place, const hit_chain_use *use, int axis,
                     int dim, hit_index *low, hit_index *high);
/** Elements that a use has in each position, of dimensions that are no axes; 0: it is not
 * known which dimensions are axes. */
hit_index hit_chain_breadth(const hit_skew *chain, const hit_chain_use *use);
/** Let the chain be that of its first @p launches launches. */
void hit_skew_cut(hit_skew *chain, int launches);

#endif
