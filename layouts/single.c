/* SPDX-License-Identifier: MIT
 * Single: one rank owns everything, which is one block. */
#include "hit/base/memory.h"
#include "layouts/layouts.h"

#include <stdlib.h>

typedef struct single {
    hit_dealt dealt;
    int root;
} single;

static int rank_at(const hit_dealt *dealt, hit_index row, hit_index column)
{
    (void)row;
    (void)column;
    return ((const single *)(const void *)dealt)->root;
}

static hit_status create(const hit_layout_spec *spec, void **state)
{
    hit_index root = 0;
    single *made;

    HIT_TRY(hit_layout_option_index(spec, "root", 0, spec->ranks - 1, &root));
    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    *made = (single){{.dims = {-1, -1}, .count = {1, 1}, .rank = rank_at}, (int)root};
    *state = made;
    return HIT_OK;
}

const hit_layout_ops hit_layout_single = {
    .name = "single",
    .options = (const char *const[]){"root", NULL},
    .help = "root=R (the rank that owns all; default 0)",
    .create = create,
    .destroy = free,
    .part = hit_dealt_part,
    HIT_DEALT_OPS,
};
