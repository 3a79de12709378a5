/* SPDX-License-Identifier: MIT
 * On GPUs: one thread for each word of each element of the layers. */
#include "hit/chain/chain.h"
#include "hit/kernel.h"

struct rim_work {
    char *base;
    hit_index stride_bytes[HIT_MAX_DIMS];
    hit_index begin[HIT_MAX_DIMS];
    hit_index count[HIT_MAX_DIMS];
    hit_index words; /* of all elements */
    hit_rim_fill fill;
};

template <typename word> static __global__ void rim_grid(const rim_work w)
{
    const hit_rim_fill &f = w.fill;
    const hit_index per_element = (hit_index)(f.size_bytes / sizeof(word));

    HIT_ROLLED for (hit_index t = HIT_GRID_FIRST(x); t < w.words; t += HIT_GRID_STEP(x))
    {
        const hit_index at = t % per_element;
        hit_index rest = t / per_element;
        hit_index others = at * (hit_index)sizeof(word);
        hit_index layer = 0;

        for (int d = f.dims - 1; d >= 0; d--) {
            const hit_index x = w.begin[d] + rest % w.count[d];

            rest /= w.count[d];
            if (d == f.axis) {
                layer = x;
            } else {
                others += x * w.stride_bytes[d];
            }
        }
        const hit_index stride = w.stride_bytes[f.axis];
        const void *from = w.base + others + (f.sign * layer + f.offset) * stride;

        if (f.constant) from = (const word *)f.element + at;
        *(word *)(w.base + others + layer * stride) = *(const word *)from;
    }
}

/* Is everything a multiple of `size` bytes? */
static bool aligned(const rim_work &w, size_t size)
{
    size_t bits = (size_t)w.base | w.fill.size_bytes;

    for (int d = 0; d < w.fill.dims; d++) {
        bits |= (size_t)w.stride_bytes[d];
    }
    return bits % size == 0;
}

template <typename word> static hit_status start(const hit_run *run, rim_work *w)
{
    hit_cuda_shape shape;

    w->words *= (hit_index)(w->fill.size_bytes / sizeof(word));
    shape.block = dim3(256, 1, 1);
    shape.grid = dim3(hit_cuda_blocks(w->words, 256, 0x7fffffff), 1, 1);
    return hit_cuda_start(rim_grid<word>, shape, hit_cuda_call_of(run)->queue, w,
                          "boundary");
}

extern "C" hit_status hit_rim_fill_cuda(const hit_run *run)
{
    const hit_slot *slot = &run->slot[0];
    rim_work w = {};

    w.fill = *(const hit_rim_fill *)run->slot[1].base;
    w.base = (char *)slot->base;
    w.words = 1;
    for (int d = 0; d < w.fill.dims; d++) {
        const bool layers = d == w.fill.axis;

        w.stride_bytes[d] = slot->stride[d] * (hit_index)w.fill.size_bytes;
        w.begin[d] = layers ? w.fill.begin : run->begin[d];
        w.count[d] = (layers ? w.fill.end : run->end[d]) - w.begin[d] + 1;
        if (w.count[d] <= 0) return HIT_OK;
        w.words *= w.count[d];
    }
    if (aligned(w, 8)) return start<uint64_t>(run, &w);
    if (aligned(w, 4)) return start<uint32_t>(run, &w);
    return start<uint8_t>(run, &w);
}
