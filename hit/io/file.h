/* SPDX-License-Identifier: MIT
 * Internal to hit/io: bytes of a file, by all processes together: file_mpi.c by MPI-IO,
 * file_single.c for one process. */
#ifndef HIT_IO_FILE_H
#define HIT_IO_FILE_H

#include "hit/io/format.h"

typedef struct hit_file hit_file;

/** Can other libraries open files by MPI-IO on this process? HDF5 does not say why not.
 * @errors HIT_E_IO, as if it was @p path */
hit_status hit_file_ready(const char *path);
/** Open the file of *array, which exists. @collective here and below
 * @errors HIT_E_IO; HIT_E_NOMEM */
hit_status hit_file_open(const hit_array *array, bool writes, hit_file **file);
/** @p size_bytes, at most 2^30, may be 0 and may differ. @errors HIT_E_IO, also where the
 * file ends too early */
hit_status hit_file_write(hit_file *file, uint64_t offset_bytes, const void *data,
                          size_t size_bytes);
hit_status hit_file_read(hit_file *file, uint64_t offset_bytes, void *data,
                         size_t size_bytes);
/** What was written is on disk. Accepts NULL in *file; sets it to NULL. */
hit_status hit_file_close(hit_file **file);

#endif
