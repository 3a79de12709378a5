/* SPDX-License-Identifier: MIT
 * Tiles: storage per owned piece, shared by selections. A piece's memory grows when a
 * launch wants a halo around it, so programs do not declare a halo's width. Operations
 * that talk to other processes: tile_move.c. */
#define _POSIX_C_SOURCE 200809L /* strdup */

#include "hit/base/context.h"
#include "hit/base/kind.h"
#include "hit/base/memory.h"
#include "hit/base/spare.h"
#include "hit/comm/comm.h"
#include "hit/data/hash.h"
#include "hit/device/device.h"
#include "hit/tile/coherence.h"
#include "hit/tile/lost.h"
#include "hit/tile/tile_impl.h"
#include "hit/topo/layout_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALIASED_BYTES = 1 << 20 /* smaller tiles begin where their memory does, anywhere */
};

void hit_tile_set_shape(hit_tile *tile)
{
    const hit_storage *storage = tile->storage;
    const uint64_t layout = hit_layout_key(storage->layout);
    const hit_domain whole = hit_layout_domain(storage->layout);
    uint64_t hash = hit_hash_word(HIT_HASH_START, layout);

    hash = hit_hash_word(hash, (uint64_t)hit_domain_equal(&whole, &tile->domain));
    hash = hit_hash_word(hash, (uint64_t)storage->type.kind);
    hash = hit_hash_word(hash, (uint64_t)storage->type.size_bytes);
    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        hash = hit_hash_word(hash, (uint64_t)tile->boundary[d]);
    }
    tile->family = hash;
    tile->shape = hit_hash_place(tile->family, &tile->domain);
}

/* Where the elements of a tile begin in its memory. A core compares the addresses of
 * loads and earlier stores by their last 12 bits (4 KiB aliasing): a kernel that writes
 * one tile and reads another would wait where both lie at multiples of a page. So tiles
 * that are made one after the other begin at least 512 bytes apart there. */
static size_t offset_bytes(const hit_storage *storage, size_t size_bytes)
{
    static const size_t place[] = {0, 1024, 2048, 3072, 512, 1536, 2560, 3584};

    if (size_bytes < ALIASED_BYTES) return 0;
    return place[storage->number % (sizeof(place) / sizeof(place[0]))];
}

static hit_status take_zeroed(const hit_storage *storage, const hit_domain *box,
                              hit_view *view)
{
    const size_t size_bytes = storage->type.size_bytes;
    const size_t count = (size_t)hit_domain_count(box);
    const size_t offset = offset_bytes(storage, count * size_bytes);
    void *data = NULL;

    if (count > 0 && size_bytes > SIZE_MAX / 2 / count) {
        return HIT_FAIL(HIT_E_NOMEM,
                        "tile %s: memory cannot address %zu elements of %zu bytes",
                        storage->name, count, size_bytes);
    }
    if (hit_comm_is_planned(storage->context->comm)) {
        /* what a dry run does not look at is never touched, and takes no memory */
        if (hit_memory_zeroed(offset + count * size_bytes, 1, &data) != HIT_OK) {
            return HIT_FAIL(HIT_E_NOMEM, "no memory for %s: asked for %zu bytes",
                            storage->name, count * size_bytes);
        }
    } else {
        HIT_TRY(hit_spare_take(storage->context->spare, offset + count * size_bytes,
                               storage->name, &data));
        memset((char *)data + offset, 0, count * size_bytes);
    }
    hit_device_pin(hit_device_that_pins(storage->context), data,
                   offset + count * size_bytes);
    *view = hit_view_make(box, size_bytes, (char *)data + offset);
    return HIT_OK;
}

static void give(const hit_storage *storage, const hit_view *view)
{
    const size_t bytes = (size_t)hit_domain_count(&view->domain) * view->size_bytes;
    const size_t offset = offset_bytes(storage, bytes);
    void *data = (char *)view->data - offset;

    hit_device_unpin(hit_device_that_pins(storage->context), data, offset + bytes);
    hit_spare_give(storage->context->spare, &data);
}

hit_status hit_storage_cover(hit_storage *storage, int piece, const hit_domain *box)
{
    hit_view *old = &storage->view[piece];
    hit_domain wanted;
    hit_view made;
    hit_ndcopy copy;

    if (hit_domain_inside(box, &old->domain)) return HIT_OK;
    HIT_TRY(hit_storage_settle(storage)); /* somebody may still need the old memory */
    wanted = hit_domain_cover(&old->domain, box);
    /* rims are filled row after row: a halo leaves out none between it and its part */
    for (int d = 0; d < wanted.dims && hit_domain_is_dense(&storage->owned[piece]); d++) {
        wanted.sig[d] = hit_sig_make(wanted.sig[d].begin, wanted.sig[d].end, 1);
    }
    HIT_TRY(take_zeroed(storage, &wanted, &made));
    copy = hit_ndcopy_make(old, &made, &old->domain, NULL);
    hit_ndcopy_run(&copy, old->data, made.data);
    give(storage, old);
    *old = made;
    return HIT_OK;
}

