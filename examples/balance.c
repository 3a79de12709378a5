/* SPDX-License-Identifier: MIT
 * Balance in the examples: layouts by short names, and --rebalance. */
#include "layouts/balance.h"

#include <stdio.h>
#include <string.h>

#include "examples/common.h"

/** Steps from one look at the balance to the next. */
static const int look = 10;

hit_layout *example_layout(example *e, hit_domain domain, const char *kernel)
{
    /* a text for each short name; %s: the kernel that is measured */
    static const char *const known[][2] = {
        {"even", "block%.0s"},
        {"cpm", "cpm:kernel=%s"},
        {"single-cpm", "cpm2d:kernel=%s"},
        {"multiple-cpm", "cpm2d:kernel=%s,rounds=10"},
        {"fpm", "fpm:kernel=%s"},
        {"fpm2d", "fpm2d:kernel=%s"},
        {"hierarchical", "hierarchical:kernel=%s"},
    };
    char text[256] = "";
    double start_s;
    hit_layout *layout;

    (void)snprintf(text, sizeof(text), "%.255s", e->layout);
    for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++) {
        if (strcmp(known[k][0], e->layout) != 0) continue;
        (void)snprintf(text, sizeof(text), known[k][1], kernel != NULL ? kernel : "");
    }
    if (kernel == NULL && strstr(text, "kernel=") != NULL) strcpy(text, "block");
    start_s = hit_time(e->hit);
    HIT_MUST(hit_layout_create(e->hit, domain, text, &layout));
    e->balance_s += hit_time(e->hit) - start_s;
    return layout;
}

void example_balance(example *e, hit_layout **layout)
{
    if (e->rebalance) HIT_MUST(hit_balance_create(e->hit, layout, -1, &e->balance));
}

void example_look(example *e, hit_index step, int tiles, hit_tile *const tile[])
{
    bool moved;

    if (e->balance == NULL || step % look != 0) return;
    HIT_MUST(hit_balance_step(e->balance, look, (double)(e->steps - step), tiles, tile,
                              &moved));
}
