/* SPDX-License-Identifier: MIT
 * HIT_KERNEL for nvcc; included by hit/kernel.h. A kernel becomes a grid: one thread
 * per few indices or, for reductions, one thread per (index that is kept, chunk of the
 * indices that are added up). The CUDA device (hit/cuda/cuda.c) chooses the chunks and
 * combines their results. No shared memory and no barrier: the same code runs on a
 * processor, one thread after another, which is how it is tested without a GPU. */
#ifndef HIT_KERNEL_CUDA_H
#define HIT_KERNEL_CUDA_H

#include "hit/kernel_cuda_run.h"
#include "hit/kernel_macros.h"
#include "patterns/kernel.h"

#include <cuda_runtime.h>

/** The index box of a run, as grids need it; positions along a dimension count from 0. */
template <int dims> struct hit_cuda_box {
    hit_index begin[dims];
    hit_index stride[dims];
    hit_index count[dims];
    unsigned reduced; /**< bit d: dimension d is added up, in chunks */
    hit_index chunks;
    hit_index kept_count;    /**< indices of the other dimensions together */
    hit_index reduced_count; /**< of the reduced dimensions together */
    hit_index lead;          /**< threads of a row before its first index, see below */
};

template <int dims> hit_cuda_box<dims> hit_cuda_box_make(const hit_run *run)
{
    const hit_cuda_call *call = hit_cuda_call_of(run);
    hit_cuda_box<dims> box;

    box.reduced = call->reduced;
    box.chunks = call->chunks > 0 ? call->chunks : 1; /* nothing is reduced */
    box.kept_count = 1;
    box.reduced_count = 1;
    box.lead = 0;
    for (int d = 0; d < dims; d++) {
        box.begin[d] = run->begin[d];
        box.stride[d] = run->stride[d];
        box.count[d] = run->end[d] < run->begin[d]
                           ? 0
                           : (run->end[d] - run->begin[d]) / run->stride[d] + 1;
        if (call->reduced >> d & 1u) {
            box.reduced_count *= box.count[d];
        } else {
            box.kept_count *= box.count[d];
        }
    }
    return box;
}

/** The shape of a grid. */
struct hit_cuda_shape {
    dim3 grid;
    dim3 block;
};

enum {
    HIT_CUDA_LINE = 256, /* threads of a block */
    HIT_CUDA_ROW = 128,  /* of them side by side in a row, where there are rows */
    HIT_CUDA_GROUP = 8   /* indices of a thread where tiles are dense */
};

/** Threads that a row begins with before its first index, so that the 32 threads of a
 * warp store whole lines of 128 bytes of @p slot, elements of @p size bytes. A row of a
 * stencil begins one element behind such a line, and each of its stores went to two of
 * them. Short rows have none. */
template <int dims>
hit_index hit_cuda_lead(const hit_cuda_box<dims> &box, const hit_slot &slot, size_t size)
{
    hit_index first = 0;

    if (box.count[dims - 1] < HIT_CUDA_ROW) return 0;
    for (int d = 0; d < dims; d++) {
        first += box.begin[d] * slot.stride[d];
    }
    return (hit_index)(((size_t)slot.base + (size_t)first * size) % 128 / size);
}

/* The smallest power of two that is not below count, at most `most`. */
static inline unsigned hit_cuda_power(hit_index count, unsigned most)
{
    unsigned power = 1;

    while (power < most && power < count) {
        power *= 2;
    }
    return power;
}

static inline unsigned hit_cuda_blocks(hit_index count, unsigned block, unsigned most)
{
    hit_index blocks = (count + block - 1) / block;
    return blocks < 1 ? 1 : blocks > most ? most : (unsigned)blocks;
}

/** One thread per group of @p group indices: of a line, or of the last dimension but one,
 * which is on y; the last is on x, the next on z, and a fourth is looped over. 256
 * threads a block: 256, 128 x 2 or 128 x 1 x 2, turned towards the long sides where the
 * box is thin. */
