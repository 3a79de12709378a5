/* SPDX-License-Identifier: MIT
 * SEG-Y revision 1 (Society of Exploration Geophysicists, 2002): traces of one length
 * behind each other, each with a header, all numbers big-endian. The library gives each
 * process boxes of whole traces, which are one stretch of the file. */
#define _POSIX_C_SOURCE 200809L
#include "examples/segy.h"

#include "hit/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    TEXT_BYTES = 3200,
    HEAD_BYTES = 3600, /* with the binary header */
    TRACE_BYTES = 240,
    MOST_SAMPLES = 32767,
    IBM = 1,
    IEEE = 5
};

typedef struct segy_file {
    int handle;
    int format;
} segy_file;

static hit_status fail(const hit_array *array, const char *what)
{
    return HIT_FAIL(HIT_E_IO, "%s: cannot be %s: %s", array->path, what, strerror(errno));
}

/* ---- numbers ---- */

static void put(unsigned char *to, int size, int64_t number)
{
    for (int k = size - 1; k >= 0; k--) {
        to[k] = (unsigned char)(number & 0xff);
        number >>= 8;
    }
}

static uint32_t get(const unsigned char *from, int size)
{
    uint32_t number = 0;

    for (int k = 0; k < size; k++) {
        number = number << 8 | from[k];
    }
    return number;
}

/* 24 bits of a fraction below 1, times a power of 16. */
static uint32_t to_ibm(float value)
{
    int two;
    const double fraction = frexp(fabs((double)value), &two); /* 0.5 to 1, or 0 */
    int sixteen = two > 0 ? (two + 3) / 4 : -(-two / 4);
    uint32_t bits = (uint32_t)lrint(ldexp(fraction, 24 + two - 4 * sixteen));

    if (bits == 0) return 0;
    if (bits == UINT32_C(1) << 24) { /* rounded up */
        bits >>= 4;
        sixteen++;
    }
    return (signbit(value) ? UINT32_C(1) << 31 : 0) | (uint32_t)(sixteen + 64) << 24 |
           bits;
}

static float from_ibm(uint32_t bits)
{
    const double fraction = (double)(bits & 0xffffff);
    const int sixteen = (int)(bits >> 24 & 0x7f) - 64;
    const double value = ldexp(fraction, 4 * sixteen - 24);

    return (float)(bits >> 31 ? -value : value);
}

static uint32_t to_ieee(float value)
{
    const union {
        float value;
        uint32_t bits;
    } as = {.value = value};

    return as.bits;
}

static float from_ieee(uint32_t bits)
{
    const union {
        uint32_t bits;
        float value;
    } as = {.bits = bits};

    return as.value;
}

static void put_sample(int format, unsigned char *to, float value)
{
    put(to, 4, format == IBM ? to_ibm(value) : to_ieee(value));
}

static float get_sample(int format, const unsigned char *from)
{
    const uint32_t bits = get(from, 4);

    return format == IBM ? from_ibm(bits) : from_ieee(bits);
}

/* ---- heads ---- */

static hit_status check_array(const hit_array *array)
{
    if (array->dims == 2 && array->type.kind == HIT_KIND_FLOAT && array->extent[0] >= 1 &&
        array->extent[0] <= MOST_SAMPLES && array->extent[1] >= 1 &&
        array->extent[1] <= INT32_MAX) {
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG,
                    "%s: expected floats of two dimensions, with 1 to %d samples in the "
                    "first one",
                    array->path, MOST_SAMPLES);
}

/* Microseconds between two samples. */
static hit_status find_interval(const hit_array *array, int64_t *interval)
{
    const double microseconds = round(array->axis[0].step * 1e6);

    if (microseconds < 1 || microseconds > 32767) {
        return HIT_FAIL(HIT_E_ARG,
                        "%s: expected an axis of dimension 0 with a step of 0.000001 to "
                        "0.032767 seconds but found %g",
                        array->path, array->axis[0].step);
    }
    *interval = (int64_t)microseconds;
    return HIT_OK;
}

static hit_status write_head(const hit_array *array, const segy_file *file)
{
    unsigned char head[HEAD_BYTES];
    unsigned char *binary = head + TEXT_BYTES;
    int64_t interval;

    HIT_TRY(find_interval(array, &interval));
    memset(head, 0x40, TEXT_BYTES); /* blanks of EBCDIC; every line begins with a C */
    for (int line = 0; line < 40; line++) {
        head[(size_t)line * 80] = 0xc3;
    }
    memset(binary, 0, HEAD_BYTES - TEXT_BYTES);
    put(binary + 16, 2, interval);
    put(binary + 20, 2, array->extent[0]);
    put(binary + 24, 2, file->format);
    put(binary + 54, 2, 1);       /* metres */
    put(binary + 300, 2, 0x0100); /* revision 1 ... */
    put(binary + 302, 2, 1);      /* ... with traces of one length */
    if (pwrite(file->handle, head, HEAD_BYTES, 0) == HEAD_BYTES) return HIT_OK;
    return fail(array, "written");
}

