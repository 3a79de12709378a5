/* SPDX-License-Identifier: MIT
 * Internal: blocks of launches that are run twice, for HIT_COMPARE=chain. */
#ifndef HIT_RUN_CHAIN_COMPARE_H
#define HIT_RUN_CHAIN_COMPARE_H

#include "hit/check/redo.h"
#include "hit/run/chain_block.h"

/** Before the block runs: copy its tiles. @owner *redo: hit_redo_end(), also on failure
 * @errors HIT_E_NOMEM; those of the device */
hit_status hit_chain_compare_keep(const hit_chains *chains, hit_redo *redo);
/** The block of @p count launches has run: run them again on what was kept, one after the
 * other, which is what the tiles hold then.
 * @errors HIT_E_CHECK results differ; HIT_E_ABSENT a kernel without a host function */
hit_status hit_chain_compare(const hit_chains *chains, int count, hit_redo *redo);

#endif
