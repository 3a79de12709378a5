/* SPDX-License-Identifier: MIT
 * Kernels on vectors. Totals are kept in double also for floats: a float total of 2^24
 * ones no longer grows. */
#include "hit/kernel.h"
#include "kernels/kernels.h"

/* the arguments of a kernel are a table */
/* clang-format off */

/* z = x + y */
HIT_OPERATIONS(vector_add_float, 1);
HIT_KERNEL(vector_add_float, (i),
    (out, float, z, "[i]"),
    (in,  float, x, "[i]"),
    (in,  float, y, "[i]"))
{
    hit(z, i) = hit(x, i) + hit(y, i);
}

HIT_OPERATIONS(vector_add_double, 1);
HIT_KERNEL(vector_add_double, (i),
    (out, double, z, "[i]"),
    (in,  double, x, "[i]"),
    (in,  double, y, "[i]"))
{
    hit(z, i) = hit(x, i) + hit(y, i);
}

/* y = y + alpha x */
HIT_OPERATIONS(axpy_float, 2);
HIT_KERNEL(axpy_float, (i),
    (inout, float, y, "[i]"),
    (in,    float, x, "[i]"),
    (value, float, alpha))
{
    hit(y, i) += alpha * hit(x, i);
}

HIT_OPERATIONS(axpy_double, 2);
HIT_KERNEL(axpy_double, (i),
    (inout, double, y, "[i]"),
    (in,    double, x, "[i]"),
    (value, double, alpha))
{
    hit(y, i) += alpha * hit(x, i);
}

/* x = value */
HIT_KERNEL(fill_float, (i),
    (out,   float, x, "[i]"),
    (value, float, value))
{
    hit(x, i) = value;
}

HIT_KERNEL(fill_double, (i),
    (out,   double, x, "[i]"),
    (value, double, value))
{
    hit(x, i) = value;
}

/* x = alpha x */
HIT_OPERATIONS(scale_float, 1);
HIT_KERNEL(scale_float, (i),
    (inout, float, x, "[i]"),
    (value, float, alpha))
{
    hit(x, i) *= alpha;
}

HIT_OPERATIONS(scale_double, 1);
HIT_KERNEL(scale_double, (i),
    (inout, double, x, "[i]"),
    (value, double, alpha))
{
    hit(x, i) *= alpha;
}

/* total = sum of x[i] y[i] */
HIT_OPERATIONS(dot_float, 2);
HIT_KERNEL(dot_float, (i),
    (sum, double, total, "[]"),
    (in,  float, x, "[i]"),
    (in,  float, y, "[i]"))
{
    hit(total) += (double)hit(x, i) * (double)hit(y, i);
}

HIT_OPERATIONS(dot_double, 2);
HIT_KERNEL(dot_double, (i),
    (sum, double, total, "[]"),
    (in,  double, x, "[i]"),
    (in,  double, y, "[i]"))
{
    hit(total) += hit(x, i) * hit(y, i);
}

/* total = sum of x[i]^2: the square of the 2-norm */
HIT_OPERATIONS(norm2_float, 2);
HIT_KERNEL(norm2_float, (i),
    (sum, double, total, "[]"),
    (in,  float, x, "[i]"))
{
    hit(total) += (double)hit(x, i) * (double)hit(x, i);
}

HIT_OPERATIONS(norm2_double, 2);
HIT_KERNEL(norm2_double, (i),
    (sum, double, total, "[]"),
    (in,  double, x, "[i]"))
{
    hit(total) += hit(x, i) * hit(x, i);
}

/* greatest = max |x[i]|: the maximum norm */
HIT_KERNEL(max_abs_float, (i),
    (max, float, greatest, "[]"),
    (in,  float, x, "[i]"))
{
    const float size = hit(x, i) < 0 ? -hit(x, i) : hit(x, i);

    hit(greatest) = size > hit(greatest) ? size : hit(greatest);
}

HIT_KERNEL(max_abs_double, (i),
    (max, double, greatest, "[]"),
    (in,  double, x, "[i]"))
{
    const double size = hit(x, i) < 0 ? -hit(x, i) : hit(x, i);

    hit(greatest) = size > hit(greatest) ? size : hit(greatest);
}
