/* SPDX-License-Identifier: MIT
 * Slices: one dimension is cut into one block per rank, of given sizes. How sizes are
 * found is what the layouts weighted, cpm and fpm differ in. */
#include "hit/base/memory.h"
#include "layouts/layouts.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct slices {
    int dim;
    bool cut;          /**< do at least two ranks own something? */
    hit_index first[]; /**< position of the first element of every rank, and the end */
} slices;

/** Make first[] of the shares in first[1], first[2], ... */
static hit_status add_up(const hit_layout_spec *spec, slices *s)
{
    const hit_index count = hit_sig_count(spec->domain.sig[s->dim]);

    for (int rank = 0; rank < spec->ranks; rank++) {
        const hit_index share = s->first[rank + 1];

        if (share > count - s->first[rank]) {
            return HIT_FAIL(HIT_E_ARG,
                            "layout %s: expected shares= that sum up to %lld but found "
                            "more",
                            spec->ops->name, (long long)count);
        }
        s->cut = s->cut || (s->first[rank] > 0 && share > 0);
        s->first[rank + 1] = s->first[rank] + share;
    }
    if (s->first[spec->ranks] == count) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "layout %s: expected shares= that sum up to %lld but found %lld",
                    spec->ops->name, (long long)count, (long long)s->first[spec->ranks]);
}

hit_status hit_slices_create(const hit_layout_spec *spec, void **state)
{
    static const char *const known[] = {"shares", "dim", NULL};
    const size_t numbers = (size_t)spec->ranks + 1;
    int dim;
    slices *s;
    hit_status st;

    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(hit_layout_dim(spec, &dim));
    HIT_TRY(hit_memory_zeroed(1, sizeof *s + numbers * sizeof s->first[0], &s));
    s->dim = dim;
    st = hit_layout_wholes(spec, "shares", spec->ranks, s->first + 1);
    if (st == HIT_OK) st = add_up(spec, s);
    if (st != HIT_OK) {
        free(s);
        return st;
    }
    *state = s;
    return HIT_OK;
}

hit_status hit_slices_part(const hit_layout_spec *spec, const void *state, int rank,
                           hit_region *part)
{
    const slices *s = state;
    hit_domain mine = spec->domain;

    if (s->first[rank] == s->first[rank + 1]) return HIT_OK;
    mine.sig[s->dim] =
        hit_sig_slice(mine.sig[s->dim], s->first[rank], s->first[rank + 1] - 1);
    return hit_region_append(part, &mine);
}

/** The last rank whose first element is not after the position: empty parts come out as
 * no owner. */
int hit_slices_owner(const hit_layout_spec *spec, const void *state,
                     const hit_index index[])
{
    const slices *s = state;
    hit_index position = hit_sig_position(spec->domain.sig[s->dim], index[s->dim]);
    int low = 0;
    int high = spec->ranks - 1;

    while (low < high) {
        int middle = low + (high - low + 1) / 2;

        if (s->first[middle] <= position) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

bool hit_slices_splits(const hit_layout_spec *spec, const void *state, int dim)
{
    const slices *s = state;

    (void)spec;
    return dim == s->dim && s->cut;
}

hit_status hit_slices_options(const hit_layout_spec *spec, int dim,
                              const hit_index share[], char **options)
{
    const size_t size = 32 + 21 * (size_t)spec->ranks; /* -2^63 has 20 characters */
    size_t used;

    HIT_TRY(hit_memory_zeroed(size, 1, options));
    used = (size_t)snprintf(*options, size, "dim=%d,shares=", dim);
    for (int rank = 0; rank < spec->ranks; rank++) {
        used += (size_t)snprintf(*options + used, size - used,
                                 rank == 0 ? "%lld" : ",%lld", (long long)share[rank]);
    }
    return HIT_OK;
}
