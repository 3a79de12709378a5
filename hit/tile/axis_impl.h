/* SPDX-License-Identifier: MIT
 * Internal: the axes of tiles, for those who write them. */
#ifndef HIT_TILE_AXIS_IMPL_H
#define HIT_TILE_AXIS_IMPL_H

#include "hit/tile/axis.h"

struct hit_storage;

/** What is known of the elements of @p tile, or of a selection, along a dimension; first
 * and step are of elements here. Without a name: nothing. @owner borrowed from the tile
 */
hit_axis hit_tile_axis(const hit_tile *tile, int dim);
void hit_storage_drop_axes(struct hit_storage *storage);

static inline bool hit_axis_has_coordinates(const hit_axis *axis)
{
    return axis->value != NULL || axis->step != 0;
}

/** Of element @p k. */
static inline double hit_axis_at(const hit_axis *axis, hit_index k)
{
    if (axis->value == NULL) return axis->first + axis->step * (double)k;
    return axis->value[k * (axis->value_step != 0 ? axis->value_step : 1)];
}

#endif
