/* SPDX-License-Identifier: MIT
 * Data of a simulated machine: boxes of tiles' memory by hash, and a real copy in every
 * memory of the machine that has one, so that a copy that is missing or old gives a wrong
 * result as it would there. */
#include "hit/run/simulate_data.h"

#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/data/hash.h"
#include "hit/data/ndcopy.h"

#include <stdlib.h>
#include <string.h>

/* ---- boxes ---- */

static int *bucket_of(const hit_simulator *sim, const hit_storage *storage, int piece,
                      const hit_domain *box)
{
    uint64_t hash = hit_hash_word(HIT_HASH_START, storage->number);

    hash = hit_hash_place(hit_hash_word(hash, (uint64_t)piece), box);
    return (int *)&sim->bucket[hash % HIT_SIM_BUCKETS];
}

static int *tile_bucket_of(const hit_simulator *sim, const hit_storage *storage)
{
    return (int *)&sim->tile_bucket[storage->number % HIT_SIM_BUCKETS];
}

void hit_sim_data_open(hit_simulator *sim)
{
    for (int b = 0; b < HIT_SIM_BUCKETS; b++) {
        sim->bucket[b] = -1;
        sim->tile_bucket[b] = -1;
    }
    sim->free_datum = -1;
}

void hit_sim_data_close(hit_simulator *sim)
{
    for (int d = 0; d < sim->graph.data; d++) {
        for (int n = 1; n < sim->nodes; n++) {
            hit_sim_data_drop(sim, d, n);
        }
    }
    free(sim->datum);
    free(sim->copy);
}

int hit_sim_data_find(const hit_simulator *sim, const hit_storage *storage, int piece,
                      const hit_domain *box)
{
    int d = *bucket_of(sim, storage, piece, box);

    for (; d >= 0; d = sim->datum[d].next) {
        const hit_sim_datum *one = &sim->datum[d];

        if (one->storage != storage || one->piece != piece) continue;
        if (hit_domain_equal(&one->box, box)) return d;
    }
    return -1;
}

int hit_sim_data_next(const hit_simulator *sim, int before, const hit_storage *storage,
                      int piece, const hit_domain *box)
{
    int d = before < 0 ? *tile_bucket_of(sim, storage) : sim->datum[before].sibling;

    for (; d >= 0; d = sim->datum[d].sibling) {
        const hit_sim_datum *one = &sim->datum[d];
        hit_domain common;

        if (one->storage != storage || (piece >= 0 && one->piece != piece)) continue;
        if (box == NULL) return d;
        common = hit_domain_intersect(&one->box, box);
        if (!hit_domain_is_empty(&common)) return d;
    }
    return -1;
}

/** Room for what belongs to datum number @p datum. */
static hit_status make_room(hit_simulator *sim, int datum)
{
    const size_t room = 2 * (size_t)datum + 64;

    if ((size_t)datum < sim->datum_room) return HIT_OK;
    HIT_TRY(hit_memory_resize(room, sizeof *sim->datum, "boxes of tiles", &sim->datum));
    HIT_TRY(hit_memory_resize(room * (size_t)sim->nodes, sizeof *sim->copy,
                              "boxes of tiles", &sim->copy));
    sim->datum_room = room;
    return HIT_OK;
}

hit_status hit_sim_data_add(hit_simulator *sim, hit_storage *storage, int piece,
                            const hit_domain *box, int *datum)
{
    const int64_t bytes = hit_domain_count(box) * (int64_t)storage->type.size_bytes;
    int *bucket = bucket_of(sim, storage, piece, box);
    int *tile_bucket = tile_bucket_of(sim, storage);
    int made = sim->free_datum;

    if (made >= 0) {
        sim->free_datum = sim->datum[made].next;
        hit_graph_set_bytes(&sim->graph, made, bytes);
    } else {
        HIT_TRY(make_room(sim, sim->graph.data));
        HIT_TRY(hit_graph_add_datum(&sim->graph, bytes, &made));
        for (int n = 0; n < sim->nodes; n++) {
            sim->copy[made * sim->nodes + n] = NULL;
        }
    }
    sim->datum[made] = (hit_sim_datum){.storage = storage,
                                       .piece = piece,
                                       .box = *box,
                                       .next = *bucket,
                                       .sibling = *tile_bucket};
    *bucket = made;
    *tile_bucket = made;
    *datum = made;
    return HIT_OK;
}

void hit_sim_data_forget(hit_simulator *sim, int datum)
{
    hit_sim_datum *one = &sim->datum[datum];
    int *at = bucket_of(sim, one->storage, one->piece, &one->box);
    int *of_tile = tile_bucket_of(sim, one->storage);

    while (*at != datum) {
        at = &sim->datum[*at].next;
    }
    *at = one->next;
    while (*of_tile != datum) {
        of_tile = &sim->datum[*of_tile].sibling;
    }
    *of_tile = one->sibling;
    for (int n = 1; n < sim->nodes; n++) {
        hit_sim_data_drop(sim, datum, n);
    }
    one->storage = NULL;
    one->next = sim->free_datum;
    sim->free_datum = datum;
}

/* ---- copies ---- */

hit_view hit_sim_data_view(const hit_simulator *sim, int datum, int node)
{
    const hit_sim_datum *one = &sim->datum[datum];

    if (node == 0) return one->storage->view[one->piece];
    return hit_view_make(&one->box, one->storage->type.size_bytes,
                         sim->copy[datum * sim->nodes + node]);
}

hit_status hit_sim_data_make(hit_simulator *sim, int datum, int node, hit_view *view)
{
    const hit_sim_datum *one = &sim->datum[datum];
    void **copy = &sim->copy[datum * sim->nodes + node];

    if (node > 0 && *copy == NULL) {
        const size_t bytes = (size_t)sim->graph.datum[datum].bytes;

        HIT_TRY(hit_memory_take(bytes, one->storage->name, copy));
        if (one->not_written > 0) memset(*copy, 0, bytes); /* somebody may read it */
    }
    *view = hit_sim_data_view(sim, datum, node);
    return HIT_OK;
}

void hit_sim_data_drop(hit_simulator *sim, int datum, int node)
{
    hit_memory_release(&sim->copy[datum * sim->nodes + node]);
}

hit_status hit_sim_data_copy(hit_simulator *sim, int datum, int from, int to)
{
    const hit_sim_datum *one = &sim->datum[datum];
    const hit_view source = hit_sim_data_view(sim, datum, from);
    hit_view target;
    hit_ndcopy copy;

    if (source.data == NULL && one->not_written > 0) {
        return hit_sim_data_make(sim, datum, to, &target);
    }
    if (source.data == NULL) {
        return HIT_FAIL(HIT_E_INTERNAL,
                        "tile %s: expected a copy in memory %d of the simulated machine "
                        "but found none",
                        one->storage->name, from);
    }
    HIT_TRY(hit_sim_data_make(sim, datum, to, &target));
    copy = hit_ndcopy_make(&source, &target, &one->box, NULL);
    hit_ndcopy_run(&copy, source.data, target.data);
    return HIT_OK;
}
