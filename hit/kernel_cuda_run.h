/* SPDX-License-Identifier: MIT
 * What the CUDA device hands to a kernel's CUDA function, besides the run; C and CUDA. */
#ifndef HIT_KERNEL_CUDA_RUN_H
#define HIT_KERNEL_CUDA_RUN_H

#include "patterns/kernel.h"

HIT_C_BEGIN

/** hit_run.device of a CUDA device. For kernels with reductions the index space is cut
 * into @p chunks along the dimensions in the bit mask @p reduced; chunk c adds to its own
 * copy of each reduction argument, which lies c * partial[argument] elements behind the
 * slot's base. Otherwise chunks is 0. */
typedef struct hit_cuda_call {
    void *queue; /**< the stream to launch into */
    void *blas;  /**< for whole-box kernels: the cuBLAS handle of the device, bound to the
                      queue; NULL where cuBLAS cannot be loaded */
    void *blas_library; /**< for whole-box kernels: cuBLAS for dlsym(), or NULL */
    void *device;       /**< the library's own, for its kernels */
    hit_index chunks;
    unsigned reduced;
    hit_index partial[HIT_MAX_ARGS];
} hit_cuda_call;

static inline const hit_cuda_call *hit_cuda_call_of(const hit_run *run)
{
    return (const hit_cuda_call *)run->device;
}

HIT_C_END

#endif
