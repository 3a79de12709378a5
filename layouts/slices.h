/* SPDX-License-Identifier: MIT
 * Internal: one dimension in slices. */
#ifndef LAYOUTS_SLICES_H
#define LAYOUTS_SLICES_H

#include "hit/topo/layout_plugin.h"

/** Write the options shares= and dim= of weighted, cpm and fpm. @owner *options is the
 * caller's: free() */
hit_status hit_slices_options(const hit_layout_spec *spec, int dim,
                              const hit_index share[], char **options);

#endif
