/* SPDX-License-Identifier: MIT
 * A block of a dry run is recorded once for each class of processes that lie alike. */
#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/data/hash.h"
#include "hit/dry/dry_impl.h"
#include "hit/run/chains.h"
#include "hit/run/live.h"
#include "hit/tile/tile_impl.h"
#include "patterns/transform.h"

#include <stdlib.h>
#include <string.h>

/* A launch as it was made: the program may destroy selections and change values before
 * the block ends. Storages live until then. */
typedef struct held {
    hit_call call;
    hit_arg args[HIT_MAX_ARGS];
    hit_tile tile[HIT_MAX_ARGS];
    max_align_t value[HIT_CHAIN_VALUE_ROOM / sizeof(max_align_t)];
    hit_launch_plan plan; /* a sketch */
    hit_deep_form form;
    hit_margin extra;
    int number; /* of its class in hit_seen */
    bool moves; /* it is at another place in each step */
} held;

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
    held *held; /* HIT_CHAIN_LAUNCHES */
    hit_dry_moved moved;
    hit_first failed;
    int rank;          /* of the process that is looked at ... */
    hit_dry_moved own; /* ... and what it does */
    int knowns;
    known *known;
};

/* ---- what is moved ---- */

static void add_figure(const hit_figure *more, hit_figure *all)
{
    all->sum += more->sum;
    all->most += more->most;
}

/* What comes afterwards. */
static void add_moved(const hit_dry_moved *more, hit_dry_moved *all)
{
    add_figure(&more->superblocks, &all->superblocks);
    add_figure(&more->bytes_in, &all->bytes_in);
    add_figure(&more->bytes_out, &all->bytes_out);
    all->time = hit_forecast_add(all->time, more->time);
    if (all->how[0] == '\0') memcpy(all->how, more->how, sizeof(all->how));
}

static void add_alike(const hit_figure *of_process, uint64_t processes, hit_figure *all)
{
    all->sum += processes * of_process->sum;
    if (of_process->most > all->most) all->most = of_process->most;
}

/* What so many processes do side by side. */
static void add_class(const hit_dry_moved *own, uint64_t processes, uint64_t *most,
                      hit_dry_moved *all)
{
    const uint64_t bytes = own->bytes_in.sum + own->bytes_out.sum;

    add_alike(&own->superblocks, processes, &all->superblocks);
    add_alike(&own->bytes_in, processes, &all->bytes_in);
    add_alike(&own->bytes_out, processes, &all->bytes_out);
    all->time = hit_forecast_max(all->time, own->time);
    if (own->how[0] == '\0' || (all->how[0] != '\0' && bytes <= *most)) return;
    *most = bytes;
    memcpy(all->how, own->how, sizeof(all->how));
}

/* ---- one process ---- */

static void count_block(void *caller, const hit_chains *block, int count)
{
    hit_dry_around *a = caller;
    const hit_chain_told *told = &block->told;
    hit_dry_moved moved = hit_dry_moved_of(&told->together);
    const hit_dry_moved alone = hit_dry_moved_of(&told->alone);

    (void)count;
    add_moved(&alone, &moved);
    moved.time = told->time;
    memcpy(moved.how, told->how, sizeof(moved.how));
    add_moved(&moved, &a->own);
}

static hit_status time_of(void *caller, hit_chain_pieces *p, int count,
                          hit_forecast *time)
{
    const hit_dry_around *a = caller;
    return hit_dry_pieces_time(p, count, a->rank, a->seen, time);
}

static hit_status record_around(hit_dry_around *a, held *of, const hit_domain *own)
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

static hit_status record_at_home(hit_dry_around *a, held *of)
{
    hit_launch_plan plan = of->plan;
    hit_domain need[HIT_MAX_ARGS];
    hit_domain index;
    hit_chain_part part;

    HIT_TRY(hit_alike_index(&plan, a->rank, &index));
    if (hit_domain_is_empty(&index)) return HIT_OK;
    hit_deep_sketch_at(&plan, &index, need);
    part = hit_chain_part_of_plan(&of->call, &plan);
    part.elsewhere = true;
    return hit_live_record_part(a->chains, &of->call, &plan, &part);
}

