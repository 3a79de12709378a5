/* SPDX-License-Identifier: MIT
 * The choice among arrangements: the fastest one decides what is fast enough, and among
 * those the one that communicates least is taken. Arrangements are made twice instead of
 * being kept. */
#include "layouts/partition/partition_impl.h"

#include <math.h>
#include <string.h>

#define USUAL_SLACK 0.05

static bool is_better(const hit_plane_choice *choice, int parts, double around,
                      double makespan)
{
    if (parts != choice->parts) return parts > choice->parts;
    if (around < choice->around || around > choice->around) {
        return around < choice->around;
    }
    return makespan < choice->makespan;
}

hit_status hit_plane_choice_try(hit_plane_choice *choice, int parts,
                                const int column_of[])
{
    hit_status st = hit_plane_given_columns(choice->plane, column_of, choice->trial);

    if (st == HIT_E_LIMIT) return HIT_OK; /* another one may do */
    if (st != HIT_OK) return st;
    return hit_plane_choice_take(choice, parts);
}

hit_status hit_plane_choice_take(hit_plane_choice *choice, int parts)
{
    const hit_plane *plane = choice->plane;
    const double slack = plane->slack > 0.0 ? plane->slack : USUAL_SLACK;
    const double makespan = hit_plane_makespan(plane, choice->trial);
    double around;

    if (!isfinite(makespan)) return HIT_OK;
    if (!choice->deciding) {
        choice->any = true;
        choice->fastest = fmin(choice->fastest, makespan);
        return HIT_OK;
    }
    if (makespan > choice->fastest * (1.0 + slack)) return HIT_OK;
    around = hit_plane_half_perimeter(plane, choice->trial);
    if (is_better(choice, parts, around, makespan)) {
        hit_rect *kept = choice->rect;

        choice->parts = parts;
        choice->around = around;
        choice->makespan = makespan;
        choice->rect = choice->trial;
        choice->trial = kept;
    }
    return HIT_OK;
}

static hit_status choose(const hit_plane *plane, hit_arrangements each,
                         hit_plane_choice *choice)
{
    const size_t parts = (size_t)plane->parts;
    hit_arrays *arrays = &choice->arrays;
    double *area;

    HIT_TRY(HIT_TAKE(arrays, parts, area));
    HIT_TRY(HIT_TAKE(arrays, parts, choice->rect));
    HIT_TRY(HIT_TAKE(arrays, parts, choice->trial));
    HIT_TRY(hit_plane_areas(plane, area));
    HIT_TRY(each(plane, area, choice));
    if (!choice->any) {
        return HIT_FAIL(HIT_E_LIMIT,
                        "no column arrangement of %d parts has room for %lld x %lld "
                        "units (limits of the models)",
                        plane->parts, (long long)plane->rows, (long long)plane->columns);
    }
    choice->deciding = true;
    return each(plane, area, choice);
}

hit_status hit_plane_choose(const hit_plane *plane, hit_arrangements each,
                            hit_rect rect[])
{
    hit_plane_choice choice = {.plane = plane, .fastest = INFINITY, .parts = -1};
    hit_status st;

    HIT_TRY(hit_plane_check(plane));
    if (plane->rows == 0 || plane->columns == 0) {
        memset(rect, 0, (size_t)plane->parts * sizeof *rect);
        return HIT_OK;
    }
    st = choose(plane, each, &choice);
    if (st == HIT_OK) memcpy(rect, choice.rect, (size_t)plane->parts * sizeof *rect);
    hit_arrays_free(&choice.arrays);
    return st;
}
