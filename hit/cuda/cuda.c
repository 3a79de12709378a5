/* SPDX-License-Identifier: MIT
 * The CUDA device: discovery, memory and its limit. Each lane is a stream, marks are
 * events in it. Only the runtime library is linked, never the driver: a program
 * starts on a machine without a GPU and is told here why there is none. Copies are in
 * copy.c, kernels in run.c, cuBLAS in blas.c, traces in trace.c, energy in meter.c. */
#include "hit/base/memory.h"
#include "hit/cuda/cuda_impl.h"

#include <stdio.h>

enum {
    MIB = 1 << 20,
    PARTIAL_SHARE = 64,    /* of the limit, set aside for partial results ... */
    PARTIAL_MOST_MIB = 256 /* ... but not more than this */
};

hit_status hit_cuda_check(cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return HIT_OK;
    (void)cudaGetLastError(); /* a failed allocation must not fail the next call */
    return HIT_FAIL(error == cudaErrorMemoryAllocation ? HIT_E_NOMEM : HIT_E_DEVICE,
                    "%s: %s (CUDA error %d)", what, cudaGetErrorString(error),
                    (int)error);
}

static int cuda_count(const char **why)
{
    int count = 0;
    hit_status st = hit_cuda_check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");

    if (st == HIT_OK && count == 0) {
        (void)HIT_FAIL(HIT_E_ABSENT, "cudaGetDeviceCount: no GPU on this machine");
    }
    if (st != HIT_OK) count = 0;
    if (count == 0 && why != NULL) *why = hit_status_text();
    return count;
}

static void close_lane(hit_cuda_lane *lane)
{
    if (lane->stream != NULL) (void)cudaStreamSynchronize(lane->stream);
    for (int k = 0; k < HIT_CUDA_RING; k++) {
        if (lane->slot[k].idle != NULL) (void)cudaEventDestroy(lane->slot[k].idle);
        if (lane->slot[k].memory != NULL) (void)cudaFreeHost(lane->slot[k].memory);
    }
    for (int k = 0; k < HIT_CUDA_MARKS; k++) {
        if (lane->mark[k] != NULL) (void)cudaEventDestroy(lane->mark[k]);
    }
}

static void cuda_close(void *state)
{
    hit_cuda *self = state;

    /* nothing useful can be said about failures here */
    (void)cudaSetDevice(self->device);
    for (int k = 0; k < HIT_LANES; k++) {
        close_lane(&self->lane[k]);
    }
    hit_cuda_blas_stop(self);
    if (self->partial != NULL) (void)cudaFree(self->partial);
    hit_cuda_spans_clear(&self->spans);
    for (int k = 0; k < HIT_LANES; k++) {
        if (self->lane[k].stream != NULL) (void)cudaStreamDestroy(self->lane[k].stream);
    }
    free(self);
}

static hit_status check_limit(const hit_device_spec *spec, const hit_cuda *self)
{
    char total[32];
    char wanted[32];

    if (spec->memory_bytes <= self->total_bytes) return HIT_OK;
    hit_memory_print(self->total_bytes, total, sizeof(total));
    hit_memory_print(spec->memory_bytes, wanted, sizeof(wanted));
    return HIT_FAIL(HIT_E_ARG,
                    "device cuda:%d: expected memory= of at most %s, which is "
                    "what it has, but found %s",
                    spec->index, total, wanted);
}

/* What is not set aside for partial results may be filled with tiles. Without a limit of
 * the user a sixteenth of what is free stays for cuBLAS and for others. */
static hit_status set_limits(const hit_device_spec *spec, hit_cuda *self)
{
    struct cudaDeviceProp properties;
    size_t free_bytes = 0;

    HIT_TRY(hit_cuda_check(cudaGetDeviceProperties(&properties, self->device),
                           "cudaGetDeviceProperties"));
    HIT_TRY(hit_cuda_check(cudaMemGetInfo(&free_bytes, &self->total_bytes),
                           "cudaMemGetInfo"));
    HIT_TRY(check_limit(spec, self));
    snprintf(self->name, sizeof(self->name), "%s", properties.name);
    size_t limit =
        spec->memory_bytes > 0 ? spec->memory_bytes : free_bytes - free_bytes / 16;
    size_t partial = limit / PARTIAL_SHARE;
    size_t most = (size_t)PARTIAL_MOST_MIB * MIB;
    self->partial_limit_bytes = partial < most ? partial : most;
    self->limit_bytes = limit - self->partial_limit_bytes;
    return HIT_OK;
}

static hit_status make_event(cudaEvent_t *event)
{
    return hit_cuda_check(cudaEventCreateWithFlags(event, cudaEventDisableTiming),
                          "cudaEventCreateWithFlags");
}

