/* SPDX-License-Identifier: MIT
 * Blocks of launches in a dry run. Which launches are in which block, how deep halos are
 * and what is sent or moved decides the code of real runs (hit/deep/blocks.c for
 * several processes, hit/run/chains.c for one); here it is counted. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/device/nodes.h"
#include "hit/dry/dry_impl.h"
#include "hit/run/chains.h"
#include "hit/run/live.h"
#include "hit/tile/station.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct hit_dry_chains {
    hit_context *context;
    hit_seen *seen; /* borrowed */
    hit_deep *deep;
    uint64_t votes; /* of deep, whose time is counted, ... */
    uint64_t voted;
    int number;                          /* ... that of the class of the last launch */
    hit_launch_plan sketch;              /* of the last call */
    hit_forecast time[HIT_DEEP_HISTORY]; /* of launches of the forms in it, alone */
    hit_dry_kinds kinds;

    hit_dry_around *around; /* several processes whose devices have memories; NULL: not */
    bool begun;             /* a block of theirs is under way ... */
    hit_dry_kind now;       /* ... which is counted when it ends */
    hit_chains *alone;      /* one process; NULL: several */
    hit_first failed;       /* to count a block */
    hit_dry_blocks blocks;  /* but for what devices move in the block under way */
};

/* ---- what a block is ---- */

/* "now 14 x 0", or with unlike sides "now 14:0 x 0" */
static void add_depth(const hit_deep_tile *tile, const hit_deep_part *part, char *text)
{
    const hit_margin depth = hit_deep_depth(&part->need);

    hit_text_add(text, HIT_DRY_DEPTH_TEXT, "%s%s", text[0] != '\0' ? ", " : "",
                 tile->storage != NULL ? tile->storage->name : "?");
    for (int c = 0; c < part->need.cover.dims; c++) {
        hit_text_add(text, HIT_DRY_DEPTH_TEXT, "%s%" PRId64, c == 0 ? " " : " x ",
                     depth.low[c]);
        if (depth.low[c] == depth.high[c]) continue;
        hit_text_add(text, HIT_DRY_DEPTH_TEXT, ":%" PRId64, depth.high[c]);
    }
}

/* A process sends those of all fields to a neighbour together. */
static hit_status describe_messages(const hit_dry_chains *chains,
                                    const hit_layout *layout, const hit_deep_turn *turn,
                                    const hit_rates *rates, hit_dry_kind *made)
{
    const hit_deep_plan *block = turn->block;
    hit_around_sum sum;

    for (int f = 0; f < block->fields; f++) {
        const hit_deep_part *part = &block->field[f];
        const hit_deep_tile *tile = hit_deep_find(chains->deep, part->number);

        if (part->sent && tile != NULL) add_depth(tile, part, made->depth);
    }
    HIT_TRY(hit_deep_add_up(chains->deep, block, layout, turn->form, &sum));
    made->messages = (hit_figure){sum.messages, sum.most_messages};
    made->message_bytes = (hit_figure){sum.bytes, sum.most_bytes};
    made->messages_time =
        hit_predict_messages(rates, (int)sum.most_messages, sum.most_bytes,
                             (int)sum.most_receives, sum.most_bytes_received);
    return HIT_OK;
}

/* As fast for an index as its launch alone: what a cache saves is not known. */
static hit_forecast time_of(hit_forecast alone, double work)
{
    alone.again_s *= work;
    alone.first_s = alone.again_s;
    return alone;
}

