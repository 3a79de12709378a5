/* SPDX-License-Identifier: MIT
 * Whole tiles moved: from any layout to any other, to and from one process. All are
 * message plans of the point pattern: the "indices" are the elements that somebody wants
 * to have. */
#include "hit/tile/tile_move.h"

#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/kind.h"
#include "hit/base/memory.h"
#include "hit/data/disk.h"
#include "hit/tile/peers.h"
#include "hit/tile/station.h"
#include "hit/tile/tile_impl.h"

#include <stdlib.h>
#include <string.h>

/* The wanted views in the order of the plan's user pieces, which skips pieces outside the
 * domain. */
static hit_status user_views(const hit_movement *m, int rank, const hit_split *split,
                             hit_view **views)
{
    hit_region part = {0};
    hit_region indices = {0};
    hit_status status;
    int found = 0;

    HIT_TRY_GOTO(status, hit_layout_part_in(m->to, rank, &m->to_tile, &part), done);
    HIT_TRY_GOTO(status, hit_split_part(split, rank, &indices), done);
    HIT_TRY_GOTO(status,
                 hit_memory_zeroed((size_t)indices.count + 1, sizeof(hit_view), views),
                 done);
    for (int k = 0; m->wanted != NULL && k < part.count && found < indices.count; k++) {
        if (!hit_domain_inside(&indices.part[found], &part.part[k])) continue;
        (*views)[found++] = m->wanted[k];
    }
done:
    hit_region_clear(&indices);
    hit_region_clear(&part);
    return status;
}

static hit_status plan_movement(const hit_movement *m, const hit_storage *storage,
                                const hit_split *split, hit_exchange **exchange)
{
    const hit_boundary none[HIT_MAX_DIMS] = {HIT_BOUNDARY_NONE};
    hit_pattern point = {0};
    hit_message_plan plan;
    hit_status status;
    const hit_message_request request = {
        .rank = storage->context->rank,
        .ranks = storage->context->size,
        .split = split,
        .layout = m->from,
        .tile = m->from_tile,
        .boundary = m->boundary != NULL ? m->boundary : none,
        .pattern = m->pattern != NULL ? m->pattern : &point,
        .size_bytes = storage->type.size_bytes,
        .direction = HIT_GATHER};

    HIT_TRY_GOTO(status, hit_pattern_point(m->domain.dims, &point), done);
    HIT_TRY_GOTO(status, hit_message_plan_make(&request, &plan), done);
    status = hit_exchange_create(storage->context->comm, &plan, 0, exchange);
done:
    hit_pattern_clear(&point);
    return status;
}

static hit_status prepare(const hit_movement *m, const hit_storage *storage,
                          hit_exchange **exchange, hit_view **views, void **buffer)
{
    hit_split split;

    HIT_TRY(hit_split_by_layout(m->to, &m->domain, &split));
    split.tile = m->to_tile;
    HIT_TRY(plan_movement(m, storage, &split, exchange));
    HIT_TRY(user_views(m, storage->context->rank, &split, views));
    return hit_memory_take(hit_exchange_buffer_bytes(*exchange), "moving a tile", buffer);
}

/* Have the threads of devices nothing to do? Tasks, and those of a scheduler, which run
 * while others are looked at, are not waited for. */
static bool are_free(const hit_stations *stations)
{
    return stations != NULL && stations->keeper.self == NULL &&
           !hit_tasks_any(stations->tasks);
}

void hit_tile_copy_on_host(void *of, const hit_view *from, const hit_view *to,
                           const hit_domain *domain)
{
    const hit_context *context = of;

    if (are_free(context->stations)) {
        hit_device_copy_on_host(context, from, to, domain);
    } else {
        hit_view_copy(from, to, domain, NULL);
    }
}

/* On several processes the next call that waits tells it: the others go on to what comes
 * next. */
static hit_status tell_disk(const hit_context *context)
{
    const hit_status status = hit_disk_told(context->disk);

    if (context->size == 1) return status;
    hit_stations_keep_failure(context->stations, status);
    return HIT_OK;
}

