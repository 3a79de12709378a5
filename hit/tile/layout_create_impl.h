/* SPDX-License-Identifier: MIT
 * Internal: layouts that are part of a call in which all processes agree later. */
#ifndef HIT_TILE_LAYOUT_CREATE_IMPL_H
#define HIT_TILE_LAYOUT_CREATE_IMPL_H

#include "hit/tile/layout_create.h"

/** A layout that gives all to @p root, below the number of processes. @collective no */
hit_status hit_layout_create_at(hit_context *context, hit_domain domain, int root,
                                hit_layout **layout);

#endif