/* Its devices' time follows when it ends, if they have memories. */
static hit_status describe(const hit_dry_chains *chains, const hit_call *call,
                           const hit_launch_plan *sketch, const hit_deep_turn *turn,
                           const hit_rates *rates, hit_dry_kind *made)
{
    const hit_deep_plan *block = turn->block;
    const hit_tile *tile = call->args[sketch->use[0].arg].tile;
    const uint64_t first = chains->deep->recorded - 1 - (uint64_t)block->period;

    *made = (hit_dry_kind){
        .kernel = call->kernel->name, .launches = block->launches, .work = block->work};
    HIT_TRY(describe_messages(chains, tile->storage->layout, turn, rates, made));
    made->time = made->messages_time;
    for (int l = 0; l < block->launches && chains->around == NULL; l++) {
        const uint64_t at = first + (uint64_t)(l % block->period);

        made->time = hit_forecast_add(
            made->time,
            time_of(chains->time[chains->deep->history[at % HIT_DEEP_HISTORY]],
                    block->grown[l]));
    }
    return HIT_OK;
}

/* ---- launches ---- */

/* What all devices of a process do, without messages. */
static hit_forecast alone(const hit_preview *preview)
{
    hit_forecast time = {0};

    for (int d = 0; d < preview->devices; d++) {
        time = hit_forecast_max(time, preview->device[d].time);
    }
    return time;
}

/* ---- one process ---- */

static void add_time(hit_dry_blocks *all, hit_forecast time)
{
    all->time = hit_forecast_add(all->time, time);
}

static void add_moved(hit_dry_blocks *all, const hit_dry_moved *moved)
{
    all->superblocks += moved->superblocks.sum;
    all->bytes_in += moved->bytes_in.sum;
    all->bytes_out += moved->bytes_out.sum;
    add_time(all, moved->time);
}

/* A launch of the block that would run now: in place if it does not move. */
static void count_launch(hit_dry_chains *chains, const hit_chain_record *one, bool moves)
{
    hit_seen_class *of = hit_seen_at(chains->seen, one->number);
    const bool through = moves && !(one->fits && !one->chained);

    if (one->again) return; /* the launch counts already */
    of->chained += one->chained;
    of->timed += one->chained || through;
    of->moved += through;
    if (one->chained && !through) {
        add_time(&chains->blocks, time_of(alone(&of->preview), 1));
    }
}

/* A block would run now. */
static void count_alone(void *caller, const hit_chains *block, int count)
{
    hit_dry_chains *chains = caller;
    const hit_dry_moved alone = hit_dry_moved_of(&block->told.alone);
    hit_dry_kind made = {.work = 1,
                         .moved = hit_dry_moved_of(&block->told.together),
                         .time = block->told.time};

    memcpy(made.moved.how, block->told.how, sizeof(made.moved.how));
    for (int l = 0; l < count; l++) {
        const hit_chain_record *one = &block->record[l];

        if (one->indices == 0) continue; /* it fills a rim */
        count_launch(chains, one, block->pieces != NULL);
        if (one->chained && made.launches++ == 0) made.kernel = one->launch->kernel;
    }
    add_moved(&chains->blocks, &made.moved);
    add_moved(&chains->blocks, &alone);
    add_time(&chains->blocks, block->told.time);
    if (made.launches == 0) return;
    hit_first_keep(&chains->failed, hit_dry_kinds_count(&chains->kinds, &made));
}

static hit_status time_alone(void *caller, hit_chain_pieces *p, int count,
                             hit_forecast *time)
{
    const hit_dry_chains *chains = caller;
    return hit_dry_pieces_time(p, count, 0, chains->seen, time);
}

static hit_status note_alone(hit_dry_chains *chains, hit_call *call, int number)
{
    hit_launch_plan *plan = NULL;
    bool taken;

    chains->alone->number = number;
    if (!chains->alone->elsewhere) return hit_first_tell(&chains->failed);
    HIT_TRY(hit_launcher_plan(call, HIT_OK, &plan));
    HIT_TRY(hit_live_record(call, plan, &taken));
    return hit_first_tell(&chains->failed);
}

/* ---- several processes ---- */