hit_status hit_movement_run(const hit_movement *m, const hit_tile_call *call,
                            hit_status status)
{
    const hit_storage *storage = call->tile->storage;
    hit_context *context = storage->context;
    hit_exchange *exchange = NULL;
    hit_view *views = NULL;
    void *buffer = NULL;

    if (status == HIT_OK) status = prepare(m, storage, &exchange, &views, &buffer);
    status = hit_tile_agree(call, status);
    if (status == HIT_OK && !hit_comm_is_planned(context->comm)) {
        const hit_sides sides = {.user = views,
                                 .owner = m->owner,
                                 .constant = m->constant,
                                 .buffer = buffer,
                                 .copy = hit_tile_copy_on_host,
                                 .caller = context};

        status = hit_exchange_begin(exchange, &sides, NULL);
        if (status == HIT_OK) status = hit_exchange_end(exchange, &sides);
        if (status == HIT_OK) status = tell_disk(context);
    }
    hit_memory_release(&buffer);
    free(views);
    hit_exchange_destroy(&exchange);
    return status;
}

static hit_status owned_views(const hit_tile *tile, hit_view **views)
{
    HIT_TRY(hit_memory_zeroed((size_t)tile->pieces + 1, sizeof(hit_view), views));
    hit_tile_owned_views(tile, *views);
    return HIT_OK;
}

/* May elements of @p from become those of @p to? */
static hit_status check_alike(const hit_tile *from, const hit_tile *to)
{
    const hit_type a = from->storage->type;
    const hit_type b = to->storage->type;

    if (from->storage == to->storage) {
        return HIT_FAIL(HIT_E_ARG, "tile %s: cannot be copied onto itself",
                        from->storage->name);
    }
    if (from->storage->context != to->storage->context) {
        return HIT_FAIL(HIT_E_ARG, "tiles %s and %s: expected the same context",
                        from->storage->name, to->storage->name);
    }
    if (a.kind != b.kind || a.size_bytes != b.size_bytes) {
        return HIT_FAIL(HIT_E_ARG,
                        "tile %s: expected elements of type %s (%zu bytes), as tile %s "
                        "has, but found %s (%zu bytes)",
                        to->storage->name, hit_kind_name(a.kind), a.size_bytes,
                        from->storage->name, hit_kind_name(b.kind), b.size_bytes);
    }
    if (from->domain.dims != to->domain.dims) {
        return HIT_FAIL(
            HIT_E_ARG, "tile %s: expected %d dimensions, as tile %s has, but found %d",
            to->storage->name, from->domain.dims, from->storage->name, to->domain.dims);
    }
    return HIT_OK;
}

hit_status hit_tile_copy(hit_tile *from, hit_tile *to)
{
    const hit_tile_call call = {.name = "hit_tile_copy", .tile = from, .other = to};
    hit_movement m;
    hit_view *owner = NULL;
    hit_view *wanted = NULL;
    hit_status status;

    if (from == NULL || to == NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected two tiles but found NULL");
    }
    HIT_TRY(hit_tile_check_called(from));
    m = (hit_movement){.from = from->storage->layout,
                       .to = to->storage->layout,
                       .from_tile = from->domain,
                       .to_tile = to->domain,
                       .domain = hit_domain_intersect(&from->domain, &to->domain)};
    HIT_TRY(hit_comm_enter_ahead(from->storage->context->comm));
    status = check_alike(from, to);
    if (status == HIT_OK) status = hit_tile_touch(from, &from->domain, HIT_READ);
    if (status == HIT_OK) status = hit_tile_touch(to, &m.domain, HIT_WRITE);
    if (status == HIT_OK) status = owned_views(from, &owner);
    if (status == HIT_OK) status = owned_views(to, &wanted);
    m.owner = owner;
    m.wanted = wanted;
    status = hit_movement_run(&m, &call, status);
    if (status == HIT_OK) hit_tile_restore(to, &m.domain);
    hit_storage_written(to->storage);
    free(owner);
    free(wanted);
    return status;
}

/* A layout that gives everything to @p root. */
static hit_status layout_at_root(hit_tile *tile, int root, hit_layout **layout)
{
    hit_context *context = tile->storage->context;

    if (root < 0 || root >= context->size) {
        return HIT_FAIL(HIT_E_ARG, "expected a root from 0 to %d but found %d",
                        context->size - 1, root);
    }
    return hit_layout_create_at(context, tile->domain, root, layout);
}

/* The common part of gather and scatter: between the tile's pieces and one dense buffer
 * at root. */
