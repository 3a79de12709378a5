/* SPDX-License-Identifier: MIT
 * Identities and combination of partial results for every element type that can be
 * reduced. Combining walks the runs of an ndcopy, so it needs no loops over dimensions of
 * its own. Sums of integers are done unsigned: they wrap around instead of being
 * undefined. */
#include "patterns/reduce.h"

#include "hit/base/alloc.h"
#include "hit/base/kind.h"
#include "hit/data/sig.h"
#include "patterns/parse.h"

#include <math.h>
#include <string.h>

/* Does b win over a? A comparison with a NaN is false: in min and max a NaN of either
 * side wins over every number, wherever it stands. */
#define LESS_f(a, b) ((b) < (a) || isnan(b))
#define MORE_f(a, b) ((b) > (a) || isnan(b))
#define LESS_i(a, b) ((b) < (a))
#define MORE_i(a, b) ((b) > (a))
#define LESS_u(a, b) LESS_i(a, b)
#define MORE_u(a, b) MORE_i(a, b)
#define LESS_b(a, b) LESS_i(a, b)
#define MORE_b(a, b) MORE_i(a, b)

#define LESS_e(a, b) LESS_f(hit_half_to_float(a), hit_half_to_float(b))
#define MORE_e(a, b) MORE_f(hit_half_to_float(a), hit_half_to_float(b))
#define LESS_E(a, b) LESS_f(hit_bfloat16_to_float(a), hit_bfloat16_to_float(b))
#define MORE_E(a, b) MORE_f(hit_bfloat16_to_float(a), hit_bfloat16_to_float(b))

/* Complex numbers have no order: find() lets nobody ask. */
#define LESS_c(a, b) ((void)(a), (void)(b), false)
#define MORE_c(a, b) ((void)(a), (void)(b), false)

#define SUM_c(c_type, a, b) ((a) + (b))
#define SUM_f(c_type, a, b) ((a) + (b))
#define SUM_i(c_type, a, b) ((c_type)((uint64_t)(a) + (uint64_t)(b)))
#define SUM_u(c_type, a, b) SUM_i(c_type, a, b)
#define SUM_b(c_type, a, b) ((a) || (b))
#define SUM_e(c_type, a, b)                                                              \
    hit_half_from_float(hit_half_to_float(a) + hit_half_to_float(b))
#define SUM_E(c_type, a, b)                                                              \
    hit_bfloat16_from_float(hit_bfloat16_to_float(a) + hit_bfloat16_to_float(b))

/* NOLINTBEGIN(bugprone-macro-parentheses): types */
#define COMBINE_FUNCTION(name, c_type, statement)                                        \
    static void name(void *onto, const void *from, hit_index count)                      \
    {                                                                                    \
        c_type *a = onto;                                                                \
        const c_type *b = from;                                                          \
        for (hit_index i = 0; i < count; i++) {                                          \
            statement;                                                                   \
        }                                                                                \
    }
