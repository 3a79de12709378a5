/* SPDX-License-Identifier: MIT
 * The program of examples/template in C++, shorter: opens, launches, closes. */
#include "hit/hit.h"

#include <cstdio>

extern "C" const hit_kernel heat;

int main(int argc, char **argv)
{
    const hit_index at[] = {1, 50};
    const hit_domain plate = hit_domain_of(100, 100);
    const hit_domain inner = hit_box_of(1, 98, 1, 98);
    const float hot = 1;
    const float c = 0.25f;
    float warm = 0;
    hit_view view;
    hit_context *hit;
    hit_tile *now;
    hit_tile *next;

    HIT_MUST(hit_open(&argc, &argv, &hit));
    HIT_MUST(hit_tile_make(hit, plate, "block", HIT_FLOAT, "now", &now));
    HIT_MUST(hit_tile_create(hit_tile_layout(now), HIT_FLOAT, "next", &next));
    HIT_MUST(hit_tile_fill(now, &hot));
    if (hit_tile_pieces(now) > 0) {
        HIT_MUST(hit_tile_map(now, 0, HIT_READ_WRITE, &view));
        if (hit_rank(hit) == 0) HIT_AT(view, float, 0, 50) = 3;
    }
    HIT_MUST(hit_launch(hit, &heat, inner, next, now, HIT_VALUE(c), HIT_ON("host,cuda")));
    HIT_MUST(hit_tile_get(next, at, &warm));
    if (hit_rank(hit) == 0) std::printf("%g\n", static_cast<double>(warm));
    hit_tile_destroy(&next);
    hit_tile_destroy(&now);
    hit_close(&hit);
    return 0;
}
