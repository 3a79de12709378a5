/* SPDX-License-Identifier: MIT
 * NumPy's .npy: a head, written and read by process 0, and the elements in row-major
 * order. */
#include "hit/base/file.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/io/file.h"
#include "hit/io/format.h"
#include "hit/io/npy_text.h"
#include "hit/io/options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct npy {
    hit_file *file;
    uint64_t head_bytes;
} npy;

static hit_status write_head(const hit_array *array, uint64_t *head_bytes)
{
    hit_npy_head head = {.dims = array->dims};
    char text[1024];
    size_t size;
    FILE *file = fopen(array->opened, "wb");
    hit_status status;

    if (file == NULL) {
        return HIT_FAIL(HIT_E_IO, "%s: cannot be written: %s", array->path,
                        strerror(errno));
    }
    hit_npy_type(array->type, head.type);
    memcpy(head.extent, array->extent, sizeof(hit_index) * (size_t)array->dims);
    size = hit_npy_print(&head, text, sizeof(text));
    (void)fwrite(text, 1, size, file);
    *head_bytes = size;
    status = hit_file_check(file, array->path);
    (void)fclose(file);
    HIT_TRY(status);
    return hit_file_reserve(array->opened, hit_array_bytes(array), array->path);
}

static hit_status check_head(const hit_array *array, const hit_npy_head *head)
{
    char type[32];
    char name[32];
    char expected[128];
    char found[HIT_NPY_MAX_DIMS * 24];
    bool alike = head->dims == array->dims;

    hit_npy_type(array->type, type);
    if (strcmp(type, head->type) != 0) {
        return HIT_FAIL(HIT_E_IO, "%s: expected elements of type %s (%s) but found %s",
                        array->path, hit_io_type_name(array->type, name), type,
                        head->type);
    }
    for (int d = 0; d < head->dims && alike; d++) {
        alike = head->extent[d] == array->extent[d];
    }
    if (!alike) {
        return HIT_FAIL(
            HIT_E_IO, "%s: expected an array of %s but found %s", array->path,
            hit_io_shape(array->dims, array->extent, expected, sizeof(expected)),
            hit_io_shape(head->dims, head->extent, found, sizeof(found)));
    }
    if (head->fortran && head->dims > 1) {
        return HIT_FAIL(HIT_E_IO,
                        "%s: expected rows one after the other but found columns; save "
                        "numpy.ascontiguousarray() of the array",
                        array->path);
    }
    return HIT_OK;
}

static hit_status read_file(const hit_array *array, FILE *file, uint64_t *head_bytes)
{
    char text[HIT_NPY_MOST];
    hit_npy_head head;
    size_t size;
    long long end;

    if (fread(text, 1, HIT_NPY_FIRST, file) != HIT_NPY_FIRST) {
        return HIT_FAIL(HIT_E_IO,
                        "%s: expected a .npy file but found fewer than %d bytes",
                        array->path, HIT_NPY_FIRST);
    }
    HIT_TRY(hit_npy_size(array->path, text, &size));
    if (size > HIT_NPY_FIRST && fread(text + HIT_NPY_FIRST, 1, size - HIT_NPY_FIRST,
                                      file) != size - HIT_NPY_FIRST) {
        return HIT_FAIL(HIT_E_IO, "%s: its head is cut off", array->path);
    }
    HIT_TRY(hit_npy_parse(array->path, text, size, &head));
    HIT_TRY(check_head(array, &head));
    if (fseek(file, 0, SEEK_END) != 0) {
        return HIT_FAIL(HIT_E_IO, "%s: cannot be read: %s", array->path, strerror(errno));
    }
    end = ftell(file);
    if (end < 0 || (uint64_t)end < size + hit_array_bytes(array)) {
        return HIT_FAIL(HIT_E_IO, "%s: is cut off: expected %llu bytes but found %lld",
                        array->path, (unsigned long long)(size + hit_array_bytes(array)),
                        end);
    }
    *head_bytes = size;
    return HIT_OK;
}

static hit_status read_head(const hit_array *array, uint64_t *head_bytes)
{
    FILE *file = fopen(array->opened, "rb");
    hit_status status;

    if (file == NULL) {
        return HIT_FAIL(HIT_E_IO, "%s: cannot be read: %s", array->path, strerror(errno));
    }
    status = read_file(array, file, head_bytes);
    (void)fclose(file);
    return status;
}

/* Process 0 writes or reads the head, then all open the file. */
static hit_status npy_begin(hit_array *array, bool writes)
{
    npy *made;
    hit_status status = hit_memory_zeroed(1, sizeof(npy), &made);

    array->handle = made;
    if (status == HIT_OK && hit_comm_rank(array->comm) == 0) {
        status = writes ? write_head(array, &made->head_bytes)
                        : read_head(array, &made->head_bytes);
    }
    HIT_TRY(hit_comm_agree(array->comm, status));
    HIT_TRY(
        hit_comm_broadcast(array->comm, 0, &made->head_bytes, sizeof(made->head_bytes)));
    return hit_file_open(array, writes, &made->file);
}

static hit_status npy_create(hit_array *array)
{
    return npy_begin(array, true);
}

static hit_status npy_open(hit_array *array)
{
    return npy_begin(array, false);
}

/* Boxes are contiguous: whole in every dimension after the first that is not one. */
static void stretch(const hit_array *array, const hit_index start[],
                    const hit_index count[], uint64_t *offset, size_t *size)
{
    uint64_t at = 0;
    uint64_t elements = array->dims == 0 && count[0] < 0 ? 0 : 1;

    for (int d = 0; d < array->dims; d++) {
        at = at * (uint64_t)array->extent[d] + (uint64_t)start[d];
        elements *= (uint64_t)count[d];
    }
    *offset = ((const npy *)array->handle)->head_bytes + at * array->type.size_bytes;
    *size = (size_t)(elements * array->type.size_bytes);
}

static hit_status npy_write(hit_array *array, const hit_index start[],
                            const hit_index count[], const void *data)
{
    uint64_t offset;
    size_t size;

    stretch(array, start, count, &offset, &size);
    return hit_file_write(((npy *)array->handle)->file, offset, data, size);
}

static hit_status npy_read(hit_array *array, const hit_index start[],
                           const hit_index count[], void *data)
{
    uint64_t offset;
    size_t size;

    stretch(array, start, count, &offset, &size);
    return hit_file_read(((npy *)array->handle)->file, offset, data, size);
}

static hit_status npy_close(hit_array *array)
{
    npy *made = array->handle;
    hit_status status = HIT_OK;

    array->handle = NULL;
    if (made != NULL) status = hit_file_close(&made->file);
    free(made);
    return status;
}

const hit_format hit_format_npy = {
    .name = "npy",
    .ending = {".npy", NULL},
    .create = npy_create,
    .open = npy_open,
    .write = npy_write,
    .read = npy_read,
    .close = npy_close,
};
