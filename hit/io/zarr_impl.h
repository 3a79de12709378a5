/* SPDX-License-Identifier: MIT
 * Internal to hit/io: what the files of the format Zarr share. */
#ifndef HIT_IO_ZARR_IMPL_H
#define HIT_IO_ZARR_IMPL_H

#include "hit/base/input.h"
#include "hit/base/json.h"
#include "hit/data/ndcopy.h"
#include "hit/io/format.h"
#include "hit/io/io_impl.h"

/* zarr_meta.c: zarr.json of an array of Zarr, version 3. */

enum {
    HIT_ZARR_DIMS = HIT_MAX_DIMS + 1, /* those of a tile, and time */
    HIT_ZARR_MOST_CHUNK = 1 << 30,    /* bytes */
    HIT_ZARR_PATH = 4096              /* characters */
};

/** What a chunk goes through, after its elements as they lie in memory. */
typedef struct hit_zarr_chain {
    bool zstd;
    bool crc; /**< CRC-32C behind it */
} hit_zarr_chain;

/** An array; no pointers, since process 0 sends it to all. */
typedef struct hit_zarr_meta {
    hit_type type;
    int dims;
    hit_index shape[HIT_ZARR_DIMS];
    hit_index file[HIT_ZARR_DIMS];  /**< elements of a file: a shard, or a chunk */
    hit_index chunk[HIT_ZARR_DIMS]; /**< of a chunk */
    bool sharded;
    bool index_first; /**< of a shard; else it is last */
    bool index_crc;
    hit_zarr_chain chain;
    char separator;
    unsigned char fill[HIT_MAX_NUMBER_BYTES];
    char name[HIT_ZARR_DIMS][64]; /**< of dimensions; "": none */
    char units[128];              /**< "": none */
} hit_zarr_meta;

/** As zarr.json has it. @p key: of the member, or NULL */
void hit_zarr_print(hit_json *json, const char *key, const hit_zarr_meta *meta);
/** Read it for elements of @p type. @p path: for texts.
 * @errors HIT_E_IO it is none, or one that is not known here: expected and found */
hit_status hit_zarr_parse(const char *path, hit_json_value value, hit_type type,
                          hit_zarr_meta *meta);
/** The bytes of a chunk as it lies in memory. */
size_t hit_zarr_chunk_bytes(const hit_zarr_meta *meta);
/** The chunks of a file. */
hit_index hit_zarr_chunks_of_file(const hit_zarr_meta *meta);

/* zarr_chunk.c: the chunks and shards of an array of Zarr. */

/** Make the folders that are missing between @p there, with which @p path begins, and the
 * file; @p path stays. @errors HIT_E_IO */
hit_status hit_zarr_make_folders(const hit_array *array, const char *there, char path[]);
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

/* zarr_group.c: the group of a store of Zarr, and the arrays of coordinates in it; all on
 * process 0. */

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

/* zarr_axes.c: the coordinates of dimensions, and time, in a store of Zarr; all on
 * process 0. */

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
