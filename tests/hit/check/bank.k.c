/* SPDX-License-Identifier: MIT
 * Bodies, each with an annotation that is wrong and one that is right. The checker has to
 * find the first, and to keep quiet about the second. */
#include "hit/kernel.h"
#include "tests/hit/check/bank_pair.h"

/* clang-format off */
#define PAIR(name, index, wrong, right, ...)                                             \
    HIT_KERNEL(wrong_##name, index, HIT_STRIP wrong) { __VA_ARGS__ }                     \
    HIT_KERNEL(right_##name, index, HIT_STRIP right) { __VA_ARGS__ }

/* ---- what is read ---- */

PAIR(left, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i:i+1]")),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i-1:i]")),
    hit(b, i) = hit(a, i) - hit(a, i - 1);)

PAIR(right, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i-1:i]")),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i-1:i+1]")),
    hit(b, i) = hit(a, i) + hit(a, i - 1) + hit(a, i + 1);)

PAIR(reach, (i, j),
    ((out, int64_t, b, "[i, j]"), (in, int64_t, a, "[i-1:i+1, j] [i, j-1:j+1]")),
    ((out, int64_t, b, "[i, j]"), (in, int64_t, a, "[i-1:i+1, j] [i, j-1:j+2]")),
    hit(b, i, j) = hit(a, i, j) + hit(a, i - 1, j) + hit(a, i + 1, j) + hit(a, i, j - 1) +
                   hit(a, i, j + 1) + hit(a, i, j + 2);)

PAIR(own, (i),
    ((inout, int64_t, a, "[i]"), (in, int64_t, b, "[i]")),
    ((inout, int64_t, a, "[i] <- [i-1:i+1]"), (in, int64_t, b, "[i]")),
    hit(a, i) += hit(b, i) * (hit(a, i - 1) + 2 * hit(a, i + 1));)

PAIR(corner, (i, j),
    ((out, int64_t, b, "[i, j]"), (in, int64_t, a, "[i-1:i, j] [i, j-1:j]")),
    ((out, int64_t, b, "[i, j]"), (in, int64_t, a, "[i-1:i, j-1:j]")),
    hit(b, i, j) = hit(a, i, j) + hit(a, i - 1, j) + hit(a, i, j - 1) + hit(a, i - 1, j - 1);)

PAIR(transposed, (i, j),
    ((out, int64_t, b, "[i, j]"), (in, int64_t, a, "[i, j]")),
    ((out, int64_t, b, "[i, j]"), (in, int64_t, a, "[j, i]")),
    hit(b, i, j) = hit(a, j, i);)

PAIR(row, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i, i]")),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i, :]")),
    int64_t sum = 0;
    for (hit_index k = hit_begin(a, 1); k <= hit_end(a, 1); k++) sum += hit(a, i, k);
    hit(b, i) = sum;)

PAIR(column, (i, j),
    ((out, int64_t, b, "[i, j]"), (in, int64_t, a, "[i, :]")),
    ((out, int64_t, b, "[i, j]"), (in, int64_t, a, "[:, j]")),
    int64_t sum = 0;
    for (hit_index k = hit_begin(a, 0); k <= hit_end(a, 0); k++) sum += hit(a, k, j);
    hit(b, i, j) = sum;)

PAIR(coefficient, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i]")),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[2*i]")),
    hit(b, i) = hit(a, 2 * i);)

PAIR(odd, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[2*i]")),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[2*i:2*i+1]")),
    hit(b, i) = hit(a, 2 * i) + hit(a, 2 * i + 1);)

PAIR(fixed, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[0:2]")),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[0:3]")),
    hit(b, i) = hit(a, 0) + hit(a, 1) + hit(a, 2) + hit(a, 3) + i;)

PAIR(triangle, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[0:i-1]")),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[0:i]")),
    int64_t sum = 0;
    for (hit_index k = 0; k <= i; k++) sum += hit(a, k);
    hit(b, i) = sum;)

PAIR(strided, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i:i+4:2]")),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i:i+6:3]")),
    hit(b, i) = hit(a, i) + hit(a, i + 3) + hit(a, i + 6);)

PAIR(other, (i),
    ((out, int64_t, c, "[i]"), (in, int64_t, a, "[i-1:i+1]"), (in, int64_t, b, "[i]")),
    ((out, int64_t, c, "[i]"), (in, int64_t, a, "[i]"), (in, int64_t, b, "[i-1:i+1]")),
    hit(c, i) = hit(a, i) + hit(b, i - 1) + hit(b, i) + hit(b, i + 1);)

PAIR(above, (i, j, k),
    ((out, int64_t, b, "[i, j, k]"), (in, int64_t, a, "[i, j, k-1:k]")),
    ((out, int64_t, b, "[i, j, k]"), (in, int64_t, a, "[i, j-1:j, k]")),
    hit(b, i, j, k) = hit(a, i, j, k) + hit(a, i, j - 1, k);)

