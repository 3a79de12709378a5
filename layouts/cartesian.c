/* SPDX-License-Identifier: MIT
 * Cartesian: the rows of a plane are cut once and its columns once, in proportion to
 * unlike speeds (partition/cartesian.h): block with widths, so that messages go to
 * neighbours in a grid only. */
#include "layouts/partition/cartesian.h"

#include "layouts/columns.h"

static hit_status resolve(const hit_layout_spec *spec, char **options)
{
    static const char *const known[] = {"speeds", "rects", "dims", NULL};

    return hit_columns_resolve(spec, known, hit_partition_cartesian, options);
}

const hit_layout_ops hit_layout_cartesian = {
    .name = "cartesian",
    .help = "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
            "rects=ROW.COLUMN.HEIGHT.WIDTH;... (of each rank), "
            "dims=K,L (the dimensions of rows and columns; default 0,1)",
    .create = hit_columns_create,
    .destroy = hit_columns_destroy,
    .part = hit_columns_part,
    .owner = hit_columns_owner,
    .splits = hit_columns_splits,
    .resolve = resolve,
};
