/* SPDX-License-Identifier: MIT
 * Tiles and selections of them. Their memory: storage.c. Operations that talk to other
 * processes: tile_move.c. */
#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/kind.h"
#include "hit/comm/comm.h"
#include "hit/data/hash.h"
#include "hit/tile/adopt.h"
#include "hit/tile/peers.h"
#include "hit/tile/station.h"
#include "hit/tile/tile_impl.h"
#include "hit/topo/layout_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void tile_free(hit_tile *tile)
{
    hit_storage_release(&tile->storage);
    hit_memory_release(&tile->around);
    free(tile->owned);
    free(tile);
}

/* A tile over @p storage, whose reference it takes, also on failure. Programs select in
 * each launch: malloc() has memory of that size at hand, calloc() searches. */
static hit_status tile_over(hit_storage *storage, const hit_domain *domain,
                            hit_tile **tile)
{
    hit_tile *made = malloc(sizeof(*made));
    hit_status status;

    if (made == NULL) {
        hit_storage_release(&storage);
        return HIT_FAIL(HIT_E_NOMEM, "no memory for a tile");
    }
    *made = (hit_tile){.storage = storage, .domain = *domain};
    status = hit_tile_find_pieces(made);
    if (status != HIT_OK) {
        tile_free(made);
        return status;
    }
    *tile = made;
    return HIT_OK;
}

static hit_status check_elements(const hit_domain *domain, hit_type type,
                                 const char *name)
{
    const size_t size_bytes = hit_kind_find(type.kind)->size_bytes;

    if (type.size_bytes == 0) {
        return HIT_FAIL(HIT_E_ARG, "tile %s: expected an element size > 0 but found 0",
                        name);
    }
    if (size_bytes != 0 && type.size_bytes != size_bytes) {
        return HIT_FAIL(HIT_E_ARG,
                        "tile %s: expected %zu bytes for elements of type %s but found "
                        "%zu",
                        name, size_bytes, hit_kind_name(type.kind), type.size_bytes);
    }
    return hit_domain_check_reach(domain, type.size_bytes, name);
}

/* Names may differ, and arrays. */
static uint64_t mark_request(const void *of)
{
    const hit_tile_request *r = of;
    uint64_t hash = hit_hash_text(hit_layout_key(r->layout), r->call);

    hash = hit_hash_word(hash, (uint64_t)r->type.kind);
    return hit_hash_word(hash, (uint64_t)r->type.size_bytes);
}

static void say_request(const void *of, char *text, size_t size)
{
    const hit_tile_request *r = of;
    const hit_domain whole = hit_layout_domain(r->layout);
    char domain[128];

    hit_domain_print(&whole, domain, sizeof(domain));
    snprintf(text, size, "%s(layout %s of %s, %s (%zu bytes), \"%.60s\")", r->call,
             hit_layout_name(r->layout), domain, hit_kind_name(r->type.kind),
             r->type.size_bytes, r->name);
}

static hit_status no_place(const char *name)
{
    return HIT_FAIL(HIT_E_ARG, "tile %s: expected a place for it but found NULL", name);
}

hit_status hit_tile_request_make(hit_tile_request *request, hit_tile **tile)
{
    const hit_comm_call call = {mark_request, say_request, request};
    hit_layout *layout = request->layout;
    hit_storage *storage = NULL;
    hit_tile *made = NULL;
    hit_domain domain;
    hit_status status;
    uint64_t number;

    if (layout == NULL) return HIT_FAIL(HIT_E_ARG, "expected a layout but found NULL");
    if (layout->context == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a layout made by hit_layout_create() but found one "
                        "without a context");
    }
    if (layout->context->closed) {
        return HIT_FAIL(HIT_E_ARG, "layout %s: its context has been closed",
                        hit_layout_name(layout));
    }
    if (request->name == NULL) request->name = "(unnamed)";
    number = ++layout->context->tiles_made; /* also where it fails: alike everywhere */
    domain = hit_layout_domain(layout);
    status = check_elements(&domain, request->type, request->name);
    if (tile == NULL) status = no_place(request->name);
    if (status == HIT_OK) status = hit_storage_create(request, number, &storage);
    if (status == HIT_OK) status = tile_over(storage, &domain, &made);
    status = hit_comm_agree_on(layout->context->comm, status, &call);
    if (status != HIT_OK) {
        if (made != NULL) tile_free(made);
        return status;
    }
    *tile = made;
    return HIT_OK;
}