PAIR(hyper, (i, j, k, l),
    ((out, int64_t, b, "[i, j, k, l]"), (in, int64_t, a, "[i, j, l, k]")),
    ((out, int64_t, b, "[i, j, k, l]"), (in, int64_t, a, "[l, j, k, i]")),
    hit(b, i, j, k, l) = hit(a, l, j, k, i);)

PAIR(plane, (i, j, k),
    ((out, int64_t, b, "[i, j, k]"), (in, int64_t, a, "[i, j]")),
    ((out, int64_t, b, "[i, j, k]"), (in, int64_t, a, "[k, i]")),
    hit(b, i, j, k) = hit(a, k, i);)

PAIR(diagonal, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i, i+1]")),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i, i]")),
    hit(b, i) = hit(a, i, i);)

PAIR(mirror, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i]")),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[19-i]")),
    hit(b, i) = hit(a, 19 - i);)

PAIR(gather, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i]"), (in, int64_t, at, "[i]")),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[:]"), (in, int64_t, at, "[i]")),
    hit(b, i) = hit(a, hit(at, i));)

PAIR(flat, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i, 0]")),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i, 1]")),
    hit(b, i) = hit(a, i, 1);)

/* ---- what is written ---- */

PAIR(half, (i),
    ((out, int64_t, b, "[2*i:2*i+1]"), (in, int64_t, a, "[i]")),
    ((out, int64_t, b, "[2*i]"), (in, int64_t, a, "[i]")),
    hit(b, 2 * i) = hit(a, i);)

PAIR(sometimes, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i]")),
    ((inout, int64_t, b, "[i]"), (in, int64_t, a, "[i]")),
    if (hit(a, i) % 2 == 0) hit(b, i) = hit(a, i);)

PAIR(adds, (i, j),
    ((out, double, b, "[i, j]"), (in, double, a, "[i, j]")),
    ((inout, double, b, "[i, j]"), (in, double, a, "[i, j]")),
    hit(b, i, j) += hit(a, i, j);)

PAIR(keeps, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i]")),
    ((inout, int64_t, b, "[i]"), (in, int64_t, a, "[i]")),
    if (hit(a, i) > hit(b, i)) hit(b, i) = hit(a, i);)

PAIR(zero, (i),
    ((out, float, b, "[i]"), (in, float, a, "[i]"), (value, float, beta)),
    ((inout, float, b, "[i]"), (in, float, a, "[i]"), (value, float, beta)),
    hit(b, i) = hit(a, i) + (beta - beta) * hit(b, i);)

PAIR(padded, (i),
    ((out, bank_pair, b, "[i]"), (in, bank_pair, a, "[i]")),
    ((inout, bank_pair, b, "[i]"), (in, bank_pair, a, "[i]")),
    hit(b, i).mark += 1;
    hit(b, i).x = 2 * hit(a, i).x;)

PAIR(members, (i),
    ((out, bank_pair, b, "[i:i+1]"), (in, bank_pair, a, "[i]")),
    ((out, bank_pair, b, "[i]"), (in, bank_pair, a, "[i]")),
    hit(b, i).mark = hit(a, i).mark;
    hit(b, i).x = 2 * hit(a, i).x;)

PAIR(turned, (i, j),
    ((out, int64_t, b, "[i, j]"), (in, int64_t, a, "[i, j]")),
    ((out, int64_t, b, "[j, i]"), (in, int64_t, a, "[i, j]")),
    hit(b, j, i) = hit(a, i, j);)

PAIR(shift, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i]")),
    ((out, int64_t, b, "[i+1]"), (in, int64_t, a, "[i]")),
    hit(b, i + 1) = hit(a, i);)

PAIR(rewrites, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i]")),
    ((out, int64_t, b, "[i]"), (inout, int64_t, a, "[i]")),
    int64_t *at = (int64_t *)(uintptr_t)&hit(a, i);
    *at = *at + 1;
    hit(b, i) = *at;)

/* no content but the right one shows in b */
PAIR(compares, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i]"), (sum, int64_t, moved, "[]")),
    ((inout, int64_t, b, "[i]"), (in, int64_t, a, "[i]"), (sum, int64_t, moved, "[]")),
    if (hit(b, i) != hit(a, i)) {
        hit(b, i) = hit(a, i);
        hit(moved) += 1;
    })

PAIR(marks, (i),
    ((out, int64_t, b, "[2*i:2*i+1]"), (in, int64_t, a, "[i]"), (inout, int64_t, same, "[i]")),
    ((inout, int64_t, b, "[2*i:2*i+1]"), (in, int64_t, a, "[i]"), (inout, int64_t, same, "[i]")),
    if (hit(b, 2 * i + 1) == hit(a, i)) hit(same, i) = -1;
    hit(b, 2 * i) = 2;
    hit(b, 2 * i + 1) = hit(a, i);)

