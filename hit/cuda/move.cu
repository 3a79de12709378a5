/* SPDX-License-Identifier: MIT
 * A strided copy as a grid, for runs that are too short for the copy engine. One side may
 * be pinned host memory. */
#include "hit/cuda/cuda_impl.h"
#include "hit/kernel.h"

struct move_work {
    const char *from;
    char *to;
    hit_ndcopy copy;
    hit_index units; /* per run */
    hit_index count; /* of all runs */
};

template <typename unit> static __global__ void move_grid(const move_work w)
{
    HIT_ROLLED for (hit_index t = HIT_GRID_FIRST(x); t < w.count; t += HIT_GRID_STEP(x))
    {
        hit_index from = t % w.units * (hit_index)sizeof(unit);
        hit_index to = from;
        hit_index rest = t / w.units;
        HIT_WHOLE for (int d = HIT_MAX_DIMS - 1; d >= 0; d--)
        {
            if (d >= w.copy.dims) continue;
            const hit_index at = rest % w.copy.count[d];
            rest /= w.copy.count[d];
            from += at * w.copy.from_stride[d];
            to += at * w.copy.to_stride[d];
        }
        *(unit *)(w.to + to) = *(const unit *)(w.from + from);
    }
}

/* Is everything a multiple of `size` bytes? */
static bool aligned(const move_work &w, size_t size)
{
    size_t bits = (size_t)w.from | (size_t)w.to | w.copy.run_bytes;

    for (int d = 0; d < w.copy.dims; d++) {
        bits |= (size_t)w.copy.from_stride[d] | (size_t)w.copy.to_stride[d];
    }
    return bits % size == 0;
}

template <typename unit> static hit_status start(cudaStream_t stream, move_work *w)
{
    hit_cuda_shape shape;

    w->units = (hit_index)(w->copy.run_bytes / sizeof(unit));
    w->count = (hit_index)(hit_ndcopy_bytes(&w->copy) / sizeof(unit));
    shape.block = dim3(256, 1, 1);
    shape.grid = dim3(hit_cuda_blocks(w->count, 256, 0x7fffffff), 1, 1);
    return hit_cuda_start(move_grid<unit>, shape, stream, w, "move");
}

hit_status hit_cuda_move(cudaStream_t stream, const hit_ndcopy *copy, const void *from,
                         void *to)
{
    move_work w = {};

    w.copy = *copy;
    w.from = (const char *)from + copy->from_offset;
    w.to = (char *)to + copy->to_offset;
    if (aligned(w, 8)) return start<uint64_t>(stream, &w);
    if (aligned(w, 4)) return start<uint32_t>(stream, &w);
    return start<uint8_t>(stream, &w);
}
