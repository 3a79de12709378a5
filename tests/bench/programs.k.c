/* SPDX-License-Identifier: MIT
 * The kernels of programs.c. */
#include "hit/kernel.h"
#include "tests/bench/programs_data.h"

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
HIT_KERNEL(relax, (i, j),
           (inout, float, u, "[i, j] <- [i-1:i+1, j] [i, j-1:j+1]"), (value, float, omega))
{
    const float mean = 0.25f * (hit(u, i, j - 1) + hit(u, i, j + 1) + hit(u, i - 1, j) +
                                hit(u, i + 1, j));

    hit(u, i, j) += omega * (mean - hit(u, i, j));
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

/* ---- passes over large arrays ---- */

HIT_KERNEL(turn, (i, j), (out, float, to, "[j, i]"), (in, float, from, "[i, j]"))
{
    hit(to, j, i) = hit(from, i, j);
}

/* A scan: sums of blocks, where each block begins, and the blocks. */
HIT_KERNEL(scan_sums, (b), (out, int64_t, sum, "[b]"),
           (in, int64_t, x, "[1024*b:1024*b+1023]"))
{
    int64_t sum = 0;

    for (hit_index k = SCAN_BLOCK * b; k < SCAN_BLOCK * (b + 1); k++) {
        sum += hit(x, k);
    }
    hit(sum, b) = sum;
}

HIT_KERNEL(scan_begins, (k), (inout, int64_t, sum, "[:]"))
{
    int64_t before = 0;

    (void)k;
    for (hit_index b = hit_begin(sum, 0); b <= hit_end(sum, 0); b++) {
        const int64_t own = hit(sum, b);

        hit(sum, b) = before;
        before += own;
    }
}

HIT_KERNEL(scan_blocks, (b), (out, int64_t, y, "[1024*b:1024*b+1023]"),
           (in, int64_t, sum, "[b]"), (in, int64_t, x, "[1024*b:1024*b+1023]"))
{
    int64_t before = hit(sum, b);

    for (hit_index k = SCAN_BLOCK * b; k < SCAN_BLOCK * (b + 1); k++) {
        before += hit(x, k);
        hit(y, k) = before;
    }
}

HIT_KERNEL(count_bytes, (i), (sum, int32_t, bin, "[:]"), (in, uint8_t, x, "[i]"))
{
    hit(bin, hit(x, i)) += 1;
}

/* A sparse matrix by rows: row i has the elements start[i] to start[i + 1] - 1. */
HIT_KERNEL(sparse_row, (i), (out, double, y, "[i]"), (in, int32_t, start, "[i:i+1]"),
           (in, int32_t, column, "[:]"), (in, double, value, "[:]"),
           (in, double, x, "[:]"))
{
    double sum = 0;

    for (int32_t k = hit(start, i); k < hit(start, i + 1); k++) {
        sum += hit(value, k) * hit(x, hit(column, k));
    }
    hit(y, i) = sum;
}

/* ---- k-means: each point joins the nearest centre; column FEATURES of the totals counts
 * them ---- */

HIT_KERNEL(join, (i), (out, int32_t, cluster, "[i]"), (sum, double, total, "[:, :]"),
           (in, float, point, "[i, :]"), (in, float, centre, "[:, :]"))
{
    float least = INFINITY;
    int32_t best = 0;

    for (int32_t c = 0; c < CENTRES; c++) {
        float distance = 0;

        for (int f = 0; f < FEATURES; f++) {
            const float apart = hit(point, i, f) - hit(centre, c, f);

            distance += apart * apart;
        }
        best = distance < least ? c : best;
        least = distance < least ? distance : least;
    }
    hit(cluster, i) = best;
    for (int f = 0; f < FEATURES; f++) {
        hit(total, best, f) += (double)hit(point, i, f);
    }
    hit(total, best, FEATURES) += 1;
}

HIT_KERNEL(move_centre, (c, f), (inout, float, centre, "[c, f]"),
           (in, double, total, "[c, :]"))
{
    const double count = hit(total, c, FEATURES);

    if (count > 0) hit(centre, c, f) = (float)(hit(total, c, f) / count);
}

/* ---- n bodies: x, y, z and mass ---- */

HIT_KERNEL(attract, (i), (out, float, force, "[i, 0:2]"), (in, float, body, "[:, :]"))
{
    float sum[3] = {0, 0, 0};

    for (hit_index k = hit_begin(body, 0); k <= hit_end(body, 0); k++) {
        bench_attract(hit(body, k, 0) - hit(body, i, 0), hit(body, k, 1) - hit(body, i, 1),
                      hit(body, k, 2) - hit(body, i, 2), hit(body, k, 3), sum);
    }
    hit(force, i, 0) = sum[0];
    hit(force, i, 1) = sum[1];
    hit(force, i, 2) = sum[2];
}

HIT_KERNEL(advance, (i, d), (inout, float, body, "[i, d]"), (inout, float, speed, "[i, d]"),
           (in, float, force, "[i, d]"), (value, float, step))
{
    hit(speed, i, d) += step * hit(force, i, d);
    hit(body, i, d) += step * hit(speed, i, d);
}

/* ---- options ---- */

HIT_KERNEL(black_scholes, (i), (out, float, call, "[i]"), (out, float, put, "[i]"),
           (in, float, price, "[i]"), (in, float, strike, "[i]"), (in, float, years, "[i]"))
{
    float below;

    hit(call, i) = bench_call(hit(price, i), hit(strike, i), hit(years, i), &below);
    hit(put, i) = below;
}

/* ---- the cheapest way through a grid, row by row ---- */

HIT_KERNEL(path_row, (t, j), (out, int32_t, next, "[j]"), (in, int32_t, now, "[j-1:j+1]"),
           (in, int32_t, wall, "[t, j]"))
{
    const int32_t left = hit(now, j - 1);
    const int32_t right = hit(now, j + 1);
    int32_t least = hit(now, j);

    least = left < least ? left : least;
    least = right < least ? right : least;
    hit(next, j) = hit(wall, t, j) + least;
}

/* ---- lattice Boltzmann, D2Q9: what flows into a cell collides there ---- */

#define PUSH(q, weight, along)                                                           \
    hit(g, q, i, j) = in##q + rate * (weight * density *                                \
                                           (1.0f + 3.0f * (along) +                      \
                                            4.5f * (along) * (along)-1.5f * square) -    \
                                       in##q)

HIT_KERNEL(collide, (i, j), (out, float, g, "[0:8, i, j]"),
           (in, float, f, "[0:8, i-1:i+1, j-1:j+1]"), (value, float, rate))
{
    const float in0 = hit(f, 0, i, j);
    const float in1 = hit(f, 1, i - 1, j);
    const float in2 = hit(f, 2, i + 1, j);
    const float in3 = hit(f, 3, i, j - 1);
    const float in4 = hit(f, 4, i, j + 1);
    const float in5 = hit(f, 5, i - 1, j - 1);
    const float in6 = hit(f, 6, i + 1, j + 1);
    const float in7 = hit(f, 7, i - 1, j + 1);
    const float in8 = hit(f, 8, i + 1, j - 1);
    const float density = in0 + in1 + in2 + in3 + in4 + in5 + in6 + in7 + in8;
    const float u = (in1 - in2 + in5 - in6 + in7 - in8) / density;
    const float v = (in3 - in4 + in5 - in6 - in7 + in8) / density;
    const float square = u * u + v * v;

    PUSH(0, 4.0f / 9, 0.0f);
    PUSH(1, 1.0f / 9, u);
    PUSH(2, 1.0f / 9, -u);
    PUSH(3, 1.0f / 9, v);
    PUSH(4, 1.0f / 9, -v);
    PUSH(5, 1.0f / 36, u + v);
    PUSH(6, 1.0f / 36, -u - v);
    PUSH(7, 1.0f / 36, u - v);
    PUSH(8, 1.0f / 36, v - u);
}

/* ---- in order, in place ---- */

HIT_ORDERED_KERNEL(seidel_sweep, (i, j), (up, up),
                   (inout, double, u, "[i, j] <- [i-1:i+1, j] [i, j-1:j+1]"),
                   (in, double, f, "[i, j]"))
{
    hit(u, i, j) = 0.25 * (hit(u, i - 1, j) + hit(u, i + 1, j) + hit(u, i, j - 1) +
                           hit(u, i, j + 1) + hit(f, i, j));
}

HIT_ORDERED_KERNEL(nw_score, (i, j), (up, up),
                   (inout, int32_t, score, "[i, j] <- [i-1:i, j-1:j]"),
                   (in, int32_t, left, "[i]"), (in, int32_t, up, "[j]"),
                   (value, int32_t, gap))
{
    const int32_t match =
        hit(score, i - 1, j - 1) + (hit(left, i) == hit(up, j) ? 3 : -1);
    const int32_t one = hit(score, i - 1, j) - gap;
    const int32_t other = hit(score, i, j - 1) - gap;
    const int32_t best = one > other ? one : other;

    hit(score, i, j) = match > best ? match : best;
}