static hit_status run_process(hit_dry_around *a, const hit_layout *layout, int rank)
{
    hit_domain own;

    a->rank = rank;
    memset(&a->own, 0, sizeof(a->own));
    HIT_TRY(hit_alike_own(layout, rank, &own));
    for (int l = 0; l < a->count; l++) {
        held *of = &a->held[l];

        a->chains->number = of->number;
        HIT_TRY(of->form.home ? record_at_home(a, of) : record_around(a, of, &own));
    }
    return hit_stations_run_recorded(a->context->stations);
}

/* ---- all processes ---- */

/* The layout of the fields of the block; NULL: all its launches are at home. */
static const hit_layout *layout_of(const hit_dry_around *a)
{
    for (int l = 0; l < a->count; l++) {
        const held *of = &a->held[l];

        if (of->form.home) continue;
        return of->tile[of->plan.use[0].arg].storage->layout;
    }
    return NULL;
}

static hit_status find_alike(const hit_dry_around *a, hit_alike *alike)
{
    hit_alike_launch launch[HIT_CHAIN_LAUNCHES];

    for (int l = 0; l < a->count; l++) {
        const held *of = &a->held[l];

        launch[l] = (hit_alike_launch){&of->form, &of->extra, &of->call, &of->plan};
    }
    return hit_alike_find(a->context, layout_of(a), launch, a->count, alike);
}

/* What is held, on all processes. */
static hit_status run_all(hit_dry_around *a, hit_dry_moved *moved)
{
    hit_recorded *recorded = &a->context->stations->recorded;
    const hit_recorded mine = *recorded;
    const hit_layout *layout = layout_of(a);
    hit_alike alike = {0};
    hit_status status = find_alike(a, &alike);
    uint64_t most = 0;

    memset(moved, 0, sizeof(*moved));
    *recorded = a->recorded;
    recorded->asked = mine.asked;
    for (int k = 0; k < alike.count && status == HIT_OK; k++) {
        status = run_process(a, layout, alike.of[k].rank);
        if (status != HIT_OK) hit_chain_block_begin(a->chains);
        add_class(&a->own, alike.of[k].processes, &most, moved);
    }
    *recorded = mine;
    hit_alike_clear(&alike);
    return status;
}

/* ---- blocks that repeat ---- */

/* The first thing that the block does to a storage that only launches that move use; of
 * no dimension: others use it, too. */
static hit_domain first_moved(const hit_dry_around *a, uint64_t number)
{
    hit_domain first = hit_domain_empty(0);

    for (int l = 0; l < a->count; l++) {
        const held *of = &a->held[l];

        for (int u = 0; u < of->plan.uses; u++) {
            const hit_use *use = &of->plan.use[u];

            if (of->form.number[u] != number) continue;
            if (!of->moves) return hit_domain_empty(0);
            if (first.dims > 0) continue;
            first = hit_pattern_cover(use->pattern, &use->tile, &of->call.domain);
        }
    }
    return first;
}

/* A launch that moves counts by where the block begins in what only such launches use, as
 * the rows of a record do. */
static uint64_t add_moving(const hit_dry_around *a, const held *of, uint64_t key)
{
    for (int u = 0; u < of->plan.uses; u++) {
        const hit_use *use = &of->plan.use[u];
        const hit_domain cover =
            hit_pattern_cover(use->pattern, &use->tile, &of->call.domain);
        const hit_domain first = first_moved(a, of->form.number[u]);

        key = hit_alike_add_box(key, &cover, &first);
    }
    return key;
}

