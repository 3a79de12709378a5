/* SPDX-License-Identifier: MIT
 * Internal to hit/dry: what blocks over processes move through the memories of devices. A
 * process goes through its device by itself, its part with its margins; so the launches
 * of a block are held until it ends, and recorded as if each process ran them. Processes
 * that do the same are looked at once, and so are blocks that repeat. */
#ifndef HIT_DRY_AROUND_H
#define HIT_DRY_AROUND_H

#include "hit/cost/preview.h"
#include "hit/deep/blocks.h"
#include "hit/dry/seen.h"

typedef struct hit_dry_around hit_dry_around;

/** What launches of a block move, on all processes. */
typedef struct hit_dry_moved {
    hit_figure superblocks;
    hit_figure bytes_in;
    hit_figure bytes_out;
    char how[200];     /**< on the process that moves most; "": there is no stream */
    hit_forecast time; /**< until the last process is done */
} hit_dry_moved;

/** Of a context whose devices have memories of their own, and whose blocks are those of
 * @p deep, which then belongs to *around. What is recorded on its stations is theirs.
 * Classes of launches are in @p seen, which must live as long.
 * @owner the caller: hit_dry_around_destroy() @errors HIT_E_NOMEM */
hit_status hit_dry_around_create(hit_context *context, hit_deep *deep,
                                 const hit_seen *seen, hit_dry_around **around);
/** Accepts NULL in *around; sets it to NULL. */
void hit_dry_around_destroy(hit_dry_around **around);
/** Hold a launch of class @p number that is in a block.
 * @errors HIT_E_NOMEM */
hit_status hit_dry_around_hold(hit_dry_around *around, const hit_call *call,
                               const hit_launch_plan *sketch, const hit_deep_turn *turn,
                               int number);
/** What was held since the last call, whoever let it run. A look of this process counts
 * as one of all. @errors HIT_E_NOMEM */
hit_status hit_dry_around_take(hit_dry_around *around, hit_dry_moved *moved);

/** The same so far; nothing is let run. */
const hit_dry_moved *hit_dry_around_moved(const hit_dry_around *around);

#endif
