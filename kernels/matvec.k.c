/* SPDX-License-Identifier: MIT
 * y = A x, one element of y per index: a body that loops over what ":" gives it. */
#include "hit/kernel.h"
#include "kernels/kernels.h"

/* the arguments of a kernel are a table */
/* clang-format off */

HIT_OPERATIONS_ALONG(matvec_float, 2, 1, 1);
HIT_KERNEL(matvec_float, (i),
    (out, float, y, "[i]"),
    (in,  float, a, "[i, :]"),
    (in,  float, x, "[:]"))
{
    float total = 0;

    for (hit_index j = hit_begin(a, 1); j <= hit_end(a, 1); j++) {
        total += hit(a, i, j) * hit(x, j);
    }
    hit(y, i) = total;
}

HIT_OPERATIONS_ALONG(matvec_double, 2, 1, 1);
HIT_KERNEL(matvec_double, (i),
    (out, double, y, "[i]"),
    (in,  double, a, "[i, :]"),
    (in,  double, x, "[:]"))
{
    double total = 0;

    for (hit_index j = hit_begin(a, 1); j <= hit_end(a, 1); j++) {
        total += hit(a, i, j) * hit(x, j);
    }
    hit(y, i) = total;
}
