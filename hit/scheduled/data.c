/* SPDX-License-Identifier: MIT
 * Data: boxes of tiles' memory by hash, and their copies in the memories that have one.
 */
#include "hit/scheduled/data.h"

#include "hit/base/alloc.h"
#include "hit/data/hash.h"

#include <stdlib.h>

/* ---- boxes ---- */

static int *bucket_of(const hit_scheduled *s, const hit_storage *storage, int piece,
                      const hit_domain *box)
{
    uint64_t hash = hit_hash_word(HIT_HASH_START, storage->number);

    hash = hit_hash_place(hit_hash_word(hash, (uint64_t)piece), box);
    return (int *)&s->bucket[hash % HIT_SCHEDULED_BUCKETS];
}

static int *tile_bucket_of(const hit_scheduled *s, const hit_storage *storage)
{
    return (int *)&s->tile_bucket[storage->number % HIT_SCHEDULED_BUCKETS];
}

void hit_scheduled_data_open(hit_scheduled *s)
{
    for (int b = 0; b < HIT_SCHEDULED_BUCKETS; b++) {
        s->bucket[b] = -1;
        s->tile_bucket[b] = -1;
    }
    s->free_datum = -1;
}

void hit_scheduled_data_close(hit_scheduled *s)
{
    for (int d = 0; d < s->graph.data; d++) {
        for (int n = 1; n < s->nodes; n++) {
            hit_scheduled_data_drop(s, d, n);
        }
    }
    free(s->datum);
    free(s->copy);
    s->datum = NULL;
    s->copy = NULL;
    s->datum_room = 0;
    hit_scheduled_data_open(s);
}

int hit_scheduled_data_find(const hit_scheduled *s, const hit_storage *storage, int piece,
                            const hit_domain *box)
{
    int d = *bucket_of(s, storage, piece, box);

    for (; d >= 0; d = s->datum[d].next) {
        const hit_scheduled_datum *one = &s->datum[d];

        if (one->storage != storage || one->piece != piece) continue;
        if (hit_domain_equal(&one->box, box)) return d;
    }
    return -1;
}

/* Those of all tiles, by their numbers. */
static int next_of_all(const hit_scheduled *s, int before)
{
    for (int d = before + 1; d < s->graph.data; d++) {
        if (s->datum[d].storage != NULL) return d;
    }
    return -1;
}

int hit_scheduled_data_next(const hit_scheduled *s, int before,
                            const hit_storage *storage, int piece, const hit_domain *box)
{
    int d;

    if (storage == NULL) return next_of_all(s, before);
    d = before < 0 ? *tile_bucket_of(s, storage) : s->datum[before].sibling;
    for (; d >= 0; d = s->datum[d].sibling) {
        const hit_scheduled_datum *one = &s->datum[d];
        hit_domain common;

        if (one->storage != storage || (piece >= 0 && one->piece != piece)) continue;
        if (box == NULL) return d;
        common = hit_domain_intersect(&one->box, box);
        if (!hit_domain_is_empty(&common)) return d;
    }
    return -1;
}

/** Room for what belongs to datum number @p datum. */
static hit_status make_room(hit_scheduled *s, int datum)
{
    const size_t room = 2 * (size_t)datum + 64;

    if ((size_t)datum < s->datum_room) return HIT_OK;
    HIT_TRY(hit_memory_resize(room, sizeof *s->datum, "boxes of tiles", &s->datum));
    HIT_TRY(hit_memory_resize(room * (size_t)s->nodes, sizeof *s->copy, "boxes of tiles",
                              &s->copy));
    s->datum_room = room;
    return HIT_OK;
}

hit_status hit_scheduled_data_add(hit_scheduled *s, hit_storage *storage, int piece,
                                  const hit_domain *box, int *datum)
{
    const int64_t bytes = hit_domain_count(box) * (int64_t)storage->type.size_bytes;
    int *bucket = bucket_of(s, storage, piece, box);
    int *tile_bucket = tile_bucket_of(s, storage);
    int made = s->free_datum;

    if (made >= 0) {
        s->free_datum = s->datum[made].next;
        hit_graph_set_bytes(&s->graph, made, bytes);
    } else {
        HIT_TRY(make_room(s, s->graph.data));
        HIT_TRY(hit_graph_add_datum(&s->graph, bytes, &made));
        for (int n = 0; n < s->nodes; n++) {
            s->copy[made * s->nodes + n] = NULL;
        }
    }
    s->datum[made] = (hit_scheduled_datum){.storage = storage,
                                           .piece = piece,
                                           .box = *box,
                                           .next = *bucket,
                                           .sibling = *tile_bucket};
    *bucket = made;
    *tile_bucket = made;
    *datum = made;
    return HIT_OK;
}

void hit_scheduled_data_forget(hit_scheduled *s, int datum)
{
    hit_scheduled_datum *one = &s->datum[datum];
    int *at = bucket_of(s, one->storage, one->piece, &one->box);
    int *of_tile = tile_bucket_of(s, one->storage);

    while (*at != datum) {
        at = &s->datum[*at].next;
    }
    *at = one->next;
    while (*of_tile != datum) {
        of_tile = &s->datum[*of_tile].sibling;
    }
    *of_tile = one->sibling;
    for (int n = 1; n < s->nodes; n++) {
        hit_scheduled_data_drop(s, datum, n);
    }
    one->storage = NULL;
    one->next = s->free_datum;
    s->free_datum = datum;
}

/* ---- copies ---- */

hit_view hit_scheduled_data_view(const hit_scheduled *s, int datum, int node)
{
    const hit_scheduled_datum *one = &s->datum[datum];

    if (node == 0) return one->storage->view[one->piece];
    return hit_view_make(&one->box, one->storage->type.size_bytes,
                         s->copy[datum * s->nodes + node]);
}

hit_status hit_scheduled_data_make(hit_scheduled *s, int datum, int node, hit_view *view)
{
    void **copy = &s->copy[datum * s->nodes + node];

    if (node > 0 && *copy == NULL) HIT_TRY(s->driver->take(s, datum, node, copy));
    *view = hit_scheduled_data_view(s, datum, node);
    return HIT_OK;
}

void hit_scheduled_data_drop(hit_scheduled *s, int datum, int node)
{
    void **copy = &s->copy[datum * s->nodes + node];

    if (*copy == NULL) return;
    s->driver->release(s, datum, node, *copy);
    *copy = NULL;
}

hit_status hit_scheduled_data_prepare(hit_scheduled *s, int datum, int from, int to,
                                      hit_view *source, hit_view *target)
{
    const hit_scheduled_datum *one = &s->datum[datum];

    *source = hit_scheduled_data_view(s, datum, from);
    if (source->data == NULL && one->not_written == 0) {
        return HIT_FAIL(HIT_E_INTERNAL,
                        "tile %s: expected a copy in memory %d but found none",
                        one->storage->name, from);
    }
    return hit_scheduled_data_make(s, datum, to, target);
}
