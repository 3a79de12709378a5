/* SPDX-License-Identifier: MIT
 * Internal: the kernels that fill what lies beyond a boundary, for host cores and GPUs.
 */
#ifndef HIT_CHAIN_RIM_KERNELS_H
#define HIT_CHAIN_RIM_KERNELS_H

#include "patterns/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    HIT_RIM_BYTES = 64 /* of an element, at most */
};

/** The value of such a kernel: layers of elements, all with the same indices but in one
 * axis. */
typedef struct hit_rim_fill {
    int dims; /**< a kernel's function does not know them */
    int axis;
    hit_index begin; /**< the layers, in that axis */
    hit_index end;   /**< inclusive */
    bool constant;   /**< all are @p element; else layer k ... */
    int sign;
    hit_index offset; /**< ... is a copy of layer sign * k + offset */
    size_t size_bytes;
    uint64_t element[HIT_RIM_BYTES / sizeof(uint64_t)];
} hit_rim_fill;

/** The kernel for d + 1 dimensions. Arguments are the tile, and a hit_rim_fill as the
 * value; indices are those of the layers, with any single one in their axis. */
extern const hit_kernel hit_rim_kernel[HIT_MAX_DIMS];

/** Their half for GPUs, in builds with CUDA. */
hit_status hit_rim_fill_cuda(const hit_run *run);

#ifdef __cplusplus
}
#endif

#endif
