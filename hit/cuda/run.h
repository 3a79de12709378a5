/* SPDX-License-Identifier: MIT
 * Internal to the CUDA device: kernels. */
#ifndef HIT_CUDA_RUN_H
#define HIT_CUDA_RUN_H

#include "hit/cuda/cuda_impl.h"

hit_status hit_cuda_run(void *state, const hit_kernel *kernel, const hit_run *run,
                        const hit_domain need[]);

#endif
