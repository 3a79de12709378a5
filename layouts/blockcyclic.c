/* SPDX-License-Identifier: MIT
 * Block-cyclic: blocks of a fixed size are dealt to a grid of ranks along every
 * dimension, as in ScaLAPACK, whose RSRC and CSRC are first= and whose grids by rows and
 * by columns are order=. A part is the list of its blocks in row-major order. Where the
 * grid has one rank along a dimension that dimension is one block; where blocks are
 * single elements, all of a rank are one strided domain. Cyclic is that along one
 * dimension.
 */
#include "hit/base/memory.h"
#include "layouts/layouts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/** ScaLAPACK's usual block. */
#define DEFAULT_BLOCK 64

typedef struct blocks {
    hit_topology grid;
    hit_index size[HIT_MAX_DIMS];  /**< elements of a block */
    hit_index count[HIT_MAX_DIMS]; /**< blocks along the dimension */
    int first[HIT_MAX_DIMS];       /**< coordinates of who has the first block */
    bool by_columns; /**< ranks are numbered along the first dimension first */
} blocks;

/** Option block=B (the same along every dimension) or B0xB1. */
static hit_status read_sizes(const hit_layout_spec *spec, hit_index size[])
{
    int count;

    HIT_TRY(hit_layout_option_list(spec, "block", 'x', &count, size));
    if (count > 1 && count != spec->domain.dims) {
        return HIT_LAYOUT_FAIL(spec, "expected block= 1 or %d sizes but found \"%s\"",
                               spec->domain.dims, hit_layout_option(spec, "block", ""));
    }
    for (int d = 0; d < spec->domain.dims; d++) {
        if (count == 0) size[d] = DEFAULT_BLOCK;
        if (count == 1) size[d] = size[0];
        if (size[d] < 1) {
            return HIT_LAYOUT_FAIL(spec, "expected block= sizes >= 1 but found \"%s\"",
                                   hit_layout_option(spec, "block", ""));
        }
    }
    return HIT_OK;
}

/** Option first=A0xA1; the grid is known. */
static hit_status read_first(const hit_layout_spec *spec, blocks *b)
{
    const int dims = spec->domain.dims;
    hit_index first[HIT_MAX_DIMS] = {0};
    int count;

    HIT_TRY(hit_layout_option_list(spec, "first", 'x', &count, first));
    for (int d = 0; d < dims; d++) {
        if ((count == 0 || count == dims) && first[d] >= 0 &&
            first[d] < b->grid.size[d]) {
            b->first[d] = (int)first[d];
            continue;
        }
        return HIT_LAYOUT_FAIL(spec,
                               "expected first= %d coordinates in a grid with %d ranks "
                               "along dimension %d, from 0, but found \"%s\"",
                               dims, b->grid.size[d], d,
                               hit_layout_option(spec, "first", ""));
    }
    return HIT_OK;
}

/** Option order=row or column. */
static hit_status read_order(const hit_layout_spec *spec, blocks *b)
{
    const char *order = hit_layout_option(spec, "order", "row");

    b->by_columns = strcmp(order, "column") == 0;
    if (b->by_columns || strcmp(order, "row") == 0) return HIT_OK;
    return HIT_LAYOUT_FAIL(spec, "expected order= row or column but found \"%s\"", order);
}

/** The place of a rank in the grid, counted from who has the first block. */
static void coords_of(const blocks *b, int rank, int coord[])
{
    hit_topology_coords(&b->grid, rank, coord);
    for (int d = 0; d < b->grid.dims; d++) {
        if (b->by_columns) {
            coord[d] = rank % b->grid.size[d];
            rank /= b->grid.size[d];
        }
        coord[d] = (coord[d] + b->grid.size[d] - b->first[d]) % b->grid.size[d];
    }
}

/** The rank at such a place. */
static int rank_at(const blocks *b, const int coord[])
{
    int at[HIT_MAX_DIMS];
    int rank = 0;

    for (int d = b->grid.dims - 1; d >= 0; d--) {
        at[d] = (coord[d] + b->first[d]) % b->grid.size[d];
        rank = rank * b->grid.size[d] + at[d];
    }
    return b->by_columns ? rank : hit_topology_rank(&b->grid, at);
}

/** The domains along @p dim of coordinate @p coord. */
static hit_index domains_of(const blocks *b, int dim, hit_index coord)
{
    if (coord >= b->count[dim]) return 0;
    if (b->size[dim] == 1) return 1;
    return 1 + (b->count[dim] - 1 - coord) / b->grid.size[dim];
}

static hit_status check_count(const hit_layout_spec *spec, const blocks *b)
{
    hit_index most = 1; /* domains of rank 0: no rank has more */

    for (int d = 0; d < spec->domain.dims; d++) {
        hit_index along = domains_of(b, d, 0);

        if (along > 0 && most > INT_MAX / along) {
            return HIT_LAYOUT_FAIL(
                spec,
                "expected at most %d blocks per rank but found more; use larger blocks",
                INT_MAX);
        }
        most *= along;
    }
    return HIT_OK;
}

/** Count blocks of b->size elements. */
static void count_blocks(const hit_layout_spec *spec, blocks *b)
{
    for (int d = 0; d < spec->domain.dims; d++) {
        b->count[d] = hit_index_ceil_div(hit_sig_count(spec->domain.sig[d]), b->size[d]);
    }
}

