/* SPDX-License-Identifier: MIT
 * Grids: as fpm2d, with equally many rectangles in every column, so that a rectangle has
 * one neighbour to the left and one to the right more often (partition/grid2d.h).
 * Lastovetsky, "On grid-based matrix partitioning for heterogeneous processors"
 * (ISPDC 2007). */
#include "layouts/partition/grid2d.h"

#include "layouts/columns.h"

static hit_status resolve(const hit_layout_spec *spec, char **options)
{
    static const char *const known[] = {"speeds", "models", "rects", "dims", NULL};

    return hit_columns_resolve(spec, known, hit_partition_grid, options);
}

const hit_layout_ops hit_layout_grid2d = {
    .name = "grid2d",
    .help = "models=FILE,FILE,... (one per rank, or one for all) or "
            "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
            "rects=ROW.COLUMN.HEIGHT.WIDTH;... (of each rank), "
            "dims=K,L (the dimensions of rows and columns; default 0,1)",
    .create = hit_columns_create,
    .destroy = hit_columns_destroy,
    .part = hit_columns_part,
    .owner = hit_columns_owner,
    .splits = hit_columns_splits,
    .resolve = resolve,
};
