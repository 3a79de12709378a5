/* SPDX-License-Identifier: MIT
 * Weighted: one dimension is cut into blocks in proportion to one weight per rank, with
 * the integer shares that minimise the largest share / weight (partition/cpm.h). */
#include "hit/base/memory.h"
#include "layouts/layouts.h"
#include "layouts/partition/cpm.h"

#include <stdlib.h>

static hit_status find_shares(const hit_layout_spec *spec, int dim, char **options)
{
    const size_t ranks = (size_t)spec->ranks;
    double *weight;
    hit_index *share;
    hit_status st;

    HIT_TRY(hit_memory_zeroed(ranks, sizeof *weight, &weight));
    HIT_TRY_GOTO(st, hit_memory_zeroed(ranks, sizeof *share, &share), free_weight);
    st = hit_layout_reals(spec, "weights", weight);
    if (st == HIT_OK) {
        st = hit_partition_cpm(hit_sig_count(spec->domain.sig[dim]), spec->ranks, weight,
                               share);
    }
    if (st == HIT_OK) st = hit_slices_options(spec, dim, share, options);
    free(share);
free_weight:
    free(weight);
    return st;
}

static hit_status resolve(const hit_layout_spec *spec, char **options)
{
    static const char *const known[] = {"weights", "shares", "dim", NULL};
    int dim;

    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(hit_layout_dim(spec, &dim));
    HIT_TRY(hit_layout_one_of(spec, "weights", "shares"));
    if (hit_layout_option(spec, "shares", NULL) != NULL) return HIT_OK;
    return find_shares(spec, dim, options);
}

const hit_layout_ops hit_layout_weighted = {
    .name = "weighted",
    .help = "weights=W0,W1,... (one number >= 0 per rank; default all 1) or "
            "shares=N0,N1,... (elements of each rank), "
            "dim=K (the dimension that is cut; default 0)",
    .create = hit_slices_create,
    .destroy = free,
    .part = hit_slices_part,
    .owner = hit_slices_owner,
    .splits = hit_slices_splits,
    .resolve = resolve,
};
