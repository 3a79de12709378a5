/* SPDX-License-Identifier: MIT
 * Launches that repeat are recognised after two periods; then a block begins, which is
 * predicted to go on as before. A launch that was not expected ends it, and so does one
 * on a tile that the program wrote meanwhile: on all processes at the same launch, which
 * they make sure of there. */
#include "hit/base/context.h"
#include "hit/base/quote.h"
#include "hit/data/hash.h"
#include "hit/deep/deep_impl.h"
#include "hit/launch/launcher.h"
#include "patterns/transform.h"

#include <stdio.h>

static hit_storage *storage_of(const hit_call *call, const hit_launch_plan *plan, int u)
{
    return call->args[plan->use[u].arg].tile->storage;
}

/* ---- what repeats ---- */

/* The launches that are repeated, twice at least; 0: there are none. */
static int find_period(hit_deep *deep)
{
    const uint64_t n = deep->recorded;

    for (int p = 1; 2 * p <= HIT_DEEP_HISTORY && 2 * (uint64_t)p <= n; p++) {
        int alike = 0;

        while (alike < p && hit_deep_at(deep, n - 1 - (uint64_t)alike)->hash ==
                                hit_deep_at(deep, n - 1 - (uint64_t)(alike + p))->hash) {
            alike++;
        }
        if (alike == p) return p;
    }
    return 0;
}

/* The same wherever in the period, and in a run, a block would begin. */
static uint64_t hash_of_period(hit_deep *deep, int period, uint64_t run)
{
    uint64_t sum = 0;

    for (int l = 0; l < period; l++) {
        const uint64_t at = deep->recorded - 1 - (uint64_t)l;

        sum += hit_hash_word(HIT_HASH_START, hit_deep_at(deep, at)->hash);
    }
    sum = hit_hash_word(sum, run);
    return hit_hash_word(sum, (uint64_t)deep->context->launcher->chain_room) | 1u;
}

/* Something else comes between launches that can be in blocks. */
static void interrupt(hit_deep *deep)
{
    deep->now = NULL;
    if (deep->run > 0) deep->last_run = deep->run;
    deep->run = 0;
}

/* How many launches will there be until something else comes between, the last one
 * included, if it comes as it did the time before? */
static uint64_t launches_left(const hit_deep *deep)
{
    return deep->run > deep->last_run ? UINT64_MAX : deep->last_run - deep->run + 1;
}

/* ---- what is written ---- */

/* The tile of a use, if it is known and was not replaced by another one of its number. */
static hit_deep_tile *tile_of(hit_deep *deep, const hit_call *call,
                              const hit_launch_plan *plan, int u)
{
    const hit_storage *storage = storage_of(call, plan, u);
    hit_deep_tile *tile = hit_deep_find(deep, storage->number);

    return tile != NULL && tile->storage == storage ? tile : NULL;
}

/* Did the program write one of the launch's tiles? */
static bool was_written(hit_deep *deep, const hit_call *call, const hit_launch_plan *plan)
{
    bool written = false;

    for (int u = 0; u < plan->uses; u++) {
        hit_deep_tile *tile = tile_of(deep, call, plan, u);

        if (tile == NULL) continue;
        deep->recent_tile[tile - deep->tile].used = deep->launches;
        if (tile->looks == tile->storage->looks) continue;
        tile->looks = tile->storage->looks;
        tile->writes++;
        hit_deep_state_forget(&tile->state);
        deep->written = (int)(tile - deep->tile) + 1;
        written = true;
    }
    return written;
}

/* Elements beyond a boundary are others when it becomes periodic, or is so no longer. */
static void note_boundaries(hit_deep *deep, const hit_call *call,
                            const hit_launch_plan *plan)
{
    for (int u = 0; u < plan->uses; u++) {
        const hit_tile *of = call->args[plan->use[u].arg].tile;
        hit_deep_tile *tile = hit_deep_find(deep, of->storage->number);
        const unsigned periodic = hit_deep_periodic(of);

        if (tile == NULL || tile->periodic == periodic) continue;
        tile->periodic = periodic;
        hit_deep_state_forget(&tile->state);
    }
}

