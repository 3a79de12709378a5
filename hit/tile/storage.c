/* SPDX-License-Identifier: MIT
 * The memory of tiles, per owned piece, shared by selections. It grows when a launch
 * wants a halo around a piece, so programs do not declare a halo's width. An array of the
 * program (hit/tile/adopt.h) cannot grow: where it is too small the piece lies in a wider
 * buffer, until the program looks. And which of these pieces a tile has, with what tells
 * it from others. */
#define _POSIX_C_SOURCE 200809L /* strdup */

#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/base/trace.h"
#include "hit/comm/comm.h"
#include "hit/data/disk.h"
#include "hit/data/extremes.h"
#include "hit/data/hash.h"
#include "hit/tile/footprint.h"
#include "hit/tile/peers.h"
#include "hit/tile/station.h"
#include "hit/topo/layout_impl.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    ALIASED_BYTES = 1 << 20, /* smaller tiles begin where their memory does, anywhere */
    SLAB_BYTES = 4 << 20     /* of a tile that moves to a wider memory, at a time */
};

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

/* On the disk, where there is one and it is worth it. */
static hit_status take_memory(const hit_storage *storage, size_t bytes, void **data)
{
    hit_context *context = storage->context;

    if (storage->reserves) {
        /* what a dry run does not look at is never touched, and takes no memory */
        HIT_TRY(hit_memory_reserve(bytes, storage->name, data));
    } else if (hit_disk_wants(context->disk, bytes)) {
        return hit_disk_take(context->disk, bytes, storage->name, data);
    } else {
        HIT_TRY(hit_spare_take(context->spare, bytes, storage->name, data));
    }
    hit_device_pin(hit_device_that_pins(context), *data, bytes);
    return HIT_OK;
}

/* What the host's memory has of it, but for the gap before it. */
static int64_t held_bytes(const hit_storage *storage, size_t bytes)
{
    return hit_disk_wants(storage->context->disk, bytes) ? 0 : (int64_t)bytes;
}

static hit_status take(const hit_storage *storage, const hit_domain *box, hit_view *view)
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
    HIT_TRY(take_memory(storage, offset + count * size_bytes, &data));
    hit_context_holds(storage->context, held_bytes(storage, count * size_bytes));
    *view = hit_view_make(box, size_bytes, (char *)data + offset);
    return HIT_OK;
}

/* Memory of a dry run is clear, and stays untouched; that on a disk is clear, too. */
static void clear(const hit_storage *storage, char *data, size_t bytes)
{
    if (storage->reserves || hit_disk_holds(storage->context->disk, data)) return;
    memset(data, 0, bytes);
}

void hit_storage_give(const hit_storage *storage, const hit_view *view)
{
    const size_t bytes = (size_t)hit_domain_count(&view->domain) * view->size_bytes;
    const size_t offset = offset_bytes(storage, bytes);
    void *data = (char *)view->data - offset;

    hit_context_holds(storage->context, -held_bytes(storage, bytes));
    if (hit_disk_give(&storage->context->disk, data)) return;
    hit_device_unpin(hit_device_that_pins(storage->context), data, offset + bytes);
    if (storage->reserves) {
        hit_memory_unreserve(&data, offset + bytes);
    } else {
        hit_spare_give(storage->context->spare, &data);
    }
}

/* Nobody wants old memory any more. */
static void forget(const hit_storage *storage, char *data, size_t bytes)
{
    if (hit_disk_holds(storage->context->disk, data)) {
        hit_disk_behind(storage->context->disk, data, bytes);
    } else {
        hit_memory_forget(data, bytes);
    }
}

/* In a dry run what the program never wrote takes no memory: it is 0, and is not copied.
 * To read a tile takes time, and tables of pages: only where the program wrote some. */