hit_status hit_tile_create(hit_layout *layout, hit_type type, const char *name,
                           hit_tile **tile)
{
    hit_tile_request request = {
        .call = "hit_tile_create", .layout = layout, .type = type, .name = name};

    return hit_tile_request_make(&request, tile);
}

hit_status hit_tile_make(hit_context *context, hit_domain domain, const char *layout,
                         hit_type type, const char *name, hit_tile **tile)
{
    hit_layout *made = NULL;
    hit_status status;

    HIT_TRY(hit_layout_create(context, domain, layout, &made));
    status = hit_tile_create(made, type, name, tile);
    hit_layout_destroy(&made);
    return status;
}

hit_status hit_tile_select(hit_tile *parent, hit_domain domain, hit_tile **tile)
{
    char expected[128];
    char found[128];

    if (parent == NULL || tile == NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a tile to select from, and a place for what "
                                   "is made, but found NULL");
    }
    HIT_TRY(hit_tile_check_open(parent));
    HIT_TRY(hit_domain_check(&domain));
    if (domain.dims != parent->domain.dims ||
        !hit_domain_inside(&domain, &parent->domain)) {
        hit_domain_print(&parent->domain, expected, sizeof(expected));
        hit_domain_print(&domain, found, sizeof(found));
        return HIT_FAIL(HIT_E_ARG,
                        "expected a selection inside %s of tile %s but found %s",
                        expected, parent->storage->name, found);
    }
    parent->storage->references++;
    HIT_TRY(tile_over(parent->storage, &domain, tile));
    (*tile)->parent = parent;
    return HIT_OK;
}

/* In a forked process there are no threads. */
void hit_tile_run_what_holds(const hit_tile *tile)
{
    const hit_context *context = tile->storage->context;
    hit_stations *stations = context->stations;

    if (stations == NULL || stations->recorded.holds == NULL) return;
    if (!stations->recorded.holds(stations->recorded.block, tile)) return;
    if (context->process != getpid()) return;
    hit_stations_keep_failure(stations, hit_stations_run_recorded(stations));
}

void hit_tile_destroy(hit_tile **tile)
{
    if (tile == NULL || *tile == NULL) return;
    hit_tile_run_what_holds(*tile);
    tile_free(*tile);
    *tile = NULL;
}

static hit_status check_boundary(const hit_tile *tile, int dim, hit_boundary boundary)
{
    if (tile->parent != NULL) {
        return HIT_FAIL(HIT_E_ARG, "tile %s: a selection has no boundary of its own",
                        tile->storage->name);
    }
    if (dim < -1 || dim >= tile->domain.dims) {
        return HIT_FAIL(HIT_E_ARG,
                        "tile %s: expected a dimension from -1 to %d but found %d",
                        tile->storage->name, tile->domain.dims - 1, dim);
    }
    if (boundary > HIT_BOUNDARY_MIRROR) {
        return HIT_FAIL(HIT_E_ARG, "tile %s: expected a kind of boundary but found %d",
                        tile->storage->name, (int)boundary);
    }
    if (boundary != HIT_BOUNDARY_NONE && !hit_domain_is_dense(&tile->domain)) {
        return HIT_FAIL(HIT_E_ARG, "tile %s: expected strides of 1 for a boundary",
                        tile->storage->name);
    }
    return HIT_OK;
}

hit_status hit_tile_set_boundary(hit_tile *tile, int dim, hit_boundary boundary,
                                 const void *value)
{
    HIT_TRY(hit_tile_check_open(tile));
    HIT_TRY(check_boundary(tile, dim, boundary));
    hit_tile_run_what_holds(tile);
    for (int d = 0; d < tile->domain.dims; d++) {
        if (dim == -1 || dim == d) tile->boundary[d] = boundary;
    }
    if (boundary == HIT_BOUNDARY_CONSTANT) {
        const size_t size = tile->storage->type.size_bytes;

        memset(tile->storage->constant, 0, size);
        if (value != NULL) memcpy(tile->storage->constant, value, size);
    }
    tile->storage->version++; /* what lies outside has changed */
    hit_storage_drop_constants(tile->storage);
    hit_tile_set_shape(tile);
    return HIT_OK;
}

void hit_tile_swap(hit_tile **a, hit_tile **b)
{
    hit_tile *kept;

    if (a == NULL || b == NULL) return;
    kept = *a;
    *a = *b;
    *b = kept;
}

hit_domain hit_tile_domain(const hit_tile *tile)
{
    return tile != NULL ? tile->domain : hit_domain_empty(1);
}

hit_type hit_tile_type(const hit_tile *tile)
{
    return tile != NULL ? tile->storage->type : (hit_type){0};
}

