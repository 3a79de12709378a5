/* SPDX-License-Identifier: MIT
 * A launch on a simulated machine that is only planned: what its elements would let go on
 * and be copied, by the same plan of messages. Its one process sends none; elements that
 * lie around a tile come from the process's own. */
#include "hit/base/context.h"
#include "hit/base/status_impl.h"
#include "hit/run/chains.h"
#include "hit/run/live.h"
#include "hit/scheduled/schedule_impl.h"
#include "hit/tile/station.h"

typedef struct side {
    const hit_tile *tile;
    const hit_use *use;
} side;

static hit_status gather_locally(void *caller, const hit_transfer *t)
{
    const side *of = caller;
    hit_storage *storage = of->tile->storage;
    const int own = of->use->piece[t->user_piece];
    const int to = own < 0 ? -1 : of->tile->piece[own];
    hit_domain source;

    if (t->constant) {
        if (to < 0 || hit_storage_is_constant(storage, to, &t->domain)) return HIT_OK;
        HIT_TRY(hit_storage_wait(storage, to, &t->domain, HIT_WRITE));
        HIT_TRY(hit_storage_forget(storage, to, &t->domain));
        return hit_storage_note_constant(storage, to, &t->domain);
    }
    source = hit_remap_apply(&t->remap, &t->domain);
    HIT_TRY(
        hit_storage_touch(storage, of->tile->piece[t->owner_piece], &source, HIT_READ));
    if (to < 0) return HIT_OK;
    HIT_TRY(hit_storage_wait(storage, to, &t->domain, HIT_WRITE));
    return hit_storage_forget(storage, to, &t->domain);
}

/* What was copied before, and did not change, is not copied. */
static hit_status gather(const hit_tile *tile, const hit_use *use)
{
    side of = {tile, use};
    const hit_storage *storage = tile->storage;
    const hit_sides sides = {.user = use->user,
                             .owner = use->owner,
                             .constant = storage->constant,
                             .locally = gather_locally,
                             .caller = &of,
                             .name = storage->name};
    const hit_content content = {
        .memory = storage->number, .tile = storage->number, .version = storage->version};
    const bool stays = use->retained && use->mode == HIT_MODE_IN;
    hit_first first;

    hit_first_begin(&first);
    hit_first_keep(&first,
                   hit_exchange_begin(use->gather, &sides, stays ? &content : NULL));
    hit_first_keep(&first, hit_exchange_end(use->gather, &sides));
    return hit_first_tell(&first);
}

/* What was added up goes to the tile. */
static hit_status give_back(const hit_tile *tile, const hit_use *use)
{
    const hit_message_plan *plan = hit_exchange_plan(use->give_back);

    for (int k = 0; k < plan->locals; k++) {
        const hit_transfer *t = &plan->transfer[k];
        const hit_domain target = hit_remap_apply(&t->remap, &t->domain);

        HIT_TRY(hit_storage_touch(tile->storage, tile->piece[t->owner_piece], &target,
                                  HIT_WRITE));
    }
    return HIT_OK;
}

/* With what it reads around its tiles. */
static hit_status place_task(const hit_call *call, hit_launch_plan *plan)
{
    uint64_t task;

    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];

        if (use->gather != NULL) HIT_TRY(gather(call->args[use->arg].tile, use));
    }
    return call->context->stations->keeper.place(call, plan, HIT_PHASE_ALL, &task);
}

/* It may be in a block, which needs no messages. What that refuses may be a task. */
static hit_status record(const hit_call *call, hit_launch_plan *plan, bool is_task)
{
    bool taken;
    uint64_t task;

    HIT_TRY(call->context->stations->keeper.place(call, plan, HIT_PHASE_ALL, &task));
    HIT_TRY(hit_live_record(call, plan, &taken));
    return taken || !is_task ? HIT_OK : place_task(call, plan);
}

hit_status hit_scheduled_foresee(const hit_call *call, hit_launch_plan *plan)
{
    hit_stations *stations = call->context->stations;
    const bool is_task = plan->placed;
    uint64_t task;

    if (plan->runs++ == 0) plan->records = hit_chains_may_take(call, plan);
    if (!plan->records) HIT_TRY(hit_stations_run_recorded(stations));
    if (hit_chains_want(call, plan)) {
        HIT_TRY(record(call, plan, is_task));
    } else if (is_task) {
        HIT_TRY(place_task(call, plan));
    } else {
        HIT_TRY(stations->keeper.place(call, plan, HIT_PHASE_ALL, &task));
    }
    for (int u = 0; u < plan->uses && plan->placed; u++) {
        const hit_use *use = &plan->use[u];

        if (use->give_back != NULL) HIT_TRY(give_back(call->args[use->arg].tile, use));
    }
    hit_launch_plan_note_written(plan, call);
    call->context->launcher->indices += plan->indices;
    return HIT_OK;
}
