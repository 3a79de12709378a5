/* SPDX-License-Identifier: MIT
 * Internal to hit/dry: the blocks of launches that share their messages (docs/chain.md),
 * as the planning code of real runs makes them. */
#ifndef HIT_DRY_DRY_CHAINS_H
#define HIT_DRY_DRY_CHAINS_H

#include "hit/dry/dry_kinds.h"
#include "hit/dry/seen.h"
#include "hit/launch/call.h"

typedef struct hit_dry_chains hit_dry_chains;

/** What blocks do instead of what their launches would do alone. */
typedef struct hit_dry_blocks {
    uint64_t messages;
    uint64_t message_bytes;
    uint64_t superblocks; /**< more than alone, as what follows: modulo 2^64 */
    uint64_t bytes_in;
    uint64_t bytes_out;
    hit_forecast time; /**< of chained launches and of messages */
} hit_dry_blocks;

/** Chains of a context, as HIT_CHAIN says; *chains stays NULL where there can be none.
 * Classes of launches are in @p seen, which must live as long. @owner the caller:
 * hit_dry_chains_destroy() @collective yes */
void hit_dry_chains_open(hit_context *context, hit_dry_style style, hit_seen *seen,
                         hit_dry_chains **chains);
/** Accepts NULL in *chains; sets it to NULL. */
void hit_dry_chains_destroy(hit_dry_chains **chains);
/** Take note of a launch of class @p number, which is counted if it is in a block; a
 * block of a new kind is printed when it begins, on one process when it ends.
 * @param key  hit_launcher_key() of the call @errors HIT_E_NOMEM */
hit_status hit_dry_chains_note(hit_dry_chains *chains, hit_call *call, uint64_t key,
                               int number);
/** No launch follows for now: what is under way on devices with memories of their own is
 * counted, and printed. @errors HIT_E_NOMEM */
hit_status hit_dry_chains_end(hit_dry_chains *chains);
hit_dry_blocks hit_dry_chains_sum(const hit_dry_chains *chains);
/** How often each kind of block came. */
void hit_dry_chains_print_times(const hit_dry_chains *chains);

#endif