#define COMBINE(KIND, name, c_type, letter)                                              \
    COMBINE_FUNCTION(sum_##name, c_type, a[i] = SUM_##letter(c_type, a[i], b[i]))        \
    COMBINE_FUNCTION(min_##name, c_type, if (LESS_##letter(a[i], b[i])) a[i] = b[i])     \
    COMBINE_FUNCTION(max_##name, c_type, if (MORE_##letter(a[i], b[i])) a[i] = b[i])
/* NOLINTEND(bugprone-macro-parentheses) */

HIT_KINDS(COMBINE)

#define FUNCTIONS(KIND, name, c_type, letter)                                            \
    [HIT_KIND_##KIND] = {sum_##name, min_##name, max_##name},

typedef void combine_function(void *onto, const void *from, hit_index count);

/* Bytes that are 0 but in one of them. */
static void put_bits(void *onto, const void *from, hit_index count)
{
    unsigned char *a = onto;
    const unsigned char *b = from;

    for (hit_index i = 0; i < count; i++) {
        a[i] |= b[i];
    }
}

static combine_function *const table[][3] = {HIT_KINDS(FUNCTIONS)};

/* Of a type of the program's. */
static hit_status find_own(hit_reducer how, combine_function **found)
{
    if (how.of == NULL || how.of->start == NULL || how.of->combine == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a start and a combine (HIT_REDUCTION) for mode reduce "
                        "but found NULL");
    }
    if (how.type.size_bytes > HIT_MAX_REDUCED_BYTES) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected an element of at most %d bytes for mode reduce but "
                        "found %zu",
                        HIT_MAX_REDUCED_BYTES, how.type.size_bytes);
    }
    *found = how.of->combine;
    return HIT_OK;
}

static hit_status find(hit_reducer how, combine_function **found)
{
    const hit_mode mode = how.mode;
    const hit_type type = how.type;

    if (mode == HIT_MODE_REDUCE) return find_own(how, found);
    if (mode == HIT_MODE_OUT) {
        *found = put_bits;
        return HIT_OK;
    }
    if (!hit_mode_reduces(mode)) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected mode sum, min, max or reduce but found mode %d",
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
    if (hit_kind_is_complex(type.kind) && mode != HIT_MODE_SUM) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a sum of complex numbers, which have no order, but "
                        "found min or max");
    }
    *found = table[type.kind][mode == HIT_MODE_SUM ? 0 : mode == HIT_MODE_MIN ? 1 : 2];
    return HIT_OK;
}

hit_status hit_reduce_identity(hit_reducer how, void *data, hit_index count)
{
    combine_function *combine = NULL;
    char identity[HIT_MAX_NUMBER_BYTES] = {
        0}; /* what is cut to the type is its largest */

    HIT_TRY(find(how, &combine));
    if (how.mode == HIT_MODE_REDUCE || how.mode == HIT_MODE_OUT) {
        memset(data, 0, (size_t)count * how.type.size_bytes);
        if (how.mode == HIT_MODE_REDUCE) how.of->start(data, count);
        return HIT_OK;
    }
    if (how.mode == HIT_MODE_MIN) hit_type_set(how.type, INFINITY, identity);
    if (how.mode == HIT_MODE_MAX) hit_type_set(how.type, -INFINITY, identity);
    hit_memory_repeat(data, (size_t)count, identity, how.type.size_bytes);
    return HIT_OK;
}

hit_status hit_reduce_combine(hit_reducer how, const hit_view *onto, const hit_view *from,
                              const hit_domain *domain)
{
    combine_function *combine = NULL;

    HIT_TRY(find(how, &combine));
    hit_ndcopy copy = hit_ndcopy_make(from, onto, domain, NULL);
    if (copy.run_bytes == 0) return HIT_OK;

    hit_index at[HIT_MAX_DIMS] = {0};
    ptrdiff_t source = copy.from_offset;
    ptrdiff_t target = copy.to_offset;
    const size_t each = how.mode == HIT_MODE_OUT ? 1 : how.type.size_bytes;
    hit_index run = (hit_index)(copy.run_bytes / each);
    do {
        combine(onto->data + target, from->data + source, run);
    } while (hit_ndcopy_next(&copy, copy.dims, at, &source, &target));
    return HIT_OK;
}

/* Does the range name one element, another one for every x[dim], whatever the others? */
static bool range_separates(const hit_range *range, int dim, int dims)
{
    if (!hit_affine_is_parallel(&range->begin, &range->end)) return false;
    if (range->begin.fold != HIT_FOLD_NONE) return false;
    if (range->begin.offset != range->end.offset || range->begin.coef[dim] == 0) {
        return false;
    }
    for (int d = 0; d < dims; d++) {
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
        if (hit_kernel_names(kernel, a) != 0) { /* with some numbers they may meet */
            mask |= (1u << kernel->dims) - 1;
            continue;
        }
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
