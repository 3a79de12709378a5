/* A plate with a hot rim: how warm is it at (10, 500) after 1000 steps? A project to
 * copy:
 *   cmake -G Ninja -B build -DCMAKE_PREFIX_PATH=<where hit is installed>
 *   cmake --build build
 *   mpiexec -n 2 build/plate */
#include "hit/hit.h"

#include <stdio.h>

extern const hit_kernel heat;

int main(int argc, char **argv)
{
    const hit_domain plate = hit_domain_of(1000, 1000);
    const hit_domain inner = hit_domain_grow(plate, -1);
    const float hot = 1;
    const float cold = 0;
    const float c = 0.2f;
    float warm;
    hit_context *hit;
    hit_layout *layout;
    hit_tile *now;
    hit_tile *next;
    hit_tile *middle;

    HIT_MUST(hit_open(&argc, &argv, &hit));
    HIT_MUST(hit_layout_create(hit, plate, "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "now", &now));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "next", &next));
    HIT_MUST(hit_tile_fill(now, &hot));
    HIT_MUST(hit_tile_select(now, inner, &middle));
    HIT_MUST(hit_tile_fill(middle, &cold));
    HIT_MUST(hit_tile_copy(now, next));
    for (int t = 0; t < 1000; t++) {
        HIT_MUST(hit_launch(hit, &heat, inner, next, now, HIT_VALUE(c)));
        hit_tile_swap(&now, &next);
    }
    HIT_MUST(hit_tile_get(now, (const hit_index[]){10, 500}, &warm));
    if (hit_rank(hit) == 0) printf("%g\n", (double)warm);
    hit_tile_destroy(&middle);
    hit_tile_destroy(&next);
    hit_tile_destroy(&now);
    hit_layout_destroy(&layout);
    hit_close(&hit);
    return 0;
}
