/* SPDX-License-Identifier: MIT
 * Internal to the CUDA device: its state, and the grids it starts itself. */
#ifndef HIT_CUDA_IMPL_H
#define HIT_CUDA_IMPL_H

#include "hit/base/trace.h"
#include "hit/cuda/blas.h"
#include "hit/device/device.h"
#include "hit/kernel_cuda_run.h"

#include <cuda_runtime_api.h>

HIT_C_BEGIN

enum {
    HIT_CUDA_RING = 2, /* one slot is filled while the other is sent */
    HIT_CUDA_RING_BYTES = 4 * 1024 * 1024, /* of one slot */
    HIT_CUDA_MARKS = 64 /* per lane; an older one waits for more than it must */
};

/** A slot of pinned memory, and what the host does with it when the stream comes there.
 */
typedef struct hit_cuda_slot {
    char *memory; /**< pinned; devices can read and write it too */
    hit_ndcopy copy;
    const char *from;
    char *to;
    cudaEvent_t idle;
} hit_cuda_slot;

/** A lane: a stream, its pinned memory, and marks in it. */
typedef struct hit_cuda_lane {
    cudaStream_t stream;
    hit_cuda_slot slot[HIT_CUDA_RING];
    int next; /**< slot of the ring */
    uint64_t marks;
    cudaEvent_t mark[HIT_CUDA_MARKS];
} hit_cuda_lane;

/** A kernel or a copy between two events of its lane's stream. */
typedef struct hit_cuda_span {
    const char *what; /**< borrowed, as in a trace */
    hit_lane lane;
    hit_trace_lane shown; /**< in which lane of the trace */
    uint64_t bytes;
    cudaEvent_t start;
    cudaEvent_t end;
} hit_cuda_span;

/** Those since the device was last waited for; their events are used again. */
typedef struct hit_cuda_spans {
    hit_cuda_span *span;
    size_t count;
    size_t made; /**< have events */
    size_t room;
    cudaEvent_t now;
} hit_cuda_spans;

typedef struct hit_cuda {
    int device;
    size_t limit_bytes; /**< for the arena */
    size_t
        partial_limit_bytes; /**< for partial results of reductions, beside the arena */
    hit_cuda_lane lane[HIT_LANES];
    hit_links links;    /**< how copies cross; nothing is known until it is set */
    void *blas;         /**< cublasHandle_t; NULL until a whole-box kernel runs */
    void *blas_library; /**< as dlopen() knows it; NULL until then */
    bool blas_absent;   /**< it could not be loaded, and is not tried again */
    char *partial;      /**< partial_limit_bytes of device memory; NULL until needed */
    size_t total_bytes;
    uint64_t refused_bytes;  /**< of the host's memory: could not be pinned */
    uint64_t unpinned_bytes; /**< copied from or to memory that is not pinned */
    const char *started; /**< borrowed: the kernel that was started last; NULL: none */
    hit_trace *trace;    /**< borrowed; NULL: nothing is recorded */
    hit_cuda_spans spans;
    bool meter_tried; /**< whether it has a meter is known */
    char bus[32];     /**< its place on the bus, once that is tried */
    void *gpu;        /**< as the library of the meter knows it */
    void *energy;     /**< the function that reads it; NULL: there is no meter */
    char name[256];
} hit_cuda;

/** HIT_OK, or the failure of @p what as a status. */
hit_status hit_cuda_check(cudaError_t error, const char *what);

/** Does CUDA know it as memory of that type? */
bool hit_cuda_has(const void *memory, enum cudaMemoryType type);

HIT_C_END

/* copy.c: Internal to the CUDA device: copies. */

/** The operations of the device that have a file of their own. */
hit_status hit_cuda_copy(void *state, hit_lane lane, hit_way way, const hit_view *from,
                         const hit_view *to, const hit_domain *domain);

/* run.c: Internal to the CUDA device: kernels. */

hit_status hit_cuda_run(void *state, const hit_kernel *kernel, const hit_run *run,
                        const hit_domain need[]);

/* meter.c: Internal to the CUDA device: its energy. */

bool hit_cuda_meter(void *state, char name[32], double *joules);

/* trace.c: Internal to the CUDA device: events of lanes, for traces. */

/** What is put into the stream of @p lane until hit_cuda_span_end() is one event of the
 * trace, in its lane @p shown. NULL if nothing is recorded; what cannot be recorded
 * counts as lost and fails nothing. One at a time. */
hit_cuda_span *hit_cuda_span_begin(hit_cuda *self, hit_lane lane, hit_trace_lane shown);

/** Accepts NULL. */
void hit_cuda_span_end(hit_cuda *self, hit_cuda_span *span, const char *what,
                       uint64_t bytes);

/** Put them into the trace. All lanes have been waited for. */
void hit_cuda_spans_put(hit_cuda *self);

void hit_cuda_spans_clear(hit_cuda_spans *spans);

/* move.cu: strided copies by a kernel. */

HIT_C_BEGIN

/** hit_ndcopy_run() in memory that the device can reach. */
hit_status hit_cuda_move(cudaStream_t stream, const hit_ndcopy *copy, const void *from,
                         void *to);

HIT_C_END

/* reduce.cu: reductions. */

HIT_C_BEGIN

/** Fill @p count elements of device memory with hit_reduce_identity(). */
hit_status hit_cuda_identity(cudaStream_t stream, hit_mode mode, hit_type type,
                             void *data, hit_index count);

/** Combine @p chunks arrays of @p count elements, which lie one behind the other, into
 * the first; always in the same order. */
hit_status hit_cuda_fold(cudaStream_t stream, hit_mode mode, hit_type type, void *data,
                         hit_index count, hit_index chunks);

/** hit_reduce_combine() of the whole domain of @p onto from a dense array. */
hit_status hit_cuda_combine(cudaStream_t stream, hit_mode mode, hit_type type,
                            const hit_view *onto, const void *from);

HIT_C_END

#endif
