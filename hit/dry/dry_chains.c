/* SPDX-License-Identifier: MIT
 * Blocks of launches in a dry run. Which launches are in which block, how deep halos are
 * and what is sent or moved decides the code of real runs (hit/deep/blocks.c for
 * several processes, hit/run/chains.c for one); here it is counted. */
#include "hit/dry/dry_chains.h"

#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/cost/links.h"
#include "hit/deep/blocks.h"
#include "hit/dry/around.h"
#include "hit/dry/dry_time.h"
#include "hit/run/chain_allowed.h"
#include "hit/run/chain_deep.h"
#include "hit/run/chains.h"
#include "hit/run/live.h"
#include "hit/tile/station.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH_TEXT = 512,
    SKETCHES = 16
};

/* Blocks with the same figures. */
typedef struct kind {
    const char *kernel;
    int launches;
    double work;
    hit_figure messages;
    hit_figure message_bytes;
    char depth[DEPTH_TEXT]; /* of the first block */
    hit_dry_moved moved;    /* through memories of devices */
    hit_forecast messages_time;
    hit_forecast time;
    uint64_t times;
} kind;

struct hit_dry_chains {
    hit_context *context;
    hit_dry_style style;
    hit_seen *seen; /* borrowed */
    hit_deep *deep;
    hit_launch_plan sketch[SKETCHES];    /* of calls, by their keys */
    hit_forecast time[HIT_DEEP_HISTORY]; /* of launches in the history, alone */
    bool knows_links;
    hit_rates rates; /* of which the links are used */
    int kinds;
    kind *kind;
    hit_forecast chained; /* so far */

    hit_dry_around *around; /* several processes whose devices have memories; NULL: not */
    bool begun;             /* a block of theirs is under way ... */
    kind now;               /* ... which is counted when it ends */
    hit_chains *alone;      /* one process; NULL: several */
    int of[HIT_CHAIN_LAUNCHES + 1]; /* the classes of its launches, by number, ... */
    int taken;                      /* ... so many so far, and the next one */
    hit_status failed;              /* to count a block */
    hit_dry_blocks blocks;          /* of one process */
};

/* ---- what a block is ---- */

/* "now 14 x 0", or with unlike sides "now 14:0 x 0" */
static void add_depth(const hit_deep_tile *tile, const hit_deep_part *part, char *text)
{
    const hit_margin depth = hit_deep_depth(&part->need);

    hit_text_add(text, DEPTH_TEXT, "%s%s", text[0] != '\0' ? ", " : "",
                 tile->storage != NULL ? tile->storage->name : "?");
    for (int c = 0; c < part->need.cover.dims; c++) {
        hit_text_add(text, DEPTH_TEXT, "%s%" PRId64, c == 0 ? " " : " x ", depth.low[c]);
        if (depth.low[c] == depth.high[c]) continue;
        hit_text_add(text, DEPTH_TEXT, ":%" PRId64, depth.high[c]);
    }
}

static void add_field(const hit_dry_chains *chains, const hit_deep_part *part, kind *made)
{
    const hit_deep_tile *tile = hit_deep_find(chains->deep, part->number);
    const hit_around_sum *sum = &part->sum;

    made->messages.sum += sum->messages;
    made->messages.most += sum->most_messages;
    made->message_bytes.sum += sum->bytes;
    made->message_bytes.most += sum->most_bytes;
    made->messages_time = hit_forecast_add(
        made->messages_time,
        hit_predict_messages(&chains->rates, (int)sum->most_messages, sum->most_bytes,
                             (int)sum->most_receives, sum->most_bytes_received));
    if (tile != NULL) add_depth(tile, part, made->depth);
}

/* As fast for an index as its launch alone: what a cache saves is not known. */
static hit_forecast time_of(hit_forecast alone, double work)
{
    alone.again_s *= work;
    alone.first_s = alone.again_s;
    return alone;
}

static void describe(hit_dry_chains *chains, const hit_call *call,
                     const hit_deep_plan *block, kind *made)
{
    const uint64_t first = chains->deep->recorded - 1 - (uint64_t)block->period;

    *made = (kind){
        .kernel = call->kernel->name, .launches = block->launches, .work = block->work};
    if (!chains->knows_links) {
        hit_links_load(chains->context, chains->context->device[0], &chains->rates.links);
        chains->knows_links = true;
    }
    for (int f = 0; f < block->fields; f++) {
        if (block->field[f].sent) add_field(chains, &block->field[f], made);
    }
    made->time = made->messages_time;
    for (int l = 0; l < block->launches; l++) {
        const uint64_t at = first + (uint64_t)(l % block->period);

        made->time = hit_forecast_add(
            made->time, time_of(chains->time[at % HIT_DEEP_HISTORY], block->work));
    }
}

