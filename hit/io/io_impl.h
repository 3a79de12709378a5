/* SPDX-License-Identifier: MIT
 * Internal: what formats share: bytes and elements of a file, transfers, options. */
#ifndef HIT_IO_IO_IMPL_H
#define HIT_IO_IO_IMPL_H

#include "hit/io/format.h"
#include "hit/tile/tile.h"

#include <stdbool.h>

/* file.c: bytes of a file at places of it. Each process has the file open for itself and
 * nothing here waits for another one, so that a failure on one process is a status there,
 * with the system's reason, for the caller to vote on. MPI-IO was here: stretches are
 * long and contiguous, which leaves its collective calls nothing to gather, and its
 * failures have no reason and differ between processes. */

typedef struct hit_file hit_file;

/** HIT_E_IO: "PATH: cannot be WHAT: ..." with the reason of the call before this one. */
hit_status hit_io_cannot(const char *path, const char *what);

enum {
    HIT_FILE_PAGE = 4096 /**< bytes */
};

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
/** The same, without a copy in the system's memory, where the file system can, of the
 * pages of the file whose bytes lie at multiples of a page in memory, too. */
hit_status hit_file_write_direct(hit_file *file, uint64_t offset_bytes, const void *data,
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

/* flat.c: arrays whose elements stand one after the other in a file, behind a place that
 * a format knows. */

/** Bytes of a file, and who is told of them when they are written. */
typedef struct hit_stretch {
    hit_file *file; /**< borrowed until end_file() of the sink */
    uint64_t place_bytes;
    const void *data; /**< what take() of the sink gave, which has it back */
    size_t size_bytes;
    void (*moved)(void *to_moved, uint64_t offset, const void *data, size_t size);
    void *to_moved; /**< or NULL. @owner who gave it to the array, until all is written */
    uint64_t offset_bytes; /**< for it */
} hit_stretch;

/** Who writes the elements of an array in the place of its format, and tells of them. A
 * failure is for it to keep. */
typedef struct hit_sink {
    /** Memory for a stretch, the next one that is written. @owner the sink; the caller's
     * until write(), or the next take() @errors HIT_E_NOMEM */
    hit_status (*take)(void *of, const hit_stretch *stretch, void **memory);
    void (*write)(void *of, const hit_stretch *stretch);
    /** Nothing more is written: close *file, and bring it to disk; accepts NULL. */
    void (*end_file)(void *of, hit_file **file);
    void *of;
} hit_sink;

/** What array->handle is from hit_flat_begin() to hit_flat_close(). */
typedef struct hit_flat {
    hit_file *file;
    uint64_t begin_bytes; /**< where the elements begin */
    void *more;           /**< the format's own */
} hit_flat;

/** On process 0: write, or read and check, what stands before the elements; tell where
 * they begin. */
typedef hit_status (*hit_flat_head)(const hit_array *array, hit_file *file,
                                    uint64_t *begin_bytes);

/** Process 0 sees to the head (NULL: there is none), then all open the file. @collective
 * @errors of @p head, elsewhere HIT_E_PEER; HIT_E_IO; HIT_E_NOMEM */
hit_status hit_flat_begin(hit_array *array, bool writes, hit_flat_head head);
/** Where the elements begin: writing says so, and reading is told. */
void hit_flat_keep_place(const hit_array *array, bool writes, uint64_t *begin_bytes);
/** Where a box is: behind the first element, and in the file. count[0] < 0: no element.
 */
hit_stretch hit_flat_stretch(const hit_array *array, const hit_index start[],
                             const hit_index count[]);
/** Functions of a hit_format. */
hit_status hit_flat_write(hit_array *array, const hit_index start[],
                          const hit_index count[], const void *data);
hit_status hit_flat_read(hit_array *array, const hit_index start[],
                         const hit_index count[], void *data);
hit_status hit_flat_close(hit_array *array);

/* Also flat.c: is what a file of any format has what is expected? */

/** Does a file have *array, or steps of it: @p dims extents, -1: no element?
 * @errors HIT_E_IO expected, found */
hit_status hit_array_match(const hit_array *array, int dims, const hit_index extent[]);
/** Which of @p steps is to be read; *step stays where none is. @errors HIT_E_IO */
hit_status hit_array_find_step(const hit_array *array, hit_index steps, hit_index *step);
/** Are these the coordinates of dimension @p dim from element @p first on? @p name: of
 * the dimension, for texts. @errors HIT_E_IO expected and found */
hit_status hit_array_check_axis(const hit_array *array, int dim, const char *name,
                                hit_index first, size_t count, const double value[]);

/* transfer.c: the elements of a tile on their way to a file, or from one. */

#define HIT_TRANSFER_BUFFER ((size_t)32 << 20) /* bytes of each process: the default */

enum {
    HIT_TRANSFER_NAME = 256 /* characters */
};

typedef struct hit_file_transfer {
    hit_tile *tile;
    hit_context *context;
    hit_array array;
    char dataset[HIT_TRANSFER_NAME]; /**< what array.dataset points to */
    size_t buffer_bytes;
    int sizes; /**< that chunks= and shards= give; 0: neither is there */
    bool writes;
    void *staging; /**< a stretch of this process, where no sink has it */
    size_t staging_bytes;
    /** Flat files only: where the elements begin, told by writing and asked by reading.
     * Or NULL. */
    uint64_t *begin_bytes;
} hit_file_transfer;

/** Fill in type and extents of the array, which are those of the tile. */
void hit_file_transfer_shape(hit_file_transfer *t);
/** Create or open, move, close. @collective yes */
hit_status hit_file_transfer_carry_out(hit_file_transfer *t);

/* options.c: options of reading and writing, and what texts name. */

/** Read the options of hit_tile_read() and hit_tile_write() into a transfer whose array
 * has a path and extents: what the format is asked for, and where they say so the name in
 * t->dataset, else "". @errors HIT_E_ARG */
hit_status hit_io_options_read(const char *text, hit_file_transfer *t);
/** Can this process read @p path? @errors HIT_E_IO the system's text */
hit_status hit_io_check_readable(const char *path);

/* formats.c: formats in turn. */

/** The format of that name. @errors HIT_E_ARG there is none; lists those that there are
 */
hit_status hit_format_find(const hit_context *context, const char *name,
                           const hit_format **format);
/** Format number @p k, those of the library first; NULL: there are no more. */
const hit_format *hit_format_number(const hit_context *context, int k);

/* hdf5.c: HDF5 files. */

/** Was this built with HDF5? */
bool hit_hdf5_is_there(void);

#endif
