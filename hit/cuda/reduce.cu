/* SPDX-License-Identifier: MIT
 * The CUDA device's own grids for reductions: filling partial results with the identity,
 * folding chunks into one, adding that onto a tile. Folding takes 64 chunks at a time, in
 * order, then 64 of these: a fixed tree, so that the same sizes give the same bits. */
#include "hit/cuda/cuda_impl.h"
#include "hit/kernel.h"
#include "patterns/reduce.h"

enum {
    FOLD = 64,
    THREADS = 256
};

template <typename T> struct fill_work {
    T *data;
    T value;
    hit_index count;
};

template <typename T> static __global__ void fill_grid(const fill_work<T> w)
{
    HIT_ROLLED for (hit_index i = HIT_GRID_FIRST(x); i < w.count; i += HIT_GRID_STEP(x))
    {
        w.data[i] = w.value;
    }
}

template <typename T> static HIT_INLINE bool is_nan(T)
{
    return false;
}

static HIT_INLINE bool is_nan(float x)
{
    return x != x;
}

static HIT_INLINE bool is_nan(double x)
{
    return x != x;
}

/* Numbers of 16 bits are compared and added as floats. */
#define AS_FLOATS(type, name)                                                            \
    static HIT_INLINE bool is_nan(type x)                                                \
    {                                                                                    \
        return is_nan(name##_to_float(x));                                               \
    }                                                                                    \
    static HIT_INLINE bool operator<(type a, type b)                                     \
    {                                                                                    \
        return name##_to_float(a) < name##_to_float(b);                                  \
    }                                                                                    \
    static HIT_INLINE bool operator>(type a, type b)                                     \
    {                                                                                    \
        return b < a;                                                                    \
    }                                                                                    \
    static HIT_INLINE type operator+(type a, type b)                                     \
    {                                                                                    \
        return name##_from_float(name##_to_float(a) + name##_to_float(b));               \
    }

AS_FLOATS(hit_half, hit_half)
AS_FLOATS(hit_bfloat16, hit_bfloat16)

/* A NaN of either wins over every number, as on the host. */
template <hit_mode mode, typename T> static HIT_INLINE T combined(T a, T b)
{
    if constexpr (mode == HIT_MODE_MIN) {
        return b < a || is_nan(b) ? b : a;
    } else if constexpr (mode == HIT_MODE_MAX) {
        return b > a || is_nan(b) ? b : a;
    } else {
        return (T)(a + b);
    }
}

/* Chunks lie `spacing` arrays apart; group g becomes its own first one. */
template <typename T> struct fold_work {
    T *data;
    hit_index count;
    hit_index chunks;
    hit_index spacing;
    hit_index groups;
};

template <hit_mode mode, typename T>
static __global__ void fold_grid(const fold_work<T> w)
{
    HIT_ROLLED for (hit_index t = HIT_GRID_FIRST(x); t < w.count * w.groups;
                    t += HIT_GRID_STEP(x))
    {
        const hit_index first = t / w.count * FOLD;
        const hit_index last = first + FOLD < w.chunks ? first + FOLD : w.chunks;
        T *at = w.data + first * w.spacing * w.count + t % w.count;
        T value = *at;
        for (hit_index c = first + 1; c < last; c++) {
            value = combined<mode>(value, at[(c - first) * w.spacing * w.count]);
        }
        *at = value;
    }
}

/* Dimensions that are not there have one element. */
template <typename T> struct combine_work {
    char *onto;
    const T *from;
    hit_index count[HIT_MAX_DIMS];
    hit_index stride_bytes[HIT_MAX_DIMS];
    hit_index elements;
};

template <hit_mode mode, typename T>
static __global__ void combine_grid(const combine_work<T> w)
{
    HIT_ROLLED for (hit_index t = HIT_GRID_FIRST(x); t < w.elements;
                    t += HIT_GRID_STEP(x))
    {
        hit_index rest = t;
        hit_index offset = 0;
        HIT_WHOLE for (int d = HIT_MAX_DIMS - 1; d > 0; d--)
        {
            if (w.count[d] == 1) continue;
            offset += rest % w.count[d] * w.stride_bytes[d];
            rest /= w.count[d];
        }
        offset += rest * w.stride_bytes[0];
        T *onto = (T *)(w.onto + offset);
        *onto = combined<mode>(*onto, w.from[t]);
    }
}

static hit_cuda_shape line(hit_index count)
{
    hit_cuda_shape shape;
    shape.block = dim3(THREADS, 1, 1);
    shape.grid = dim3(hit_cuda_blocks(count, THREADS, 0x7fffffff), 1, 1);
    return shape;
}

template <typename T>
static hit_status fill(cudaStream_t stream, const void *value, void *data,
                       hit_index count)
{
    fill_work<T> work = {(T *)data, *(const T *)value, count};
    return hit_cuda_start(fill_grid<T>, line(count), stream, &work, "identity");
}

template <hit_mode mode, typename T>
static hit_status fold(cudaStream_t stream, void *data, hit_index count, hit_index chunks)
{
    hit_index spacing = 1;

    while (chunks > 1) {
        hit_index groups = (chunks + FOLD - 1) / FOLD;
        fold_work<T> work = {(T *)data, count, chunks, spacing, groups};
        HIT_TRY(hit_cuda_start(fold_grid<mode, T>, line(count * groups), stream, &work,
                               "fold"));
        chunks = groups;
        spacing *= FOLD;
    }
    return HIT_OK;
}

template <hit_mode mode, typename T>
static hit_status combine(cudaStream_t stream, const hit_view *onto, const void *from)
{
    combine_work<T> work = {};

    work.onto = onto->data;
    work.from = (const T *)from;
    work.elements = hit_domain_count(&onto->domain);
    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        work.count[d] = 1;
        if (d >= onto->domain.dims) continue;
        work.count[d] = hit_sig_count(onto->domain.sig[d]);
        work.stride_bytes[d] = onto->stride_bytes[d];
    }
    return hit_cuda_start(combine_grid<mode, T>, line(work.elements), stream, &work,
                          "combine");
}

