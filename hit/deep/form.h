/* SPDX-License-Identifier: MIT
 * Internal: what a launch is to a chain over processes. */
#ifndef HIT_DEEP_FORM_H
#define HIT_DEEP_FORM_H

#include "hit/deep/deep.h"

/** What the launch is; false: no part of a chain, and @p why says the reason. Equal on
 * all processes. @collective where a layout is seen for the second time */
bool hit_deep_describe(hit_deep *deep, const hit_call *call, const hit_launch_plan *plan,
                       hit_deep_form *form, char *why, size_t size);
/** The reason against it that has nothing to do with patterns; NULL: there is none. */
const char *hit_deep_refused(const hit_call *call, const hit_launch_plan *plan);
/** The axes in which a tile is periodic, a bit each. */
unsigned hit_deep_periodic(const hit_tile *tile);
/** The axes beyond which the indices of the launch repeat. */
unsigned hit_deep_repeats(const hit_deep_form *form);
/** Beyond periodic boundaries the indices repeat, moved by the extents of the tile: set
 * @p move, per axis, to number @p k of these moves, from 0 on, which is none. False:
 * there is no such number. */
bool hit_deep_move(const hit_deep_form *form, int k, hit_index move[]);
/** The indices of the launch that belong to @p own and its margins, if they are where @p
 * move moves them: there. */
hit_domain hit_deep_indices(const hit_deep_form *form, const hit_domain *own,
                            const hit_margin *extra, const hit_index move[]);
/** Set box[0] to these, and box[1 + u] to what use u touches for them. */
void hit_deep_reached(const hit_deep_form *form, const hit_domain *own,
                      const hit_margin *extra, const hit_index move[], hit_domain box[]);
/** Does the launch write every element of what use @p u touches, and read none of it, for
 * any box of its indices? */
bool hit_deep_overwrites(const hit_deep_form *form, int u);
/** What use @p u needs of its tile for such indices @p box, with what rims are filled
 * from. */
hit_domain hit_deep_need(const hit_deep_form *form, int u, const hit_domain *box);
/** Were the parts of its tile read already? Else hit_deep_describe() may be collective.
 */
bool hit_deep_knows(const hit_deep *deep, const hit_call *call,
                    const hit_launch_plan *plan);
/** The parts of a layout; NULL: they are not one box for each process. */
const hit_deep_layout *hit_deep_layout_of(hit_deep *deep, const hit_layout *layout);

#endif
