/* SPDX-License-Identifier: MIT
 * Residents: boxes of tiles in the memory of the device, with the region of each that is
 * valid and the region that the host does not have. Launches ask for boxes; whatever is
 * valid on the device is copied there, or used where it is, and only the rest comes from
 * the host. */
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/data/domain_set.h"
#include "hit/device/device.h"
#include "hit/tile/tile_impl.h"

#include <stdio.h>
#include <stdlib.h>

static bool inside(const hit_region *region, const hit_domain *box)
{
    for (int k = 0; k < region->count; k++) {
        if (hit_domain_inside(box, &region->part[k])) return true;
    }
    return false;
}

/* Add a box as one part of the region, so that inside() finds it again. */
static hit_status put(hit_region *region, const hit_domain *box)
{
    hit_region made = {0};
    hit_status status;

    HIT_TRY(hit_region_copy(region, &made));
    HIT_TRY_GOTO(status, hit_region_subtract(&made, box), fail);
    HIT_TRY_GOTO(status, hit_region_append(&made, box), fail);
    hit_region_clear(region);
    *region = made;
    return HIT_OK;
fail:
    hit_region_clear(&made);
    return status;
}

/* ---- copies ---- */

static hit_status copy(hit_residents *all, hit_way way, const hit_view *from,
                       const hit_view *to, const hit_domain *domain)
{
    const uint64_t bytes = (uint64_t)hit_domain_count(domain) * from->size_bytes;
    hit_device *device = all->device;

    HIT_TRY(hit_device_copy(device, HIT_LANE_RUN, way, from, to, domain));
    if (way == HIT_WAY_IN) all->bytes_in += bytes;
    if (way == HIT_WAY_OUT) all->bytes_out += bytes;
    return HIT_OK;
}

/* Send the dirty elements in @p box to the host; they are no longer dirty then. */
static hit_status write_back(hit_residents *all, hit_resident *r, const hit_domain *box)
{
    const hit_view *host = &r->home->storage->view[r->piece];
    hit_region left = {0};
    hit_status status;

    HIT_TRY(hit_region_copy(&r->dirty, &left));
    HIT_TRY_GOTO(status, hit_region_subtract(&left, box), done);
    for (int k = 0; k < r->dirty.count; k++) {
        const hit_domain part = hit_domain_intersect(&r->dirty.part[k], box);

        if (hit_domain_is_empty(&part)) continue;
        HIT_TRY_GOTO(status, copy(all, HIT_WAY_OUT, &r->view, host, &part), done);
    }
    HIT_TRY_GOTO(status, hit_device_wait(all->device), done);
    hit_region_clear(&r->dirty);
    r->dirty = left;
    return HIT_OK;
done:
    hit_region_clear(&left);
    return status;
}

/* ---- one resident ---- */

static void unlink_one(hit_residents *all, hit_resident *r)
{
    hit_resident **at = &all->first;

    while (*at != r) {
        at = &(*at)->next;
    }
    *at = r->next;
    at = &r->home->first;
    while (*at != r) {
        at = &(*at)->sibling;
    }
    *at = r->sibling;
}

static void destroy(hit_residents *all, hit_resident *r)
{
    unlink_one(all, r);
    hit_device_give(all->device, r->view.data, r->size_bytes);
    hit_region_clear(&r->valid);
    hit_region_clear(&r->dirty);
    free(r);
}

/* A launch uses it, or the program does. */
static bool stays(const hit_resident *r)
{
    return r->pinned || (r->lent && r->home->storage->holds > 0);
}

static bool loses(const hit_resident *a, const hit_resident *b)
{
    const bool clean_a = a->dirty.count == 0;
    const bool clean_b = b->dirty.count == 0;

    if (clean_a != clean_b) return clean_a;
    return a->last_used < b->last_used;
}

/* Free the resident that is missed least; *freed is false if there is none. */
static hit_status evict_one(hit_residents *all, bool *freed)
{
    hit_resident *loser = NULL;

    for (hit_resident *r = all->first; r != NULL; r = r->next) {
        if (!stays(r) && (loser == NULL || loses(r, loser))) loser = r;
    }
    *freed = loser != NULL;
    if (loser == NULL) return HIT_OK;
    if (loser->dirty.count > 0) {
        const hit_domain box = loser->view.domain;

        HIT_TRY(write_back(all, loser, &box));
    }
    destroy(all, loser);
    return HIT_OK;
}

