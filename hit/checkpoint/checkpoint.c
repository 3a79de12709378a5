/* SPDX-License-Identifier: MIT
 * When a checkpoint is written. Nobody waits for anybody at most steps: processes agree
 * in one reduction how long their steps take, whether a signal came and whether it is
 * time, and with that on the step at which they do so again, about a second later.
 * Process 0 naming a step ahead in messages that go anyway was thought of: a step need
 * not have any, and these are compared with what a plan says. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): program_invocation_... */
#include "hit/checkpoint/checkpoint.h"

#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/base/text.h"
#include "hit/checkpoint/checkpoint_impl.h"
#include "hit/comm/comm.h"
#include "hit/data/hash.h"
#include "hit/tile/tile_impl.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define VOTE_S 1.0  /* between two agreements, about */
#define LONG_S 10.0 /* to write one, of which is told */

enum {
    MOST_VALUE = 1 << 20 /* bytes */
};

static double now_s(const hit_checkpoint *c)
{
    return hit_clock_now(&c->context->clock);
}

/* ---- open ---- */

/* The name of the program, of characters that need no quotes in JSON. */
static void name_program(char text[HIT_CHECKPOINT_TEXT])
{
    (void)snprintf(text, HIT_CHECKPOINT_TEXT, "%s", program_invocation_short_name);
    for (char *at = text; *at != '\0'; at++) {
        if (*at < ' ' || *at == '"' || *at == '\\' || *at == 127) *at = '_';
    }
}

/* A group has a folder of its own. */
static hit_status add_group(const char *group, char path[HIT_CHECKPOINT_PATH])
{
    const size_t used = strlen(path);

    if (*group == '\0') return HIT_OK;
    if (snprintf(path + used, HIT_CHECKPOINT_PATH - used, "-%s", group) <
        (int)(HIT_CHECKPOINT_PATH - used)) {
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG, "HIT_CHECKPOINT: expected a shorter path for a group");
}

hit_status hit_checkpoint_open(hit_context *context)
{
    const char *text = getenv("HIT_CHECKPOINT");
    hit_checkpoint *made = NULL;
    hit_status status;

    if (text == NULL || *text == '\0' || hit_comm_is_planned(context->comm)) {
        return HIT_OK;
    }
    HIT_TRY(hit_memory_zeroed(1, sizeof(hit_checkpoint), &made));
    made->context = context;
    made->lock = -1;
    status = hit_checkpoint_options_read(text, &made->options);
    if (status == HIT_OK) status = add_group(context->group, made->options.path);
    if (status == HIT_OK) {
        status = hit_signals_open(made->options.signals);
        if (status != HIT_OK) hit_signals_close(made->options.signals);
    }
    if (status != HIT_OK) {
        free(made);
        return status;
    }
    name_program(made->program);
    made->open_s = now_s(made);
    context->checkpoint = made;
    return HIT_OK;
}

/* ---- names ---- */

static bool is_name(const char *name)
{
    const size_t length = strlen(name);

    return length > 0 && length < HIT_CHECKPOINT_NAME && name[0] != '.' &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "0123456789_-.")] == '\0';
}

static hit_status check_item(const hit_context *context, const char *name,
                             const void *address)
{
    if (context == NULL || name == NULL || address == NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a context, a name and an address but one of "
                                   "them is NULL");
    }
    HIT_TRY(hit_context_check_thread(context));
    if (is_name(name)) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "expected a name of 1 to %d letters, digits, '_', '-' and '.' within "
                    "but found \"%.80s\"",
                    HIT_CHECKPOINT_NAME - 1, name);
}

static hit_status add_item(hit_context *context, const char *name,
                           const hit_checkpoint_item *item)
{
    hit_checkpoint *c = context->checkpoint;

    if (c == NULL) return HIT_OK;
    if (c->begun) {
        return HIT_FAIL(HIT_E_ARG, "expected %s to be named before the first step", name);
    }
    for (size_t k = 0; k < c->count; k++) {
        if (strcmp(c->item[k].name, name) != 0) continue;
        return HIT_FAIL(HIT_E_ARG, "expected a new name but %s was given before", name);
    }
    HIT_TRY(HIT_ONE_MORE(c->item, c->count, c->room, "names of checkpoints"));
    c->item[c->count] = *item;
    (void)snprintf(c->item[c->count].name, HIT_CHECKPOINT_NAME, "%s", name);
    c->count++;
    return HIT_OK;
}

