/* SPDX-License-Identifier: MIT
 * A cuBLAS that can be started and stopped. */
#ifndef TESTS_SUPPORT_FAKE_CUBLAS_H
#define TESTS_SUPPORT_FAKE_CUBLAS_H

#include "cuda_runtime_api.h"

typedef struct fake_cublas *cublasHandle_t;
typedef enum cublasStatus {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1
} cublasStatus_t;

cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
const char *cublasGetStatusString(cublasStatus_t status);

#endif
