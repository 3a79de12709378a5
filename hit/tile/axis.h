/* SPDX-License-Identifier: MIT
 * What the dimensions of a tile are called and measured in, for files. */
#ifndef HIT_TILE_AXIS_H
#define HIT_TILE_AXIS_H

#include "hit/tile/tile.h"

HIT_C_BEGIN

/** A dimension's name and coordinates: begins as {0}. */
typedef struct hit_axis {
    const char *name;     /**< a letter or _, then letters, digits and _ + - . */
    const char *units;    /**< of the coordinates, "m"; NULL: not said */
    double first;         /**< coordinate of the first index of the tile ... */
    double step;          /**< ... and from an index to the next; 0: no coordinates */
    const double *value;  /**< or: a coordinate for each element; NULL: see above */
    hit_index value_step; /**< from a value to the next; 0 is 1 */
} hit_axis;

/** Say what dimension @p dim is; what was said before is forgotten. hit_tile_write()
 * writes it where the format has names and coordinates. Selections of @p tile have their
 * part of it; reading a file leaves it as it is.
 *
 * @param axis copied, with its texts and values; NULL: nothing is known again
 * @collective yes, but nothing is sent
 * @errors HIT_E_ARG a selection, @p dim, a name that is none or of another dimension, a
 * coordinate that is not finite; HIT_E_NOMEM */
HIT_API hit_status hit_tile_set_axis(hit_tile *tile, int dim, const hit_axis *axis);

HIT_C_END

#endif
