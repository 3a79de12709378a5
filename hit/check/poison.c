/* SPDX-License-Identifier: MIT
 * Poison per type, and how a reduction tells its mode: a sum passes its start on (start s
 * and plain result p give s + p), a minimum or maximum keeps a start that beats
 * everything. */
#include "hit/base/kind.h"
#include "hit/check/check_impl.h"

#include <math.h>
#include <string.h>

static bool is_wide(hit_type type)
{
    return type.kind == HIT_KIND_INT32 || type.kind == HIT_KIND_INT64;
}

/* Not so large that what is added to it gets lost, or that a body that computes with it
 * overflows. */
void hit_poison_make(hit_poison kind, hit_type type, void *element)
{
    static const double real[] = {NAN, 4099.3125, -4099.3125};
    static const double whole[] = {-1700021, 1000003, -1000003};
    static const unsigned char byte[] = {0xC3, 0x5A, 0xA5};

    if (hit_kind_is_real(type.kind)) {
        hit_type_set(type, real[kind], element);
    } else if (is_wide(type)) {
        hit_type_set(type, whole[kind], element);
    } else {
        memset(element, byte[kind], type.size_bytes);
    }
}

/* Byte by byte, for structs: a byte is left, gone or spread as above; what all of them
 * are is what the worst of those is that are not left. */
static hit_poison_trace compare_bytes(size_t size_bytes, const hit_poison before[2],
                                      const char *const after[2])
{
    hit_poison_trace found = HIT_POISON_LEFT;

    for (size_t k = 0; k < size_bytes; k++) {
        const hit_type one = HIT_TYPE(HIT_KIND_BYTES, 1);
        char poison[2];

        hit_poison_make(before[0], one, &poison[0]);
        hit_poison_make(before[1], one, &poison[1]);
        if (after[0][k] == poison[0] && after[1][k] == poison[1]) continue;
        if (after[0][k] != after[1][k]) return HIT_POISON_SPREAD;
        found = HIT_POISON_GONE;
    }
    return found;
}

hit_poison_trace hit_poison_compare(hit_type type, const hit_poison before[2],
                                    const char *const after[2])
{
    double poison[2]; /* room for the largest number */

    if (type.kind == HIT_KIND_BYTES) return compare_bytes(type.size_bytes, before, after);
    hit_poison_make(before[0], type, &poison[0]);
    hit_poison_make(before[1], type, &poison[1]);
    if (memcmp(after[0], &poison[0], type.size_bytes) == 0 &&
        memcmp(after[1], &poison[1], type.size_bytes) == 0) {
        return HIT_POISON_LEFT;
    }
    if (memcmp(after[0], after[1], type.size_bytes) != 0) return HIT_POISON_SPREAD;
    return HIT_POISON_GONE;
}

void hit_poison_edge(bool high, hit_type type, void *element)
{
    const double edge = is_wide(type) ? 1e9 : (double)INFINITY;

    hit_type_set(type, high ? edge : -edge, element);
}

void hit_poison_start(hit_mode mode, hit_type type, const void *plain, void *start)
{
    const double found = hit_type_get(type, plain);

    if (mode == HIT_MODE_SUM) {
        hit_type_set(type,
                     hit_kind_is_real(type.kind) && found != 0 && isfinite(found) ? found
                                                                                  : 64,
                     start);
    } else {
        hit_type_set(type, mode == HIT_MODE_MIN ? -INFINITY : INFINITY, start);
    }
}

bool hit_poison_reduces(hit_mode mode, hit_type type, const void *start,
                        const void *plain, const void *result)
{
    const double s = hit_type_get(type, start);
    const double p = hit_type_get(type, plain);
    const double r = hit_type_get(type, result);

    if (mode != HIT_MODE_SUM) { /* a NaN that the body keeps is better than all numbers */
        return memcmp(start, result, type.size_bytes) == 0 || (isnan(p) && isnan(r));
    }
    if (hit_kind_is_real(type.kind) || hit_kind_is_complex(type.kind)) {
        return !isfinite(p) || fabs(r - p - s) <= 0.25 * fabs(s) || !isfinite(r);
    }
    if (type.kind == HIT_KIND_BOOL) return r == fmax(s, p); /* a sum is "or" */
    uint64_t bits[3] = {0, 0, 0};                           /* integers wrap around */
    memcpy(&bits[0], start, type.size_bytes);
    memcpy(&bits[1], plain, type.size_bytes);
    memcpy(&bits[2], result, type.size_bytes);
    uint64_t off = bits[0] + bits[1] - bits[2];
    return (off << (64 - 8 * type.size_bytes)) == 0;
}
