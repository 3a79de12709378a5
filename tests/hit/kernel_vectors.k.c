/* SPDX-License-Identifier: MIT
 * Kernels in vectors, of one to three indices and of all types that there are. */
#include "tests/hit/kernel_vectors.h"

#define HIT_FETCH_BOX 2000 /* some of the boxes are large */
#include "hit/kernel.h"

/* clang-format off */
HIT_VECTOR_KERNEL(vectors_line, (i), (inout, double, y, "[i]"), (out, double, z, "[i]"),
                  (in, double, x, "[i-9:i+9]"), (value, double, c))
{
    const hit_auto far = hit(x, i - 9) - hit(x, i + 9) + hit(x, i - 8) * c;

    hit(z, i) = hit(y, i) + far;
    hit(y, i) = hit(y, i) * c + hit(x, i) + hit(x, i - 1) - 3 * hit(x, i + 1);
}

#define PLANE(name, T)                                                                   \
    HIT_VECTOR_KERNEL(name, (i, j), (inout, T, y, "[i, j]"), (out, T, z, "[i, j]"),      \
                      (in, T, x, "[i-2:i+2, j] [i, j-17:j+17]"), (in, T, side, "[i]"),   \
                      (value, T, c))                                                     \
    {                                                                                    \
        const hit_auto near = hit(x, i, j - 1) + 2 * hit(x, i, j + 1) +                  \
                              3 * hit(x, i, j - 2) - hit(x, i, j + 3);                   \
        const hit_auto far = hit(x, i, j - 7) + hit(x, i, j + 8) - hit(x, i, j + 15) +   \
                             hit(x, i, j - 16) - c * hit(x, i, j + 17);                  \
                                                                                         \
        hit(z, i, j) = near - far + hit(side, i);                                        \
        hit(y, i, j) += hit(x, i - 2, j) - hit(x, i + 2, j) + hit(x, i, j) * c;          \
    }
PLANE(vectors_floats, float)
PLANE(vectors_doubles, double)
PLANE(vectors_ints, int)
PLANE(vectors_longs, hit_index)

#define AROUND(d) (hit(x, i - d, j, k) + 2 * hit(x, i + d, j, k) + 3 * hit(x, i, j - d, k) + \
                   4 * hit(x, i, j + d, k) + 5 * hit(x, i, j, k - d) + 6 * hit(x, i, j, k + d))
HIT_VECTOR_KERNEL(vectors_space, (i, j, k), (inout, float, y, "[i, j, k]"),
                  (in, float, x, "[i-4:i+4, j, k] [i, j-4:j+4, k] [i, j, k-4:k+4]"))
{
    hit(y, i, j, k) = AROUND(1) - AROUND(2) + AROUND(3) - AROUND(4) - hit(y, i, j, k);
}

/* Rows of x are as far from each other as they are long. */
HIT_VECTOR_KERNEL(vectors_along, (i, j, k), (out, float, y, "[i, j, k]"),
                  (in, float, x, "[i, j, k-1:k+1]"))
{
    hit(y, i, j, k) = 2 * hit(x, i, j, k - 1) + hit(x, i, j, k + 1);
}

/* What is not written stays. */
HIT_VECTOR_KERNEL(vectors_chosen, (i, j), (out, float, y, "[i, j]"), (out, float, z, "[i, j]"),
                  (in, float, x, "[i-2:i+2, j] [i, j-1:j+1]"), (value, float, c))
{
    hit(y, i, j) = hit(x, i - 2, j) + hit(x, i, j + 1);
    if (c > 5) hit(z, i, j) = hit(x, i, j);
}

/* One row is the same for all: of it there is nothing beside. */
HIT_VECTOR_KERNEL(vectors_first, (i, j), (out, float, y, "[i, j]"),
                  (in, float, x, "[0, j-1:j+1]"), (in, float, z, "[i, j] [0, j]"))
{
    hit(y, i, j) = hit(x, 0, j - 1) + hit(x, 0, j + 1) * hit(z, i, j) - hit(z, 0, j);
}
