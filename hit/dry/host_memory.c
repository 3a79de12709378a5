/* SPDX-License-Identifier: MIT
 * The memory of the host that a launch needs: its plan, made on some of the processes of
 * the dry run as if this were each of them. */
#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/data/hash.h"
#include "hit/device/nodes.h"
#include "hit/dry/dry_impl.h"
#include "hit/launch/launch_plan.h"
#include "hit/tile/footprint.h"

#include <stdlib.h>

/* A call as another process would make it. */
typedef struct elsewhere {
    hit_call call;
    hit_context context;
    hit_arg arg[HIT_MAX_ARGS];
    hit_tile tile[HIT_MAX_ARGS];
    hit_storage storage[HIT_MAX_ARGS];
} elsewhere;

/* The tile of an argument, with the pieces of process number @p k of the footprint. */
static hit_status move_tile(elsewhere *e, int arg, int k)
{
    const hit_tile *here = e->arg[arg].tile;
    hit_storage *storage = &e->storage[arg];
    hit_tile *tile = &e->tile[arg];

    *storage = *here->storage;
    storage->pieces = here->storage->foreseen[k].pieces;
    storage->owned = here->storage->foreseen[k].owned;
    storage->hulls = here->storage->foreseen[k].hulls;
    *tile = *here;
    tile->storage = storage;
    tile->pieces = 0;
    tile->owned = NULL;
    e->arg[arg].tile = tile;
    return hit_tile_find_pieces(tile);
}

static void note(const elsewhere *e, const hit_call *here, const hit_launch_plan *plan,
                 uint64_t buffer_bytes, bool new_place, int k)
{
    uint64_t tables = 0;

    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];
        const hit_tile *tile = &e->tile[use->arg];

        if (new_place) tables += use->memory_bytes;
        for (int p = 0; p < plan->pieces && tile->piece != NULL; p++) {
            if (use->piece[p] < 0) continue;
            hit_footprint_cover(here->args[use->arg].tile->storage, k,
                                tile->piece[use->piece[p]], &use->need[p]);
        }
    }
    hit_footprint_launch(here->context->footprint, k, plan->scratch_bytes + buffer_bytes,
                         tables);
}

static hit_status look_from(const hit_call *call, const hit_seen_class *of,
                            bool new_place, int k)
{
    const int rank = hit_footprint_rank(call->context->footprint, k);
    elsewhere e = {.call = *call};
    hit_launch_plan *plan = NULL;
    hit_status status = HIT_OK;

    hit_nodes_see(call->context, hit_nodes_kind_of(call->context, rank), &e.context);
    e.context.rank = rank;
    e.call.context = &e.context;
    e.call.args = e.arg;
    for (int a = 0; a < call->count && status == HIT_OK; a++) {
        e.arg[a] = call->args[a];
        if (e.arg[a].tile != NULL) status = move_tile(&e, a, k);
    }
    if (status == HIT_OK) status = hit_launch_plan_foresee(&e.call, of->known, &plan);
    if (status == HIT_OK) note(&e, call, plan, of->preview.buffer_bytes[k], new_place, k);
    hit_launch_plan_destroy(&plan);
    for (int a = 0; a < call->count; a++) {
        free(e.tile[a].owned);
    }
    return status;
}

/* A tile of another context is not. */
static bool is_foreseen(const hit_call *call)
{
    for (int a = 0; a < call->count; a++) {
        const hit_tile *tile = call->args[a].tile;

        if (tile != NULL && tile->storage->foreseen == NULL) return false;
    }
    return true;
}

/* Tiles of one shape may take turns: each gets its own halo. */
static uint64_t key_of(const hit_call *call, uint64_t key)
{
    for (int a = 0; a < call->count; a++) {
        const hit_tile *tile = call->args[a].tile;

        if (tile != NULL) key = hit_hash_word(key, tile->storage->number);
    }
    return key;
}

hit_status hit_dry_see(hit_dry_looked *looked, uint64_t key, bool *is_new)
{
    *is_new = false;
    for (int k = hit_table_first(&looked->by_key, key); k >= 0;
         k = hit_table_next(&looked->by_key, k)) {
        if (looked->key[k] == key) return HIT_OK;
    }
    HIT_TRY(hit_table_reserve(&looked->by_key, looked->count + 1, "a dry run"));
    HIT_TRY(HIT_ONE_MORE(looked->key, looked->count, looked->room, "a dry run"));
    looked->key[looked->count] = key;
    hit_table_put(&looked->by_key, key, looked->count++);
    *is_new = true;
    return HIT_OK;
}

/* On those that have indices, or messages: others need nothing. */
static hit_status look(const hit_call *call, const hit_seen_class *of, bool new_place)
{
    const hit_footprint *footprint = call->context->footprint;
    hit_owners owners = {0};
    hit_split split;
    hit_status status;

    HIT_TRY(hit_launch_plan_split(call, of->known, &split));
    status = hit_split_owners(&split, &owners);
    for (int k = 0; k < hit_footprint_processes(footprint) && status == HIT_OK; k++) {
        if (of->preview.buffer_bytes[k] == 0 &&
            !hit_owners_has(&owners, hit_footprint_rank(footprint, k))) {
            continue;
        }
        status = look_from(call, of, new_place, k);
    }
    hit_owners_clear(&owners);
    return status;
}

hit_status hit_dry_look(hit_dry_looked *looked, const hit_call *call, uint64_t key,
                        const hit_seen_class *of)
{
    bool new_place = false;
    bool new_tiles = false;

    HIT_TRY(hit_dry_see(looked, key_of(call, key), &new_tiles));
    if (!new_tiles || !is_foreseen(call)) return HIT_OK;
    HIT_TRY(hit_dry_see(looked, key, &new_place)); /* its plan, and the plan's tables */
    return look(call, of, new_place);
}

void hit_dry_looked_clear(hit_dry_looked *looked)
{
    hit_table_clear(&looked->by_key);
    free(looked->key);
}
