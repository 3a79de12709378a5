/* SPDX-License-Identifier: MIT
 * Internal to hit/io: what the files that call HDF5 share. */
#ifndef HIT_IO_HDF5_IMPL_H
#define HIT_IO_HDF5_IMPL_H

#include "hit/io/hdf5_disk.h"

/** HIT_E_IO with the reason of the disk, or of HDF5, for the call before this one. */
hit_status hit_hdf5_fail(const hit_array *array, const hit_hdf5_disk *disk,
                         const char *what);
/** The type in memory, a hid_t: H5Tclose(). */
int64_t hit_hdf5_type(hit_type type);
/** Let no dataset have the name @p path: one that is there is to be replaced. @errors
 * HIT_E_IO whatever else has the name, which stays */
hit_status hit_hdf5_clear(const hit_array *array, const hit_hdf5_disk *disk, int64_t file,
                          const char *path);
/** Are elements of the dataset outside of the file? What it names could be any file. */
bool hit_hdf5_is_elsewhere(int64_t set, bool *is_virtual);

#endif
