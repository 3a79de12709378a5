/* SPDX-License-Identifier: MIT
 * Blocks that are dealt to ranks one by one. */
#include "layouts/layouts.h"

#include <limits.h>

/** As in blockcyclic.c. */
#define DEFAULT_BLOCK 64

static hit_status read_sizes(const hit_layout_spec *spec, hit_dealt *d)
{
    hit_index given[HIT_MAX_DIMS] = {DEFAULT_BLOCK};
    int count;

    HIT_TRY(hit_layout_option_list(spec, "block", 'x', &count, given));
    if (count < 2) given[1] = given[0];
    for (int k = 0; k < 2; k++) {
        d->size[k] = given[k];
        if (d->size[k] >= 1 && count <= 2) continue;
        return HIT_FAIL(HIT_E_ARG,
                        "layout %s: expected block= 1 or 2 sizes >= 1 but found \"%s\"",
                        spec->ops->name, hit_layout_option(spec, "block", ""));
    }
    return HIT_OK;
}

hit_status hit_dealt_read(const hit_layout_spec *spec, hit_dealt *dealt)
{
    hit_dealt *d = dealt;

    *d = (hit_dealt){.dims = {0, -1}, .count = {1, 1}};
    HIT_TRY(read_sizes(spec, d));
    if (spec->domain.dims != 1 || hit_layout_option(spec, "dims", NULL) != NULL) {
        HIT_TRY(hit_layout_dims(spec, d->dims));
    }
    for (int k = 0; k < 2 && d->dims[k] >= 0; k++) {
        d->count[k] =
            hit_index_ceil_div(hit_sig_count(spec->domain.sig[d->dims[k]]), d->size[k]);
    }
    if (d->count[1] == 0 || d->count[0] <= INT_MAX / d->count[1]) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "layout %s: expected at most %d blocks but found %lld x %lld; use "
                    "larger blocks",
                    spec->ops->name, INT_MAX, (long long)d->count[0],
                    (long long)d->count[1]);
}

hit_index hit_dealt_place(const hit_layout_spec *spec, const hit_dealt *dealt, int k,
                          const hit_index index[])
{
    const int dim = dealt->dims[k];

    if (dim < 0) return 0;
    return hit_sig_position(spec->domain.sig[dim], index[dim]) / dealt->size[k];
}

hit_domain hit_dealt_block(const hit_layout_spec *spec, const hit_dealt *dealt,
                           hit_index row, hit_index column)
{
    const hit_index at[2] = {row, column};
    hit_domain block = spec->domain;

    for (int k = 0; k < 2 && dealt->dims[k] >= 0; k++) {
        hit_sig *sig = &block.sig[dealt->dims[k]];
        const hit_index first = at[k] * dealt->size[k];
        const hit_index rest = hit_sig_count(*sig) - first;

        *sig = hit_sig_slice(*sig, first,
                             first + (rest < dealt->size[k] ? rest : dealt->size[k]) - 1);
    }
    return block;
}

bool hit_dealt_splits(const hit_dealt *dealt, int dim)
{
    return (dim == dealt->dims[0] && dealt->count[0] > 1) ||
           (dim == dealt->dims[1] && dealt->count[1] > 1);
}