hit_status hit_residents_evict(hit_residents *all)
{
    bool freed = true;

    while (freed) {
        HIT_TRY(evict_one(all, &freed));
    }
    return HIT_OK;
}

/* Memory for a box: what is streamed and what is not pinned gives way. */
static hit_status take(hit_residents *all, size_t size_bytes, void **memory)
{
    for (;;) {
        hit_status status = hit_device_take(all->device, size_bytes, memory);
        bool freed = true;

        if (status != HIT_E_LIMIT && status != HIT_E_NOMEM) return status;
        if (all->device->arena != NULL) {
            hit_device_release_arena(all->device);
            continue;
        }
        HIT_TRY(evict_one(all, &freed));
        if (!freed) return status;
    }
}

static hit_status create(hit_residents *all, const hit_wish *wish, hit_resident **made)
{
    const size_t size = wish->host->size_bytes;
    const size_t bytes = (size_t)hit_domain_count(&wish->box) * size;
    hit_resident *r = NULL;
    void *memory = NULL;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*r), &r));
    status = take(all, bytes, &memory);
    if (status != HIT_OK) {
        free(r);
        return status;
    }
    *r = (hit_resident){.all = all,
                        .home = wish->home,
                        .piece = wish->piece,
                        .view = hit_view_make(&wish->box, size, memory),
                        .size_bytes = bytes,
                        .sibling = wish->home->first,
                        .next = all->first};
    wish->home->first = r;
    all->first = r;
    *made = r;
    return HIT_OK;
}

/* ---- loading ---- */

/* Copy what @p from holds of @p missing to @p to, on the device. */
static hit_status fetch_from(hit_residents *all, const hit_resident *from,
                             hit_resident *to, hit_region *missing)
{
    for (int k = 0; k < from->valid.count; k++) {
        for (int m = 0; m < missing->count; m++) {
            const hit_domain part =
                hit_domain_intersect(&from->valid.part[k], &missing->part[m]);

            if (hit_domain_is_empty(&part)) continue;
            HIT_TRY(copy(all, HIT_WAY_WITHIN, &from->view, &to->view, &part));
        }
    }
    for (int k = 0; k < from->valid.count; k++) {
        HIT_TRY(hit_region_subtract(missing, &from->valid.part[k]));
    }
    return HIT_OK;
}

static hit_status fetch(hit_residents *all, const hit_wish *wish, hit_resident *r,
                        hit_region *missing)
{
    HIT_TRY(hit_region_append(missing, &wish->need));
    for (int k = 0; k < r->valid.count; k++) {
        HIT_TRY(hit_region_subtract(missing, &r->valid.part[k]));
    }
    for (hit_resident *s = r->home->first; s != NULL && missing->count > 0;
         s = s->sibling) {
        if (s != r && s->piece == r->piece) HIT_TRY(fetch_from(all, s, r, missing));
    }
    for (int k = 0; k < missing->count; k++) {
        HIT_TRY(copy(all, HIT_WAY_IN, wish->host, &r->view, &missing->part[k]));
    }
    return HIT_OK;
}

static hit_status load(hit_residents *all, const hit_wish *wish, hit_resident *r)
{
    hit_region missing = {0};
    hit_status status;

    if (inside(&r->valid, &wish->need)) return HIT_OK;
    HIT_TRY_GOTO(status, fetch(all, wish, r, &missing), done);
    status = put(&r->valid, &wish->need);
done:
    hit_region_clear(&missing);
    return status;
}

/* Residents whose box lies inside that of @p r are of no more use. */
static hit_status absorb(hit_residents *all, hit_resident *r, const hit_wish *wish)
{
    hit_resident *s = r->home->first;

    while (s != NULL) {
        hit_resident *after = s->sibling;
        const bool taken = s != r && s->piece == r->piece && !stays(s) &&
                           hit_domain_inside(&s->view.domain, &wish->need);

        for (int k = 0; taken && wish->load && k < s->dirty.count; k++) {
            HIT_TRY(hit_region_add(&r->dirty, &s->dirty.part[k]));
        }
        if (taken) destroy(all, s);
        s = after;
    }
    return HIT_OK;
}

