/* SPDX-License-Identifier: MIT
 * Dynamic partitioning: the loop of [Clarke 2012] with reasons to stop. The distribution
 * that is best by what is known is measured next, as long as it promises to be better
 * than the best one measured. Tried and dropped: keeping all processes on the near sides
 * of their cliffs, which fails where some are better beyond; an even split followed by
 * constant speeds, which swings between both sides of a cliff; measuring the best once
 * more where times are noisy, which costs a round and did not bring the rare cases beyond
 * 1.10 down (14 of 2800 before, 13 after). */
#include "layouts/partition/dynamic/dynamic.h"

#include "hit/base/memory.h"
#include "layouts/partition/dynamic/dynamic_impl.h"
#include "layouts/partition/partition.h"

#include <math.h>
#include <string.h>

#define LEAST_GAIN 0.01 /* relative; less is not worth a measurement */
#define PATIENCE 6      /* distributions in a row that are no better */

/* ---- create ---- */

static hit_status complete(hit_dynamic_options *o)
{
    if (o->imbalance == 0.0) o->imbalance = 0.05;
    if (o->noise == 0.0) o->noise = 0.025;
    if (o->noise < 0.0) o->noise = 0.0;
    if (o->by == 0) o->by = 1;
    if (o->imbalance > 0.0 && o->noise < 1.0) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "expected imbalance > 0 and noise < 1 but found %g and %g",
                    o->imbalance, o->noise);
}

static hit_status take_trial(hit_dynamic *d, hit_dynamic_trial *trial)
{
    const size_t parts = (size_t)d->parts;

    HIT_TRY(HIT_TAKE(&d->arrays, parts, trial->share));
    if (!d->is_plane) return HIT_OK;
    return HIT_TAKE(&d->arrays, parts, trial->rect);
}

/** Fill in what parts, plane and options ask for. */
static hit_status fill(hit_dynamic *d)
{
    size_t parts = (size_t)d->parts;
    const hit_fpm *const *seed = d->options.seed;

    d->options.seed = NULL;
    HIT_TRY(HIT_TAKE(&d->arrays, parts, d->known));
    HIT_TRY(HIT_TAKE(&d->arrays, parts, d->model));
    HIT_TRY(take_trial(d, &d->candidate));
    for (int i = 0; i < d->parts; i++) {
        HIT_TRY(hit_known_init(&d->known[i], d->n, seed != NULL ? seed[i] : NULL,
                               d->options.by));
    }
    return HIT_OK;
}

static hit_status create(const hit_dynamic *like, const hit_dynamic_options *options,
                         hit_dynamic **dynamic)
{
    hit_dynamic *made;
    hit_status st;

    if (like->n < 0 || like->parts < 1) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected units >= 0 and parts >= 1 but found %lld, %d",
                        (long long)like->n, like->parts);
    }
    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    *made = *like;
    made->best = -1;
    if (options != NULL) made->options = *options;
    st = complete(&made->options);
    if (st == HIT_OK) st = fill(made);
    if (st != HIT_OK) {
        hit_dynamic_destroy(&made);
        return st;
    }
    *dynamic = made;
    return HIT_OK;
}

hit_status hit_dynamic_create(hit_index n, int parts, const hit_dynamic_options *options,
                              hit_dynamic **dynamic)
{
    return create(&(hit_dynamic){.n = n, .parts = parts}, options, dynamic);
}

hit_status hit_dynamic_create_plane(const hit_plane *plane,
                                    const hit_dynamic_options *options,
                                    hit_dynamic **dynamic)
{
    hit_dynamic like = {.parts = plane->parts, .plane = *plane, .is_plane = true};

    HIT_TRY(hit_plane_check_size(plane->rows, plane->columns));
    like.n = plane->rows * plane->columns;
    like.plane.speed = NULL;
    like.plane.fpm = NULL;
    return create(&like, options, dynamic);
}

