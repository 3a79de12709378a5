/* SPDX-License-Identifier: MIT
 * Internal: times of a running program. */
#ifndef LAYOUTS_PARTITION_DYNAMIC_ONLINE_IMPL_H
#define LAYOUTS_PARTITION_DYNAMIC_ONLINE_IMPL_H

#include "layouts/partition/dynamic_known.h"

/** Take in a time of a running program that must be seen @p confirm times where it
 * contradicts an older one. @errors HIT_E_NOMEM */
hit_status hit_known_observed(hit_known *known, const hit_known_point *timed,
                              double noise, int confirm);

#endif