/** The grid is known: a dimension that it does not cut is one block. */
static hit_status deal(const hit_layout_spec *spec, blocks *b)
{
    for (int d = 0; d < spec->domain.dims; d++) {
        if (b->grid.size[d] > 1 || b->count[d] == 0) continue;
        b->size[d] = hit_sig_count(spec->domain.sig[d]);
        b->count[d] = 1;
    }
    return check_count(spec, b);
}

static hit_status create(const hit_layout_spec *spec, void **state)
{
    hit_domain to_deal;
    blocks *b;

    if (spec->domain.dims == 0) {
        return HIT_LAYOUT_FAIL(spec, "expected at least 1 dimension but found a scalar");
    }
    HIT_TRY(hit_memory_zeroed(1, sizeof *b, &b));
    *state = b;
    HIT_TRY(read_sizes(spec, b->size));
    count_blocks(spec, b);
    to_deal = hit_domain_of_sizes(spec->domain.dims, b->count);
    HIT_TRY(hit_layout_grid(spec, &to_deal, NULL, &b->grid));
    HIT_TRY(read_first(spec, b));
    HIT_TRY(read_order(spec, b));
    return deal(spec, b);
}

/** Cyclic: single elements along one dimension. */
static hit_status create_cyclic(const hit_layout_spec *spec, void **state)
{
    blocks *b;
    int dim;

    HIT_TRY(hit_layout_dim(spec, &dim));
    HIT_TRY(hit_memory_zeroed(1, sizeof *b, &b));
    *state = b;
    b->grid.dims = spec->domain.dims;
    for (int d = 0; d < spec->domain.dims; d++) {
        b->grid.size[d] = d == dim ? spec->ranks : 1;
        b->size[d] = 1;
    }
    count_blocks(spec, b);
    return deal(spec, b);
}

/** The block whose place among the blocks of its rank is @p place. */
static hit_domain block_at(const hit_layout_spec *spec, const blocks *b,
                           const hit_index place[], const int coord[])
{
    hit_domain block = spec->domain;

    for (int d = 0; d < block.dims; d++) {
        const hit_sig all = spec->domain.sig[d];
        hit_index number = place[d] * b->grid.size[d] + coord[d];
        hit_index first = number * b->size[d];
        hit_index rest = hit_sig_count(all) - first; /* the last block may be short */
        hit_index size = rest < b->size[d] ? rest : b->size[d];

        if (b->size[d] == 1 && b->count[d] - coord[d] > b->grid.size[d]) {
            block.sig[d] = hit_sig_make(hit_sig_at(all, coord[d]), all.end,
                                        all.stride * b->grid.size[d]);
        } else { /* also of one element, whose stride could overflow */
            block.sig[d] = hit_sig_slice(all, first, first + size - 1);
        }
    }
    return block;
}

static hit_status part(const hit_layout_spec *spec, const void *state, int rank,
                       hit_region *part)
{
    const blocks *b = state;
    int coord[HIT_MAX_DIMS];
    hit_index along[HIT_MAX_DIMS];
    hit_domain places;

    coords_of(b, rank, coord);
    for (int d = 0; d < spec->domain.dims; d++) {
        along[d] = domains_of(b, d, coord[d]);
    }
    places = hit_domain_of_sizes(spec->domain.dims, along);
    HIT_FOR_EACH (place, places) {
        const hit_domain block = block_at(spec, b, place, coord);

        HIT_TRY(hit_region_append(part, &block));
    }
    return HIT_OK;
}

/** The block with an element: who has it, and its place among theirs. */
static void find(const hit_layout_spec *spec, const blocks *b, const hit_index index[],
                 int coord[], hit_index place[])
{
    for (int d = 0; d < spec->domain.dims; d++) {
        hit_index block = hit_sig_position(spec->domain.sig[d], index[d]) / b->size[d];

        coord[d] = (int)(block % b->grid.size[d]);
        place[d] = block / b->grid.size[d];
    }
}

static int owner(const hit_layout_spec *spec, const void *state, const hit_index index[])
{
    int coord[HIT_MAX_DIMS];
    hit_index place[HIT_MAX_DIMS];

    find(spec, state, index, coord, place);
    return rank_at(state, coord);
}

static void box(const hit_layout_spec *spec, const void *state, const hit_index index[],
                hit_domain *box)
{
    int coord[HIT_MAX_DIMS];
    hit_index place[HIT_MAX_DIMS];

    find(spec, state, index, coord, place);
    *box = block_at(spec, state, place, coord);
}

static bool splits(const hit_layout_spec *spec, const void *state, int dim)
{
    const blocks *b = state;

    (void)spec;
    return b->grid.size[dim] > 1 && b->count[dim] > 1;
}

const hit_layout_ops hit_layout_blockcyclic = {
    .name = "blockcyclic",
    .options = (const char *const[]){"block", "grid", "first", "order", NULL},
    .help = "block=B or B0xB1 (elements of a block; default 64), "
            "grid=AxB (ranks along each dimension; else what fits the blocks best), "
            "first=AxB (coordinates in it of who has the first block; default 0x0), "
            "order=row or column (how ranks are numbered in it; default row)",
    .create = create,
    .destroy = free,
    .part = part,
    .owner = owner,
    .box = box,
    .splits = splits,
};

const hit_layout_ops hit_layout_cyclic = {
    .name = "cyclic",
    .options = (const char *const[]){"dim", NULL},
    .help = "dim=K (the dimension that is dealt out; default 0)",
    .create = create_cyclic,
    .destroy = free,
    .part = part,
    .owner = owner,
    .box = box,
    .splits = splits,
};
