/* SPDX-License-Identifier: MIT
 * Identities and combination of partial results for every element type that can be
 * reduced. Combining walks the runs of an ndcopy, so it needs no loops over dimensions of
 * its own. Sums of integers are done unsigned: they wrap around instead of being
 * undefined. */
#include "patterns/reduce.h"

#include "hit/base/kind.h"
#include "hit/base/repeat.h"
#include "hit/data/sig.h"
#include "patterns/parse.h"

#include <math.h>

typedef void combine_function(void *onto, const void *from, hit_index count);

/* NOLINTBEGIN(bugprone-macro-parentheses): types and operators
 * in min and max a NaN of either side wins over every number, wherever it stands */
#define COMBINE_SUM(name, type)                                                          \
    static void name(void *onto, const void *from, hit_index count)                      \
    {                                                                                    \
        type *a = onto;                                                                  \
        const type *b = from;                                                            \
        for (hit_index i = 0; i < count; i++) {                                          \
            a[i] = (type)(a[i] + b[i]);                                                  \
        }                                                                                \
    }
#define COMBINE_IF(name, type, wins)                                                     \
    static void name(void *onto, const void *from, hit_index count)                      \
    {                                                                                    \
        type *a = onto;                                                                  \
        const type *b = from;                                                            \
        for (hit_index i = 0; i < count; i++) {                                          \
            if (wins(a[i], b[i])) a[i] = b[i];                                           \
        }                                                                                \
    }

/* NOLINTEND(bugprone-macro-parentheses) */

/* Does b win over a? A comparison with a NaN is false. */
#define LESS(a, b) ((b) < (a))
#define MORE(a, b) ((b) > (a))
#define LESS_OR_NAN(a, b) ((b) < (a) || isnan(b))
#define MORE_OR_NAN(a, b) ((b) > (a) || isnan(b))

