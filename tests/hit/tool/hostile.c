/* SPDX-License-Identifier: MIT
 * usage: hostile NAME: a kernel and a tile of that name are launched, written and
 * refused; test_hostile.sh looks at what is said of them. */
#include "hit/hit.h"
#include "kernels/kernels.h"

#include <stdio.h>

static void tell(hit_status status)
{
    if (status != HIT_OK) (void)fprintf(stderr, "%s\n", hit_status_text());
}

int main(int argc, char **argv)
{
    hit_kernel named = heat_float;
    const hit_domain all = hit_domain_of(40, 40);
    const float c = 0.1f;
    const char *name = argc > 1 ? argv[1] : "";
    hit_layout *layout;
    hit_context *hit;
    hit_tile *now;
    hit_tile *next;

    named.name = name;
    HIT_MUST(hit_open(&argc, &argv, &hit));
    HIT_MUST(hit_layout_create(hit, all, "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, name, &now));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, name, &next));
    tell(hit_chain(hit, 4));
    for (int k = 0; k < 8; k++) {
        tell(hit_launch(hit, &named, hit_domain_grow(all, -1), next, now, HIT_VALUE(c)));
        hit_tile_swap(&now, &next);
    }
    tell(hit_launch(hit, &named, hit_domain_grow(all, 1), next, now, HIT_VALUE(c)));
    tell(hit_launch(hit, &named, all, next));
    tell(hit_tile_read(now, name, NULL));
    tell(hit_tile_write(now, name, "format=npy"));
    tell(hit_tile_write(now, "no/such/folder.h5", name));
    tell(hit_tile_write_png(now, "no/such/folder.png", name));
    tell(hit_layout_create(hit, all, name, &layout));
    hit_tile_destroy(&now);
    hit_tile_destroy(&next);
    hit_layout_destroy(&layout);
    hit_close(&hit);
    return 0;
}
