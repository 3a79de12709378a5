/* SPDX-License-Identifier: MIT
 * On host cores; rim_kernels.cu has those for GPUs. */
#include "hit/chain/rim_kernels.h"

#include <string.h>

static char *address(const hit_slot *slot, size_t size_bytes, const hit_index x[],
                     int dims)
{
    hit_index at = 0;

    for (int d = 0; d < dims; d++) {
        at += x[d] * slot->stride[d];
    }
    return (char *)slot->base + at * (hit_index)size_bytes;
}

/* The next index of the box; false: there is none. */
static bool advance(const hit_run *run, int dims, hit_index x[])
{
    for (int d = dims - 1; d >= 0; d--) {
        if (x[d] < run->end[d]) {
            x[d]++;
            return true;
        }
        x[d] = run->begin[d];
    }
    return false;
}

static void fill_layers(const hit_run *run, const hit_rim_fill *f, int dims,
                        hit_index x[])
{
    const hit_slot *slot = &run->slot[0];
    const hit_index kept = x[f->axis];

    for (hit_index k = f->begin; k <= f->end; k++) {
        const void *from = f->element;
        char *to;

        x[f->axis] = k;
        to = address(slot, f->size_bytes, x, dims);
        x[f->axis] = f->sign * k + f->offset;
        if (!f->constant) from = address(slot, f->size_bytes, x, dims);
        memcpy(to, from, f->size_bytes);
    }
    x[f->axis] = kept;
}

static hit_status fill(const hit_run *run, int dims)
{
    const hit_rim_fill *f = run->slot[1].base;
    hit_index x[HIT_MAX_DIMS];

    for (int d = 0; d < dims; d++) {
        if (run->begin[d] > run->end[d]) return HIT_OK;
        x[d] = run->begin[d];
    }
    do {
        fill_layers(run, f, dims, x);
    } while (advance(run, dims, x));
    return HIT_OK;
}

/* A kernel does not know how many dimensions it has. */
static hit_status fill_1(const hit_run *run)
{
    return fill(run, 1);
}

static hit_status fill_2(const hit_run *run)
{
    return fill(run, 2);
}

static hit_status fill_3(const hit_run *run)
{
    return fill(run, 3);
}

static hit_status fill_4(const hit_run *run)
{
    return fill(run, 4);
}

#ifdef HIT_KERNEL_CUDA
#define ON_GPUS(function) function
#else
#define ON_GPUS(function) NULL
#endif

static const hit_kernel_arg arguments[] = {
    {.mode = HIT_MODE_INOUT, .name = "rim"},
    {.mode = HIT_MODE_VALUE, .name = "fill"},
};

#define RIM_KERNEL(here, there)                                                          \
    .args = 2, .arg = arguments, .host = (here), .cuda = ON_GPUS(there)

const hit_kernel hit_rim_kernel[HIT_MAX_DIMS] = {
    {.name = "boundary", .dims = 1, RIM_KERNEL(fill_1, hit_rim_fill_1_cuda)},
    {.name = "boundary", .dims = 2, RIM_KERNEL(fill_2, hit_rim_fill_2_cuda)},
    {.name = "boundary", .dims = 3, RIM_KERNEL(fill_3, hit_rim_fill_3_cuda)},
    {.name = "boundary", .dims = 4, RIM_KERNEL(fill_4, hit_rim_fill_4_cuda)}};
