/* SPDX-License-Identifier: MIT
 * Internal to hit/io: the names and coordinates of dimensions, by NetCDF-4's rules. */
#ifndef HIT_IO_HDF5_SCALES_H
#define HIT_IO_HDF5_SCALES_H

#include "hit/io/file.h"
#include "hit/io/hdf5_disk.h"
#include "hit/tile/tile_impl.h"

/** Where the coordinates of a dimension are to be in the file; 0: nowhere. */
typedef struct hit_hdf5_scales {
    uint64_t begin_bytes[HIT_MAX_DIMS];
} hit_hdf5_scales;

/** Forget the scales of a dataset that is replaced. */
hit_status hit_hdf5_scales_detach(const hit_array *array, const hit_hdf5_disk *disk,
                                  int64_t set);
/** Give the new dataset of *array scales in its group: new ones, or those of other arrays
 * where they say the same. Nothing where no dimension has a name.
 * @errors HIT_E_IO expected and found; HIT_E_ARG the array has the name of a dimension */
hit_status hit_hdf5_scales_attach(const hit_array *array, const hit_hdf5_disk *disk,
                                  int64_t file, int64_t set, hit_hdf5_scales *scales);
/** Write the coordinates, after hit_hdf5_disk_save(). */
hit_status hit_hdf5_scales_write(const hit_array *array, const hit_hdf5_scales *scales,
                                 hit_file *file);

#endif
