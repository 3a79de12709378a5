/* SPDX-License-Identifier: MIT
 * Two levels: a rectangle for each node, in columns, and in it a slice for each of the
 * node's ranks, whole columns of the rectangle. By measuring, INPA around IDPA, or from
 * models of all ranks. Clarke, Ilic, Lastovetsky and Sousa, "Hierarchical partitioning
 * algorithm for scientific computing on highly heterogeneous CPU + GPU clusters"
 * (Euro-Par 2012); differs: as partition/hierarchical.h says. */

#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "layouts/layouts.h"

/* ---- nodes ---- */

/** Without the option: the hosts, if ranks are numbered host by host, else one node. */
static void guess_nodes(const hit_layout_spec *spec, int *nodes, int devices[])
{
    *nodes = 0;
    for (int rank = 0; rank < spec->ranks; rank++) {
        const int number = spec->local != NULL ? spec->local[rank] : rank;

        if (number == 0) {
            devices[(*nodes)++] = 1;
        } else if (*nodes > 0 && number == devices[*nodes - 1]) {
            devices[*nodes - 1]++;
        } else {
            *nodes = 1;
            devices[0] = spec->ranks;
            return;
        }
    }
}

static hit_status read_nodes(const hit_layout_spec *spec, int *nodes, int devices[])
{
    const char *at = hit_layout_option(spec, "nodes", NULL);
    int sum = 0;

    if (at == NULL) {
        guess_nodes(spec, nodes, devices);
        return HIT_OK;
    }
    *nodes = 0;
    while (*nodes < spec->ranks) {
        hit_index number;

        if (!hit_number_next(&at, 1, spec->ranks - sum, &number)) break;
        devices[(*nodes)++] = (int)number;
        sum += (int)number;
        if (*at == '\0' && sum == spec->ranks) return HIT_OK;
        if (*at++ != ',') break;
    }
    return HIT_LAYOUT_FAIL(spec,
                           "expected nodes= the number of ranks of each node, with ',' "
                           "between them and %d in all, but found \"%.40s\"",
                           spec->ranks, hit_layout_option(spec, "nodes", ""));
}

hit_status hit_nodes_open(const hit_layout_spec *spec, hit_nodes *nodes)
{
    const size_t ranks = (size_t)spec->ranks;
    hit_nodes *n = nodes;
    hit_arrays *arrays = &n->arrays;
    int *devices;

    *n = (hit_nodes){.hierarchy.nodes = 0};
    HIT_TRY(hit_layout_dims(spec, n->dims));
    HIT_TRY(HIT_TAKE(arrays, ranks, devices));
    HIT_TRY(HIT_TAKE(arrays, ranks, n->slices.rect));
    HIT_TRY(HIT_TAKE(arrays, ranks, n->slices.width));
    n->hierarchy.rows = hit_sig_count(spec->domain.sig[n->dims[0]]);
    n->hierarchy.columns = hit_sig_count(spec->domain.sig[n->dims[1]]);
    n->hierarchy.devices = devices;
    return read_nodes(spec, &n->hierarchy.nodes, devices);
}

/* ---- options into slices ---- */

/** The slices of the nodes; those of a node must be its rectangle. */
static hit_status place(const hit_layout_spec *spec, const hit_nodes *n, hit_rects *rects)
{
    const hit_index *width = n->slices.width;
    int rank = 0;

    for (int i = 0; i < n->hierarchy.nodes; i++) {
        const int end = rank + n->hierarchy.devices[i];
        hit_rect slice = n->slices.rect[i];
        hit_index left = slice.width;

        for (; rank < end && width[rank] <= left; rank++) {
            slice.width = width[rank];
            HIT_TRY(hit_rects_add(rects, rank, n->slices.rect[i].column, slice));
            slice.column += slice.width;
            left -= slice.width;
        }
        if (rank == end && left == 0) continue;
        return HIT_LAYOUT_FAIL(spec, "expected widths= that sum up to %lld in node %d",
                               (long long)n->slices.rect[i].width, i);
    }
    return hit_rects_finish(spec, spec->ranks, rects);
}