/* The smallest resident that holds the need. */
static hit_resident *find(const hit_wish *wish)
{
    hit_resident *best = NULL;

    for (hit_resident *s = wish->home->first; s != NULL; s = s->sibling) {
        if (s->piece != wish->piece || !hit_domain_inside(&wish->need, &s->view.domain)) {
            continue;
        }
        if (best == NULL || s->size_bytes < best->size_bytes) best = s;
    }
    return best;
}

static hit_status acquire(hit_residents *all, const hit_wish *wish, hit_resident **found)
{
    hit_resident *r = find(wish);
    const bool fresh = r == NULL;

    if (fresh) HIT_TRY(create(all, wish, &r));
    r->pinned = true;
    r->last_used = all->clock;
    if (wish->load) HIT_TRY(load(all, wish, r));
    if (fresh) HIT_TRY(absorb(all, r, wish));
    *found = r;
    return HIT_OK;
}

static void unpin(hit_residents *all)
{
    for (hit_resident *r = all->first; r != NULL; r = r->next) {
        r->pinned = false;
    }
}

static hit_status acquire_all(hit_residents *all, int count, const hit_wish wish[],
                              hit_resident *found[])
{
    hit_status status = HIT_OK;

    for (int k = 0; k < count; k++) { /* first, so that no other wish drives them out */
        hit_resident *r = find(&wish[k]);

        if (r != NULL) r->pinned = true;
    }
    for (int k = 0; k < count && status == HIT_OK; k++) {
        status = acquire(all, &wish[k], &found[k]);
    }
    if (status != HIT_OK) unpin(all);
    return status;
}

hit_status hit_residents_acquire(hit_residents *all, int count, const hit_wish wish[],
                                 hit_resident *found[])
{
    hit_status status;

    all->clock++;
    status = acquire_all(all, count, wish, found);
    if (status != HIT_E_LIMIT && status != HIT_E_NOMEM) return status;
    /* boxes of earlier launches may be larger than what this one needs: from scratch */
    HIT_TRY(hit_residents_evict(all));
    return acquire_all(all, count, wish, found);
}

/* ---- writes, on the device and on the host ---- */

/* What all residents but @p kept hold of @p box is old. */
static hit_status forget_but(hit_home *home, int piece, const hit_domain *box,
                             const hit_resident *kept)
{
    for (hit_resident *s = home->first; s != NULL; s = s->sibling) {
        if (s == kept || s->piece != piece || !hit_domain_meets(&s->view.domain, box)) {
            continue;
        }
        HIT_TRY(hit_region_subtract(&s->dirty, box));
        HIT_TRY(hit_region_subtract(&s->valid, box));
    }
    return HIT_OK;
}

hit_status hit_residents_forget(hit_home *home, int piece, const hit_domain *box)
{
    return forget_but(home, piece, box, NULL);
}

static hit_status note_written(hit_residents *all, const hit_wish *wish, hit_resident *r)
{
    if (wish->home->storage == NULL) { /* temporary */
        HIT_TRY(copy(all, HIT_WAY_OUT, &r->view, wish->host, &wish->written));
        return hit_device_wait(all->device);
    }
    HIT_TRY(forget_but(r->home, r->piece, &wish->written, r));
    if (!inside(&r->valid, &wish->written)) HIT_TRY(put(&r->valid, &wish->written));
    if (!inside(&r->dirty, &wish->written)) HIT_TRY(put(&r->dirty, &wish->written));
    return HIT_OK;
}

hit_status hit_residents_release(hit_residents *all, int count, const hit_wish wish[],
                                 hit_resident *const found[])
{
    hit_status status = HIT_OK;

    for (int k = 0; k < count; k++) {
        if (wish[k].writes && status == HIT_OK) {
            status = note_written(all, &wish[k], found[k]);
        }
    }
    unpin(all); /* also those that others took the place of meanwhile */
    return status;
}

hit_status hit_residents_sync(hit_residents *all, hit_home *home, int piece,
                              const hit_domain *box)
{
    for (hit_resident *s = home->first; s != NULL; s = s->sibling) {
        bool any = false;

        if (s->piece != piece) continue;
        for (int k = 0; k < s->dirty.count && !any; k++) {
            any = hit_domain_meets(&s->dirty.part[k], box);
        }
        if (any) HIT_TRY(write_back(all, s, box));
    }
    return HIT_OK;
}

