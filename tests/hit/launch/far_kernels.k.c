/* SPDX-License-Identifier: MIT
 * Kernels for tiles whose indices are far from 0. */
#include "hit/kernel.h"

HIT_KERNEL(far_line, (i), (out, int64_t, y, "[i]"), (in, int64_t, x, "[i-1:i+1]"))
{
    hit(y, i) = hit(x, i - 1) + 10 * hit(x, i) + 100 * hit(x, i + 1);
}

HIT_KERNEL(far_byte, (i), (inout, uint8_t, x, "[i]"))
{
    hit(x, i) = (uint8_t)(hit(x, i) + (i & 7));
}

HIT_KERNEL(far_plane, (i, j), (out, int64_t, y, "[i, j]"),
           (in, int64_t, x, "[i-1:i+1, j-1:j+2]"))
{
    hit(y, i, j) = hit(x, i - 1, j + 2) + 10 * hit(x, i, j) + 100 * hit(x, i + 1, j - 1);
}

/* 2 MB, which the compiler keeps in memory, and up to three times */
HIT_KERNEL(large_frame, (i, j), (out, double, x, "[i, j]"))
{
    volatile double t[250000];
    double s = 0;

    for (int k = 0; k < 250000; k += 511) {
        t[k] = (double)(k + i);
    }
    for (int k = 0; k < 250000; k += 511) {
        s += t[k];
    }
    hit(x, i, j) = s;
}
