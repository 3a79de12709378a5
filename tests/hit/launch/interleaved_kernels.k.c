/* SPDX-License-Identifier: MIT
 * Kernels that write strided and interleaved elements: passes of a sort and of an FFT,
 * and a diagonal. */
#include "hit/kernel.h"

HIT_KERNEL(pairs, (b, o), (inout, int64_t, x, "[4*b+o] [4*b+o+2]"))
{
    const int64_t p = hit(x, 4 * b + o);
    const int64_t q = hit(x, 4 * b + o + 2);

    hit(x, 4 * b + o) = p + 2 * q;
    hit(x, 4 * b + o + 2) = p - q;
}

HIT_KERNEL(butterflies, (b, o, j), (inout, int64_t, x, "[12*b+2*o+j] [12*b+2*o+j+6]"))
{
    const int64_t p = hit(x, 12 * b + 2 * o + j);

    hit(x, 12 * b + 2 * o + j) += hit(x, 12 * b + 2 * o + j + 6);
    hit(x, 12 * b + 2 * o + j + 6) = 3 * p;
}

HIT_KERNEL(ranges, (b, o), (inout, int64_t, x, "[10*b+5*o:10*b+5*o+2]"))
{
    for (hit_index k = 0; k < 3; k++) {
        hit(x, 10 * b + 5 * o + k) += k + 1;
    }
}

HIT_KERNEL(diagonal, (i), (inout, int64_t, a, "[i, i]"))
{
    hit(a, i, i) += i;
}
