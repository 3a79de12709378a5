/* SPDX-License-Identifier: MIT
 * Internal: whole boxes are checked. */
#ifndef HIT_CHECK_BOX_H
#define HIT_CHECK_BOX_H

#include "hit/check/check.h"

/** The launch as a whole. */
hit_status hit_check_box(hit_replica *replica, hit_report *report);

#endif
