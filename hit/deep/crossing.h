/* SPDX-License-Identifier: MIT
 * Internal to plans of blocks over processes: the bytes that cross to and from a device
 * whose memory is smaller than the tiles. */
#ifndef HIT_DEEP_CROSSING_H
#define HIT_DEEP_CROSSING_H

#include "hit/deep/ready.h"

/** Set *bytes to the bytes per launch of a block of @p launches launches, with the
 * margins and fields of e->deep->work; of 0 launches: one after the other, without
 * margins. They are those of a process that has the smallest part, in the middle, and the
 * smallest device memory: so they are equal on all processes, and where nothing is run.
 * Rows that do not fit count as if they did. @errors HIT_E_NOMEM */
hit_status hit_deep_crossing(const hit_deep_expected *e, int launches, double *bytes);

#endif