static bool is_untouched(const hit_storage *storage, const hit_view *view,
                         const hit_domain *part)
{
    hit_index begin[HIT_MAX_DIMS] = {0};
    const char *first;

    if (!storage->reserves) return false;
    if (storage->context->execution == NULL) return true; /* no program reads a peer's */
    if (storage->looks == 0 && storage->adopted == NULL) return true;
    hit_domain_at_place(part, 0, begin);
    first = hit_view_at(view, begin);
    return first[0] == 0 && memcmp(first, first + 1, view->size_bytes - 1) == 0 &&
           hit_view_is_full(view, part, first);
}

/* Clear rows of @p to, from @p row on, and copy what @p from has of them; returns these
 * elements. */
static hit_domain copy_slab(const hit_storage *storage, const hit_view *from,
                            const hit_view *to, hit_index row, hit_index rows)
{
    hit_domain slab = to->domain;

    slab.sig[0] = hit_sig_slice(slab.sig[0], row, row + rows - 1);
    clear(storage, to->data + row * to->stride_bytes[0],
          (size_t)hit_domain_count(&slab) * to->size_bytes);
    slab = hit_domain_intersect(&slab, &from->domain);
    if (!hit_domain_is_empty(&slab) && !is_untouched(storage, from, &slab)) {
        hit_view_copy(from, to, &slab, NULL);
    }
    return slab;
}

/* Pages that a device has pinned stay. */
static bool may_forget(const hit_storage *storage)
{
    return hit_device_that_pins(storage->context) == NULL;
}

/* Memory for @p box with what is in @p view, slab after slab. If it @p moves there nobody
 * wants the old memory, whose pages go back to the system as they are copied: a large
 * tile that gets a halo is not there twice. */
static hit_status take_wider(const hit_storage *storage, const hit_view *view,
                             const hit_domain *box, bool moves, hit_view *made)
{
    const hit_index rows = hit_sig_count(box->sig[0]);
    char *wanted = view->data;
    hit_index step;

    HIT_TRY(take(storage, box, made));
    step = SLAB_BYTES / (made->stride_bytes[0] + 1) + 1;
    for (hit_index row = 0; row < rows; row += step) {
        const hit_domain copied = copy_slab(storage, view, made, row, step);
        hit_index last;
        char *end;

        if (!moves || hit_domain_is_empty(&copied)) continue;
        last = hit_sig_position(view->domain.sig[0], copied.sig[0].end);
        end = view->data + (last + 1) * view->stride_bytes[0];
        forget(storage, wanted, (size_t)(end - wanted));
        wanted = end;
    }
    return HIT_OK;
}

static bool is_in_array(const hit_storage *storage, int piece)
{
    return storage->view[piece].data == storage->adopted[piece].array.data;
}

/* For HIT_PROFILE. */
static void note_copied(const hit_storage *storage, const hit_view *view)
{
    hit_trace *trace = storage->context->trace;

    if (!hit_trace_on(trace)) return;
    trace->adopted_bytes += (uint64_t)hit_domain_count(&view->domain) * view->size_bytes;
}

/* The buffer is kept: what other processes have sent for a halo is not sent again. */
static hit_status widen(hit_storage *storage, int piece, const hit_domain *box)
{
    hit_adopted *adopted = &storage->adopted[piece];
    hit_view *wide = &adopted->wide;
    const hit_view old = wide->data != NULL ? *wide : adopted->array;
    const hit_domain wanted =
        hit_storage_around(&storage->owned[piece], &old.domain, box);
    hit_view made;

    if (wide->data == NULL || !hit_domain_inside(&wanted, &wide->domain)) {
        HIT_TRY(take_wider(storage, &old, &wanted,
                           wide->data != NULL && may_forget(storage), &made));
        if (wide->data != NULL) hit_storage_give(storage, wide);
        *wide = made;
        hit_context_note_held(storage->context);
    }
    if (is_in_array(storage, piece)) {
        hit_view_copy(&adopted->array, wide, &adopted->array.domain, NULL);
        note_copied(storage, &adopted->array);
    }
    storage->view[piece] = *wide;
    return HIT_OK;
}

hit_status hit_storage_take_buffer(hit_storage *storage, int piece)
{
    const hit_view *wide;

    if (storage->adopted == NULL) return HIT_OK;
    wide = &storage->adopted[piece].wide;
    return wide->data == NULL ? HIT_OK : hit_storage_cover(storage, piece, &wide->domain);
}

