/* SPDX-License-Identifier: MIT
 * Results of dynamic partitioning, and following an iterative program. A process that
 * takes another time for the same share has changed as a whole: what is known of its
 * other shares then changes in proportion, so that one proposal is enough to follow it.
 * If only the point were replaced, each older one would have to be found wrong by moving
 * there. */
#include "layouts/partition/dynamic/dynamic_impl.h"
#include "layouts/partition/partition.h"

#include <math.h>
#include <string.h>

#define LEAST_TOLERANCE 0.05 /* relative difference of times that is no contradiction */
#define SAME_CHANGE 0.25     /* relative difference of changes that confirm each other */
#define UNLIKE 1.5           /* ratio of speeds on both sides of a cliff */
#define NEAR 0.01            /* relative difference of loads that are the same */
#define LEAST_GAIN 0.05      /* relative; less is not worth moving data */
#define MOST_REPS 8.0        /* so that new times count */
#define MOST_POINTS 32
#define KILL_FACTOR 3.0 /* benchmarks are cut off at this multiple of the best */
#define CONFIRM 2       /* observations that must agree to replace an older one */

/* ---- results ---- */

void hit_dynamic_rects(const hit_dynamic *d, hit_rect rect[])
{
    memcpy(rect, hit_dynamic_now(d)->rect, (size_t)d->parts * sizeof rect[0]);
}

double hit_dynamic_kill_s(const hit_dynamic *d)
{
    if (d->best < 0) return INFINITY;
    return KILL_FACTOR * d->trial[d->best].makespan_s;
}

hit_status hit_dynamic_best(const hit_dynamic *d, hit_index share[], double *makespan_s)
{
    if (d->best < 0) {
        return HIT_FAIL(HIT_E_LIMIT, "none of %d distributions was measured to its end",
                        d->rounds);
    }
    memcpy(share, d->trial[d->best].share, (size_t)d->parts * sizeof share[0]);
    *makespan_s = d->trial[d->best].makespan_s;
    return HIT_OK;
}

int hit_dynamic_rounds(const hit_dynamic *d)
{
    return d->rounds;
}

int hit_dynamic_best_round(const hit_dynamic *d)
{
    return d->best;
}

const char *hit_dynamic_verdict_name(hit_dynamic_verdict verdict)
{
    static const char *const name[] = {"continue",    "balanced", "optimal",   "repeated",
                                       "no progress", "limit",    "infeasible"};

    return name[verdict];
}

hit_status hit_dynamic_learned(const hit_dynamic *d, int part, hit_index by,
                               hit_fpm *model)
{
    const hit_known *known = &d->known[part];

    for (size_t k = 0; k < known->count; k++) {
        const hit_known_point *point = &known->point[k];

        if (point->stamp == 0) continue;
        HIT_TRY(hit_fpm_add(model, (double)point->units * (double)by, point->seconds,
                            point->reps));
    }
    return HIT_OK;
}

/* ---- observations ---- */

/** Do speeds differ so much that they are no two looks at one? */
static bool differ(const hit_known_point *a, const hit_known_point *b)
{
    double ratio = (double)a->units / a->seconds * (b->seconds / (double)b->units);

    return ratio > UNLIKE || ratio < 1.0 / UNLIKE;
}

/** The point of nearly this load; NULL: none, or there are two, on both sides of a cliff:
 * then only a look in between tells where that is. */
static hit_known_point *find_near(hit_known *known, hit_index units, double noise)
{
    double most = fmax(noise, NEAR) * (double)units;
    double nearest = most;
    hit_known_point *found = NULL;

    for (size_t k = 0; k < known->count; k++) {
        double away = fabs((double)(known->point[k].units - units));

        if (away > nearest) continue;
        nearest = away;
        found = &known->point[k];
    }
    for (size_t k = 0; found != NULL && found->units != units && k < known->count; k++) {
        double away = fabs((double)(known->point[k].units - units));

        if (away <= most && differ(found, &known->point[k])) return NULL;
    }
    return found;
}

static void drop_oldest(hit_known *known)
{
    size_t oldest = 0;

    for (size_t k = 1; k < known->count; k++) {
        if (known->point[k].stamp < known->point[oldest].stamp) oldest = k;
    }
    for (size_t k = oldest + 1; k < known->count; k++) {
        known->point[k - 1] = known->point[k];
    }
    known->count--;
}

static bool only_seeds(const hit_known *known)
{
    for (size_t k = 0; k < known->count; k++) {
        if (known->point[k].stamp > 0) return false;
    }
    return known->count > 0;
}

/** @p point is now to take @p seconds, and what is not known better changes with it. */
static void replace(hit_known *known, hit_known_point *point, double seconds, int stamp)
{
    double ratio = seconds / point->seconds;
    int until = point->stamp;
    bool confirmed = point->reps > 1.0; /* a single odd time says nothing about others */

    for (size_t k = 0; confirmed && k < known->count; k++) {
        if (known->point[k].stamp <= until) known->point[k].seconds *= ratio;
    }
    point->seconds = seconds;
    point->reps = 1.0;
    point->stamp = stamp;
}

/** Add a load that was not seen before. Seeds alone say what it was to take, so that they
 * can be found wrong as a whole. */
static hit_status add_new(hit_known *known, const hit_known_point *timed)
{
    hit_known_point expected = *timed;

    if (known->count == MOST_POINTS) drop_oldest(known);
    if (!only_seeds(known)) return hit_known_insert(known, timed);
    expected.seconds = hit_known_time(known, timed->units);
    expected.reps = 2.0;
    expected.stamp = 0;
    return hit_known_insert(known, &expected);
}

