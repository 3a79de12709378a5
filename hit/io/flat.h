/* SPDX-License-Identifier: MIT
 * Internal to hit/io: arrays whose elements stand one after the other in a file, behind
 * a place that a format knows. */
#ifndef HIT_IO_FLAT_H
#define HIT_IO_FLAT_H

#include "hit/io/file.h"

/** Bytes of a file, and who is told of them when they are written. */
typedef struct hit_stretch {
    hit_file *file; /**< borrowed until end_file() of the sink */
    uint64_t place_bytes;
    const void *data; /**< borrowed during the call */
    size_t size_bytes;
    void (*moved)(void *to_moved, uint64_t offset, const void *data, size_t size);
    void *to_moved; /**< or NULL. @owner who gave it to the array, until all is written */
    uint64_t offset_bytes; /**< for it */
} hit_stretch;

/** Who writes the elements of an array in the place of its format, and tells of them. A
 * failure is for it to keep. */
typedef struct hit_sink {
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

/** Process 0 sees to the head, then all open the file. @collective
 * @errors of @p head, elsewhere HIT_E_PEER; HIT_E_IO; HIT_E_NOMEM */
hit_status hit_flat_begin(hit_array *array, bool writes, hit_flat_head head);
/** Where the elements begin. */
uint64_t *hit_flat_place(const hit_array *array);
/** Functions of a hit_format. */
hit_status hit_flat_write(hit_array *array, const hit_index start[],
                          const hit_index count[], const void *data);
hit_status hit_flat_read(hit_array *array, const hit_index start[],
                         const hit_index count[], void *data);
hit_status hit_flat_close(hit_array *array);

#endif
