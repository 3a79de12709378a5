/* SPDX-License-Identifier: MIT
 * Rows of elements of all sizes: what blocks of a row and what is left of it do. */
#include "tests/hit/kernel_rows.h"

#include "hit/kernel.h"

#define ROWS(name, T, U)                                                                 \
    HIT_KERNEL(rows_##name, (i, j), (inout, T, y, "[i, j]"),                             \
               (in, U, x, "[i-1:i+1, j] [i, j-1:j+1]"), (in, T, side, "[i]"),            \
               (in, U, turned, "[j, i]"), (in, T, deep, "[0:1, i, j]"))                  \
    {                                                                                    \
        hit(y, i, j) =                                                                   \
            (T)(hit(y, i, j) + (T)hit(x, i - 1, j) + (T)hit(x, i + 1, j) +               \
                (T)hit(x, i, j - 1) + (T)hit(x, i, j + 1) + hit(side, i) +               \
                (T)hit(turned, j, i) + hit(deep, 0, i, j) - hit(deep, 1, i, j) + (T)j);  \
    }
ROWS(bytes, uint8_t, uint8_t)
ROWS(shorts, uint16_t, uint8_t)
ROWS(floats, float, float)
ROWS(doubles, double, float)
ROWS(longs, int64_t, uint16_t)

HIT_KERNEL(rows_structs, (i, j), (inout, rows_struct, y, "[i, j]"),
           (in, rows_struct, x, "[i-1:i+1, j] [i, j-1:j+1]"),
           (in, rows_struct, side, "[i]"), (in, rows_struct, turned, "[j, i]"),
           (in, rows_struct, deep, "[0:1, i, j]"))
{
    hit(y, i, j).a += hit(x, i - 1, j).b + hit(x, i, j + 1).c + hit(turned, j, i).a;
    hit(y, i, j).b = hit(side, i).c + hit(deep, 1, i, j).b + (float)j;
    hit(y, i, j).c -= hit(deep, 0, i, j).a;
}

/* Tiles with more dimensions than there are indices, and with fewer. */
HIT_KERNEL(rows_cells, (i, j), (inout, float, y, "[i, j, 0:1]"),
           (in, float, x, "[i, 0:2, j]"), (in, float, z, "[i, j, j, i]"))
{
    hit(y, i, j, 0) = hit(x, i, 0, j) + hit(z, i, j, j, i);
    hit(y, i, j, 1) = hit(x, i, 1, j) - hit(x, i, 2, j);
}

HIT_KERNEL(rows_deep, (i, j, k), (inout, float, y, "[i, j, k]"),
           (in, float, x, "[i, j, k, 0:1]"), (in, float, z, "[i, k]"))
{
    hit(y, i, j, k) = hit(x, i, j, k, 0) - 2 * hit(x, i, j, k, 1) + hit(z, i, k);
}