template <int dims>
hit_cuda_shape hit_cuda_shape_of(const hit_cuda_box<dims> &box, int group)
{
    const hit_index x = box.lead + box.count[dims - 1];
    const hit_index y =
        dims > 1 ? (box.count[dims > 1 ? dims - 2 : 0] + group - 1) / group : 1;
    const hit_index z = dims > 2 ? box.count[dims > 2 ? dims - 3 : 0] : 1;
    const bool long_row = x > (hit_index)32 * 0x7fffffff;
    hit_cuda_shape shape;

    if (dims == 1) {
        shape.block = dim3(HIT_CUDA_LINE, 1, 1);
        shape.grid =
            dim3(hit_cuda_blocks(x, HIT_CUDA_LINE * (unsigned)group, 0x7fffffff), 1, 1);
        return shape;
    }
    shape.block.x = hit_cuda_power(x, long_row ? HIT_CUDA_LINE : HIT_CUDA_ROW);
    shape.block.y = hit_cuda_power(y, 256 / shape.block.x / (dims > 2 && z > 1 ? 2 : 1));
    unsigned rest = 256 / shape.block.x / shape.block.y;
    shape.block.z = hit_cuda_power(z, rest < 64 ? rest : 64);
    shape.grid.x = hit_cuda_blocks(x, shape.block.x, 0x7fffffff);
    shape.grid.y = hit_cuda_blocks(y, shape.block.y, 65535);
    shape.grid.z = hit_cuda_blocks(z, shape.block.z, 65535);
    return shape;
}

/** One thread per kept index and chunk. */
template <int dims> hit_cuda_shape hit_cuda_shape_of_fold(const hit_cuda_box<dims> &box)
{
    hit_cuda_shape shape;

    shape.block = dim3(256, 1, 1);
    shape.grid =
        dim3(hit_cuda_blocks(box.kept_count * box.chunks, 256, 0x7fffffff), 1, 1);
    return shape;
}

/** Where this thread starts and how far it steps, along x, y or z of the grid. */
#define HIT_GRID_FIRST(axis)                                                             \
    ((hit_index)blockIdx.axis * (hit_index)blockDim.axis + (hit_index)threadIdx.axis)
#define HIT_GRID_STEP(axis) ((hit_index)gridDim.axis * (hit_index)blockDim.axis)

/* The digits of `linear` in the dimensions of `mask`, the last one lowest. */
template <int dims>
static HIT_INLINE void hit_cuda_digits(const hit_cuda_box<dims> &box, unsigned mask,
                                       hit_index linear, hit_index digit[])
{
    for (int d = dims - 1; d >= 0; d--) {
        if ((mask >> d & 1u) == 0) continue;
        digit[d] = linear % box.count[d];
        linear /= box.count[d];
    }
}

/** Position number @p task of a fold: fills @p at, and @p step to the next index of the
 * same chunk; answers the chunk. Chunks are interleaved, and what runs fastest in memory
 * runs fastest over the threads, so that neighbours read neighbours. */
template <int dims>
static HIT_INLINE hit_index hit_cuda_fold_begin(const hit_cuda_box<dims> &box,
                                                hit_index task, hit_index at[],
                                                hit_index step[])
{
    const bool last_is_reduced = box.reduced >> (dims - 1) & 1u;
    const hit_index chunk = last_is_reduced ? task % box.chunks : task / box.kept_count;
    const hit_index kept = last_is_reduced ? task / box.chunks : task % box.kept_count;

    for (int d = 0; d < dims; d++) {
        at[d] = 0;
        step[d] = 0;
    }
    hit_cuda_digits<dims>(box, ~box.reduced, kept, at);
    hit_cuda_digits<dims>(box, box.reduced, chunk, at);
    hit_cuda_digits<dims>(box, box.reduced, box.chunks, step);
    return chunk;
}

/** From one index of a chunk to the next: an addition with carry, no division. */
template <int dims>
static HIT_INLINE void hit_cuda_fold_next(const hit_cuda_box<dims> &box, hit_index at[],
                                          const hit_index step[])
{
    hit_index carry = 0;

    for (int d = dims - 1; d >= 0; d--) {
        if ((box.reduced >> d & 1u) == 0) continue;
        at[d] += step[d] + carry;
        carry = at[d] >= box.count[d];
        if (carry) at[d] -= box.count[d];
    }
}

