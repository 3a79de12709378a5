/* SPDX-License-Identifier: MIT
 * Kernels that are launched on a part of a box. */
#include "hit/kernel.h"

HIT_KERNEL(where_own, (i, j), (out, int64_t, y, "[i, j]"))
{
    hit(y, i, j) = 10 * i + j;
}

HIT_KERNEL(where_line, (i), (out, int64_t, y, "[i]"), (in, int64_t, x, "[i]"),
           (value, hit_index, b))
{
    hit(y, i) = 3 * hit(x, i) - i + b;
}

HIT_KERNEL(where_around, (i, j), (out, int64_t, y, "[i, j]"),
           (in, int64_t, x, "[i-1:i+1, j] [i, j-1:j+1]"), (value, hit_index, b))
{
    hit(y, i, j) = hit(x, i, j) + 2 * hit(x, i - 1, j) - 3 * hit(x, i + 1, j) +
                   5 * hit(x, i, j - 1) - 7 * hit(x, i, j + 1) + i - j + b;
}

HIT_KERNEL(where_turned, (i, j), (inout, int64_t, y, "[j, i]"),
           (in, int64_t, x, "[i, 0:j]"), (value, hit_index, b))
{
    int64_t sum = b;

    for (hit_index k = 0; k <= j; k++) {
        sum += (k + 1) * hit(x, i, k);
    }
    hit(y, j, i) = 2 * hit(y, j, i) + sum;
}

/* C += A A^T */
HIT_KERNEL(where_rank, (i, j), (inout, int64_t, c, "[i, j]"), (in, int64_t, a, "[i, :]"),
           (in, int64_t, b, "[j, :]"))
{
    for (hit_index k = hit_begin(a, 1); k <= hit_end(a, 1); k++) {
        hit(c, i, j) += hit(a, i, k) * hit(b, j, k);
    }
}

HIT_KERNEL(where_solid, (i, j, k), (out, int64_t, y, "[i, j, k]"),
           (in, int64_t, x, "[k, j, i]"), (value, hit_index, b))
{
    hit(y, i, j, k) = 2 * hit(x, k, j, i) + i - 2 * j + 3 * k + b;
}

HIT_KERNEL(where_sums, (i, j), (sum, int64_t, all, "[]"), (max, int64_t, most, "[]"),
           (in, int64_t, x, "[i, j]"), (value, hit_index, b))
{
    hit(all) += hit(x, i, j) + b;
    if (hit(x, i, j) > hit(most)) hit(most) = hit(x, i, j);
}

/* The others are called for each row. */
HIT_BY_ROWS(where_line);
HIT_BY_ROWS(where_turned);
HIT_BY_ROWS(where_rank);
HIT_BY_ROWS(where_solid);
HIT_BY_ROWS(where_sums);

/* A triangular system of whole numbers, with ones on the diagonal. */
#define SOLVE(name, first, second)                                                       \
    HIT_ORDERED_KERNEL(name, (i, j), (first, second), (inout, int64_t, y, "[i] <- [j]"), \
                       (in, int64_t, l, "[i, j]"), (value, hit_index, b))                \
    {                                                                                    \
        hit(y, i) = (hit(y, i) - hit(l, i, j) * hit(y, j) + b) % 10007;                  \
    }
SOLVE(where_forward, up, up)
SOLVE(where_backward, down, up)
HIT_BY_ROWS(where_backward);

#define SWEEP(name, first, second)                                                       \
    HIT_ORDERED_KERNEL(name, (i, j), (first, second),                                    \
                       (inout, int64_t, u, "[i, j] <- [i-1:i+1, j] [i, j-1:j+1]"),       \
                       (value, hit_index, b))                                            \
    {                                                                                    \
        hit(u, i, j) = (hit(u, i - 1, j) + 2 * hit(u, i + 1, j) + 3 * hit(u, i, j - 1) + \
                        5 * hit(u, i, j + 1) + b) %                                      \
                       10007;                                                            \
    }
SWEEP(where_sweep, up, up)
SWEEP(where_sweep_down, up, down)
HIT_BY_ROWS(where_sweep);
HIT_BY_ROWS(where_sweep_down);

/* What is refused. */
HIT_KERNEL(where_row, (i, j), (inout, int64_t, y, "[i]"), (in, int64_t, x, "[i, j]"))
{
    hit(y, i) += hit(x, i, j);
}

HIT_KERNEL(where_rows, (i, j), (sum, int64_t, y, "[i]"), (in, int64_t, x, "[i, j]"))
{
    hit(y, i) += hit(x, i, j);
}
