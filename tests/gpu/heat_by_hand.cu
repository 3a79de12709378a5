/* SPDX-License-Identifier: MIT
 * The 5-point stencil as one would write it for a GPU by hand, in three ways, and a copy
 * of as many bytes: what the kernel of the catalogue is compared with. Then several steps
 * of it at a time, in registers and in shared memory: what chains could gain on the chip.
 * gpu.heat N STEPS: N x N floats, N a multiple of 4, STEPS one of 20 */
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

/* float4 of step s + 1 from three rows of step s; a border keeps its value */
static __device__ float4 row_of(float4 a, float4 b, float4 d, float c, bool keep,
                                bool first, bool last)
{
    const float left = __shfl_up_sync(0xffffffffu, b.w, 1);
    const float right = __shfl_down_sync(0xffffffffu, b.x, 1);
    float4 w;

    w.x = b.x + c * (a.x + d.x + left + b.y - 4.0f * b.x);
    w.y = b.y + c * (a.y + d.y + b.x + b.z - 4.0f * b.y);
    w.z = b.z + c * (a.z + d.z + b.y + b.w - 4.0f * b.z);
    w.w = b.w + c * (a.w + d.w + b.z + right - 4.0f * b.w);
    if (first) w.x = b.x;
    if (last) w.w = b.w;
    return keep ? b : w;
}

/* `steps` steps in registers: a warp has 128 columns, of which it writes those in the
 * middle, and goes down over `rows` rows; of each step it keeps the last two rows */
template <int steps>
static __global__ void in_registers(float *__restrict__ next,
                                    const float *__restrict__ now, int n, float c,
                                    int rows)
{
    const int margin = (steps + 3) / 4 * 4;
    const int width = 128 - 2 * margin;
    const int column = threadIdx.x * 4;
    const int j = (blockIdx.x * blockDim.y + threadIdx.y) * width - margin + column;
    const int first = blockIdx.y * rows;
    const int end = min(first + rows, n);
    const bool inside = j >= 0 && j < n;
    const bool writes = inside && column >= margin && column < 128 - margin;
    float4 before[steps][2];

#pragma unroll
    for (int s = 0; s < steps; s++) {
        before[s][0] = before[s][1] = make_float4(0, 0, 0, 0);
    }
#pragma unroll 2
    for (int i = first - steps; i < end + steps; i++) {
        float4 row = make_float4(0, 0, 0, 0);
        if (inside && i >= 0 && i < n) {
            row = *(const float4 *)(now + (size_t)i * n + j);
        }
#pragma unroll
        for (int s = 0; s < steps; s++) {
            const int at = i - s - 1;
            const float4 made = row_of(before[s][0], before[s][1], row, c,
                                       at <= 0 || at >= n - 1, j == 0, j == n - 4);
            before[s][0] = before[s][1];
            before[s][1] = row;
            row = made;
        }
        if (writes && i - steps >= first) {
            *(float4 *)(next + (size_t)(i - steps) * n + j) = row;
        }
    }
}

