/* SPDX-License-Identifier: MIT
 * Arrays that are written by a format and read back without it: a file whose metadata are
 * damaged cannot lead to other elements, nor HDF5 into a crash. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/checkpoint/checkpoint_impl.h"
#include "hit/comm/comm.h"
#include "hit/data/hash.h"
#include "hit/io/codec/codec.h"
#include "hit/io/io_impl.h"
#include "hit/topo/layout_impl.h"

#include <string.h>

static hit_status open_bare(hit_array *array)
{
    return hit_flat_begin(array, false, NULL);
}

/* Nothing but elements; the reader knows where they are. */
static const hit_format bare = {
    .name = "bare",
    .open = open_bare,
    .read = hit_flat_read,
    .close = hit_flat_close,
};

static void add_stretch(void *to_moved, uint64_t offset, const void *data, size_t size)
{
    const hit_stored *to = to_moved;

    hit_sums_add(to->crc, to->all_bytes, offset, data, size);
}

static hit_array array_of(const hit_stored *stored, struct hit_comm *comm,
                          const hit_format *format)
{
    return (hit_array){.comm = comm,
                       .format = format,
                       .path = stored->path,
                       .opened = stored->path,
                       .dataset = stored->name,
                       .add = stored->add};
}

hit_status hit_stored_write(hit_tile *tile, const char *format, hit_writer *writer,
                            hit_stored *stored)
{
    hit_context *context = hit_tile_layout(tile)->context;
    hit_file_transfer t = {.tile = tile,
                           .context = context,
                           .buffer_bytes = HIT_TRANSFER_BUFFER,
                           .writes = true,
                           .begin_bytes = &stored->begin_bytes};
    const hit_sink sink = hit_writer_sink(writer);
    const hit_format *found = NULL;

    HIT_TRY(hit_format_find(context, format, &found));
    t.array = array_of(stored, context->comm, found);
    t.array.sink = &sink;
    t.array.moved = add_stretch;
    t.array.to_moved = stored;
    hit_file_transfer_shape(&t);
    stored->all_bytes = hit_array_bytes(&t.array);
    memset(stored->crc, 0, sizeof(stored->crc[0]) * (size_t)stored->blocks);
    return hit_file_transfer_carry_out(&t);
}

hit_status hit_stored_join(struct hit_comm *comm, const hit_stored *stored)
{
    return hit_sums_join(comm, stored->crc, stored->all_bytes);
}

hit_status hit_stored_read(hit_tile *tile, const hit_stored *stored)
{
    hit_context *context = hit_tile_layout(tile)->context;
    uint64_t begin_bytes = stored->begin_bytes;
    hit_stored to = {.crc = NULL};
    hit_file_transfer t = {.tile = tile,
                           .context = context,
                           .buffer_bytes = HIT_TRANSFER_BUFFER,
                           .begin_bytes = &begin_bytes};
    hit_status status =
        hit_comm_agree(context->comm, hit_memory_zeroed((size_t)stored->blocks,
                                                        sizeof(to.crc[0]), &to.crc));

    t.array = array_of(stored, context->comm, &bare);
    t.array.moved = add_stretch;
    t.array.to_moved = &to;
    hit_file_transfer_shape(&t);
    to.all_bytes = hit_array_bytes(&t.array);
    if (status == HIT_OK) status = hit_file_transfer_carry_out(&t);
    if (status == HIT_OK) status = hit_sums_join(context->comm, to.crc, to.all_bytes);
    if (status == HIT_OK) status = hit_sums_check(stored, to.crc);
    free(to.crc);
    return status;
}

/* Move what the array is to one process alone: @p move begins where *array is open.
 * @p writer: NULL: it is read. */
static hit_status move_alone(hit_array *array, hit_stored *stored, hit_writer *writer,
                             hit_status (*move)(hit_array *array, void *of), void *of)
{
    const hit_sink sink = hit_writer_sink(writer);
    const hit_format *format = array->format;
    struct hit_comm *self = NULL;
    hit_status status;
    hit_status closed;

    HIT_TRY(hit_comm_open_self(&self));
    array->comm = self;
    if (writer != NULL) array->sink = &sink;
    status = writer != NULL ? format->create(array) : format->open(array);
    if (status == HIT_OK) {
        hit_flat_keep_place(array, writer != NULL, &stored->begin_bytes);
        status = move(array, of);
    }
    closed = format->close(array);
    array->comm = NULL;
    array->sink = NULL;
    hit_comm_close(&self);
    return status != HIT_OK ? status : closed;
}

/* An array of one element. */
static hit_status write_value(hit_array *array, void *value)
{
    const hit_index one[HIT_MAX_DIMS] = {0};
    const hit_stretch wanted = hit_flat_stretch(array, one, one);
    void *copy = NULL;

    HIT_TRY(array->sink->take(array->sink->of, &wanted, &copy));
    memcpy(copy, value, array->type.size_bytes);
    return array->format->write(array, one, one, copy);
}

static hit_status read_value(hit_array *array, void *value)
{
    const hit_index one[HIT_MAX_DIMS] = {0};

    return hit_flat_read(array, one, one, value);
}

hit_status hit_stored_write_value(const hit_context *context, hit_type type,
                                  const void *value, const char *format,
                                  hit_writer *writer, hit_stored *stored)
{
    const hit_format *found = NULL;
    hit_array array;

    HIT_TRY(hit_format_find(context, format, &found));
    stored->crc[0] = hit_crc32c(value, type.size_bytes);
    array = array_of(stored, NULL, found);
    array.type = type;
    return move_alone(&array, stored, writer, write_value, (void *)value);
}

hit_status hit_stored_read_value(hit_type type, void *value, const hit_stored *stored)
{
    hit_stored from = *stored;
    hit_array array = array_of(stored, NULL, &bare);
    uint64_t crc;

    array.type = type;
    HIT_TRY(move_alone(&array, &from, NULL, read_value, value));
    crc = hit_crc32c(value, type.size_bytes);
    return hit_sums_check(stored, &crc);
}

/* Block by block; the array is one of bytes. @p sums: hit_stored.crc of what is read */
static hit_status sum_blocks(hit_array *array, void *sums)
{
    const hit_index all = array->extent[0];
    uint64_t *crc = sums;
    void *block = NULL;
    hit_status status = hit_memory_zeroed(HIT_STORED_BLOCK, 1, &block);

    for (hit_index start = 0; status == HIT_OK && start < all;
         start += HIT_STORED_BLOCK) {
        const hit_index count = hit_smaller(all - start, HIT_STORED_BLOCK);

        status = hit_flat_read(array, &start, &count, block);
        if (status == HIT_OK) *crc++ = hit_crc32c(block, (size_t)count);
    }
    free(block);
    return status;
}

hit_status hit_stored_check(const hit_stored *stored, uint64_t bytes)
{
    hit_stored from = *stored;
    hit_array array = array_of(stored, NULL, &bare);
    uint64_t *crc = NULL;
    hit_status status;

    array.type = HIT_UINT8;
    array.dims = 1;
    array.extent[0] = (hit_index)bytes;
    HIT_TRY(hit_memory_zeroed((size_t)stored->blocks, sizeof(*crc), &crc));
    status = move_alone(&array, &from, NULL, sum_blocks, crc);
    if (status == HIT_OK) status = hit_sums_check(stored, crc);
    free(crc);
    return status;
}
