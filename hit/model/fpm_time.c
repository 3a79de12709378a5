/* SPDX-License-Identifier: MIT
 * Evaluating a model and its inverse. Point k ends piece k, and one more piece has no
 * end. On a piece, speed is a + b x, so that time x / (a + b x) only rises or only falls:
 * the loads within a time are at most one span of each piece. Where it ends is guessed by
 * solving and then found by comparing times themselves, so that all functions agree in
 * the last bit. */
#include "hit/model/fpm_time.h"

#include "hit/base/containers.h"
#include "hit/data/sig.h"
#include "hit/model/fpm_impl.h"

#include <float.h>
#include <math.h>

/** A piece of a model, and the time within which its loads shall be done. */
typedef struct piece {
    const hit_fpm *fpm;
    size_t k;
    double seconds;
} piece;

/** The largest whole number up to @p units and @p most. */
static hit_index whole(double units, hit_index most)
{
    hit_index floor_units;

    if (units >= 0x1p63) return most;
    floor_units = (hit_index)units;
    return floor_units < most ? floor_units : most;
}

static double speed_on(const hit_fpm *fpm, size_t k, double units)
{
    const hit_fpm_point *left;
    const hit_fpm_point *right;

    if (k == 0) return fpm->point[0].value;
    left = &fpm->point[k - 1];
    if (k == fpm->count) return left->value;
    right = &fpm->point[k];
    if (units >= right->units) return right->value; /* not a rounding of it */
    return left->value + (right->value - left->value) *
                             ((units - left->units) / (right->units - left->units));
}

static double time_on(const hit_fpm *fpm, size_t k, hit_index units)
{
    double speed = speed_on(fpm, k, (double)units);

    return speed > 0.0 ? (double)units / speed : INFINITY;
}

/** The first point that has at least @p units; count if there is none. */
static size_t find(const hit_fpm *fpm, double units)
{
    size_t low = 0;
    size_t high = fpm->count;

    HIT_BISECT(k, low, high, fpm->point[k].units >= units);
    return low;
}

/** The speed of the load of a table that is nearest to @p units. */
static double table_speed(const hit_fpm *fpm, double units)
{
    size_t k = find(fpm, units);
    double seconds;

    if (k == fpm->count ||
        (k > 0 && units - fpm->point[k - 1].units <= fpm->point[k].units - units)) {
        k--;
    }
    seconds = fpm->point[k].value;
    if (isinf(seconds)) return 0.0;
    return fmin(fpm->point[k].units / fmax(seconds, DBL_MIN), DBL_MAX);
}

double hit_fpm_speed(const hit_fpm *fpm, double units)
{
    if (fpm->count == 0) return 0.0;
    if (fpm->kind == HIT_FPM_TABLE) return table_speed(fpm, units);
    return speed_on(fpm, find(fpm, units), units);
}

double hit_fpm_time(const hit_fpm *fpm, hit_index units)
{
    size_t k;

    if (units <= 0) return 0.0;
    if (units > fpm->cap || fpm->count == 0) return INFINITY;
    k = find(fpm, (double)units);
    if (fpm->kind != HIT_FPM_TABLE) return time_on(fpm, k, units);
    if (k == fpm->count || fpm->point[k].units > (double)units) return INFINITY;
    return fpm->point[k].value;
}

double hit_fpm_fastest(const hit_fpm *fpm)
{
    double fastest = 0.0;

    for (size_t k = 0; k < fpm->count; k++) {
        double speed = fpm->kind == HIT_FPM_TABLE ? table_speed(fpm, fpm->point[k].units)
                                                  : fpm->point[k].value;

        if (speed > fastest) fastest = speed;
    }
    return fastest;
}

/** Where the piece takes exactly its seconds, as far as rounding allows. */
static double solve(const piece *p)
{
    const hit_fpm_point *point = p->fpm->point;
    double rise;
    double speed_at_0;

    if (p->k == 0) return p->seconds * point[0].value;
    if (p->k == p->fpm->count) return p->seconds * point[p->k - 1].value;
    rise = (point[p->k].value - point[p->k - 1].value) /
           (point[p->k].units - point[p->k - 1].units);
    speed_at_0 = point[p->k].value - rise * point[p->k].units;
    return p->seconds * speed_at_0 / (1.0 - p->seconds * rise);
}

static bool between(hit_index x, hit_index a, hit_index b)
{
    return a < b ? a < x && x < b : b < x && x < a;
}

/** The last load in time on the way from @p good, which is, to @p bad, which is not. */
static hit_index boundary(const piece *p, hit_index good, hit_index bad)
{
    double guess = solve(p);
    hit_index at = guess >= 0.0 && guess < 0x1p63 ? (hit_index)guess : good;
    hit_index step = good < bad ? 1 : -1;

    while (good + (good < bad ? 1 : -1) != bad) {
        if (!between(at, good, bad)) at = good + (bad - good) / 2;
        if (time_on(p->fpm, p->k, at) <= p->seconds) {
            good = at;
            at = step > 0 && at > INT64_MAX - step ? good : at + step;
        } else {
            bad = at;
            at = step < 0 && at > INT64_MAX + step ? good : at - step;
        }
        if (step > -(INT64_C(1) << 60) && step < INT64_C(1) << 60) step *= 2;
    }
    return good;
}

