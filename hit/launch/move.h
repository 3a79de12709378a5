/* SPDX-License-Identifier: MIT
 * Internal to hit/launch: a plan that is made for one place serves others. */
#ifndef HIT_LAUNCH_MOVE_H
#define HIT_LAUNCH_MOVE_H

#include "hit/launch/launch_plan.h"

/** Hash of what all places of a class of launches share: kernel, layout that splits, what
 * of its tiles does not depend on the place, and, on devices with memory of their own,
 * the extents of the domain and of the tiles. */
uint64_t hit_move_class(const hit_call *call, const hit_known_kernel *known);
/** The same of what all processes have alike, whatever their devices are: where one of
 * them can plan a launch at some place, it can at others, if it has memory for it. */
uint64_t hit_move_kind(const hit_call *call);
/** May @p plan, which was made for @p call, be moved? If no message is sent by any
 * process, and all is in the tiles' own memory; through a device's memory only with
 * patterns that shift as a whole. All processes say the same. */
hit_moves hit_move_can(const hit_launch_plan *plan, const hit_call *call);
/** Let a plan that may be moved be the plan of @p call, which is of its class. All that
 * depends on the place is computed anew; nothing that is needed is allocated. False: a
 * plan of its own is needed, for example since the place needs elements outside the tile;
 * then the plan is as it was. All processes say the same without a vote: only what all
 * of them know is looked at. */
bool hit_move(hit_launch_plan *plan, const hit_call *call);

#endif
