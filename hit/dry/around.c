/* SPDX-License-Identifier: MIT
 * A block of a dry run is recorded once for each class of processes that lie alike. */
#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/comm/message.h"
#include "hit/dry/dry_impl.h"
#include "hit/run/chains.h"
#include "hit/run/live.h"
#include "hit/tile/tile_impl.h"
#include "patterns/transform.h"

#include <stdlib.h>
#include <string.h>

/* A block that was looked at. */
typedef struct known {
    uint64_t key;
    hit_dry_moved moved;
} known;

struct hit_dry_around {
    hit_context *context;
    const hit_seen *seen;
    hit_recorded recorded; /* of chains, while these record */
    hit_chains *chains;
    int count;
    hit_dry_held *held; /* HIT_CHAIN_LAUNCHES */
    hit_dry_moved moved;
    hit_first failed;
    int rank;          /* of the process that is looked at ... */
    uint64_t bytes_in; /* ... and what it does */
    uint64_t bytes_out;
    uint64_t superblocks;
    hit_forecast time;
    char how[sizeof(((hit_chain_told *)NULL)->how)];
    int knowns;
    known *known;
};

/* ---- one process ---- */

static void count_block(void *caller, const hit_chains *block, int count)
{
    hit_dry_around *a = caller;
    const hit_chain_told *told = &block->told;

    (void)count;
    a->bytes_in += told->together.bytes_in + told->alone.bytes_in;
    a->bytes_out += told->together.bytes_out + told->alone.bytes_out;
    a->superblocks += told->together.pieces + told->alone.pieces;
    a->time = hit_forecast_add(a->time, told->time);
    if (a->how[0] == '\0') memcpy(a->how, told->how, sizeof(a->how));
}

static hit_status time_of(void *caller, hit_chain_pieces *p, int count,
                          hit_forecast *time)
{
    const hit_dry_around *a = caller;
    return hit_dry_pieces_time(p, count, a->rank, a->seen, time);
}

static hit_status record_around(hit_dry_around *a, hit_dry_held *of,
                                const hit_domain *own)
{
    static const hit_index nowhere[HIT_MAX_DIMS] = {0};
    hit_domain box[1 + HIT_MAX_ARGS];
    hit_chain_part part;

    hit_deep_reached(&of->form, own, &of->extra, nowhere, box);
    if (hit_domain_is_empty(&box[0])) return HIT_OK;
    part = hit_chain_part_around(&of->form, box, nowhere);
    part.elsewhere = true;
    return hit_live_record_part(a->chains, &of->call, &of->plan, &part);
}

static hit_status record_at_home(hit_dry_around *a, hit_dry_held *of)
{
    hit_launch_plan *plan = &of->plan;
    hit_domain need[HIT_MAX_ARGS];
    hit_region index = {0};
    hit_chain_part part;
    hit_status status;

    HIT_TRY(hit_split_part(&plan->split, a->rank, &index));
    if (index.count == 0) return HIT_OK;
    plan->pieces = 1;
    plan->index = &index.part[0];
    plan->indices = (uint64_t)hit_domain_count(&index.part[0]);
    for (int u = 0; u < plan->uses; u++) {
        need[u] =
            hit_pattern_cover(plan->use[u].pattern, &plan->use[u].tile, &index.part[0]);
        plan->use[u].need = &need[u];
    }
    part = hit_chain_part_of_plan(&of->call, plan);
    part.elsewhere = true;
    status = hit_live_record_part(a->chains, &of->call, plan, &part);
    plan->pieces = 0;
    plan->index = NULL;
    for (int u = 0; u < plan->uses; u++) {
        plan->use[u].need = NULL;
    }
    hit_region_clear(&index);
    return status;
}

static hit_status run_process(hit_dry_around *a, const hit_layout *layout, int rank)
{
    hit_domain own;

    a->rank = rank;
    a->bytes_in = a->bytes_out = a->superblocks = 0;
    a->time = (hit_forecast){0};
    a->how[0] = '\0';
    HIT_TRY(hit_dry_held_own(layout, rank, &own));
    for (int l = 0; l < a->count; l++) {
        hit_dry_held *of = &a->held[l];

        a->chains->number = of->number;
        HIT_TRY(of->form.home ? record_at_home(a, of) : record_around(a, of, &own));
    }
    return hit_stations_run_recorded(a->context->stations);
}

/* ---- processes that do the same ---- */

static void add_figure(hit_figure *all, uint64_t of_process, uint64_t processes)
{
    all->sum += processes * of_process;
    if (of_process > all->most) all->most = of_process;
}

static void add_class(const hit_dry_around *a, uint64_t processes, uint64_t *most,
                      hit_dry_moved *moved)
{
    const uint64_t bytes = a->bytes_in + a->bytes_out;

    add_figure(&moved->superblocks, a->superblocks, processes);
    add_figure(&moved->bytes_in, a->bytes_in, processes);
    add_figure(&moved->bytes_out, a->bytes_out, processes);
    moved->time = hit_forecast_max(moved->time, a->time);
    if (a->how[0] == '\0' || (moved->how[0] != '\0' && bytes <= *most)) return;
    *most = bytes;
    memcpy(moved->how, a->how, sizeof(moved->how));
}

