/* SPDX-License-Identifier: MIT
 * Internal: one index is checked. */
#ifndef HIT_CHECK_INDEX_H
#define HIT_CHECK_INDEX_H

#include "hit/check/check.h"

/** Check one index. */
hit_status hit_check_index(hit_checker *checker, const hit_index at[]);

#endif
