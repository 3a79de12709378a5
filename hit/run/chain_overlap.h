/* SPDX-License-Identifier: MIT
 * Internal: boxes of a block over processes that need nothing of its messages run while
 * these are under way. */
#ifndef HIT_RUN_CHAIN_OVERLAP_H
#define HIT_RUN_CHAIN_OVERLAP_H

#include "hit/run/chain_block.h"

/** Is the block, in the tiles of *tiling, to be run so? Messages are under way then, and
 * it has such boxes: *tiling is limited to them. To be asked for each block whose tiles
 * are settled. */
bool hit_chain_overlap_may(hit_chains *chains, hit_tiling *tiling);
/** Run it. The wait for messages took *waited_s. @errors those of the kernels and of the
 * messages, which have come or failed then */
hit_status hit_chain_overlap_run(hit_chains *chains, const hit_chain_work *work,
                                 double *waited_s);

#endif