void hit_dynamic_destroy(hit_dynamic **dynamic)
{
    hit_dynamic *d = *dynamic;

    if (d == NULL) return;
    hit_dynamic_clear_models(d);
    for (int i = 0; d->known != NULL && i < d->parts; i++) {
        hit_known_clear(&d->known[i]);
    }
    hit_arrays_free(&d->arrays);
    free(d);
    *dynamic = NULL;
}

/* ---- the loop ---- */

/** Find the best distribution measured, by all that is known now. */
static hit_status rank(hit_dynamic *d)
{
    double before = d->best_s;
    int was = d->best;

    HIT_TRY(hit_dynamic_models(d, HIT_KNOWN_ANY, false, NULL));
    d->best = -1;
    for (int k = 0; k < d->rounds; k++) {
        double seconds = d->trial[k].makespan_s;

        if (isinf(seconds)) continue;
        seconds = hit_partition_makespan(d->parts, (const hit_fpm *const *)d->model,
                                         d->trial[k].share);
        if (d->best >= 0 && seconds >= d->best_s) continue;
        d->best = k;
        d->best_s = seconds;
    }
    d->idle++;
    if (d->best >= 0 && (was < 0 || d->best_s < before * 0.999)) d->idle = 0;
    return HIT_OK;
}

/** Take in the times of the distribution handed out last. */
static hit_status learn(hit_dynamic *d, const double seconds[], double *imbalance)
{
    hit_dynamic_trial *trial = &d->trial[d->rounds];
    double least = INFINITY;
    double most = 0.0;
    bool any_narrowed = false;

    for (int i = 0; i < d->parts; i++) {
        if (trial->share[i] > 0 && !(seconds[i] >= 0.0)) {
            return HIT_FAIL(HIT_E_ARG, "expected seconds >= 0 of process %d, found %g", i,
                            seconds[i]);
        }
    }
    d->clock++;
    for (int i = 0; i < d->parts; i++) {
        hit_known_point timed = {trial->share[i], seconds[i], 1.0, d->clock};
        bool narrowed;

        if (trial->share[i] == 0) continue;
        HIT_TRY(hit_known_measured(&d->known[i], &timed, &narrowed));
        any_narrowed = any_narrowed || narrowed;
        least = fmin(least, seconds[i]);
        most = fmax(most, seconds[i]);
    }
    trial->makespan_s = most;
    d->rounds++;
    d->asked = false;
    HIT_TRY(rank(d));
    if (any_narrowed) d->idle = 0;
    *imbalance = isinf(most) ? INFINITY : most > 0.0 ? (most - least) / most : 0.0;
    return HIT_OK;
}

static bool was_tried(const hit_dynamic *d, const hit_index share[])
{
    size_t size_bytes = (size_t)d->parts * sizeof share[0];

    for (int k = 0; k < d->rounds; k++) {
        if (memcmp(d->trial[k].share, share, size_bytes) == 0) return true;
    }
    return false;
}

/** Make a candidate for the next distribution; its makespan is NAN if there is none. */
static hit_status propose(hit_dynamic *d, int boldness)
{
    const hit_index *least = d->best >= 0 ? d->trial[d->best].share : NULL;
    hit_status st;

    HIT_TRY(hit_dynamic_models(d, boldness, d->rounds > 0, least));
    st = hit_dynamic_solve(d);
    if (st != HIT_E_LIMIT) return st;
    d->candidate.makespan_s = NAN;
    return HIT_OK;
}

/** Does the candidate promise enough? */
static bool is_better(const hit_dynamic *d)
{
    double gain = fmax(LEAST_GAIN, d->options.noise / 2.0);

    if (d->best < 0 || hit_dynamic_any_new(d)) return true;
    return d->candidate.makespan_s < d->best_s * (1.0 - gain);
}

