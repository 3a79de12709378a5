/* SPDX-License-Identifier: MIT
 * Cartesian cuts by speeds. For given widths the best heights are those of a partition of
 * the rows in which a row of the grid is as fast as the slowest speed / width in it, and
 * the other way round: turns never make it slower, and end. Parts stand in the grid by
 * their speeds, along rows or along columns, so that like stands beside like. */
#include "layouts/partition/partition_impl.h"

#include <math.h>
#include <string.h>

enum {
    MOST_IDLE = 3,
    MOST_TURNS = 20
};

/** Which part stands where, and the cuts. */
typedef struct cuts {
    const hit_plane *plane;
    const int *ranked;
    int count[2];     /**< rows and columns of the grid */
    bool by_columns;  /**< are parts in order of speed down the columns? */
    hit_index *share; /**< heights of count[0] rows, then widths of count[1] columns */
    double *weight;
} cuts;

static int part_at(const cuts *c, int row, int column)
{
    return c
        ->ranked[c->by_columns ? column * c->count[0] + row : row * c->count[1] + column];
}

static double speed_at(const cuts *c, int dim, int k, int other)
{
    const int part = dim == 0 ? part_at(c, k, other) : part_at(c, other, k);

    return c->plane->speed[part];
}

/** The best cuts of rows (dim 0) or columns for those of the other dimension. */
static hit_status turn(const cuts *c, int dim)
{
    const hit_index units = dim == 0 ? c->plane->rows : c->plane->columns;
    const hit_index *across = c->share + (dim == 0 ? c->count[0] : 0);
    hit_index *share = c->share + (dim == 0 ? 0 : c->count[0]);

    for (int k = 0; k < c->count[dim]; k++) {
        double slowest = INFINITY;

        for (int other = 0; other < c->count[1 - dim]; other++) {
            if (across[other] == 0) continue;
            slowest = fmin(slowest, speed_at(c, dim, k, other) / (double)across[other]);
        }
        c->weight[k] = slowest;
    }
    return hit_partition_cpm(units, c->count[dim], c->weight, share);
}

/** Columns as wide as the sums of their speeds say, or all alike. */
static hit_status begin(const cuts *c, bool even)
{
    for (int k = 0; k < c->count[1]; k++) {
        c->weight[k] = 0;
        for (int row = 0; row < c->count[0]; row++) {
            c->weight[k] += even ? 1 : speed_at(c, 1, k, row);
        }
    }
    return hit_partition_cpm(c->plane->columns, c->count[1], c->weight,
                             c->share + c->count[0]);
}

static void lay_out(const cuts *c, hit_rect rect[])
{
    hit_index column = 0;

    memset(rect, 0, (size_t)c->plane->parts * sizeof *rect);
    for (int k = 0; k < c->count[1]; k++) {
        const hit_index width = c->share[c->count[0] + k];
        hit_index row = 0;

        for (int i = 0; i < c->count[0]; i++) {
            const hit_index height = c->share[i];

            if (height > 0 && width > 0) {
                rect[part_at(c, i, k)] = (hit_rect){row, column, height, width};
            }
            row += height;
        }
        column += width;
    }
}

static hit_status try_cuts(const cuts *c, bool even, hit_plane_choice *choice)
{
    double before = INFINITY;

    HIT_TRY(begin(c, even));
    for (int k = 0; k < MOST_TURNS; k++) {
        double makespan;

        HIT_TRY(turn(c, 0));
        if (k > 0) HIT_TRY(turn(c, 1));
        lay_out(c, choice->trial);
        makespan = hit_plane_makespan(c->plane, choice->trial);
        HIT_TRY(hit_plane_choice_take(choice, 0));
        if (k > 0 && makespan >= before) break;
        before = makespan;
    }
    return HIT_OK;
}

static hit_status try_grids(cuts *c, int parts, hit_plane_choice *choice)
{
    for (int columns = 1; columns <= parts; columns++) {
        if (parts % columns != 0) continue;
        c->count[0] = parts / columns;
        c->count[1] = columns;
        for (int way = 0; way < 4; way++) {
            c->by_columns = way % 2 == 1;
            HIT_TRY(try_cuts(c, way / 2 == 1, choice));
        }
    }
    return HIT_OK;
}

static hit_status each_grid(const hit_plane *plane, const double area[],
                            hit_plane_choice *choice)
{
    const size_t parts = (size_t)plane->parts;
    hit_arrays *arrays = &choice->arrays;
    cuts c = {.plane = plane};
    int *ranked;
    int count = 0;

    HIT_TRY(HIT_TAKE(arrays, parts, ranked));
    HIT_TRY(HIT_TAKE(arrays, parts + 1, c.share));
    HIT_TRY(HIT_TAKE(arrays, parts, c.weight));
    HIT_TRY(hit_arrange_rank(plane->parts, area, ranked, &count));
    c.ranked = ranked;
    for (int idle = 0; idle < count && idle <= MOST_IDLE; idle++) {
        HIT_TRY(try_grids(&c, count - idle, choice));
    }
    return HIT_OK;
}

hit_status hit_partition_cartesian(const hit_plane *plane, hit_rect rect[])
{
    if (plane->fpm != NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected speeds but found models: Cartesian cuts are "
                                   "found by speeds");
    }
    return hit_plane_choose(plane, each_grid, rect);
}
