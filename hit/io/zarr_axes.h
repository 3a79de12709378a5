/* SPDX-License-Identifier: MIT
 * Internal to hit/io: the coordinates of dimensions, and time, in a store of Zarr; all on
 * process 0. */
#ifndef HIT_IO_ZARR_AXES_H
#define HIT_IO_ZARR_AXES_H

#include "hit/io/zarr_group.h"

/** Does the store say the same of dimensions that it has already?
 * @errors HIT_E_IO expected and found */
hit_status hit_zarr_axes_check(const hit_array *array, const hit_zarr_group *group);
/** Which step the array's time is: one that is there, or the next one. */
hit_status hit_zarr_axes_find_step(const hit_array *array, hit_zarr_group *group,
                                   hit_index *step);
/** Write coordinates that are not there, and the time of @p step. */
hit_status hit_zarr_axes_write(const hit_array *array, const hit_zarr_group *group,
                               hit_index step);

#endif
