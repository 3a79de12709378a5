/* SPDX-License-Identifier: MIT
 * Two levels: a rectangle for each node, in columns, and in it a slice for each of the
 * node's ranks, whole columns of the rectangle. By measuring, INPA around IDPA, or from
 * models of all ranks. Clarke, Ilic, Lastovetsky and Sousa, "Hierarchical partitioning
 * algorithm for scientific computing on highly heterogeneous CPU + GPU clusters"
 * (Euro-Par 2012); differs: as partition/hierarchical.h says. */
#include "layouts/partition/hierarchical.h"

#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/topo/layout_text.h"
#include "layouts/layouts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct state {
    int dims[2]; /**< of rows, and of columns */
    int nodes;
    int *first; /**< rank of each node, and the number of ranks */
    hit_columns *columns;
    hit_index *begin; /**< of each rank's slice: the first column of it in the plane */
    hit_index *width;
    int *node; /**< of each rank */
} state;

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

hit_status hit_nodes_read(const hit_layout_spec *spec, int *nodes, int devices[])
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
    return HIT_FAIL(
        HIT_E_ARG,
        "layout %s: expected nodes= the number of ranks of each node, with ',' "
        "between them and %d in all, but found \"%.40s\"",
        spec->ops->name, spec->ranks, hit_layout_option(spec, "nodes", ""));
}

/* ---- options into slices ---- */

static void destroy(void *made)
{
    state *s = made;

    free(s->first);
    free(s->columns);
    free(s->begin);
    free(s->width);
    free(s->node);
    free(s);
}

/** Where the slices of the nodes begin; those of a node must be its rectangle. */
static hit_status add_up(const hit_layout_spec *spec, state *s)
{
    for (int i = 0; i < s->nodes; i++) {
        const hit_rect *rect = hit_columns_rect(s->columns, i);
        hit_index at = rect->column;

        for (int rank = s->first[i]; rank < s->first[i + 1]; rank++) {
            s->node[rank] = i;
            s->begin[rank] = at;
            if (s->width[rank] > rect->column + rect->width - at) at = -1;
            if (at < 0) break;
            at += s->width[rank];
        }
        if (at == rect->column + rect->width) continue;
        return HIT_FAIL(HIT_E_ARG,
                        "layout %s: expected widths= that sum up to %lld in node %d",
                        spec->ops->name, (long long)rect->width, i);
    }
    return HIT_OK;
}

static hit_status read_options(const hit_layout_spec *spec, state *s)
{
    const size_t ranks = (size_t)spec->ranks;

    HIT_TRY(hit_layout_dims(spec, s->dims));
    HIT_TRY(hit_memory_zeroed(ranks + 1, sizeof *s->first, &s->first));
    HIT_TRY(hit_memory_zeroed(ranks, sizeof *s->begin, &s->begin));
    HIT_TRY(hit_memory_zeroed(ranks, sizeof *s->width, &s->width));
    HIT_TRY(hit_memory_zeroed(ranks, sizeof *s->node, &s->node));
    HIT_TRY(hit_nodes_read(spec, &s->nodes, s->first + 1));
    for (int i = 0; i < s->nodes; i++) {
        s->first[i + 1] += s->first[i];
    }
    HIT_TRY(hit_columns_read(spec, s->nodes, s->dims, &s->columns));
    HIT_TRY(hit_layout_wholes(spec, "widths", spec->ranks, s->width));
    return add_up(spec, s);
}

static hit_status create(const hit_layout_spec *spec, void **made)
{
    static const char *const known[] = {"nodes", "rects", "widths", "dims", NULL};
    state *s;

    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(hit_memory_zeroed(1, sizeof *s, &s));
    *made = s;
    return read_options(spec, s);
}

/* ---- who owns what ---- */

static hit_status part(const hit_layout_spec *spec, const void *made, int rank,
                       hit_region *part)
{
    const state *s = made;
    hit_rect slice = *hit_columns_rect(s->columns, s->node[rank]);

    slice.column = s->begin[rank];
    slice.width = s->width[rank];
    return hit_columns_append(spec, s->dims, &slice, part);
}

/** The last rank of the node whose slice begins at or before the column and is not empty:
 * empty ones begin where the next one does, or the rectangle ends. */