/* What a launch alone reads beyond boundaries is filled in as these say. */
static void note_rims(hit_deep *deep, const hit_call *call, const hit_launch_plan *plan)
{
    for (int u = 0; u < plan->uses; u++) {
        const hit_tile *of = call->args[plan->use[u].arg].tile;
        hit_deep_tile *tile = tile_of(deep, call, plan, u);
        hit_domain cover;

        if (tile == NULL || (tile->images & ~tile->periodic) == 0) continue;
        cover = hit_pattern_cover(plan->use[u].pattern, &of->domain, &call->domain);
        if (hit_domain_inside(&cover, &of->domain)) continue;
        tile->images = 0;
        hit_deep_state_forget(&tile->state);
    }
}

/* The launch writes, beyond its part as far as turn->extra says. */
static void note_writes(hit_deep *deep, const hit_call *call, const hit_launch_plan *plan,
                        const hit_deep_turn *turn)
{
    static const hit_margin none = {0};
    const hit_deep_form *form = turn->form;

    for (int u = 0; u < plan->uses; u++) {
        hit_deep_tile *tile = hit_deep_find(deep, storage_of(call, plan, u)->number);

        if (tile == NULL || plan->use[u].mode == HIT_MODE_IN) continue;
        if (form == NULL || form->home) {
            hit_deep_state_forget(&tile->state);
        } else {
            hit_deep_state_write(&tile->state, &form->launch.use[u].cover,
                                 form->launch.use[u].whole,
                                 turn->extra != NULL ? turn->extra : &none);
        }
    }
}

/* ---- blocks ---- */

/* Once for a launch is enough. */
static hit_status compare(hit_deep *deep)
{
    if (deep->compared == deep->launches) return HIT_OK;
    HIT_TRY(hit_deep_compare(deep));
    deep->compared = deep->launches;
    return HIT_OK;
}

static hit_status leave(hit_deep *deep)
{
    deep->now = NULL;
    hit_deep_watch(deep, false);
    return compare(deep);
}

/* There are plans for a power of two of steps, or of launches where that is less than a
 * step, so that runs of many lengths share a few: at least @p left launches. The last
 * ones of a block need not come. */
static int rounded(uint64_t left, int period)
{
    uint64_t made = left >= (uint64_t)period ? (uint64_t)period : 1;

    while (made < left && made < HIT_CHAIN_LAUNCHES) {
        made *= 2;
    }
    return (int)made;
}

/* About so many launches until something else comes between; 0: nobody knows. */
static uint64_t expected_run(const hit_deep *deep, int period)
{
    if (launches_left(deep) == UINT64_MAX) return 0;
    return (uint64_t)rounded(deep->last_run, period);
}

/* The best block, or a shorter one if half of it would not come; NULL: there is none. */
static hit_deep_plan *find_plan(hit_deep *deep, hit_deep_expected *e)
{
    const uint64_t left = launches_left(deep);
    hit_deep_plan *found = hit_deep_plan_of(e, deep->context->launcher->chain_room);
    int most;

    if (found == NULL || (uint64_t)found->launches <= left) return found;
    most = rounded(left, e->period);
    return most < found->launches ? hit_deep_plan_of(e, most) : found;
}

/* What is exchanged: not what is right already. */
static void set_sent(hit_deep *deep, hit_deep_plan *plan)
{
    for (int f = 0; f < plan->fields; f++) {
        hit_deep_part *part = &plan->field[f];
        hit_deep_tile *tile = hit_deep_find(deep, part->number);
        const hit_margin depth = hit_deep_depth(&part->need);

        part->sent = false;
        if (tile == NULL) continue;
        if (tile->images != plan->periodic) {
            tile->images = plan->periodic;
            hit_deep_state_forget(&tile->state);
        }
        hit_deep_state_expect(&tile->state, &part->need.changed);
        if (!part->need.read || hit_deep_state_serves(&tile->state, &part->need)) {
            continue;
        }
        hit_deep_state_receive(&tile->state, &part->need);
        part->sent = !hit_margin_is_none(&depth);
    }
}

static bool stays(hit_deep *deep, uint64_t launch, int period)
{
    const hit_deep_form *form = hit_deep_at(deep, launch);

    if (form->home) return false;
    return form->exact == hit_deep_at(deep, launch - (uint64_t)period)->exact;
}

/* The first launch of a block has a plan for its place, which all processes make together
 * where it is new: so a block begins with a launch that is where it was, if the period
 * has one, and never with one at home: the next one may. */
