/* SPDX-License-Identifier: MIT
 * Constant speeds in two dimensions: rectangles in columns, in proportion to one speed
 * per rank, given or measured. The baselines of Clarke, Ilic, Lastovetsky and Sousa
 * (Euro-Par 2012), section 4; fails where speed depends on size, which fpm2d does not. */
#include "layouts/columns.h"
#include "layouts/partition/columns.h"

static hit_status resolve(const hit_layout_spec *spec, char **options)
{
    static const char *const known[] = {"speeds", "rects", "dims", NULL};

    return hit_columns_resolve(spec, known, hit_partition_columns, options);
}

const hit_layout_ops hit_layout_cpm2d = {
    .name = "cpm2d",
    .help = "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
            "rects=ROW.COLUMN.HEIGHT.WIDTH;... (of each rank) or "
            "kernel=NAME (measured, rounds=R times; default 1), "
            "dims=K,L (the dimensions of rows and columns; default 0,1)",
    .create = hit_columns_create,
    .destroy = hit_columns_destroy,
    .part = hit_columns_part,
    .owner = hit_columns_owner,
    .splits = hit_columns_splits,
    .resolve = resolve,
    .search = &hit_search_cpm2d,
};