static bool same(const kind *a, const kind *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && a->launches == b->launches &&
           a->messages.sum == b->messages.sum &&
           a->message_bytes.sum == b->message_bytes.sum &&
           a->messages.most == b->messages.most &&
           a->message_bytes.most == b->message_bytes.most &&
           a->moved.bytes_in.sum == b->moved.bytes_in.sum &&
           a->moved.bytes_out.sum == b->moved.bytes_out.sum &&
           strcmp(a->moved.how, b->moved.how) == 0;
}

/* ---- output ---- */

static void print_moved(const hit_dry_moved *moved)
{
    if (moved->how[0] != '\0') printf("  %-14s %s\n", "how", moved->how);
    if (moved->superblocks.sum == 0) return;
    hit_dry_print_figure("superblocks", "", moved->superblocks);
    hit_dry_print_figure("moved in", " B", moved->bytes_in);
    hit_dry_print_figure("moved out", " B", moved->bytes_out);
}

static void print_text(const hit_dry_chains *chains, int number, const kind *made)
{
    printf("chain %d: %d launches from %s on", number, made->launches, made->kernel);
    if (chains->alone != NULL) {
        printf("\n");
        print_moved(&made->moved);
        return;
    }
    hit_text_write(stdout, ", %.2f of the work\n", made->work);
    if (made->depth[0] != '\0') printf("  %-14s %s\n", "depth", made->depth);
    hit_dry_print_figure("messages", "", made->messages);
    hit_dry_print_figure("message bytes", " B", made->message_bytes);
    print_moved(&made->moved);
    hit_dry_print_time(made->time);
}

static void print_json(const hit_dry_chains *chains, int number, const kind *made)
{
    const hit_dry_moved *moved = &made->moved;

    hit_text_write(stdout,
                   "{\"chain\": %d, \"kernel\": \"%s\", \"launches\": %d, \"work\": %.3f",
                   number, made->kernel, made->launches, made->work);
    if (moved->how[0] != '\0') printf(", \"how\": \"%s\"", moved->how);
    if (chains->alone != NULL || chains->around != NULL) {
        hit_dry_json_figure("bytes_in", moved->bytes_in);
        hit_dry_json_figure("bytes_out", moved->bytes_out);
    }
    if (chains->alone == NULL) {
        printf(", \"depth\": \"%s\"", made->depth);
        hit_dry_json_figure("messages", made->messages);
        hit_dry_json_figure("message_bytes", made->message_bytes);
        hit_dry_json_time(made->time);
    }
    printf("}\n");
}

void hit_dry_chains_print_times(const hit_dry_chains *chains)
{
    for (int k = 0; k < chains->kinds; k++) {
        const kind *one = &chains->kind[k];

        if (chains->style.json) {
            printf("{\"chain\": %d, \"times\": %" PRIu64 "}\n", k + 1, one->times);
        } else if (one->times > 1) {
            printf("chain %d: %" PRIu64 " times\n", k + 1, one->times);
        }
    }
}

/* ---- launches ---- */

static hit_status count_kind(hit_dry_chains *chains, const kind *made)
{
    int k = 0;

    while (k < chains->kinds && !same(&chains->kind[k], made)) {
        k++;
    }
    if (k == chains->kinds) {
        HIT_TRY(
            hit_memory_resize((size_t)k + 1, sizeof(kind), "a dry run", &chains->kind));
        chains->kind[chains->kinds++] = *made;
        if (!chains->style.silent && chains->style.json) print_json(chains, k + 1, made);
        if (!chains->style.silent && !chains->style.json) print_text(chains, k + 1, made);
    }
    chains->kind[k].times++;
    return HIT_OK;
}

/* What all devices of a process do, without messages. */
static hit_forecast alone(const hit_dry_chains *chains, const hit_preview *preview)
{
    hit_forecast time = {0};

    for (int d = 0; d < chains->context->devices; d++) {
        time = hit_forecast_max(time, preview->device[d].time);
    }
    return time;
}