static bool may_be_first(hit_deep *deep, int period)
{
    const uint64_t last = deep->recorded - 1;

    if (stays(deep, last, period)) return true;
    for (int l = 1; l < period; l++) {
        if (stays(deep, last - (uint64_t)l, period)) return false;
    }
    return !hit_deep_at(deep, last)->home;
}

/* Several processes save messages, whose time the plan knows. One has only to see that a
 * block is the faster one; what is recorded is run, so that it is over. */
static hit_status is_worth_it(hit_deep *deep, const char *kernel, hit_deep_plan *plan,
                              bool *worth)
{
    hit_context *context = deep->context;
    const uint64_t launch = deep->recorded - 1;
    const bool decided = hit_worth_is_decided(&plan->worth);

    *worth = true;
    if (context->size > 1 || context->launcher->chain_choice != NULL) return HIT_OK;
    if (!decided) {
        HIT_TRY(hit_tasks_wait_all(context->stations->tasks));
        HIT_TRY(hit_stations_run_recorded(context->stations));
    }
    *worth = hit_worth_next(&plan->worth, launch, plan->launches,
                            hit_clock_now(&context->clock));
    if (!decided && hit_worth_is_decided(&plan->worth) && context->launcher->chain_says) {
        hit_say(hit_context_reports(context),
                "chain from kernel %s on: with halos %.2f times as fast as one after the "
                "other: %s\n",
                kernel, plan->worth.other_s / plan->worth.one_s,
                *worth ? "kept" : "ended");
    }
    if (!*worth) deep->alone = launch + (uint64_t)plan->launches;
    return HIT_OK;
}

/* Begin a block with the last launch, if it and those before it repeat. */
static hit_status begin(hit_deep *deep, const hit_call *call, const hit_launch_plan *plan)
{
    const int period = find_period(deep);
    hit_deep_expected e = {.deep = deep,
                           .first = deep->recorded - 1 - (uint64_t)period,
                           .period = period,
                           .storage = storage_of(call, plan, 0),
                           .kernel = call->kernel->name};
    hit_deep_plan *found;
    uint64_t hash;
    uint64_t run;
    bool worth;

    if (period > 0) deep->period = period;
    if (period == 0 || launches_left(deep) < 2) return HIT_OK;
    if (deep->recorded - 1 < deep->alone) return HIT_OK;
    if (!may_be_first(deep, period)) return HIT_OK;
    run = expected_run(deep, period);
    hash = hash_of_period(deep, period, run);
    if (hash == deep->hopeless) return HIT_OK;
    HIT_TRY(compare(deep)); /* plans follow from what was written */
    found = find_plan(deep, &e);
    if (found == NULL || found->launches == 0 ||
        !hit_deep_saves_votes(deep, found, run)) {
        deep->hopeless = hash;
        return HIT_OK;
    }
    HIT_TRY(is_worth_it(deep, call->kernel->name, found, &worth));
    if (!worth) return HIT_OK;
    set_sent(deep, found);
    deep->now = found;
    deep->position = 0;
    hit_deep_watch(deep, true);
    return HIT_OK;
}

/* ---- a launch ---- */

/* Once for the launches of a plan. */
static void say(const hit_deep *deep, const hit_launch_plan *plan, const char *why)
{
    if (plan->runs == 2 && deep->context->rank == 0) {
        hit_chain_say_end(deep->context, why);
    }
}

static void say_unasked(const hit_deep *deep, const hit_call *call,
                        const hit_launch_plan *plan)
{
    const char *reason = hit_deep_refused(call, plan);
    char why[200];

    if (deep->context->launcher->chain_asked) return;
    if (reason == NULL) reason = "hit_chain() was not called, or said HIT_CHAIN_OFF";
    (void)snprintf(why, sizeof(why), "kernel %s: %s", call->kernel->name, reason);
    say(deep, plan, why);
}

/* Set *form to the launch as the history has it; NULL: it can be in no block. What is not
 * known is read by all processes together. */
