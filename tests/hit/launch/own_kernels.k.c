/* SPDX-License-Identifier: MIT
 * Kernels of which each index writes an element of a tile, and reads others of it. */
#include "hit/kernel.h"

HIT_KERNEL(relax_points, (i, j),
           (inout, int64_t, u, "[i, j] <- [i-1:i+1, j] [i, j-1:j+1]"),
           (value, int64_t, w))
{
    hit(u, i, j) += w * (hit(u, i - 1, j) + hit(u, i + 1, j) + hit(u, i, j - 1) -
                         3 * hit(u, i, j + 1));
}

/* What it reads lies among what others write. */
HIT_KERNEL(every_other, (i), (inout, int64_t, u, "[i] <- [i-3] [i+1]"),
           (in, int64_t, f, "[i-1:i+1]"))
{
    hit(u, i) =
        (hit(u, i) + 3 * hit(u, i - 3) - hit(u, i + 1) + hit(f, i - 1) + hit(f, i + 1)) %
        100003;
}

HIT_KERNEL(from_row, (j), (inout, int64_t, u, "[k, j] <- [k+s, j-1:j+1]"),
           (value, hit_index, k), (value, hit_index, s))
{
    hit(u, k, j) += 2 * hit(u, k + s, j - 1) - hit(u, k + s, j + 1);
}

/* A cell of two, by all of a column. */
HIT_KERNEL(cells, (i), (inout, int64_t, u, "[0:1, i] <- [:, i-1]"))
{
    for (hit_index c = hit_begin(u, 0); c <= hit_end(u, 0); c++) {
        hit(u, 0, i) += (c + 2) * hit(u, c, i - 1);
        hit(u, 1, i) -= hit(u, c, i - 1);
    }
}

/* Mistakes. */
HIT_KERNEL(written_beside, (i), (inout, int64_t, u, "[i] <- [i+1]"))
{
    hit(u, i) += hit(u, i + 1);
    hit(u, i + 1) = 3;
}

HIT_KERNEL(only_in, (i), (in, int64_t, u, "[i] <- [i-1]"), (out, int64_t, v, "[i]"))
{
    hit(v, i) = hit(u, i - 1);
}

HIT_KERNEL(pairs_of, (i), (inout, int64_t, u, "[i:i+1] <- [i+2]"))
{
    hit(u, i) = hit(u, i + 2);
    hit(u, i + 1) = 0;
}
