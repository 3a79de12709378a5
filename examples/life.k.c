/* SPDX-License-Identifier: MIT
 * The game of life: a cell lives next if it has three neighbours, or two and lives now.
 */
#include "hit/kernel.h"

/* the arguments of a kernel are a table */
/* clang-format off */

HIT_KERNEL(life, (i, j),
    (out, uint8_t, next, "[i, j]"),
    (in,  uint8_t, now,  "[i-1:i+1, j-1:j+1]"))
{
    const int around = hit(now, i - 1, j - 1) + hit(now, i - 1, j) + hit(now, i - 1, j + 1) +
                       hit(now, i, j - 1) + hit(now, i, j + 1) +
                       hit(now, i + 1, j - 1) + hit(now, i + 1, j) + hit(now, i + 1, j + 1);

    hit(next, i, j) = (uint8_t)(around == 3 || (around == 2 && hit(now, i, j) == 1));
}
