/* SPDX-License-Identifier: MIT
 * Dynamic partitioning: models of all processes from what is known of each, and the best
 * distribution by them. */
#include "hit/model/fpm_time.h"
#include "layouts/partition/algorithms.h"
#include "layouts/partition/dynamic/dynamic_impl.h"
#include "layouts/partition/partition.h"

#include <math.h>

#define FEW 4 /* units per process on average: one more is a lot more */

void hit_dynamic_clear_models(hit_dynamic *d)
{
    for (int i = 0; d->model != NULL && i < d->parts; i++) {
        hit_fpm_destroy(&d->model[i]);
    }
}

/** The mean and the highest of the highest speeds of processes; 1 where nothing is known.
 */
static void speeds(const hit_dynamic *d, double *mean, double *highest)
{
    double sum = 0.0;
    int count = 0;

    *highest = 0.0;
    for (int i = 0; i < d->parts; i++) {
        double fastest = d->model[i] != NULL ? hit_fpm_fastest(d->model[i]) : 0.0;

        if (d->model[i] == NULL) continue;
        sum += fastest;
        count++;
        *highest = fmax(*highest, fastest);
    }
    *mean = sum > 0.0 ? sum / count : 1.0;
    if (!(*highest > 0.0)) *highest = 1.0;
}

/** Is there something to learn of this process at once? */
static bool is_new(const hit_known *known)
{
    return known->count == 0 && known->failures == 0 && known->cap > 0;
}

bool hit_dynamic_any_new(const hit_dynamic *d)
{
    for (int i = 0; i < d->parts; i++) {
        if (d->n > 0 && is_new(&d->known[i])) return true;
    }
    return false;
}

/** Was this process left out after a single load? A smaller one may be much faster. */
static bool is_left_out(const hit_dynamic *d, int i)
{
    const hit_known *known = &d->known[i];

    return d->best >= 0 && d->trial[d->best].share[i] == 0 && known->count == 1 &&
           known->fails == INT64_MAX && known->point[0].units > 1;
}

bool hit_dynamic_any_hope(const hit_dynamic *d)
{
    if (d->n / FEW < d->parts) return true;
    for (int i = 0; i < d->parts; i++) {
        if (is_left_out(d, i)) return true;
    }
    return false;
}

/** Replace the model of what we know little of by a better one; *limit is up to where. */
static hit_status hope(hit_dynamic *d, int i, double mean, hit_index *limit)
{
    hit_index quarter = (d->known[i].point[0].units + 3) / 4;

    hit_fpm_destroy(&d->model[i]);
    if (*limit > quarter) *limit = quarter;
    return hit_fpm_constant(mean, &d->model[i]);
}

hit_status hit_dynamic_models(hit_dynamic *d, int boldness, bool explore,
                              const hit_index least[])
{
    double mean;
    double highest;

    hit_dynamic_clear_models(d);
    for (int i = 0; i < d->parts; i++) {
        if (d->known[i].count == 0) continue;
        HIT_TRY(hit_known_model(&d->known[i], d->options.noise,
                                d->hopeful && d->n / FEW < d->parts, &d->model[i]));
    }
    speeds(d, &mean, &highest);
    for (int i = 0; i < d->parts; i++) {
        const hit_known *known = &d->known[i];
        hit_index limit = hit_known_limit(known, boldness, least != NULL ? least[i] : 0);

        if (explore && is_new(known)) {
            hit_index even = d->n / d->parts > 1 ? d->n / d->parts : 1;

            if (limit > even) limit = even;
            HIT_TRY(hit_fpm_constant(1e6 * highest, &d->model[i]));
        } else if (known->count == 0) {
            HIT_TRY(hit_fpm_constant(mean, &d->model[i]));
        } else if (d->hopeful && is_left_out(d, i)) {
            HIT_TRY(hope(d, i, mean, &limit));
        }
        HIT_TRY(hit_fpm_set_cap(d->model[i], limit));
    }
    return HIT_OK;
}

const hit_dynamic_trial *hit_dynamic_now(const hit_dynamic *d)
{
    if (d->asked) return &d->trial[d->rounds];
    return &d->trial[d->best >= 0 ? d->best : d->rounds - 1];
}

hit_status hit_dynamic_solve(hit_dynamic *d)
{
    hit_dynamic_trial *out = &d->candidate;
    const hit_fpm *const *model = (const hit_fpm *const *)d->model;
    hit_partition_info info;

    if (!d->is_plane) {
        HIT_TRY(hit_partition_fpm(d->n, d->parts, model, out->share, &info));
        out->makespan_s = info.makespan_s;
        return HIT_OK;
    }
    d->plane.fpm = model;
    HIT_TRY(hit_partition_columns(&d->plane, out->rect));
    out->makespan_s = hit_plane_makespan(&d->plane, out->rect);
    for (int i = 0; i < d->parts; i++) {
        out->share[i] = out->rect[i].height * out->rect[i].width;
    }
    return HIT_OK;
}
