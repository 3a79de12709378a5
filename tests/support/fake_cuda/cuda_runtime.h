/* SPDX-License-Identifier: MIT
 * The C++ half: what nvcc knows by itself, and a launch that calls the grid once per
 * thread, every other time in reverse order: threads must not depend on each other. */
#ifndef TESTS_SUPPORT_FAKE_CUDA_RUNTIME_H
#define TESTS_SUPPORT_FAKE_CUDA_RUNTIME_H

#include <cstdlib>
#include <new>

#include "fake_streams.h"

#define __global__
#define __host__
#define __device__
#define __forceinline__ inline

struct dim3 {
    unsigned x;
    unsigned y;
    unsigned z;
    dim3(unsigned i = 1, unsigned j = 1, unsigned k = 1) : x(i), y(j), z(k) {}
};

inline dim3 gridDim;
inline dim3 blockDim;
inline dim3 blockIdx;
inline dim3 threadIdx;
inline unsigned long fake_launches;

inline void fake_place(unsigned long number, dim3 of, dim3 *at)
{
    at->x = (unsigned)(number % of.x);
    at->y = (unsigned)(number / of.x % of.y);
    at->z = (unsigned)(number / of.x / of.y);
}

template <typename params> struct fake_grid {
    void (*grid)(params);
    dim3 blocks;
    dim3 block;
    params actual;
};

template <typename params> void fake_run_grid(void *argument)
{
    const fake_grid<params> *g = static_cast<fake_grid<params> *>(argument);
    unsigned long threads = (unsigned long)g->block.x * g->block.y * g->block.z;
    unsigned long all = threads * g->blocks.x * g->blocks.y * g->blocks.z;
    bool reverse = fake_launches++ % 2 == 1;

    gridDim = g->blocks;
    blockDim = g->block;
    for (unsigned long t = 0; t < all; t++) {
        unsigned long number = reverse ? all - 1 - t : t;
        fake_place(number / threads, g->blocks, &blockIdx);
        fake_place(number % threads, g->block, &threadIdx);
        g->grid(g->actual);
    }
}

template <typename params>
cudaError_t cudaLaunchKernel(void (*grid)(params), dim3 blocks, dim3 block, void **args,
                             size_t, cudaStream_t stream)
{
    unsigned long threads = (unsigned long)block.x * block.y * block.z;
    unsigned long all = threads * blocks.x * blocks.y * blocks.z;

    if (threads == 0 || threads > 1024 || block.z > 64 || all == 0) {
        return fake_error(cudaErrorInvalidValue);
    }
    if (blocks.x > 0x7fffffff || blocks.y > 65535 || blocks.z > 65535) {
        return fake_error(cudaErrorInvalidValue);
    }
    if (fake_chooses(fake_refuses_kernels, 2)) return fake_error(cudaErrorInvalidValue);
    void *memory = malloc(sizeof(fake_grid<params>));
    if (memory == nullptr) abort();
    new (memory) fake_grid<params>{grid, blocks, block, *static_cast<params *>(args[0])};
    return fake_enqueue(stream, fake_run_grid<params>, memory);
}

#endif
