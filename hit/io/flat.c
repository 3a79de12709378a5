/* SPDX-License-Identifier: MIT
 * Elements in row-major order: a box that is whole in every dimension after the first
 * that is not one is one stretch of the file. */
#include "hit/io/flat.h"

#include "hit/base/memory.h"
#include "hit/comm/comm.h"

hit_status hit_flat_begin(hit_array *array, bool writes, hit_flat_head head)
{
    hit_flat *made = NULL;
    hit_status status = hit_memory_zeroed(1, sizeof(hit_flat), &made);

    array->handle = made;
    if (status == HIT_OK && hit_comm_rank(array->comm) == 0) {
        status = hit_file_open(array, writes, &made->file);
        if (status == HIT_OK) status = head(array, made->file, &made->begin_bytes);
    }
    HIT_TRY(hit_comm_agree(array->comm, status));
    HIT_TRY(hit_comm_broadcast(array->comm, 0, &made->begin_bytes,
                               sizeof(made->begin_bytes)));
    return made->file != NULL ? HIT_OK : hit_file_open(array, writes, &made->file);
}

uint64_t *hit_flat_place(const hit_array *array)
{
    return &((hit_flat *)array->handle)->begin_bytes;
}

void hit_flat_stretch(const hit_array *array, const hit_index start[],
                      const hit_index count[], uint64_t *offset, size_t *size)
{
    uint64_t at = 0;
    uint64_t elements = array->dims == 0 && count[0] < 0 ? 0 : 1;

    for (int d = 0; d < array->dims; d++) {
        at = at * (uint64_t)array->extent[d] + (uint64_t)start[d];
        elements *= (uint64_t)count[d];
    }
    *offset = at * array->type.size_bytes;
    *size = (size_t)(elements * array->type.size_bytes);
}

hit_status hit_flat_write(hit_array *array, const hit_index start[],
                          const hit_index count[], const void *data)
{
    uint64_t offset;
    size_t size;

    hit_flat_stretch(array, start, count, &offset, &size);
    offset += *hit_flat_place(array);
    return hit_file_write(((hit_flat *)array->handle)->file, offset, data, size);
}

hit_status hit_flat_read(hit_array *array, const hit_index start[],
                         const hit_index count[], void *data)
{
    uint64_t offset;
    size_t size;

    hit_flat_stretch(array, start, count, &offset, &size);
    offset += *hit_flat_place(array);
    return hit_file_read(((hit_flat *)array->handle)->file, offset, data, size);
}

hit_status hit_flat_close(hit_array *array)
{
    hit_flat *made = array->handle;
    hit_status status = HIT_OK;

    array->handle = NULL;
    if (made != NULL) status = hit_file_close(&made->file);
    free(made);
    return status;
}