static hit_status remember(hit_deep *deep, const hit_call *call,
                           const hit_launch_plan *plan, const hit_deep_form **form)
{
    hit_deep_form *made = hit_deep_next_form(deep);
    bool can = false;
    char why[400];

    *form = NULL;
    if (deep->context->launcher->chain_room < 2) {
        say_unasked(deep, call, plan);
        return HIT_OK;
    }
    can = hit_deep_describe(deep, call, plan, made, why, sizeof(why));
    if (!can) {
        const uint64_t key = hit_deep_home_key(call, plan);

        if (deep->inside && !hit_deep_knows_home(deep, key)) {
            HIT_TRY(leave(deep));
        }
        can = hit_deep_describe_home(deep, call, plan, key, made);
    }
    if (!can) {
        say(deep, plan, why);
        return HIT_OK;
    }
    made = hit_deep_keep(deep);
    /* what a launch at home needs, no other process has to know of */
    for (int u = 0; u < plan->uses && !made->home; u++) {
        (void)hit_deep_meet(deep, storage_of(call, plan, u));
    }
    *form = made;
    return HIT_OK;
}

/* Does the launch go on with the block? */
static bool is_expected(const hit_deep *deep, const hit_deep_form *form)
{
    if (deep->now->launches > deep->context->launcher->chain_room) return false;
    if (deep->now->hash[deep->position] != form->hash) return false;
    return deep->now->exact[deep->position] == 0 ||
           deep->now->exact[deep->position] == form->exact;
}

/* A launch is taken to need the device as the one before it in its place did: a sketch
 * says nothing of that. */
static void go_on(hit_deep *deep, hit_deep_turn *turn)
{
    const uint64_t last = deep->recorded - 1;
    const uint64_t before = last - (uint64_t)deep->now->period;

    hit_deep_form *form = hit_deep_at(deep, last);

    if (form->streams == 0) form->streams = hit_deep_at(deep, before)->streams;
    form->stays = hit_deep_at(deep, before)->stays;
    turn->block = deep->now;
    turn->begins = deep->position == 0;
    turn->moves = deep->now->exact[deep->position] == 0;
    if (deep->now->exact[deep->position] != 0 && deep->now->reached != NULL) {
        turn->reached = &deep->now->reached[deep->now->first_reached[deep->position]];
    }
    turn->extra = &deep->now->extra[deep->position++];
    if (deep->position == deep->now->launches) deep->now = NULL;
}

hit_status hit_deep_next(hit_deep *deep, const hit_call *call,
                         const hit_launch_plan *plan, hit_deep_turn *turn)
{
    *turn = (hit_deep_turn){.form = NULL};
    deep->launches++;
    note_boundaries(deep, call, plan);
    if (was_written(deep, call, plan) && deep->inside) HIT_TRY(leave(deep));
    HIT_TRY(remember(deep, call, plan, &turn->form));
    if (turn->form == NULL || (deep->now != NULL && !is_expected(deep, turn->form))) {
        interrupt(deep);
    }
    if (deep->inside && deep->now == NULL) HIT_TRY(leave(deep));
    if (turn->form != NULL) {
        deep->run++;
        if (deep->now == NULL) HIT_TRY(begin(deep, call, plan));
        if (deep->now != NULL) go_on(deep, turn);
    }
    if (turn->block == NULL) note_rims(deep, call, plan);
    note_writes(deep, call, plan, turn);
    return HIT_OK;
}

/* Did the program write one of the launch's tiles since the last launch on it? */
static bool is_written(hit_deep *deep, const hit_call *call, const hit_launch_plan *plan)
{
    for (int u = 0; u < plan->uses; u++) {
        const hit_deep_tile *tile = tile_of(deep, call, plan, u);

        if (tile != NULL && tile->looks != tile->storage->looks) return true;
    }
    return false;
}

bool hit_deep_expects(hit_deep *deep, const hit_call *call, const hit_launch_plan *plan)
{
    hit_deep_form *made = hit_deep_next_form(deep);
    char why[400];

    if (deep->now == NULL || is_written(deep, call, plan)) return false;
    if (!hit_deep_knows(deep, call, plan)) return false;
    if (!hit_deep_describe(deep, call, plan, made, why, sizeof(why))) {
        const uint64_t key = hit_deep_home_key(call, plan);

        if (!hit_deep_knows_home(deep, key)) return false;
        if (!hit_deep_describe_home(deep, call, plan, key, made)) return false;
    }
    return is_expected(deep, made);
}
