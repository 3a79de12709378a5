/* SPDX-License-Identifier: MIT
 * What one process needs: its indices by the split, through the pattern, cut at the
 * boundary. */
#include "hit/base/alloc.h"
#include "hit/base/containers.h"
#include "hit/base/memory.h"
#include "hit/comm/message.h"
#include "hit/data/hash.h"
#include "patterns/transform.h"

#include <stdlib.h>
#include <string.h>

static hit_status add_need(hit_needs *list, const hit_image *image, int piece)
{
    const hit_domain from = hit_remap_apply(&image->remap, &image->domain);

    HIT_TRY(HIT_ONE_MORE(list->item, list->count, list->room, "a message plan"));
    list->item[list->count++] =
        (hit_need){.image = *image, .near = hit_hull_of(&from), .piece = piece};
    return HIT_OK;
}

static void clear_needs(hit_needs *list)
{
    free(list->item);
    *list = (hit_needs){0};
}

hit_status hit_needs_add(const hit_domain *tile, const hit_boundary boundary[],
                         const hit_domain *box, int piece, hit_needs *list)
{
    hit_image *image = NULL;
    hit_status status = HIT_OK;
    int count = 0;

    if (hit_domain_inside(box, tile)) {
        const hit_image inside = {*box, hit_remap_identity(), false};

        return add_need(list, &inside, piece);
    }
    HIT_TRY(hit_boundary_images(tile, boundary, box, &count, &image));
    for (int k = 0; k < count && status == HIT_OK; k++) {
        status = add_need(list, &image[k], piece);
    }
    free(image);
    return status;
}

/* More pieces than this are no way to describe what is written. */
enum {
    MAX_PIECES = 4096
};

/* The first dimension whose range has a fixed width above 1, or -1. */
static int wide_dimension(const hit_access *access, int tile_dims)
{
    for (int t = 0; t < tile_dims; t++) {
        const hit_range *range = &access->range[t];

        if (hit_affine_is_parallel(&range->begin, &range->end) &&
            range->end.offset > range->begin.offset) {
            return t;
        }
    }
    return -1;
}

/* The dimension of the fewest indices, but more than one, that an expression follows. */
static int short_dimension(const hit_pattern *single, const hit_domain *index)
{
    int found = -1;

    for (int d = 0; d < index->dims; d++) {
        const hit_index count = hit_sig_count(index->sig[d]);

        if (count < 2 || !hit_pattern_uses(single, d)) continue;
        if (found < 0 || count < hit_sig_count(index->sig[found])) found = d;
    }
    return found;
}

static hit_status add_exactly(const hit_message_request *request,
                              const hit_access *access, const hit_domain *index,
                              hit_region *touched);

static hit_status add_each_index(const hit_message_request *request,
                                 const hit_access *access, const hit_domain *index,
                                 int dim, hit_region *touched)
{
    const hit_index count = hit_sig_count(index->sig[dim]);
    hit_domain some = *index;

    for (hit_index k = 0; k < count; k++) {
        some.sig[dim] = hit_sig_slice(index->sig[dim], k, k);
        HIT_TRY(add_exactly(request, access, &some, touched));
    }
    return HIT_OK;
}

static hit_status add_each_element(const hit_message_request *request,
                                   const hit_access *access, const hit_domain *index,
                                   int dim, hit_region *touched)
{
    hit_access copy = *access;
    hit_range *range = &copy.range[dim];
    const hit_index last = range->end.offset;
    hit_index step; /* a range steps over elements of the tile */

    if (__builtin_mul_overflow(range->stride, request->tile.sig[dim].stride, &step)) {
        step = INT64_MAX;
    }
    for (;;) {
        range->end.offset = range->begin.offset;
        HIT_TRY(add_exactly(request, &copy, index, touched));
        if (last - range->begin.offset < step) return HIT_OK;
        range->begin.offset += step;
    }
}

/* Add exactly the elements of one expression. Its cover may have holes: where a remainder
 * starts again at 0, the indices are taken in two parts; where strided
 * indices touch ranges, the range is taken element by element; where several indices lead
 * to one place, as in "[4*b+o]", and in a diagonal, one of them is taken index by index:
 * whichever is shorter. Where data says what is written, boxes are put together. */
