/* SPDX-License-Identifier: MIT
 * Internal: what a launch is to a chain over processes. */
#ifndef HIT_RUN_DEEP_FORM_H
#define HIT_RUN_DEEP_FORM_H

#include "hit/run/deep.h"

/** What the launch is; false: no part of a chain, and @p why says the reason. Pure, equal
 * on all processes. */
bool hit_deep_describe(hit_deep *deep, const hit_call *call, const hit_launch_plan *plan,
                       hit_deep_form *form, char *why, size_t size);
/** The reason against it that has nothing to do with patterns; NULL: there is none. */
const char *hit_deep_refused(const hit_call *call, const hit_launch_plan *plan);
/** The indices that belong to @p own and its margins. */
hit_domain hit_deep_indices(const hit_deep_form *form, const hit_domain *own,
                            const hit_margin *extra);
/** What use @p u needs of its tile for the indices @p box, with what rims are filled
 * from. */
hit_domain hit_deep_need(const hit_deep_form *form, int u, const hit_domain *box);
/** The parts of a layout; NULL: they are not one box for each process. */
const hit_deep_layout *hit_deep_layout_of(hit_deep *deep, const hit_layout *layout);

#endif
