/* SPDX-License-Identifier: MIT
 * Ordered sets, exactly: dynamic programming over the counts of all parts. A suffix of
 * the panels is worked on in one step each, and only the counts matter, not the order:
 * f(counts) = time(counts) + the least f of the counts with one panel less. Counts are
 * the digits of a number, so that one pass in ascending order sees one panel less first.
 */
#include "layouts/partition/partition_impl.h"

#include <math.h>

enum {
    MOST_STATES = 1000000,
    MOST_PARTS = 16 /* more have too many states with 2 panels */
};

bool hit_steps_are_few(const hit_steps *steps)
{
    double states = 1.0;

    for (int i = 0; i < steps->parts; i++) {
        states *= (double)steps->panels;
    }
    return steps->parts <= MOST_PARTS && states <= MOST_STATES;
}

/** All counts of panels - 1 panels or less, as numbers with a digit for each part. */
typedef struct states {
    const hit_steps *steps;
    hit_index base; /**< digits are below it */
    size_t number;
    double *sum;         /**< the least sum of times of a suffix with these counts */
    unsigned char *part; /**< who has its first panel */
} states;

static size_t power_of(const states *s, int digit)
{
    size_t power = 1;

    while (digit-- > 0) {
        power *= (size_t)s->base;
    }
    return power;
}

/** Solve for the counts @p at, @p left in all. */
static void solve(states *s, size_t at, hit_index left, const hit_index count[])
{
    size_t power = 1;
    double least = INFINITY;

    for (int i = 0; i < s->steps->parts; i++) {
        if (count[i] > 0 && s->sum[at - power] < least) {
            least = s->sum[at - power];
            s->part[at] = (unsigned char)i;
        }
        power *= (size_t)s->base;
    }
    s->sum[at] = least;
    if (least < INFINITY) s->sum[at] += hit_steps_time(s->steps, left, count);
}

/** The least sum of times of all steps; *last: its counts. */
static double solve_all(states *s, size_t *last)
{
    hit_index count[MOST_PARTS] = {0};
    hit_index left = 0;
    double least = INFINITY;

    s->sum[0] = 0.0;
    for (size_t at = 1; at < s->number; at++) {
        int digit = 0;

        while (count[digit] == s->base - 1) {
            left -= count[digit];
            count[digit++] = 0;
        }
        count[digit]++;
        left++;
        s->sum[at] = INFINITY;
        if (left >= s->base) continue;
        solve(s, at, left, count);
        if (left == s->base - 1 && s->sum[at] < least) {
            least = s->sum[at];
            *last = at;
        }
    }
    return least;
}

hit_status hit_steps_optimal(const hit_steps *steps, hit_arrays *arrays, int owner[])
{
    states s = {.steps = steps, .base = steps->panels};
    size_t at = 0;

    if (steps->panels < 2) return HIT_OK;
    s.number = power_of(&s, steps->parts);
    HIT_TRY(HIT_TAKE(arrays, s.number, s.sum));
    HIT_TRY(HIT_TAKE(arrays, s.number, s.part));
    if (isinf(solve_all(&s, &at))) {
        return HIT_FAIL(HIT_E_LIMIT, "the models' limits do not allow %lld panels",
                        (long long)steps->panels);
    }
    for (hit_index j = 1; j < steps->panels; j++) {
        owner[j] = s.part[at];
        at -= power_of(&s, owner[j]);
    }
    return HIT_OK;
}
