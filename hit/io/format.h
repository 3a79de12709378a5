/* SPDX-License-Identifier: MIT
 * The interface of file formats: an array in a file, and what a format does with it. */
#ifndef HIT_IO_FORMAT_H
#define HIT_IO_FORMAT_H

#include "hit/base/status.h"
#include "hit/tile/axis.h"

#include <stdbool.h>

struct hit_comm;
struct hit_format;
struct hit_sink;

/** An array that is read or written, by all processes together. */
typedef struct hit_array {
    struct hit_comm *comm;
    const struct hit_format *format;
    const char *path;    /**< as the program gave it: for texts */
    const char *opened;  /**< the file that is opened: path, or a draft of it */
    const char *dataset; /**< its name, for formats that have names */
    bool add;            /**< into what is opened: a copy of the file that exists */
    hit_type type;
    int dims;
    hit_index extent[HIT_MAX_DIMS];
    hit_axis axis[HIT_MAX_DIMS]; /**< all dimensions have a name, or none has */
    /** What a format with chunks is asked for; chunks[0], shards[0] 0: not said. */
    hit_index chunks[HIT_MAX_DIMS];
    hit_index shards[HIT_MAX_DIMS];
    bool compress;
    bool timed; /**< one step of time: */
    double time;
    bool has_step; /**< read this one, from the last one where it is negative */
    hit_index step;
    /** Set by create and open: boxes that are moved begin at multiples of it, and end
     * there or with the array. 0 is 1: whole rows of elements. */
    hit_index unit[HIT_MAX_DIMS];
    /** Flat files only: who is told of each stretch of elements that this process moves,
     * @p offset bytes behind the first element of the array. Or NULL. */
    void (*moved)(void *to_moved, uint64_t offset, const void *data, size_t size);
    void *to_moved;
    const struct hit_sink *sink; /**< flat files only: who writes; or NULL: the format */
    void *handle;                /**< the format's own, from create or open to close */
} hit_array;

/** A format. Texts of failures begin with the path. */
typedef struct hit_format {
    const char *name;
    const char *ending[3]; /**< of paths, NULL-terminated */
    bool named;            /**< does it know dataset= and add=? */
    bool timed;            /**< does it know time= and step=? */
    bool chunked; /**< is it a folder, and knows chunks=? Then a process writes a unit
                     when it likes, not all together */
    /** Make the file, or the array in it. @collective here and below; a failure on one
     * process only is voted on by the caller */
    hit_status (*create)(hit_array *array);
    /** Open it; its type and extents must be those of *array. */
    hit_status (*open)(hit_array *array);
    /** Write or read the box of count[d] elements from position start[d] on; no element
     * where a count is 0. Boxes of one call are disjoint. @p data is dense. */
    hit_status (*write)(hit_array *array, const hit_index start[],
                        const hit_index count[], const void *data);
    hit_status (*read)(hit_array *array, const hit_index start[], const hit_index count[],
                       void *data);
    /** All processes have written all; may be NULL. */
    hit_status (*commit)(hit_array *array);
    /** Give the handle back; what was written is on disk. After a failed create or open,
     * too. */
    hit_status (*close)(hit_array *array);
} hit_format;

/** The size of all elements. */
static inline uint64_t hit_array_bytes(const hit_array *array)
{
    uint64_t bytes = array->type.size_bytes;

    for (int d = 0; d < array->dims; d++) {
        bytes *= (uint64_t)array->extent[d];
    }
    return bytes;
}

#endif
