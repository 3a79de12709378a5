/* SPDX-License-Identifier: MIT
 * Internal to hit/launch: where the elements of one tile argument lie, and their
 * messages. */
#ifndef HIT_LAUNCH_USE_H
#define HIT_LAUNCH_USE_H

#include "hit/launch/launcher.h"

/** Plan the argument use->arg of a call: mode and pattern must be set. Adds what it needs
 * of scratch memory to the plan. @errors HIT_E_NOMEM, HIT_E_PATTERN; clear it also then
 */
hit_status hit_use_plan(hit_use *use, const hit_call *call, const hit_split *split,
                        hit_launch_plan *plan);
void hit_use_clear(hit_use *use);
/** Are elements of the argument brought to the indices before the run? Needs arg, mode,
 * pattern and tile. */
bool hit_use_gathers(const hit_use *use, const hit_call *call);
/** The plan to ask for of what this process sends and receives for the argument. Needs
 * arg and pattern. */
hit_message_request hit_use_request(const hit_use *use, const hit_call *call,
                                    const hit_split *split, hit_direction direction);
/** Shrink @p inner to the indices of @p index that touch only owned elements of @p tile.
 */
void hit_use_shrink(const hit_use *use, const hit_tile *tile, const hit_split *split,
                    const hit_domain *index, hit_domain *inner);
/** Before a run: let the memory of @p tile hold what is needed. All arguments of a launch
 * first, since two of them may be the same tile; then refresh. @errors HIT_E_NOMEM */
hit_status hit_use_cover(const hit_use *use, hit_tile *tile, int pieces);
/** Let the views point into the memory of @p tile and into @p scratch. */
void hit_use_refresh(hit_use *use, const hit_tile *tile, int pieces, char *scratch);

/** Before the parts of a launch run at the same time: what @p part needs and another
 * device than its own has is sent to the host; what it will write is forgotten there. */
hit_status hit_part_settle(const hit_call *call, const hit_launch_plan *plan,
                           const hit_part *part);

/** The piece of the tile's memory that holds the need of piece @p piece of the indices;
 * @p piece itself for a temporary one. */
static inline int hit_use_storage_piece(const hit_use *use, const hit_call *call,
                                        int piece)
{
    const int own = use->piece[piece];

    return own < 0 ? piece : call->args[use->arg].tile->piece[own];
}

#endif
