/* SPDX-License-Identifier: MIT
 * Internal to hit/io: what HDF5 has for a disk. It reads the file; what it writes stays
 * in memory until HDF5 is done with the file, since HDF5 crashes, then or when the
 * program ends, after a write that failed. */
#ifndef HIT_IO_HDF5_DISK_H
#define HIT_IO_HDF5_DISK_H

#include "hit/io/file.h"

#include <stdint.h>

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

#endif
