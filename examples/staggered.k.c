/* SPDX-License-Identifier: MIT
 * Sound: pressure in the middle of cells, velocity on the faces between them. */
#include "hit/kernel.h"

/* the arguments of a kernel are a table */
/* clang-format off */

HIT_KERNEL(push_down, (i, j),
    (inout, double, down,     "[i, j]"),
    (in,    double, pressure, "[i-1:i, j]"))
{
    hit(down, i, j) -= 0.5 * (hit(pressure, i, j) - hit(pressure, i - 1, j));
}

HIT_KERNEL(push_right, (i, j),
    (inout, double, right,    "[i, j]"),
    (in,    double, pressure, "[i, j-1:j]"))
{
    hit(right, i, j) -= 0.5 * (hit(pressure, i, j) - hit(pressure, i, j - 1));
}

HIT_KERNEL(press, (i, j),
    (inout, double, pressure, "[i, j]"),
    (in,    double, down,     "[i:i+1, j]"),
    (in,    double, right,    "[i, j:j+1]"))
{
    hit(pressure, i, j) -= 0.5 * (hit(down, i + 1, j) - hit(down, i, j) +
                                  hit(right, i, j + 1) - hit(right, i, j));
}
