/* SPDX-License-Identifier: MIT
 * The container of performance models: points in order of units, equal units merged.
 * Speeds are kept where speeds were given, so that a model read from a file answers with
 * its very numbers; times are derived. A limit of memory is a cap, not a point of speed
 * 0: that would make the speed fall linearly to it from the point before. */
#include "hit/model/fpm.h"

#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/model/fpm_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_TABLE_UNITS 0x1p53

static hit_status fail_value(const char *what, const hit_fpm_point *point)
{
    return HIT_FAIL(HIT_E_ARG, "expected %s but found %g at %.17g units", what,
                    point->value, point->units);
}

hit_status hit_fpm_check(hit_fpm_kind kind, const hit_fpm_point *point)
{
    bool table = kind == HIT_FPM_TABLE;

    if (!isfinite(point->units) || point->units < 0.0) {
        return HIT_FAIL(HIT_E_ARG, "expected units >= 0 but found %g", point->units);
    }
    if (!(point->reps > 0.0) || !isfinite(point->reps)) {
        return HIT_FAIL(HIT_E_ARG, "expected repetitions > 0 but found %g", point->reps);
    }
    if (table && (point->units > LARGEST_TABLE_UNITS ||
                  floor(point->units) < point->units)) { /* none is lost as a double */
        return HIT_FAIL(HIT_E_ARG,
                        "expected whole units up to 2^53 in a table but found %.17g",
                        point->units);
    }
    if (isnan(point->value) || point->value < 0.0) {
        return fail_value(table ? "seconds >= 0" : "a speed >= 0", point);
    }
    if (!table && isinf(point->value)) return fail_value("a finite speed", point);
    if (table && point->units == 0.0 && point->value > 0.0) {
        return fail_value("0 seconds", point);
    }
    return HIT_OK;
}

double hit_fpm_point_time(const hit_fpm *fpm, size_t k)
{
    const hit_fpm_point *point = &fpm->point[k];

    if (fpm->kind == HIT_FPM_TABLE) return point->value;
    if (point->units == 0.0) return 0.0;
    return point->value > 0.0 ? point->units / point->value : INFINITY;
}

/** Find out again what follows from points and cap, after they changed. */
static void seal(hit_fpm *fpm)
{
    bool table = fpm->kind == HIT_FPM_TABLE;

    fpm->monotone = true;
    for (size_t k = 0; k < fpm->count && fpm->monotone; k++) {
        double before = k == 0 ? 0.0 : fpm->point[k - 1].units;

        if (before >= (double)fpm->cap) break;
        /* an absent load is an infinite time */
        if (table && fpm->point[k].units > before + 1.0) fpm->monotone = false;
        if (k > 0 && hit_fpm_point_time(fpm, k) < hit_fpm_point_time(fpm, k - 1)) {
            fpm->monotone = false;
        }
    }
}

/** Make @p into the mean of itself and @p other, which has as many units. */
static void merge(hit_fpm_kind kind, hit_fpm_point *into, const hit_fpm_point *other)
{
    double reps = into->reps + other->reps;

    if (into->value < other->value || into->value > other->value) {
        /* the mean of times is the harmonic mean of speeds */
        into->value =
            kind == HIT_FPM_TABLE
                ? (into->reps * into->value + other->reps * other->value) / reps
                : reps / (into->reps / into->value + other->reps / other->value);
    }
    into->reps = reps;
}

static int compare(const void *a, const void *b)
{
    double left = ((const hit_fpm_point *)a)->units;
    double right = ((const hit_fpm_point *)b)->units;

    if (left < right || left > right) return left < right ? -1 : 1;
    /* the order in which equal units are merged shows in the last bit */
    left = ((const hit_fpm_point *)a)->value;
    right = ((const hit_fpm_point *)b)->value;
    return (left > right) - (left < right);
}

static void sort_and_merge(hit_fpm *fpm)
{
    size_t kept = 0;

    qsort(fpm->point, fpm->count, sizeof fpm->point[0], compare);
    for (size_t k = 0; k < fpm->count; k++) {
        const hit_fpm_point *next = &fpm->point[k];

        if (fpm->kind == HIT_FPM_TABLE && next->units == 0.0) continue; /* implied */
        if (kept > 0 && !(fpm->point[kept - 1].units < next->units)) {
            merge(fpm->kind, &fpm->point[kept - 1], next);
        } else {
            fpm->point[kept++] = *next;
        }
    }
    fpm->count = kept;
}

