/* SPDX-License-Identifier: MIT
 * Internal to hit/check: what a kernel touches that cannot be recorded, found by changing
 * what it reads. */
#ifndef HIT_CHECK_PROBE_H
#define HIT_CHECK_PROBE_H

#include "hit/check/record.h"

/** Let recorder->of[k] hold what the host function of the kernel touches of argument @p k
 * at index @p at: what it writes, and what its results depend on. The copies are the same
 * afterwards. O(touched log(cells)) runs. @errors HIT_E_NOMEM, HIT_E_ABSENT more cells
 * than can be tried, and what the kernel returns */
hit_status hit_probe(hit_recorder *recorder, hit_replica *replica, int k,
                     const hit_index at[]);

#endif
