/* SPDX-License-Identifier: MIT
 * Internal to the CUDA device: reductions. */
#ifndef HIT_CUDA_REDUCE_H
#define HIT_CUDA_REDUCE_H

#include "hit/cuda/cuda_impl.h"

HIT_C_BEGIN

/** Fill @p count elements of device memory with hit_reduce_identity(). */
hit_status hit_cuda_identity(cudaStream_t stream, hit_mode mode, hit_type type,
                             void *data, hit_index count);

/** Combine @p chunks arrays of @p count elements, which lie one behind the other, into
 * the first; always in the same order. */
hit_status hit_cuda_fold(cudaStream_t stream, hit_mode mode, hit_type type, void *data,
                         hit_index count, hit_index chunks);

/** hit_reduce_combine() of the whole domain of @p onto from a dense array. */
hit_status hit_cuda_combine(cudaStream_t stream, hit_mode mode, hit_type type,
                            const hit_view *onto, const void *from);

HIT_C_END

#endif
