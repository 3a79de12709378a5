/* SPDX-License-Identifier: MIT
 * Internal to hit/io: arrays whose elements stand one after the other in a file, behind
 * a place that a format knows. */
#ifndef HIT_IO_FLAT_H
#define HIT_IO_FLAT_H

#include "hit/io/file.h"

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
/** Where the elements begin, and which bytes behind that a box is. */
uint64_t *hit_flat_place(const hit_array *array);
void hit_flat_stretch(const hit_array *array, const hit_index start[],
                      const hit_index count[], uint64_t *offset, size_t *size);
/** Functions of a hit_format. */
hit_status hit_flat_write(hit_array *array, const hit_index start[],
                          const hit_index count[], const void *data);
hit_status hit_flat_read(hit_array *array, const hit_index start[],
                         const hit_index count[], void *data);
hit_status hit_flat_close(hit_array *array);

#endif
