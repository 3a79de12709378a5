/* SPDX-License-Identifier: MIT
 * Kernels of the played GPU run when their stream gets to them, not when launched. */
#include "late.h"

#include "hit/kernel_cuda_run.h"

#include <stdlib.h>
#include <string.h>

#include "fake_streams.h"

enum {
    VALUE_BYTES = 64
};

typedef struct late {
    hit_run run;
    hit_kernel_function body;
    _Alignas(16) char value[HIT_MAX_ARGS][VALUE_BYTES];
} late;

static void run_now(void *argument)
{
    const late *one = argument;

    if (one->body(&one->run) != HIT_OK) abort(); /* a wrong test */
}

hit_status fake_run_late(const hit_run *run, int args, const hit_kernel_arg arg[],
                         hit_kernel_function body)
{
    late *one = malloc(sizeof(*one));

    if (one == NULL) return HIT_E_NOMEM;
    one->run = *run;
    one->run.threads = 1;
    one->body = body;
    for (int a = 0; a < args; a++) {
        if (arg[a].mode != HIT_MODE_VALUE) continue;
        if (arg[a].type.size_bytes > VALUE_BYTES) abort(); /* a wrong test */
        memcpy(one->value[a], run->slot[a].base, arg[a].type.size_bytes);
        one->run.slot[a].base = one->value[a];
    }
    return fake_enqueue(hit_cuda_call_of(run)->queue, run_now, one) == cudaSuccess
               ? HIT_OK
               : HIT_E_DEVICE;
}