static hit_status open_lane(hit_cuda_lane *lane)
{
    HIT_TRY(
        hit_cuda_check(cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking),
                       "cudaStreamCreateWithFlags"));
    for (int k = 0; k < HIT_CUDA_RING; k++) {
        void *memory = NULL;
        HIT_TRY(hit_cuda_check(cudaMallocHost(&memory, HIT_CUDA_RING_BYTES),
                               "cudaMallocHost"));
        lane->slot[k].memory = memory;
        HIT_TRY(make_event(&lane->slot[k].idle));
    }
    for (int k = 0; k < HIT_CUDA_MARKS; k++) {
        HIT_TRY(make_event(&lane->mark[k]));
    }
    return HIT_OK;
}

static hit_status cuda_open(const hit_device_spec *spec, void **state)
{
    const char *why = "";
    int count = cuda_count(&why);
    hit_cuda *self = NULL;
    hit_status st = HIT_OK;

    if (count == 0) {
        return HIT_FAIL(HIT_E_ABSENT, "no device cuda:%d: %s", spec->index, why);
    }
    if (spec->index < 0 || spec->index >= count) {
        return HIT_FAIL(HIT_E_ABSENT,
                        "no device cuda:%d: there are %d, cuda:0 to cuda:%d", spec->index,
                        count, count - 1);
    }
    HIT_TRY(hit_memory_zeroed(1, sizeof(*self), &self));
    self->device = spec->index;
    self->trace = spec->trace;
    HIT_TRY_GOTO(st, hit_cuda_check(cudaSetDevice(self->device), "cudaSetDevice"), close);
    HIT_TRY_GOTO(st, set_limits(spec, self), close);
    for (int k = 0; k < HIT_LANES; k++) {
        HIT_TRY_GOTO(st, open_lane(&self->lane[k]), close);
    }
    *state = self;
    return HIT_OK;

close:
    cuda_close(self);
    return st;
}

static void cuda_describe(const void *state, char *text, size_t size)
{
    const hit_cuda *self = state;
    char total[32];
    char limit[32];
    char refused[32];
    char unpinned[32];
    char note[128] = "";

    hit_memory_print(self->total_bytes, total, sizeof(total));
    hit_memory_print(self->limit_bytes, limit, sizeof(limit));
    hit_memory_print(self->refused_bytes, refused, sizeof(refused));
    hit_memory_print(self->unpinned_bytes, unpinned, sizeof(unpinned));
    if (self->refused_bytes > 0) {
        snprintf(note, sizeof(note),
                 "; %s of host memory could not be pinned, %s copied from or to such",
                 refused, unpinned);
    }
    snprintf(text, size, "%s, %s, of which %s for tiles%s", self->name, total, limit,
             note);
}

static size_t cuda_memory_bytes(const void *state)
{
    const hit_cuda *self = state;
    return self->limit_bytes;
}

static hit_status cuda_allocate(void *state, size_t size_bytes, void **memory)
{
    const hit_cuda *self = state;
    char what[64];

    snprintf(what, sizeof(what), "cudaMalloc of %zu bytes", size_bytes);
    HIT_TRY(hit_cuda_check(cudaSetDevice(self->device), "cudaSetDevice"));
    return hit_cuda_check(cudaMalloc(memory, size_bytes == 0 ? 1 : size_bytes), what);
}

static void cuda_release(void *state, void *memory)
{
    const hit_cuda *self = state;

    /* that cudaFree() waits for streams such as these is nowhere promised */
    (void)cudaSetDevice(self->device);
    for (int k = 0; k < HIT_LANES; k++) {
        (void)cudaStreamSynchronize(self->lane[k].stream);
    }
    (void)cudaFree(memory);
    (void)cudaGetLastError();
}

static void cuda_pin(void *state, void *memory, size_t size_bytes)
{
    hit_cuda *self = state;

    /* may be refused: too much is pinned, or other memory on the same page */
    (void)cudaSetDevice(self->device);
    if (cudaHostRegister(memory, size_bytes, cudaHostRegisterPortable) == cudaSuccess) {
        return;
    }
    (void)cudaGetLastError();
    self->refused_bytes += size_bytes;
    if (hit_trace_on(self->trace)) self->trace->refused_bytes += size_bytes;
}

static void cuda_unpin(void *state, void *memory)
{
    const hit_cuda *self = state;

    (void)cudaSetDevice(self->device);
    if (cudaHostUnregister(memory) != cudaSuccess) (void)cudaGetLastError();
}

