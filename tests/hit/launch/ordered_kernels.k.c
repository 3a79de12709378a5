/* SPDX-License-Identifier: MIT
 * Kernels whose indices run one after the other: what one writes others read. */
#include "hit/kernel.h"

static HIT_INLINE int64_t mix(int64_t a, int64_t b, int64_t c)
{
    return (3 * a - 5 * b + 7 * c + 11) % 100003;
}

/* Two elements beside each index, anywhere. */
#define ALONG(name, order)                                                               \
    HIT_ORDERED_KERNEL(name, (i), (order), (inout, int64_t, u, "[i] <- [i+a] [i+b]"),    \
                       (value, hit_index, a), (value, hit_index, b))                     \
    {                                                                                    \
        hit(u, i) = mix(hit(u, i), hit(u, i + a), hit(u, i + b));                        \
    }
ALONG(along_up, up)
ALONG(along_down, down)

#define PLANE(name, first, second)                                                       \
    HIT_ORDERED_KERNEL(name, (i, j), (first, second),                                    \
                       (inout, int64_t, u, "[i, j] <- [i+a, j+b] [i+c, j+d]"),           \
                       (value, hit_index, a), (value, hit_index, b),                     \
                       (value, hit_index, c), (value, hit_index, d))                     \
    {                                                                                    \
        hit(u, i, j) = mix(hit(u, i, j), hit(u, i + a, j + b), hit(u, i + c, j + d));    \
    }
PLANE(plane_up_up, up, up)
PLANE(plane_up_down, up, down)
PLANE(plane_down_up, down, up)
PLANE(plane_down_down, down, down)

#define SPACE(name, first, second, third)                                                \
    HIT_ORDERED_KERNEL(                                                                  \
        name, (i, j, k), (first, second, third),                                         \
        (inout, int64_t, u, "[i, j, k] <- [i+a, j+b, k+c] [i, j-1, k+1]"),               \
        (value, hit_index, a), (value, hit_index, b), (value, hit_index, c))             \
    {                                                                                    \
        hit(u, i, j, k) =                                                                \
            mix(hit(u, i, j, k), hit(u, i + a, j + b, k + c), hit(u, i, j - 1, k + 1));  \
    }
SPACE(space_up_up_down, up, up, down)
SPACE(space_up_down_up, up, down, up)
SPACE(space_down_up_up, down, up, up)

/* Gauss and Seidel. */
HIT_ORDERED_KERNEL(seidel, (i, j), (up, up),
                   (inout, int64_t, u, "[i, j] <- [i-1:i+1, j] [i, j-1:j+1]"),
                   (in, int64_t, f, "[i-1:i+1, j]"))
{
    hit(u, i, j) = mix(hit(u, i - 1, j) + hit(u, i, j - 1),
                       hit(u, i + 1, j) - hit(u, i, j), hit(u, i, j + 1)) +
                   hit(f, i - 1, j) - hit(f, i + 1, j);
}

HIT_ORDERED_KERNEL(nine_points, (i, j), (up, up),
                   (inout, int64_t, u, "[i, j] <- [i-1:i+1, j-1:j+1]"))
{
    int64_t sum = 0;

    for (hit_index a = i - 1; a <= i + 1; a++) {
        for (hit_index b = j - 1; b <= j + 1; b++) {
            sum = 3 * sum + hit(u, a, b);
        }
    }
    hit(u, i, j) = sum % 100003;
}

/* Triangular systems. */
HIT_ORDERED_KERNEL(lower, (i), (up), (inout, int64_t, x, "[i] <- [0:i]"),
                   (in, int64_t, l, "[i, 0:i]"))
{
    for (hit_index k = 0; k < i; k++) {
        hit(x, i) = (hit(x, i) - hit(l, i, k) * hit(x, k)) % 100003;
    }
}

HIT_ORDERED_KERNEL(upper, (i), (down), (inout, int64_t, x, "[i] <- [i:n]"),
                   (in, int64_t, r, "[i, i:n]"), (value, hit_index, n))
{
    for (hit_index k = i + 1; k <= n; k++) {
        hit(x, i) = (hit(x, i) - hit(r, i, k) * hit(x, k)) % 100003;
    }
}