static hit_status move_whole(hit_tile *tile, int root, void *buffer, bool gathers)
{
    const hit_storage *storage = tile->storage;
    const hit_view whole = hit_view_make(&tile->domain, storage->type.size_bytes, buffer);
    const hit_tile_call call = {.name = gathers ? "hit_tile_gather" : "hit_tile_scatter",
                                .tile = tile,
                                .numbers = 1,
                                .number = (const hit_index[]){root}};
    hit_movement m = {
        .from_tile = tile->domain, .to_tile = tile->domain, .domain = tile->domain};
    hit_layout *at_root = NULL;
    hit_view *pieces = NULL;
    hit_status status;

    HIT_TRY(hit_comm_enter_ahead(storage->context->comm));
    status = layout_at_root(tile, root, &at_root);
    if (status == HIT_OK && storage->context->rank == root && buffer == NULL) {
        status =
            HIT_FAIL(HIT_E_ARG, "tile %s: expected a buffer on process %d but found NULL",
                     storage->name, root);
    }
    if (status == HIT_OK) {
        status = hit_tile_touch(tile, &tile->domain, gathers ? HIT_READ : HIT_WRITE);
    }
    if (status == HIT_OK) status = owned_views(tile, &pieces);
    m.from = gathers ? storage->layout : at_root;
    m.to = gathers ? at_root : storage->layout;
    m.owner = gathers ? pieces : &whole;
    m.wanted = gathers ? &whole : pieces;
    status = hit_movement_run(&m, &call, status);
    if (status == HIT_OK && !gathers) hit_tile_restore(tile, &tile->domain);
    free(pieces);
    hit_layout_destroy(&at_root);
    return status;
}

hit_status hit_tile_gather(hit_tile *tile, int root, void *buffer)
{
    HIT_TRY(hit_tile_check_called(tile));
    return move_whole(tile, root, buffer, true);
}

hit_status hit_tile_scatter(hit_tile *tile, int root, const void *buffer)
{
    HIT_TRY(hit_tile_check_called(tile));
    hit_storage_written(tile->storage);
    /* through an integer: the buffer is only read when it is the source */
    return move_whole(tile, root, (void *)(uintptr_t)buffer, false);
}

static hit_status check_get(const hit_tile *tile, const hit_index index[],
                            const void *value)
{
    const hit_domain at = {.dims = tile->domain.dims};
    char expected[128];
    char found[128] = "NULL";

    if (value == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "tile %s: expected a place for the value but found "
                        "NULL",
                        tile->storage->name);
    }
    if (at.dims == 0 || (index != NULL && hit_domain_has(&tile->domain, index))) {
        return HIT_OK;
    }
    hit_domain_print(&tile->domain, expected, sizeof(expected));
    if (index != NULL) {
        const hit_domain point = hit_domain_box(at.dims, index, index);

        hit_domain_print(&point, found, sizeof(found));
    }
    return HIT_FAIL(HIT_E_ARG, "tile %s: expected an index inside %s but found %s",
                    tile->storage->name, expected, found);
}

static hit_status own_element(hit_tile *tile, const hit_index at[], void *value)
{
    const hit_domain one = hit_domain_box(tile->domain.dims, at, at);
    hit_storage *storage = tile->storage;

    for (int k = 0; k < tile->pieces; k++) {
        if (!hit_domain_has(&tile->owned[k], at)) continue;
        HIT_TRY(hit_storage_touch(storage, tile->piece[k], &one, HIT_READ));
        memcpy(value, hit_view_at(&storage->view[tile->piece[k]], at),
               storage->type.size_bytes);
    }
    return HIT_OK;
}

hit_status hit_tile_get(hit_tile *tile, const hit_index index[], void *value)
{
    return hit_tile_get_after(HIT_OK, tile, index, value);
}

