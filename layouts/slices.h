/* SPDX-License-Identifier: MIT
 * Internal: one dimension in slices. The functions of weighted, cpm, fpm. */
#ifndef LAYOUTS_SLICES_H
#define LAYOUTS_SLICES_H

#include "hit/topo/layout_plugin.h"

/** Options shares=N0,N1,... and dim=K, which are whole numbers. */
hit_status hit_slices_create(const hit_layout_spec *spec, void **state);

hit_status hit_slices_part(const hit_layout_spec *spec, const void *state, int rank,
                           hit_region *part);

int hit_slices_owner(const hit_layout_spec *spec, const void *state,
                     const hit_index index[]);

bool hit_slices_splits(const hit_layout_spec *spec, const void *state, int dim);

/** Write these options. @owner *options is the caller's: free() */
hit_status hit_slices_options(const hit_layout_spec *spec, int dim,
                              const hit_index share[], char **options);

#endif
