/* SPDX-License-Identifier: MIT
 * Elements in row-major order: a box that is whole in every dimension after the first
 * that is not one is one stretch of the file. And whether what a file has is the array
 * that is expected, in all formats. */
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/comm/comm.h"
#include "hit/io/io_impl.h"
#include "hit/tile/tile_impl.h"

hit_status hit_flat_begin(hit_array *array, bool writes, hit_flat_head head)
{
    hit_flat *made = NULL;
    hit_status status = hit_memory_zeroed(1, sizeof(hit_flat), &made);

    array->handle = made;
    if (status == HIT_OK && hit_comm_rank(array->comm) == 0) {
        status = hit_file_open(array, writes, &made->file);
        if (status == HIT_OK && head != NULL) {
            status = head(array, made->file, &made->begin_bytes);
        }
    }
    HIT_TRY(hit_comm_agree(array->comm, status));
    HIT_TRY(hit_comm_broadcast(array->comm, 0, &made->begin_bytes,
                               sizeof(made->begin_bytes)));
    return made->file != NULL ? HIT_OK : hit_file_open(array, writes, &made->file);
}

void hit_flat_keep_place(const hit_array *array, bool writes, uint64_t *begin_bytes)
{
    hit_flat *flat = array->handle;

    if (writes) {
        *begin_bytes = flat->begin_bytes;
    } else {
        flat->begin_bytes = *begin_bytes;
    }
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

/* ---- what a file has ---- */

/* "array NAME: ", where the format has names. */
static const char *named(const hit_array *array, char *text, size_t size)
{
    const hit_format *format = array->format;

    text[0] = '\0';
    if (!format->named) return text;
    hit_text_add(text, size, "%s %s: ", format->chunked ? "array" : "dataset",
                 array->dataset);
    return text;
}

hit_status hit_array_match(const hit_array *array, int dims, const hit_index extent[])
{
    const int lead = array->timed || array->has_step ? 1 : 0;
    bool same = dims == array->dims + lead;
    char name[HIT_TRANSFER_NAME + 16];
    char expected[128];
    char found[1024];

    for (int d = 0; d < array->dims && same; d++) {
        same = extent[d + lead] == array->extent[d];
    }
    if (same) return HIT_OK;
    return HIT_FAIL(
        HIT_E_IO, "%s: %sexpected an array of %s%s but found %s", array->path,
        named(array, name, sizeof(name)), lead > 0 ? "steps of " : "",
        hit_text_shape(array->dims, array->extent, expected, sizeof(expected)),
        dims < 0 ? "no element" : hit_text_shape(dims, extent, found, sizeof(found)));
}

hit_status hit_array_find_step(const hit_array *array, hit_index steps, hit_index *step)
{
    char name[HIT_TRANSFER_NAME + 16];

    if (!array->has_step) return HIT_OK;
    *step = array->step < 0 ? steps + array->step : array->step;
    if (*step >= 0 && *step < steps) return HIT_OK;
    return HIT_FAIL(HIT_E_IO, "%s: %sexpected step= from 0 to %lld but found %lld",
                    array->path, named(array, name, sizeof(name)), (long long)steps - 1,
                    (long long)array->step);
}

hit_status hit_array_check_axis(const hit_array *array, int dim, const char *name,
                                hit_index first, size_t count, const double value[])
{
    for (size_t k = 0; k < count; k++) {
        const double mine = hit_axis_at(&array->axis[dim], first + (hit_index)k);

        if (value[k] == mine) continue;
        return HIT_FAIL(HIT_E_IO,
                        "%s: dimension %s: expected %.17g at element %lld, as the %s has "
                        "it for other arrays, but found %.17g",
                        array->path, name, value[k], (long long)first + (long long)k,
                        array->format->chunked ? "store" : "file", mine);
    }
    return HIT_OK;
}
