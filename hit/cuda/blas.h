/* SPDX-License-Identifier: MIT
 * Internal to the library: cuBLAS, which is loaded and not linked. */
#ifndef HIT_CUDA_BLAS_H
#define HIT_CUDA_BLAS_H

#include "hit/base/status.h"

/** What the macro @p name stands for, as text: cublas_v2.h renames functions. */
#define HIT_CUDA_BLAS_TEXT(name) HIT_CUDA_BLAS_TEXT_OF(name)
#define HIT_CUDA_BLAS_TEXT_OF(name) #name

/** The library as dlopen() knows it, for the life of the process.
 * @errors HIT_E_ABSENT it is not on this machine */
hit_status hit_cuda_blas_load(void **library);
/** The function @p name in it. @errors HIT_E_ABSENT it has none of that name */
hit_status hit_cuda_blas_find(void *library, const char *name, void **function);

struct hit_cuda;

/** Start cuBLAS in the stream of kernels, if that has not been done. Without the library
 * `blas` stays NULL, which is no failure here: kernels that need it say so. */
hit_status hit_cuda_blas_start(struct hit_cuda *self);

void hit_cuda_blas_stop(struct hit_cuda *self);

#endif
