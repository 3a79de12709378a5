/* SPDX-License-Identifier: MIT
 * Internal to hit/io: the chunks and shards of an array of Zarr. */
#ifndef HIT_IO_ZARR_CHUNK_H
#define HIT_IO_ZARR_CHUNK_H

#include "hit/data/ndcopy.h"
#include "hit/io/file.h"
#include "hit/io/zarr_meta.h"

/** The files of an array, as one process goes through them: one at a time. */
typedef struct hit_zarr_files {
    hit_array array; /**< a copy: which file is open */
    hit_zarr_meta meta;
    hit_index step;             /**< where meta has one dimension more than the array */
    char folder[HIT_ZARR_PATH]; /**< of the array */
    char key[HIT_ZARR_PATH];    /**< the path of the file that is open */
    hit_file *file;             /**< NULL: none is, or it is not there */
    uint64_t *index;            /**< of the shard that is open: offset and size */
    unsigned char *chunk;       /**< as it lies in memory */
    unsigned char *packed;      /**< as it lies in the file */
} hit_zarr_files;

/** Room for what goes through. @errors HIT_E_NOMEM */
hit_status hit_zarr_files_open(hit_zarr_files *files);
/** Write file @p at, counted along each dimension of the array, whose elements are all in
 * @p from. It is on disk after hit_file_sync_all(). @errors HIT_E_IO, HIT_E_NOMEM */
hit_status hit_zarr_write_file(hit_zarr_files *files, const hit_index at[],
                               const hit_view *from);
/** Read the elements that chunk @p at has of @p to.
 * @errors HIT_E_IO, also where something is damaged; HIT_E_ABSENT; HIT_E_NOMEM */
hit_status hit_zarr_read_chunk(hit_zarr_files *files, const hit_index at[],
                               const hit_view *to);
void hit_zarr_files_close(hit_zarr_files *files);

#endif
