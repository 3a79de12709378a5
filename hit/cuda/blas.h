/* SPDX-License-Identifier: MIT
 * Internal to the library: cuBLAS, which is loaded and not linked. */
#ifndef HIT_CUDA_BLAS_H
#define HIT_CUDA_BLAS_H

#include "hit/base/status.h"
#include "patterns/kernel.h"

/** What the macro @p name stands for, as text: cublas_v2.h renames functions. */
#define HIT_CUDA_BLAS_TEXT(name) HIT_CUDA_BLAS_TEXT_OF(name)
#define HIT_CUDA_BLAS_TEXT_OF(name) #name

/** The library as dlopen() knows it, for the life of the process.
 * @errors HIT_E_ABSENT it is not on this machine */
hit_status hit_cuda_blas_load(void **library);
/** The function @p name in it. @errors HIT_E_ABSENT it has none of that name */
hit_status hit_cuda_blas_find(void *library, const char *name, void **function);

/** HIT_E_DEVICE with @p what and the text of cuBLAS's @p status, unless it is success. */
hit_status hit_cuda_blas_check(void *library, int status, const char *what);

struct hit_cuda;

/** Start cuBLAS in the stream of kernels, if that has not been done. Without the library
 * `blas` stays NULL, which is no failure here: kernels that need it say so. */
hit_status hit_cuda_blas_start(struct hit_cuda *self);

/** The same for a kernel that is not of whole boxes, on the device of @p run; *handle is
 * NULL where there is no cuBLAS. @owner both are the device's */
hit_status hit_cuda_blas_of(const hit_run *run, void **handle, void **library);

void hit_cuda_blas_stop(struct hit_cuda *self);

#endif
