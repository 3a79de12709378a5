/* SPDX-License-Identifier: MIT
 * Random performance models and brute force. The naive times merge equal units first, as
 * the library documents it: the mean of their times. */
#include "tests/support/fpm_case.h"

#include <math.h>
#include <stdlib.h>

#define PICK(low, high) hit_random_index(random, (low), (high))

static double pick_speed(hit_random *random)
{
    static const double scale[] = {1.0, 1e3, 1e6};

    return (double)PICK(1, 100) * scale[PICK(0, 2)];
}

/** Points at distinct or equal units, in any order, each with the speed that follows. */
static void add_points(hit_random *random, fpm_case *one, hit_index most)
{
    one->count = (size_t)PICK(1, 10);
    for (size_t k = 0; k < one->count; k++) {
        one->point[k].units =
            PICK(0, 7) == 0 ? (double)PICK(1, 8 * most) / 8.0 : (double)PICK(1, most);
        one->point[k].reps = PICK(0, 3) == 0 ? (double)PICK(1, 5) : 1.0;
    }
    if (PICK(0, 9) == 0) one->point[0].units = 0.0;
    if (one->count > 2 && PICK(0, 3) == 0) one->point[2].units = one->point[0].units;
}

static void add_ragged(hit_random *random, fpm_case *one)
{
    double speed = pick_speed(random);

    for (size_t k = 0; k < one->count; k++) {
        if (PICK(0, 2) > 0) speed = (double)PICK(1, 100);
        if (PICK(0, 9) == 0) speed = pick_speed(random);
        one->point[k].value = PICK(0, 11) == 0 ? 0.0 : speed;
    }
}

static void add_smooth(hit_random *random, fpm_case *one, hit_index most)
{
    double peak = (double)PICK(1, 3 * most) / 2.0;
    double speed = pick_speed(random);

    for (size_t k = 0; k < one->count; k++) {
        double x = one->point[k].units;

        one->point[k].value = speed * (x < peak ? 0.7 + 0.3 * x / peak : peak / x);
    }
}

/** Times that are equal over ranges: speeds in proportion to the load. */
static void add_plateaus(hit_random *random, fpm_case *one, hit_index most)
{
    double step = (double)PICK(1, most);

    for (size_t k = 0; k < one->count; k++) {
        double x = one->point[k].units + (one->point[k].units == 0.0);

        one->point[k].units = x;
        one->point[k].value = x / (1.0 + floor(x / step));
    }
}

static void add_table(hit_random *random, fpm_case *one, fpm_case_shape shape,
                      hit_index most)
{
    hit_index top = PICK(1, 3 * most / 2);
    hit_index grain = shape == CASE_GAPS ? PICK(1, 3) : 1;
    double seconds = 0.0;

    for (hit_index x = grain; x <= top && one->count < CASE_POINTS - 1; x += grain) {
        hit_fpm_point *point = &one->point[one->count];

        if (shape == CASE_GAPS && PICK(0, 3) == 0) continue;
        seconds = shape == CASE_RISING ? seconds + (double)PICK(0, 3)
                                       : (double)PICK(0, 60) / 4.0;
        *point = (hit_fpm_point){(double)x, seconds, 1.0};
        if (shape != CASE_RISING && PICK(0, 30) == 0) point->value = INFINITY;
        one->count++;
        if (shape != CASE_RISING && PICK(0, 9) == 0) {
            one->point[one->count] = one->point[one->count - 1];
            one->point[one->count++].value = (double)PICK(0, 60) / 4.0;
        }
    }
}

static void shuffle(hit_random *random, fpm_case *one)
{
    for (size_t k = one->count; k > 1; k--) {
        size_t other = (size_t)PICK(0, (hit_index)k - 1);
        hit_fpm_point swap = one->point[k - 1];

        one->point[k - 1] = one->point[other];
        one->point[other] = swap;
    }
}

