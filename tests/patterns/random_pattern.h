/* SPDX-License-Identifier: MIT
 * Random patterns of all forms the parser knows, with many of the common ones among them.
 */
#ifndef TESTS_PATTERNS_RANDOM_PATTERN_H
#define TESTS_PATTERNS_RANDOM_PATTERN_H

#include "patterns/pattern.h"
#include "tests/support/check_main.h"

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

static inline hit_range random_range(hit_random *random, int index_dims, hit_index most)
{
    hit_index from = hit_random_index(random, -most, most);
    hit_index to = hit_random_index(random, from, most);
    int dim = (int)hit_random_index(random, 0, index_dims - 1);
    hit_range range = hit_range_follow(dim, from, to);

    switch (hit_random_index(random, 0, 7)) {
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
