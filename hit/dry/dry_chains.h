/* SPDX-License-Identifier: MIT
 * Internal to hit/dry: the blocks of launches that share their messages (docs/chain.md),
 * as the planning code of real runs makes them. */
#ifndef HIT_DRY_DRY_CHAINS_H
#define HIT_DRY_DRY_CHAINS_H

#include "hit/dry/seen.h"
#include "hit/launch/call.h"

typedef struct hit_dry_chains hit_dry_chains;

/** What is said of them, and by whom: by no process if silent. */
typedef struct hit_dry_style {
    bool silent;
    bool json;
} hit_dry_style;

/** What blocks add to what their launches would do alone, without messages. */
typedef struct hit_dry_blocks {
    uint64_t messages;
    uint64_t message_bytes;
    hit_forecast time; /**< of chained launches and of messages */
} hit_dry_blocks;

/** Chains of a context of several processes, as HIT_CHAIN says; *chains stays NULL where
 * there can be none. @owner the caller: hit_dry_chains_destroy() @collective yes */
void hit_dry_chains_open(hit_context *context, hit_dry_style style,
                         hit_dry_chains **chains);
/** Accepts NULL in *chains; sets it to NULL. */
void hit_dry_chains_destroy(hit_dry_chains **chains);
/** Take note of a launch of class @p of, which is counted if it is in a block; a block
 * of a new kind is printed when it begins.
 * @param key  hit_launcher_key() of the call @errors HIT_E_NOMEM */
hit_status hit_dry_chains_note(hit_dry_chains *chains, const hit_call *call, uint64_t key,
                               hit_seen_class *of);
hit_dry_blocks hit_dry_chains_sum(const hit_dry_chains *chains);
/** How often each kind of block came. */
void hit_dry_chains_print_times(const hit_dry_chains *chains);

#endif
