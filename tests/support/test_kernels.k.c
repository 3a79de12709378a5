/* SPDX-License-Identifier: MIT
 * Kernels for the tests of devices: every number of dimensions, mode and type, and every
 * way in which a reduction can leave out indices. */
#include "hit/kernel.h"

/* clang-format off */
typedef struct test_pair {
    double a;
    double b;
} test_pair;

HIT_KERNEL(test_mark1, (i),
    (out,   int64_t, mark, "[i]"),
    (value, int64_t, base))
{
    hit(mark, i) = base + i;
}

HIT_KERNEL(test_star2, (i, j),
    (out,   double, to, "[i, j]"),
    (in,    double, from, "[i-1:i+1, j] [i, j-2:j+2]"),
    (value, test_pair, c))
{
    hit(to, i, j) = c.a * hit(from, i, j) + c.b * (hit(from, i - 1, j) + hit(from, i + 1, j))
        + hit(from, i, j - 2) - hit(from, i, j + 2);
}

HIT_KERNEL(test_update3, (i, j, k),
    (inout, int32_t, it, "[i, j, k]"),
    (in,    uint8_t, plane, "[k, i]"))
{
    hit(it, i, j, k) = hit(it, i, j, k) * 2 + (int32_t)(i + 10 * j + 100 * k) + hit(plane, k, i);
}

HIT_KERNEL(test_mark4, (i, j, k, l),
    (out, float, mark, "[i, j, k, l]"))
{
    hit(mark, i, j, k, l) = (float)(i + 3 * j + 5 * k + 7 * l);
}

HIT_KERNEL(test_sum1, (i),
    (sum, int32_t, total, "[]"),
    (in,  int32_t, x, "[i]"))
{
    hit(total) += hit(x, i);
}

HIT_KERNEL(test_sum2, (i, j),
    (sum, double, total, "[]"),
    (in,  double, x, "[i, j]"))
{
    hit(total) += hit(x, i, j);
}

HIT_KERNEL(test_rows, (i, j),
    (sum, double, row, "[i]"),
    (in,  double, x, "[i, j]"))
{
    hit(row, i) += hit(x, i, j);
}

HIT_KERNEL(test_columns, (i, j),
    (sum, float, column, "[j]"),
    (in,  float, x, "[i, j]"))
{
    hit(column, j) += hit(x, i, j);
}

HIT_KERNEL(test_extremes, (i, j),
    (min, float, low, "[]"),
    (in,  float, x, "[i, j]"),
    (max, int64_t, high, "[j]"))
{
    if (hit(x, i, j) < hit(low)) hit(low) = hit(x, i, j);
    if ((int64_t)hit(x, i, j) > hit(high, j)) hit(high, j) = (int64_t)hit(x, i, j);
}

HIT_KERNEL(test_least3, (i, j, k),
    (min, double, least, "[k, i]"),
    (in,  double, x, "[i, j, k]"))
{
    if (hit(x, i, j, k) < hit(least, k, i)) hit(least, k, i) = hit(x, i, j, k);
}

HIT_KERNEL(test_even, (i, j),
    (sum, int64_t, even, "[2*i]"),
    (sum, uint8_t, both, "[i, j-1:j]"),
    (in,  uint8_t, x, "[i, j]"))
{
    hit(even, 2 * i) += hit(x, i, j);
    hit(both, i, j - 1) = (uint8_t)(hit(both, i, j - 1) + 1);
    hit(both, i, j) = (uint8_t)(hit(both, i, j) + hit(x, i, j));
}

HIT_KERNEL(test_histogram4, (i, j, k, l),
    (sum, int64_t, count, "[0:3, j]"))
{
    hit(count, (i + k + l) & 3, j) += 1;
}