/** Does @p seconds say the same as the suspect, which is not what the point says? */
static bool confirms(const hit_known_point *point, const hit_known_point *suspect,
                     double seconds, double tolerance)
{
    double most = fmax(tolerance * suspect->seconds,
                       SAME_CHANGE * fabs(suspect->seconds - point->seconds));

    return suspect->reps > 0.0 && suspect->units == point->units &&
           fabs(seconds - suspect->seconds) <= most;
}

/** A look at another load than that of the suspect: if what was known of both is wrong
 * alike, the process has changed, and all that is known changes with it. */
static void follow_suspect(hit_known *known, const hit_known_point *timed,
                           double tolerance)
{
    const hit_known_point *suspect = &known->suspect;
    double before;
    double now;

    if (suspect->reps == 0.0 || suspect->reps + 1.0 < CONFIRM) return;
    before = suspect->seconds / hit_known_time(known, suspect->units);
    now = timed->seconds / hit_known_time(known, timed->units);
    if (fabs(now - 1.0) <= tolerance) return;
    if (fabs(now - before) > fmax(tolerance * before, SAME_CHANGE * fabs(before - 1.0))) {
        return;
    }
    for (size_t k = 0; k < known->count; k++) {
        known->point[k].seconds *= now;
    }
}

/** Take in a time of a running program. */
static hit_status observe(hit_known *known, const hit_known_point *timed, double noise)
{
    double tolerance = fmax(2.0 * noise, LEAST_TOLERANCE);
    hit_known_point *point = find_near(known, timed->units, noise);
    hit_known_point *suspect = &known->suspect;
    double seconds;

    known->confirm = CONFIRM;
    if (point == NULL || point->units != suspect->units) {
        follow_suspect(known, timed, tolerance);
        suspect->reps = 0.0;
    }
    if (point == NULL) {
        HIT_TRY(add_new(known, timed));
        point = find_near(known, timed->units, noise);
        if (point == NULL || point->stamp == timed->stamp) return HIT_OK;
    }
    seconds = timed->seconds * (double)point->units / (double)timed->units;
    if (fabs(seconds / point->seconds - 1.0) <= tolerance) {
        point->reps = fmin(point->reps + 1.0, MOST_REPS);
        point->seconds += (seconds - point->seconds) / point->reps;
        point->stamp = timed->stamp;
        suspect->reps = 0.0;
        return HIT_OK;
    }
    if (confirms(point, suspect, seconds, tolerance)) {
        suspect->reps += 1.0;
        suspect->seconds += (seconds - suspect->seconds) / suspect->reps;
    } else {
        *suspect = (hit_known_point){point->units, seconds, 1.0, timed->stamp};
    }
    if (suspect->reps < CONFIRM) return HIT_OK;
    replace(known, point, suspect->seconds, timed->stamp);
    point->reps = suspect->reps;
    suspect->reps = 0.0;
    return HIT_OK;
}

hit_status hit_dynamic_observe(hit_dynamic *d, const hit_index units[],
                               const double seconds[])
{
    for (int i = 0; i < d->parts; i++) {
        if (units[i] < 0 ||
            (units[i] > 0 && (!(seconds[i] >= 0.0) || isinf(seconds[i])))) {
            return HIT_FAIL(HIT_E_ARG,
                            "expected units >= 0 and finite seconds >= 0 of process %d "
                            "but found %lld, %g",
                            i, (long long)units[i], seconds[i]);
        }
    }
    d->clock++;
    for (int i = 0; i < d->parts; i++) {
        hit_known_point timed = {units[i], fmax(seconds[i], 1e-9), 1.0, d->clock};

        if (units[i] == 0) continue;
        HIT_TRY(observe(&d->known[i], &timed, d->options.noise));
    }
    return HIT_OK;
}

static hit_status check_observed(const hit_dynamic *d)
{
    for (int i = 0; i < d->parts; i++) {
        if (d->known[i].count > 0) return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG, "expected observations before a proposal, found none");
}

hit_status hit_dynamic_propose(hit_dynamic *d, hit_index share[],
                               double *seconds_per_step)
{
    HIT_TRY(check_observed(d));
    HIT_TRY(hit_dynamic_models(d, HIT_KNOWN_WARY, false, NULL));
    HIT_TRY(hit_dynamic_solve(d));
    memcpy(share, d->candidate.share, (size_t)d->parts * sizeof share[0]);
    *seconds_per_step = d->candidate.makespan_s;
    return HIT_OK;
}

void hit_dynamic_proposed(const hit_dynamic *d, hit_rect rect[])
{
    memcpy(rect, d->candidate.rect, (size_t)d->parts * sizeof rect[0]);
}

hit_status hit_dynamic_predict(hit_dynamic *d, const hit_index share[],
                               double *seconds_per_step)
{
    HIT_TRY(check_observed(d));
    HIT_TRY(hit_dynamic_models(d, HIT_KNOWN_ANY, false, NULL));
    *seconds_per_step =
        hit_partition_makespan(d->parts, (const hit_fpm *const *)d->model, share);
    return HIT_OK;
}

bool hit_dynamic_pays(const hit_dynamic *d, double now_s, double then_s, double cost_s,
                      double steps_left)
{
    double gain = now_s - then_s;

    if (!(gain > fmax(LEAST_GAIN, d->options.noise) * now_s)) return false;
    return gain * steps_left > cost_s;
}