const char *hit_tile_name(const hit_tile *tile)
{
    return tile != NULL ? tile->storage->name : "";
}

hit_layout *hit_tile_layout(const hit_tile *tile)
{
    return tile != NULL ? tile->storage->layout : NULL;
}

int hit_tile_pieces(const hit_tile *tile)
{
    return tile != NULL ? tile->pieces : 0;
}

void hit_tile_owned_views(const hit_tile *tile, hit_view views[])
{
    for (int k = 0; k < tile->pieces; k++) {
        views[k] = tile->storage->view[tile->piece[k]];
    }
}

hit_status hit_tile_check_map(const hit_tile *tile, int piece, hit_intent intent)
{
    HIT_TRY(hit_tile_check_open(tile));
    if (piece < 0 || (piece > 0 && piece >= tile->pieces)) {
        return HIT_FAIL(HIT_E_ARG, "tile %s: expected a piece from 0 to %d but found %d",
                        tile->storage->name, tile->pieces > 0 ? tile->pieces - 1 : 0,
                        piece);
    }
    if (intent != HIT_READ && intent != HIT_WRITE && intent != HIT_READ_WRITE) {
        return HIT_FAIL(HIT_E_ARG,
                        "tile %s: expected HIT_READ, HIT_WRITE or HIT_READ_WRITE but "
                        "found %d",
                        tile->storage->name, (int)intent);
    }
    return HIT_OK;
}

/* The elements of piece @p piece in host memory, where the program may look at them. */
static hit_status bring(hit_tile *tile, int piece, hit_intent intent, hit_view *view)
{
    hit_storage *storage = tile->storage;
    const int own = tile->piece[piece];

    HIT_TRY(hit_storage_touch(storage, own, &tile->owned[piece], intent));
    if (storage->adopted != NULL) {
        hit_storage_drop_constants(storage); /* the program has what lies around it */
        HIT_TRY(hit_storage_bring_back(storage));
    }
    *view = hit_view_select(&storage->view[own], &tile->owned[piece]);
    return HIT_OK;
}

/* Other processes look at their pieces, also where this one has none. */
static hit_status bring_peers(const hit_tile *tile, int piece, int end, hit_intent intent)
{
    hit_domain own = hit_domain_empty(tile->domain.dims);

    if (tile->storage->peers == NULL) return HIT_OK;
    if (piece < tile->pieces) own = tile->owned[piece];
    if (end > piece + 1) own = tile->domain; /* all pieces */
    return hit_storage_touch_peers(tile->storage, &own, &tile->domain, intent);
}

hit_status hit_tile_map(hit_tile *tile, int piece, hit_intent intent, hit_view *view)
{
    hit_view found = {.domain = hit_domain_empty(1)};
    hit_status status;
    int end = piece + 1;

    HIT_TRY(hit_tile_check_map(tile, piece, intent));
    if (view == NULL && tile->storage->adopted != NULL) end = tile->pieces;
    found.size_bytes = tile->storage->type.size_bytes;
    status = bring_peers(tile, piece, end, intent);
    for (int k = piece; k < end && k < tile->pieces && status == HIT_OK; k++) {
        status = bring(tile, k, intent, &found);
    }
    /* also where it tells a failure: other processes write the tile here */
    if (intent != HIT_READ) hit_storage_written(tile->storage);
    HIT_TRY(status);
    for (int k = piece; k < end && k < tile->pieces && intent == HIT_WRITE; k++) {
        hit_tile_restore(tile, &tile->owned[k]);
    }
    if (view != NULL) *view = found;
    return HIT_OK;
}

hit_status hit_tile_check_called(const hit_tile *tile)
{
    HIT_TRY(hit_tile_check_open(tile));
    return hit_context_check_thread(tile->storage->context);
}

hit_status hit_tile_touch(hit_tile *tile, const hit_domain *box, hit_intent intent)
{
    for (int k = 0; k < tile->pieces; k++) {
        const hit_domain common = hit_domain_intersect(&tile->owned[k], box);

        if (hit_domain_is_empty(&common)) continue;
        HIT_TRY(hit_storage_touch(tile->storage, tile->piece[k], &common, intent));
    }
    return hit_storage_touch_peers(tile->storage, box, box, intent);
}

hit_status hit_tile_adopt(hit_layout *layout, hit_type type, const char *name,
                          const hit_local_array *array, hit_tile **tile)
{
    hit_tile_request request = {.call = "hit_tile_adopt",
                                .layout = layout,
                                .type = type,
                                .name = name,
                                .adopts = true,
                                .array = array};

    return hit_tile_request_make(&request, tile);
}
