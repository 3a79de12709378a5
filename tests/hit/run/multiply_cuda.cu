/* SPDX-License-Identifier: MIT
 * The CUDA half of the test kernel `multiply`: c = 3 c + a b, one thread per element. */
#include "hit/kernel.h"
#include "hit/kernel_cuda_run.h"

static __global__ void multiply_grid(const hit_run run)
{
    const hit_index step = (hit_index)gridDim.x * blockDim.x;
    const hit_index columns = (run.end[1] - run.begin[1]) / run.stride[1] + 1;
    const hit_index rows = (run.end[0] - run.begin[0]) / run.stride[0] + 1;
    const hit_slot *a = &run.slot[1];

    for (hit_index t = (hit_index)blockIdx.x * blockDim.x + threadIdx.x;
         t < rows * columns; t += step) {
        const hit_index i = run.begin[0] + t / columns * run.stride[0];
        const hit_index j = run.begin[1] + t % columns * run.stride[1];
        const hit_index at[] = {i, j};
        int64_t *c = (int64_t *)hit_run_address(&run, 0, 2, at, sizeof(int64_t));
        int64_t sum = run.later ? *c : 3 * *c;

        for (hit_index k = a->begin[1]; k <= a->end[1]; k += a->step[1]) {
            const hit_index left[] = {i, k};
            const hit_index right[] = {k, j};

            sum += *(const int64_t *)hit_run_address(&run, 1, 2, left, sizeof(int64_t)) *
                   *(const int64_t *)hit_run_address(&run, 2, 2, right, sizeof(int64_t));
        }
        *c = sum;
    }
}

extern "C" hit_status multiply_cuda(const hit_run *run)
{
    multiply_grid<<<64, 128, 0, (cudaStream_t)hit_cuda_call_of(run)->queue>>>(*run);
    return cudaGetLastError() == cudaSuccess
               ? HIT_OK
               : HIT_FAIL(HIT_E_DEVICE, "multiply: the grid could not be started");
}
