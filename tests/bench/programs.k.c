/* SPDX-License-Identifier: MIT
 * The kernels of programs.c. */
#include "hit/kernel.h"

/* clang-format off */
HIT_KERNEL(life, (i, j), (out, uint8_t, next, "[i, j]"),
           (in, uint8_t, now, "[i-1:i+1, j-1:j+1]"))
{
    const uint8_t around = (uint8_t)(
        hit(now, i - 1, j - 1) + hit(now, i - 1, j) + hit(now, i - 1, j + 1) +
        hit(now, i, j - 1) + hit(now, i, j + 1) +
        hit(now, i + 1, j - 1) + hit(now, i + 1, j) + hit(now, i + 1, j + 1));

    hit(next, i, j) = (uint8_t)((around == 3) | ((around == 2) & hit(now, i, j)));
}

/* All three are selections of one plate with strides of 2. */
HIT_KERNEL(relax, (i, j), (inout, float, own, "[i, j]"),
           (in, float, row, "[i, j-1:j+1]"), (in, float, column, "[i-1:i+1, j]"),
           (value, float, omega))
{
    const float mean = 0.25f * (hit(row, i, j - 1) + hit(row, i, j + 1) +
                                hit(column, i - 1, j) + hit(column, i + 1, j));

    hit(own, i, j) += omega * (mean - hit(own, i, j));
}

/* ---- LU: the column below the pivot, then all that is right of and below it ---- */

HIT_KERNEL(copy_plane, (i, j), (out, double, to, "[i, j]"), (in, double, from, "[i, j]"))
{
    hit(to, i, j) = hit(from, i, j);
}

HIT_KERNEL(lud_column, (k, i), (inout, double, below, "[i, k]"),
           (in, double, pivot, "[k, k]"))
{
    hit(below, i, k) /= hit(pivot, k, k);
}

HIT_KERNEL(lud_rest, (k, i, j), (inout, double, a, "[i, j]"),
           (in, double, below, "[i, k]"), (in, double, right, "[k, j]"))
{
    hit(a, i, j) -= hit(below, i, k) * hit(right, k, j);
}

/* ---- shortest paths: row and column k are copied, since the plane is written ---- */

HIT_KERNEL(floyd_row, (k, j), (out, float, row, "[j]"), (in, float, plane, "[k, j]"))
{
    hit(row, j) = hit(plane, k, j);
}

HIT_KERNEL(floyd_column, (k, i), (out, float, column, "[i]"),
           (in, float, plane, "[i, k]"))
{
    hit(column, i) = hit(plane, i, k);
}

HIT_KERNEL(floyd_shorten, (i, j), (inout, float, plane, "[i, j]"),
           (in, float, column, "[i]"), (in, float, row, "[j]"))
{
    const float way = hit(column, i) + hit(row, j);

    hit(plane, i, j) = way < hit(plane, i, j) ? way : hit(plane, i, j);
}

/* ---- Needleman-Wunsch: row d of the score is the antidiagonal d, by its rows i ---- */

HIT_KERNEL(nw_diagonal, (d, i), (out, int32_t, score, "[d, i]"),
           (in, int32_t, before, "[d-1, i-1:i]"), (in, int32_t, older, "[d-2, i-1]"),
           (in, int32_t, left, "[i]"), (in, int32_t, up, "[d-i]"), (value, int32_t, gap))
{
    const int32_t match =
        hit(older, d - 2, i - 1) + (hit(left, i) == hit(up, d - i) ? 3 : -1);
    const int32_t one = hit(before, d - 1, i - 1) - gap;
    const int32_t other = hit(before, d - 1, i) - gap;
    const int32_t best = one > other ? one : other;

    hit(score, d, i) = match > best ? match : best;
}

/* ---- Durbin: a Toeplitz system, one row more in each step ---- */

HIT_KERNEL(durbin_dot, (k, i), (sum, double, total, "[]"), (in, double, r, "[k-1-i]"),
           (in, double, y, "[i]"))
{
    hit(total) += hit(r, k - 1 - i) * hit(y, i);
}

HIT_KERNEL(durbin_step, (k), (inout, double, alpha, "[]"), (inout, double, beta, "[]"),
           (out, double, z, "[k]"), (in, double, total, "[]"), (in, double, r, "[k]"))
{
    hit(beta) *= 1 - hit(alpha) * hit(alpha);
    hit(alpha) = -(hit(r, k) + hit(total)) / hit(beta);
    hit(z, k) = hit(alpha);
}

HIT_KERNEL(durbin_flip, (k, i), (out, double, z, "[i]"), (in, double, y, "[i] [k-1-i]"),
           (in, double, alpha, "[]"))
{
    hit(z, i) = hit(y, i) + hit(alpha) * hit(y, k - 1 - i);
}
