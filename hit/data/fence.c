/* SPDX-License-Identifier: MIT
 * The dependency log: a set of disjoint boxes, each with the last events of every source
 * that write and read it. A box that equals one of the set is disjoint from all others,
 * so that one look-up decides. A box that does not is compared with all: those that it
 * meets are cut along its faces, and a write makes one box of what it covers again. Boxes
 * whose events are over go when they are met, or are many. Of the loose source each box
 * has a list, since the last event says nothing of those before it. */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/data/fence_impl.h"

#include <stdlib.h>
#include <string.h>

enum {
    FEW = 4,   /* boxes: room at first, of a tile that is seldom used, */
    SPARE = 32 /* and more of it where that is too little */
};

static const char log_name[] = "a dependency log";

hit_status hit_fence_create(int sources, int loose, const uint64_t over[],
                            hit_fence **fence)
{
    const size_t events_bytes = 2 * (size_t)sources * sizeof(uint64_t);
    hit_fence *made = NULL;

    *fence = NULL;
    HIT_TRY(hit_memory_zeroed(1, sizeof(*made) + events_bytes, &made));
    made->all = (uint64_t *)(made + 1);
    made->sources = sources;
    made->loose = loose;
    made->pool.size_bytes = sizeof(hit_loose_link);
    made->over = over;
    made->sweeps = HIT_FENCE_MANY;
    made->entry_bytes = sizeof(hit_fence_entry) + events_bytes;
    *fence = made;
    return HIT_OK;
}

void hit_fence_destroy(hit_fence **fence)
{
    hit_fence *closing = *fence;

    if (closing == NULL) return;
    hit_region_clear(&closing->rest);
    hit_pool_clear(&closing->pool);
    free(closing->outlines);
    hit_table_clear(&closing->by_box);
    free(closing->entries);
    free(closing);
    *fence = NULL;
}

/* ---- the set ---- */

static uint64_t hash_of(int piece, const hit_domain *box)
{
    uint64_t hash = (uint64_t)piece;

    for (int d = 0; d < box->dims; d++) {
        hash = hit_hash_word(hash, (uint64_t)box->sig[d].begin);
        hash = hit_hash_word(hash, (uint64_t)box->sig[d].end);
    }
    return hash;
}

static hit_fence_entry *find_box(const hit_fence *fence, int piece, const hit_domain *box)
{
    int k = hit_table_first(&fence->by_box, hash_of(piece, box));

    for (; k >= 0; k = hit_table_next(&fence->by_box, k)) {
        hit_fence_entry *e = hit_fence_at(fence, k);

        if (e->piece == piece && hit_domain_equal(&e->box, box)) return e;
    }
    return NULL;
}

void hit_fence_note_box(hit_fence *fence, int k)
{
    const hit_fence_entry *e = hit_fence_at(fence, k);

    hit_table_put(&fence->by_box, hash_of(e->piece, &e->box), k);
    hit_outlines_set(fence->outlines, k, &e->box);
}

static void drop_tasks(hit_fence *fence, hit_fence_entry *e)
{
    if (e->writers.first >= 0) hit_loose_drop(&fence->pool, &e->writers, UINT64_MAX);
    if (e->readers.first >= 0) hit_loose_drop(&fence->pool, &e->readers, UINT64_MAX);
}

void hit_fence_take_out(hit_fence *fence, int k)
{
    const int last = --fence->count;

    drop_tasks(fence, hit_fence_at(fence, k));
    hit_table_drop(&fence->by_box, k);
    if (k == last) return;
    hit_table_drop(&fence->by_box, last);
    memcpy(hit_fence_at(fence, k), hit_fence_at(fence, last), fence->entry_bytes);
    hit_fence_note_box(fence, k);
}

/* Memory for @p more entries; where there is not enough, for twice as many, so that a
 * time loop allocates in its first step only. */
static hit_status make_room(hit_fence *fence, int more)
{
    const int room = fence->room == 0 ? FEW + more : 2 * (fence->count + more) + SPARE;

    if (fence->count + more <= fence->room) return HIT_OK;
    HIT_TRY(
        hit_memory_resize((size_t)room, fence->entry_bytes, log_name, &fence->entries));
    HIT_TRY(hit_outlines_resize(fence->room, room, &fence->outlines));
    HIT_TRY(hit_table_reserve(&fence->by_box, room, log_name));
    fence->room = room;
    return HIT_OK;
}

