/* SPDX-License-Identifier: MIT
 * Time steps for entered.sh, which counts the functions that a launch enters: "entered
 * EDGE LAUNCHES [promise]" on EDGE x EDGE floats; with a promise launches of several
 * processes may share messages. */
#include "hit/hit.h"

#include <stdlib.h>

extern const hit_kernel average5_float;

int main(int argc, char **argv)
{
    const hit_index edge = argc > 1 ? atoll(argv[1]) : 64;
    const int launches = argc > 2 ? atoi(argv[2]) : 100;
    const hit_domain plate = hit_domain_of(edge, edge);
    const hit_domain inner = hit_domain_grow(plate, -1);
    const float one = 1;
    hit_context *hit;
    hit_layout *layout;
    hit_tile *now;
    hit_tile *next;

    HIT_MUST(hit_open(&argc, &argv, &hit));
    HIT_MUST(hit_layout_create(hit, plate, "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "now", &now));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "next", &next));
    hit_layout_destroy(&layout);
    HIT_MUST(hit_tile_fill(now, &one));
    HIT_MUST(hit_tile_fill(next, &one));
    HIT_MUST(hit_chain(hit, argc > 3 ? HIT_CHAIN_ANY : HIT_CHAIN_OFF));
    for (int t = 0; t < launches; t++) {
        HIT_MUST(hit_launch(hit, &average5_float, inner, next, now));
        hit_tile_swap(&now, &next);
    }
    HIT_MUST(hit_wait(hit));
    hit_tile_destroy(&next);
    hit_tile_destroy(&now);
    hit_close(&hit);
    return 0;
}