hit_status hit_checkpoint_tile(hit_context *context, const char *name, hit_tile **tile)
{
    HIT_TRY(check_item(context, name, tile));
    if (*tile == NULL) {
        return HIT_FAIL(HIT_E_ARG, "%s: expected a tile but found NULL", name);
    }
    HIT_TRY(hit_tile_check_called(*tile));
    if (hit_tile_layout(*tile)->context != context) {
        return HIT_FAIL(HIT_E_ARG, "%s: expected a tile of this context", name);
    }
    return add_item(context, name, &(hit_checkpoint_item){.tile = tile});
}

hit_status hit_checkpoint_value(hit_context *context, const char *name, hit_type type,
                                void *value)
{
    HIT_TRY(check_item(context, name, value));
    if (type.size_bytes == 0 || type.size_bytes > MOST_VALUE) {
        return HIT_FAIL(HIT_E_ARG, "%s: expected a value of 1 to %d bytes but found %zu",
                        name, MOST_VALUE, type.size_bytes);
    }
    return add_item(context, name, &(hit_checkpoint_item){.type = type, .value = value});
}

/* ---- steps ---- */

static uint64_t mark_names(const void *of)
{
    const hit_checkpoint *c = of;
    uint64_t hash = hit_hash_text(HIT_HASH_START, "hit_checkpoint_step()");

    for (size_t k = 0; k < c->count; k++) {
        const hit_checkpoint_item *item = &c->item[k];

        hash = hit_hash_text(hash, item->name);
        hash = hit_hash_word(hash, item->type.size_bytes);
        if (item->tile != NULL) hash = hit_tile_mark(hash, *item->tile);
    }
    return hash;
}

static void say_names(const void *of, char *text, size_t size)
{
    const hit_checkpoint *c = of;

    (void)snprintf(text, size, "hit_checkpoint_step() with");
    for (size_t k = 0; k < c->count; k++) {
        hit_text_add(text, size, " %s", c->item[k].name);
    }
}

static hit_status begin(hit_checkpoint *c)
{
    hit_comm *comm = c->context->comm;

    HIT_TRY(hit_comm_agree_on(comm, HIT_OK, &(hit_comm_call){mark_names, say_names, c}));
    HIT_TRY(hit_checkpoint_load(c));
    c->begun = true;
    c->saved_step = c->key.step;
    c->vote_step = c->key.step;
    c->vote_at = c->key.step + 1;
    c->saved_s = c->vote_s = now_s(c);
    return HIT_OK;
}

static bool is_time(const hit_checkpoint *c, double now)
{
    return c->saving == NULL && now - c->saved_s >= c->options.every_s;
}

/* Is it the last time before the limit, with room for steps and for the writing? */
static bool is_last_time(const hit_checkpoint *c, double now)
{
    const double left_s = c->open_s + c->options.limit_s - now;

    return !c->limit_served && left_s <= 2 * c->longest_s + 2 * (now - c->vote_s);
}

static bool votes(const hit_checkpoint *c)
{
    return c->options.signals != 0 || !isinf(c->options.every_s) ||
           !isinf(c->options.limit_s) || c->saving != NULL;
}

/* The steps to the next agreement, after @p steps took @p seconds on the slowest. */
static hit_index steps_ahead(const hit_checkpoint *c, hit_index steps, double seconds)
{
    const double wait_s = fmin(VOTE_S, fmin(c->options.every_s, c->options.limit_s) / 4);
    const double fit = wait_s * (double)steps / fmax(seconds, 1e-9);

    return fit < 1 ? 1 : fit > 2 * (double)steps ? 2 * steps : (hit_index)fit;
}

/* Of one that takes long: how far it is. */
static void tell_progress(hit_checkpoint *c)
{
    hit_checkpoint_saving *s = c->saving;
    char bytes[32];

    if (c->context->rank != 0 || c->vote_s - s->told_s < LONG_S) return;
    s->told_s = c->vote_s;
    hit_memory_print(hit_writer_written(s->writer), bytes, sizeof(bytes));
    hit_say(hit_context_notes(c->context),
            "hit: the checkpoint of step %" PRId64
            " is being written: %s of process 0 after %.0f s\n",
            s->manifest.step, bytes, c->vote_s - s->begin_s);
}

/* What processes agree on. */
typedef struct agreement {
    bool due;     /* write one */
    bool urgent;  /* and wait for it: the program may soon be ended */
    bool written; /* the one that is being written can be made whole */
} agreement;

