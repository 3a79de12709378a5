/* SPDX-License-Identifier: MIT
 * What a file for nvcc would give the kernel `multiply`, which works on whole boxes: its
 * host implementation, in the stream. */
#include "hit/kernel.h"
#include "hit/kernel_cuda_run.h"

#include <stdlib.h>

#include "fake_streams.h"

extern const hit_kernel multiply;
hit_status multiply_cuda(const hit_run *run);

static void run_on_host(void *argument)
{
    (void)multiply.host(argument); /* cannot fail */
}

hit_status multiply_cuda(const hit_run *run)
{
    hit_run *copy = malloc(sizeof(*copy));

    if (copy == NULL) return HIT_E_NOMEM;
    *copy = *run;
    return fake_enqueue(hit_cuda_call_of(run)->queue, run_on_host, copy) == cudaSuccess
               ? HIT_OK
               : HIT_E_DEVICE;
}