hit_status hit_storage_leave(hit_storage *storage, const hit_view *old)
{
    if (storage->holds == 0) {
        hit_storage_give(storage, old);
        return HIT_OK;
    }
    HIT_TRY(hit_memory_resize((size_t)storage->lefts + 1, sizeof(*storage->left),
                              storage->name, &storage->left));
    storage->left[storage->lefts++] = *old;
    return HIT_OK;
}

void hit_storage_give_left(hit_storage *storage)
{
    while (storage->lefts > 0) {
        hit_storage_give(storage, &storage->left[--storage->lefts]);
    }
    free(storage->left);
    storage->left = NULL;
}

hit_status hit_storage_cover(hit_storage *storage, int piece, const hit_domain *box)
{
    hit_view *old = &storage->view[piece];
    hit_domain wanted;
    hit_view made;
    hit_status status;

    if (hit_domain_inside(box, &old->domain)) return HIT_OK;
    HIT_TRY(hit_storage_settle(storage)); /* somebody may still need the old memory */
    if (storage->adopted != NULL) return widen(storage, piece, box);
    wanted = hit_storage_around(&storage->owned[piece], &old->domain, box);
    HIT_TRY(take_wider(storage, old, &wanted, storage->holds == 0 && may_forget(storage),
                       &made));
    status = hit_storage_leave(storage, old);
    if (status != HIT_OK) {
        hit_storage_give(storage, &made);
        return status;
    }
    *old = made;
    hit_context_note_held(storage->context);
    return HIT_OK;
}

hit_status hit_storage_bring_back(hit_storage *storage)
{
    bool away = false;

    for (int k = 0; k < storage->pieces; k++) {
        away = away || !is_in_array(storage, k);
    }
    if (!away) return HIT_OK;
    HIT_TRY(hit_storage_bring_home(storage));
    for (int k = 0; k < storage->pieces; k++) {
        const hit_view *array = &storage->adopted[k].array;

        if (is_in_array(storage, k)) continue;
        hit_view_copy(&storage->view[k], array, &array->domain, NULL);
        note_copied(storage, array);
        storage->view[k] = *array;
    }
    return HIT_OK;
}

/* The program's array outlives its tile. A failure is not that of this caller. */
static void leave_array(hit_storage *storage)
{
    hit_stations *stations = storage->context->stations;
    hit_status status;

    if (storage->adopted == NULL || storage->context->process != getpid()) return;
    status = hit_storage_bring_home(storage);
    if (status == HIT_OK) status = hit_storage_bring_back(storage);
    if (stations != NULL) hit_stations_keep_failure(stations, status);
}

static void give_all(hit_storage *storage)
{
    hit_storage_give_left(storage);
    for (int k = 0; k < storage->pieces && storage->view != NULL; k++) {
        hit_view *view = &storage->view[k];

        if (storage->adopted != NULL) view = &storage->adopted[k].wide;
        if (view->data != NULL) hit_storage_give(storage, view);
    }
}

void hit_storage_release(hit_storage **storage_pointer)
{
    hit_storage *storage = *storage_pointer;

    *storage_pointer = NULL;
    if (storage == NULL || --storage->references > 0) return;
    leave_array(storage);
    hit_storage_drop_peers(storage);
    hit_storage_drop_homes(storage);
    give_all(storage);
    hit_footprint_drop(storage);
    free(storage->view);
    free(storage->adopted);
    free(storage->lost);
    hit_held_destroy(&storage->held);
    hit_extremes_forget(storage->numbers.values); /* plans share it */
    hit_extremes_release(&storage->numbers.values);
    hit_hulls_clear(&storage->hulls);
    free(storage->owned);
    free(storage->constant);
    hit_storage_drop_axes(storage);
    free(storage->name);
    hit_layout_destroy(&storage->layout); /* and the context, if hit_close() came first */
    free(storage);
}

