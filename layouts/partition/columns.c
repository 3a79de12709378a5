/* SPDX-License-Identifier: MIT
 * Columns: arrangements of areas are optimal for real numbers only, and what is best
 * after rounding depends on the numbers. So all arrangements that may be good are rounded
 * (plane.c), and the choice (plane_choose.c) is made among integers. On small planes slow
 * parts can be in the way of fast ones: arrangements of the fastest ones alone are tried,
 * too. */
#include "layouts/partition/partition_impl.h"

#include <math.h>

enum {
    ALL_ARRANGEMENTS = 7, /* up to so many parts; the 8th makes it 5 times as many */
    ALL_SUBSETS = 60,
    COLUMNS_AROUND = 3,
    COARSE = 100,      /* units for each part */
    MOST_COARSE = 1000 /* parts, for the sake of time */
};

typedef struct search {
    const hit_plane *plane;
    hit_plane_choice *choice;
    const double *area;
    int count;    /**< parts with an area > 0 */
    int *fastest; /**< these, largest area first */
    int *column_of;
    double *taken; /**< areas of the parts that take part */
} search;

/* ---- every arrangement of few parts ---- */

/** Put the parts from the k-th fastest on into the @p columns columns there are, or into
 * a new one. */
static hit_status try_from(search *s, int k, int parts, int columns)
{
    if (k == parts) return hit_plane_choice_try(s->choice, parts, s->column_of);
    for (int c = 0; c <= columns; c++) {
        s->column_of[s->fastest[k]] = c;
        HIT_TRY(try_from(s, k + 1, parts, c == columns ? columns + 1 : columns));
    }
    s->column_of[s->fastest[k]] = -1;
    return HIT_OK;
}

/* ---- good arrangements for each number of columns ---- */

/** The arrangement in so many columns that is best for areas, and one that rounds well.
 */
static hit_status try_columns(search *s, const hit_arrange *arrange, int parts,
                              int columns)
{
    if (isfinite(hit_arrange_cost(arrange, columns))) {
        hit_arrange_get(arrange, columns, s->column_of);
        HIT_TRY(hit_plane_choice_try(s->choice, parts, s->column_of));
    }
    for (int i = 0; i < s->plane->parts; i++) {
        s->column_of[i] = -1;
    }
    hit_arrange_deal(s->fastest, parts, columns, s->column_of);
    return hit_plane_choice_try(s->choice, parts, s->column_of);
}

/** Are there so few units for each part that rounding matters more than areas? */
static bool is_coarse(const hit_plane *plane, int parts)
{
    return plane->fpm == NULL && parts <= MOST_COARSE &&
           plane->rows * plane->columns / parts < COARSE;
}

static hit_status try_arrangements(search *s, int parts)
{
    const hit_plane *plane = s->plane;
    const int most = plane->columns < parts ? (int)plane->columns : parts;
    hit_arrange *arrange;
    hit_status st = HIT_OK;
    int low = 1;
    int high = most;

    for (int k = 0; k < s->count; k++) {
        s->taken[s->fastest[k]] = k < parts ? s->area[s->fastest[k]] : 0.0;
    }
    HIT_TRY(
        hit_arrange_open(plane->rows, plane->columns, plane->parts, s->taken, &arrange));
    if (parts > ALL_SUBSETS && !is_coarse(plane, parts)) {
        const int best = hit_arrange_best(arrange);

        if (best + COLUMNS_AROUND < high) high = best + COLUMNS_AROUND;
        if (high - 2 * COLUMNS_AROUND > low) low = high - 2 * COLUMNS_AROUND;
    }
    for (int columns = low; st == HIT_OK && columns <= high; columns++) {
        st = try_columns(s, arrange, parts, columns);
    }
    hit_arrange_close(&arrange);
    return st;
}

/** How many parts would have at least one unit, were units shared out alone. */
static hit_status count_needed(const search *s, int *needed)
{
    const hit_plane *plane = s->plane;
    hit_index *share;

    *needed = 0;
    HIT_TRY(HIT_TAKE(&s->choice->arrays, (size_t)plane->parts, share));
    HIT_TRY(
        hit_partition_cpm(plane->rows * plane->columns, plane->parts, s->area, share));
    for (int i = 0; i < plane->parts; i++) {
        if (share[i] > 0) (*needed)++;
    }
    return HIT_OK;
}

static hit_status try_all(search *s)
{
    const bool speeds = s->plane->fpm == NULL;
    int needed;

    if (s->count <= (speeds ? ALL_ARRANGEMENTS : ALL_ARRANGEMENTS - 1)) {
        for (int parts = s->count; parts > 0; parts--) {
            HIT_TRY(try_from(s, 0, parts, 0));
        }
        return HIT_OK;
    }
    if (speeds && s->count <= ALL_SUBSETS) {
        for (int parts = s->count; parts > 0; parts--) {
            HIT_TRY(try_arrangements(s, parts));
        }
        return HIT_OK;
    }
    HIT_TRY(count_needed(s, &needed));
    HIT_TRY(try_arrangements(s, s->count));
    return needed < s->count ? try_arrangements(s, needed) : HIT_OK;
}

static hit_status each_arrangement(const hit_plane *plane, const double area[],
                                   hit_plane_choice *choice)
{
    const size_t parts = (size_t)plane->parts;
    hit_arrays *arrays = &choice->arrays;
    search s = {.plane = plane, .choice = choice, .area = area};

    HIT_TRY(HIT_TAKE(arrays, parts, s.fastest));
    HIT_TRY(HIT_TAKE(arrays, parts, s.column_of));
    HIT_TRY(HIT_TAKE(arrays, parts, s.taken));
    HIT_TRY(hit_arrange_rank(plane->parts, area, s.fastest, &s.count));
    for (size_t i = 0; i < parts; i++) {
        s.column_of[i] = -1;
    }
    return try_all(&s);
}

hit_status hit_partition_columns(const hit_plane *plane, hit_rect rect[])
{
    return hit_plane_choose(plane, each_arrangement, rect);
}
