/* SPDX-License-Identifier: MIT
 * Constant speeds: optimal integer shares in O(p log p). Units are given one by one to
 * the process that would finish first, but not from zero: floor(n s / sum) units of every
 * process finish by n / sum, a lower bound of the optimum, so the greedy choice takes
 * them all. Differs from the usual largest remainder, which is not optimal. Doubles only
 * guess, and guess low; keys (share + 1) / speed are compared exactly by cross products
 * of 128 bits, so that all machines give the same shares. */
#include "layouts/partition/cpm.h"

#include "hit/base/memory.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

/** A speed, exactly: mantissa * 2^exponent. */
typedef struct speed_parts {
    uint64_t mantissa;
    int exponent;
} speed_parts;

/** Processes with a speed > 0, as a heap: the one that would finish one more unit first
 * is on top. */
typedef struct queue {
    int count;
    int *process;
    const speed_parts *speed;
    hit_index *share;
} queue;

static speed_parts take_apart(double speed)
{
    speed_parts parts;
    double fraction = frexp(speed, &parts.exponent);

    parts.mantissa = (uint64_t)ldexp(fraction, DBL_MANT_DIG);
    parts.exponent -= DBL_MANT_DIG;
    return parts;
}

/** The number of binary digits of @p x > 0. */
static int bits_of(wide x)
{
    uint64_t high = (uint64_t)(x >> 64);

    return high != 0 ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)x);
}

/** Is x * 2^a < y * 2^b? Both x and y are > 0 and have at most 116 bits. */
static bool scaled_less(wide x, int a, wide y, int b)
{
    int x_top;
    int y_top;

    if (a == b) return x < y;
    x_top = bits_of(x) + a;
    y_top = bits_of(y) + b;
    if (x_top != y_top) return x_top < y_top;
    return a > b ? x << (a - b) < y : x < y << (b - a);
}

/** Would process @p i finish one more unit before process @p j would? */
static bool before(const queue *q, int i, int j)
{
    wide units_i = (wide)q->share[i] + 1;
    wide units_j = (wide)q->share[j] + 1;
    wide left = units_i * q->speed[j].mantissa;
    wide right = units_j * q->speed[i].mantissa;
    int left_exponent = q->speed[j].exponent;
    int right_exponent = q->speed[i].exponent;

    if (scaled_less(left, left_exponent, right, right_exponent)) return true;
    if (scaled_less(right, right_exponent, left, left_exponent)) return false;
    return i < j;
}

static void sift_down(queue *q, int at)
{
    int moving = q->process[at];

    for (;;) {
        int child = 2 * at + 1;

        if (child >= q->count) break;
        if (child + 1 < q->count && before(q, q->process[child + 1], q->process[child])) {
            child++;
        }
        if (!before(q, q->process[child], moving)) break;
        q->process[at] = q->process[child];
        at = child;
    }
    q->process[at] = moving;
}

/** The sum of speed / 2^shift, by halves: the relative error is log2(count) roundings. */
static double sum_of(int count, const double speed[], int shift)
{
    if (count == 1) return ldexp(speed[0], -shift);
    return sum_of(count / 2, speed, shift) +
           sum_of(count - count / 2, speed + count / 2, shift);
}

/** The shares floor(n s / sum) or a little less, never more. Returns the units left. */
static hit_index guess_low(hit_index n, int parts, const double speed[], double fastest,
                           hit_index share[])
{
    double safety = 1.0 - 40.0 * DBL_EPSILON; /* 31 roundings of the sum, a few below */
    hit_index left = n;
    double sum;
    int shift;

    (void)frexp(fastest, &shift); /* so that the sum does not overflow */
    sum = sum_of(parts, speed, shift);
    for (int i = 0; i < parts; i++) {
        share[i] = (hit_index)((double)n * (ldexp(speed[i], -shift) / sum) * safety);
        left -= share[i];
    }
    return left;
}

static hit_status check(hit_index n, int parts, const double speed[], double *fastest)
{
    *fastest = 0.0;
    if (n < 0) return HIT_FAIL(HIT_E_ARG, "expected n >= 0 but found %lld", (long long)n);
    if (parts < 1) return HIT_FAIL(HIT_E_ARG, "expected parts >= 1 but found %d", parts);
    for (int i = 0; i < parts; i++) {
        if (!isfinite(speed[i]) || speed[i] < 0.0) {
            return HIT_FAIL(HIT_E_ARG, "expected speeds >= 0 but found %g at position %d",
                            speed[i], i);
        }
        if (speed[i] > *fastest) *fastest = speed[i];
    }
    if (*fastest == 0.0 && n > 0) {
        return HIT_FAIL(HIT_E_ARG, "expected a speed > 0 but all %d are 0", parts);
    }
    return HIT_OK;
}

/** Give the units that are left one by one to the process that would finish first. */
static void give_out(queue *q, hit_index left)
{
    for (int at = q->count / 2 - 1; at >= 0; at--) {
        sift_down(q, at);
    }
    for (; left > 0; left--) {
        q->share[q->process[0]]++;
        sift_down(q, 0);
    }
}

hit_status hit_partition_cpm(hit_index n, int parts, const double speed[],
                             hit_index share[])
{
    queue q = {.share = share};
    speed_parts *exact;
    double fastest;
    hit_status st;

    HIT_TRY(check(n, parts, speed, &fastest));
    HIT_TRY(hit_memory_zeroed((size_t)parts, sizeof *exact, &exact));
    st = hit_memory_zeroed((size_t)parts, sizeof *q.process, &q.process);
    if (st != HIT_OK) goto free_exact;

    for (int i = 0; i < parts; i++) {
        share[i] = 0;
        exact[i] = take_apart(speed[i]);
        if (speed[i] > 0.0) q.process[q.count++] = i;
    }
    q.speed = exact;
    if (q.count > 0) give_out(&q, guess_low(n, parts, speed, fastest, share));
    free(q.process);
free_exact:
    free(exact);
    return st;
}