static hit_status adopt_array(hit_storage *made, const hit_local_array *array,
                              const hit_region *owned)
{
    HIT_TRY(
        hit_memory_zeroed((size_t)owned->count + 1, sizeof(hit_adopted), &made->adopted));
    HIT_TRY(hit_local_array_views(array, owned, made, made->view));
    for (int k = 0; k < owned->count; k++) {
        made->adopted[k].array = made->view[k];
    }
    return HIT_OK;
}

static hit_status fill_storage(const hit_tile_request *request, hit_storage *made)
{
    hit_region owned = {0};

    made->name = strdup(request->name);
    made->constant = calloc(1, made->type.size_bytes);
    if (made->name == NULL || made->constant == NULL) {
        return HIT_FAIL(HIT_E_NOMEM, "no memory for tile %s", request->name);
    }
    HIT_TRY(hit_layout_look(made->layout));
    made->shared_out = hit_layout_ranks(made->layout) > 1 && made->layout->shape.every;
    HIT_TRY(hit_storage_make_homes(made));
    HIT_TRY(hit_layout_part(made->layout, made->context->rank, &owned));
    made->owned = owned.part; /* the storage's from here on */
    made->pieces = owned.count;
    HIT_TRY(hit_memory_zeroed((size_t)owned.count + 1, sizeof(hit_view), &made->view));
    HIT_TRY(hit_storage_make_lost(made));
    if (request->adopts) HIT_TRY(adopt_array(made, request->array, &owned));
    for (int k = 0; k < owned.count && !request->adopts; k++) {
        hit_view *view = &made->view[k];

        HIT_TRY(take(made, &owned.part[k], view));
        clear(made, view->data,
              (size_t)hit_domain_count(&view->domain) * view->size_bytes);
    }
    return hit_hulls_make(made->owned, made->pieces, &made->hulls);
}

hit_status hit_storage_create(const hit_tile_request *request, uint64_t number,
                              hit_storage **storage)
{
    hit_layout *layout = request->layout;
    hit_storage *made = calloc(1, sizeof(hit_storage));
    hit_status status;

    if (made == NULL) {
        return HIT_FAIL(HIT_E_NOMEM, "no memory for tile %s", request->name);
    }
    made->context = request->as != NULL ? request->as : layout->context;
    made->layout = hit_layout_share(layout);
    made->type = request->type;
    made->references = 1;
    made->version = 1;
    made->reserves = hit_comm_is_planned(layout->context->comm);
    made->number = number;
    status = fill_storage(request, made);
    if (status == HIT_OK) status = hit_footprint_add(made);
    hit_context_note_held(made->context);
    if (status != HIT_OK) hit_storage_release(&made);
    *storage = made;
    return status;
}

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

/* No more pieces of @p hulls than these have elements in @p near. */
static int count_near(const hit_hulls *hulls, const hit_hull *near)
{
    int found = 0;

    if (hulls->node == NULL) return hulls->count;
    for (int k = -1; (k = hit_hulls_next(hulls, k + 1, near)) >= 0;) {
        found++;
    }
    return found;
}

/* Behind the last one is an empty one: the first of a tile that has none here. */
hit_status hit_tile_find_pieces(hit_tile *tile)
{
    const hit_storage *storage = tile->storage;
    const hit_hull near = hit_hull_of(&tile->domain);
    const size_t room = (size_t)count_near(&storage->hulls, &near) + 1;

    tile->owned = malloc(room * (sizeof(*tile->owned) + sizeof(*tile->piece)));
    if (tile->owned == NULL) {
        return HIT_FAIL(HIT_E_NOMEM, "no memory for the pieces of tile %s",
                        storage->name);
    }
    tile->piece = (int *)(void *)(tile->owned + room);
    for (int k = -1; (k = hit_hulls_next(&storage->hulls, k + 1, &near)) >= 0;) {
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

hit_status hit_tile_check_open(const hit_tile *tile)
{
    if (tile == NULL) return HIT_FAIL(HIT_E_ARG, "expected a tile but found NULL");
    if (!tile->storage->context->closed) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "tile %s: its context has been closed",
                    tile->storage->name);
}