#define COMBINE(name, type, sum_type, less, more)                                        \
    COMBINE_SUM(sum_##name, sum_type)                                                    \
    COMBINE_IF(min_##name, type, less)                                                   \
    COMBINE_IF(max_##name, type, more)

COMBINE(float, float, float, LESS_OR_NAN, MORE_OR_NAN)
COMBINE(double, double, double, LESS_OR_NAN, MORE_OR_NAN)
COMBINE(int32, int32_t, uint32_t, LESS, MORE)
COMBINE(int64, int64_t, uint64_t, LESS, MORE)
COMBINE(uint8, uint8_t, uint8_t, LESS, MORE)

typedef union element {
    float f;
    double d;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
} element;

typedef struct reduction {
    combine_function *combine[3]; /* sum, min, max */
    element identity[3];
} reduction;

static const reduction table[] = {
    [HIT_KIND_FLOAT] = {{sum_float, min_float, max_float},
                        {{.f = 0}, {.f = INFINITY}, {.f = -INFINITY}}},
    [HIT_KIND_DOUBLE] = {{sum_double, min_double, max_double},
                         {{.d = 0}, {.d = INFINITY}, {.d = -INFINITY}}},
    [HIT_KIND_INT32] = {{sum_int32, min_int32, max_int32},
                        {{.i32 = 0}, {.i32 = INT32_MAX}, {.i32 = INT32_MIN}}},
    [HIT_KIND_INT64] = {{sum_int64, min_int64, max_int64},
                        {{.i64 = 0}, {.i64 = INT64_MAX}, {.i64 = INT64_MIN}}},
    [HIT_KIND_UINT8] = {{sum_uint8, min_uint8, max_uint8},
                        {{.u8 = 0}, {.u8 = UINT8_MAX}, {.u8 = 0}}},
};

static hit_status find(hit_mode mode, hit_type type, const reduction **found, int *which)
{
    if (!hit_mode_reduces(mode)) {
        return HIT_FAIL(HIT_E_ARG, "expected mode sum, min or max but found mode %d",
                        (int)mode);
    }
    if (type.kind == HIT_KIND_BYTES ||
        (size_t)type.kind >= sizeof(table) / sizeof(table[0]) ||
        hit_kind_find(type.kind)->size_bytes != type.size_bytes) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected " HIT_KIND_NUMBERS
                        " for a reduction but found a type of %zu bytes of another kind",
                        type.size_bytes);
    }
    *found = &table[type.kind];
    *which = mode == HIT_MODE_SUM ? 0 : mode == HIT_MODE_MIN ? 1 : 2;
    return HIT_OK;
}

hit_status hit_reduce_identity(hit_mode mode, hit_type type, void *data, hit_index count)
{
    const reduction *entry = NULL;
    int which = 0;

    HIT_TRY(find(mode, type, &entry, &which));
    hit_memory_repeat(data, (size_t)count, &entry->identity[which], type.size_bytes);
    return HIT_OK;
}

hit_status hit_reduce_combine(hit_mode mode, hit_type type, const hit_view *onto,
                              const hit_view *from, const hit_domain *domain)
{
    const reduction *entry = NULL;
    int which = 0;

    HIT_TRY(find(mode, type, &entry, &which));
    hit_ndcopy copy = hit_ndcopy_make(from, onto, domain, NULL);
    if (copy.run_bytes == 0) return HIT_OK;

    hit_index at[HIT_MAX_DIMS] = {0};
    ptrdiff_t source = copy.from_offset;
    ptrdiff_t target = copy.to_offset;
    hit_index run = (hit_index)(copy.run_bytes / type.size_bytes);
    do {
        entry->combine[which](onto->data + target, from->data + source, run);
    } while (hit_ndcopy_next(&copy, copy.dims, at, &source, &target));
    return HIT_OK;
}

/* Does the range name one element, another one for every x[dim], whatever the others? */
static bool range_separates(const hit_range *range, int dim, int dims)
{
    if (range->begin.infinite || range->end.infinite) return false;
    if (range->begin.offset != range->end.offset || range->begin.coef[dim] == 0) {
        return false;
    }
    for (int d = 0; d < dims; d++) {
        if (range->begin.coef[d] != range->end.coef[d]) return false;
        if (d != dim && range->begin.coef[d] != 0) return false;
    }
    return true;
}

static unsigned dims_not_separated(const hit_pattern *pattern)
{
    unsigned mask = 0;

    for (int d = 0; d < pattern->index_dims; d++) {
        bool separated = false;
        for (int t = 0; t < pattern->tile_dims && pattern->count == 1; t++) {
            const hit_range *range = &pattern->access[0].range[t];
            separated = separated || range_separates(range, d, pattern->index_dims);
        }
        if (!separated) mask |= 1u << d;
    }
    return mask;
}

hit_status hit_reduce_dims(const hit_kernel *kernel, unsigned *reduced)
{
    unsigned mask = 0;

    for (int a = 0; a < kernel->args; a++) {
        hit_pattern pattern = {0};
        if (!hit_mode_reduces(kernel->arg[a].mode)) continue;
        HIT_TRY(hit_pattern_parse(kernel->arg[a].pattern, kernel->dims, kernel->index,
                                  &pattern));
        mask |= dims_not_separated(&pattern);
        hit_pattern_clear(&pattern);
    }
    *reduced = mask;
    return HIT_OK;
}

hit_view hit_reduce_view(const hit_slot *slot, const hit_domain *need, size_t size_bytes)
{
    hit_view view = {.domain = *need, .size_bytes = size_bytes};
    hit_index offset = 0;

    for (int d = 0; d < need->dims; d++) {
        hit_sig sig = need->sig[d];
        hit_index first = hit_index_floor_div(sig.begin, slot->step[d]);
        hit_index second = hit_index_floor_div(sig.begin + sig.stride, slot->step[d]);
        offset += first * slot->stride[d];
        view.stride_bytes[d] =
            (ptrdiff_t)((second - first) * slot->stride[d] * (hit_index)size_bytes);
    }
    view.data = (char *)slot->base + offset * (hit_index)size_bytes;
    return view;
}

hit_slot hit_reduce_slot(const hit_slot *slot, const hit_domain *need, size_t size_bytes,
                         void *data)
{
    hit_slot part = *slot;
    hit_index stride = 1;
    hit_index offset = 0;

    part.dense = 1;
    for (int d = need->dims; d-- > 0;) {
        hit_sig sig = need->sig[d];
        part.stride[d] = stride;
        part.step[d] = sig.stride;
        if (sig.stride != 1) part.dense = 0;
        offset += hit_index_floor_div(sig.begin, sig.stride) * stride;
        stride *= hit_sig_count(sig);
    }
    part.base = (char *)data - offset * (hit_index)size_bytes;
    return part;
}
