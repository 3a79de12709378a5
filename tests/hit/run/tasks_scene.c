/* SPDX-License-Identifier: MIT
 * Contexts and tiles for tests of launches that are tasks. */
#include "tests/hit/run/tasks_scene.h"

hit_context *tasks_open(const char *devices)
{
    hit_context *hit = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &hit));
    return hit;
}

hit_tile *tasks_tile(hit_context *hit, hit_index rows, hit_index columns)
{
    const int64_t zero = 0;
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;

    HIT_MUST(hit_layout_create(hit, hit_domain_of(rows, columns), "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "t", &tile));
    HIT_MUST(hit_tile_fill(tile, &zero));
    hit_layout_destroy(&layout);
    return tile;
}

hit_domain tasks_box(hit_index i, hit_index j, hit_index rows, hit_index columns)
{
    return hit_domain_box(2, (const hit_index[]){i, j},
                          (const hit_index[]){i + rows - 1, j + columns - 1});
}

int64_t tasks_element(hit_tile *tile, hit_index i, hit_index j)
{
    hit_view view;

    HIT_MUST(hit_tile_map(tile, 0, HIT_READ, &view));
    return *(int64_t *)hit_view_at(&view, (const hit_index[]){i, j});
}