/* ---- copies of a tile's elements beside others of it ---- */

/* Those of @p box that are images of elements in @p source. */
static hit_domain images_in(const hit_remap *remap, const hit_domain *box,
                            const hit_domain *source)
{
    hit_domain in = *box;

    for (int d = 0; d < in.dims; d++) {
        in.sig[d] =
            hit_sig_intersect(in.sig[d], hit_sig_preimage(source->sig[d], remap->sign[d],
                                                          remap->offset[d]));
    }
    return in;
}

/* A device copies boxes that are shifted: what is mirrored or repeated along a dimension
 * goes layer by layer, and is a halo, of few layers. */
static hit_status copy_images(hit_residents *all, const hit_resident *from,
                              const hit_resident *to, const hit_remap *remap,
                              const hit_domain *box)
{
    hit_domain layers = *box;

    for (int d = 0; d < box->dims; d++) {
        const hit_index first = box->sig[d].begin;

        if (remap->sign[d] == 1) layers.sig[d] = hit_sig_make(first, first, 1);
    }
    HIT_FOR_EACH (at, layers) {
        hit_domain layer = *box;
        hit_domain source;
        hit_view shifted;

        for (int d = 0; d < box->dims; d++) {
            if (remap->sign[d] != 1) layer.sig[d] = hit_sig_make(at[d], at[d], 1);
        }
        source = hit_remap_apply(remap, &layer);
        shifted = hit_view_select(&from->view, &source);
        shifted.domain = layer;
        HIT_TRY(copy(all, HIT_WAY_WITHIN, &shifted, &to->view, &layer));
    }
    return HIT_OK;
}

/* The host has not what is on the device now. */
static hit_status note_images(hit_resident *to, const hit_domain *box, hit_region *left)
{
    HIT_TRY(forget_but(to->home, to->piece, box, to));
    HIT_TRY(put(&to->valid, box));
    HIT_TRY(put(&to->dirty, box));
    return hit_region_subtract(left, box);
}

/* As much of *left as @p from has, for @p to. */
static hit_status image_from(hit_residents *all, const hit_resident *from,
                             hit_resident *to, const hit_remap *remap, hit_region *left)
{
    for (int v = 0; v < from->valid.count; v++) {
        const hit_domain source = from->valid.part[v]; /* it may be the same resident */

        for (int k = 0; k < left->count;) {
            const hit_domain wanted =
                hit_domain_intersect(&left->part[k], &to->view.domain);
            const hit_domain box = images_in(remap, &wanted, &source);

            if (hit_domain_is_empty(&wanted) || hit_domain_is_empty(&box)) {
                k++;
                continue;
            }
            HIT_TRY(copy_images(all, from, to, remap, &box));
            HIT_TRY(note_images(to, &box, left));
            k = 0; /* they are others now */
        }
    }
    return HIT_OK;
}

hit_status hit_residents_image(hit_residents *all, hit_home *home,
                               const hit_image_pair *pair, hit_region *left)
{
    for (hit_resident *to = home->first; to != NULL; to = to->sibling) {
        if (to->piece != pair->to) continue;
        for (hit_resident *from = home->first; from != NULL; from = from->sibling) {
            if (from->piece != pair->from) continue;
            HIT_TRY(image_from(all, from, to, &pair->remap, left));
        }
    }
    return HIT_OK;
}

void hit_residents_drop(hit_home *home)
{
    while (home->first != NULL) {
        /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): it takes itself out of the list */
        destroy(home->first->all, home->first);
    }
}

void hit_residents_print(const hit_residents *all, char *text, size_t size)
{
    snprintf(text, size, "%s", all->first == NULL ? "no tiles" : "");
    for (const hit_resident *r = all->first; r != NULL; r = r->next) {
        const hit_storage *storage = r->home->storage;
        char bytes[32];

        hit_memory_print(r->size_bytes, bytes, sizeof(bytes));
        hit_text_add(text, size, "%s%s %s", text[0] != '\0' ? ", " : "",
                     storage != NULL ? storage->name : "temporary", bytes);
    }
}
