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
        return HIT_LAYOUT_FAIL(spec, "expected block= 1 or 2 sizes >= 1 but found \"%s\"",
                               hit_layout_option(spec, "block", ""));
    }
    return HIT_OK;
}

hit_status hit_dealt_read(const hit_layout_spec *spec, hit_dealt *dealt)
{
    hit_dealt *d = dealt;

    d->dims[0] = 0;
    d->dims[1] = -1;
    d->count[0] = d->count[1] = 1;
    HIT_TRY(read_sizes(spec, d));
    if (spec->domain.dims != 1 || hit_layout_option(spec, "dims", NULL) != NULL) {
        HIT_TRY(hit_layout_dims(spec, d->dims));
    }
    for (int k = 0; k < 2 && d->dims[k] >= 0; k++) {
        d->count[k] =
            hit_index_ceil_div(hit_sig_count(spec->domain.sig[d->dims[k]]), d->size[k]);
    }
    if (d->count[1] == 0 || d->count[0] <= INT_MAX / d->count[1]) return HIT_OK;
    return HIT_LAYOUT_FAIL(
        spec, "expected at most %d blocks but found %lld x %lld; use larger blocks",
        INT_MAX, (long long)d->count[0], (long long)d->count[1]);
}

/** The row and the column of blocks that an element is in. */
static void find_place(const hit_layout_spec *spec, const hit_dealt *d,
                       const hit_index index[], hit_index at[2])
{
    for (int k = 0; k < 2; k++) {
        const int dim = d->dims[k];

        at[k] = dim < 0
                    ? 0
                    : hit_sig_position(spec->domain.sig[dim], index[dim]) / d->size[k];
    }
}

static hit_domain block_at(const hit_layout_spec *spec, const hit_dealt *d,
                           const hit_index at[2])
{
    hit_domain block = spec->domain;

    for (int k = 0; k < 2 && d->dims[k] >= 0; k++) {
        hit_sig *sig = &block.sig[d->dims[k]];
        const hit_index first = at[k] * d->size[k];
        const hit_index rest = hit_sig_count(*sig) - first;

        *sig = hit_sig_slice(*sig, first,
                             first + (rest < d->size[k] ? rest : d->size[k]) - 1);
    }
    return block;
}

hit_status hit_dealt_append(const hit_layout_spec *spec, const hit_dealt *dealt,
                            hit_index row, hit_index column, hit_region *part)
{
    const hit_domain block = block_at(spec, dealt, (const hit_index[]){row, column});

    return hit_region_append(part, &block);
}

hit_status hit_dealt_part(const hit_layout_spec *spec, const void *state, int rank,
                          hit_region *part)
{
    const hit_dealt *d = state;

    for (hit_index row = 0; row < d->count[0]; row++) {
        for (hit_index column = 0; column < d->count[1]; column++) {
            if (d->rank(d, row, column) != rank) continue;
            HIT_TRY(hit_dealt_append(spec, d, row, column, part));
        }
    }
    return HIT_OK;
}

int hit_dealt_owner(const hit_layout_spec *spec, const void *state,
                    const hit_index index[])
{
    const hit_dealt *d = state;
    hit_index at[2];

    find_place(spec, d, index, at);
    return d->rank(d, at[0], at[1]);
}

void hit_dealt_box(const hit_layout_spec *spec, const void *state,
                   const hit_index index[], hit_domain *box)
{
    hit_index at[2];

    find_place(spec, state, index, at);
    *box = block_at(spec, state, at);
}

bool hit_dealt_splits(const hit_layout_spec *spec, const void *state, int dim)
{
    const hit_dealt *d = state;

    return spec->ranks > 1 && ((dim == d->dims[0] && d->count[0] > 1) ||
                               (dim == d->dims[1] && d->count[1] > 1));
}
