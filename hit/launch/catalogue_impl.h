/* SPDX-License-Identifier: MIT
 * Internal: the kernels of a program. */
#ifndef HIT_LAUNCH_CATALOGUE_IMPL_H
#define HIT_LAUNCH_CATALOGUE_IMPL_H

#include "hit/launch/catalogue.h"

struct hit_kernel_registry;

/** Forget the kernels of the program. Accepts NULL in *registry;
 * sets it to NULL. */
void hit_kernel_registry_destroy(struct hit_kernel_registry **registry);

#endif
