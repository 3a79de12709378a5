/* SPDX-License-Identifier: MIT
 * Functional performance models: one dimension is cut so that the slowest rank is done as
 * early as its model allows (partition/partition.h). A unit of a model is an element of
 * the domain. */
#include "hit/base/memory.h"
#include "layouts/layouts.h"
#include "layouts/partition/partition.h"

#include <stdlib.h>

static hit_status find_shares(const hit_layout_spec *spec, int dim, hit_index share[])
{
    hit_layout_pace pace;
    hit_status st = hit_layout_pace_read(spec, hit_layout_elements(spec, dim, -1), &pace);

    if (st == HIT_OK) {
        st = hit_partition_fpm(hit_sig_count(spec->domain.sig[dim]), spec->ranks,
                               (const hit_fpm *const *)pace.models, share, NULL);
    }
    hit_layout_pace_clear(spec, &pace);
    return st;
}

static hit_status resolve(const hit_layout_spec *spec, char **options)
{
    static const char *const known[] = {"models", "shares", "dim", NULL};
    hit_index *share;
    int dim;
    hit_status st;

    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(hit_layout_dim(spec, &dim));
    HIT_TRY(hit_layout_one_of(spec, "models", "shares"));
    if (hit_layout_option(spec, "shares", NULL) != NULL) return HIT_OK;
    if (hit_layout_option(spec, "models", NULL) == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "layout %s: expected models= or shares=", spec->ops->name);
    }
    HIT_TRY(hit_memory_zeroed((size_t)spec->ranks, sizeof *share, &share));
    st = find_shares(spec, dim, share);
    if (st == HIT_OK) st = hit_slices_options(spec, dim, share, options);
    free(share);
    return st;
}

const hit_layout_ops hit_layout_fpm = {
    .name = "fpm",
    .help = "models=FILE,FILE,... (one per rank, or one for all) or "
            "shares=N0,N1,... (elements of each rank) or "
            "kernel=NAME (measured, see docs/measure.md), "
            "dim=K (the dimension that is cut; default 0)",
    .create = hit_slices_create,
    .destroy = free,
    .part = hit_slices_part,
    .owner = hit_slices_owner,
    .splits = hit_slices_splits,
    .resolve = resolve,
    .search = &hit_search_slices,
};