/* ---- reductions, and indices that meet ---- */

PAIR(scalar, (i),
    ((inout, int64_t, total, "[]"), (in, int64_t, a, "[i]")),
    ((sum, int64_t, total, "[]"), (in, int64_t, a, "[i]")),
    hit(total) += hit(a, i);)

PAIR(rows, (i, j),
    ((inout, int64_t, total, "[i]"), (in, int64_t, a, "[i, j]")),
    ((sum, int64_t, total, "[i]"), (in, int64_t, a, "[i, j]")),
    hit(total, i) += hit(a, i, j);)

PAIR(greatest, (i, j),
    ((sum, int64_t, most, "[j]"), (in, int64_t, a, "[i, j]")),
    ((max, int64_t, most, "[j]"), (in, int64_t, a, "[i, j]")),
    if (hit(a, i, j) > hit(most, j)) hit(most, j) = hit(a, i, j);)

PAIR(least, (i),
    ((max, float, best, "[]"), (in, float, a, "[i]")),
    ((min, float, best, "[]"), (in, float, a, "[i]")),
    if (hit(a, i) < hit(best)) hit(best) = hit(a, i);)

PAIR(bins, (i),
    ((sum, int64_t, count, "[0:1]"), (in, int64_t, a, "[i]")),
    ((sum, int64_t, count, "[0:2]"), (in, int64_t, a, "[i]")),
    hit(count, hit(a, i) % 3) += 1;)

PAIR(blocks, (i),
    ((out, int64_t, b, "[i:i+1]"), (in, int64_t, a, "[i]")),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i]")),
    hit(b, i) = hit(a, i);)

/* ---- more than is touched ---- */

PAIR(wide, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i-2:i+2]")),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i-1:i+1]")),
    hit(b, i) = hit(a, i - 1) + hit(a, i) + hit(a, i + 1);)

PAIR(boxed, (i, j),
    ((out, int64_t, b, "[i, j]"), (in, int64_t, a, "[i-1:i+1, j-1:j+1]")),
    ((out, int64_t, b, "[i, j]"), (in, int64_t, a, "[i-1:i+1, j] [i, j-1:j+1]")),
    hit(b, i, j) = hit(a, i - 1, j) + hit(a, i + 1, j) + hit(a, i, j - 1) +
                   hit(a, i, j + 1) - 4 * hit(a, i, j);)

PAIR(extra, (i),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i] [i+3]")),
    ((out, int64_t, b, "[i]"), (in, int64_t, a, "[i]")),
    hit(b, i) = 2 * hit(a, i);)

/* ---- wrong whatever is declared ---- */

HIT_KERNEL(wrong_beyond, (i), (out, int64_t, b, "[i]"), (in, int64_t, a, "[:]"))
{
    hit(b, i) = hit(a, hit_end(a, 0) + 1) + hit(a, i);
}

HIT_KERNEL(wrong_count, (i), (out, int64_t, b, "[i]"), (in, int64_t, a, "[i, 0]"))
{
    hit(b, i) = hit(a, i);
}

HIT_KERNEL(wrong_overlap, (i), (out, int64_t, b, "[i:i+1]"), (in, int64_t, a, "[i]"))
{
    hit(b, i) = hit(a, i);
    hit(b, i + 1) = hit(a, i);
}

HIT_KERNEL(wrong_race, (i, j), (out, int64_t, b, "[i]"), (in, int64_t, a, "[i, j]"))
{
    hit(b, i) = hit(a, i, j);
}

HIT_KERNEL(wrong_scatter, (i), (out, int64_t, b, "[i]"), (in, int64_t, a, "[i]"))
{
    hit(b, hit(a, i)) = i;
}

HIT_KERNEL(wrong_pointer, (i), (out, int64_t, b, "[i]"), (in, int64_t, a, "[i]"))
{
    int64_t *at = &hit(b, i);

    at[0] = hit(a, i);
    at[-1] = 0;
}

HIT_KERNEL(wrong_product, (i), (sum, int64_t, total, "[]"), (in, int64_t, a, "[i]"))
{
    hit(total) *= hit(a, i);
}

HIT_KERNEL(wrong_assign, (i), (sum, double, total, "[]"), (in, double, a, "[i]"))
{
    hit(total) = hit(a, i);
}

HIT_KERNEL(wrong_keep, (i), (min, float, best, "[]"), (in, float, a, "[i]"))
{
    hit(best) = hit(a, i);
}

HIT_KERNEL(wrong_unused, (i),
    (out, int64_t, b, "[i]"), (in, int64_t, a, "[i]"), (in, int64_t, c, "[i]"))
{
    hit(b, i) = 3 * hit(a, i);
    if (i < 0) hit(b, i) = hit(c, i); /* the launch is over 0 and more */
}
