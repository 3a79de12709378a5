/* SPDX-License-Identifier: MIT
 * Kernels whose patterns name values of the launch. */
#include "hit/kernel.h"

HIT_KERNEL(moved_by, (i), (out, int64_t, y, "[i]"), (in, int64_t, x, "[i+s]"),
           (value, hit_index, s))
{
    hit(y, i) = 2 * hit(x, i + s) + i;
}

/* A step of an elimination without a pivot search, of whole numbers. */
HIT_KERNEL(eliminate_by, (i, j), (inout, int64_t, a, "[i, j]"),
           (in, int64_t, row, "[k, j]"), (in, int64_t, column, "[i, k]"),
           (value, hit_index, k))
{
    hit(a, i, j) = (hit(a, i, j) - hit(column, i, k) * hit(row, k, j)) % 1009;
}

HIT_KERNEL(above, (j), (out, int64_t, y, "[k, j]"), (in, int64_t, x, "[0:k-1, j]"),
           (value, hit_index, k))
{
    int64_t sum = k;

    for (hit_index i = 0; i < k; i++) {
        sum += (i + 1) * hit(x, i, j);
    }
    hit(y, k, j) = sum;
}

HIT_KERNEL(spread, (b), (out, int64_t, y, "[s*b+o]"), (in, int64_t, x, "[b:b+s-1]"),
           (value, int32_t, s), (value, uint8_t, o))
{
    int64_t sum = 0;

    for (hit_index t = b; t < b + s; t++) {
        sum = 3 * sum + hit(x, t);
    }
    hit(y, s * b + o) = sum;
}

HIT_KERNEL(column_sum, (i), (sum, int64_t, y, "[0, k]"), (in, int64_t, x, "[i, k:k+1]"),
           (value, hit_index, k))
{
    hit(y, 0, k) += hit(x, i, k) - 2 * hit(x, i, k + 1);
}

HIT_KERNEL(real_shift, (i), (out, int64_t, y, "[i]"), (in, int64_t, x, "[i+s]"),
           (value, double, s))
{
    hit(y, i) = hit(x, i + (hit_index)s);
}

static HIT_INLINE hit_index rest_of(hit_index a, hit_index n)
{
    return (a % n + n) % n;
}

static HIT_INLINE hit_index part_of(hit_index a, hit_index n)
{
    return (a - rest_of(a, n)) / n;
}

HIT_KERNEL(finer, (i, j), (out, int64_t, y, "[i, j]"),
           (in, int64_t, x, "[i/n:i/n+1, (j+1)/2]"), (value, int32_t, n))
{
    hit(y, i, j) = hit(x, part_of(i, n), part_of(j + 1, 2)) +
                   3 * hit(x, part_of(i, n) + 1, part_of(j + 1, 2)) + i - j;
}

HIT_KERNEL(rotated, (i), (out, int64_t, y, "[i]"), (in, int64_t, x, "[(i+s)%n]"),
           (value, hit_index, s), (value, hit_index, n))
{
    hit(y, i) = 2 * hit(x, rest_of(i + s, n)) - i;
}

HIT_KERNEL(looked_up, (i, j), (out, int64_t, y, "[i, j]"),
           (in, int64_t, x, "[(2*j-i)%5]"))
{
    hit(y, i, j) = hit(x, rest_of(2 * j - i, 5)) + 7 * j;
}

HIT_KERNEL(counted, (i), (sum, int64_t, y, "[i/n]"), (sum, int64_t, z, "[i%n]"),
           (in, int64_t, x, "[i]"), (value, hit_index, n))
{
    hit(y, part_of(i, n)) += hit(x, i);
    hit(z, rest_of(i, n)) += hit(x, i) * i;
}

/* On a domain with a stride each writes an element of its own. */
HIT_KERNEL(gathered, (i), (inout, int64_t, y, "[i/n]"), (in, int64_t, x, "[i]"),
           (value, hit_index, n))
{
    hit(y, part_of(i, n)) += 2 * hit(x, i);
}

HIT_KERNEL(wheeled, (i), (inout, int64_t, y, "[i%n]"), (in, int64_t, x, "[i]"),
           (value, hit_index, n))
{
    hit(y, i % n) += hit(x, i);
}