template <typename params>
hit_status hit_cuda_start(void (*grid)(params), const hit_cuda_shape &shape, void *queue,
                          params *actual, const char *name)
{
    void *actuals[] = {actual};
    cudaError_t error =
        cudaLaunchKernel(grid, shape.grid, shape.block, actuals, 0, (cudaStream_t)queue);

    if (error == cudaSuccess) return HIT_OK;
    (void)cudaGetLastError(); /* the program's next question is not about this */
    return HIT_FAIL(HIT_E_DEVICE, "kernel %s could not be started: %s", name,
                    cudaGetErrorString(error));
}

/* One argument as a member of the grid's parameters, and how it is filled in. */
#define HIT_MEMBER(k, arg) HIT_BY_MODE(HIT_MEMBER_, k, HIT_STRIP arg)
#define HIT_MEMBER_R(k, t, n, ...) hit_slot hit_s_##n;
#define HIT_MEMBER_W(k, t, n, ...) hit_slot hit_s_##n;
#define HIT_MEMBER_A(k, t, n, ...)                                                       \
    hit_slot hit_s_##n;                                                                  \
    hit_index hit_partial_##n;
#define HIT_MEMBER_V(k, t, n, ...) t n;

#define HIT_FILL(k, arg) HIT_BY_MODE(HIT_FILL_, k, HIT_STRIP arg)
#define HIT_FILL_R(k, t, n, ...) hit_w.hit_s_##n = hit_run_->slot[k];
#define HIT_FILL_W(k, t, n, ...) hit_w.hit_s_##n = hit_run_->slot[k];
#define HIT_FILL_A(k, t, n, ...)                                                         \
    hit_w.hit_s_##n = hit_run_->slot[k];                                                 \
    hit_w.hit_partial_##n = hit_cuda_call_of(hit_run_)->partial[k];
#define HIT_FILL_V(k, t, n, ...) hit_w.n = *(const t *)hit_run_->slot[k].base;