/* make_room() and hit_pool_reserve() came before. @p like: whose events it has; NULL:
 * none. */
static hit_fence_entry *put_in(hit_fence *fence, int piece, const hit_domain *box,
                               const hit_fence_entry *like)
{
    hit_fence_entry *e = hit_fence_at(fence, fence->count);

    memset(e, 0, fence->entry_bytes);
    e->piece = piece;
    e->box = *box;
    e->writers.first = e->readers.first = -1;
    if (like != NULL) {
        memcpy(e->event, like->event, fence->entry_bytes - sizeof(hit_fence_entry));
        if (fence->pool.taken > 0) { /* some box has tasks */
            hit_loose_copy(&fence->pool, &like->writers, &e->writers);
            hit_loose_copy(&fence->pool, &like->readers, &e->readers);
        }
    }
    hit_fence_note_box(fence, fence->count++);
    return e;
}

/* ---- events ---- */

/* The last event of the loose source that comes before an access; 0: none. */
static uint64_t last_task(const hit_fence *fence, const hit_fence_entry *e, bool writes)
{
    uint64_t over;
    uint64_t written;
    uint64_t read;

    if (e->writers.first < 0 && e->readers.first < 0) return 0;
    over = fence->over[fence->loose];
    written = hit_loose_last(&fence->pool, &e->writers, over);
    read = writes ? hit_loose_last(&fence->pool, &e->readers, over) : 0;
    return written > read ? written : read;
}

bool hit_fence_is_over(const hit_fence *fence, const hit_fence_entry *e)
{
    for (int k = 0; k < 2 * fence->sources; k++) {
        if (e->event[k] > fence->over[k % fence->sources]) return false;
    }
    return last_task(fence, e, true) == 0;
}

/* Add those of @p logged that come before an access. */
static bool collect(const hit_fence *fence, const uint64_t logged[], bool writes,
                    uint64_t event[])
{
    const int kinds = writes ? 2 : 1;
    bool any = false;

    for (int k = 0; k < kinds * fence->sources; k++) {
        const int source = k % fence->sources;

        if (logged[k] <= fence->over[source]) continue;
        if (logged[k] > event[source]) event[source] = logged[k];
        any = true;
    }
    return any;
}

/* The same of all events of a box. */
static bool collect_all(const hit_fence *fence, const hit_fence_entry *e, bool writes,
                        uint64_t event[])
{
    const bool any = collect(fence, e->event, writes, event);
    const uint64_t last = last_task(fence, e, writes);

    if (last == 0) return any;
    if (last > event[fence->loose]) event[fence->loose] = last;
    return true;
}

/* The first from number *k on that meets the box (NULL: all), whose outline is @p near,
 * of which *k becomes the number. NULL: none does. */
static hit_fence_entry *next_met(const hit_fence *fence, int piece, const hit_domain *box,
                                 const hit_outline *near, int *k, hit_domain *common)
{
    while ((*k = hit_outlines_next(fence->outlines, *k, fence->count, near)) >= 0) {
        hit_fence_entry *e = hit_fence_at(fence, *k);

        if (box == NULL) return e;
        if (e->piece == piece) {
            *common = hit_domain_intersect(&e->box, box);
            if (!hit_domain_is_empty(common)) return e;
        }
        ++*k;
    }
    return NULL;
}

bool hit_fence_find(const hit_fence *fence, int piece, const hit_domain *box, bool writes,
                    uint64_t event[])
{
    const hit_fence_entry *known;
    hit_outline near;
    hit_domain common;
    bool any = false;

    if (fence == NULL) return false;
    memset(event, 0, (size_t)fence->sources * sizeof(event[0]));
    any = fence->folded && collect(fence, fence->all, writes, event);
    if (fence->count == 0) return any;
    known = box != NULL ? find_box(fence, piece, box) : NULL;
    if (known != NULL) return collect_all(fence, known, writes, event) || any;
    near = hit_outline_of(box);
    for (int k = 0; (known = next_met(fence, piece, box, &near, &k, &common)) != NULL;
         k++) {
        any = collect_all(fence, known, writes, event) || any;
    }
    return any;
}

