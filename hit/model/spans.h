/* SPDX-License-Identifier: MIT
 * Sets of whole numbers >= 0 as ascending spans that do not touch: the loads that a
 * process finishes in time, the sums of such loads. */
#ifndef HIT_MODEL_SPANS_H
#define HIT_MODEL_SPANS_H

#include "hit/base/status.h"

HIT_C_BEGIN

/** All whole numbers from first to last, both included. */
typedef struct hit_span {
    hit_index first;
    hit_index last;
} hit_span;

/** Start with {0}; @owner the caller that filled it: hit_spans_clear() */
typedef struct hit_spans {
    size_t count;
    size_t capacity;
    hit_span *span;
} hit_spans;

/** Add @p first..@p last, which must not begin before the last span does; spans that
 * touch become one. @errors HIT_E_NOMEM */
HIT_API hit_status hit_spans_append(hit_spans *spans, hit_index first, hit_index last);
/** Make it empty and keep the memory. */
HIT_API void hit_spans_empty(hit_spans *spans);
/** Give the memory back. */
HIT_API void hit_spans_clear(hit_spans *spans);
/** Append the numbers of @p a and of @p b to the empty @p both. @errors HIT_E_NOMEM */
HIT_API hit_status hit_spans_unite(const hit_spans *a, const hit_spans *b,
                                   hit_spans *both);

HIT_C_END

#endif
