/* SPDX-License-Identifier: MIT
 * Internal to hit/io: bytes of a file at places of it. Each process has the file open for
 * itself and nothing here waits for another one, so that a failure on one process is a
 * status there, with the system's reason, for the caller to vote on. MPI-IO was here:
 * stretches are long and contiguous, which leaves its collective calls nothing to gather,
 * and its failures have no reason and differ between processes. */
#ifndef HIT_IO_FILE_H
#define HIT_IO_FILE_H

#include "hit/io/format.h"

typedef struct hit_file hit_file;

/** Open the file of *array; one that is written need not exist.
 * @owner *file is the caller's: hit_file_close()
 * @errors HIT_E_IO, here and below with the system's reason; HIT_E_NOMEM */
hit_status hit_file_open(const hit_array *array, bool writes, hit_file **file);
hit_status hit_file_size(const hit_file *file, uint64_t *size_bytes);
/** Let the file have @p size_bytes, and room for them where the system can tell. What is
 * not a regular file stays as it is. */
hit_status hit_file_grow(hit_file *file, uint64_t size_bytes);
hit_status hit_file_write(hit_file *file, uint64_t offset_bytes, const void *data,
                          size_t size_bytes);
/** Write the coordinates of @p count elements, as doubles. */
hit_status hit_file_write_axis(hit_file *file, uint64_t offset_bytes,
                               const hit_axis *axis, hit_index count);
/** @errors HIT_E_IO, also where the file ends too early */
hit_status hit_file_read(hit_file *file, uint64_t offset_bytes, void *data,
                         size_t size_bytes);
/** The same, up to the end of the file. */
hit_status hit_file_read_some(hit_file *file, uint64_t offset_bytes, void *data,
                              size_t size_bytes, size_t *found_bytes);
/** For one of many files: the system begins to bring it to disk, and is waited for once,
 * in hit_file_sync_all(), when all of them in the folder of *array are written. */
hit_status hit_file_close_early(hit_file **file);
hit_status hit_file_sync_all(const hit_array *array);
/** What was written is on disk. Accepts NULL in *file; sets it to NULL. */
hit_status hit_file_close(hit_file **file);

#endif
