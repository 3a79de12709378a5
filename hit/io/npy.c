/* SPDX-License-Identifier: MIT
 * NumPy's .npy: a head, written and read by process 0, and the elements in row-major
 * order. */
#include "hit/base/kind.h"
#include "hit/io/io_impl.h"
#include "hit/io/npy_impl.h"

#include <string.h>

static hit_status write_head(const hit_array *array, hit_file *file, uint64_t *begin)
{
    hit_npy_head head = {.dims = array->dims};
    char text[1024];

    hit_npy_type(array->type, head.type);
    memcpy(head.extent, array->extent, sizeof(hit_index) * (size_t)array->dims);
    *begin = hit_npy_print(&head, text, sizeof(text));
    HIT_TRY(hit_file_grow(file, *begin + hit_array_bytes(array)));
    return hit_file_write(file, 0, text, (size_t)*begin);
}

static hit_status check_head(const hit_array *array, const hit_npy_head *head)
{
    char type[32];
    char name[32];

    hit_npy_type(array->type, type);
    if (!hit_npy_type_is(array->type, head->type)) {
        return HIT_FAIL(HIT_E_IO, "%s: expected elements of type %s (%s) but found %s",
                        array->path, hit_kind_type_name(array->type, name), type,
                        head->type);
    }
    HIT_TRY(hit_array_match(array, head->dims, head->extent));
    if (head->fortran && head->dims > 1) {
        return HIT_FAIL(HIT_E_IO,
                        "%s: expected rows one after the other but found columns; save "
                        "numpy.ascontiguousarray() of the array",
                        array->path);
    }
    return HIT_OK;
}

static hit_status read_head(const hit_array *array, hit_file *file, uint64_t *begin)
{
    char text[HIT_NPY_MOST];
    hit_npy_head head;
    uint64_t end = 0;
    size_t found;
    size_t size;

    HIT_TRY(hit_file_read_some(file, 0, text, HIT_NPY_FIRST, &found));
    if (found < HIT_NPY_FIRST) {
        return HIT_FAIL(HIT_E_IO,
                        "%s: expected a .npy file but found fewer than %d bytes",
                        array->path, HIT_NPY_FIRST);
    }
    HIT_TRY(hit_npy_size(array->path, text, &size));
    HIT_TRY(hit_file_read_some(file, 0, text, size, &found));
    HIT_TRY(hit_npy_parse(array->path, text, found, &head));
    HIT_TRY(check_head(array, &head));
    HIT_TRY(hit_file_size(file, &end));
    if (end < size + hit_array_bytes(array)) {
        return HIT_FAIL(HIT_E_IO, "%s: is cut off: expected %llu bytes but found %llu",
                        array->path, (unsigned long long)(size + hit_array_bytes(array)),
                        (unsigned long long)end);
    }
    *begin = size;
    return HIT_OK;
}

static hit_status npy_create(hit_array *array)
{
    return hit_flat_begin(array, true, write_head);
}

static hit_status npy_open(hit_array *array)
{
    return hit_flat_begin(array, false, read_head);
}

const hit_format hit_format_npy = {
    .name = "npy",
    .ending = {".npy", NULL},
    .create = npy_create,
    .open = npy_open,
    .write = hit_flat_write,
    .read = hit_flat_read,
    .close = hit_flat_close,
};
