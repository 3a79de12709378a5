/* SPDX-License-Identifier: MIT
 * Internal: products and sums of indices that fit no 64 bits. */
#ifndef HIT_DATA_WIDE_H
#define HIT_DATA_WIDE_H

/** Wide enough for a product of two indices. */
__extension__ typedef __int128 hit_wide;

/** >= 0; of 0 and x it is |x|. */
static inline hit_wide hit_wide_gcd(hit_wide a, hit_wide b)
{
    while (b != 0) {
        const hit_wide rest = a % b;

        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/** Rounded down; b > 0. */
static inline hit_wide hit_wide_floor_div(hit_wide a, hit_wide b)
{
    return a / b - (a % b < 0);
}

#endif
