/* SPDX-License-Identifier: MIT
 * Internal to the CUDA device: strided copies by a kernel. */
#ifndef HIT_CUDA_MOVE_H
#define HIT_CUDA_MOVE_H

#include "hit/cuda/cuda_impl.h"

HIT_C_BEGIN

/** hit_ndcopy_run() in memory that the device can reach. */
hit_status hit_cuda_move(cudaStream_t stream, const hit_ndcopy *copy, const void *from,
                         void *to);

HIT_C_END

#endif
