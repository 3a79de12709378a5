/* SPDX-License-Identifier: MIT
 * Layouts by costs: sums of the costs go to all processes, process 0 cuts them by its
 * speeds or models (layouts/partition/costs/costs.h), and what it found is the text of a
 * layout. */
#include "layouts/costs.h"

#include "hit/base/context.h"
#include "hit/base/kind.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/model/fpm_time.h"
#include "hit/topo/layout_impl.h"
#include "layouts/layouts.h"
#include "layouts/partition/costs/costs.h"

#include <stdlib.h>
#include <string.h>

/** What the text asks for. */
typedef struct plan {
    hit_context *context;
    hit_tile *costs;
    hit_layout wanted; /**< its plug-in and options */
    const char *made;  /**< the plug-in of what is made */
    hit_growing text;  /**< the layout that process 0 has found */
    int dims[2];       /**< that are cut, of rows and of columns; -1: one only */
    int grid_columns;  /**< block:grid=; 0: not given */
    hit_arrays arrays; /**< for what is found */
} plan;

/* ---- the text ---- */

/** The dimensions that a grid cuts. */
static hit_status read_grid(plan *p)
{
    const hit_layout_spec *spec = &p->wanted.spec;
    hit_topology grid;
    int cut = 0;

    HIT_TRY(hit_layout_grid(spec, &spec->domain, NULL, &grid));
    p->dims[0] = 0;
    for (int d = 0; d < grid.dims; d++) {
        if (grid.size[d] == 1) continue;
        if (cut < 2) p->dims[cut] = d;
        cut++;
    }
    if (cut == 2) p->grid_columns = grid.size[p->dims[1]];
    if (cut <= 2) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "layout block by costs: expected grid= that cuts at most 2 "
                    "dimensions but found \"%s\"",
                    hit_layout_option(spec, "grid", ""));
}

/** The dimensions that block may cut by costs: those of dims=, else the first two. */
static hit_status read_block(plan *p)
{
    const hit_layout_spec *spec = &p->wanted.spec;
    hit_index given[HIT_MAX_DIMS] = {0};
    int count;

    HIT_TRY(hit_layout_only(spec, (const char *const[]){"grid", "dims", NULL}));
    HIT_TRY(hit_layout_one_of(spec, "grid", "dims"));
    HIT_TRY(hit_layout_option_list(spec, "dims", ',', &count, given));
    if (count > 0 && given[0] >= spec->domain.dims) {
        return HIT_FAIL(HIT_E_ARG,
                        "layout block: expected dims= below %d but found \"%s\"",
                        spec->domain.dims, hit_layout_option(spec, "dims", ""));
    }
    if (hit_layout_option(spec, "grid", NULL) != NULL) {
        HIT_TRY(read_grid(p));
    } else if (count == 1 || spec->domain.dims == 1) {
        p->dims[0] = (int)given[0];
    } else {
        HIT_TRY(hit_layout_dims(spec, p->dims));
    }
    p->made = p->dims[1] >= 0 ? "cpm2d" : "weighted";
    return HIT_OK;
}

static hit_status read_slices(plan *p)
{
    const hit_layout_spec *spec = &p->wanted.spec;
    const bool weights = strcmp(spec->ops->name, "weighted") == 0;
    const bool fpm = strcmp(spec->ops->name, "fpm") == 0;

    HIT_TRY(hit_layout_only(
        spec, (const char *const[]){"dim", weights ? "weights" : "models",
                                    fpm || weights ? NULL : "speeds", NULL}));
    if (fpm && hit_layout_option(spec, "models", NULL) == NULL) {
        return HIT_FAIL(HIT_E_ARG, "layout fpm by costs: expected models=");
    }
    return hit_layout_dim(spec, &p->dims[0]);
}

static hit_status read_columns(plan *p)
{
    const hit_layout_spec *spec = &p->wanted.spec;
    const bool fpm = strcmp(spec->ops->name, "fpm2d") == 0;

    HIT_TRY(hit_layout_only(
        spec, (const char *const[]){"dims", "speeds", fpm ? "models" : NULL, NULL}));
    return hit_layout_dims(spec, p->dims);
}

