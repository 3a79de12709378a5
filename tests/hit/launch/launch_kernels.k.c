/* SPDX-License-Identifier: MIT
 * Kernels of every kind of pattern, on 64-bit integers, so that results are exact in any
 * order. */
#include "hit/kernel.h"

HIT_KERNEL(line, (i), (out, int64_t, next, "[i]"), (in, int64_t, now, "[i-3:i+2]"))
{
    hit(next, i) = 3 * hit(now, i - 3) + hit(now, i) - 5 * hit(now, i + 2) + i;
}

HIT_KERNEL(star, (i, j), (out, int64_t, next, "[i, j]"),
           (in, int64_t, now, "[i-2:i+1, j] [i, j-1:j+3]"), (value, int64_t, c))
{
    hit(next, i, j) = c * hit(now, i - 2, j) + 2 * hit(now, i + 1, j) +
                      3 * hit(now, i, j - 1) - hit(now, i, j + 3) + 10 * i - j;
}

HIT_KERNEL(corners, (i, j, k), (out, int64_t, next, "[i, j, k]"),
           (in, int64_t, now, "[i-1:i+1, j-1:j+1, k-2:k]"))
{
    hit(next, i, j, k) = hit(now, i - 1, j - 1, k - 2) + 2 * hit(now, i + 1, j + 1, k) +
                         3 * hit(now, i, j, k - 1) + 4 * hit(now, i - 1, j + 1, k);
}

HIT_KERNEL(four, (i, j, k, l), (inout, int64_t, a, "[i, j, k, l]"),
           (in, int64_t, b, "[i, j, k, l]"))
{
    hit(a, i, j, k, l) += 2 * hit(b, i, j, k, l) + i - l;
}

HIT_KERNEL(rows, (i), (out, int64_t, y, "[i]"), (in, int64_t, a, "[i, :]"),
           (in, int64_t, x, "[:]"))
{
    int64_t sum = 0;

    for (hit_index j = hit_begin(a, 1); j <= hit_end(a, 1); j++) {
        sum += hit(a, i, j) * hit(x, j);
    }
    hit(y, i) = sum;
}

HIT_KERNEL(transpose, (i, j), (out, int64_t, b, "[j, i]"), (in, int64_t, a, "[i, j]"))
{
    hit(b, j, i) = hit(a, i, j);
}

HIT_KERNEL(twice, (i), (out, int64_t, b, "[2*i:2*i+1]"), (in, int64_t, a, "[i]"))
{
    hit(b, 2 * i) = hit(a, i);
    hit(b, 2 * i + 1) = -hit(a, i);
}

HIT_KERNEL(evens, (i), (out, int64_t, b, "[2*i]"), (in, int64_t, a, "[i]"))
{
    hit(b, 2 * i) = hit(a, i) + 1;
}

HIT_KERNEL(shifted, (i, j), (out, int64_t, b, "[i+1, j]"), (in, int64_t, a, "[i, j-1]"))
{
    hit(b, i + 1, j) = hit(a, i, j - 1);
}

HIT_KERNEL(product, (i, j), (inout, int64_t, c, "[i, j]"), (in, int64_t, a, "[i, :]"),
           (in, int64_t, b, "[:, j]"))
{
    for (hit_index k = hit_begin(a, 1); k <= hit_end(a, 1); k++) {
        hit(c, i, j) += hit(a, i, k) * hit(b, k, j);
    }
}

HIT_KERNEL(totals, (i, j), (sum, int64_t, total, "[]"), (sum, int64_t, column, "[j]"),
           (max, int64_t, most, "[i]"), (min, int64_t, least, "[]"),
           (in, int64_t, a, "[i, j]"))
{
    const int64_t x = hit(a, i, j);

    hit(total) += x;
    hit(column, j) += x;
    if (x > hit(most, i)) hit(most, i) = x;
    if (x < hit(least)) hit(least) = x;
}

HIT_KERNEL(many, (i), (out, int64_t, r, "[i]"), (in, int64_t, a, "[i]"),
           (in, int64_t, b, "[i]"), (in, int64_t, c, "[i]"), (in, int64_t, d, "[i]"),
           (in, int64_t, e, "[i]"), (in, int64_t, f, "[i]"), (in, int64_t, g, "[i]"),
           (value, int64_t, p), (value, int64_t, q), (value, int64_t, s),
           (value, int64_t, t))
{
    hit(r, i) = hit(a, i) + p * hit(b, i) + q * hit(c, i) + s * hit(d, i) +
                t * hit(e, i) + hit(f, i) * hit(g, i);
}

HIT_KERNEL(diagonal, (i), (inout, int64_t, a, "[i, i]"), (value, int64_t, x0),
           (value, int64_t, run), (value, int64_t, dense), (value, int64_t, chunk))
{
    hit(a, i, i) += x0 + 10 * run + 100 * dense + 1000 * chunk;
}

/* What lies between the ends is no result, but where k is; 4 and 6 become 0. */
HIT_KERNEL(ends, (i), (sum, int64_t, to, "[3:4] [k] [6]"), (max, int64_t, most, "[1]"),
           (in, int64_t, from, "[i]"), (value, int64_t, k))
{
    hit(to, 3) += hit(from, i);
    hit(to, k) += 7;
    if (hit(from, i) > hit(most, 1)) hit(most, 1) = hit(from, i);
}

HIT_KERNEL(ahead, (i, j), (sum, int64_t, total, "[]"), (in, int64_t, a, "[i+1, j]"))
{
    hit(total) += (3 * i + j) * hit(a, i + 1, j);
}

/* Of one tile, at places that are apart. */
HIT_KERNEL(front, (d, i), (out, int64_t, now, "[d, i]"),
           (in, int64_t, before, "[d-1, i-1:i+1]"), (in, int64_t, older, "[d-2, i]"))
{
    hit(now, d, i) = hit(before, d - 1, i - 1) + 2 * hit(before, d - 1, i + 1) -
                     hit(older, d - 2, i) + i;
}

HIT_KERNEL(eliminate, (k, i, j), (inout, int64_t, a, "[i, j]"),
           (in, int64_t, column, "[i, k]"), (in, int64_t, row, "[k, j]"))
{
    hit(a, i, j) = (hit(a, i, j) - hit(column, i, k) * hit(row, k, j)) % 1000;
}

HIT_KERNEL(behind, (i), (out, int64_t, to, "[i]"), (in, int64_t, from, "[i-5]"))
{
    hit(to, i) = 2 * hit(from, i - 5) + 1;
}
