/* SPDX-License-Identifier: MIT
 * Kernels for tests of chains: their results depend on the order of launches. */
#include "hit/kernel.h"

#include <math.h>

/* the arguments of a kernel are a table */
/* clang-format off */

HIT_KERNEL(star, (i, j), (out, float, next, "[i, j]"),
           (in, float, now, "[i, j] [i-1, j] [i+1, j] [i, j-1] [i, j+1]"),
           (value, float, add))
{
    hit(next, i, j) = 0.2f * (hit(now, i, j) + hit(now, i - 1, j) + hit(now, i + 1, j) +
                              hit(now, i, j - 1) + hit(now, i, j + 1)) + add;
}

/* Microseconds for each index, also where many are computed at a time. */
HIT_KERNEL(slow_star, (i, j), (out, float, next, "[i, j]"),
           (in, float, now, "[i, j] [i-1, j] [i+1, j] [i, j-1] [i, j+1]"),
           (value, float, add))
{
    float sum = hit(now, i - 1, j) + hit(now, i + 1, j) + hit(now, i, j - 1) + hit(now, i, j + 1);

    for (int k = 0; k < 20000; k++) {
        sum = 0.999f * sum + 0.001f;
    }
    hit(next, i, j) = 0.5f * hit(now, i, j) + 0.1f * sum + add;
}

HIT_KERNEL(corners, (i, j), (out, float, next, "[i, j]"),
           (in, float, now, "[i-2:i+1, j-1:j+2]"))
{
    hit(next, i, j) = 0.3f * hit(now, i - 2, j + 2) + 0.2f * hit(now, i + 1, j - 1) +
                      0.1f * hit(now, i - 2, j - 1) + 0.3f * hit(now, i + 1, j + 2);
}

HIT_KERNEL(weighted, (i, j), (out, float, next, "[i, j]"),
           (in, float, now, "[i-1:i+1, j-1:j+1]"), (in, float, weight, "[j, i]"))
{
    hit(next, i, j) = hit(weight, j, i) * (hit(now, i - 1, j - 1) + hit(now, i + 1, j + 1));
}

/* Two kernels that work in place, as in a leapfrog. */
HIT_KERNEL(kick, (i, j), (inout, float, v, "[i, j]"), (in, float, x, "[i:i+1, j] [i, j+1]"))
{
    hit(v, i, j) += 0.3f * (hit(x, i + 1, j) + hit(x, i, j + 1) - 2 * hit(x, i, j));
}

HIT_KERNEL(drift, (i, j), (inout, float, x, "[i, j]"), (in, float, v, "[i-1:i, j] [i, j-1]"))
{
    hit(x, i, j) += 0.3f * (hit(v, i, j) * 2 - hit(v, i - 1, j) - hit(v, i, j - 1));
}

HIT_KERNEL(upwind, (i, j), (out, float, next, "[i, j]"), (in, float, now, "[i-2:i, j]"))
{
    hit(next, i, j) = hit(now, i, j) - 0.5f * (hit(now, i - 2, j) - hit(now, i - 1, j));
}

/* A number stands in its pattern. */
HIT_KERNEL(sideways, (i, j), (out, float, next, "[i, j]"), (in, float, now, "[i+by, j]"),
           (value, hit_index, by))
{
    hit(next, i, j) = hit(now, i + by, j);
}

HIT_KERNEL(source, (i, j), (inout, float, field, "[i, j]"), (value, float, sample))
{
    hit(field, i, j) += sample;
}

HIT_KERNEL(border_row, (j), (out, float, field, "[0, j]"), (in, float, from, "[1, j]"))
{
    hit(field, 0, j) = hit(from, 1, j);
}

HIT_KERNEL(keep_row, (t, j), (out, float, rows, "[t, j]"), (in, float, field, "[5, j]"))
{
    hit(rows, t, j) = hit(field, 5, j);
}

HIT_KERNEL(keep_column, (t, i), (out, float, columns, "[t, i]"), (in, float, field, "[i, 5]"))
{
    hit(columns, t, i) = hit(field, i, 5);
}

HIT_KERNEL(put_back, (i, j), (in, float, rows, "[i-2:i, j]"), (out, float, field, "[i, j]"))
{
    hit(field, i, j) = hit(rows, i, j) - 0.5f * (hit(rows, i - 2, j) - hit(rows, i - 1, j));
}

HIT_KERNEL(turned, (i, j), (out, float, next, "[i, j]"), (in, float, now, "[j, i]"))
{
    hit(next, i, j) = hit(now, j, i);
}

HIT_KERNEL(total, (i, j), (sum, float, sum_of, "[]"), (in, float, field, "[i, j]"))
{
    hit(sum_of) += hit(field, i, j);
}

