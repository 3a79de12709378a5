/* SPDX-License-Identifier: MIT
 * What is known of the kinds of elements. What needs their C types (reductions, kernels,
 * the types of HDF5) is beside its use. */
#include "hit/base/kind.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

static const hit_kind_info table[] = {
    [HIT_KIND_BYTES] = {"plain bytes", "...", 0, 'V'},
    [HIT_KIND_FLOAT] = {"float", "float", sizeof(float), 'f'},
    [HIT_KIND_DOUBLE] = {"double", "double", sizeof(double), 'f'},
    [HIT_KIND_INT32] = {"int32", "int32_t", sizeof(int32_t), 'i'},
    [HIT_KIND_INT64] = {"int64", "int64_t", sizeof(int64_t), 'i'},
    [HIT_KIND_UINT8] = {"uint8", "uint8_t", sizeof(uint8_t), 'u'},
};

const hit_kind_info *hit_kind_find(hit_kind kind)
{
    const bool known = (size_t)kind < sizeof(table) / sizeof(table[0]);

    return &table[known ? kind : HIT_KIND_BYTES];
}

const char *hit_kind_name(hit_kind kind)
{
    return hit_kind_find(kind)->name;
}

/* A number that is too large becomes the largest one. */
static int64_t whole(double number, double low, double high, int64_t least, int64_t most)
{
    if (number >= high) return most;
    return number > low ? (int64_t)number : least;
}

void hit_type_set(hit_type type, double number, void *element)
{
    const float f = (float)number;
    int32_t i;
    int64_t l;
    uint8_t b;

    switch (type.kind) {
    case HIT_KIND_FLOAT:
        memcpy(element, &f, sizeof(f));
        break;
    case HIT_KIND_DOUBLE:
        memcpy(element, &number, sizeof(number));
        break;
    case HIT_KIND_INT32:
        i = (int32_t)whole(number, INT32_MIN, INT32_MAX, INT32_MIN, INT32_MAX);
        memcpy(element, &i, sizeof(i));
        break;
    case HIT_KIND_INT64:
        l = whole(number, -0x1p63, 0x1p63, INT64_MIN, INT64_MAX);
        memcpy(element, &l, sizeof(l));
        break;
    case HIT_KIND_UINT8:
        b = (uint8_t)whole(number, 0, UINT8_MAX, 0, UINT8_MAX);
        memcpy(element, &b, sizeof(b));
        break;
    case HIT_KIND_BYTES:
        memset(element, 0, type.size_bytes);
        break;
    }
}

double hit_type_unit(hit_type type)
{
    if (type.kind == HIT_KIND_FLOAT) return (double)FLT_EPSILON;
    return type.kind == HIT_KIND_DOUBLE ? DBL_EPSILON : 0;
}

double hit_type_get(hit_type type, const void *element)
{
    float f;
    double d;
    int32_t i;
    int64_t l;

    switch (type.kind) {
    case HIT_KIND_FLOAT:
        memcpy(&f, element, sizeof(f));
        return (double)f;
    case HIT_KIND_DOUBLE:
        memcpy(&d, element, sizeof(d));
        return d;
    case HIT_KIND_INT32:
        memcpy(&i, element, sizeof(i));
        return (double)i;
    case HIT_KIND_INT64:
        memcpy(&l, element, sizeof(l));
        return (double)l;
    case HIT_KIND_UINT8:
        return (double)*(const uint8_t *)element;
    case HIT_KIND_BYTES:
        break;
    }
    return 0;
}
