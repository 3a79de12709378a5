/* SPDX-License-Identifier: MIT
 * Strided and interleaved needs: passes of a sort or of an FFT, grids of a multigrid. */
#include "hit/kernel.h"

HIT_KERNEL(pairs, (b, o), (inout, int32_t, x, "[4*b+o] [4*b+o+2]"))
{
    const int32_t p = hit(x, 4 * b + o);
    const int32_t q = hit(x, 4 * b + o + 2);

    hit(x, 4 * b + o) = p < q ? p : q;
    hit(x, 4 * b + o + 2) = p < q ? q : p;
}

HIT_KERNEL(neighbours, (b), (inout, int32_t, x, "[2*b] [2*b+1]"))
{
    const int32_t p = hit(x, 2 * b);

    hit(x, 2 * b) = hit(x, 2 * b + 1);
    hit(x, 2 * b + 1) = p;
}

HIT_KERNEL(halves, (i), (out, int32_t, y, "[i]"), (in, int32_t, x, "[2*i] [2*i+1]"))
{
    hit(y, i) = hit(x, 2 * i) + hit(x, 2 * i + 1);
}

HIT_KERNEL(doubles, (i), (out, int32_t, y, "[2*i:2*i+1]"), (in, int32_t, x, "[i]"))
{
    hit(y, 2 * i) = hit(y, 2 * i + 1) = hit(x, i);
}

HIT_KERNEL(around, (i), (out, int32_t, y, "[i]"), (in, int32_t, x, "[i-1:i+1]"))
{
    hit(y, i) = hit(x, i - 1) + hit(x, i + 1);
}

HIT_KERNEL(backwards, (i), (out, int32_t, y, "[i]"), (in, int32_t, x, "[-i]"))
{
    hit(y, i) = hit(x, -i);
}
