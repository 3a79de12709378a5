/* SPDX-License-Identifier: MIT
 * The 5-point stencil as one would write it for a GPU by hand, in three ways, and a copy
 * of as many bytes: what the kernel of the catalogue is compared with. gpu.heat N STEPS:
 * N x N floats, N a multiple of 4 */
#include "tests/gpu/row.h"

#include <cuda_runtime.h>

#define OK(call)                                                                         \
    do {                                                                                 \
        const cudaError_t error_ = (call);                                               \
        if (error_ != cudaSuccess) {                                                     \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error_));              \
            exit(EXIT_FAILURE);                                                          \
        }                                                                                \
    } while (0)

static __device__ float point(const float *u, long n, float c)
{
    return u[0] + c * (u[-n] + u[n] + u[-1] + u[1] - 4.0f * u[0]);
}

static __global__ void one_point(float *__restrict__ next, const float *__restrict__ now,
                                 int n, float c)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const int i = blockIdx.y * blockDim.y + threadIdx.y + 1;

    if (i >= n - 1 || j >= n - 1) return;
    next[(size_t)i * n + j] = point(now + (size_t)i * n + j, n, c);
}

/* `rows` neighbours in a column; what two of them need is loaded once */
template <int rows>
static __global__ void column(float *__restrict__ next, const float *__restrict__ now,
                              int n, float c)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const int first = (blockIdx.y * blockDim.y + threadIdx.y) * rows + 1;
    const float *u = now + (size_t)first * n + j;
    float *v = next + (size_t)first * n + j;

    if (j >= n - 1) return;
    if (first + rows > n - 1) {
        for (int i = first; i < n - 1; i++, u += n, v += n) {
            v[0] = point(u, n, c);
        }
        return;
    }
#pragma unroll
    for (int r = 0; r < rows; r++) {
        v[(long)r * n] = point(u + (long)r * n, n, c);
    }
}

/* 4 neighbours in a row by accesses of 16 bytes, and `rows` rows */
template <int rows>
static __global__ void quad(float *__restrict__ next, const float *__restrict__ now,
                            int n, float c)
{
    const int j = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    const int first = (blockIdx.y * blockDim.y + threadIdx.y) * rows + 1;

    if (j >= n) return;
#pragma unroll
    for (int r = 0; r < rows; r++) {
        const int i = first + r;
        if (i >= n - 1) return;
        const float *u = now + (size_t)i * n + j;
        const float4 a = *(const float4 *)(u - n);
        const float4 b = *(const float4 *)u;
        const float4 d = *(const float4 *)(u + n);
        const float left = j > 0 ? u[-1] : 0;
        const float right = j + 4 < n ? u[4] : 0;
        float4 w;
        w.x = j == 0 ? b.x : b.x + c * (a.x + d.x + left + b.y - 4.0f * b.x);
        w.y = b.y + c * (a.y + d.y + b.x + b.z - 4.0f * b.y);
        w.z = b.z + c * (a.z + d.z + b.y + b.w - 4.0f * b.z);
        w.w = j + 4 >= n ? b.w : b.w + c * (a.w + d.w + b.z + right - 4.0f * b.w);
        *(float4 *)(next + (size_t)i * n + j) = w;
    }
}

static __global__ void copy(float4 *__restrict__ to, const float4 *__restrict__ from,
                            size_t count)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;

    for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < count; k += step) {
        to[k] = from[k];
    }
}

static unsigned parts(int count, int each)
{
    return (unsigned)((count + each - 1) / each);
}

static void launch(int variant, float *next, const float *now, int n)
{
    const float c = 0.2f;
    const dim3 block(32, 8);

    switch (variant) {
    case 0:
        one_point<<<dim3(parts(n, 32), parts(n, 8)), block>>>(next, now, n, c);
        break;
    case 1:
        column<8><<<dim3(parts(n, 32), parts(n, 64)), block>>>(next, now, n, c);
        break;
    case 2:
        quad<4><<<dim3(parts(n, 128), parts(n, 32)), block>>>(next, now, n, c);
        break;
    default:
        copy<<<132 * 16, 256>>>((float4 *)next, (const float4 *)now,
                                (size_t)n * (size_t)n / 4);
    }
}

static double time_steps(int variant, float *tile[2], int n, int steps)
{
    double time_s[5];

    for (int r = -1; r < 5; r++) { /* the first one warms up */
        OK(cudaDeviceSynchronize());
        const double start = row_now_s();
        for (int s = 0; s < steps; s++) {
            launch(variant, tile[(s + 1) % 2], tile[s % 2], n);
        }
        OK(cudaDeviceSynchronize());
        if (r >= 0) time_s[r] = (row_now_s() - start) / steps;
    }
    OK(cudaGetLastError());
    return row_median(time_s, 5);
}

int main(int argc, char **argv)
{
    static const char *const name[] = {"hand heat, 1 point", "hand heat, 8 rows",
                                       "hand heat, 4 x 4", "copy"};
    const int n = argc == 3 ? atoi(argv[1]) : 0;
    const int steps = argc == 3 ? atoi(argv[2]) : 0;
    const size_t count = (size_t)n * (size_t)n;
    const size_t bytes = count * sizeof(float);
    float *start = (float *)malloc(bytes);
    float *tile[2];
    unsigned long long first = 0;
    int differ = 0;

    if (n < 8 || n % 4 != 0 || steps < 1 || start == NULL) {
        fprintf(stderr, "expected N STEPS, N a multiple of 4\n");
        return 2;
    }
    OK(cudaMalloc((void **)&tile[0], bytes));
    OK(cudaMalloc((void **)&tile[1], bytes));
    for (int v = 0; v < 4; v++) {
        row_fill(start, count, sizeof(float), 1);
        OK(cudaMemcpy(tile[0], start, bytes, cudaMemcpyHostToDevice));
        OK(cudaMemcpy(tile[1], start, bytes, cudaMemcpyHostToDevice));
        const double step_s = time_steps(v, tile, n, steps);
        OK(cudaMemcpy(start, tile[steps * 6 % 2], bytes, cudaMemcpyDeviceToHost));
        const unsigned long long hash = row_hash(start, bytes);
        row_print(name[v], n, "cuda:0", step_s, (double)count, 2.0 * (double)bytes);
        printf("%016llx\n", hash);
        if (v == 0) first = hash;
        differ += v < 3 && hash != first;
    }
    return differ != 0;
}
