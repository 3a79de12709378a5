/* SPDX-License-Identifier: MIT
 * CUDA's runtime as nvcc's host code knows it, over the executor of PTX. Set in the
 * environment, HIT_PTX_REPORT=FILE gets what ran, and HIT_PTX_CHANGE="ENTRY LINE TEXT"
 * puts a wrong statement into a kernel. */
#ifndef TESTS_SUPPORT_PTX_RUNTIME_H
#define TESTS_SUPPORT_PTX_RUNTIME_H

#include "tests/support/fake_cuda/cuda_runtime_api.h"

#include "ptx.h"

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
char __cudaInitModule(void **handle);
void __cudaRegisterFunction(void **handle, const char *stub, const char *device,
                            const char *name, int limit, void *tid, void *bid, void *bdim,
                            void *gdim, const int *warp);
void __cudaRegisterVar(void **handle, const char *host, const char *device,
                       const char *name, int external, size_t size_bytes, int constant,
                       int global);
cudaError_t cudaLaunchKernel(const void *stub, ptx_dim3 blocks, ptx_dim3 block,
                             void **arguments, size_t shared_bytes, cudaStream_t stream);
cudaError_t __cudaGetKernel(const void **handle, const void *stub);
cudaError_t __cudaLaunchKernel(const void *stub, ptx_dim3 blocks, ptx_dim3 block,
                               void **arguments, size_t shared_bytes,
                               cudaStream_t stream);
unsigned __cudaPushCallConfiguration(ptx_dim3 blocks, ptx_dim3 block, size_t shared_bytes,
                                     void *stream);
cudaError_t __cudaPopCallConfiguration(ptx_dim3 *blocks, ptx_dim3 *block,
                                       size_t *shared_bytes, void *stream);

/** Launches from now on have no more blocks than this in each dimension. A GPU has such a
 * limit, beyond which threads go on with other indices, but it is too large for a test.
 */
void ptx_most_blocks(ptx_dim3 wanted);

/** Since the program began. */
ptx_divisions ptx_needless_divisions(void);

/** Tell the name of each registered kernel that was never launched; answers how many. */
int ptx_not_launched(void (*tell)(const char *name));

#endif
