/* SPDX-License-Identifier: MIT
 * How much two tiles differ, summed up as it comes and exactly. */
#include "hit/sum.h"

HIT_KERNEL(plain_residual, (i, j), (sum, double, total, "[]"), (in, float, a, "[i, j]"),
           (in, float, b, "[i, j]"))
{
    const double apart = (double)hit(a, i, j) - hit(b, i, j);

    hit(total) += apart * apart;
}

HIT_KERNEL(exact_residual, (i, j), (reduce, hit_sum, total, "[]"),
           (in, float, a, "[i, j]"), (in, float, b, "[i, j]"))
{
    const double apart = (double)hit(a, i, j) - hit(b, i, j);

    hit_sum_add(&hit(total), apart * apart);
}
