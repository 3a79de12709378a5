/* SPDX-License-Identifier: MIT
 * Constant speeds: optimal integer shares in O(p log p). Units are given one by one to
 * the process that would finish first, but not from zero: floor(n s / sum) units of every
 * process finish by n / sum, a lower bound of the optimum, so the greedy choice takes
 * them all. Differs from the usual largest remainder, which is not optimal. Doubles only
 * guess, and guess low; keys (share + 1) / speed are compared exactly by cross products
 * of 128 bits, so that all machines give the same shares. A process whose proportional
 * share is above its limit is at its limit in the optimum, too: the others only get more.
 */
#include "hit/base/containers.h"
#include "hit/base/memory.h"
#include "layouts/partition/partition_impl.h"

#include <float.h>
#include <limits.h>
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
static bool before(const void *context, int i, int j)
{
    const queue *q = context;
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

/** The sum of speed / 2^shift over the first @p count of @p process, by halves: the
 * relative error is log2(count) roundings. */
static double sum_of(int count, const int process[], const double speed[], int shift)
{
    if (count == 1) return ldexp(speed[process[0]], -shift);
    return sum_of(count / 2, process, speed, shift) +
           sum_of(count - count / 2, process + count / 2, speed, shift);
}

/** Give the processes of the queue floor(n s / sum) units or a little less, never more.
 * Those that reach their limit leave the queue, and the others share the rest. Returns
 * the units left. */
static hit_index guess_low(queue *q, hit_index n, const double speed[],
                           const hit_index most[])
{
    double safety = 1.0 - 40.0 * DBL_EPSILON; /* 31 roundings of the sum, a few below */
    hit_index left = n;
    int before = q->count + 1;

    while (q->count > 0 && q->count < before) {
        double sum;
        int shift = INT_MIN;

        before = q->count;
        q->count = 0;
        for (int k = 0; k < before; k++) { /* so that the sum does not overflow */
            int exponent;

            (void)frexp(speed[q->process[k]], &exponent);
            if (exponent > shift) shift = exponent;
        }
        sum = sum_of(before, q->process, speed, shift);
        n = left;
        for (int k = 0; k < before; k++) {
            int i = q->process[k];
            double part = ldexp(speed[i], -shift) / sum;

            q->share[i] = (hit_index)((double)n * part * safety);
            if (most != NULL && q->share[i] >= most[i]) {
                q->share[i] = most[i];
                left -= most[i];
            } else {
                q->process[q->count++] = i;
            }
        }
    }
    for (int k = 0; k < q->count; k++) {
        left -= q->share[q->process[k]];
    }
    return left;
}

static hit_status check(hit_index n, int parts, const double speed[],
                        const hit_index most[])
{
    hit_index room = 0; /* at most n */

    if (n < 0) return HIT_FAIL(HIT_E_ARG, "expected n >= 0 but found %lld", (long long)n);
    HIT_TRY(hit_partition_check_speeds(parts, speed));
    for (int i = 0; i < parts; i++) {
        if (most != NULL && most[i] < 0) {
            return HIT_FAIL(HIT_E_ARG,
                            "expected limits >= 0 but found %lld at position %d",
                            (long long)most[i], i);
        }
        if (!(speed[i] > 0.0)) continue;
        room = most == NULL || most[i] > n - room ? n : room + most[i];
    }
    if (room < n) {
        return HIT_FAIL(HIT_E_LIMIT,
                        "expected room for %lld units but the %d processes can take %lld",
                        (long long)n, parts, (long long)room);
    }
    return HIT_OK;
}

hit_status hit_partition_cpm_limited(hit_index n, int parts, const double speed[],
                                     const hit_index most[], hit_index share[])
{
    queue q = {.share = share};
    speed_parts *exact;
    hit_index left;
    hit_status st;

    HIT_TRY(check(n, parts, speed, most));
    HIT_TRY(hit_memory_zeroed((size_t)parts, sizeof *exact, &exact));
    HIT_TRY_GOTO(st, hit_memory_zeroed((size_t)parts, sizeof *q.process, &q.process),
                 free_exact);
    for (int i = 0; i < parts; i++) {
        share[i] = 0;
        exact[i] = take_apart(speed[i]);
        if (speed[i] > 0.0) q.process[q.count++] = i;
    }
    q.speed = exact;
    left = guess_low(&q, n, speed, most);
    hit_heap_make(q.count, q.process, before, &q);
    for (; left > 0; left--) {
        int first = q.process[0];

        share[first]++;
        if (most != NULL && share[first] == most[first]) {
            q.process[0] = q.process[--q.count];
        }
        hit_heap_sink(q.count, q.process, 0, before, &q);
    }
    free(q.process);
free_exact:
    free(exact);
    return st;
}

hit_status hit_partition_cpm(hit_index n, int parts, const double speed[],
                             hit_index share[])
{
    bool idle = n > 0;

    for (int i = 0; i < parts; i++) {
        idle = idle && !(speed[i] > 0.0 || speed[i] < 0.0 || isnan(speed[i]));
    }
    if (idle && parts > 0) {
        return HIT_FAIL(HIT_E_ARG, "expected a speed > 0 but all %d are 0", parts);
    }
    return hit_partition_cpm_limited(n, parts, speed, NULL, share);
}
