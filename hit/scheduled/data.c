/* SPDX-License-Identifier: MIT
 * Data: boxes of tiles' memory by hash, and their copies in the memories that have one.
 */
#include "hit/base/alloc.h"
#include "hit/data/domain_set.h"
#include "hit/data/hash.h"
#include "hit/scheduled/schedule_impl.h"

#include <stdlib.h>
#include <string.h>

/* ---- boxes ---- */

static uint64_t hash_of(const hit_storage *storage, int piece, const hit_domain *box)
{
    const uint64_t hash = hit_hash_word(HIT_HASH_START, storage->number);

    return hit_hash_place(hit_hash_word(hash, (uint64_t)piece), box);
}

void hit_scheduled_data_close(hit_scheduled *s)
{
    for (int d = 0; d < s->graph.data; d++) {
        for (int n = 1; n < s->nodes; n++) {
            hit_scheduled_data_drop(s, d, n);
        }
    }
    hit_pool_clear(&s->data);
    hit_table_clear(&s->by_box);
    hit_table_clear(&s->by_tile);
    free(s->copy);
    s->datum = NULL;
    s->data_bytes = 0;
    s->copy = NULL;
    s->copy_room = 0;
}

int hit_scheduled_data_find(const hit_scheduled *s, const hit_storage *storage, int piece,
                            const hit_domain *box)
{
    int d = hit_table_first(&s->by_box, hash_of(storage, piece, box));

    for (; d >= 0; d = hit_table_next(&s->by_box, d)) {
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
    d = before < 0 ? hit_table_first(&s->by_tile, storage->number)
                   : hit_table_next(&s->by_tile, before);
    for (; d >= 0; d = hit_table_next(&s->by_tile, d)) {
        const hit_scheduled_datum *one = &s->datum[d];

        if (one->storage != storage || (piece != -1 && one->piece != piece)) continue;
        if (box == NULL || hit_domain_meets(&one->box, box)) return d;
    }
    return -1;
}

static hit_status make_room(hit_scheduled *s)
{
    HIT_TRY(hit_pool_reserve(&s->data, 1, "boxes of tiles"));
    s->datum = s->data.item;
    HIT_TRY(hit_table_reserve(&s->by_box, s->data.room, "boxes of tiles"));
    HIT_TRY(hit_table_reserve(&s->by_tile, s->data.room, "boxes of tiles"));
    return hit_memory_grow((size_t)s->data.room * (size_t)s->nodes, &s->copy_room,
                           sizeof *s->copy, "boxes of tiles", &s->copy);
}

hit_status hit_scheduled_data_add(hit_scheduled *s, const hit_scheduled_datum *like,
                                  int *datum)
{
    hit_storage *storage = like->storage;
    const int64_t bytes =
        hit_domain_count(&like->box) * (int64_t)storage->type.size_bytes;
    int made = s->graph.data;

    HIT_TRY(make_room(s));
    if (s->data.first > 0) {
        hit_graph_set_bytes(&s->graph, s->data.first - 1, bytes);
    } else {
        HIT_TRY(hit_graph_add_datum(&s->graph, bytes, &made));
        memset(s->copy + (size_t)made * (size_t)s->nodes, 0,
               (size_t)s->nodes * sizeof *s->copy);
    }
    made = hit_pool_take(&s->data);
    s->datum[made] = *like;
    s->data_bytes += bytes;
    hit_table_put(&s->by_box, hash_of(storage, like->piece, &like->box), made);
    hit_table_put(&s->by_tile, storage->number, made);
    *datum = made;
    return HIT_OK;
}

void hit_scheduled_data_forget(hit_scheduled *s, int datum)
{
    hit_table_drop(&s->by_box, datum);
    hit_table_drop(&s->by_tile, datum);
    for (int n = 1; n < s->nodes; n++) {
        hit_scheduled_data_drop(s, datum, n);
    }
    s->datum[datum].storage = NULL;
    s->data_bytes -= s->graph.datum[datum].bytes;
    hit_pool_give(&s->data, datum);
}

/* ---- copies ---- */

hit_view hit_scheduled_data_view(const hit_scheduled *s, int datum, int node)
{
    const hit_scheduled_datum *one = &s->datum[datum];

    if (node == 0 && one->piece >= 0) return one->storage->view[one->piece];
    return hit_view_make(&one->box, one->storage->type.size_bytes,
                         node == 0 ? one->held : s->copy[datum * s->nodes + node]);
}

hit_domain hit_scheduled_data_own(const hit_scheduled *s, int datum)
{
    const hit_scheduled_datum *one = &s->datum[datum];

    if (one->piece < 0) return one->box;
    return hit_domain_intersect(&one->box, &one->storage->owned[one->piece]);
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
