/* SPDX-License-Identifier: MIT
 * Elements in row-major order: a box that is whole in every dimension after the first
 * that is not one is one stretch of the file. */
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/io/io_impl.h"

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

hit_stretch hit_flat_stretch(const hit_array *array, const hit_index start[],
                             const hit_index count[])
{
    const hit_flat *made = array->handle;
    uint64_t at = 0;
    uint64_t elements = array->dims == 0 && count[0] < 0 ? 0 : 1;

    for (int d = 0; d < array->dims; d++) {
        at = at * (uint64_t)array->extent[d] + (uint64_t)start[d];
        elements *= (uint64_t)count[d];
    }
    at *= array->type.size_bytes;
    return (hit_stretch){.file = made->file,
                         .place_bytes = made->begin_bytes + at,
                         .size_bytes = (size_t)(elements * array->type.size_bytes),
                         .moved = array->moved,
                         .to_moved = array->to_moved,
                         .offset_bytes = at};
}

hit_status hit_flat_write(hit_array *array, const hit_index start[],
                          const hit_index count[], const void *data)
{
    hit_stretch s = hit_flat_stretch(array, start, count);

    s.data = data;
    if (array->sink == NULL) {
        return hit_file_write(s.file, s.place_bytes, data, s.size_bytes);
    }
    array->sink->write(array->sink->of, &s);
    return HIT_OK;
}

hit_status hit_flat_read(hit_array *array, const hit_index start[],
                         const hit_index count[], void *data)
{
    const hit_stretch s = hit_flat_stretch(array, start, count);

    HIT_TRY(hit_file_read(s.file, s.place_bytes, data, s.size_bytes));
    if (s.moved != NULL) s.moved(s.to_moved, s.offset_bytes, data, s.size_bytes);
    return HIT_OK;
}

hit_status hit_flat_close(hit_array *array)
{
    hit_flat *made = array->handle;
    hit_status status = HIT_OK;

    array->handle = NULL;
    if (made == NULL) return HIT_OK;
    if (array->sink != NULL) {
        array->sink->end_file(array->sink->of, &made->file);
    } else {
        status = hit_file_close(&made->file);
    }
    free(made);
    return status;
}