/* Programs repeat a few launches. */
static hit_status find_sketch(hit_dry_chains *chains, const hit_call *call, uint64_t key,
                              const hit_seen_class *of, hit_launch_plan **found)
{
    hit_launch_plan *sketch = &chains->sketch[key % SKETCHES];

    *found = sketch;
    sketch->runs = of->times;
    if (sketch->key == key && sketch->known == of->known &&
        hit_domain_equal(&sketch->domain, &call->domain)) {
        return HIT_OK;
    }
    sketch->key = key;
    sketch->known = of->known;
    return hit_launch_plan_sketch(call, sketch);
}

/* ---- one process ---- */

/* Launches of a block do not move what they would alone: counted modulo 2^64. */
static void add_moved(hit_dry_blocks *all, const hit_chain_moved *moved)
{
    all->superblocks += moved->pieces;
    all->bytes_in += moved->bytes_in;
    all->bytes_out += moved->bytes_out;
}

static void take_alone(hit_dry_blocks *all, const hit_preview *preview)
{
    all->superblocks -= preview->superblocks.sum;
    all->bytes_in -= preview->bytes_in.sum;
    all->bytes_out -= preview->bytes_out.sum;
}

/* A launch of the block that would run now. */
static void count_launch(hit_dry_chains *chains, const hit_chain_record *one, bool moves,
                         hit_seen_class *of)
{
    if (moves && !(one->fits && !one->chained)) take_alone(&chains->blocks, &of->preview);
    if (!one->chained) return;
    of->chained++;
    chains->chained =
        hit_forecast_add(chains->chained, time_of(alone(chains, &of->preview), 1));
}

/* A block would run now. */
static void count_alone(void *caller, const hit_chains *block, int count)
{
    hit_dry_chains *chains = caller;
    const hit_chain_moved *together = &block->told.together;
    kind made = {.work = 1,
                 .moved = {.superblocks = {together->pieces, together->pieces},
                           .bytes_in = {together->bytes_in, together->bytes_in},
                           .bytes_out = {together->bytes_out, together->bytes_out}}};
    int taken = 0;

    memcpy(made.moved.how, block->told.how, sizeof(made.moved.how));
    for (int l = 0; l < count; l++) {
        const hit_chain_record *one = &block->record[l];

        if (one->indices == 0) continue; /* it fills a rim */
        count_launch(chains, one, block->pieces != NULL,
                     hit_seen_at(chains->seen, chains->of[taken++]));
        if (one->chained && made.launches++ == 0) made.kernel = one->launch.kernel;
    }
    chains->taken = 0;
    add_moved(&chains->blocks, &block->told.together);
    add_moved(&chains->blocks, &block->told.alone);
    if (made.launches > 0) chains->failed = count_kind(chains, &made);
}

/* The block may run before the launch is in it, or with it. */
static hit_status note_alone(hit_dry_chains *chains, hit_call *call, int number)
{
    hit_launch_plan *plan = NULL;
    bool taken;

    chains->of[chains->taken] = number;
    HIT_TRY(hit_launcher_plan(call, HIT_OK, &plan));
    HIT_TRY(hit_live_record(call, plan, &taken));
    if (taken && chains->alone->count > 0) chains->of[chains->taken++] = number;
    return chains->failed;
}

/* ---- several processes ---- */

static void add_all_moved(hit_dry_blocks *all, const hit_dry_moved *moved)
{
    all->superblocks += moved->superblocks.sum;
    all->bytes_in += moved->bytes_in.sum;
    all->bytes_out += moved->bytes_out.sum;
}

/* What their devices move is known when the block is over. */
hit_status hit_dry_chains_end(hit_dry_chains *chains)
{
    kind *made = &chains->now;

    if (!chains->begun) return HIT_OK;
    chains->begun = false;
    HIT_TRY(hit_dry_around_take(chains->around, &made->moved));
    add_all_moved(&chains->blocks, &made->moved);
    return count_kind(chains, made);
}

static hit_status begin_block(hit_dry_chains *chains, const hit_call *call,
                              const hit_deep_plan *block)
{
    kind made;

    describe(chains, call, block, &made);
    if (chains->around == NULL) return count_kind(chains, &made);
    chains->now = made;
    chains->now.launches = 0;
    chains->begun = true;
    return HIT_OK;
}

