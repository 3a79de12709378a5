/* SPDX-License-Identifier: MIT
 * What is known of one process while distributions are measured: loads and their times.
 * Between two loads speed is linear, as in the papers, but for cliffs: where it falls to
 * less than half, a step is assumed in the middle. A straight line from a good load to a
 * terrible one would send the partitioner back near the cliff again and again; with the
 * step, each visit halves what is not known of it, and a fall that is no cliff shows
 * itself. Below the least load, time is linear and not in proportion if it was seen to
 * be: a process that needs long to start is better left out. Times that failed give
 * limits, not speeds. */
#include "hit/base/memory.h"
#include "hit/model/fpm_time.h"
#include "layouts/partition/dynamic/dynamic_impl.h"

#include <math.h>

#define CLIFF 2.0        /* how much slower on the other side */
#define NARROW 100       /* a cliff is found within 1 / 100 of the load */
#define FAR 1.2          /* ratio of loads whose times make a line */
#define WRONG_SEED 0.25  /* relative difference at which a seed is not believed */
#define SHORTEST_S 1e-9  /* what a clock can tell from nothing */
#define MOST_SEED_REPS 8 /* so that new times count */
#define LOST 3           /* failures of a process that never succeeded */
#define LOW_POINTS 6     /* that stand for a straight line of times */

hit_status hit_known_init(hit_known *known, hit_index n, const hit_fpm *seed,
                          hit_index by)
{
    const double wide = (double)by;

    *known = (hit_known){.cap = INT64_MAX, .fails = INT64_MAX};
    if (seed == NULL) return HIT_OK;
    if (hit_fpm_cap(seed) < INT64_MAX) known->cap = hit_fpm_cap(seed) / by;
    for (size_t k = 0; k < hit_fpm_count(seed); k++) {
        bool constant = hit_fpm_kind_of(seed) == HIT_FPM_CONSTANT;
        hit_fpm_point point = hit_fpm_point_at(seed, k);
        hit_known_point added = {.reps = fmin(fmax(point.reps, 2.0), MOST_SEED_REPS)};

        if (hit_fpm_kind_of(seed) == HIT_FPM_TABLE && fmod(point.units, wide) > 0.0) {
            continue;
        }
        if (constant) point.units = (double)n * wide;
        added.units = llround(fmin(fmax(point.units / wide, 1.0), 0x1p62));
        added.seconds = (double)added.units / (hit_fpm_speed(seed, point.units) / wide);
        if (isinf(added.seconds)) continue;
        HIT_TRY(hit_known_insert(known, &added));
    }
    return HIT_OK;
}

void hit_known_clear(hit_known *known)
{
    free(known->point);
    *known = (hit_known){0};
}

hit_status hit_known_insert(hit_known *known, const hit_known_point *point)
{
    size_t at = known->count;
    hit_known_point added = *point;

    added.seconds = fmax(added.seconds, SHORTEST_S);
    HIT_TRY(HIT_ONE_MORE(known->point, known->count, known->capacity, "points"));
    while (at > 0 && known->point[at - 1].units > added.units) {
        at--;
    }
    if (at > 0 && known->point[at - 1].units == added.units) {
        hit_known_point *old = &known->point[at - 1];

        old->seconds = (old->seconds * old->reps + added.seconds * added.reps) /
                       (old->reps + added.reps);
        old->reps += added.reps;
        old->stamp = added.stamp;
        return HIT_OK;
    }
    for (size_t k = known->count; k > at; k--) {
        known->point[k] = known->point[k - 1];
    }
    known->point[at] = added;
    known->count++;
    return HIT_OK;
}

static double speed_of(const hit_known_point *point)
{
    return (double)point->units / point->seconds;
}

double hit_known_time(const hit_known *known, hit_index units)
{
    const hit_known_point *right = known->point;
    const hit_known_point *left;
    double part;

    if (known->count == 0) return NAN;
    while (right < known->point + known->count && right->units < units) {
        right++;
    }
    left = right - 1;
    if (right == known->point) return (double)units / speed_of(right);
    if (right == known->point + known->count) return (double)units / speed_of(left);
    part = (double)(units - left->units) / (double)(right->units - left->units);
    return (double)units / ((1.0 - part) * speed_of(left) + part * speed_of(right));
}

static void forget_seeds(hit_known *known)
{
    size_t kept = 0;

    for (size_t k = 0; k < known->count; k++) {
        if (known->point[k].stamp > 0) known->point[kept++] = known->point[k];
    }
    known->count = kept;
}

/** Is this load at the edge of a cliff? */
static bool at_cliff(const hit_known *known, hit_index units)
{
    for (size_t k = 1; k < known->count; k++) {
        const hit_known_point *right = &known->point[k];

        if (right->units != units && right[-1].units != units) continue;
        if (speed_of(right - 1) > CLIFF * speed_of(right)) return true;
    }
    return false;
}

hit_status hit_known_measured(hit_known *known, const hit_known_point *timed,
                              bool *narrowed)
{
    double predicted = hit_known_time(known, timed->units);
    size_t count = known->count;

    *narrowed = known->fails < INT64_MAX;
    if (isinf(timed->seconds)) {
        if (timed->units < known->fails) known->fails = timed->units;
        if (known->count == 0) known->failures++;
        return HIT_OK;
    }
    if (timed->units >= known->fails) known->fails = INT64_MAX;
    known->failures = 0;
    if (fabs(timed->seconds / predicted - 1.0) > WRONG_SEED) forget_seeds(known);
    HIT_TRY(hit_known_insert(known, timed));
    if (known->count > count && at_cliff(known, timed->units)) *narrowed = true;
    return HIT_OK;
}

