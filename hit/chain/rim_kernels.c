/* SPDX-License-Identifier: MIT
 * On host cores; rim_kernels.cu has those for GPUs. */
#include "hit/chain/chain.h"

#include <string.h>

static char *address(const hit_slot *slot, const hit_rim_fill *f, const hit_index x[])
{
    hit_index at = 0;

    for (int d = 0; d < f->dims; d++) {
        at += x[d] * slot->stride[d];
    }
    return (char *)slot->base + at * (hit_index)f->size_bytes;
}

static void fill_layers(const hit_run *run, const hit_rim_fill *f, hit_index x[])
{
    const hit_slot *slot = &run->slot[0];
    const hit_index kept = x[f->axis];

    for (hit_index k = f->begin; k <= f->end; k++) {
        const void *from = f->element;
        char *to;

        x[f->axis] = k;
        to = address(slot, f, x);
        x[f->axis] = f->sign * k + f->offset;
        if (!f->constant) from = address(slot, f, x);
        memcpy(to, from, f->size_bytes);
    }
    x[f->axis] = kept;
}

static hit_status fill(const hit_run *run)
{
    const hit_rim_fill *f = run->slot[1].base;
    const hit_domain box = hit_domain_box(f->dims, run->begin, run->end);

    HIT_FOR_EACH (x, box) {
        fill_layers(run, f, x);
    }
    return HIT_OK;
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

#define RIM_KERNEL(d)                                                                    \
    {                                                                                    \
        .name = "boundary", .dims = (d), .args = 2, .arg = arguments, .host = fill,      \
        .cuda = ON_GPUS(hit_rim_fill_cuda)                                               \
    }

const hit_kernel hit_rim_kernel[HIT_MAX_DIMS] = {RIM_KERNEL(1), RIM_KERNEL(2),
                                                 RIM_KERNEL(3), RIM_KERNEL(4)};
