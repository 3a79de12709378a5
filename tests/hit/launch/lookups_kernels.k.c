/* SPDX-License-Identifier: MIT
 * Kernels that read where data says. */
#include "hit/kernel.h"

HIT_KERNEL(look_pick, (i), (out, int64_t, y, "[i]"), (in, int64_t, x, "[from]"),
           (in, int64_t, from, "[i]"))
{
    hit(y, i) = 3 * hit(x, hit(from, i)) - i;
}

/* By numbers that do not lie side by side. */
HIT_KERNEL(look_two, (i), (out, int64_t, y, "[i]"), (in, int64_t, x, "[from]"),
           (in, int64_t, from, "[i:i+1] [i+3]"))
{
    hit(y, i) =
        hit(x, hit(from, i)) + hit(x, hit(from, i + 1)) + hit(x, hit(from, i + 3));
}

/* The same with all of x. */
HIT_KERNEL(look_any, (i), (out, int64_t, y, "[i]"), (in, int64_t, x, "[:]"),
           (in, int64_t, from, "[i]"))
{
    hit(y, i) = 3 * hit(x, hit(from, i)) - i;
}

/* A product with a matrix in compressed rows. */
HIT_KERNEL(look_rows, (i), (out, int64_t, y, "[i]"), (in, int64_t, x, "[column]"),
           (in, int64_t, entry, "[first[i] : first[i+1]-1]"),
           (in, int64_t, column, "[first[i] : first[i+1]-1]"),
           (in, int64_t, first, "[i:i+1]"))
{
    int64_t sum = 0;

    for (hit_index k = hit(first, i); k < hit(first, i + 1); k++) {
        sum += hit(entry, k) * hit(x, hit(column, k));
    }
    hit(y, i) = sum;
}

HIT_KERNEL(look_any_rows, (i), (out, int64_t, y, "[i]"), (in, int64_t, x, "[:]"),
           (in, int64_t, entry, "[:]"), (in, int64_t, column, "[:]"),
           (in, int64_t, first, "[:]"))
{
    int64_t sum = 0;

    for (hit_index k = hit(first, i); k < hit(first, i + 1); k++) {
        sum += hit(entry, k) * hit(x, hit(column, k));
    }
    hit(y, i) = sum;
}

/* Two levels in one text, and numbers of 32 bits. */
HIT_KERNEL(look_narrow, (i), (out, int64_t, y, "[i]"),
           (in, int64_t, x, "[column[first[i]:first[i+1]-1]]"),
           (in, uint16_t, column, "[:]"), (in, int32_t, first, "[i:i+1]"))
{
    int64_t sum = 0;

    for (hit_index k = hit(first, i); k < hit(first, i + 1); k++) {
        sum += hit(x, hit(column, k));
    }
    hit(y, i) = sum;
}

/* As many neighbours in each row. */
HIT_KERNEL(look_near, (i), (inout, int64_t, y, "[i]"), (in, int64_t, x, "[near+d]"),
           (in, int64_t, near, "[i, :]"), (value, hit_index, d))
{
    for (hit_index k = hit_begin(near, 1); k <= hit_end(near, 1); k++) {
        hit(y, i) += (k + 1) * hit(x, hit(near, i, k) + d);
    }
}

/* Rows in any order, and what lies beside an element. */
HIT_KERNEL(look_turned, (i, j), (out, int64_t, y, "[i, j]"),
           (in, int64_t, x, "[row[i], j] [row[i], 0:j]"), (in, int64_t, row, "[i]"))
{
    hit(y, i, j) = 2 * hit(x, hit(row, i), j) - hit(x, hit(row, i), j / 2);
}

/* What lies in a cell and beside it. */
HIT_KERNEL(look_cells, (i), (out, int64_t, y, "[i]"),
           (in, int64_t, p, "[start[i-1] : start[i+2]-1]"),
           (in, int64_t, start, "[i-1:i+2]"))
{
    int64_t sum = 0;

    for (hit_index k = hit(start, i - 1); k < hit(start, i + 2); k++) {
        sum = (3 * sum + hit(p, k)) % 1000003;
    }
    hit(y, i) = sum;
}

/* One end stands in data. */
HIT_KERNEL(look_sum, (i), (sum, int64_t, total, "[]"), (in, int64_t, x, "[i:last]"),
           (in, int64_t, last, "[i]"))
{
    for (hit_index k = i; k <= hit(last, i); k++) {
        hit(total) += (k + 1) * hit(x, k);
    }
}

HIT_KERNEL(look_set, (i), (out, int64_t, from, "[i]"), (value, hit_index, by),
           (value, hit_index, low), (value, hit_index, n))
{
    hit(from, i) = low + ((i * by) % n + n) % n;
}

/* What cannot be. */
HIT_KERNEL(look_back, (i), (inout, int64_t, y, "[from]"), (in, int64_t, from, "[i]"))
{
    hit(y, i) += hit(from, i);
}

HIT_KERNEL(look_real, (i), (out, int64_t, y, "[i]"), (in, int64_t, x, "[from]"),
           (in, double, from, "[i]"))
{
    hit(y, i) = hit(x, (hit_index)hit(from, i));
}

HIT_KERNEL(look_flat, (i), (out, int64_t, y, "[i]"), (in, int64_t, x, "[from[i, 0]]"),
           (in, int64_t, from, "[i]"))
{
    hit(y, i) = hit(x, hit(from, i));
}
