/* SPDX-License-Identifier: MIT
 * Internal to the CUDA device: copies. */
#ifndef HIT_CUDA_COPY_H
#define HIT_CUDA_COPY_H

#include "hit/cuda/cuda_impl.h"

/** The operations of the device that have a file of their own. */
hit_status hit_cuda_copy(void *state, hit_lane lane, hit_way way, const hit_view *from,
                         const hit_view *to, const hit_domain *domain);

#endif
