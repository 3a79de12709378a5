/* SPDX-License-Identifier: MIT
 * Arrays that are written by a format and read back without it: a file whose metadata are
 * damaged cannot lead to other elements, nor HDF5 into a crash. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/checkpoint/checkpoint_impl.h"
#include "hit/comm/comm.h"
#include "hit/io/codec/codec.h"
#include "hit/io/io_impl.h"
#include "hit/topo/layout_impl.h"

#include <string.h>

static hit_status no_head(const hit_array *array, hit_file *file, uint64_t *begin)
{
    (void)array;
    (void)file;
    *begin = 0;
    return HIT_OK;
}

static hit_status open_bare(hit_array *array)
{
    return hit_flat_begin(array, false, no_head);
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

static hit_status write_value(hit_array *array, const hit_index one[], const void *value)
{
    const hit_stretch wanted = hit_flat_stretch(array, one, one);
    void *copy = NULL;

    HIT_TRY(array->sink->take(array->sink->of, &wanted, &copy));
    memcpy(copy, value, array->type.size_bytes);
    return array->format->write(array, one, one, copy);
}

/* An array of one element, by one process. */
static hit_status move_value(hit_array *array, hit_stored *stored, void *value,
                             bool writes)
{
    const hit_format *format = array->format;
    const hit_index one[HIT_MAX_DIMS] = {0};
    hit_status status = writes ? format->create(array) : format->open(array);
    hit_status closed;

    if (status == HIT_OK) {
        if (writes) {
            stored->begin_bytes = *hit_flat_place(array);
        } else {
            *hit_flat_place(array) = stored->begin_bytes;
        }
        status = writes ? write_value(array, one, value)
                        : format->read(array, one, one, value);
    }
    closed = format->close(array);
    return status != HIT_OK ? status : closed;
}

/* @p writer: NULL: it is read */
static hit_status move_alone(const hit_format *format, hit_type type, void *value,
                             hit_stored *stored, hit_writer *writer)
{
    const hit_sink sink = hit_writer_sink(writer);
    struct hit_comm *self = NULL;
    hit_array array;
    hit_status status;

    HIT_TRY(hit_comm_open_self(&self));
    array = array_of(stored, self, format);
    array.type = type;
    if (writer != NULL) array.sink = &sink;
    status = move_value(&array, stored, value, writer != NULL);
    hit_comm_close(&self);
    return status;
}

hit_status hit_stored_write_value(const hit_context *context, hit_type type,
                                  const void *value, const char *format,
                                  hit_writer *writer, hit_stored *stored)
{
    const hit_format *found = NULL;

    HIT_TRY(hit_format_find(context, format, &found));
    stored->crc[0] = hit_crc32c(value, type.size_bytes);
    return move_alone(found, type, (void *)value, stored, writer);
}

hit_status hit_stored_read_value(hit_type type, void *value, const hit_stored *stored)
{
    hit_stored from = *stored;
    uint64_t crc;

    HIT_TRY(move_alone(&bare, type, value, &from, NULL));
    crc = hit_crc32c(value, type.size_bytes);
    return hit_sums_check(stored, &crc);
}

/* Block by block; the array is one of bytes. */
static hit_status check_blocks(hit_array *array, const hit_stored *stored, uint64_t *crc)
{
    const hit_index all = array->extent[0];
    void *block = NULL;
    hit_status status = hit_memory_zeroed(HIT_STORED_BLOCK, 1, &block);

    for (hit_index k = 0; status == HIT_OK && k < stored->blocks; k++) {
        const hit_index start = k * HIT_STORED_BLOCK;
        const hit_index rest = all - start;
        const hit_index count = rest < HIT_STORED_BLOCK ? rest : HIT_STORED_BLOCK;

        status = hit_flat_read(array, &start, &count, block);
        if (status == HIT_OK) crc[k] = hit_crc32c(block, (size_t)count);
    }
    free(block);
    return status == HIT_OK ? hit_sums_check(stored, crc) : status;
}

hit_status hit_stored_check(const hit_stored *stored, uint64_t bytes)
{
    struct hit_comm *self = NULL;
    hit_array array;
    uint64_t *crc = NULL;
    hit_status status;
    hit_status closed;

    HIT_TRY(hit_memory_zeroed((size_t)stored->blocks, sizeof(*crc), &crc));
    status = hit_comm_open_self(&self);
    if (status != HIT_OK) {
        free(crc);
        return status;
    }
    array = array_of(stored, self, &bare);
    array.type = HIT_UINT8;
    array.dims = 1;
    array.extent[0] = (hit_index)bytes;
    status = bare.open(&array);
    if (status == HIT_OK) {
        *hit_flat_place(&array) = stored->begin_bytes;
        status = check_blocks(&array, stored, crc);
    }
    closed = bare.close(&array);
    hit_comm_close(&self);
    free(crc);
    return status != HIT_OK ? status : closed;
}