/** The loads <= @p most of a piece that are in time, if any. */
static bool find_span(const piece *p, hit_index most, hit_span *span)
{
    const hit_fpm_point *point = p->fpm->point;
    hit_index before = p->k == 0 ? 0 : whole(point[p->k - 1].units, most);
    hit_index last = p->k == p->fpm->count ? most : whole(point[p->k].units, most);
    hit_index first;
    bool first_in_time;
    bool last_in_time;

    if (before >= last) return false;
    first = before + 1;
    first_in_time = time_on(p->fpm, p->k, first) <= p->seconds;
    last_in_time = time_on(p->fpm, p->k, last) <= p->seconds;
    if (!first_in_time && !last_in_time) return false;
    span->first = first_in_time ? first : boundary(p, last, first);
    span->last = last_in_time ? last : boundary(p, first, last);
    return true;
}

/** How many of the first @p high points, whose times must not fall, take at most @p
 * seconds. */
static size_t count_in_time(const hit_fpm *fpm, double seconds, size_t high)
{
    size_t low = 0;

    HIT_BISECT(k, low, high, hit_fpm_point_time(fpm, k) > seconds);
    return low;
}

static hit_index table_inverse(const hit_fpm *fpm, double seconds, hit_index most)
{
    size_t k = find(fpm, (double)most);

    if (k < fpm->count && fpm->point[k].units <= (double)most) k++;
    /* a monotone table has every load, as far as the cap */
    if (fpm->monotone) return (hit_index)count_in_time(fpm, seconds, k);
    while (k > 0 && fpm->point[k - 1].value > seconds) {
        k--;
    }
    return k > 0 ? (hit_index)fpm->point[k - 1].units : 0;
}

static hit_index functional_inverse(const hit_fpm *fpm, double seconds, hit_index most)
{
    /* points above most do not matter, and may be anything above a cap */
    piece p = {.fpm = fpm, .k = find(fpm, (double)most), .seconds = seconds};
    hit_span span;

    if (fpm->monotone) {
        p.k = count_in_time(fpm, seconds, p.k);
        if (find_span(&p, most, &span)) return span.last;
        return p.k == 0 ? 0 : whole(fpm->point[p.k - 1].units, most);
    }
    while (!find_span(&p, most, &span)) {
        if (p.k == 0) return 0;
        p.k--;
    }
    return span.last;
}

/** The limits of a question, as the model and doubles allow: false if only 0 is left. */
static bool clip(const hit_fpm *fpm, double *seconds, hit_index *most)
{
    if (*most > fpm->cap) *most = fpm->cap;
    if (*seconds > DBL_MAX) *seconds = DBL_MAX; /* an infinite time is no time */
    return *most > 0 && *seconds >= 0.0 && fpm->count > 0;
}

hit_index hit_fpm_inverse(const hit_fpm *fpm, double seconds, hit_index most)
{
    if (!clip(fpm, &seconds, &most)) return 0;
    if (fpm->kind == HIT_FPM_TABLE) return table_inverse(fpm, seconds, most);
    return functional_inverse(fpm, seconds, most);
}

static hit_status table_within(const hit_fpm *fpm, double seconds, hit_index most,
                               hit_spans *loads)
{
    for (size_t k = 0; k < fpm->count && fpm->point[k].units <= (double)most; k++) {
        hit_index units = (hit_index)fpm->point[k].units;

        if (fpm->point[k].value <= seconds) {
            HIT_TRY(hit_spans_append(loads, units, units));
        }
    }
    return HIT_OK;
}

hit_status hit_fpm_within(const hit_fpm *fpm, double seconds, hit_index most,
                          hit_spans *loads)
{
    piece p = {.fpm = fpm};
    hit_span span;

    if (fpm->monotone) {
        return hit_spans_append(loads, 0, hit_fpm_inverse(fpm, seconds, most));
    }
    HIT_TRY(hit_spans_append(loads, 0, 0));
    if (!clip(fpm, &seconds, &most)) return HIT_OK;
    if (fpm->kind == HIT_FPM_TABLE) return table_within(fpm, seconds, most, loads);
    p.seconds = seconds;
    for (; p.k <= fpm->count; p.k++) {
        if (p.k > 0 && fpm->point[p.k - 1].units >= (double)most) break;
        if (!find_span(&p, most, &span)) continue;
        HIT_TRY(hit_spans_append(loads, span.first, span.last));
    }
    return HIT_OK;
}

hit_index hit_fpm_granularity(const hit_fpm *fpm)
{
    hit_index divisor = 0;

    if (fpm->kind != HIT_FPM_TABLE) return 1;
    for (size_t k = 0; k < fpm->count && divisor != 1; k++) {
        divisor = hit_index_gcd(divisor, (hit_index)fpm->point[k].units);
    }
    return divisor;
}
