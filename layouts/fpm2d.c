/* SPDX-License-Identifier: MIT
 * Columns: two dimensions are cut into one rectangle per rank, of areas in proportion to
 * speeds or as models say, arranged in columns (partition/columns.h). Clarke, Ilic,
 * Lastovetsky and Sousa, "Hierarchical partitioning algorithm for scientific computing on
 * highly heterogeneous CPU + GPU clusters" (Euro-Par 2012). */
#include "layouts/columns.h"
#include "layouts/partition/columns.h"

static hit_status resolve(const hit_layout_spec *spec, char **options)
{
    static const char *const known[] = {"speeds", "models", "rects", "dims", NULL};

    return hit_columns_resolve(spec, known, hit_partition_columns, options);
}

const hit_layout_ops hit_layout_fpm2d = {
    .name = "fpm2d",
    .help = "models=FILE,FILE,... (one per rank, or one for all) or "
            "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
            "rects=ROW.COLUMN.HEIGHT.WIDTH;... (of each rank) or "
            "kernel=NAME (measured, see docs/measure.md), "
            "dims=K,L (the dimensions of rows and columns; default 0,1)",
    .create = hit_columns_create,
    .destroy = hit_columns_destroy,
    .part = hit_columns_part,
    .owner = hit_columns_owner,
    .splits = hit_columns_splits,
    .resolve = resolve,
    .search = &hit_search_columns,
};