/* What is held, on all processes. */
static hit_status run_all(hit_dry_around *a, hit_dry_moved *moved)
{
    hit_recorded *recorded = &a->context->stations->recorded;
    const hit_recorded mine = *recorded;
    const hit_layout *layout = hit_dry_held_layout(a->held, a->count);
    hit_alike alike = {0};
    hit_status status = hit_dry_held_alike(a->held, a->count, a->context->size, &alike);
    uint64_t most = 0;

    memset(moved, 0, sizeof(*moved));
    *recorded = a->recorded;
    recorded->asked = mine.asked;
    for (int k = 0; k < alike.count && status == HIT_OK; k++) {
        status = run_process(a, layout, alike.of[k].rank);
        if (status != HIT_OK) hit_chain_block_begin(a->chains);
        add_class(a, alike.of[k].processes, &most, moved);
    }
    *recorded = mine;
    hit_alike_clear(&alike);
    return status;
}

/* ---- blocks that repeat ---- */

static const known *find_known(const hit_dry_around *a, uint64_t key)
{
    for (int k = 0; k < a->knowns; k++) {
        if (a->known[k].key == key) return &a->known[k];
    }
    return NULL;
}

static hit_status look(hit_dry_around *a, const known **found)
{
    const uint64_t key = hit_dry_held_key(a->held, a->count);

    *found = find_known(a, key);
    if (*found != NULL) return HIT_OK;
    HIT_TRY(
        hit_memory_resize((size_t)a->knowns + 1, sizeof(known), "a dry run", &a->known));
    HIT_TRY(run_all(a, &a->known[a->knowns].moved));
    a->known[a->knowns].key = key;
    *found = &a->known[a->knowns++];
    return HIT_OK;
}

static void add(const hit_figure *more, hit_figure *all)
{
    all->sum += more->sum;
    all->most += more->most;
}

/* Somebody looks, or the block is over. */
static hit_status run_held(void *of)
{
    hit_dry_around *a = of;
    const known *found = NULL;
    hit_status status = HIT_OK;

    if (a->count > 0) status = look(a, &found);
    a->count = 0;
    hit_first_keep(&a->failed, status);
    if (found == NULL) return status;
    add(&found->moved.superblocks, &a->moved.superblocks);
    add(&found->moved.bytes_in, &a->moved.bytes_in);
    add(&found->moved.bytes_out, &a->moved.bytes_out);
    a->moved.time = hit_forecast_add(a->moved.time, found->moved.time);
    if (a->moved.how[0] == '\0') {
        memcpy(a->moved.how, found->moved.how, sizeof(a->moved.how));
    }
    return HIT_OK;
}

hit_status hit_dry_around_take(hit_dry_around *around, hit_dry_moved *moved)
{
    (void)hit_stations_run_recorded(around->context->stations); /* it keeps failures */
    *moved = around->moved;
    memset(&around->moved, 0, sizeof(around->moved));
    return hit_first_tell(&around->failed);
}

const hit_dry_moved *hit_dry_around_moved(const hit_dry_around *around)
{
    return &around->moved;
}

/* ---- launches ---- */

/* Who looks at a tile of the block lets it run. */
static hit_status log_tiles(hit_dry_around *a, const hit_dry_held *of)
{
    hit_stations *stations = a->context->stations;

    if (a->count == 0) stations->recorded.asked++;
    for (int u = 0; u < of->plan.uses; u++) {
        const hit_use *use = &of->plan.use[u];
        hit_storage *storage = of->tile[use->arg].storage;

        for (int k = 0; k < storage->pieces; k++) {
            HIT_TRY(hit_storage_log(
                storage, k, &storage->view[k].domain, use->mode != HIT_MODE_IN,
                hit_source_of_recorded(stations), stations->recorded.asked));
        }
    }
    return HIT_OK;
}

hit_status hit_dry_around_hold(hit_dry_around *around, const hit_call *call,
                               const hit_launch_plan *sketch, const hit_deep_turn *turn,
                               int number)
{
    hit_dry_around *a = around;
    hit_dry_held *of;

    if (a->count == HIT_CHAIN_LAUNCHES) HIT_TRY(run_held(a));
    of = &a->held[a->count];
    HIT_TRY(hit_dry_held_set(of, call, sketch, turn));
    of->number = number;
    HIT_TRY(log_tiles(a, of));
    a->count++;
    return HIT_OK;
}

/* ---- all of it ---- */

static void forget(void *of, const hit_storage *storage)
{
    hit_dry_around *a = of;

    hit_deep_forget(a->chains->deep, storage);
}

hit_status hit_dry_around_create(hit_context *context, hit_deep *deep,
                                 const hit_seen *seen, hit_dry_around **around)
{
    hit_recorded *recorded = &context->stations->recorded;
    hit_dry_around *made = NULL;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    status = hit_memory_zeroed(HIT_CHAIN_LAUNCHES, sizeof(*made->held), &made->held);
    if (status == HIT_OK) made->chains = hit_chains_of(context);
    if (status == HIT_OK && made->chains == NULL) status = HIT_E_NOMEM;
    if (status != HIT_OK) {
        free(made->held);
        free(made);
        return status;
    }
    made->context = context;
    made->seen = seen;
    made->recorded = *recorded;
    made->chains->deep = deep;
    made->chains->pass = 0;
    made->chains->tell = count_block;
    made->chains->elsewhere = true;
    made->chains->time = time_of;
    made->chains->tell_of = made;
    *recorded = (hit_recorded){.block = made, .run = run_held, .forget = forget};
    *around = made;
    return HIT_OK;
}

void hit_dry_around_destroy(hit_dry_around **around)
{
    hit_dry_around *a = *around;

    if (a == NULL) return;
    a->context->stations->recorded = (hit_recorded){.block = NULL};
    a->recorded.destroy(a->chains);
    for (int l = 0; l < HIT_CHAIN_LAUNCHES; l++) {
        hit_memory_release(&a->held[l].form.memory);
    }
    free(a->held);
    free(a->known);
    free(a);
    *around = NULL;
}