static hit_status add_exactly(const hit_message_request *request,
                              const hit_access *access, const hit_domain *index,
                              hit_region *touched)
{
    hit_access copy = *access;
    const hit_pattern single = {.index_dims = request->pattern->index_dims,
                                .tile_dims = request->pattern->tile_dims,
                                .count = 1,
                                .access = &copy};
    const int wide = wide_dimension(access, single.tile_dims);
    const int dim = short_dimension(&single, index);
    hit_domain one;
    hit_domain other;
    hit_index elements = INT64_MAX;
    hit_index indices = INT64_MAX;

    if (access->looks_up || hit_pattern_is_exact(&single, &request->tile, index)) {
        const hit_domain found = hit_access_apply(access, &request->tile, index);

        return hit_region_add(touched, &found);
    }
    if (hit_access_wraps(access, single.tile_dims, index, &one, &other)) {
        HIT_TRY(add_exactly(request, access, &one, touched));
        return add_exactly(request, access, &other, touched);
    }
    if (wide >= 0) {
        elements = access->range[wide].end.offset - access->range[wide].begin.offset + 1;
    }
    if (dim >= 0) indices = hit_sig_count(index->sig[dim]);
    if ((elements > MAX_PIECES && indices > MAX_PIECES) || touched->count > MAX_PIECES) {
        return HIT_FAIL(
            HIT_E_PATTERN,
            "the elements that a process writes are not a union of boxes, and "
            "%lld indices are too many to list them one by one (at most %d)",
            (long long)hit_domain_count(index), MAX_PIECES);
    }
    if (elements <= indices) {
        return add_each_element(request, access, index, wide, touched);
    }
    return add_each_index(request, access, index, dim, touched);
}

/* What @p index touches: exactly, where it is written; a superset will do where it is
 * read. */
static hit_status find_touched(const hit_message_request *request,
                               const hit_domain *index, hit_region *touched)
{
    if (request->direction == HIT_GATHER) {
        return hit_pattern_region(request->pattern, &request->tile, index, touched);
    }
    for (int k = 0; k < request->pattern->count; k++) {
        HIT_TRY(add_exactly(request, &request->pattern->access[k], index, touched));
    }
    return HIT_OK;
}

/* What the indices of @p rank touch of the tile. */
static hit_status find(const hit_message_request *request, int rank, hit_needs *list)
{
    hit_region indices = {0};
    hit_status status;

    HIT_TRY_GOTO(status, hit_split_part(request->split, rank, &indices), done);
    for (int k = 0; k < indices.count && status == HIT_OK; k++) {
        hit_region touched = {0};

        status = find_touched(request, &indices.part[k], &touched);
        for (int b = 0; b < touched.count && status == HIT_OK; b++) {
            status = hit_needs_add(&request->tile, request->boundary, &touched.part[b], k,
                                   list);
        }
        hit_region_clear(&touched);
    }
done:
    hit_region_clear(&indices);
    return status;
}

hit_domain hit_needs_overlap(const hit_image *image, const hit_domain *owned)
{
    hit_domain found = image->domain;

    for (int d = 0; d < found.dims; d++) {
        const int sign = image->remap.sign[d];
        const hit_index offset = image->remap.offset[d];

        if (sign != 0) {
            found.sig[d] = hit_sig_intersect(
                found.sig[d], hit_sig_preimage(owned->sig[d], sign, offset));
        } else if (!hit_sig_has(owned->sig[d], offset)) {
            return hit_domain_empty(found.dims);
        }
    }
    return found;
}

/* Needing the same is common: what all need, or all of a row or a column of a grid, is
 * then compared once per process, not once per pair of processes. */
static bool same_needs(const hit_needs *a, const hit_needs *b)
{
    if (a->count != b->count) return false;
    for (int k = 0; k < a->count; k++) {
        const hit_image *x = &a->item[k].image;
        const hit_image *y = &b->item[k].image;

        if (x->constant != y->constant || !hit_domain_equal(&x->domain, &y->domain) ||
            memcmp(&x->remap, &y->remap, sizeof(hit_remap)) != 0) {
            return false;
        }
    }
    return true;
}

static uint64_t hash_needs(const hit_needs *need)
{
    uint64_t hash = hit_hash_word(HIT_HASH_START, (uint64_t)need->count);

    for (int k = 0; k < need->count; k++) {
        hash = hit_hash_place(hash, &need->item[k].image.domain);
    }
    return hash;
}

/* The first place before @p p, or @p p itself, that needs the same; the table holds those
 * that are the first. */
static int first_alike(const hit_everyone *everyone, int p, hit_table *firsts)
{
    const uint64_t hash = hash_needs(&everyone->need[p]);
    int k = hit_table_first(firsts, hash);

    while (k >= 0 && !same_needs(&everyone->need[k], &everyone->need[p])) {
        k = hit_table_next(firsts, k);
    }
    if (k >= 0) return k;
    hit_table_put(firsts, hash, p);
    return p;
}

static hit_status find_all(const hit_message_request *request, hit_everyone *everyone,
                           hit_table *firsts)
{
    HIT_TRY(hit_table_reserve(firsts, everyone->count, "a message plan"));
    for (int p = 0; p < everyone->count; p++) {
        const int rank = hit_everyone_rank(everyone, p);

        HIT_TRY(find(request, rank, &everyone->need[p]));
        HIT_TRY(hit_layout_part_in(request->layout, rank, &request->tile,
                                   &everyone->owned[p]));
        HIT_TRY(hit_everyone_own(everyone, p));
        everyone->like[p] = first_alike(everyone, p, firsts);
    }
    return HIT_OK;
}

