/* SPDX-License-Identifier: MIT
 * Products by NVIDIA's libraries: what those of the catalogue are compared with.
 *   gpu.products core s|d N         in the GPU's memory: cuBLAS
 *   gpu.products out s|d N BLOCK    in pinned memory of the host: cuBLASXt, by blocks */
#include "tests/gpu/row.h"

#include <cublasXt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#define OK(call)                                                                         \
    do {                                                                                 \
        const int error_ = (int)(call);                                                  \
        if (error_ != 0) {                                                               \
            fprintf(stderr, "%s: error %d\n", #call, error_);                            \
            exit(EXIT_FAILURE);                                                          \
        }                                                                                \
    } while (0)

enum {
    REPETITIONS = 3
};

/* By rows C = A B is, by columns, C' = B' A'. */
static void multiply(cublasHandle_t blas, int n, double *m[])
{
    const double one = 1;
    const double zero = 0;
    OK(cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, m[2], n, m[1], n, &zero,
                   m[0], n));
}

static void multiply(cublasHandle_t blas, int n, float *m[])
{
    const float one = 1;
    const float zero = 0;
    OK(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, m[2], n, m[1], n, &zero,
                   m[0], n));
}

static void multiply(cublasXtHandle_t blas, int n, double *m[])
{
    const double one = 1;
    const double zero = 0;
    OK(cublasXtDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, m[2], n, m[1], n,
                     &zero, m[0], n));
}

static void multiply(cublasXtHandle_t blas, int n, float *m[])
{
    const float one = 1;
    const float zero = 0;
    OK(cublasXtSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, m[2], n, m[1], n,
                     &zero, m[0], n));
}

template <typename T, typename handle>
static double time_products(handle blas, int n, T *m[])
{
    double time_s[REPETITIONS];

    for (int r = -1; r < REPETITIONS; r++) { /* the first one warms up */
        OK(cudaDeviceSynchronize());
        const double start = row_now_s();
        multiply(blas, n, m);
        OK(cudaDeviceSynchronize());
        if (r >= 0) time_s[r] = row_now_s() - start;
    }
    return row_median(time_s, REPETITIONS);
}

template <typename T> static void run(const char *name, int n, int block)
{
    const size_t count = (size_t)n * (size_t)n;
    const size_t bytes = count * sizeof(T);
    T *host[3];
    T *there[3];
    double step_s;

    for (int k = 0; k < 3; k++) { /* the seeds are those of kernels.c */
        OK(cudaMallocHost((void **)&host[k], bytes));
        row_fill(host[k], count, sizeof(T), (unsigned)k / 2 + 1);
    }
    if (block == 0) {
        cublasHandle_t blas;
        OK(cublasCreate(&blas));
        for (int k = 0; k < 3; k++) {
            OK(cudaMalloc((void **)&there[k], bytes));
            OK(cudaMemcpy(there[k], host[k], bytes, cudaMemcpyHostToDevice));
        }
        step_s = time_products(blas, n, there);
        OK(cudaMemcpy(host[0], there[0], bytes, cudaMemcpyDeviceToHost));
    } else {
        int device = 0;
        cublasXtHandle_t blas;
        OK(cublasXtCreate(&blas));
        OK(cublasXtDeviceSelect(blas, 1, &device));
        OK(cublasXtSetBlockDim(blas, block));
        step_s = time_products(blas, n, host);
    }
    row_print(name, n, "cuda:0", step_s, 2.0 * n * (double)count, 0);
    printf("%.5g\n", row_sum(host[0], count, sizeof(T)));
}

int main(int argc, char **argv)
{
    const int n = argc > 3 ? atoi(argv[3]) : 0;
    const bool core = argc == 4 && strcmp(argv[1], "core") == 0;
    const int block = core || argc != 5 ? 0 : atoi(argv[4]);
    char name[64];

    if (n < 1 || (!core && block < 1)) {
        fprintf(stderr, "expected core s|d N, or out s|d N BLOCK\n");
        return 2;
    }
    if (core) {
        snprintf(name, sizeof(name), "cuBLAS %sgemm", argv[2]);
    } else {
        snprintf(name, sizeof(name), "cuBLASXt %sgemm, blocks of %d", argv[2], block);
    }
    if (argv[2][0] == 'd') {
        run<double>(name, n, block);
    } else {
        run<float>(name, n, block);
    }
    return 0;
}