/* A launch of a block. */
static hit_status take(hit_dry_chains *chains, const hit_call *call,
                       const hit_launch_plan *sketch, const hit_deep_turn *turn,
                       hit_seen_class *of)
{
    of->chained++;
    if (turn->begins) HIT_TRY(begin_block(chains, call, turn->block));
    chains->chained = hit_forecast_add(
        chains->chained, time_of(alone(chains, &of->preview), turn->block->work));
    if (chains->around == NULL) return HIT_OK;
    take_alone(&chains->blocks, &of->preview);
    chains->now.launches++;
    return hit_dry_around_hold(chains->around, call, sketch, turn);
}

hit_status hit_dry_chains_note(hit_dry_chains *chains, hit_call *call, uint64_t key,
                               int number)
{
    hit_seen_class *of = hit_seen_at(chains->seen, number);
    hit_deep *deep = chains->deep;
    hit_launch_plan *sketch;
    hit_deep_turn turn;

    if (chains->alone != NULL) return note_alone(chains, call, number);
    HIT_TRY(find_sketch(chains, call, key, of, &sketch));
    deep->dry_streams = of->preview.streams;
    HIT_TRY(hit_deep_next(deep, call, sketch, &turn));
    if (turn.form != NULL) {
        chains->time[(deep->recorded - 1) % HIT_DEEP_HISTORY] =
            alone(chains, &of->preview);
    }
    if (turn.block == NULL || turn.begins) HIT_TRY(hit_dry_chains_end(chains));
    return turn.block != NULL ? take(chains, call, sketch, &turn, of) : HIT_OK;
}

static void add_messages(hit_dry_blocks *all, const kind *one, uint64_t times)
{
    hit_forecast time = one->messages_time;

    all->messages += times * one->messages.sum;
    all->message_bytes += times * one->message_bytes.sum;
    time.first_s *= (double)times;
    time.again_s *= (double)times;
    all->time = hit_forecast_add(all->time, time);
}

hit_dry_blocks hit_dry_chains_sum(const hit_dry_chains *chains)
{
    hit_dry_blocks all = chains->blocks;

    all.time = hit_forecast_add(all.time, chains->chained);
    for (int k = 0; k < chains->kinds; k++) {
        add_messages(&all, &chains->kind[k], chains->kind[k].times);
    }
    if (!chains->begun) return all;
    add_messages(&all, &chains->now, 1);
    add_all_moved(&all, hit_dry_around_moved(chains->around));
    return all;
}

/* ---- the context ---- */

static hit_status run_nothing(void *of)
{
    (void)of;
    return HIT_OK;
}

static void forget(void *of, const hit_storage *storage)
{
    hit_dry_chains *chains = of;

    hit_deep_forget(chains->deep, storage);
}

static hit_status make(hit_context *context, hit_dry_style style, hit_dry_chains **chains)
{
    hit_dry_chains *made = NULL;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    status = hit_deep_create(context, &made->deep);
    if (status == HIT_OK && !context->stations->station[0].in_place) {
        status = hit_dry_around_create(context, made->deep, &made->around);
    }
    if (status != HIT_OK) {
        hit_deep_destroy(&made->deep);
        free(made);
        return status;
    }
    made->context = context;
    made->style = style;
    made->deep->dry = true;
    if (made->around == NULL) {
        context->stations->recorded =
            (hit_recorded){.block = made, .run = run_nothing, .forget = forget};
    }
    *chains = made;
    return HIT_OK;
}

static void open_alone(hit_context *context, hit_dry_style style, hit_dry_chains **chains)
{
    hit_dry_chains *made = NULL;

    if (context->launcher->chain_most < 2 || !hit_chains_devices_can(context)) return;
    if (hit_memory_zeroed(1, sizeof(*made), &made) != HIT_OK) return;
    made->context = context;
    made->style = style;
    made->alone = hit_chains_of(context);
    if (made->alone == NULL) {
        free(made);
        return;
    }
    made->alone->tell = count_alone;
    made->alone->tell_of = made;
    *chains = made;
}

void hit_dry_chains_open(hit_context *context, hit_dry_style style, hit_seen *seen,
                         hit_dry_chains **chains)
{
    const bool wanted =
        context->launcher->chain_most >= 2 && hit_chains_devices_can(context);

    if (context->size == 1) {
        open_alone(context, style, chains);
    } else {
        if (wanted && make(context, style, chains) != HIT_OK) *chains = NULL;
        hit_chains_agree(context, *chains != NULL ? (*chains)->deep : NULL);
    }
    if (*chains != NULL) (*chains)->seen = seen;
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
    free(chains->kind);
    free(chains);
    *chains_pointer = NULL;
}
