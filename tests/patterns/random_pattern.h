/* SPDX-License-Identifier: MIT
 * Random patterns of all forms the parser knows, with many of the common ones among them.
 */
#ifndef TESTS_PATTERNS_RANDOM_PATTERN_H
#define TESTS_PATTERNS_RANDOM_PATTERN_H

#include "hit/data/sig.h"
#include "patterns/pattern.h"
#include "tests/support/check_main.h"

static inline bool affine_equal(const hit_affine *a, const hit_affine *b)
{
    if (a->infinite || b->infinite) return a->infinite == b->infinite;
    return hit_affine_is_parallel(a, b) && a->offset == b->offset;
}

static inline bool pattern_equal(const hit_pattern *a, const hit_pattern *b)
{
    if (a->count != b->count || a->tile_dims != b->tile_dims) return false;
    if (a->only_read != b->only_read) return false;
    for (int n = 0; n < a->count; n++) {
        for (int d = 0; d < a->tile_dims; d++) {
            const hit_range *left = &a->access[n].range[d];
            const hit_range *right = &b->access[n].range[d];
            if (!affine_equal(&left->begin, &right->begin)) return false;
            if (!affine_equal(&left->end, &right->end)) return false;
            if (left->stride != right->stride) return false;
        }
    }
    return true;
}

static inline hit_affine random_affine(hit_random *random, int index_dims, hit_index most)
{
    hit_affine affine = {.offset = hit_random_index(random, -most, most)};

    for (int k = 0; k < index_dims; k++) {
        if (hit_random_index(random, 0, 1) == 0) {
            affine.coef[k] = hit_random_index(random, -most, most);
        }
    }
    return affine;
}

/* By its definition, @p limit being that of the tile. */
static inline hit_index affine_at(const hit_affine *affine, hit_index limit,
                                  const hit_index x[])
{
    hit_index sum = affine->inner;
    hit_index quotient = 0;

    if (affine->infinite) return limit;
    for (int k = 0; k < HIT_MAX_DIMS; k++) {
        if (affine->coef[k] != 0) sum += affine->coef[k] * x[k];
    }
    if (affine->fold == HIT_FOLD_NONE) return sum + affine->offset;
    while ((quotient + 1) * affine->by <= sum) {
        quotient++;
    }
    while (quotient * affine->by > sum) {
        quotient--;
    }
    if (affine->fold == HIT_FOLD_QUOTIENT) return quotient + affine->offset;
    return sum - quotient * affine->by + affine->offset;
}

/* Divide what has an index. */
static inline void random_fold(hit_random *random, hit_index most, hit_affine *affine)
{
    hit_affine folded = *affine;

    folded.offset = hit_random_index(random, -most, most);
    folded = hit_affine_fold(
        &folded,
        hit_random_index(random, 0, 1) == 0 ? HIT_FOLD_QUOTIENT : HIT_FOLD_REMAINDER,
        hit_random_index(random, 2, most + 2 < most ? most : most + 2));
    folded.offset = folded.fold == HIT_FOLD_NONE ? folded.offset : affine->offset;
    *affine = folded;
}

static inline bool is_folded(const hit_access *access, int tile_dims)
{
    bool folded = false;

    for (int t = 0; t < tile_dims; t++) {
        folded = folded || access->range[t].begin.fold != HIT_FOLD_NONE ||
                 access->range[t].end.fold != HIT_FOLD_NONE;
    }
    return folded;
}

static inline hit_range random_range(hit_random *random, int index_dims, hit_index most)
{
    hit_index from = hit_random_index(random, -most, most);
    hit_index to = hit_random_index(random, from, most);
    int dim = (int)hit_random_index(random, 0, index_dims - 1);
    hit_range range = hit_range_follow(dim, from, to);

    switch (hit_random_index(random, 0, 10)) {
    case 0:
        range = hit_range_all();
        break;
    case 1:
        range = hit_range_fixed(from, to);
        break;
    case 2:
        range.begin = range.end;
        break;
    case 3:
        range.begin = random_affine(random, index_dims, most);
        range.end = range.begin;
        range.end.offset = hit_random_index(random, range.begin.offset, most);
        break;
    case 4:
        range.begin = random_affine(random, index_dims, most);
        range.end = random_affine(random, index_dims, most);
        break;
    case 5:
        range.begin = (hit_affine){.infinite = true};
        break;
    case 6:
        range.end = (hit_affine){.infinite = true};
        break;
    case 7: /* "[i/2:i/2+1]" */
        random_fold(random, most, &range.begin);
        range.end = range.begin;
        range.end.offset = hit_random_index(random, range.begin.offset, most);
        break;
    case 8:
        if (hit_random_index(random, 0, 1) == 0) {
            range.begin = random_affine(random, index_dims, most);
        }
        random_fold(random, most, &range.begin);
        if (hit_random_index(random, 0, 1) == 0) range.end = range.begin;
        break;
    case 9:
        random_fold(random, most, &range.end);
        if (hit_random_index(random, 0, 1) == 0) range.begin = (hit_affine){0};
        break;
    default:
        break;
    }
    if (hit_random_index(random, 0, 2) == 0) {
        range.stride = hit_random_index(random, 1, most);
    }
    if (hit_range_is_void(&range)) range.end = range.begin;
    return range;
}

/* Up to three expressions with coefficients, offsets and strides up to most; clear it
 * after use. */
static inline hit_pattern random_pattern(hit_random *random, int index_dims,
                                         int tile_dims, hit_index most)
{
    int count = (int)hit_random_index(random, 1, 3);
    hit_pattern pattern;

    ck_assert_int_eq(hit_pattern_init(index_dims, tile_dims, &pattern), HIT_OK);
    for (int n = 0; n < count; n++) {
        hit_access access = {0};
        for (int d = 0; d < tile_dims; d++) {
            access.range[d] = random_range(random, index_dims, most);
        }
        ck_assert_int_eq(hit_pattern_add(&pattern, &access), HIT_OK);
    }
    return pattern;
}

#endif