/* What processes compared, or planned together, since the last call. */
static void add_votes(hit_dry_chains *chains)
{
    const hit_deep *deep = chains->deep;
    const hit_rates *rates = &hit_seen_at(chains->seen, chains->number)->rates;
    const uint64_t more = deep->votes - chains->votes;
    const uint64_t bytes = (deep->voted - chains->voted) * sizeof(uint64_t);

    if (more == 0) return;
    chains->blocks.time = hit_dry_add_times(
        chains->blocks.time, hit_predict_vote(rates, chains->context->size, bytes / more),
        more);
    chains->votes = deep->votes;
    chains->voted = deep->voted;
}

/* What their devices move is known when the block is over. */
static hit_status end_block(hit_dry_chains *chains)
{
    hit_dry_kind *made = &chains->now;

    if (!chains->begun) return HIT_OK;
    chains->begun = false;
    HIT_TRY(hit_dry_around_take(chains->around, &made->moved));
    add_moved(&chains->blocks, &made->moved);
    made->time = hit_forecast_add(made->time, made->moved.time);
    return hit_dry_kinds_count(&chains->kinds, made);
}

static hit_status begin_block(hit_dry_chains *chains, const hit_call *call,
                              const hit_launch_plan *sketch, const hit_deep_turn *turn,
                              const hit_rates *rates)
{
    hit_dry_kind made;

    HIT_TRY(describe(chains, call, sketch, turn, rates, &made));
    chains->blocks.messages += made.messages.sum;
    chains->blocks.message_bytes += made.message_bytes.sum;
    add_time(&chains->blocks, made.messages_time);
    if (chains->around == NULL) return hit_dry_kinds_count(&chains->kinds, &made);
    chains->now = made;
    chains->now.launches = 0;
    chains->begun = true;
    return HIT_OK;
}

/* A launch of a block. */
static hit_status take(hit_dry_chains *chains, const hit_call *call,
                       const hit_launch_plan *sketch, const hit_deep_turn *turn,
                       int number)
{
    hit_seen_class *of = hit_seen_at(chains->seen, number);

    of->chained++;
    of->timed++;
    if (turn->begins) HIT_TRY(begin_block(chains, call, sketch, turn, &of->rates));
    if (chains->around == NULL) {
        add_time(&chains->blocks,
                 time_of(alone(&of->preview), turn->block->grown[turn->position]));
        return HIT_OK;
    }
    of->moved++;
    chains->now.launches++;
    return hit_dry_around_hold(chains->around, call, sketch, turn, number);
}

hit_status hit_dry_chains_note(hit_dry_chains *chains, hit_call *call, uint64_t key,
                               int number, bool *taken)
{
    hit_seen_class *of = hit_seen_at(chains->seen, number);
    hit_deep *deep = chains->deep;
    hit_launch_plan *sketch = &chains->sketch;
    hit_deep_turn turn;

    *taken = false;
    if (chains->alone != NULL) return note_alone(chains, call, number);
    chains->number = number;
    sketch->key = key;
    sketch->known = of->known;
    sketch->runs = of->times;
    HIT_TRY(hit_launch_plan_sketch(call, sketch));
    deep->dry_streams = of->preview.streams;
    deep->dry_stays = of->preview.stays;
    HIT_TRY(hit_deep_next(deep, call, sketch, &turn));
    add_votes(chains);
    if (turn.form != NULL) {
        const uint64_t last = (deep->recorded - 1) % HIT_DEEP_HISTORY;

        chains->time[deep->history[last]] = alone(&of->preview);
    }
    if (turn.block == NULL || turn.begins) HIT_TRY(end_block(chains));
    *taken = turn.block != NULL;
    return *taken ? take(chains, call, sketch, &turn, number) : HIT_OK;
}

hit_status hit_dry_chains_close(hit_dry_chains *chains)
{
    if (chains->deep != NULL && chains->deep->inside) {
        HIT_TRY(hit_deep_leave(chains->deep));
        add_votes(chains);
    }
    return end_block(chains);
}

hit_dry_blocks hit_dry_chains_sum(const hit_dry_chains *chains)
{
    hit_dry_blocks all = chains->blocks;

    if (chains->begun) add_moved(&all, hit_dry_around_moved(chains->around));
    return all;
}