static void storage_release(hit_storage **storage_pointer)
{
    hit_storage *storage = *storage_pointer;

    *storage_pointer = NULL;
    if (storage == NULL || --storage->references > 0) return;
    hit_storage_drop_homes(storage);
    for (int k = 0; k < storage->pieces && storage->view != NULL; k++) {
        if (storage->view[k].data != NULL) give(storage, &storage->view[k]);
    }
    free(storage->view);
    free(storage->lost);
    free(storage->owned);
    free(storage->constant);
    hit_storage_drop_axes(storage);
    free(storage->name);
    hit_layout_destroy(&storage->layout); /* and the context, if hit_close() came first */
    free(storage);
}

static hit_status fill_storage(hit_storage *made, const char *name)
{
    hit_region owned = {0};
    hit_status status;

    made->name = strdup(name);
    made->constant = calloc(1, made->type.size_bytes);
    if (made->name == NULL || made->constant == NULL) {
        return HIT_FAIL(HIT_E_NOMEM, "no memory for tile %s", name);
    }
    HIT_TRY(hit_storage_make_homes(made));
    HIT_TRY(hit_layout_part(made->layout, made->context->rank, &owned));
    HIT_TRY_GOTO(
        status,
        hit_memory_zeroed((size_t)owned.count + 1, sizeof(hit_domain), &made->owned),
        done);
    HIT_TRY_GOTO(
        status, hit_memory_zeroed((size_t)owned.count + 1, sizeof(hit_view), &made->view),
        done);
    made->pieces = owned.count;
    HIT_TRY_GOTO(status, hit_storage_make_lost(made), done);
    for (int k = 0; k < owned.count; k++) {
        made->owned[k] = owned.part[k];
        HIT_TRY_GOTO(status, take_zeroed(made, &owned.part[k], &made->view[k]), done);
    }
done:
    hit_region_clear(&owned);
    return status;
}

static hit_status storage_create(hit_layout *layout, hit_type type, const char *name,
                                 uint64_t number, hit_storage **storage)
{
    hit_storage *made = calloc(1, sizeof(hit_storage));
    hit_status status;

    if (made == NULL) return HIT_FAIL(HIT_E_NOMEM, "no memory for tile %s", name);
    made->context = layout->context;
    made->layout = hit_layout_share(layout);
    made->type = type;
    made->references = 1;
    made->version = 1;
    made->number = number;
    status = fill_storage(made, name);
    if (status != HIT_OK) {
        storage_release(&made);
        return status;
    }
    *storage = made;
    return HIT_OK;
}

/* Find the pieces of the storage that hold elements of the tile's domain. Behind the last
 * one is an empty one: the first of a tile that has none here. */
static hit_status find_pieces(hit_tile *tile)
{
    const hit_storage *storage = tile->storage;
    const size_t room = (size_t)storage->pieces + 1;

    tile->owned = malloc(room * (sizeof(*tile->owned) + sizeof(*tile->piece)));
    if (tile->owned == NULL) {
        return HIT_FAIL(HIT_E_NOMEM, "no memory for the pieces of tile %s",
                        storage->name);
    }
    tile->piece = (int *)(void *)(tile->owned + room);
    for (int k = 0; k < storage->pieces; k++) {
        const hit_domain owned = hit_domain_intersect(&storage->owned[k], &tile->domain);

        if (hit_domain_is_empty(&owned)) continue;
        tile->piece[tile->pieces] = k;
        tile->owned[tile->pieces++] = owned;
    }
    tile->piece[tile->pieces] = 0;
    tile->owned[tile->pieces] = (hit_domain){0};
    hit_tile_set_shape(tile);
    return HIT_OK;
}

static void tile_free(hit_tile *tile)
{
    storage_release(&tile->storage);
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
        storage_release(&storage);
        return HIT_FAIL(HIT_E_NOMEM, "no memory for a tile");
    }
    *made = (hit_tile){.storage = storage, .domain = *domain};
    status = find_pieces(made);
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

typedef struct request {
    const hit_layout *layout;
    hit_type type;
    const char *name;
} request;