/* One reduction. Process 0 alone looks at the clock for what is due. */
static hit_status agree(hit_checkpoint *c, agreement *found)
{
    enum {
        TIME,
        LAST_TIME,
        SIGNAL,
        WRITING,
        ELAPSED_NS,
        MEMBERS
    };
    const double now = now_s(c);
    const bool tells = c->context->rank == 0;
    uint64_t all[MEMBERS] = {tells && is_time(c, now), tells && is_last_time(c, now),
                             hit_signals_seen(c->options.signals) != 0,
                             c->saving != NULL && !hit_checkpoint_is_written(c),
                             (uint64_t)((now - c->vote_s) * 1e9)};

    HIT_TRY(hit_comm_max_u64(c->context->comm, all, MEMBERS));
    found->urgent = all[LAST_TIME] != 0 || all[SIGNAL] != 0;
    found->due = found->due || all[TIME] != 0 || found->urgent;
    found->written = c->saving != NULL && all[WRITING] == 0;
    c->limit_served = c->limit_served || all[LAST_TIME] != 0;
    c->vote_at = c->key.step + steps_ahead(c, c->key.step - c->vote_step,
                                           (double)all[ELAPSED_NS] * 1e-9);
    c->vote_step = c->key.step;
    c->vote_s = now;
    if (c->saving != NULL && !found->written) tell_progress(c);
    return HIT_OK;
}

/* ---- writing ---- */

static void tell_long(const hit_checkpoint *c, hit_index step, double seconds)
{
    if (c->context->rank != 0 || seconds < LONG_S) return;
    hit_say(hit_context_notes(c->context),
            "hit: the checkpoint of step %" PRId64 " took %.1f s\n", step, seconds);
}

/* The one that is being written becomes whole. */
static hit_status finish(hit_checkpoint *c)
{
    const double begin_s = c->saving->begin_s;
    const hit_index step = c->saving->manifest.step;
    const hit_status status = hit_checkpoint_finish(c);

    c->saved_s = now_s(c);
    c->longest_s = fmax(c->longest_s, c->saved_s - begin_s);
    if (status == HIT_OK) tell_long(c, step, c->saved_s - begin_s);
    return status;
}

static hit_status write_one(hit_checkpoint *c, bool urgent)
{
    const double begin_s = now_s(c);
    hit_status status = hit_checkpoint_save(c, urgent);
    bool behind = false;

    c->saved_step = c->key.step; /* also after a failure: not again at each step */
    if (status == HIT_OK) {
        behind = c->saving->behind;
        c->saving->begin_s = c->saving->told_s = begin_s;
        if (!behind) status = finish(c);
    }
    if (behind) {
        c->vote_at = c->key.step + 1;
        return HIT_OK; /* a signal that came meanwhile asks for one that is waited for */
    }
    c->saved_s = now_s(c);
    hit_signals_take(c->options.signals);
    return status;
}

/* @p found: what is to be done; the first failure is told. */
static hit_status act(hit_checkpoint *c, const agreement *found)
{
    const double begin_s = now_s(c);
    hit_status status = HIT_OK;

    if (c->saving != NULL && (found->written || found->due)) status = finish(c);
    if (found->due) {
        const hit_status written = write_one(c, found->urgent);

        if (status == HIT_OK) status = written;
    }
    c->vote_s += now_s(c) - begin_s;
    return status;
}

hit_status hit_checkpoint_step(hit_context *context)
{
    agreement found = {.due = false};
    hit_checkpoint *c;

    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    c = context->checkpoint;
    if (c == NULL) return HIT_OK;
    HIT_TRY(hit_context_check_thread(context));
    if (!c->begun) return begin(c);
    c->key.step++;
    found.due = c->key.step - c->saved_step >= c->options.every_steps;
    if (c->key.step >= c->vote_at && votes(c)) HIT_TRY(agree(c, &found));
    return found.due || found.written ? act(c, &found) : HIT_OK;
}

/* ---- close ---- */

hit_status hit_checkpoint_close(hit_context *context, bool ends)
{
    hit_checkpoint *c = context->checkpoint;
    hit_status status = HIT_OK;

    context->checkpoint = NULL;
    if (c == NULL) return HIT_OK;
    if (c->saving != NULL && !hit_comm_parted(context->comm)) status = finish(c);
    hit_checkpoint_abandon(c);
    if (ends && c->lock >= 0) {
        const hit_status marked = hit_checkpoint_end(c->options.path, c->key.run);

        if (status == HIT_OK) status = marked;
    }
    hit_checkpoint_unlock(&c->lock);
    hit_signals_close(c->options.signals);
    free(c->item);
    free(c);
    return status;
}
