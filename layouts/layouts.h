/* SPDX-License-Identifier: MIT
 * Internal: what several layouts share. */
#ifndef LAYOUTS_LAYOUTS_H
#define LAYOUTS_LAYOUTS_H

#include "hit/topo/layout_text.h"
#include "layouts/grid.h"
#include "layouts/options.h"
#include "layouts/slices.h"

/* ---- searches: search_shares.c, search_hierarchical.c ---- */

/** The options of the loop that measures, for lists of known ones. */
#define HIT_SEARCH_OPTIONS "kernel", "k", "error", "piece", "measure", "log"

extern const hit_layout_search_ops hit_search_slices;  /**< by models, dim= */
extern const hit_layout_search_ops hit_search_columns; /**< by models, dims= */
extern const hit_layout_search_ops hit_search_hierarchical;
extern const hit_layout_search_ops hit_search_cpm;   /**< by speeds, dim= */
extern const hit_layout_search_ops hit_search_cpm2d; /**< by speeds, dims= */

#endif
