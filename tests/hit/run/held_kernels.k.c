/* SPDX-License-Identifier: MIT
 * Elements become mixtures of themselves and of two boxes, as in a factorisation. */
#include "tests/hit/run/held_kernels.h"

/* c(i, j) = 3 c(i, j) + what the boxes have there, counted from their corners around. */
HIT_KERNEL(blend_boxes, (i, j), (inout, int64_t, c, "[i, j]"), (in, int64_t, a, "[:, :]"),
           (in, int64_t, b, "[:, :]"))
{
    const hit_index rows = hit_end(a, 0) - hit_begin(a, 0) + 1;
    const hit_index columns = hit_end(b, 1) - hit_begin(b, 1) + 1;
    const int64_t of_a = hit(a, hit_begin(a, 0) + i % rows, hit_end(a, 1));
    const int64_t of_b = hit(b, hit_begin(b, 0), hit_begin(b, 1) + j % columns);

    hit(c, i, j) = held_blend(hit(c, i, j), of_a, of_b);
}

/* The last element of a box. */
HIT_KERNEL(take_last, (i, j), (out, int64_t, c, "[i, j]"), (in, int64_t, a, "[:, :]"))
{
    hit(c, i, j) = hit(a, hit_end(a, 0), hit_end(a, 1));
}