/* Names may differ. */
static uint64_t mark_request(const void *of)
{
    const request *r = of;
    uint64_t hash = hit_hash_text(hit_layout_key(r->layout), "hit_tile_create");

    hash = hit_hash_word(hash, (uint64_t)r->type.kind);
    return hit_hash_word(hash, (uint64_t)r->type.size_bytes);
}

static void say_request(const void *of, char *text, size_t size)
{
    const request *r = of;
    const hit_domain whole = hit_layout_domain(r->layout);
    char domain[128];

    hit_domain_print(&whole, domain, sizeof(domain));
    snprintf(text, size, "hit_tile_create(layout %s of %s, %s (%zu bytes), \"%.60s\")",
             hit_layout_name(r->layout), domain, hit_kind_name(r->type.kind),
             r->type.size_bytes, r->name != NULL ? r->name : "");
}

hit_status hit_tile_create(hit_layout *layout, hit_type type, const char *name,
                           hit_tile **tile)
{
    const request of = {layout, type, name};
    const hit_comm_call call = {mark_request, say_request, &of};
    hit_storage *storage = NULL;
    hit_tile *made = NULL;
    hit_domain domain;
    hit_status status;
    uint64_t number;

    if (layout == NULL || tile == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a layout and a place for the tile but found NULL");
    }
    if (layout->context == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a layout made by hit_layout_create() but found one "
                        "without a context");
    }
    if (layout->context->closed) {
        return HIT_FAIL(HIT_E_ARG, "layout %s: its context has been closed",
                        hit_layout_name(layout));
    }
    if (name == NULL) name = "(unnamed)";
    number = ++layout->context->tiles_made; /* also where it fails: alike everywhere */
    domain = hit_layout_domain(layout);
    status = check_elements(&domain, type, name);
    if (status == HIT_OK) status = storage_create(layout, type, name, number, &storage);
    if (status == HIT_OK) status = tile_over(storage, &domain, &made);
    status = hit_comm_agree_on(layout->context->comm, status, &call);
    if (status != HIT_OK) {
        if (made != NULL) tile_free(made);
        return status;
    }
    *tile = made;
    return HIT_OK;
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
        return HIT_FAIL(HIT_E_ARG, "expected a tile to select from but found NULL");
    }
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

void hit_tile_destroy(hit_tile **tile)
{
    if (tile == NULL || *tile == NULL) return;
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
    if (tile == NULL) return HIT_FAIL(HIT_E_ARG, "expected a tile but found NULL");
    HIT_TRY(check_boundary(tile, dim, boundary));
    for (int d = 0; d < tile->domain.dims; d++) {
        if (dim == -1 || dim == d) tile->boundary[d] = boundary;
    }
    if (boundary == HIT_BOUNDARY_CONSTANT) {
        const size_t size = tile->storage->type.size_bytes;

        memset(tile->storage->constant, 0, size);
        if (value != NULL) memcpy(tile->storage->constant, value, size);
    }
    tile->storage->version++; /* what lies outside has changed */
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

hit_status hit_tile_map(hit_tile *tile, int piece, hit_intent intent, hit_view *view)
{
    hit_status status;

    if (tile == NULL || view == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a tile and a place for the view but found NULL");
    }
    if (tile->pieces == 0) {
        return HIT_FAIL(HIT_E_ARG,
                        "tile %s: expected a piece but this process owns none of it",
                        tile->storage->name);
    }
    if (piece < 0 || piece >= tile->pieces) {
        return HIT_FAIL(HIT_E_ARG, "tile %s: expected a piece from 0 to %d but found %d",
                        tile->storage->name, tile->pieces - 1, piece);
    }
    if (intent != HIT_READ && intent != HIT_WRITE && intent != HIT_READ_WRITE) {
        return HIT_FAIL(HIT_E_ARG,
                        "tile %s: expected HIT_READ, HIT_WRITE or HIT_READ_WRITE but "
                        "found %d",
                        tile->storage->name, (int)intent);
    }
    status =
        hit_storage_touch(tile->storage, tile->piece[piece], &tile->owned[piece], intent);
    /* also where it tells a failure: other processes write the tile here */
    if (intent != HIT_READ) hit_storage_written(tile->storage);
    HIT_TRY(status);
    if (intent == HIT_WRITE) hit_tile_restore(tile, &tile->owned[piece]);
    *view =
        hit_view_select(&tile->storage->view[tile->piece[piece]], &tile->owned[piece]);
    return HIT_OK;
}

hit_status hit_tile_check_open(const hit_tile *tile)
{
    if (!tile->storage->context->closed) {
        return hit_context_check_thread(tile->storage->context);
    }
    return HIT_FAIL(HIT_E_ARG, "tile %s: its context has been closed",
                    tile->storage->name);
}
