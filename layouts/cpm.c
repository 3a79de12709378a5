/* SPDX-License-Identifier: MIT
 * Constant speeds: one dimension is cut in proportion to one speed per rank, given, or
 * that of a model at an even share, as one benchmark would tell. What is true at that
 * size is taken to be true at all, which fails where a memory ends (layout fpm). */
#include "layouts/partition/cpm.h"

#include "hit/base/memory.h"
#include "layouts/layouts.h"
#include "layouts/partition/even.h"
#include "layouts/partition/partition.h"

#include <stdlib.h>

static hit_status find_shares(const hit_layout_spec *spec, int dim,
                              const hit_layout_pace *pace, hit_index share[])
{
    const hit_index count = hit_sig_count(spec->domain.sig[dim]);

    if (pace->speed != NULL) {
        return hit_partition_cpm(count, spec->ranks, pace->speed, share);
    }
    return hit_partition_single(count, spec->ranks, (const hit_fpm *const *)pace->models,
                                share, NULL);
}

static hit_status resolve(const hit_layout_spec *spec, char **options)
{
    static const char *const known[] = {"speeds", "models", "shares", "dim", NULL};
    hit_layout_pace pace = {NULL, NULL};
    hit_index *share;
    int dim;
    hit_status st;

    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(hit_layout_dim(spec, &dim));
    HIT_TRY(hit_layout_one_of(spec, "speeds", "shares"));
    HIT_TRY(hit_layout_one_of(spec, "models", "shares"));
    if (hit_layout_option(spec, "shares", NULL) != NULL) return HIT_OK;
    HIT_TRY(hit_memory_zeroed((size_t)spec->ranks, sizeof *share, &share));
    st = hit_layout_pace_read(spec, hit_layout_elements(spec, dim, -1), &pace);
    if (st == HIT_OK) st = find_shares(spec, dim, &pace, share);
    if (st == HIT_OK) st = hit_slices_options(spec, dim, share, options);
    hit_layout_pace_clear(spec, &pace);
    free(share);
    return st;
}

const hit_layout_ops hit_layout_cpm = {
    .name = "cpm",
    .help = "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
            "models=FILE,FILE,... (one per rank, or one for all) or "
            "shares=N0,N1,... (elements of each rank) or "
            "kernel=NAME (measured, rounds=R times; default 1), "
            "dim=K (the dimension that is cut; default 0)",
    .create = hit_slices_create,
    .destroy = free,
    .part = hit_slices_part,
    .owner = hit_slices_owner,
    .splits = hit_slices_splits,
    .resolve = resolve,
    .search = &hit_search_cpm,
};
