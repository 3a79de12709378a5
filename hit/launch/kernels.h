/* SPDX-License-Identifier: MIT
 * Internal: kernels that were launched, with their patterns. */
#ifndef HIT_LAUNCH_KERNELS_H
#define HIT_LAUNCH_KERNELS_H

#include "patterns/kernel.h"
#include "patterns/pattern.h"

/** A kernel's patterns, parsed at its first launch. */
typedef struct hit_known_kernel {
    const hit_kernel *kernel;
    hit_pattern pattern[HIT_MAX_ARGS]; /**< of the tile arguments */
} hit_known_kernel;

/** Check a kernel and parse its patterns.
 * @owner *known: hit_known_kernel_destroy()
 * @errors HIT_E_PATTERN; HIT_E_ARG a kernel that is put together wrongly; HIT_E_NOMEM */
hit_status hit_known_kernel_create(const hit_kernel *kernel, hit_known_kernel **known);
void hit_known_kernel_destroy(hit_known_kernel *known);

#endif
