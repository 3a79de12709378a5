/* SPDX-License-Identifier: MIT
 * A sum that shows how often it was computed. */
#include "hit/kernel.h"
#include "tests/layouts/nap.h"

/* clang-format off */
HIT_KERNEL(axpy_in_two, (i, j),
    (inout, float, y, "[i, j]"),
    (in,    float, x, "[i, j]"),
    (value, float, a))
{
    hit(y, i, j) += a * hit(x, i, j);
}
/* clang-format on */
