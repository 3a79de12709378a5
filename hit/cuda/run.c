/* SPDX-License-Identifier: MIT
 * Kernels on the GPU. A reduction is cut into chunks that add to partial results of their
 * own; how many depends on sizes only, and they are combined in a fixed order, so that
 * the bits of a result are the same from run to run. */
#include "hit/cuda/cuda_impl.h"
#include "patterns/kernel_impl.h"
#include "patterns/reduce.h"

enum {
    FOLD_THREADS = 1 << 17, /* wished for in a reduction: enough for the largest GPU */
    ALIGN = 16
};

static size_t partial_bytes(const hit_kernel_arg *arg, const hit_domain *need)
{
    size_t bytes = (size_t)hit_domain_count(need) * arg->type.size_bytes;
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* How many chunks of the dimensions @p dims: enough threads with the indices that are
 * kept, as far as there is memory for partial results. */
static hit_index chunks_for(const hit_cuda *self, const hit_kernel *kernel,
                            const hit_run *run, unsigned dims, const hit_domain need[])
{
    hit_index kept = 1;
    hit_index reduced = 1;
    size_t bytes = 0;

    for (int d = 0; d < kernel->dims; d++) {
        *((dims >> d & 1u) != 0 ? &reduced : &kept) *= hit_run_extent(run, d);
    }
    for (int a = 0; a < kernel->args; a++) {
        if (!hit_mode_reduces(kernel->arg[a].mode)) continue;
        bytes += partial_bytes(&kernel->arg[a], &need[a]);
    }
    if (kept == 0) return 1;
    hit_index chunks = FOLD_THREADS / kept;
    hit_index most = bytes == 0 ? 1 : (hit_index)(self->partial_limit_bytes / bytes);
    if (chunks > reduced) chunks = reduced;
    if (chunks > most) chunks = most;
    return chunks < 1 ? 1 : chunks;
}

static hit_status take_partial(hit_cuda *self)
{
    void *memory = NULL;

    if (self->partial != NULL) return HIT_OK;
    HIT_TRY(hit_cuda_check(cudaMalloc(&memory, self->partial_limit_bytes),
                           "cudaMalloc of memory for partial results"));
    self->partial = memory;
    return HIT_OK;
}

/* Let the reduction arguments lie in the partial results, where nothing has been added
 * yet. */
static hit_status redirect(const hit_cuda *self, const hit_kernel *kernel,
                           const hit_domain need[], hit_cuda_call *call, hit_run *run)
{
    char *data = self->partial;

    for (int a = 0; a < kernel->args; a++) {
        const hit_kernel_arg *arg = &kernel->arg[a];
        if (!hit_mode_reduces(arg->mode) || hit_domain_is_empty(&need[a])) continue;
        call->partial[a] = hit_domain_count(&need[a]);
        HIT_TRY(hit_cuda_identity(self->lane[HIT_LANE_RUN].stream, arg->mode, arg->type,
                                  data, call->partial[a] * call->chunks));
        run->slot[a] =
            hit_reduce_slot(&run->slot[a], &need[a], arg->type.size_bytes, data);
        run->dense = run->dense && run->slot[a].dense;
        data += (size_t)call->chunks * partial_bytes(arg, &need[a]);
    }
    return HIT_OK;
}

static hit_status merge(const hit_cuda *self, const hit_kernel *kernel,
                        const hit_run *run, const hit_domain need[], hit_index chunks)
{
    char *data = self->partial;

    for (int a = 0; a < kernel->args; a++) {
        const hit_kernel_arg *arg = &kernel->arg[a];
        if (!hit_mode_reduces(arg->mode) || hit_domain_is_empty(&need[a])) continue;
        hit_view onto = hit_reduce_view(&run->slot[a], &need[a], arg->type.size_bytes);
        HIT_TRY(hit_cuda_fold(self->lane[HIT_LANE_RUN].stream, arg->mode, arg->type, data,
                              hit_domain_count(&need[a]), chunks));
        HIT_TRY(hit_cuda_combine(self->lane[HIT_LANE_RUN].stream, arg->mode, arg->type,
                                 &onto, data));
        data += (size_t)chunks * partial_bytes(arg, &need[a]);
    }
    return HIT_OK;
}

static hit_status run_reduction(hit_cuda *self, const hit_kernel *kernel,
                                const hit_run *run, hit_cuda_call *call,
                                const hit_domain need[])
{
    HIT_TRY(hit_reduce_dims(kernel, &call->reduced));
    if (call->reduced == 0) return hit_kernel_call(kernel, kernel->cuda, run);
    call->chunks = chunks_for(self, kernel, run, call->reduced, need);
    if (call->chunks == 1) { /* straight onto the tile */
        return hit_kernel_call(kernel, kernel->cuda, run);
    }

    hit_run part = *run;
    HIT_TRY(take_partial(self));
    HIT_TRY(redirect(self, kernel, need, call, &part));
    HIT_TRY(hit_kernel_call(kernel, kernel->cuda, &part));
    return merge(self, kernel, run, need, call->chunks);
}

static hit_status start(hit_cuda *self, const hit_kernel *kernel, const hit_run *run,
                        const hit_domain need[])
{
    hit_cuda_call call = {.queue = self->lane[HIT_LANE_RUN].stream, .device = self};
    hit_run mine = *run;

    mine.device = &call;
    if (kernel->whole_box) {
        HIT_TRY(hit_cuda_blas_start(self));
        call.blas = self->blas;
        call.blas_library = self->blas_library;
        return hit_kernel_call(kernel, kernel->cuda, &mine);
    }
    return hit_kernel_reduces(kernel) ? run_reduction(self, kernel, &mine, &call, need)
                                      : hit_kernel_call(kernel, kernel->cuda, &mine);
}

hit_status hit_cuda_run(void *state, const hit_kernel *kernel, const hit_run *run,
                        const hit_domain need[])
{
    hit_cuda *self = state;
    hit_cuda_span *span;
    hit_status status;

    if (kernel->cuda == NULL) {
        return HIT_FAIL(HIT_E_ABSENT, "kernel %s has no implementation for CUDA devices",
                        kernel->name);
    }
    if (hit_run_is_empty(run, kernel->dims)) return HIT_OK;
    HIT_TRY(hit_cuda_check(cudaSetDevice(self->device), "cudaSetDevice"));
    self->started = kernel->name;
    span = hit_cuda_span_begin(self, HIT_LANE_RUN, HIT_TRACE_RUN);
    status = start(self, kernel, run, need);
    hit_cuda_span_end(self, span, kernel->name, 0);
    return status;
}
