/* SPDX-License-Identifier: MIT
 * Repairing measured models, so that a point that is only noise does not forbid loads
 * that are possible: Lastovetsky, "Heterogeneous Parallel Computing: from Clusters of
 * Workstations to Hierarchical Hybrid Platforms" (2014), section 1.2, [Clarke et al.
 * 2011]. There the newest point is changed to suit the older ones; here all count alike,
 * so that the order in which they were measured does not matter. Falling times are pooled
 * (pool adjacent violators: the closest rising times by least squares). */
#include "hit/model/fpm_repair.h"

#include "hit/base/memory.h"
#include "hit/model/fpm_impl.h"

#include <math.h>
#include <stdlib.h>

/** Neighbours of one mean time. */
typedef struct block {
    double seconds;
    double reps;
    size_t end; /**< the first point after it */
} block;

/** The speed at which the point takes at least @p seconds, in spite of rounding. */
static double speed_for(double units, double seconds)
{
    double speed = units / seconds;

    while (units / speed < seconds) {
        speed = nextafter(speed, 0.0);
    }
    return speed;
}

/** Fill @p blocks, which has room for one per point. Returns how many there are. */
static size_t pool(const hit_fpm *fpm, block blocks[])
{
    size_t count = 0;

    for (size_t k = 0; k < fpm->count; k++) {
        block next = {hit_fpm_point_time(fpm, k), fpm->point[k].reps, k + 1};

        while (count > 0 && blocks[count - 1].seconds > next.seconds) {
            const block *last = &blocks[--count];
            double reps = last->reps + next.reps;

            next.seconds = (last->reps * last->seconds + next.reps * next.seconds) / reps;
            next.reps = reps;
        }
        blocks[count++] = next;
    }
    return count;
}

static hit_status make_rising(hit_fpm *fpm)
{
    block *blocks;
    size_t count;
    size_t k = 0;
    double before = 0.0; /* the time of the last point, as it is now */

    HIT_TRY(hit_memory_zeroed(fpm->count, sizeof *blocks, &blocks));
    count = pool(fpm, blocks);
    for (size_t b = 0; b < count; b++) {
        bool alone = k + 1 == blocks[b].end;

        for (; k < blocks[b].end; k++) {
            hit_fpm_point *point = &fpm->point[k];
            double seconds = fmax(before, blocks[b].seconds);

            if (point->units == 0.0) continue;
            if (isinf(seconds)) {
                point->value = 0.0;
            } else if (!alone || seconds > blocks[b].seconds) {
                point->value = speed_for(point->units, seconds);
            }
            before = hit_fpm_point_time(fpm, k);
        }
    }
    free(blocks);
    return HIT_OK;
}

static size_t find_peak(const hit_fpm *fpm)
{
    size_t peak = 0;

    for (size_t k = 1; k < fpm->count; k++) {
        if (fpm->point[k].value > fpm->point[peak].value) peak = k;
    }
    return peak;
}

/** Is point @p b on or below the straight line from @p a to @p c? */
static bool is_below(const hit_fpm_point *a, const hit_fpm_point *b,
                     const hit_fpm_point *c)
{
    return (b->value - a->value) * (c->units - a->units) <=
           (c->value - a->value) * (b->units - a->units);
}

/** Lift the points before @p peak to the concave hull. */
static hit_status lift(hit_fpm *fpm, size_t peak)
{
    hit_fpm_point *point = fpm->point;
    size_t *corner;
    size_t count = 0;

    HIT_TRY(hit_memory_zeroed(peak + 1, sizeof *corner, &corner));
    for (size_t k = 0; k <= peak; k++) {
        while (count >= 2 && is_below(&point[corner[count - 2]],
                                      &point[corner[count - 1]], &point[k])) {
            count--;
        }
        corner[count++] = k;
    }
    for (size_t c = 1; c < count; c++) {
        const hit_fpm_point *left = &point[corner[c - 1]];
        const hit_fpm_point *right = &point[corner[c]];
        double slope = (right->value - left->value) / (right->units - left->units);

        for (size_t k = corner[c - 1] + 1; k < corner[c]; k++) {
            point[k].value = left->value + slope * (point[k].units - left->units);
        }
    }
    free(corner);
    return HIT_OK;
}

static hit_status make_unimodal(hit_fpm *fpm)
{
    size_t peak = find_peak(fpm);

    for (size_t k = peak; k-- > 0;) {
        fpm->point[k].value = fmin(fpm->point[k].value, fpm->point[k + 1].value);
    }
    for (size_t k = peak + 1; k < fpm->count; k++) {
        fpm->point[k].value = fmin(fpm->point[k].value, fpm->point[k - 1].value);
    }
    return lift(fpm, peak);
}

hit_status hit_fpm_repair(const hit_fpm *fpm, hit_fpm_mode mode, hit_fpm **repaired)
{
    hit_fpm *made;
    hit_status st;

    HIT_TRY(hit_fpm_copy(fpm, &made));
    if (fpm->kind == HIT_FPM_FUNCTIONAL && fpm->count > 0 && mode != HIT_FPM_RAW) {
        if (mode == HIT_FPM_UNIMODAL) HIT_TRY_GOTO(st, make_unimodal(made), destroy_made);
        HIT_TRY_GOTO(st, make_rising(made), destroy_made);
        hit_fpm_seal(made);
    }
    *repaired = made;
    return HIT_OK;

destroy_made:
    hit_fpm_destroy(&made);
    return st;
}
