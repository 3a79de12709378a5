/* SPDX-License-Identifier: MIT
 * The layouts that come with the library: one line each. */
#include "hit/topo/layout_plugin.h"

#define EACH_LAYOUT(DO)                                                                  \
    DO(hit_layout_block)                                                                 \
    DO(hit_layout_cyclic)                                                                \
    DO(hit_layout_blockcyclic)                                                           \
    DO(hit_layout_weighted)                                                              \
    DO(hit_layout_cpm)                                                                   \
    DO(hit_layout_cpm2d)                                                                 \
    DO(hit_layout_fpm)                                                                   \
    DO(hit_layout_fpm2d)                                                                 \
    DO(hit_layout_grid2d)                                                                \
    DO(hit_layout_hierarchical)                                                          \
    DO(hit_layout_ordered)                                                               \
    DO(hit_layout_cartesian)                                                             \
    DO(hit_layout_corner)                                                                \
    DO(hit_layout_boxes_ops)                                                             \
    DO(hit_layout_sbc)                                                                   \
    DO(hit_layout_map)                                                                   \
    DO(hit_layout_single)

#define DECLARE(ops) extern const hit_layout_ops ops;
#define ADDRESS(ops) &(ops),

EACH_LAYOUT(DECLARE)

const hit_layout_ops *const hit_layout_table[] = {EACH_LAYOUT(ADDRESS)};
const int hit_layout_table_count = sizeof hit_layout_table / sizeof hit_layout_table[0];