static hit_status visit_tasks(const hit_fence *fence, const hit_fence_entry *e,
                              bool writes, hit_loose_visitor *visit, void *of)
{
    const uint64_t over = fence->over[fence->loose];

    HIT_TRY(hit_loose_visit(&fence->pool, &e->writers, over, visit, of));
    return writes ? hit_loose_visit(&fence->pool, &e->readers, over, visit, of) : HIT_OK;
}

/* Of a box that the set does not have. */
static hit_status visit_met(const hit_fence *fence, int piece, const hit_domain *box,
                            bool writes, hit_loose_visitor *visit, void *of)
{
    const hit_outline near = hit_outline_of(box);
    const hit_fence_entry *met;
    hit_domain common;

    for (int k = 0; (met = next_met(fence, piece, box, &near, &k, &common)) != NULL;
         k++) {
        HIT_TRY(visit_tasks(fence, met, writes, visit, of));
    }
    return HIT_OK;
}

hit_status hit_fence_visit(const hit_fence *fence, int piece, const hit_domain *box,
                           bool writes, hit_loose_visitor *visit, void *of)
{
    const hit_fence_entry *known;

    if (fence == NULL || fence->count == 0 || fence->loose < 0) return HIT_OK;
    known = box != NULL ? find_box(fence, piece, box) : NULL;
    if (known != NULL) return visit_tasks(fence, known, writes, visit, of);
    return visit_met(fence, piece, box, writes, visit, of);
}

/* ---- adding ---- */

static hit_status log_access(hit_fence *fence, hit_fence_entry *e, bool writes,
                             int source, uint64_t event)
{
    HIT_TRY(hit_pool_reserve(&fence->pool, source == fence->loose, log_name));
    if (writes) {
        memset(e->event, 0, 2 * (size_t)fence->sources * sizeof(uint64_t));
        drop_tasks(fence, e);
    }
    if (source != fence->loose) {
        e->event[writes ? source : fence->sources + source] = event;
    } else {
        hit_loose_add(&fence->pool, writes ? &e->writers : &e->readers, event,
                      fence->over[source]);
    }
    return HIT_OK;
}

/* Let no box of the set lie half inside @p box: what is outside becomes boxes of its own.
 * Those that are over, and for a write those inside, go. */
static hit_status cut(hit_fence *fence, int piece, const hit_domain *box, bool writes)
{
    const hit_outline near = hit_outline_of(box);
    int k = 0;
    hit_domain common;
    hit_fence_entry *e;

    while ((e = next_met(fence, piece, box, &near, &k, &common)) != NULL) {
        if (!hit_fence_is_over(fence, e) && !hit_domain_equal(&common, &e->box)) {
            fence->rest.count = 0;
            HIT_TRY(hit_region_append_rest(&fence->rest, &e->box, &common));
            HIT_TRY(make_room(fence, fence->rest.count + 1));
            e = hit_fence_at(fence, k);
            HIT_TRY(hit_pool_reserve(&fence->pool,
                                     (fence->rest.count + 1) *
                                         (e->writers.count + e->readers.count),
                                     log_name));
            for (int r = 0; r < fence->rest.count; r++) {
                (void)put_in(fence, piece, &fence->rest.part[r], e);
            }
            if (!writes) (void)put_in(fence, piece, &common, e);
            hit_fence_take_out(fence, k);
        } else if (writes || hit_fence_is_over(fence, e)) {
            hit_fence_take_out(fence, k); /* another one gets its number */
        } else {
            k++;
        }
    }
    return HIT_OK;
}

/* Is it so much larger than a read that a part of it is told apart? */
static bool is_large(const hit_fence_entry *e, hit_index read)
{
    return hit_domain_count(&e->box) / 2 > read;
}

/* Read the boxes of the set that are met. *left: the elements that none of them holds;
 * -1: one is too large to be read as a whole. Without a visitor all of them lie inside.
 */
