/* SPDX-License-Identifier: MIT
 * Cyclic: along one dimension the elements are dealt to the ranks one by one, so that
 * every rank owns one strided domain. */
#include "hit/base/memory.h"
#include "layouts/layouts.h"

#include <stdlib.h>

static hit_status create(const hit_layout_spec *spec, void **state)
{
    static const char *const known[] = {"dim", NULL};

    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(hit_memory_zeroed(1, sizeof(int), state));
    return hit_layout_dim(spec, *state);
}

static hit_status part(const hit_layout_spec *spec, const void *state, int rank,
                       hit_region *part)
{
    int dim = *(const int *)state;
    hit_domain mine = spec->domain;
    hit_sig sig = mine.sig[dim];
    hit_index count = hit_sig_count(sig);

    if (rank >= count) return HIT_OK;
    if (count - rank <= spec->ranks) { /* one element: its stride could overflow */
        mine.sig[dim] = hit_sig_slice(sig, rank, rank);
    } else {
        mine.sig[dim] =
            hit_sig_make(hit_sig_at(sig, rank), sig.end, sig.stride * spec->ranks);
    }
    return hit_region_append(part, &mine);
}

static int owner(const hit_layout_spec *spec, const void *state, const hit_index index[])
{
    int dim = *(const int *)state;

    return (int)(hit_sig_position(spec->domain.sig[dim], index[dim]) % spec->ranks);
}

static bool splits(const hit_layout_spec *spec, const void *state, int dim)
{
    return dim == *(const int *)state && spec->ranks > 1 &&
           hit_sig_count(spec->domain.sig[dim]) > 1;
}

const hit_layout_ops hit_layout_cyclic = {
    .name = "cyclic",
    .help = "dim=K (the dimension that is dealt out; default 0)",
    .create = create,
    .destroy = free,
    .part = part,
    .owner = owner,
    .splits = splits,
};