fpm_case fpm_case_random(hit_random *random, fpm_case_shape shape, hit_index most)
{
    fpm_case one = {.kind = HIT_FPM_FUNCTIONAL, .cap = INT64_MAX};

    if (PICK(0, 3) == 0) one.cap = PICK(0, most);
    if (shape == CASE_CONSTANT) {
        one.kind = HIT_FPM_CONSTANT;
        one.count = 1;
        one.point[0] =
            (hit_fpm_point){1.0, PICK(0, 15) == 0 ? 0.0 : pick_speed(random), 1.0};
        return one;
    }
    if (shape >= CASE_TABLE) {
        one.kind = HIT_FPM_TABLE;
        add_table(random, &one, shape, most);
        if (one.count == 0) one.point[one.count++] = (hit_fpm_point){1.0, 1.0, 1.0};
    } else {
        add_points(random, &one, most);
        if (shape == CASE_RAGGED) add_ragged(random, &one);
        if (shape == CASE_SMOOTH) add_smooth(random, &one, most);
        if (shape == CASE_PLATEAU) add_plateaus(random, &one, most);
    }
    shuffle(random, &one);
    return one;
}

hit_fpm *fpm_case_model(const fpm_case *one)
{
    hit_fpm *model = NULL;

    HIT_MUST(hit_fpm_create(one->kind, one->count, one->point, &model));
    if (one->cap < INT64_MAX) HIT_MUST(hit_fpm_set_cap(model, one->cap));
    return model;
}

/** The mean of the times of all points with these units, as a speed; in a table, itself.
 */
static double merged(const fpm_case *one, double units)
{
    double reps = 0.0;
    double sum = 0.0;

    for (size_t k = 0; k < one->count; k++) {
        const hit_fpm_point *point = &one->point[k];

        if (point->units < units || point->units > units) continue;
        reps += point->reps;
        sum += one->kind == HIT_FPM_TABLE ? point->reps * point->value
                                          : point->reps / point->value;
    }
    return one->kind == HIT_FPM_TABLE ? sum / reps : reps / sum;
}

static double table_time(const fpm_case *one, double units)
{
    for (size_t k = 0; k < one->count; k++) {
        if (one->point[k].units < units || one->point[k].units > units) continue;
        return merged(one, units);
    }
    return INFINITY;
}

double fpm_case_time(const fpm_case *one, hit_index units)
{
    double x = (double)units;
    double below = -1.0;
    double above = INFINITY;
    double speed;

    if (units == 0) return 0.0;
    if (units > one->cap) return INFINITY;
    if (one->kind == HIT_FPM_CONSTANT) return x / one->point[0].value;
    if (one->kind == HIT_FPM_TABLE) return table_time(one, x);
    for (size_t k = 0; k < one->count; k++) {
        double at = one->point[k].units;

        if (at <= x && at > below) below = at;
        if (at >= x && at < above) above = at;
    }
    if (below < 0.0) {
        speed = merged(one, above);
    } else if (isinf(above) || !(below < above)) {
        speed = merged(one, below);
    } else {
        double part = (x - below) / (above - below);

        speed = (1.0 - part) * merged(one, below) + part * merged(one, above);
    }
    return speed > 0.0 ? x / speed : INFINITY;
}

bool fpm_case_has(const hit_spans *spans, hit_index number)
{
    for (size_t k = 0; k < spans->count; k++) {
        if (number >= spans->span[k].first && number <= spans->span[k].last) return true;
    }
    return false;
}

double fpm_case_best(hit_index n, int parts, const fpm_case cases[])
{
    size_t size = (size_t)n + 1;
    double *best = malloc(2 * size * sizeof *best); /* of the first processes */
    double *seconds = best + size;
    double answer;

    if (best == NULL) abort();
    for (hit_index m = 0; m <= n; m++) {
        best[m] = m == 0 ? 0.0 : INFINITY;
    }
    for (int i = 0; i < parts; i++) {
        for (hit_index x = 0; x <= n; x++) {
            seconds[x] = fpm_case_time(&cases[i], x);
        }
        for (hit_index m = n; m >= 0; m--) {
            double least = INFINITY;

            for (hit_index x = 0; x <= m; x++) {
                least = fmin(least, fmax(seconds[x], best[m - x]));
            }
            best[m] = least;
        }
    }
    answer = best[n];
    free(best);
    return answer;
}
