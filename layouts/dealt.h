/* SPDX-License-Identifier: MIT
 * Internal to layouts: blocks of one or two dimensions that are dealt to ranks one by
 * one, by a rule (sbc.c) or by a map (map.c). */
#ifndef LAYOUTS_DEALT_H
#define LAYOUTS_DEALT_H

#include "hit/topo/layout_plugin.h"

/** How the domain is cut into blocks: rows and columns of them. */
typedef struct hit_dealt {
    int dims[2];        /**< that are cut; the second is -1 where there is one only */
    hit_index size[2];  /**< elements of a block, the last one may have less */
    hit_index count[2]; /**< blocks; 1 where the dimension is not there */
} hit_dealt;

/** Read the options dims=K,L (0,1 without it) and block=B or AxB (64 without it).
 * @errors HIT_E_ARG not that, a scalar, or more than INT_MAX blocks */
hit_status hit_dealt_read(const hit_layout_spec *spec, hit_dealt *dealt);
/** The row (k 0) or column (k 1) of blocks that an element is in. */
hit_index hit_dealt_place(const hit_layout_spec *spec, const hit_dealt *dealt, int k,
                          const hit_index index[]);
/** The elements of a block. */
hit_domain hit_dealt_block(const hit_layout_spec *spec, const hit_dealt *dealt,
                           hit_index row, hit_index column);
/** Is there more than one block along dimension @p dim? */
bool hit_dealt_splits(const hit_dealt *dealt, int dim);

#endif