hit_status hit_tile_get_after(hit_status before, hit_tile *tile, const hit_index index[],
                              void *value)
{
    const hit_index nowhere[HIT_MAX_DIMS] = {0};
    const hit_index *at = index != NULL ? index : nowhere;
    hit_storage *storage;
    hit_status status = before;
    int owner;

    HIT_TRY(hit_tile_check_called(tile));
    storage = tile->storage;
    HIT_TRY(hit_comm_enter_ahead(storage->context->comm));
    if (status == HIT_OK) status = check_get(tile, index, value);
    if (status == HIT_OK) {
        memset(value, 0, storage->type.size_bytes); /* what a dry run finds elsewhere */
    }
    if (status == HIT_OK && storage->peers != NULL) {
        const hit_domain one = hit_domain_box(tile->domain.dims, at, at);

        status = hit_storage_touch_peers(storage, &one, &one, HIT_READ);
    }
    owner = status == HIT_OK ? hit_layout_owner(storage->layout, at) : 0;
    if (status == HIT_OK && owner == storage->context->rank) {
        status = own_element(tile, at, value);
    }
    HIT_TRY(hit_tile_agree(&(hit_tile_call){.name = "hit_tile_get",
                                            .tile = tile,
                                            .numbers = tile->domain.dims,
                                            .number = at},
                           status));
    if (hit_comm_is_planned(storage->context->comm)) return HIT_OK;
    return hit_comm_broadcast(storage->context->comm, owner, value,
                              storage->type.size_bytes);
}

hit_status hit_tile_fill(hit_tile *tile, const void *value)
{
    hit_status status;

    if (tile == NULL || value == NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a tile and a value but found NULL");
    }
    HIT_TRY(hit_tile_check_open(tile));
    status = hit_tile_touch(tile, &tile->domain, HIT_WRITE);
    for (int k = 0; k < tile->pieces && status == HIT_OK; k++) {
        hit_view_fill(&tile->storage->view[tile->piece[k]], &tile->owned[k], value);
    }
    if (status == HIT_OK) hit_tile_restore(tile, &tile->domain);
    hit_storage_written(tile->storage); /* also then, as in hit_tile_map() */
    return status;
}

/* May @p tile move to another layout? */
static hit_status check_relayout(const hit_tile *tile, const hit_layout *layout)
{
    const hit_storage *old = tile->storage;
    const hit_domain domain = hit_layout_domain(layout);
    char expected[128];
    char found[128];

    if (old->adopted != NULL) {
        return HIT_FAIL(
            HIT_E_ARG,
            "hit_tile_relayout: tile %s lies in an array of the program, which "
            "cannot change: hit_tile_copy() to a tile of the other layout",
            old->name);
    }
    if (tile->parent != NULL || old->references > 1) {
        return HIT_FAIL(HIT_E_ARG,
                        "hit_tile_relayout: destroy the selections of tile %s first",
                        old->name);
    }
    if (old->holds > 0) {
        return HIT_FAIL(HIT_E_ARG,
                        "hit_tile_relayout: release the views of tile %s first",
                        old->name);
    }
    if (!hit_domain_equal(&domain, &tile->domain)) {
        hit_domain_print(&tile->domain, expected, sizeof(expected));
        hit_domain_print(&domain, found, sizeof(found));
        return HIT_FAIL(HIT_E_ARG, "tile %s: expected a layout of %s but found one of %s",
                        old->name, expected, found);
    }
    return HIT_OK;
}

/* A tile like @p tile, empty, over another layout. */
static hit_status make_alike(const hit_tile *tile, hit_layout *layout, hit_tile **made)
{
    const hit_storage *old = tile->storage;

    HIT_TRY(hit_tile_create(layout, old->type, old->name, made));
    memcpy((*made)->storage->constant, old->constant, old->type.size_bytes);
    memcpy((*made)->boundary, tile->boundary, sizeof(tile->boundary));
    hit_tile_set_shape(*made);
    return HIT_OK;
}

hit_status hit_tile_relayout(hit_tile *tile, hit_layout *layout)
{
    hit_tile *made = NULL;
    hit_status status;
    hit_tile old;

    if (tile == NULL || layout == NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a tile and a layout but found NULL");
    }
    HIT_TRY(hit_tile_check_called(tile));
    HIT_TRY(hit_tile_agree(&(hit_tile_call){.name = "hit_tile_relayout", .tile = tile},
                           check_relayout(tile, layout)));
    HIT_TRY(make_alike(tile, layout, &made));
    status = hit_tile_copy(tile, made);
    if (status != HIT_OK) {
        hit_tile_destroy(&made);
        return HIT_FAIL(status, "tile %s stays where it is: %s", tile->storage->name,
                        hit_status_text());
    }
    /* With a number of its own: no plan of messages has seen it, and takes what lies in
     * the old memory for what is in the new. */
    hit_tile_run_what_holds(tile);
    old = *tile;
    *tile = *made;
    *made = old;
    hit_tile_destroy(&made);
    return HIT_OK;
}