/** Propose what may be better if other loads take less than the models say. */
static hit_status propose_hopefully(hit_dynamic *d)
{
    hit_status st;

    d->hopeful = true;
    st = propose(d, HIT_KNOWN_WARY);
    d->hopeful = false;
    return st;
}

/** Is there a distribution worth to be measured? If not, *reason says why. */
static hit_status judge(hit_dynamic *d, bool *worth, hit_dynamic_verdict *reason)
{
    int boldness = HIT_KNOWN_WARY;

    do { /* where others cannot do the rest, we have to be bold */
        HIT_TRY(propose(d, boldness));
    } while (isnan(d->candidate.makespan_s) && boldness++ < HIT_KNOWN_BOLDEST);
    if (!is_better(d) && hit_dynamic_any_hope(d)) {
        HIT_TRY(propose_hopefully(d));
    }
    *worth = false;
    if (isnan(d->candidate.makespan_s)) {
        *reason = d->best < 0 ? HIT_DYNAMIC_INFEASIBLE : HIT_DYNAMIC_OPTIMAL;
    } else if (!is_better(d)) {
        *reason = HIT_DYNAMIC_OPTIMAL;
    } else if (was_tried(d, d->candidate.share)) {
        *reason = d->best < 0 ? HIT_DYNAMIC_INFEASIBLE : HIT_DYNAMIC_REPEATED;
    } else {
        *worth = true;
    }
    return HIT_OK;
}

/** Make the candidate the next trial. */
static hit_status hand_out(hit_dynamic *d)
{
    const hit_dynamic_trial *candidate = &d->candidate;
    hit_dynamic_trial *trial = &d->trial[d->rounds];
    size_t parts = (size_t)d->parts;

    HIT_TRY(take_trial(d, trial));
    memcpy(trial->share, candidate->share, parts * sizeof *trial->share);
    if (d->is_plane) memcpy(trial->rect, candidate->rect, parts * sizeof *trial->rect);
    d->asked = true;
    return HIT_OK;
}

static hit_status first(hit_dynamic *d)
{
    HIT_TRY(hit_dynamic_models(d, HIT_KNOWN_WARY, false, NULL));
    HIT_TRY(hit_dynamic_solve(d));
    return hand_out(d);
}

static hit_status next(hit_dynamic *d, const double seconds[])
{
    double allowed = fmax(d->options.imbalance, 2.0 * d->options.noise);
    hit_dynamic_verdict reason;
    bool worth;
    double imbalance;

    HIT_TRY(learn(d, seconds, &imbalance));
    if (imbalance <= allowed && !hit_dynamic_any_new(d)) {
        d->verdict = HIT_DYNAMIC_BALANCED;
        return HIT_OK;
    }
    HIT_TRY(judge(d, &worth, &reason));
    if (!worth) {
        d->verdict = reason;
    } else if (d->rounds == HIT_DYNAMIC_ROUNDS) {
        d->verdict = HIT_DYNAMIC_LIMIT;
    } else if (d->idle >= PATIENCE) {
        d->verdict = HIT_DYNAMIC_NO_PROGRESS;
    } else {
        return hand_out(d);
    }
    return HIT_OK;
}

hit_status hit_dynamic_next(hit_dynamic *d, const double seconds[], hit_index share[],
                            hit_dynamic_verdict *verdict)
{
    if (d->verdict != HIT_DYNAMIC_CONTINUE) {
        return HIT_FAIL(HIT_E_ARG, "the loop has stopped: %s",
                        hit_dynamic_verdict_name(d->verdict));
    }
    if ((seconds != NULL) != d->asked) {
        return HIT_FAIL(HIT_E_ARG, "expected %s seconds", d->asked ? "some" : "no");
    }
    HIT_TRY(d->asked ? next(d, seconds) : first(d));
    memcpy(share, hit_dynamic_now(d)->share, (size_t)d->parts * sizeof share[0]);
    *verdict = d->verdict;
    return HIT_OK;
}
