/* SPDX-License-Identifier: MIT
 * Single: one rank owns everything. */
#include "hit/base/memory.h"
#include "layouts/layouts.h"

#include <stdlib.h>

static hit_status create(const hit_layout_spec *spec, void **state)
{
    static const char *const known[] = {"root", NULL};
    hit_index root = 0;
    int *made;

    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(hit_layout_option_index(spec, "root", 0, spec->ranks - 1, &root));
    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    *made = (int)root;
    *state = made;
    return HIT_OK;
}

static hit_status part(const hit_layout_spec *spec, const void *state, int rank,
                       hit_region *part)
{
    if (rank != *(const int *)state) return HIT_OK;
    return hit_region_append(part, &spec->domain);
}

static int owner(const hit_layout_spec *spec, const void *state, const hit_index index[])
{
    (void)spec;
    (void)index;
    return *(const int *)state;
}

static void box(const hit_layout_spec *spec, const void *state, const hit_index index[],
                hit_domain *box)
{
    (void)state;
    (void)index;
    *box = spec->domain;
}

static bool splits(const hit_layout_spec *spec, const void *state, int dim)
{
    (void)spec;
    (void)state;
    (void)dim;
    return false;
}

const hit_layout_ops hit_layout_single = {
    .name = "single",
    .help = "root=R (the rank that owns all; default 0)",
    .create = create,
    .destroy = free,
    .part = part,
    .owner = owner,
    .box = box,
    .splits = splits,
};