/* `steps` steps in shared memory: a block of 512 threads has 128 x 64 elements */
template <int steps>
static __global__ void in_shared(float *__restrict__ next, const float *__restrict__ now,
                                 int n, float c)
{
    extern __shared__ float shared[];
    const int x = threadIdx.x;
    const int j = blockIdx.x * (128 - 2 * steps) - steps + x;
    const int top = blockIdx.y * (64 - 2 * steps) - steps;
    float *u = shared;
    float *v = shared + 128 * 64;

    for (int y = threadIdx.y; y < 64; y += 4) {
        const int i = top + y;
        u[y * 128 + x] =
            i >= 0 && i < n && j >= 0 && j < n ? now[(size_t)i * n + j] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int s = 1; s <= steps; s++) {
        for (int y = s + threadIdx.y; y < 64 - s; y += 4) {
            const int i = top + y;
            const bool border = i <= 0 || i >= n - 1 || j <= 0 || j >= n - 1;
            if (x >= s && x < 128 - s) {
                v[y * 128 + x] = border ? u[y * 128 + x] : point(u + y * 128 + x, 128, c);
            }
        }
        __syncthreads();
        float *swap = u;
        u = v;
        v = swap;
    }
    for (int y = steps + threadIdx.y; y < 64 - steps; y += 4) {
        const int i = top + y;
        if (i < n && x >= steps && x < 128 - steps && j < n) {
            next[(size_t)i * n + j] = u[y * 128 + x];
        }
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

typedef struct way {
    const char *name;
    int steps; /* of one launch */
} way;

static const way ways[] = {{"hand heat, 1 point", 1},
                           {"hand heat, 8 rows", 1},
                           {"hand heat, 4 x 4", 1},
                           {"hand heat, 2 steps in registers", 2},
                           {"hand heat, 4 steps in registers", 4},
                           {"hand heat, 10 steps in registers", 10},
                           {"hand heat, 2 steps in shared", 2},
                           {"hand heat, 4 steps in shared", 4},
                           {"copy", 1}};
static const int way_count = (int)(sizeof(ways) / sizeof(ways[0]));

template <int steps> static void launch_registers(float *next, const float *now, int n)
{
    const int width = 128 - 2 * ((steps + 3) / 4 * 4);

    in_registers<steps><<<dim3(parts(parts(n, width), 4), parts(n, 128)), dim3(32, 4)>>>(
        next, now, n, 0.2f, 128);
}

template <int steps> static void launch_shared(float *next, const float *now, int n)
{
    const int bytes = 2 * 128 * 64 * (int)sizeof(float);

    OK(cudaFuncSetAttribute(in_shared<steps>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            bytes));
    in_shared<steps><<<dim3(parts(n, 128 - 2 * steps), parts(n, 64 - 2 * steps)),
                       dim3(128, 4), bytes>>>(next, now, n, 0.2f);
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
    case 3:
        launch_registers<2>(next, now, n);
        break;
    case 4:
        launch_registers<4>(next, now, n);
        break;
    case 5:
        launch_registers<10>(next, now, n);
        break;
    case 6:
        launch_shared<2>(next, now, n);
        break;
    case 7:
        launch_shared<4>(next, now, n);
        break;
    default:
        copy<<<132 * 16, 256>>>((float4 *)next, (const float4 *)now,
                                (size_t)n * (size_t)n / 4);
    }
}

/* seconds of one step; launched: how many launches there were in all */
static double time_steps(int variant, float *tile[2], int n, int steps, int *launched)
{
    double time_s[5];

    *launched = 0;
    for (int r = -1; r < 5; r++) { /* the first one warms up */
        OK(cudaDeviceSynchronize());
        const double start = row_now_s();
        for (int s = 0; s < steps; s += ways[variant].steps) {
            launch(variant, tile[(*launched + 1) % 2], tile[*launched % 2], n);
            (*launched)++;
        }
        OK(cudaDeviceSynchronize());
        if (r >= 0) time_s[r] = (row_now_s() - start) / steps;
    }
    OK(cudaGetLastError());
    return row_median(time_s, 5);
}

int main(int argc, char **argv)
{
    const int n = argc == 3 ? atoi(argv[1]) : 0;
    const int steps = argc == 3 ? atoi(argv[2]) : 0;
    const size_t count = (size_t)n * (size_t)n;
    const size_t bytes = count * sizeof(float);
    float *start = (float *)malloc(bytes);
    float *tile[2];
    unsigned long long first = 0;
    int differ = 0;

    if (n < 8 || n % 4 != 0 || steps < 1 || steps % 20 != 0 || start == NULL) {
        fprintf(stderr, "expected N STEPS, N a multiple of 4, STEPS one of 20\n");
        return 2;
    }
    OK(cudaMalloc((void **)&tile[0], bytes));
    OK(cudaMalloc((void **)&tile[1], bytes));
    for (int v = 0; v < way_count; v++) {
        int launched;
        row_fill(start, count, sizeof(float), 1);
        OK(cudaMemcpy(tile[0], start, bytes, cudaMemcpyHostToDevice));
        OK(cudaMemcpy(tile[1], start, bytes, cudaMemcpyHostToDevice));
        const double step_s = time_steps(v, tile, n, steps, &launched);
        OK(cudaMemcpy(start, tile[launched % 2], bytes, cudaMemcpyDeviceToHost));
        const unsigned long long hash = row_hash(start, bytes);
        row_print(ways[v].name, n, "cuda:0", step_s, (double)count, 2.0 * (double)bytes);
        printf("%016llx\n", hash);
        if (v == 0) first = hash;
        differ += v < way_count - 1 && hash != first;
    }
    return differ != 0;
}
