/* SPDX-License-Identifier: MIT
 * Internal: what an index touches, compared with what is declared. */
#ifndef HIT_CHECK_TOUCH_H
#define HIT_CHECK_TOUCH_H

#include "hit/check/check.h"

/** What index @p at touches of argument @p k: outside the pattern; what another index
 * touched, though it is written; what nothing has written yet. */
void hit_check_undeclared(hit_checker *checker, int k, const hit_index at[],
                          const hit_touched *touched);

void hit_check_shared(hit_checker *checker, int k, const hit_index at[],
                      const hit_touched *touched);

void hit_check_fresh(hit_checker *checker, int k, const hit_index at[],
                     const hit_touched *touched);

#endif
