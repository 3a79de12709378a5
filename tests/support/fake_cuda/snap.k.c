/* SPDX-License-Identifier: MIT
 * The same for each index, but whole columns or whole rows are brought for it. */
#include "hit/kernel.h"

/* clang-format off */
HIT_KERNEL(by_column, (i, j),
    (out, float, y, "[i, j]"),
    (in,  float, x, "[:, j]"))
{
    hit(y, i, j) = hit(x, i, j) + 1.0f;
}

HIT_KERNEL(by_row, (i, j),
    (out, float, y, "[i, j]"),
    (in,  float, x, "[i, :]"))
{
    hit(y, i, j) = hit(x, i, j) + 1.0f;
}
/* clang-format on */