static int owner(const hit_layout_spec *spec, const void *made, const hit_index index[])
{
    const state *s = made;
    const int *dims = s->dims;
    const hit_index row = hit_sig_position(spec->domain.sig[dims[0]], index[dims[0]]);
    const hit_index column = hit_sig_position(spec->domain.sig[dims[1]], index[dims[1]]);
    const int node = hit_columns_find(s->columns, row, column);
    int low = s->first[node];
    int high = s->first[node + 1] - 1;

    while (low < high) {
        const int middle = low + (high - low + 1) / 2;

        if (s->begin[middle] <= column) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static bool splits(const hit_layout_spec *spec, const void *made, int dim)
{
    const state *s = made;
    const hit_index columns = hit_sig_count(spec->domain.sig[s->dims[1]]);

    if (dim == s->dims[0]) return hit_columns_cut(s->columns, 0);
    for (int rank = 0; dim == s->dims[1] && rank < spec->ranks; rank++) {
        if (s->width[rank] > 0 && s->width[rank] < columns) return true;
    }
    return false;
}

/* ---- models into options ---- */

hit_status hit_nodes_options(const hit_layout_spec *spec, const int dims[2],
                             const hit_hierarchy *hierarchy, const hit_slices *slices,
                             char **options)
{
    const size_t size = 64 + 33 * (size_t)spec->ranks;
    size_t used;
    char *more;
    hit_status st;

    HIT_TRY(hit_memory_zeroed(size, 1, &more));
    used = (size_t)snprintf(more, size, "nodes=");
    for (int i = 0; i < hierarchy->nodes; i++) {
        used += (size_t)snprintf(more + used, size - used, i == 0 ? "%d" : ",%d",
                                 hierarchy->devices[i]);
    }
    hit_text_add(more, size, ",widths=");
    hit_text_add_numbers(more, size, ",", spec->ranks, slices->width);
    hit_text_add(more, size, ",");
    st = hit_columns_options(dims, hierarchy->nodes, slices->rect, more, options);
    free(more);
    return st;
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

static hit_status solve(const hit_layout_spec *spec, const int dims[2],
                        hit_hierarchy *hierarchy, char **options)
{
    const size_t ranks = (size_t)spec->ranks;
    hit_layout_pace pace = {NULL, NULL};
    hit_slices slices = {NULL, NULL};
    double makespan_s;
    hit_status st = read_models(spec, dims, &pace);

    if (st == HIT_OK) st = hit_memory_zeroed(ranks, sizeof *slices.rect, &slices.rect);
    if (st == HIT_OK) st = hit_memory_zeroed(ranks, sizeof *slices.width, &slices.width);
    if (st == HIT_OK) {
        st = hit_hierarchical_static(hierarchy, (const hit_fpm *const *)pace.models,
                                     &slices, &makespan_s);
    }
    if (st == HIT_OK) st = hit_nodes_options(spec, dims, hierarchy, &slices, options);
    free(slices.rect);
    free(slices.width);
    hit_layout_pace_clear(spec, &pace);
    return st;
}

static hit_status resolve(const hit_layout_spec *spec, char **options)
{
    static const char *const known[] = {"speeds", "models", "nodes", "rects",
                                        "widths", "dims",   NULL};
    hit_hierarchy hierarchy = {.rows = 0};
    int *devices;
    int dims[2];
    bool given;
    hit_status st;

    HIT_TRY(hit_layout_given(spec, known, "rects", &given));
    HIT_TRY(hit_layout_dims(spec, dims));
    if (given) return HIT_OK;
    HIT_TRY(hit_memory_zeroed((size_t)spec->ranks, sizeof *devices, &devices));
    hierarchy.rows = hit_sig_count(spec->domain.sig[dims[0]]);
    hierarchy.columns = hit_sig_count(spec->domain.sig[dims[1]]);
    hierarchy.devices = devices;
    st = hit_nodes_read(spec, &hierarchy.nodes, devices);
    if (st == HIT_OK) st = solve(spec, dims, &hierarchy, options);
    free(devices);
    return st;
}

const hit_layout_ops hit_layout_hierarchical = {
    .name = "hierarchical",
    .help =
        "nodes=N0,N1,... (ranks of each node; default one node, or hosts if measured), "
        "models=FILE,FILE,... (one per rank, or one for all) or "
        "speeds=S0,S1,... (one number >= 0 per rank; default all 1) or "
        "rects=ROW.COLUMN.HEIGHT.WIDTH;... (of each node) and widths=W0,W1,... (of "
        "each rank) or kernel=NAME (measured, see docs/measure.md), "
        "dims=K,L (the dimensions of rows and columns; default 0,1)",
    .create = create,
    .destroy = destroy,
    .part = part,
    .owner = owner,
    .splits = splits,
    .resolve = resolve,
    .search = &hit_search_hierarchical,
};