static hit_status read_head(const hit_array *array, segy_file *file)
{
    const int64_t size =
        HEAD_BYTES + array->extent[1] * (TRACE_BYTES + 4 * array->extent[0]);
    unsigned char head[HEAD_BYTES];
    const off_t end = lseek(file->handle, 0, SEEK_END);

    if (end < 0) return fail(array, "read");
    if (end < HEAD_BYTES || pread(file->handle, head, HEAD_BYTES, 0) != HEAD_BYTES) {
        return HIT_FAIL(HIT_E_IO, "%s: expected a SEG-Y file but found %lld bytes",
                        array->path, (long long)end);
    }
    file->format = (int)get(head + TEXT_BYTES + 24, 2);
    if (file->format != IBM && file->format != IEEE) {
        return HIT_FAIL(HIT_E_IO, "%s: expected samples of format 1 or 5 but found %d",
                        array->path, file->format);
    }
    if (get(head + TEXT_BYTES + 20, 2) == array->extent[0] &&
        get(head + TEXT_BYTES + 304, 2) == 0 && end == size) {
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_IO,
                    "%s: expected %lld traces of %lld samples, in %lld bytes, but found "
                    "%u samples in %lld bytes",
                    array->path, (long long)array->extent[1], (long long)array->extent[0],
                    (long long)size, get(head + TEXT_BYTES + 20, 2), (long long)end);
}

static hit_status begin(hit_array *array, bool writes)
{
    segy_file *file;
    int64_t interval;

    HIT_TRY(check_array(array));
    if (writes) HIT_TRY(find_interval(array, &interval));
    HIT_TRY(hit_memory_zeroed(1, sizeof(*file), &file));
    array->handle = file;
    array->unit[0] = array->extent[0]; /* whole traces */
    array->unit[1] = 1;
    file->format = array->format == &segy_ibm ? IBM : IEEE;
    file->handle = open(array->opened, (writes ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
    if (file->handle < 0) return fail(array, writes ? "written" : "read");
    return writes ? HIT_OK : read_head(array, file);
}

static hit_status segy_create(hit_array *array)
{
    return begin(array, true);
}

static hit_status segy_open(hit_array *array)
{
    return begin(array, false);
}

/* ---- traces ---- */

static void put_trace_head(const hit_array *array, hit_index trace, unsigned char *to)
{
    const hit_axis *x = &array->axis[1];
    const double at = x->value != NULL
                          ? x->value[trace * (x->value_step ? x->value_step : 1)]
                          : x->first + x->step * (double)trace;

    memset(to, 0, TRACE_BYTES);
    put(to, 4, trace + 1);
    put(to + 4, 4, trace + 1);
    put(to + 8, 4, 1); /* the shot */
    put(to + 12, 4, trace + 1);
    put(to + 28, 2, 1);     /* seismic data */
    put(to + 70, 2, -1000); /* coordinates are millimetres */
    put(to + 80, 4, llrint(at * 1000));
    put(to + 88, 2, 1); /* lengths */
    put(to + 114, 2, array->extent[0]);
    put(to + 116, 2, llrint(array->axis[0].step * 1e6));
}

/* A trace at a time: samples of the box are a row of all of its traces each. */
static hit_status move(hit_array *array, const hit_index start[], const hit_index count[],
                       float *data, bool writes)
{
    const segy_file *file = array->handle;
    const size_t bytes = TRACE_BYTES + 4 * (size_t)array->extent[0];
    unsigned char *trace = NULL;
    hit_status status = HIT_OK;
    bool moved = true;

    if (count[0] == 0 || count[1] == 0) return HIT_OK;
    HIT_TRY(hit_memory_zeroed(bytes, 1, &trace));
    if (writes && start[1] == 0) status = write_head(array, file);
    errno = EIO; /* of a file that ends early */
    for (hit_index n = 0; n < count[1] && moved; n++) {
        const off_t at = HEAD_BYTES + (off_t)(start[1] + n) * (off_t)bytes;

        if (writes) put_trace_head(array, start[1] + n, trace);
        if (!writes) moved = pread(file->handle, trace, bytes, at) == (ssize_t)bytes;
        for (hit_index k = 0; k < count[0] && moved; k++) {
            unsigned char *sample = trace + TRACE_BYTES + 4 * k;

            if (writes) put_sample(file->format, sample, data[k * count[1] + n]);
            if (!writes) data[k * count[1] + n] = get_sample(file->format, sample);
        }
        if (writes) moved = pwrite(file->handle, trace, bytes, at) == (ssize_t)bytes;
    }
    if (!moved) status = fail(array, writes ? "written" : "read");
    free(trace);
    return status;
}

static hit_status segy_write(hit_array *array, const hit_index start[],
                             const hit_index count[], const void *data)
{
    return move(array, start, count, (float *)(uintptr_t)data, true);
}

static hit_status segy_read(hit_array *array, const hit_index start[],
                            const hit_index count[], void *data)
{
    return move(array, start, count, data, false);
}

static hit_status segy_close(hit_array *array)
{
    segy_file *file = array->handle;
    hit_status status = HIT_OK;

    array->handle = NULL;
    if (file == NULL) return HIT_OK;
    if (file->handle >= 0 && fsync(file->handle) != 0 && errno != EINVAL &&
        errno != EROFS) {
        status = fail(array, "written");
    }
    if (file->handle >= 0) (void)close(file->handle);
    free(file);
    return status;
}

const hit_format segy = {
    .name = "segy",
    .ending = {".sgy", ".segy", NULL},
    .create = segy_create,
    .open = segy_open,
    .write = segy_write,
    .read = segy_read,
    .close = segy_close,
};

const hit_format segy_ibm = {
    .name = "segy-ibm",
    .ending = {NULL},
    .create = segy_create,
    .open = segy_open,
    .write = segy_write,
    .read = segy_read,
    .close = segy_close,
};