void hit_dry_chains_print_times(const hit_dry_chains *chains)
{
    hit_dry_kinds_print_times(&chains->kinds);
}

/* ---- the context ---- */

static hit_status run_held(void *of)
{
    hit_dry_chains *chains = of;

    return chains->around != NULL ? hit_dry_around_run(chains->around) : HIT_OK;
}

static void forget(void *of, const hit_storage *storage)
{
    hit_dry_chains *chains = of;

    hit_deep_forget(chains->deep, storage);
}

static hit_status make(hit_context *context, const hit_seen *seen,
                       hit_dry_chains **chains)
{
    hit_dry_chains *made = NULL;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    status = hit_deep_create(context, &made->deep);
    if (status == HIT_OK && !context->stations->in_place) {
        status = hit_dry_around_create(context, made->deep, seen, &made->around);
    }
    if (status != HIT_OK) {
        hit_deep_destroy(&made->deep);
        free(made);
        return status;
    }
    made->context = context;
    made->deep->dry = true;
    context->stations->recorded =
        (hit_recorded){.block = made, .run = run_held, .forget = forget};
    *chains = made;
    return HIT_OK;
}

/* Why a block cannot be planned; NULL: it can. Blocks are planned with the devices of
 * this process, and other ones that work in place on as many are like these. */
static const char *refused(const hit_context *context)
{
    const char *why = hit_chains_devices_refused(context);
    const int sharing = hit_device_sharing(context->devices, context->device);
    hit_context as;

    for (int k = 0; k < hit_nodes_kinds(context) && why == NULL; k++) {
        hit_nodes_see(context, k, &as);
        if (hit_nodes_kinds(context) > 1 &&
            (!context->stations->in_place ||
             !hit_devices_in_place(as.devices, as.device) ||
             hit_device_sharing(as.devices, as.device) != sharing)) {
            return "a dry run of processes with unlike devices has none";
        }
        why = hit_chains_devices_refused(&as);
    }
    return why;
}

static void open_alone(hit_context *context, bool runs, hit_dry_chains **chains)
{
    hit_dry_chains *made = NULL;

    if (context->launcher->chain_most < 2 || refused(context) != NULL) return;
    if (hit_memory_zeroed(1, sizeof(*made), &made) != HIT_OK) return;
    made->context = context;
    made->alone = hit_chains_of(context);
    if (made->alone == NULL) {
        free(made);
        return;
    }
    made->alone->tell = count_alone;
    made->alone->elsewhere = !runs;
    made->alone->time = time_alone;
    made->alone->tell_of = made;
    *chains = made;
}

void hit_dry_chains_open(hit_context *context, hit_dry_style style, bool runs,
                         hit_seen *seen, hit_dry_chains **chains)
{
    const bool wanted = context->launcher->chain_most >= 2 && refused(context) == NULL;

    if (context->size == 1) {
        open_alone(context, runs, chains);
    } else {
        if (wanted && make(context, seen, chains) != HIT_OK) *chains = NULL;
        hit_chains_agree(context, *chains != NULL ? (*chains)->deep : NULL);
    }
    if (*chains == NULL) return;
    (*chains)->seen = seen;
    (*chains)->kinds = (hit_dry_kinds){.style = style,
                                       .alone = (*chains)->alone != NULL,
                                       .staged = !context->stations->in_place};
}

void hit_dry_chains_destroy(hit_dry_chains **chains_pointer)
{
    hit_dry_chains *chains = *chains_pointer;

    if (chains == NULL) return;
    if (chains->alone == NULL) {
        chains->context->stations->recorded = (hit_recorded){.block = NULL};
    }
    if (chains->around == NULL) hit_deep_destroy(&chains->deep); /* else it is its own */
    hit_dry_around_destroy(&chains->around);
    hit_dry_kinds_clear(&chains->kinds);
    free(chains);
    *chains_pointer = NULL;
}
