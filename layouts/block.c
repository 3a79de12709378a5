/* SPDX-License-Identifier: MIT
 * Blocks: every rank owns one box of neighbouring elements, of nearly equal size: along a
 * dimension the first (n mod parts) ranks own one element more. Hitmap's Blocks and
 * MinBlocks multiply ints and own elements twice or not at all at some sizes; here
 * positions are 64 bits and parts may be empty. */
#include "hit/base/memory.h"
#include "layouts/layouts.h"

#include <stdlib.h>

/** Set the flags that option dims=K,L names; *given: is there one? */
static hit_status read_cut(const hit_layout_spec *spec, bool cut[], bool *given)
{
    hit_index dim[HIT_MAX_DIMS];
    int count;

    HIT_TRY(hit_layout_option_list(spec, "dims", ',', &count, dim));
    for (int i = 0; i < count; i++) {
        if (dim[i] >= spec->domain.dims) {
            return HIT_LAYOUT_FAIL(spec,
                                   "expected dims= dimensions below %d but found %lld",
                                   spec->domain.dims, (long long)dim[i]);
        }
        if (cut[dim[i]]) {
            return HIT_LAYOUT_FAIL(
                spec, "expected each dimension once in dims= but found %lld twice",
                (long long)dim[i]);
        }
        cut[dim[i]] = true;
    }
    *given = count > 0;
    return hit_layout_one_of(spec, "grid", "dims");
}

static hit_status create(const hit_layout_spec *spec, void **state)
{
    bool cut[HIT_MAX_DIMS] = {false};
    bool given = false;

    HIT_TRY(read_cut(spec, cut, &given));
    HIT_TRY(hit_memory_zeroed(1, sizeof(hit_topology), state));
    return hit_layout_grid(spec, &spec->domain, given ? cut : NULL, *state);
}

static hit_status part(const hit_layout_spec *spec, const void *state, int rank,
                       hit_region *part)
{
    const hit_topology *grid = state;
    hit_domain mine = spec->domain;
    int coord[HIT_MAX_DIMS];

    if (rank >= hit_topology_ranks(grid)) return HIT_OK; /* a scalar: rank 0 has it */
    hit_topology_coords(grid, rank, coord);
    for (int d = 0; d < mine.dims; d++) {
        mine.sig[d] = hit_sig_part(mine.sig[d], coord[d], grid->size[d]);
    }
    return hit_region_append(part, &mine);
}

static void find_coords(const hit_layout_spec *spec, const hit_topology *grid,
                        const hit_index index[], int coord[])
{
    for (int d = 0; d < spec->domain.dims; d++) {
        hit_index position = hit_sig_position(spec->domain.sig[d], index[d]);
        hit_index count = hit_sig_count(spec->domain.sig[d]);
        hit_index size = count / grid->size[d];
        hit_index longer = count % grid->size[d];

        /* The first parts have size + 1 elements, which is not computed where none has.
         */
        if (longer > 0 && position < longer * (size + 1)) {
            coord[d] = (int)(position / (size + 1));
        } else {
            coord[d] = (int)((position - longer) / size);
        }
    }
}

static int owner(const hit_layout_spec *spec, const void *state, const hit_index index[])
{
    int coord[HIT_MAX_DIMS];

    find_coords(spec, state, index, coord);
    return hit_topology_rank(state, coord);
}

static void box(const hit_layout_spec *spec, const void *state, const hit_index index[],
                hit_domain *box)
{
    const hit_topology *grid = state;
    int coord[HIT_MAX_DIMS] = {0};

    find_coords(spec, grid, index, coord);
    *box = spec->domain;
    for (int d = 0; d < box->dims; d++) {
        box->sig[d] = hit_sig_part(box->sig[d], coord[d], grid->size[d]);
    }
}

static bool splits(const hit_layout_spec *spec, const void *state, int dim)
{
    const hit_topology *grid = state;

    return grid->size[dim] > 1 && hit_sig_count(spec->domain.sig[dim]) > 1;
}

const hit_layout_ops hit_layout_block = {
    .name = "block",
    .options = (const char *const[]){"grid", "dims", NULL},
    .help = "grid=AxB (ranks along each dimension; else what fits the domain best), "
            "dims=K,L (cut these dimensions only)",
    .create = create,
    .destroy = free,
    .part = part,
    .owner = owner,
    .box = box,
    .splits = splits,
};