hit_status hit_fpm_create(hit_fpm_kind kind, size_t count, const hit_fpm_point point[],
                          hit_fpm **fpm)
{
    hit_fpm *made;
    hit_status st;

    if (kind == HIT_FPM_CONSTANT && count != 1) {
        return HIT_FAIL(HIT_E_ARG, "expected one speed of a constant model, found %zu",
                        count);
    }
    for (size_t k = 0; k < count; k++) {
        HIT_TRY(hit_fpm_check(kind, &point[k]));
    }
    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    made->kind = kind;
    made->cap = INT64_MAX;
    made->capacity = count;
    HIT_TRY_GOTO(st, hit_memory_zeroed(count, sizeof *point, &made->point), free_made);
    if (count > 0) memcpy(made->point, point, count * sizeof *point);
    made->count = count;
    if (kind == HIT_FPM_CONSTANT) made->point[0].units = 0.0; /* and constant after it */
    sort_and_merge(made);
    seal(made);
    *fpm = made;
    return HIT_OK;

free_made:
    free(made);
    return st;
}

hit_status hit_fpm_constant(double speed, hit_fpm **fpm)
{
    return hit_fpm_create(HIT_FPM_CONSTANT, 1, &(hit_fpm_point){1.0, speed, 1.0}, fpm);
}

hit_status hit_fpm_copy(const hit_fpm *fpm, hit_fpm **copy)
{
    HIT_TRY(hit_fpm_create(fpm->kind, fpm->count, fpm->point, copy));
    (*copy)->cap = fpm->cap;
    seal(*copy);
    return HIT_OK;
}

void hit_fpm_destroy(hit_fpm **fpm)
{
    if (*fpm == NULL) return;
    free((*fpm)->point);
    free(*fpm);
    *fpm = NULL;
}

hit_status hit_fpm_add(hit_fpm *fpm, double units, double seconds, double reps)
{
    hit_fpm_point added = {units, seconds, reps};
    size_t at = fpm->count;

    if (fpm->kind == HIT_FPM_CONSTANT) {
        return HIT_FAIL(HIT_E_ARG, "a constant model takes no points");
    }
    if (!(units >= 1.0) || !(seconds > 0.0) || !isfinite(seconds)) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected units >= 1 and finite seconds > 0 but found %g units "
                        "in %g s",
                        units, seconds);
    }
    if (fpm->kind == HIT_FPM_FUNCTIONAL) added.value = units / seconds;
    HIT_TRY(hit_fpm_check(fpm->kind, &added));
    HIT_TRY(HIT_ONE_MORE(fpm->point, fpm->count, fpm->capacity, "points"));
    while (at > 0 && fpm->point[at - 1].units > units) {
        at--;
    }
    if (at > 0 && !(fpm->point[at - 1].units < units)) {
        merge(fpm->kind, &fpm->point[at - 1], &added);
    } else {
        memmove(&fpm->point[at + 1], &fpm->point[at],
                (fpm->count - at) * sizeof fpm->point[0]);
        fpm->point[at] = added;
        fpm->count++;
    }
    seal(fpm);
    return HIT_OK;
}

hit_status hit_fpm_set_cap(hit_fpm *fpm, hit_index units)
{
    if (units < 0) {
        return HIT_FAIL(HIT_E_ARG, "expected a cap >= 0 but found %lld",
                        (long long)units);
    }
    fpm->cap = units;
    seal(fpm);
    return HIT_OK;
}

hit_index hit_fpm_cap(const hit_fpm *fpm)
{
    return fpm->cap;
}

hit_fpm_kind hit_fpm_kind_of(const hit_fpm *fpm)
{
    return fpm->kind;
}

size_t hit_fpm_count(const hit_fpm *fpm)
{
    return fpm->count;
}

hit_fpm_point hit_fpm_point_at(const hit_fpm *fpm, size_t k)
{
    return fpm->point[k];
}

bool hit_fpm_is_monotone(const hit_fpm *fpm)
{
    return fpm->monotone;
}
