/* SPDX-License-Identifier: MIT
 * Covers of simple patterns. What patterns/transform.c computes for any pattern is a sum
 * of two numbers for these ([Torres2013] section III.E, regular expressions). */
#include "patterns/pattern_impl.h"

/* The indices that a range follows, as in hit_pattern_bounds. False: they are others. */
static bool follow(const hit_range *range, int *index, int *less)
{
    *index = range->begin.infinite ? -2 : -1;
    *less = -1;
    if (range->begin.fold != HIT_FOLD_NONE || range->end.fold != HIT_FOLD_NONE) {
        return false;
    }
    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        const hit_index coef = range->begin.coef[d];

        if (coef != range->end.coef[d]) return false;
        if (coef == 1 && *index == -1) {
            *index = d;
        } else if (coef == -1 && *less == -1 && *index != -2) {
            *less = d;
        } else if (coef != 0) {
            return false;
        }
    }
    return true;
}

static bool is_simple(const hit_range *range)
{
    if (range->low != NULL || range->high != NULL) return false;
    if (range->stride != 1 || range->begin.infinite != range->end.infinite) return false;
    if (range->begin.infinite) return true;
    return range->begin.offset <= range->end.offset &&
           hit_pattern_is_near(range->begin.offset) &&
           hit_pattern_is_near(range->end.offset);
}

/* Add what lies at or beside low:high in dimension @p t; returns how many do. */
static int join(const hit_pattern *pattern, int t, hit_index *low, hit_index *high)
{
    int joined = 0;

    for (int k = 0; k < pattern->count; k++) {
        const hit_range *range = &pattern->access[k].range[t];

        if (range->begin.offset > *high + 1 || range->end.offset < *low - 1) continue;
        if (range->begin.offset < *low) *low = range->begin.offset;
        if (range->end.offset > *high) *high = range->end.offset;
        joined++;
    }
    return joined;
}

static bool bound(const hit_pattern *pattern, int t, hit_pattern_bounds *made)
{
    const hit_range *first = &pattern->access[0].range[t];
    hit_index low = first->begin.offset;
    hit_index high = first->end.offset;
    int joined = 0;

    if (!follow(first, &made->of[t].follows, &made->of[t].less)) return false;
    for (int k = 0; k < pattern->count; k++) {
        const hit_range *range = &pattern->access[k].range[t];
        int index;
        int less;

        if (!is_simple(range) || !follow(range, &index, &less)) return false;
        if (index != made->of[t].follows || less != made->of[t].less) return false;
    }
    for (int k = 0; k < pattern->count; k++) {
        joined = join(pattern, t, &low, &high);
    }
    made->of[t].low = low; /* 0 where it is the tile's extent, which has no offset */
    made->of[t].high = high;
    return joined == pattern->count;
}

hit_pattern_bounds hit_pattern_bounds_of(const hit_pattern *pattern)
{
    hit_pattern_bounds made = {.dims = pattern->tile_dims};

    made.simple = pattern->count > 0;
    for (int t = 0; t < made.dims && made.simple; t++) {
        made.simple = bound(pattern, t, &made);
    }
    return made;
}

/* Is a signature dense, not empty, and not far away? */
static bool is_plain(const hit_sig *sig)
{
    return sig->stride == 1 && sig->begin >= -HIT_PATTERN_NEAR &&
           sig->end <= HIT_PATTERN_NEAR && sig->begin <= sig->end;
}

bool hit_pattern_bounds_cover(const hit_pattern_bounds *bounds, const hit_domain *tile,
                              const hit_domain *index, hit_domain *cover)
{
    const hit_sig fixed = {0, 0, 1};

    if (!bounds->simple || bounds->dims != tile->dims) return false;
    for (int t = 0; t < tile->dims; t++) {
        const int d = bounds->of[t].follows;
        const hit_sig *at = d >= 0 ? &index->sig[d] : d == -1 ? &fixed : &tile->sig[t];

        const int less = bounds->of[t].less;

        if (tile->sig[t].stride != 1 || !is_plain(at)) return false;
        cover->sig[t] =
            (hit_sig){at->begin + bounds->of[t].low, at->end + bounds->of[t].high, 1};
        if (less < 0) continue;
        if (!is_plain(&index->sig[less])) return false;
        cover->sig[t].begin -= index->sig[less].end;
        cover->sig[t].end -= index->sig[less].begin;
    }
    cover->dims = tile->dims;
    return true;
}
