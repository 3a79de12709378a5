/* SPDX-License-Identifier: MIT
 * Internal to hit/io: the group of a store of Zarr, and the arrays of coordinates in it;
 * all on process 0. */
#ifndef HIT_IO_ZARR_GROUP_H
#define HIT_IO_ZARR_GROUP_H

#include "hit/io/zarr_meta.h"

typedef struct hit_zarr_group {
    char *text;             /**< its zarr.json; NULL: it is new */
    hit_json_value members; /**< in it, of all arrays */
    hit_index steps;        /**< the longest array in time */
    bool made;              /**< its folder was not there */
} hit_zarr_group;

/** Make the folder of the store, or see what it has. @owner hit_zarr_group_close()
 * @errors HIT_E_IO it is no store, or something is added to one without consolidated
 * metadata; HIT_E_ARG a name that is none; HIT_E_NOMEM */
hit_status hit_zarr_group_open(const hit_array *array, hit_zarr_group *group);
/** Does it list an array, and is something added to it? */
bool hit_zarr_group_keeps(const hit_array *array, const hit_zarr_group *group,
                          const char *name);
/** The path of a file of an array in the store; "": none. */
void hit_zarr_join(char path[HIT_ZARR_PATH], const hit_array *array, const char *name,
                   const char *file);
/** The metadata of an array in the store. @errors as hit_zarr_parse() */
hit_status hit_zarr_group_read(const hit_array *array, const char *name, hit_type type,
                               hit_zarr_meta *meta);
/** For reading: the array in the store, or the store that is the array itself. */
hit_status hit_zarr_group_find(const hit_array *array, char *folder, size_t size,
                               hit_zarr_meta *meta);
hit_status hit_zarr_group_write_array(const hit_array *array, const char *name,
                                      const hit_zarr_meta *meta);
/** Let an array that is there have so many steps; whatever else its zarr.json has stays.
 */
hit_status hit_zarr_group_write_steps(const hit_array *array, const char *name,
                                      hit_index steps);
hit_status hit_zarr_group_write_meta(const char *path, const hit_zarr_meta *meta);
/** Its zarr.json, last of all: of arrays in time the steps that all of them have. Then
 * arrays that were there go, if nothing was to be added to them. */
hit_status hit_zarr_group_write(const hit_array *array, const hit_zarr_group *group);
void hit_zarr_group_close(const hit_array *array, hit_zarr_group *group);

#endif