/* All indices of a row write one element, and all of them another one. */
HIT_ORDERED_KERNEL(gather_up, (i, j), (down, up), (inout, int64_t, x, "[i]"),
                   (inout, int64_t, total, "[]"), (in, int64_t, a, "[i, j]"))
{
    hit(x, i) = mix(hit(x, i), hit(a, i, j), hit(total));
    hit(total) = mix(hit(a, i, j), hit(x, i), hit(total));
}

/* Two tiles that need each other, and pairs. */
HIT_ORDERED_KERNEL(both, (i, j), (up, down), (inout, int64_t, u, "[i, j] <- [i, j+2]"),
                   (inout, int64_t, v, "[i, j] <- [i-1, j]"),
                   (out, int64_t, w, "[2*i:2*i+1, j]"))
{
    hit(u, i, j) = mix(hit(u, i, j + 2), hit(v, i - 1, j), hit(v, i, j));
    hit(v, i, j) = mix(hit(u, i, j), hit(u, i, j + 2), hit(v, i - 1, j));
    hit(w, 2 * i, j) = hit(u, i, j);
    hit(w, 2 * i + 1, j) = hit(v, i, j);
}

/* Indices that write the same elements, in one and in several. */
HIT_ORDERED_KERNEL(spread, (i, j), (up, down), (inout, int64_t, u, "[i-1:i, j:j+1]"),
                   (inout, int64_t, bin, "[j%3]"))
{
    hit(u, i, j + 1) = mix(hit(u, i - 1, j), hit(u, i, j), hit(bin, j % 3));
    hit(u, i - 1, j) = mix(hit(u, i, j + 1), hit(u, i - 1, j + 1), hit(u, i, j));
    hit(bin, j % 3) = mix(hit(bin, j % 3), hit(u, i, j), hit(u, i - 1, j));
}

/* Each reads an element of a column that is far from 0, which one of them writes. */
HIT_ORDERED_KERNEL(far_column, (i, j), (up, up),
                   (inout, int64_t, u, "[i, j] <- [i, j-1] [0, 2199023255615]"))
{
    hit(u, i, j) = mix(hit(u, i, j - 1), hit(u, 0, 2199023255615), hit(u, i, j));
}

/* Mistakes. */
HIT_ORDERED_KERNEL(ordered_sum, (i), (up), (in, int64_t, u, "[i]"),
                   (sum, int64_t, s, "[]"))
{
    hit(s) += hit(u, i);
}

HIT_ORDERED_KERNEL(ordered_beyond, (i), (up), (inout, int64_t, u, "[i] <- [i-1]"))
{
    hit(u, i) += hit(u, i - 1);
}
HIT_ORDERED_KERNEL(ordered_beside, (i), (up), (inout, int64_t, u, "[i] <- [i-1]"))
{
    hit(u, i) += hit(u, i - 1);
    hit(u, i - 1) = 3;
}

/* Of equal elements it leaves what is there. */
HIT_ORDERED_KERNEL(ordered_mean, (i), (up), (inout, float, u, "[i] <- [i-1]"))
{
    hit(u, i) += 1.5f * (0.5f * (hit(u, i - 1) + hit(u, i + 1)) - hit(u, i));
}

/* How much an index reads depends on where it is. */
HIT_ORDERED_KERNEL(thirds, (i, j, k), (up, down, down), (inout, int64_t, u, "[i, j, k]"),
                   (in, int64_t, x, "[i-2:i-1, j:j+1, k:k+2]"),
                   (in, int64_t, y, "[i+1:i+3, j/3+1:j/3+3, k+1:k+3] [i+1:i+3, j+1, k]"))
{
    hit(u, i, j, k) += hit(x, i - 1, j + 1, k + 2) + hit(y, i + 2, j / 3 + 2, k + 1) -
                       hit(y, i + 3, j + 1, k);
}
