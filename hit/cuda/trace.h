/* SPDX-License-Identifier: MIT
 * Internal to the CUDA device: events of lanes, for traces. */
#ifndef HIT_CUDA_TRACE_H
#define HIT_CUDA_TRACE_H

#include "hit/cuda/cuda_impl.h"

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

#endif