/* Those that own what the whole launch touches: boxes around it will do. */
static hit_status add_owners(const hit_message_request *request, hit_owners *owners)
{
    hit_region touched = {0};
    hit_needs need = {0};
    hit_status status = hit_pattern_region(request->pattern, &request->tile,
                                           &request->split->index, &touched);

    for (int k = 0; k < touched.count && status == HIT_OK; k++) {
        status =
            hit_needs_add(&request->tile, request->boundary, &touched.part[k], 0, &need);
    }
    for (int k = 0; k < need.count && status == HIT_OK; k++) {
        if (!need.item[k].image.constant) {
            status = hit_owners_add(request->layout, &need.item[k].near, owners);
        }
    }
    clear_needs(&need);
    hit_region_clear(&touched);
    return status;
}

/* Who has indices, or owns what they touch. *owners: none where these are all. */
static hit_status find_who(const hit_message_request *request, hit_owners *owners)
{
    HIT_TRY(hit_split_owners(request->split, owners));
    if (!owners->all) HIT_TRY(add_owners(request, owners));
    if (owners->all) {
        hit_owners_clear(owners);
        owners->all = true;
    }
    hit_owners_sort(owners);
    return HIT_OK;
}

hit_status hit_everyone_own(hit_everyone *everyone, int place)
{
    const hit_region *owned = &everyone->owned[place];

    return hit_hulls_make(owned->part, owned->count, &everyone->hulls[place]);
}

int hit_everyone_place(const hit_everyone *everyone, int rank)
{
    int low = 0;
    int high = everyone->count;

    if (everyone->rank == NULL) { /* all are, or nobody */
        return rank < everyone->count ? rank : -1;
    }
    HIT_BISECT(k, low, high, everyone->rank[k] >= rank);
    return low < everyone->count && everyone->rank[low] == rank ? low : -1;
}

hit_status hit_everyone_make(int count, hit_everyone *everyone)
{
    const size_t room = (size_t)count;
    hit_arrays *all = &everyone->arrays;

    HIT_TRY(HIT_TAKE(all, room, everyone->need));
    HIT_TRY(HIT_TAKE(all, room, everyone->like));
    HIT_TRY(HIT_TAKE(all, room, everyone->hulls));
    HIT_TRY(HIT_TAKE(all, room, everyone->owned));
    everyone->count = count;
    return HIT_OK;
}

hit_status hit_everyone_find(const hit_message_request *request, hit_everyone *everyone)
{
    hit_table firsts = {0};
    hit_owners owners = {0};
    hit_status status = find_who(request, &owners);

    everyone->rank = owners.rank; /* theirs from here on */
    HIT_TRY(status);
    HIT_TRY(hit_everyone_make(owners.all ? request->ranks : owners.count, everyone));
    status = find_all(request, everyone, &firsts);
    hit_table_clear(&firsts);
    return status;
}

/* ---- who meets whom ---- */

/* Around all that a process needs of others, or owns. */
static hit_hull hull_of_need(const hit_needs *need)
{
    hit_hull made = hit_hull_of_nothing();

    for (int k = 0; k < need->count; k++) {
        if (!need->item[k].image.constant) {
            made = hit_hull_around(&made, &need->item[k].near);
        }
    }
    return made;
}

static hit_hull hull_of_owned(const hit_region *owned)
{
    hit_hull made = hit_hull_of_nothing();

    for (int k = 0; k < owned->count; k++) {
        hit_hull_widen(&made, &owned->part[k]);
    }
    return made;
}

hit_status hit_everyone_meet(const hit_message_request *request, hit_everyone *everyone)
{
    const int ranks = everyone->count;
    hit_hull *need; /* of all, and behind that what they own */
    hit_hull *owned;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(2 * (size_t)ranks, sizeof *need, &need));
    owned = need + ranks;
    for (int p = 0; p < ranks; p++) {
        need[p] = hull_of_need(&everyone->need[p]);
        owned[p] = hull_of_owned(&everyone->owned[p]);
    }
    status = hit_peers_find(need, owned, ranks, request->tile.dims, &everyone->owners,
                            &everyone->users);
    free(need);
    return status;
}

void hit_everyone_clear(hit_everyone *everyone)
{
    for (int p = 0; p < everyone->count; p++) {
        clear_needs(&everyone->need[p]);
        hit_hulls_clear(&everyone->hulls[p]);
        hit_region_clear(&everyone->owned[p]);
    }
    hit_peers_clear(&everyone->users);
    hit_peers_clear(&everyone->owners);
    free(everyone->rank);
    hit_arrays_free(&everyone->arrays);
    *everyone = (hit_everyone){0};
}
