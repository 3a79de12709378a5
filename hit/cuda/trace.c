/* SPDX-License-Identifier: MIT
 * When kernels and copies ran on the GPU: an event before and one behind each in its
 * stream. They are not waited for; when the device is waited for anyway, one more event,
 * whose time the host knows, tells when the others were. */
#include "hit/base/alloc.h"
#include "hit/cuda/cuda_impl.h"

#include <stdlib.h>

static void lose(hit_cuda *self, hit_trace_lane shown)
{
    (void)cudaGetLastError(); /* a trace must not fail the next call */
    self->trace->list[shown].lost++;
}

/* One more pair of events. */
static bool make_span(hit_cuda_spans *spans)
{
    hit_cuda_span made = {0};

    if (hit_memory_grow(spans->made + 1, &spans->room, sizeof made, "a trace",
                        &spans->span) != HIT_OK) {
        return false;
    }
    if (cudaEventCreate(&made.start) != cudaSuccess) return false;
    if (cudaEventCreate(&made.end) != cudaSuccess) {
        (void)cudaEventDestroy(made.start);
        return false;
    }
    spans->span[spans->made++] = made;
    return true;
}

hit_cuda_span *hit_cuda_span_begin(hit_cuda *self, hit_lane lane, hit_trace_lane shown)
{
    hit_cuda_spans *spans = &self->spans;
    hit_cuda_span *span;

    if (!hit_trace_on(self->trace)) return NULL;
    if (spans->count == spans->made && !make_span(spans)) {
        lose(self, shown);
        return NULL;
    }
    span = &spans->span[spans->count];
    span->lane = lane;
    span->shown = shown;
    if (cudaEventRecord(span->start, self->lane[lane].stream) == cudaSuccess) return span;
    lose(self, shown);
    return NULL;
}

void hit_cuda_span_end(hit_cuda *self, hit_cuda_span *span, const char *what,
                       uint64_t bytes)
{
    if (span == NULL) return;
    span->what = what;
    span->bytes = bytes;
    if (cudaEventRecord(span->end, self->lane[span->lane].stream) == cudaSuccess) {
        self->spans.count++;
    } else {
        lose(self, span->shown);
    }
}

static void put(hit_cuda *self, const hit_cuda_span *span, double now_s)
{
    float since_start_ms = 0;
    float since_end_ms = 0;

    if (cudaEventElapsedTime(&since_start_ms, span->start, self->spans.now) !=
            cudaSuccess ||
        cudaEventElapsedTime(&since_end_ms, span->end, self->spans.now) != cudaSuccess) {
        lose(self, span->shown);
        return;
    }
    hit_trace_put(self->trace, span->shown,
                  &(hit_trace_event){.what = span->what,
                                     .start_s = now_s - 1e-3 * (double)since_start_ms,
                                     .end_s = now_s - 1e-3 * (double)since_end_ms,
                                     .bytes = span->bytes});
}

static bool know_now(hit_cuda *self)
{
    hit_cuda_spans *spans = &self->spans;

    if (spans->now == NULL && cudaEventCreate(&spans->now) != cudaSuccess) return false;
    return cudaEventRecord(spans->now, self->lane[HIT_LANE_RUN].stream) == cudaSuccess &&
           cudaEventSynchronize(spans->now) == cudaSuccess;
}

void hit_cuda_spans_put(hit_cuda *self)
{
    hit_cuda_spans *spans = &self->spans;
    const bool known = spans->count > 0 && know_now(self);
    const double now_s = spans->count > 0 ? hit_trace_now() : 0;

    for (size_t k = 0; k < spans->count; k++) {
        if (known) {
            put(self, &spans->span[k], now_s);
        } else {
            lose(self, spans->span[k].shown);
        }
    }
    spans->count = 0;
}

void hit_cuda_spans_clear(hit_cuda_spans *spans)
{
    for (size_t k = 0; k < spans->made; k++) {
        (void)cudaEventDestroy(spans->span[k].start);
        (void)cudaEventDestroy(spans->span[k].end);
    }
    if (spans->now != NULL) (void)cudaEventDestroy(spans->now);
    free(spans->span);
}
