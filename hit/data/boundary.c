/* SPDX-License-Identifier: MIT
 * Boundaries as images: every box outside the tile is a shifted, fixed or mirrored copy
 * of a box inside, so that one kind of message serves halos and boundaries alike. Each
 * dimension is cut into segments on its own; images are their products. */
#include "hit/base/alloc.h"
#include "hit/data/nearby.h"

#include <stdlib.h>

enum {
    MAX_SEGMENTS = 64
};

/* A run of indices in one dimension with the same way back into the tile. */
typedef struct segment {
    hit_sig sig;
    int sign;
    hit_index offset;
    bool constant;
} segment;

typedef struct segments {
    int count;
    segment item[MAX_SEGMENTS];
} segments;

static hit_status fail_far(void)
{
    return HIT_FAIL(HIT_E_PATTERN, "a pattern reaches more than %d times around the tile",
                    MAX_SEGMENTS);
}

static hit_status add_segment(segments *list, hit_sig need, hit_sig where, segment found)
{
    found.sig = hit_sig_intersect(need, where);
    if (hit_sig_is_empty(found.sig)) return HIT_OK;
    if (list->count == MAX_SEGMENTS) return fail_far();
    list->item[list->count++] = found;
    return HIT_OK;
}

/* The part of @p need beyond the tile on one side, in steps of one period of the
 * boundary. */
static hit_status add_wrapped(segments *list, hit_sig need, hit_sig tile,
                              hit_boundary kind, hit_sig outside)
{
    const hit_index n = tile.end - tile.begin + 1;
    const hit_index period = kind == HIT_BOUNDARY_PERIODIC ? n : n - 1;
    const hit_index first = hit_index_floor_div(outside.begin - tile.begin, period);
    const hit_index last = hit_index_floor_div(outside.end - tile.begin, period);

    if (last - first > MAX_SEGMENTS) return fail_far();
    for (hit_index w = first; w <= last; w++) {
        const hit_index begin = tile.begin + w * period;
        const hit_sig cell =
            hit_sig_intersect(hit_sig_make(begin, begin + period - 1, 1), outside);
        segment found = {cell, 1, -w * period, false};

        if (kind == HIT_BOUNDARY_MIRROR && w % 2 != 0) {
            found.sign = -1;
            found.offset = 2 * tile.begin + (w + 1) * period;
        }
        HIT_TRY(add_segment(list, need, cell, found));
    }
    return HIT_OK;
}

static hit_status add_outside(segments *list, hit_sig need, hit_sig tile,
                              hit_boundary kind, hit_sig outside)
{
    const bool below = outside.end < tile.begin;
    segment found = {outside, 0, below ? tile.begin : tile.end, false};

    if (hit_sig_is_empty(hit_sig_intersect(need, outside))) return HIT_OK;
    if (kind == HIT_BOUNDARY_NONE) {
        return HIT_FAIL(
            HIT_E_PATTERN,
            "touches indices %lld to %lld, but the tile has %lld to %lld there "
            "and no boundary",
            (long long)need.begin, (long long)need.end, (long long)tile.begin,
            (long long)tile.end);
    }
    if (kind == HIT_BOUNDARY_CONSTANT) {
        found.constant = true;
    } else if (kind != HIT_BOUNDARY_CLAMP && tile.end > tile.begin) {
        return add_wrapped(list, need, tile, kind, outside);
    }
    return add_segment(list, need, outside, found);
}

static hit_status cut_dimension(hit_sig need, hit_sig tile, hit_boundary kind,
                                segments *list)
{
    list->count = 0;
    if (hit_sig_is_empty(tile)) {
        return HIT_FAIL(HIT_E_PATTERN, "touches elements of an empty tile");
    }
    if (need.begin < tile.begin) {
        const hit_sig outside = hit_sig_make(need.begin, tile.begin - 1, 1);

        HIT_TRY(add_outside(list, need, tile, kind, outside));
    }
    HIT_TRY(add_segment(list, need, hit_sig_make(tile.begin, tile.end, 1),
                        (segment){need, 1, 0, false}));
    if (need.end > tile.end) {
        const hit_sig outside = hit_sig_make(tile.end + 1, need.end, 1);

        HIT_TRY(add_outside(list, need, tile, kind, outside));
    }
    return HIT_OK;
}

static hit_image product(const segments *list, int dims, int number)
{
    hit_image image = {.remap = hit_remap_identity()};

    image.domain.dims = dims;
    for (int d = dims - 1; d >= 0; d--) {
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): d < dims */
        const segment *s = &list[d].item[number % list[d].count];

        number /= list[d].count;
        image.domain.sig[d] = s->sig;
        image.remap.sign[d] = s->sign;
        image.remap.offset[d] = s->offset;
        image.constant |= s->constant;
    }
    return image;
}

hit_status hit_boundary_images(const hit_domain *tile, const hit_boundary kind[],
                               const hit_domain *need, int *count, hit_image **images)
{
    segments *list = NULL;
    hit_status status = HIT_OK;
    int total = hit_domain_is_empty(need) ? 0 : 1;

    HIT_TRY(hit_memory_resize(HIT_MAX_DIMS, sizeof *list, "cuts of a boundary", &list));
    for (int d = 0; d < tile->dims && status == HIT_OK && total > 0; d++) {
        status = cut_dimension(need->sig[d], tile->sig[d], kind[d], &list[d]);
        if (status == HIT_OK) total *= list[d].count;
    }
    if (status == HIT_OK) {
        *images = NULL;
        status = hit_memory_resize((size_t)total, sizeof **images, "images of a boundary",
                                   images);
    }
    if (status == HIT_OK) {
        *count = total;
        for (int k = 0; k < total; k++) {
            (*images)[k] = product(list, tile->dims, k);
        }
    }
    free(list);
    return status;
}
