/* SPDX-License-Identifier: MIT
 * Grids: the same number of rectangles in every column. With r rectangles in each of c
 * columns the half-perimeters are c x rows + r x columns whatever the areas, so that only
 * r and c matter, and parts are dealt out back and forth (largest first), which rounds
 * best. All r x c = p are tried, and for up to 3 parts fewer, as p may be a prime; also
 * without those parts that units alone leave idle. */
#include "layouts/partition/partition_impl.h"

enum {
    MOST_IDLE = 3
};

static hit_status try_grids(const hit_plane *plane, const int ranked[], int parts,
                            int column_of[], hit_plane_choice *choice)
{
    for (int i = 0; i < plane->parts; i++) {
        column_of[i] = -1;
    }
    for (int columns = 1; columns <= parts; columns++) {
        if (parts % columns != 0) continue;
        hit_arrange_deal(ranked, parts, columns, column_of);
        HIT_TRY(hit_plane_choice_try(choice, 0, column_of));
    }
    return HIT_OK;
}

static hit_status each_grid(const hit_plane *plane, const double area[],
                            hit_plane_choice *choice)
{
    const size_t size = (size_t)plane->parts;
    int *ranked;
    int *column_of;
    int count = 0;
    int useful = 0;

    HIT_TRY(HIT_TAKE(&choice->arrays, size, ranked));
    HIT_TRY(HIT_TAKE(&choice->arrays, size, column_of));
    HIT_TRY(hit_arrange_rank(plane->parts, area, ranked, &count));
    while (plane->fpm != NULL && useful < count && area[ranked[useful]] >= 1.0) {
        useful++;
    }
    for (int idle = 0; idle < count; idle++) {
        const int parts = count - idle;

        if (idle > MOST_IDLE && (parts > useful || parts < useful - MOST_IDLE)) continue;
        HIT_TRY(try_grids(plane, ranked, parts, column_of, choice));
    }
    return HIT_OK;
}

hit_status hit_partition_grid(const hit_plane *plane, hit_rect rect[])
{
    return hit_plane_choose(plane, each_grid, rect);
}
