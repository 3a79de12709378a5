/* SPDX-License-Identifier: MIT
 * Sets of whole numbers as spans. Lists only grow at their end: all that makes them
 * (pieces of a model, sums, unions) walks upwards. */
#include "hit/model/spans.h"

#include "hit/base/alloc.h"

#include <stdbool.h>
#include <stdlib.h>

hit_status hit_spans_append(hit_spans *spans, hit_index first, hit_index last)
{
    if (spans->count > 0) {
        hit_span *end = &spans->span[spans->count - 1];

        if (end->last >= first - 1) {
            if (last > end->last) end->last = last;
            return HIT_OK;
        }
    }
    HIT_TRY(HIT_ONE_MORE(spans->span, spans->count, spans->capacity, "spans"));
    spans->span[spans->count++] = (hit_span){first, last};
    return HIT_OK;
}

void hit_spans_empty(hit_spans *spans)
{
    spans->count = 0;
}

void hit_spans_clear(hit_spans *spans)
{
    free(spans->span);
    *spans = (hit_spans){0};
}

hit_status hit_spans_unite(const hit_spans *a, const hit_spans *b, hit_spans *both)
{
    size_t i = 0;
    size_t j = 0;

    while (i < a->count || j < b->count) {
        bool from_a =
            j == b->count || (i < a->count && a->span[i].first <= b->span[j].first);
        hit_span next = from_a ? a->span[i++] : b->span[j++];

        HIT_TRY(hit_spans_append(both, next.first, next.last));
    }
    return HIT_OK;
}
