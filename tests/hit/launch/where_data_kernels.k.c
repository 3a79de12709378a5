/* SPDX-License-Identifier: MIT
 * Kernels that are launched where their arguments say so. */
#include "hit/kernel.h"

HIT_KERNEL(data_around, (i, j), (out, int64_t, y, "[i, j]"),
           (in, int64_t, x, "[i-1:i+1, j] [i, j-1:j+1]"), (in, int64_t, mask, "[i, j]"),
           (in, int64_t, last, "[i]"), (value, hit_index, b))
{
    hit(y, i, j) = hit(x, i, j) + 2 * hit(x, i - 1, j) - 3 * hit(x, i + 1, j) +
                   5 * hit(x, i, j - 1) - 7 * hit(x, i, j + 1) + i - j + b;
}

/* Cells of a coarse grid, rows along columns, an element of the next row. */
HIT_KERNEL(data_coarse, (i, j), (inout, int64_t, y, "[j, i]"),
           (in, int64_t, x, "[i, 0:j]"), (in, int64_t, mask, "[j/2, i%3]"),
           (in, int64_t, last, "[j+s]"), (value, hit_index, b), (value, int32_t, s))
{
    int64_t sum = b + s;

    for (hit_index k = 0; k <= j; k++) {
        sum += (k + 1) * hit(x, i, k);
    }
    hit(y, j, i) = 2 * hit(y, j, i) + sum;
}

HIT_KERNEL(data_sums, (i, j), (sum, int64_t, sum, "[]"), (max, int64_t, most, "[]"),
           (in, int64_t, x, "[i, j]"), (in, int64_t, mask, "[i, j]"),
           (in, int64_t, last, "[i]"), (value, hit_index, b))
{
    hit(sum) += hit(x, i, j) + b;
    if (hit(x, i, j) > hit(most)) hit(most) = hit(x, i, j);
}

HIT_KERNEL(data_solid, (i, j, k), (out, int64_t, y, "[i, j, k]"),
           (in, int64_t, x, "[k, j, i]"), (in, int64_t, mask, "[k, i, j]"),
           (in, int64_t, last, "[j]"), (value, hit_index, b))
{
    hit(y, i, j, k) = 2 * hit(x, k, j, i) + i - 2 * j + 3 * k + b;
}

HIT_KERNEL(data_sea, (i, j), (out, int64_t, y, "[i, j]"),
           (in, int64_t, x, "[i-1:i+1, j] [i, j-1:j+1]"), (in, bool, wet, "[i, j]"))
{
    hit(y, i, j) = hit(x, i, j) + hit(x, i - 1, j) + hit(x, i + 1, j) + hit(x, i, j - 1) +
                   hit(x, i, j + 1) + 1;
}

HIT_KERNEL(data_two, (i, j), (out, int64_t, y, "[i, j]"), (in, int64_t, a, "[i, j]"),
           (in, int64_t, c, "[i, j]"))
{
    hit(y, i, j) = 1;
}

/* Each type in which a mask may be. */
#define DATA_TYPE(type)                                                                  \
    HIT_KERNEL(data_##type, (i, j), (inout, int32_t, y, "[i, j]"),                       \
               (in, type, mask, "[i, j]"), (value, int64_t, low))                        \
    {                                                                                    \
        hit(y, i, j) += 1;                                                               \
    }
DATA_TYPE(int8_t)
DATA_TYPE(int16_t)
DATA_TYPE(int32_t)
DATA_TYPE(int64_t)
DATA_TYPE(uint8_t)
DATA_TYPE(uint16_t)
DATA_TYPE(uint32_t)
DATA_TYPE(uint64_t)

HIT_ORDERED_KERNEL(data_ordered, (i), (up), (inout, int64_t, y, "[i]"),
                   (in, int64_t, mask, "[i]"))
{
    hit(y, i) += 1;
}

HIT_KERNEL(data_wrong, (i), (inout, int64_t, y, "[i]"), (in, double, real, "[i]"),
           (in, int64_t, pair, "[i:i+1]"), (in, int64_t, mask, "[i]"))
{
    hit(y, i) += 1;
}
