/* SPDX-License-Identifier: MIT
 * Internal to hit/io: what the files that call HDF5 share. */
#ifndef HIT_IO_HDF5_IMPL_H
#define HIT_IO_HDF5_IMPL_H

#include "hit/io/io_impl.h"
#include "hit/tile/tile_impl.h"

#include <stdint.h>

/* hdf5_disk.c: what HDF5 has for a disk. It reads the file; what it writes stays in
 * memory until HDF5 is done with the file, since HDF5 crashes, then or when the program
 * ends, after a write that failed. */

typedef struct hit_hdf5_disk hit_hdf5_disk;

/** A disk with the first @p size_bytes of @p file.
 * @owner *disk is the caller's: hit_hdf5_disk_close(); @p file lives as long
 * @errors HIT_E_NOMEM */
hit_status hit_hdf5_disk_open(hit_file *file, uint64_t size_bytes, hit_hdf5_disk **disk);
/** Properties for H5Fopen() and H5Fcreate(), whatever the name: H5Pclose(). No other file
 * can be reached by them. A hid_t. */
int64_t hit_hdf5_disk_access(hit_hdf5_disk *disk);
/** What reading or writing failed with, which HDF5 does not know. */
hit_status hit_hdf5_disk_status(const hit_hdf5_disk *disk);
/** After H5Fclose(): write what HDF5 wrote, and let the file have the size that it asked
 * for. @errors of hit_file_grow() and hit_file_write() */
hit_status hit_hdf5_disk_save(const hit_hdf5_disk *disk);
void hit_hdf5_disk_close(hit_hdf5_disk **disk);

/* What the files that call HDF5 share. */

/** HIT_E_IO with the reason of the disk, or of HDF5, for the call before this one. */
hit_status hit_hdf5_fail(const hit_array *array, const hit_hdf5_disk *disk,
                         const char *what);
/** Let no dataset have the name @p path: one that is there is to be replaced. @errors
 * HIT_E_IO whatever else has the name, which stays */
hit_status hit_hdf5_clear(const hit_array *array, const hit_hdf5_disk *disk, int64_t file,
                          const char *path);
/** Are elements of the dataset outside of the file? What it names could be any file. */
bool hit_hdf5_is_elsewhere(int64_t set, bool *is_virtual);

/* hdf5_scales.c: types, datasets and attributes; the names and coordinates of dimensions,
 * by NetCDF-4's rules. */

enum {
    HIT_HDF5_DIMS = 32 /**< H5S_MAX_RANK */
};

/** The type in memory, a hid_t: H5Tclose(). */
int64_t hit_hdf5_type(hit_type type);
/** Make a dataset, and the groups on the way; a hid_t: H5Dclose(). @owner takes @p space
 * and @p how, its properties. */
int64_t hit_hdf5_make(int64_t file, const char *path, int64_t type, int64_t space,
                      int64_t how);
/** The number of dimensions of a dataset, and its extents; -1: it has no element. */
int hit_hdf5_extents(int64_t set, hit_index extent[HIT_HDF5_DIMS]);
/** Write an attribute of @p count elements, 0: a scalar, in the place of one that is
 * there, which may be of other elements. False: it failed. */
bool hit_hdf5_attribute(int64_t of, const char *name, int64_t type, int count,
                        const void *value);

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

/* hdf5_vtk.c: image data of VTK in a file of HDF5. */

/** Where an array lies in its file, an image or another one. */
void hit_hdf5_vtk_path(const hit_array *array, char path[512]);
/** Make the image, if the file is new, and the array in it, or one more step of it; tell
 * where its elements are to be.
 * @errors HIT_E_ARG an array that is no image; HIT_E_IO the file has another image */
hit_status hit_hdf5_vtk_make(const hit_array *array, const hit_hdf5_disk *disk,
                             int64_t file, uint64_t *begin_bytes);

#endif
