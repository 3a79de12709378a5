/* SPDX-License-Identifier: MIT
 * Sums around an element that reach 0 to 4 elements far. */
#include "hit/kernel.h"

/* clang-format off */
#define REACH(r)                                                                         \
    HIT_KERNEL(reach_##r, (i, j), (out, int64_t, to, "[i, j]"),                          \
               (in, int64_t, from, "[i-" #r ":i+" #r ", j] [i, j-" #r ":j+" #r "]"))       \
    {                                                                                    \
        hit(to, i, j) = (3 * hit(from, i, j) + 5 * hit(from, i - r, j) +                 \
                         7 * hit(from, i + r, j) + 11 * hit(from, i, j - r) +            \
                         13 * hit(from, i, j + r)) % 1000003;                            \
    }

REACH(0)
REACH(1)
REACH(2)
REACH(3)
REACH(4)
