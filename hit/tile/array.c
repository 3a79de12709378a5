/* SPDX-License-Identifier: MIT
 * The owned elements and those around them in one buffer: a gather of what a pattern says
 * of them, as a launch over them would need it. A buffer, and not the tile's memory with
 * a halo: it has any shape, and stays as it is while launches go on. */
#include "hit/tile/array.h"

#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/tile/tile_impl.h"
#include "hit/tile/tile_move.h"
#include "patterns/parse.h"
#include "patterns/transform.h"

#include <string.h>

typedef struct around {
    hit_tile *tile;
    hit_pattern pattern; /* of what is owned, too */
    hit_view owned;
    hit_view view;
} around;

static hit_status check(const hit_tile *tile, const hit_view *view)
{
    const char *name = tile->storage->name;

    if (view == NULL) {
        return HIT_FAIL(HIT_E_ARG, "tile %s: expected a place for a view but found NULL",
                        name);
    }
    if (tile->pieces > 1) {
        return HIT_FAIL(HIT_E_ARG,
                        "tile %s: expected at most one box on each process but found %d "
                        "on process %d",
                        name, tile->pieces, tile->storage->context->rank);
    }
    if (!hit_domain_is_dense(&tile->domain)) {
        return HIT_FAIL(HIT_E_ARG, "tile %s: expected strides of 1", name);
    }
    return HIT_OK;
}

static hit_status read_pattern(around *a, const char *text)
{
    static const char *const names[] = {"i", "j", "k", "l"};
    const int dims = a->tile->domain.dims;
    hit_pattern point = {0};
    hit_status status;

    HIT_TRY(hit_pattern_parse(text, dims > 0 ? dims : 1, names, &a->pattern));
    if (a->pattern.tile_dims != dims) {
        return HIT_FAIL(HIT_E_PATTERN,
                        "tile %s: expected a pattern of %d dimensions but found \"%s\"",
                        a->tile->storage->name, dims, text);
    }
    a->pattern.only_read = 0;
    if (dims == 0) return HIT_OK;
    HIT_TRY(hit_pattern_point(dims, &point));
    status = hit_pattern_add(&a->pattern, point.access);
    hit_pattern_clear(&point);
    return status;
}

/* The tile keeps the memory. */
static hit_status make_view(around *a)
{
    hit_tile *tile = a->tile;
    const size_t size = tile->storage->type.size_bytes;
    hit_domain cover = hit_domain_empty(tile->domain.dims > 0 ? tile->domain.dims : 1);
    size_t bytes;

    hit_memory_release(&tile->around);
    if (tile->pieces > 0) {
        hit_tile_owned_views(tile, &a->owned);
        cover = hit_pattern_cover(&a->pattern, &tile->domain, &tile->owned[0]);
    }
    if (__builtin_mul_overflow((size_t)hit_domain_count(&cover), size, &bytes)) {
        return HIT_FAIL(HIT_E_NOMEM,
                        "tile %s: no memory for %lld elements of %zu bytes around what "
                        "process %d owns",
                        tile->storage->name, (long long)hit_domain_count(&cover), size,
                        tile->storage->context->rank);
    }
    HIT_TRY(hit_memory_take(bytes, tile->storage->name, &tile->around));
    a->view = hit_view_make(&cover, size, tile->around);
    if (hit_comm_is_planned(tile->storage->context->comm)) return HIT_OK;
    memset(tile->around, 0, bytes);
    return HIT_OK;
}

static hit_status prepare(around *a, const char *pattern, const hit_view *view)
{
    HIT_TRY(check(a->tile, view));
    HIT_TRY(read_pattern(a, pattern));
    HIT_TRY(hit_tile_touch(a->tile, &a->tile->domain, HIT_READ));
    return make_view(a);
}

hit_status hit_tile_map_around(hit_tile *tile, const char *pattern, hit_view *view)
{
    around a = {.tile = tile};
    hit_boundary boundary[HIT_MAX_DIMS];
    hit_status status;

    HIT_TRY(hit_tile_check_called(tile));
    HIT_TRY(hit_comm_enter_ahead(tile->storage->context->comm));
    status = prepare(&a, pattern, view);
    /* beyond the tile is its constant where it has no boundary */
    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        boundary[d] = tile->boundary[d] == HIT_BOUNDARY_NONE ? HIT_BOUNDARY_CONSTANT
                                                             : tile->boundary[d];
    }
    status = hit_movement_run(
        &(hit_movement){.from = tile->storage->layout,
                        .to = tile->storage->layout,
                        .from_tile = tile->domain,
                        .to_tile = tile->domain,
                        .domain = tile->domain,
                        .pattern = &a.pattern,
                        .boundary = boundary,
                        .constant = tile->storage->constant,
                        .owner = &a.owned,
                        .wanted = &a.view},
        &(hit_tile_call){.name = "hit_tile_map_around", .tile = tile, .path = pattern},
        status);
    if (status == HIT_OK) *view = a.view;
    hit_pattern_clear(&a.pattern);
    return status;
}

hit_status hit_tile_from_array(hit_layout *layout, hit_type type, const char *name,
                               int root, const void *array, hit_tile **tile)
{
    hit_tile *made = NULL;
    hit_status status;

    HIT_TRY(hit_tile_create(layout, type, name, tile != NULL ? &made : NULL));
    status = hit_tile_scatter(made, root, array);
    if (status == HIT_OK && tile != NULL) { /* which it is: for analysers */
        *tile = made;
    } else {
        hit_tile_destroy(&made);
    }
    return status;
}
