/* SPDX-License-Identifier: MIT
 * Internal: blocks of recorded launches on a device with a memory of its own, which does
 * not hold their tiles: in pieces that go through it (hit/chain/stream.h). */
#ifndef HIT_RUN_CHAIN_STREAM_H
#define HIT_RUN_CHAIN_STREAM_H

#include "hit/run/chain_block.h"
#include "hit/run/runner.h"

/** Why launches of a plan cannot be part of a chain there; NULL: they can. */
const char *hit_chain_stream_refused(const hit_call *call, const hit_launch_plan *plan);
/** Before the first launch of a block is recorded, of which @p part is: what the device
 * holds goes to the host, but for what the launch overwrites, and its memory is taken for
 * pieces. *ready is false if too little of it can be had. @errors of the device */
hit_status hit_chain_stream_begin(hit_chains *chains, hit_runner *r,
                                  const hit_chain_part *part, bool *ready);
/** Why the launch number chains->count, which has joined, cannot be part of the block;
 * NULL: it can, and it can be run alone in the same way, too. @p part NULL: it fills a
 * rim. */
const char *hit_chain_stream_against(hit_chains *chains, const hit_chain_part *part);
/** The block is full and this launch follows: its results are not sent where the launch
 * overwrites them. */
void hit_chain_stream_look_ahead(hit_chains *chains, const hit_call *call,
                                 const hit_launch_plan *plan);
/** Run the first @p count recorded launches. Afterwards all results are on the host, and
 * nothing is on its way. @errors those of the kernels and of the device */
hit_status hit_chain_stream_run(hit_chains *chains, int count);

#endif