static hit_status read_text(plan *p, const char *text)
{
    static const struct {
        const char *name;
        hit_status (*read)(plan *p);
    } known[] = {{"block", read_block},   {"weighted", read_slices},
                 {"cpm", read_slices},    {"fpm", read_slices},
                 {"cpm2d", read_columns}, {"fpm2d", read_columns}};
    const char *options;

    HIT_TRY(hit_layout_read(p->context, text, &p->wanted.ops, &options));
    p->wanted.spec.ops = p->wanted.ops;
    p->made = p->wanted.ops->name;
    HIT_TRY(hit_layout_options_read(options, &p->wanted));
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (strcmp(known[k].name, p->made) == 0) return known[k].read(p);
    }
    return HIT_FAIL(HIT_E_ARG,
                    "expected a layout that costs can balance, which are block, "
                    "weighted, cpm, fpm, cpm2d and fpm2d, but found %s",
                    p->made);
}

static hit_status check(plan *p, const char *text, hit_layout **layout)
{
    if (p->costs == NULL || layout == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected costs and a place for the layout but found NULL");
    }
    if (!hit_kind_is_real(hit_tile_type(p->costs).kind) &&
        !hit_kind_is_whole(hit_tile_type(p->costs).kind)) {
        return HIT_FAIL(HIT_E_ARG, "tile %s: expected costs of a real or whole type",
                        hit_tile_name(p->costs));
    }
    if (p->context->size > 1 && hit_comm_is_planned(p->context->comm)) {
        return HIT_FAIL(HIT_E_ABSENT,
                        "hit_layout_from_costs: expected %d processes that have their "
                        "costs but found a dry run (HIT_PLAN); hit_layout_create() with "
                        "the text of the layout needs none",
                        p->context->size);
    }
    return read_text(p, text);
}

/* ---- slices ---- */

/** The speeds or models of the text; cpm knows of a model what it gives for an even
 * share. */
static hit_status read_pace(const plan *p, hit_layout_pace *pace)
{
    const hit_layout_spec *spec = &p->wanted.spec;
    const int *dims = p->dims;
    double even = (double)hit_sig_count(spec->domain.sig[dims[0]]) / spec->ranks;

    HIT_TRY(
        hit_layout_pace_read(spec, hit_layout_elements(spec, dims[0], dims[1]), pace));
    if (pace->models == NULL || strcmp(spec->ops->name, "cpm") != 0) return HIT_OK;
    HIT_TRY(hit_memory_zeroed((size_t)spec->ranks, sizeof *pace->speed, &pace->speed));
    for (int rank = 0; rank < spec->ranks; rank++) {
        pace->speed[rank] = hit_fpm_speed(pace->models[rank], even < 1 ? 1 : even);
    }
    return HIT_OK;
}

static hit_status cut_slices(plan *p, const hit_index sum[])
{
    const hit_layout_spec *spec = &p->wanted.spec;
    hit_costs line = {.n = hit_sig_count(spec->domain.sig[p->dims[0]]),
                      .sum = sum,
                      .parts = spec->ranks};
    hit_layout_pace pace = {NULL, NULL};
    hit_index *share;
    hit_status st;

    HIT_TRY(HIT_TAKE(&p->arrays, (size_t)spec->ranks, share));
    st = read_pace(p, &pace);
    line.speed = pace.speed;
    line.fpm = (const hit_fpm *const *)pace.models;
    if (st == HIT_OK) st = hit_partition_costs(&line, share);
    if (st == HIT_OK) hit_slices_write(p->dims[0], spec->ranks, share, &p->text);
    hit_layout_pace_clear(spec, &pace);
    return st;
}

static hit_status make_slices(plan *p)
{
    const hit_costs_frame frame = {.dim = p->dims[0], .strips = 1};
    hit_index *sum;
    hit_status st = hit_costs_add_up(p->context, p->costs, &frame, &sum);

    if (st == HIT_OK && p->context->rank == 0) st = cut_slices(p, sum);
    free(sum);
    return st;
}

/* ---- columns of rectangles ---- */

/** What process 0 cuts. */
typedef struct shape {
    hit_plane plane;
    hit_layout_pace pace;
    hit_costs_columns made;
} shape;