static uint64_t key_of(const hit_dry_around *a)
{
    uint64_t key = HIT_HASH_START;

    for (int l = 0; l < a->count; l++) {
        const held *of = &a->held[l];

        key = hit_hash_word(key, of->moves ? of->form.hash : of->form.exact);
        key = hit_hash(key, &of->extra, sizeof(of->extra));
        if (of->moves) key = add_moving(a, of, key);
    }
    return key;
}

/* Equal launches do the same again. */
static hit_status look(hit_dry_around *a, hit_dry_moved *moved)
{
    const uint64_t key = key_of(a);

    for (int k = 0; k < a->knowns; k++) {
        if (a->known[k].key != key) continue;
        *moved = a->known[k].moved;
        return HIT_OK;
    }
    HIT_TRY(run_all(a, moved));
    HIT_TRY(
        hit_memory_resize((size_t)a->knowns + 1, sizeof(known), "a dry run", &a->known));
    a->known[a->knowns++] = (known){.key = key, .moved = *moved};
    return HIT_OK;
}

hit_status hit_dry_around_run(hit_dry_around *around)
{
    hit_dry_moved moved;
    hit_status status;

    if (around->count == 0) return HIT_OK;
    status = look(around, &moved);
    around->count = 0;
    hit_first_keep(&around->failed, status);
    if (status == HIT_OK) add_moved(&moved, &around->moved);
    return status;
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

static void keep_call(const hit_call *call, held *of)
{
    (void)hit_call_keep(call, of->value, sizeof(of->value), of->args, &of->call);
    for (int k = 0; k < call->count; k++) {
        if (call->args[k].tile == NULL) continue;
        of->tile[k] = *call->args[k].tile;
        of->args[k].tile = &of->tile[k];
    }
}

/* Who looks at a tile of the block lets it run. */
static hit_status log_tiles(hit_dry_around *a, const held *of)
{
    hit_stations *stations = a->context->stations;

    if (a->count == 0) stations->recorded.asked++;
    for (int u = 0; u < of->plan.uses; u++) {
        const hit_use *use = &of->plan.use[u];

        HIT_TRY(hit_storage_log_recorded(of->tile[use->arg].storage,
                                         use->mode != HIT_MODE_IN));
    }
    return HIT_OK;
}

hit_status hit_dry_around_hold(hit_dry_around *around, const hit_call *call,
                               const hit_launch_plan *sketch, const hit_deep_turn *turn,
                               int number)
{
    hit_dry_around *a = around;
    held *of;

    if (a->count == HIT_CHAIN_LAUNCHES) HIT_TRY(hit_dry_around_run(a)); /* one failed */
    of = &a->held[a->count];
    keep_call(call, of);
    of->call.kernel = sketch->known->kernel; /* the program's may be gone */
    of->plan = *sketch;
    of->extra = *turn->extra;
    of->number = number;
    HIT_TRY(hit_deep_form_copy(&of->form, turn->form));
    of->moves = turn->block->exact[turn->position] == 0;
    HIT_TRY(log_tiles(a, of));
    a->count++;
    return HIT_OK;
}

/* ---- all of it ---- */

hit_status hit_dry_around_create(hit_context *context, hit_deep *deep,
                                 const hit_seen *seen, hit_dry_around **around)
{
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
    made->recorded = context->stations->recorded;
    made->chains->deep = deep;
    made->chains->pass = 0;
    made->chains->tell = count_block;
    made->chains->elsewhere = true;
    made->chains->time = time_of;
    made->chains->tell_of = made;
    *around = made;
    return HIT_OK;
}

void hit_dry_around_destroy(hit_dry_around **around)
{
    hit_dry_around *a = *around;

    if (a == NULL) return;
    a->recorded.destroy(a->chains);
    for (int l = 0; l < HIT_CHAIN_LAUNCHES; l++) {
        hit_memory_release(&a->held[l].form.memory);
    }
    free(a->held);
    free(a->known);
    free(a);
    *around = NULL;
}
