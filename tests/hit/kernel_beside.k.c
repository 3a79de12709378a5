/* SPDX-License-Identifier: MIT
 * Kernels in vectors, for what lies beside their rows. */
#include "hit/kernel.h"
#include "tests/hit/kernel_vectors.h"

/* clang-format off */
HIT_VECTOR_KERNEL(vectors_both, (i, j), (inout, float, y, "[i, j]"), (out, float, z, "[i, j]"),
                  (in, float, x, "[i-2:i+2, j] [i, j-1:j+1]"), (value, float, c))
{
    hit(z, i, j) = hit(x, i - 2, j) + c * hit(x, i, j - 1);
    hit(y, i, j) += hit(x, i + 2, j) + hit(x, i, j + 1);
}

/* Of these, rows of x are not around each other where those of y are, or the text of their
 * pattern looks as if they were. */
HIT_VECTOR_KERNEL(vectors_all, (i, j), (out, float, y, "[i, j]"), (in, float, x, "[:]"))
{
    hit(y, i, j) = 2 * hit(x, j);
}
HIT_VECTOR_KERNEL(vectors_zero, (i, j), (out, float, y, "[i, j]"), (in, float, x, "[0, :]"))
{
    hit(y, i, j) = 2 * hit(x, 0, j);
}
HIT_VECTOR_KERNEL(vectors_half, (i, j), (out, float, y, "[i, j]"), (in, float, x, "[i/2, j]"))
{
    hit(y, i, j) = 2 * hit(x, i / 2, j);
}
HIT_VECTOR_KERNEL(vectors_named, (i, j), (out, float, y, "[i, j]"), (in, float, x, "[ib, j]"),
                  (value, hit_index, ib))
{
    hit(y, i, j) = 2 * hit(x, ib, j);
}
HIT_VECTOR_KERNEL(vectors_joined, (i, j), (out, float, y, "[i, j]"),
                  (in, float, x, "[i, j][0, j]"))
{
    hit(y, i, j) = hit(x, i, j) + hit(x, 0, j);
}
HIT_VECTOR_KERNEL(vectors_prefix, (i, ii, k), (out, float, y, "[i, ii, k]"),
                  (in, float, x, "[ii, k]"))
{
    hit(y, i, ii, k) = 2 * hit(x, ii, k);
}
HIT_VECTOR_KERNEL(vectors_until, (i, j), (out, float, y, "[i, j]"), (in, float, x, "[i:9, j]"))
{
    hit(y, i, j) = hit(x, i, j) + hit(x, 9, j);
}
HIT_VECTOR_KERNEL(vectors_second, (i, j, k), (out, float, y, "[i, j, k]"),
                  (in, float, x, "[i, j/2, k]"))
{
    hit(y, i, j, k) = 2 * hit(x, i, j / 2, k);
}
HIT_VECTOR_KERNEL(vectors_quotient, (i, j), (out, int, y, "[i, j]"), (in, int, x, "[i, j]"))
{
    hit(y, i, j) = 2520 / hit(x, i, j);
}