static hit_status read_met(hit_fence *fence, int piece, const hit_domain *box, int source,
                           const hit_loose_event *event, hit_index *left)
{
    const hit_outline near = hit_outline_of(box);
    const hit_index count = hit_domain_count(box);
    hit_index found = 0;
    hit_domain common;
    hit_fence_entry *e;

    *left = -1;
    for (int k = 0; (e = next_met(fence, piece, box, &near, &k, &common)) != NULL; k++) {
        if (event->visit != NULL) {
            if (is_large(e, count)) return HIT_OK;
            HIT_TRY(visit_tasks(fence, e, false, event->visit, event->of));
        }
        HIT_TRY(log_access(fence, e, false, source, event->number));
        found += hit_domain_count(&common);
    }
    *left = count - found;
    return HIT_OK;
}

/* What no box of the set holds. */
static hit_status read_rest(hit_fence *fence, int piece, const hit_domain *box,
                            int source, uint64_t event)
{
    fence->rest.count = 0;
    HIT_TRY(hit_region_append(&fence->rest, box));
    while (fence->rest.count > 0) {
        const hit_domain part = fence->rest.part[--fence->rest.count];
        const hit_outline near = hit_outline_of(&part);
        int k = 0;
        hit_domain common;
        hit_fence_entry *e = next_met(fence, piece, &part, &near, &k, &common);

        if (e != NULL) {
            HIT_TRY(hit_region_append_rest(&fence->rest, &part, &common));
            continue;
        }
        HIT_TRY(make_room(fence, 1));
        e = put_in(fence, piece, &part, NULL);
        HIT_TRY(log_access(fence, e, false, source, event));
    }
    return HIT_OK;
}

static hit_status log_read(hit_fence *fence, int piece, const hit_domain *box, int source,
                           uint64_t event)
{
    const hit_loose_event quiet = {event, NULL, NULL};
    hit_index left;

    HIT_TRY(read_met(fence, piece, box, source, &quiet, &left));
    return left > 0 ? read_rest(fence, piece, box, source, event) : HIT_OK;
}

/* Of a box that the set does not have. */
static hit_status add_new(hit_fence *fence, int piece, const hit_domain *box, bool writes,
                          int source, uint64_t event)
{
    if (hit_domain_is_empty(box)) return HIT_OK;
    fence->scans++;
    hit_fence_shorten(fence);
    HIT_TRY(make_room(fence, 1));
    HIT_TRY(cut(fence, piece, box, writes));
    if (!writes) return log_read(fence, piece, box, source, event);
    HIT_TRY(make_room(fence, 1));
    return log_access(fence, put_in(fence, piece, box, NULL), true, source, event);
}

hit_status hit_fence_add(hit_fence *fence, int piece, const hit_domain *box, bool writes,
                         int source, uint64_t event)
{
    hit_fence_entry *known = find_box(fence, piece, box);

    if (known != NULL) return log_access(fence, known, writes, source, event);
    return add_new(fence, piece, box, writes, source, event);
}

hit_status hit_fence_follow(hit_fence *fence, int piece, const hit_domain *box,
                            bool writes, const hit_loose_event *event)
{
    hit_fence_entry *known = find_box(fence, piece, box);

    if (known != NULL) {
        HIT_TRY(visit_tasks(fence, known, writes, event->visit, event->of));
        return log_access(fence, known, writes, fence->loose, event->number);
    }
    HIT_TRY(visit_met(fence, piece, box, writes, event->visit, event->of));
    return add_new(fence, piece, box, writes, fence->loose, event->number);
}

hit_status hit_fence_follow_blocks(hit_fence *fence, int piece, const hit_domain *box,
                                   const hit_loose_event *event)
{
    hit_index left;

    if (hit_domain_is_empty(box)) return HIT_OK;
    HIT_TRY(read_met(fence, piece, box, fence->loose, event, &left));
    if (left < 0) return hit_fence_follow(fence, piece, box, false, event);
    if (left == 0) return HIT_OK;
    hit_fence_shorten(fence);
    return read_rest(fence, piece, box, fence->loose, event->number);
}

int hit_fence_boxes(const hit_fence *fence)
{
    return fence->count;
}

uint64_t hit_fence_scans(const hit_fence *fence)
{
    return fence->scans;
}
