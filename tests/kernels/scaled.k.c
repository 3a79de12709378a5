/* SPDX-License-Identifier: MIT
 * A kernel for two programs: tests/kernels/test_strict.c. */
#include "hit/kernel.h"

HIT_KERNEL(scaled, (i), (inout, double, x, "[i]"), (value, double, factor))
{
    hit(x, i) *= factor;
}