bool hit_cuda_has(const void *memory, enum cudaMemoryType type)
{
    struct cudaPointerAttributes of;

    if (cudaPointerGetAttributes(&of, memory) == cudaSuccess) return of.type == type;
    (void)cudaGetLastError();
    return false;
}

static bool cuda_owns(void *state, const void *memory)
{
    const hit_cuda *self = state;

    (void)cudaSetDevice(self->device);
    return hit_cuda_has(memory, cudaMemoryTypeDevice);
}

static uint64_t cuda_mark(void *state, hit_lane lane)
{
    hit_cuda *self = state;
    hit_cuda_lane *of = &self->lane[lane];

    /* an event that cannot be recorded leaves the one before: after() then waits too
     * little, but the next wait for the device tells the failure */
    (void)cudaSetDevice(self->device);
    (void)cudaEventRecord(of->mark[of->marks % HIT_CUDA_MARKS], of->stream);
    return ++of->marks;
}

static hit_status cuda_after(void *state, hit_lane lane, hit_lane of, uint64_t mark)
{
    hit_cuda *self = state;

    if (lane == of || mark == 0) return HIT_OK;
    HIT_TRY(hit_cuda_check(cudaSetDevice(self->device), "cudaSetDevice"));
    return hit_cuda_check(
        cudaStreamWaitEvent(self->lane[lane].stream,
                            self->lane[of].mark[(mark - 1) % HIT_CUDA_MARKS], 0),
        "cudaStreamWaitEvent");
}

/* CUDA does not say which work failed. After most failures it answers every further call
 * with the same error. */
static hit_status fail_wait(const hit_cuda *self, cudaError_t error)
{
    char what[160] = "work on the GPU";
    hit_status status;

    if (self->started != NULL) {
        snprintf(what, sizeof(what), "work on the GPU, where kernel %s was started last",
                 self->started);
    }
    status = hit_cuda_check(error, what);
    if (cudaGetLastError() == cudaSuccess) return status;
    return HIT_FAIL(status, "%s; this process cannot use the GPU any more",
                    hit_status_text());
}

static hit_status cuda_wait(void *state)
{
    hit_cuda *self = state;
    cudaError_t first = cudaSuccess;

    HIT_TRY(hit_cuda_check(cudaSetDevice(self->device), "cudaSetDevice"));
    for (int k = 0; k < HIT_LANES; k++) {
        const cudaError_t error = cudaStreamSynchronize(self->lane[k].stream);

        if (first == cudaSuccess) first = error;
    }
    hit_cuda_spans_put(self);
    return first == cudaSuccess ? HIT_OK : fail_wait(self, first);
}

/* The event of an old mark may be that of a newer one. */
static hit_status cuda_reached(void *state, hit_lane lane, uint64_t mark, bool *over)
{
    const hit_cuda *self = state;
    cudaError_t error;

    *over = true;
    if (mark == 0) return HIT_OK;
    HIT_TRY(hit_cuda_check(cudaSetDevice(self->device), "cudaSetDevice"));
    error = cudaEventQuery(self->lane[lane].mark[(mark - 1) % HIT_CUDA_MARKS]);
    *over = error != cudaErrorNotReady;
    if (*over) return error == cudaSuccess ? HIT_OK : fail_wait(self, error);
    (void)cudaGetLastError(); /* a kernel that asks for its own must not find this one */
    return HIT_OK;
}

static int cuda_threads(const void *state)
{
    (void)state;
    return 1;
}

static hit_kernel_function cuda_function(const hit_kernel *kernel)
{
    return kernel->cuda;
}

static void cuda_set_links(void *state, const hit_links *links)
{
    hit_cuda *self = state;
    self->links = *links;
}

static const hit_memory_ops memory_ops = {
    .memory_bytes = cuda_memory_bytes,
    .allocate = cuda_allocate,
    .release = cuda_release,
    .pin = cuda_pin,
    .unpin = cuda_unpin,
    .owns = cuda_owns,
    .copy = hit_cuda_copy,
    .mark = cuda_mark,
    .reached = cuda_reached,
    .after = cuda_after,
    .set_links = cuda_set_links,
};

static const hit_processor_ops processor_ops = {
    .async = true,
    .run = hit_cuda_run,
    .threads = cuda_threads,
    .function = cuda_function,
};

const hit_device_ops hit_device_cuda = {
    .kind = "cuda",
    .memory = &memory_ops,
    .processor = &processor_ops,
    .numbered = true,
    .preferred = true,
    .open = cuda_open,
    .close = cuda_close,
    .count = cuda_count,
    .describe = cuda_describe,
    .wait = cuda_wait,
    .meter = hit_cuda_meter,
};