/** The last load of the good side, where it ends between two loads. */
static hit_index edge(hit_index good, hit_index bad)
{
    hit_index wide = bad - good;

    return wide <= 1 || wide <= good / NARROW ? good : good + wide / 2;
}

hit_index hit_known_limit(const hit_known *known, int boldness, hit_index least)
{
    hit_index limit;
    hit_index good = 0;

    if (boldness > HIT_KNOWN_BOLDEST || known->fails == INT64_MAX) return known->cap;
    for (size_t k = 0; k < known->count && known->point[k].units < known->fails; k++) {
        good = known->point[k].units;
    }
    if (boldness == HIT_KNOWN_BOLDEST) {
        limit = known->fails - 1;
    } else if (boldness > 0) {
        limit = known->fails - 1 - ((known->fails - 1 - good) >> (boldness + 1));
    } else if (known->count == 0) {
        limit = known->failures < LOST ? known->fails / 8 : 0;
    } else {
        limit = edge(good, known->fails);
    }
    if (limit < least) limit = least;
    return limit < known->cap ? limit : known->cap;
}

/* ---- models ---- */

/** Points of about the same load and speed, from *k on, as one speed from the first to
 * the last of them; *k becomes the next. Returns how many points that are. */
static size_t gather(const hit_known *known, size_t *k, double noise,
                     hit_fpm_point gathered[])
{
    const hit_known_point *first = &known->point[*k];
    const hit_known_point *last = first;
    double speed = 0.0;
    double reps = 0.0;

    for (; *k < known->count; ++*k) {
        const hit_known_point *next = &known->point[*k];

        if ((double)next->units > (double)first->units * (1.0 + noise)) break;
        if (fabs(speed_of(next) / speed_of(first) - 1.0) > 6.0 * noise) break;
        speed += next->reps * speed_of(next);
        reps += next->reps;
        last = next;
    }
    gathered[0] = (hit_fpm_point){(double)first->units, speed / reps, reps};
    gathered[1] = (hit_fpm_point){(double)last->units, speed / reps, reps};
    return last == first ? 1 : 2;
}

/** Put points below the first where times are on a line, through it and one farther away,
 * that does not begin at 0. Returns how many. */
static size_t extend(const hit_fpm_point real[], size_t seen, int confirm,
                     hit_fpm_point below[])
{
    double x = real[0].units;
    double seconds = x / real[0].value;
    double slope;
    double start;
    size_t other = 1;
    size_t count = 0;

    while (other < seen && real[other].units < FAR * x) {
        other++;
    }
    if (other == seen || real[0].reps < confirm) return 0;
    slope = (real[other].units / real[other].value - seconds) / (real[other].units - x);
    slope = fmax(slope, 0.0);
    start = seconds - slope * x;
    for (int k = 0; k < LOW_POINTS && start > 0.0; k++) {
        double at = fmax(1.0, floor(k == 0 ? 1.0 : x * exp2(2.0 * (k - LOW_POINTS))));

        if (at >= x || (count > 0 && at <= below[count - 1].units)) continue;
        below[count++] = (hit_fpm_point){at, at / (start + slope * at), 1.0};
    }
    return count;
}

/** Put a step between the last point and the next one if there is a cliff. */
static size_t step(const hit_fpm_point *last, const hit_fpm_point *next,
                   hit_fpm_point between[])
{
    hit_index good = (hit_index)last->units;
    hit_index at = edge(good, (hit_index)next->units);
    size_t count = 0;

    if (last->value <= CLIFF * next->value) return 0;
    if ((double)at > last->units) {
        between[count++] = (hit_fpm_point){(double)at, last->value, 1.0};
    }
    if ((double)(at + 1) > last->units && (double)(at + 1) < next->units) {
        between[count++] = (hit_fpm_point){(double)(at + 1), next->value, 1.0};
    }
    return count;
}

/** The best that can be hoped for of twice the largest load: that time goes on as on a
 * line through the last two, or not at all if there is only one. */
static hit_fpm_point hope(const hit_fpm_point real[], size_t seen)
{
    const hit_fpm_point *last = &real[seen - 1];
    double seconds = last->units / last->value;
    double slope = 0.0;

    if (seen > 1) {
        slope =
            (seconds - last[-1].units / last[-1].value) / (last->units - last[-1].units);
    }
    seconds += fmax(slope, 0.0) * last->units;
    return (hit_fpm_point){2.0 * last->units,
                           fmax(2.0 * last->units / seconds, last->value), 1.0};
}

hit_status hit_known_model(const hit_known *known, double noise, bool hopeful,
                           hit_fpm **model)
{
    size_t room = LOW_POINTS + 1 + 3 * known->count;
    size_t seen = 0;
    size_t made = 0;
    hit_fpm_point *point;
    hit_fpm_point *real;
    hit_status st;

    HIT_TRY(hit_memory_zeroed(room + known->count + 1, sizeof *point, &point));
    real = point + room;
    for (size_t k = 0; k < known->count;) {
        seen += gather(known, &k, noise, &real[seen]);
    }
    if (seen > 0) made = extend(real, seen, known->confirm, point);
    for (size_t k = 0; k < seen; k++) {
        if (k > 0) made += step(&real[k - 1], &real[k], point + made);
        point[made++] = real[k];
    }
    if (hopeful) point[made++] = hope(real, seen);
    st = hit_fpm_create(HIT_FPM_FUNCTIONAL, made, point, model);
    free(point);
    return st;
}