/* Rows of dense tiles begin at a line of what is written. */
#define HIT_BEGIN_LINE(k, arg) HIT_BY_MODE(HIT_BEGIN_LINE_, k, HIT_STRIP arg)
#define HIT_BEGIN_LINE_R(k, t, n, ...)
#define HIT_BEGIN_LINE_W(k, t, n, ...)                                                   \
    hit_w.hit_box.lead = hit_cuda_lead(hit_w.hit_box, hit_w.hit_s_##n, sizeof(t));
#define HIT_BEGIN_LINE_A(k, t, n, ...)
#define HIT_BEGIN_LINE_V(k, t, n, ...)

/* ... as local copies in a thread. That `dense` is a constant there is what lets the
 * compiler drop the steps and the last stride. */
#define HIT_THREAD(k, arg) HIT_BY_MODE(HIT_THREAD_, k, HIT_STRIP arg)
#define HIT_THREAD_R(k, t, n, ...)                                                       \
    HIT_THREAD_SLOT_R(k, t, n, __VA_ARGS__)                                              \
    const t *HIT_RESTRICT hit_p_##n = (const t *)hit_s_##n.base;
#define HIT_THREAD_W(k, t, n, ...)                                                       \
    HIT_THREAD_SLOT_R(k, t, n, __VA_ARGS__)                                              \
    t *HIT_RESTRICT hit_p_##n = (t *)hit_s_##n.base;
#define HIT_THREAD_A(k, t, n, ...)                                                       \
    HIT_THREAD_SLOT_R(k, t, n, __VA_ARGS__)                                              \
    t *HIT_RESTRICT hit_p_##n = (t *)hit_s_##n.base + hit_chunk_ * hit_w.hit_partial_##n;
#define HIT_THREAD_V(k, t, n, ...) const t n = hit_w.n;

/* ... as parameters of the function around the loops: nvcc keeps `restrict` for those,
 * and the loads of one row need not wait for the store of the row before. */
#define HIT_GRID_BASE(k, arg) HIT_BY_MODE(HIT_GRID_BASE_, k, HIT_STRIP arg)
#define HIT_GRID_BASE_R(k, t, n, ...) , (const t *)hit_w.hit_s_##n.base
#define HIT_GRID_BASE_W(k, t, n, ...) , (t *)hit_w.hit_s_##n.base
#define HIT_GRID_BASE_A(k, t, n, ...) , (t *)hit_w.hit_s_##n.base
#define HIT_GRID_BASE_V(k, t, n, ...) , hit_w.n
#define HIT_THREAD_SLOT(k, arg) HIT_BY_MODE(HIT_THREAD_SLOT_, k, HIT_STRIP arg)
#define HIT_THREAD_SLOT_R(k, t, n, ...)                                                  \
    hit_slot hit_s_##n = hit_w.hit_s_##n;                                                \
    hit_s_##n.dense = hit_dense_;
#define HIT_THREAD_SLOT_W(k, t, n, ...) HIT_THREAD_SLOT_R(k, t, n, __VA_ARGS__)
#define HIT_THREAD_SLOT_A(k, t, n, ...) HIT_THREAD_SLOT_R(k, t, n, __VA_ARGS__)
#define HIT_THREAD_SLOT_V(k, t, n, ...)

/* The loops of a thread over its indices. Most threads have one group of them: unrolled,
 * they would divide to learn how many. Loops over dimensions are unrolled as a whole: an
 * array among the parameters that is indexed by a variable is copied to memory first. */
#ifdef __NVCC__
#define HIT_ROLLED _Pragma("unroll 1")
#define HIT_WHOLE _Pragma("unroll")
#else
#define HIT_ROLLED
#define HIT_WHOLE
#endif

/* One index of a dimension after another. */
#define HIT_GRID(k, axis)                                                                \
    HIT_ROLLED for (hit_index hit_at##k = HIT_GRID_FIRST(axis);                          \
                    hit_at##k < hit_w.hit_box.count[k];                                  \
                    hit_at##k += HIT_GRID_STEP(axis))
/* hit_group_ indices, `apart` from each other: the statement for each of them, without a
 * question in between where all are there, so that loads are under way side by side and
 * rows share what they load. */
#define HIT_GROUP(k, axis, first, apart, ...)                                            \
    HIT_ROLLED for (hit_index hit_g_ = (first); hit_g_ < hit_w.hit_box.count[k];         \
                    hit_g_ += HIT_GRID_STEP(axis) * hit_group_)                          \
    {                                                                                    \
        if (hit_group_ == 1 ||                                                           \
            hit_g_ + (hit_group_ - 1) * (apart) < hit_w.hit_box.count[k]) {              \
            HIT_WHOLE for (int hit_m_ = 0; hit_m_ < hit_group_; hit_m_++)                \
            {                                                                            \
                const hit_index hit_at##k = hit_g_ + hit_m_ * (apart);                   \
                __VA_ARGS__                                                              \
            }                                                                            \
        } else {                                                                         \
            hit_index hit_at##k = hit_g_;                                                \
            HIT_ROLLED do                                                                \
            {                                                                            \
                __VA_ARGS__                                                              \
                hit_at##k += (apart);                                                    \
            }                                                                            \
            while (hit_at##k < hit_w.hit_box.count[k])                                   \
                ;                                                                        \
        }                                                                                \
    }
/* On a line the threads of a block stay side by side; on planes a thread has rows that
 * follow each other. The grid covers x. */
#define HIT_LINE_GROUP(k, ...)                                                           \
    HIT_GROUP(k, x,                                                                      \
              (hit_index)blockIdx.x *(HIT_CUDA_LINE * hit_group_) +                      \
                  (hit_index)threadIdx.x,                                                \
              HIT_CUDA_LINE, __VA_ARGS__)
#define HIT_ROW_GROUP(k, x_k, ...)                                                       \
    const hit_index hit_at##x_k = HIT_GRID_FIRST(x) - hit_w.hit_box.lead;                \
    if (hit_at##x_k < 0 || hit_at##x_k >= hit_w.hit_box.count[x_k]) return;              \
    HIT_GROUP(k, y, HIT_GRID_FIRST(y) * hit_group_, 1, __VA_ARGS__)
#define HIT_GRID_INDEX(k)                                                                \
    const hit_index hit_x##k =                                                           \
        hit_w.hit_box.begin[k] + hit_at##k * (hit_dense_ ? 1 : hit_w.hit_box.stride[k]);
#define HIT_GRIDS_1(...) HIT_LINE_GROUP(0, __VA_ARGS__)
#define HIT_GRIDS_2(...) HIT_ROW_GROUP(0, 1, __VA_ARGS__)
#define HIT_GRIDS_3(...)                                                                 \
    HIT_GRID(0, z)                                                                       \
    {                                                                                    \
        HIT_ROW_GROUP(1, 2, __VA_ARGS__)                                                 \
    }
#define HIT_GRIDS_4(...)                                                                 \
    HIT_ROLLED for (hit_index hit_at0 = 0; hit_at0 < hit_w.hit_box.count[0]; hit_at0++)  \
    {                                                                                    \
        HIT_GRID(1, z)                                                                   \
        {                                                                                \
            HIT_ROW_GROUP(2, 3, __VA_ARGS__)                                             \
        }                                                                                \
    }
#define HIT_GRIDS(index, ...) HIT_CAT(HIT_GRIDS_, HIT_COUNT index)(__VA_ARGS__)
#define HIT_GRID_INDICES_1 HIT_GRID_INDEX(0)
#define HIT_GRID_INDICES_2 HIT_GRID_INDICES_1 HIT_GRID_INDEX(1)
#define HIT_GRID_INDICES_3 HIT_GRID_INDICES_2 HIT_GRID_INDEX(2)
#define HIT_GRID_INDICES_4 HIT_GRID_INDICES_3 HIT_GRID_INDEX(3)
#define HIT_GRID_INDICES(index) HIT_CAT(HIT_GRID_INDICES_, HIT_COUNT index)

#define HIT_FOLD_INDEX(k)                                                                \
    const hit_index hit_x##k = hit_w.hit_box.begin[k] +                                  \
                               hit_at_[k] * (hit_dense_ ? 1 : hit_w.hit_box.stride[k]);
#define HIT_FOLD_INDICES_1 HIT_FOLD_INDEX(0)
#define HIT_FOLD_INDICES_2 HIT_FOLD_INDICES_1 HIT_FOLD_INDEX(1)
#define HIT_FOLD_INDICES_3 HIT_FOLD_INDICES_2 HIT_FOLD_INDEX(2)
#define HIT_FOLD_INDICES_4 HIT_FOLD_INDICES_3 HIT_FOLD_INDEX(3)
#define HIT_FOLD_INDICES(index) HIT_CAT(HIT_FOLD_INDICES_, HIT_COUNT index)

/* Loads of the next indices are under way while one is added. */
#ifdef __NVCC__
#define HIT_UNROLL _Pragma("unroll 4")
#else
#define HIT_UNROLL
#endif

#define HIT_DEVICE static __device__ __forceinline__
/* 256 threads of a block, and 4 blocks at a time: at most 64 registers */
#ifdef __NVCC__
#define HIT_LAUNCH_BOUNDS __launch_bounds__(HIT_CUDA_LINE, 4)
#else
#define HIT_LAUNCH_BOUNDS
#endif

#define HIT_BODY_CALL(name, index, ...)                                                  \
    name##_body((const hit_run *)0 HIT_EACH(HIT_ACTUAL, __VA_ARGS__)                     \
                    HIT_INDEX_ACTUALS(index))

#define HIT_KERNEL(name, index, ...)                                                     \
    HIT_KERNEL_BODY(name, index, __VA_ARGS__);                                           \
    struct name##_params {                                                               \
        hit_cuda_box<HIT_COUNT index> hit_box;                                           \
        HIT_EACH(HIT_MEMBER, __VA_ARGS__)                                                \
    };                                                                                   \
    template <int hit_dense_>                                                            \
    HIT_DEVICE void name##_each(                                                         \
        const name##_params &hit_w HIT_EACH(HIT_BASE_PARAM, __VA_ARGS__))                \
    {                                                                                    \
        enum {                                                                           \
            hit_group_ = hit_dense_ ? HIT_CUDA_GROUP : 1                                 \
        };                                                                               \
        HIT_EACH(HIT_THREAD_SLOT, __VA_ARGS__)                                           \
        HIT_GRIDS(index,                                                                 \
                  HIT_GRID_INDICES(index) HIT_BODY_CALL(name, index, __VA_ARGS__);)      \
    }                                                                                    \
    template <int hit_dense_> HIT_DEVICE void name##_fold(const name##_params &hit_w)    \
    {                                                                                    \
        const hit_index tasks = hit_w.hit_box.kept_count * hit_w.hit_box.chunks;         \
        for (hit_index hit_task_ = HIT_GRID_FIRST(x); hit_task_ < tasks;                 \
             hit_task_ += HIT_GRID_STEP(x)) {                                            \
            hit_index hit_at_[HIT_COUNT index];                                          \
            hit_index hit_step_[HIT_COUNT index];                                        \
            const hit_index hit_chunk_ =                                                 \
                hit_cuda_fold_begin(hit_w.hit_box, hit_task_, hit_at_, hit_step_);       \
            HIT_EACH(HIT_THREAD, __VA_ARGS__)                                            \
            HIT_UNROLL for (hit_index hit_r_ = hit_chunk_;                               \
                            hit_r_ < hit_w.hit_box.reduced_count;                        \
                            hit_r_ += hit_w.hit_box.chunks)                              \
            {                                                                            \
                HIT_FOLD_INDICES(index)                                                  \
                HIT_BODY_CALL(name, index, __VA_ARGS__);                                 \
                hit_cuda_fold_next(hit_w.hit_box, hit_at_, hit_step_);                   \
            }                                                                            \
        }                                                                                \
    }                                                                                    \
    template <int hit_dense_>                                                            \
    static __global__ void HIT_LAUNCH_BOUNDS name##_grid(const name##_params hit_w)      \
    {                                                                                    \
        if (1 HIT_EACH(HIT_AND_FREE, __VA_ARGS__)) {                                     \
            name##_each<hit_dense_>(hit_w HIT_EACH(HIT_GRID_BASE, __VA_ARGS__));         \
        } else {                                                                         \
            name##_fold<hit_dense_>(hit_w);                                              \
        }                                                                                \
    }                                                                                    \
    extern "C" hit_status name##_cuda(const hit_run *hit_run_)                           \
    {                                                                                    \
        name##_params hit_w;                                                             \
        hit_w.hit_box = hit_cuda_box_make<HIT_COUNT index>(hit_run_);                    \
        if (hit_w.hit_box.kept_count == 0 || hit_w.hit_box.reduced_count == 0)           \
            return HIT_OK;                                                               \
        HIT_EACH(HIT_FILL, __VA_ARGS__)                                                  \
        if (HIT_COUNT index > 1 && hit_run_->dense) {                                    \
            HIT_EACH(HIT_BEGIN_LINE, __VA_ARGS__)                                        \
        }                                                                                \
        return hit_cuda_start(                                                           \
            hit_run_->dense ? name##_grid<1> : name##_grid<0>,                           \
            (1 HIT_EACH(HIT_AND_FREE, __VA_ARGS__))                                      \
                ? hit_cuda_shape_of(hit_w.hit_box, hit_run_->dense ? HIT_CUDA_GROUP : 1) \
                : hit_cuda_shape_of_fold(hit_w.hit_box),                                 \
            hit_cuda_call_of(hit_run_)->queue, &hit_w, #name);                           \
    }                                                                                    \
    HIT_KERNEL_BODY(name, index, __VA_ARGS__)

#endif
