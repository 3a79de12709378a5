/* SPDX-License-Identifier: MIT
 * Kernels that write where data says. */
#include "hit/kernel.h"

HIT_KERNEL(scatter_put, (i), (out, int64_t, y, "[place+d]"), (in, int64_t, x, "[i]"),
           (in, int64_t, place, "[i]"), (value, hit_index, d))
{
    hit(y, hit(place, i) + d) = 3 * hit(x, i) + i;
}

HIT_KERNEL(scatter_grow, (i), (inout, int64_t, y, "[i]"))
{
    hit(y, i) = hit(y, i) % 1000 + i;
}

HIT_KERNEL(scatter_next, (i), (out, int64_t, y, "[place[i+1]]"),
           (in, int64_t, place, "[i+1]"))
{
    hit(y, hit(place, i + 1)) = i;
}

/* Rows, each index an element. */
HIT_KERNEL(scatter_rows, (i, j), (out, int64_t, y, "[row[i], j]"),
           (in, int64_t, x, "[i, j]"), (in, int32_t, row, "[i]"))
{
    hit(y, hit(row, i), j) = hit(x, i, j) - j;
}

/* Rows, each index one, in any order of dimensions. */
HIT_KERNEL(scatter_columns, (i), (out, int64_t, y, "[:, column]"),
           (in, int64_t, x, "[i, :]"), (in, uint16_t, column, "[i+1]"))
{
    for (hit_index k = hit_begin(y, 0); k <= hit_end(y, 0); k++) {
        hit(y, k, hit(column, i + 1)) = 2 * hit(x, i, k) - i;
    }
}

/* Elements of rows, of which numbers say where in the row they lie. */
HIT_KERNEL(scatter_dense, (i, k), (out, int64_t, a, "[i, column]"),
           (in, int64_t, entry, "[i, k]"), (in, int64_t, column, "[i, k]"))
{
    hit(a, i, hit(column, i, k)) = hit(entry, i, k);
}

/* Read and written by numbers. */
HIT_KERNEL(scatter_both, (i), (out, int64_t, y, "[to]"), (in, int64_t, x, "[from]"),
           (in, int64_t, to, "[i]"), (in, int64_t, from, "[i]"))
{
    hit(y, hit(to, i)) = hit(x, hit(from, i)) + hit(to, i);
}

typedef struct pair {
    int32_t one;
    char other;
} pair;

/* Elements of a type of the program's. */
HIT_KERNEL(scatter_pairs, (i), (out, pair, y, "[place]"), (in, int64_t, place, "[i]"))
{
    hit(y, hit(place, i)).one = (int32_t)i - 7;
    hit(y, hit(place, i)).other = (char)(i % 100);
}

/* What cannot be. */
HIT_KERNEL(scatter_two, (i), (out, int64_t, y, "[place, place]"),
           (in, int64_t, place, "[i]"))
{
    hit(y, hit(place, i), hit(place, i)) = 0;
}

HIT_KERNEL(scatter_range, (i), (out, int64_t, y, "[place : place+1]"),
           (in, int64_t, place, "[i]"))
{
    hit(y, hit(place, i)) = 0;
}

HIT_KERNEL(scatter_any, (i), (out, int64_t, y, "[place[:]]"), (in, int64_t, place, "[:]"))
{
    hit(y, hit(place, i)) = 0;
}

HIT_KERNEL(scatter_add, (i), (sum, int64_t, y, "[place]"), (in, int64_t, place, "[i]"))
{
    hit(y, hit(place, i)) += 1;
}