HIT_KERNEL(line3, (i), (out, double, next, "[i]"), (in, double, now, "[i-1:i+1]"))
{
    hit(next, i) = 0.25 * hit(now, i - 1) + 0.5 * hit(now, i) + 0.25 * hit(now, i + 1);
}

HIT_KERNEL(cube7, (i, j, k), (out, float, next, "[i, j, k]"),
           (in, float, now, "[i-1:i+1, j, k] [i, j-1:j+1, k] [i, j, k-1:k+1]"))
{
    hit(next, i, j, k) = 0.125f * (hit(now, i - 1, j, k) + hit(now, i + 1, j, k) +
                                   hit(now, i, j - 1, k) + hit(now, i, j + 1, k) +
                                   hit(now, i, j, k - 1) + 3 * hit(now, i, j, k + 1));
}

HIT_KERNEL(hyper9, (i, j, k, l), (out, float, next, "[i, j, k, l]"),
           (in, float, now, "[i-1, j, k, l] [i, j+1, k, l] [i, j, k, l-1:l+1]"))
{
    hit(next, i, j, k, l) = hit(now, i - 1, j, k, l) - 0.5f * hit(now, i, j + 1, k, l) +
                            0.25f * hit(now, i, j, k, l - 1) - hit(now, i, j, k, l + 1);
}

/* The components of a cell lie in the last dimension, and in the first one. */
HIT_KERNEL(cells, (i, j), (out, float, next, "[i, j, :]"),
           (in, float, now, "[i-1:i+1, j, :] [i, j-1:j+1, 0:1]"))
{
    hit(next, i, j, 0) = 0.5f * (hit(now, i - 1, j, 2) + hit(now, i, j + 1, 1));
    hit(next, i, j, 1) = 0.5f * (hit(now, i + 1, j, 0) + hit(now, i, j, 2));
    hit(next, i, j, 2) = 0.5f * (hit(now, i, j - 1, 1) + hit(now, i, j, 0)) + 0.25f;
}

HIT_KERNEL(fields, (i, j), (out, float, next, "[0:2, i, j]"),
           (in, float, now, "[:, i-1:i+1, j] [:, i, j-1:j+1]"))
{
    hit(next, 0, i, j) = 0.5f * (hit(now, 2, i - 1, j) + hit(now, 1, i, j + 1));
    hit(next, 1, i, j) = 0.5f * (hit(now, 0, i + 1, j) + hit(now, 2, i, j));
    hit(next, 2, i, j) = 0.5f * (hit(now, 1, i, j - 1) + hit(now, 0, i, j)) + 0.25f;
}

/* Every second element of rows and columns, from those around it. */
HIT_KERNEL(relax, (i, j), (inout, float, own, "[i, j]"), (in, float, side, "[i, j-1:j+1]"),
           (in, float, row, "[i-1:i+1, j]"))
{
    hit(own, i, j) += 0.3f * (hit(side, i, j - 1) + hit(side, i, j + 1) +
                              hit(row, i - 1, j) + hit(row, i + 1, j) - 4 * hit(own, i, j));
}

/* How much the elements differ from those below and beside them. */
HIT_KERNEL(roughness, (i, j), (sum, double, sum_of, "[]"), (in, float, field, "[i:i+1, j] [i, j+1]"))
{
    hit(sum_of) += fabs((double)hit(field, i + 1, j) - (double)hit(field, i, j)) +
                   fabs((double)hit(field, i, j + 1) - (double)hit(field, i, j));
}

HIT_KERNEL(chain_total, (i, j), (sum, double, all, "[0]"), (in, float, tile, "[i, j]"))
{
    hit(all, 0) += hit(tile, i, j);
}

HIT_KERNEL(chain_peak, (i, j), (max, double, most, "[0]"), (in, float, now, "[i, j]"),
           (in, float, old, "[i, j-1:j+1]"), (value, float, scale))
{
    const double x = hit(now, i, j) - scale * hit(old, i, j - 1) + hit(old, i, j + 1);

    if (x > hit(most, 0)) hit(most, 0) = x;
}

HIT_KERNEL(chain_scaled, (i, j), (out, float, next, "[i, j]"), (in, float, now, "[i, j]"),
           (in, double, all, "[0]"))
{
    hit(next, i, j) = hit(now, i, j) + (float)(hit(all, 0) * 1e-6);
}

HIT_KERNEL(chain_around, (i, j), (sum, double, all, "[0]"),
           (in, float, tile, "[i-3:i+3, j]"))
{
    hit(all, 0) += hit(tile, i - 3, j) + 2 * hit(tile, i + 3, j);
}