static hit_status read_options(const hit_layout_spec *spec, hit_nodes *n, void **state)
{
    void *rects = NULL; /* of nodes */
    hit_status st = hit_nodes_open(spec, n);

    if (st == HIT_OK) {
        st = hit_columns_read(spec, n->hierarchy.nodes, n->dims, n->slices.rect, &rects);
    }
    hit_rects_destroy(rects);
    HIT_TRY(st);
    HIT_TRY(hit_layout_wholes(spec, "widths", spec->ranks, n->slices.width));
    HIT_TRY(hit_rects_create(n->dims, state));
    return place(spec, n, *state);
}

static hit_status create(const hit_layout_spec *spec, void **state)
{
    hit_nodes nodes;
    hit_status st;

    st = read_options(spec, &nodes, state);
    hit_arrays_free(&nodes.arrays);
    return st;
}

/* ---- models into options ---- */

void hit_nodes_write(const hit_nodes *nodes, int ranks, hit_growing *options)
{
    const hit_nodes *n = nodes;

    for (int i = 0; i < n->hierarchy.nodes; i++) {
        hit_growing_add(options, i == 0 ? "nodes=%d" : ",%d", n->hierarchy.devices[i]);
    }
    for (int rank = 0; rank < ranks; rank++) {
        hit_growing_add(options, rank == 0 ? ",widths=%lld" : ",%lld",
                        (long long)n->slices.width[rank]);
    }
    hit_growing_add(options, ",");
    hit_columns_write(n->dims, n->hierarchy.nodes, n->slices.rect, options);
}

/** A model of each rank, from option speeds= or models=. */
static hit_status read_models(const hit_layout_spec *spec, const int dims[2],
                              hit_layout_pace *pace)
{
    HIT_TRY(
        hit_layout_pace_read(spec, hit_layout_elements(spec, dims[0], dims[1]), pace));
    if (pace->models != NULL) return HIT_OK;
    HIT_TRY(hit_memory_zeroed((size_t)spec->ranks, sizeof *pace->models, &pace->models));
    for (int rank = 0; rank < spec->ranks; rank++) {
        HIT_TRY(hit_fpm_constant(pace->speed[rank], &pace->models[rank]));
    }
    return HIT_OK;
}

static hit_status find(const hit_layout_spec *spec, hit_growing *options)
{
    hit_layout_pace pace = {NULL, NULL};
    hit_nodes nodes;
    double makespan_s;
    hit_status st = hit_nodes_open(spec, &nodes);

    if (st == HIT_OK) st = read_models(spec, nodes.dims, &pace);
    if (st == HIT_OK) {
        st =
            hit_hierarchical_static(&nodes.hierarchy, (const hit_fpm *const *)pace.models,
                                    &nodes.slices, &makespan_s);
    }
    if (st == HIT_OK) hit_nodes_write(&nodes, spec->ranks, options);
    hit_layout_pace_clear(spec, &pace);
    hit_arrays_free(&nodes.arrays);
    return st;
}

const hit_layout_ops hit_layout_hierarchical = {
    .name = "hierarchical",
    .options = (const char *const[]){"speeds", "models", "nodes", "rects", "widths",
                                     "dims", NULL},
    .help =
        "nodes=N0,N1,... (ranks of each node; default one node, or hosts if measured), "
        "models=FILE,FILE,... (one per rank, or one for all) or "
        "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
        "rects=ROW.COLUMN.HEIGHT.WIDTH;... (of each node) and widths=W0,W1,... (of "
        "each rank) or kernel=NAME (measured, see docs/measure.md), "
        "dims=K,L (the dimensions of rows and columns; default 0,1)",
    .create = create,
    HIT_RECTS_OPS,
    .resolve = hit_layout_find,
    .of = &(const hit_layout_needs){"rects", find},
    .search = &hit_search_hierarchical,
};
