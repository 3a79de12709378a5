/* SPDX-License-Identifier: MIT
 * Internal: what a recorded launch reads beyond the boundary of a tile, as launches that
 * are recorded before it. */
#ifndef HIT_RUN_CHAIN_RIMS_H
#define HIT_RUN_CHAIN_RIMS_H

#include "hit/chain/rim.h"
#include "hit/run/chain_block.h"
#include "hit/run/runner.h"

/** Does the device run what fills rims? */
bool hit_chain_rims_run_on(const hit_device *device);
/** Why the elements that @p use gathers cannot be filled in by launches of a chain; NULL:
 * they can. */
const char *hit_chain_rims_refused(const hit_call *call, const hit_use *use);
/** The rims of what use number @p use needs, in their order, but in the axes @p periodic
 * (a bit each), in which all of it is there; -1: they cannot be filled in.
 * @shape rim: HIT_RIMS */
int hit_chain_rims(const hit_runner *r, int use, const hit_domain *need,
                   unsigned periodic, hit_rim rim[]);
/** The launch that fills a rim, but for the numbers of its storages. */
void hit_chain_rim_record(const hit_runner *r, int use, const hit_rim *rim,
                          hit_chain_record *record);
#endif
