/* SPDX-License-Identifier: MIT
 * Internal to hit/check: a launch as one thread does it, and whether the program's came
 * out the same. */
#ifndef HIT_CHECK_COMPARE_H
#define HIT_CHECK_COMPARE_H

#include "hit/check/report.h"

/** What the reference found; the copies of the replica hold its results. */
typedef struct hit_reference {
    double terms;                 /**< indices of the launch */
    double largest[HIT_MAX_ARGS]; /**< magnitude that a reduction went through */
    double rounding;          /**< how far one index may round otherwise; 0: not at all */
    bool *kept[HIT_MAX_ARGS]; /**< per byte of an element: padding; NULL: none */
} hit_reference;

/** Run the launch of @p replica on its copies, whole, in one thread. @errors HIT_E_ABSENT
 * no implementation for the host; HIT_E_NOMEM, and what the kernel returns */
hit_status hit_compare_run(hit_replica *replica, hit_reference *reference);
void hit_reference_clear(hit_reference *reference);
/** Compare the copy of argument @p k, in the tile's domain, with @p found, the dense
 * row-major elements of the tile after the launch. Bits have to be equal; reductions, the
 * results of whole-box kernels and of kernels that are not strict may differ by rounding.
 */
void hit_compare_arg(const hit_replica *replica, int k, const hit_reference *reference,
                     const void *found, hit_report *report);

#endif