/* What is done to the chunks: fold them if `onto` is NULL, else combine onto it. */
struct request {
    cudaStream_t stream;
    const hit_view *onto;
    void *data;
    hit_index count;
    hit_index chunks;
};

template <hit_mode mode, typename T> static hit_status answer(const request &r)
{
    if (r.onto != NULL) return combine<mode, T>(r.stream, r.onto, r.data);
    return fold<mode, T>(r.stream, r.data, r.count, r.chunks);
}

template <typename T, typename sum_type>
static hit_status by_mode(hit_mode mode, const request &r)
{
    if (mode == HIT_MODE_MIN) return answer<HIT_MODE_MIN, T>(r);
    if (mode == HIT_MODE_MAX) return answer<HIT_MODE_MAX, T>(r);
    return answer<HIT_MODE_SUM, sum_type>(r);
}

/* Sums of integers are unsigned, as on the host; complex numbers have only sums. */
#define BY_f(c_type) by_mode<c_type, c_type>(mode, r)
#define BY_i(c_type) by_mode<c_type, u##c_type>(mode, r)
#define BY_u(c_type) by_mode<c_type, c_type>(mode, r)
#define BY_b(c_type) by_mode<c_type, c_type>(mode, r)
#define BY_e(c_type) BY_f(c_type)
#define BY_E(c_type) BY_f(c_type)
#define BY_c(c_type) answer<HIT_MODE_SUM, c_type>(r)
#define BY_KIND(KIND, name, c_type, letter)                                              \
    case HIT_KIND_##KIND:                                                                \
        return BY_##letter(c_type);

static hit_status by_type(hit_mode mode, hit_type type, const request &r)
{
    switch (type.kind) {
        HIT_KINDS(BY_KIND)
    default:
        return HIT_FAIL(HIT_E_ARG, "expected a type of number for a reduction");
    }
}

hit_status hit_cuda_identity(cudaStream_t stream, hit_mode mode, hit_type type,
                             void *data, hit_index count)
{
    uint64_t value[2] = {0, 0};

    HIT_TRY(hit_reduce_identity(hit_reducer{mode, type, NULL}, value, 1));
    switch (type.size_bytes) {
    case 1:
        return fill<uint8_t>(stream, value, data, count);
    case 2:
        return fill<uint16_t>(stream, value, data, count);
    case 4:
        return fill<uint32_t>(stream, value, data, count);
    case 16:
        return fill<hit_complex_double>(stream, value, data, count);
    default:
        return fill<uint64_t>(stream, value, data, count);
    }
}

hit_status hit_cuda_fold(cudaStream_t stream, hit_mode mode, hit_type type, void *data,
                         hit_index count, hit_index chunks)
{
    return by_type(mode, type, request{stream, NULL, data, count, chunks});
}

hit_status hit_cuda_combine(cudaStream_t stream, hit_mode mode, hit_type type,
                            const hit_view *onto, const void *from)
{
    return by_type(mode, type, request{stream, onto, const_cast<void *>(from), 0, 0});
}
