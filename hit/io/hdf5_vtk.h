/* SPDX-License-Identifier: MIT
 * Internal to hit/io: image data of VTK in a file of HDF5. */
#ifndef HIT_IO_HDF5_VTK_H
#define HIT_IO_HDF5_VTK_H

#include "hit/io/hdf5_disk.h"

/** Where an array lies in its file, an image or another one. */
void hit_hdf5_vtk_path(const hit_array *array, char path[512]);
/** Make the image, if the file is new, and the array in it, or one more step of it; tell
 * where its elements are to be.
 * @errors HIT_E_ARG an array that is no image; HIT_E_IO the file has another image */
hit_status hit_hdf5_vtk_make(const hit_array *array, const hit_hdf5_disk *disk,
                             int64_t file, uint64_t *begin_bytes);

#endif