static hit_status open_shape(plan *p, shape *s)
{
    const hit_layout_spec *spec = &p->wanted.spec;
    const size_t ranks = (size_t)spec->ranks;

    *s = (shape){.plane = {.rows = hit_sig_count(spec->domain.sig[p->dims[0]]),
                           .columns = hit_sig_count(spec->domain.sig[p->dims[1]]),
                           .parts = spec->ranks},
                 .made.columns = p->grid_columns};
    HIT_TRY(HIT_TAKE(&p->arrays, ranks, s->made.column_of));
    HIT_TRY(HIT_TAKE(&p->arrays, ranks + 1, s->made.first));
    for (int rank = 0; rank < spec->ranks && p->grid_columns > 0; rank++) {
        s->made.column_of[rank] = rank % p->grid_columns; /* as hit_topology_coords() */
    }
    if (p->context->rank != 0) return HIT_OK;
    HIT_TRY(read_pace(p, &s->pace));
    s->plane.speed = s->pace.speed;
    s->plane.fpm = (const hit_fpm *const *)s->pace.models;
    return HIT_OK;
}

/** The widths, the same on every process. */
static hit_status find_widths(const plan *p, shape *s)
{
    const hit_costs_frame whole = {.dim = p->dims[1], .strips = 1};
    hit_comm *comm = p->context->comm;
    hit_index *sum;
    hit_status st = hit_costs_add_up(p->context, p->costs, &whole, &sum);

    if (st == HIT_OK) {
        if (p->context->rank == 0) st = hit_costs_widths(&s->plane, sum, &s->made);
        st = hit_comm_agree(comm, st);
    }
    free(sum);
    HIT_TRY(st);
    HIT_TRY(hit_comm_broadcast(comm, 0, &s->made.columns, sizeof s->made.columns));
    return hit_comm_broadcast(comm, 0, s->made.first,
                              ((size_t)s->plane.parts + 1) * sizeof *s->made.first);
}

static hit_status find_heights(plan *p, const shape *s)
{
    const hit_costs_frame strips = {.dim = p->dims[0],
                                    .across = p->dims[1],
                                    .strips = s->made.columns,
                                    .first = s->made.first};
    const size_t parts = (size_t)s->plane.parts;
    hit_rect *rect;
    hit_index *sum;
    hit_status st = hit_costs_add_up(p->context, p->costs, &strips, &sum);

    if (st == HIT_OK && p->context->rank == 0) {
        st = HIT_TAKE(&p->arrays, parts, rect);
        if (st == HIT_OK) st = hit_costs_heights(&s->plane, &s->made, sum, rect);
        if (st == HIT_OK) hit_columns_write(p->dims, s->plane.parts, rect, &p->text);
    }
    free(sum);
    return st;
}

static hit_status make_columns(plan *p)
{
    shape s;
    hit_status st = hit_comm_agree(p->context->comm, open_shape(p, &s));

    if (st == HIT_OK) st = find_widths(p, &s);
    if (st == HIT_OK) st = find_heights(p, &s);
    hit_layout_pace_clear(&p->wanted.spec, &s.pace);
    return st;
}

/* ---- the layout ---- */

hit_status hit_layout_from_costs(hit_context *context, const char *text, hit_tile *costs,
                                 hit_layout **layout)
{
    plan p = {.context = context, .costs = costs, .dims = {-1, -1}};
    char *found = NULL;
    hit_status st;

    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    p.wanted.spec =
        (hit_layout_spec){.domain = hit_tile_domain(costs), .ranks = context->size};
    st = hit_comm_agree(context->comm, check(&p, text, layout));
    if (st == HIT_OK) {
        hit_growing_add(&p.text, context->rank == 0 ? "%s:" : "%s", p.made);
        st = p.dims[1] >= 0 ? make_columns(&p) : make_slices(&p);
        if (st == HIT_OK) st = hit_growing_end(&p.text, &found);
        st = hit_comm_agree(context->comm, st);
    }
    /* process 0 tells the others what it has found */
    if (st == HIT_OK) {
        st = hit_layout_create(context, p.wanted.spec.domain, found, layout);
    }
    free(p.text.text);
    hit_arrays_free(&p.arrays);
    hit_option_clear(&p.wanted.options);
    return st;
}
