/* SPDX-License-Identifier: MIT
 * Internal to hit/dry: launches of a block that wait until it ends, and what they are
 * recognised by. */
#ifndef HIT_DRY_HELD_H
#define HIT_DRY_HELD_H

#include "hit/deep/alike.h"
#include "hit/deep/blocks.h"
#include "hit/launch/chainable.h"

#include <stddef.h>

/** A launch as it was made: the program may destroy selections and change values before
 * the block ends. Storages live until then. */
typedef struct hit_dry_held {
    hit_call call;
    hit_arg args[HIT_MAX_ARGS];
    hit_tile tile[HIT_MAX_ARGS];
    max_align_t value[HIT_CHAIN_VALUE_ROOM / sizeof(max_align_t)];
    hit_launch_plan plan; /**< a sketch */
    hit_deep_form form;
    hit_margin extra;
    bool moves; /**< to another place in each step */
    int number; /**< of its class in hit_seen */
} hit_dry_held;

/** Copy a launch that is in a block. */
void hit_dry_held_set(hit_dry_held *of, const hit_call *call,
                      const hit_launch_plan *sketch, const hit_deep_turn *turn);
/** The layout of the fields of the block; NULL: all its launches are at home. */
const hit_layout *hit_dry_held_layout(const hit_dry_held held[], int count);
/** The part of a process, which has one box; empty: there is no layout. */
hit_status hit_dry_held_own(const hit_layout *layout, int rank, hit_domain *own);
/** The processes that do the same. @owner the caller, also on failure: hit_alike_clear()
 * @errors HIT_E_NOMEM */
hit_status hit_dry_held_alike(const hit_dry_held held[], int count, int processes,
                              hit_alike *alike);
/** A hash of the launches: blocks with the same one move as much. */
uint64_t hit_dry_held_key(const hit_dry_held held[], int count);

#endif
