/* SPDX-License-Identifier: MIT
 * Internal to hit/io: options of reading and writing, and what texts name. */
#ifndef HIT_IO_OPTIONS_H
#define HIT_IO_OPTIONS_H

#include "hit/io/format.h"

/** What options of hit_tile_read() and hit_tile_write() say. */
typedef struct hit_io_options {
    const hit_format *format;
    hit_index chunks[HIT_MAX_DIMS];
    hit_index shards[HIT_MAX_DIMS];
    int sizes;      /**< how many chunks= has, and shards= */
    bool of_chunks; /**< one of the options that are for formats with chunks */
    bool compress;
    bool timed;
    double time;
    bool has_step;
    hit_index step;
    char dataset[256]; /**< "": the tile's name */
    bool add;
    size_t buffer_bytes;
} hit_io_options;

/** @errors HIT_E_ARG */
hit_status hit_io_options_read(const hit_context *context, const char *path,
                               const char *text, bool writes, hit_io_options *options);
/** "float", "12 bytes". */
const char *hit_io_type_name(hit_type type, char text[32]);
/** "10 x 20", "a scalar". */
const char *hit_io_shape(int dims, const hit_index extent[], char *text, size_t size);
/** Can this process read @p path? @errors HIT_E_IO the system's text */
hit_status hit_io_check_readable(const char *path);

#endif
