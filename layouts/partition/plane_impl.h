/* SPDX-License-Identifier: MIT
 * Internal to layouts/partition: columns of rectangles while they are being found. */
#ifndef LAYOUTS_PARTITION_PLANE_IMPL_H
#define LAYOUTS_PARTITION_PLANE_IMPL_H

#include "layouts/partition/plane.h"

#include <stdbool.h>

/** Which parts are in which column, and their sizes. */
typedef struct hit_plane_sizes {
    int columns;
    int *first;        /**< members of column c: first[c]..first[c + 1] - 1 */
    int *member;       /**< parts, column by column, ascending in each */
    hit_index *height; /**< of each member */
    hit_index *width;  /**< of each column */
} hit_plane_sizes;

/** Are the sizes, speeds and models usable? */
hit_status hit_plane_check(const hit_plane *plane);

#endif
