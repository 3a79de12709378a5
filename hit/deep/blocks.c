/* SPDX-License-Identifier: MIT
 * Launches that repeat are recognised after two periods; then a block begins, which is
 * predicted to go on as before. A launch that was not expected ends it, and so does one
 * on a tile that the program wrote meanwhile: on all processes at the same launch, which
 * they make sure of there. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/data/hash.h"
#include "hit/deep/deep_impl.h"
#include "hit/launch/launcher.h"
#include "patterns/transform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    TOGETHER = 200 /* launches */
};

/* The launch that comes. */
typedef struct coming {
    hit_deep *deep;
    const hit_call *call;
    const hit_launch_plan *plan;
    hit_deep_tile *tile[HIT_MAX_ARGS]; /* of its uses; NULL: it is not known */
} coming;

static const hit_tile *tile_of(const coming *c, int u)
{
    return c->call->args[c->plan->use[u].arg].tile;
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
    deep->now = deep->last = NULL;
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

/* Find its tiles. Did the program write one of them? Elements beyond a boundary are
 * others when it becomes periodic, or is so no longer. */
static bool was_written(coming *c)
{
    hit_deep *deep = c->deep;
    bool written = false;

    for (int u = 0; u < c->plan->uses; u++) {
        const hit_tile *of = tile_of(c, u);
        hit_deep_tile *tile = hit_deep_find(deep, of->storage->number);
        const unsigned periodic = hit_deep_periodic(of);

        c->tile[u] = tile;
        if (tile == NULL) continue;
        deep->recent_tile[tile - deep->tile].used = deep->launches;
        if (tile->periodic != periodic) hit_deep_state_forget(&tile->state);
        tile->periodic = periodic;
        if (tile->looks == of->storage->looks) continue;
        tile->looks = of->storage->looks;
        tile->writes++;
        hit_deep_state_forget(&tile->state);
        deep->written = (int)(tile - deep->tile) + 1;
        written = true;
    }
    return written;
}

/* What a launch alone reads beyond boundaries is filled in as these say. */
static void note_rims(const coming *c)
{
    for (int u = 0; u < c->plan->uses; u++) {
        const hit_tile *of = tile_of(c, u);
        hit_deep_tile *tile = c->tile[u];
        hit_domain cover;

        if (tile == NULL || (tile->images & ~tile->periodic) == 0) continue;
        cover = hit_pattern_cover(c->plan->use[u].pattern, &of->domain, &c->call->domain);
        if (hit_domain_inside(&cover, &of->domain)) continue;
        tile->images = 0;
        hit_deep_state_forget(&tile->state);
    }
}

/* The launch writes, beyond its part as far as turn->extra says. */
static void note_writes(const coming *c, const hit_deep_turn *turn)
{
    static const hit_margin none = {0};
    const hit_deep_form *form = turn->form;

    for (int u = 0; u < c->plan->uses; u++) {
        if (c->tile[u] == NULL || c->plan->use[u].mode == HIT_MODE_IN) continue;
        if (form == NULL || form->home) {
            hit_deep_state_forget(&c->tile[u]->state);
        } else {
            hit_deep_state_write(&c->tile[u]->state, &form->use[u].cover,
                                 form->use[u].whole,
                                 turn->extra != NULL ? turn->extra : &none);
        }
    }
}

/* ---- blocks ---- */

/* Once for a launch is enough. A block may begin then: who has no memory to plan it says
 * so there. */
static hit_status compare(hit_deep *deep)
{
    if (deep->compared == deep->launches) return HIT_OK;
    if (deep->planning == NULL) {
        (void)hit_memory_zeroed(1, sizeof(*deep->planning), &deep->planning);
    }
    HIT_TRY(hit_deep_compare(deep));
    deep->compared = deep->launches;
    return HIT_OK;
}

/* The block before ended with the launch before: does this one begin it again? Nothing
 * came between, and nobody knows for how long it goes on, so that it would be found. */
static bool comes_again(hit_deep *deep)
{
    const hit_deep_plan *last = deep->last;

    return last != NULL && last->most == deep->context->launcher->chain_room &&
           launches_left(deep) == UINT64_MAX && last->exact[0] != 0 &&
           last->exact[0] == hit_deep_at(deep, deep->recorded - 1)->exact;
}

/* Does a block of the same plan follow the one that is full? All processes see alone that
 * it does. They compare themselves about every two hundred launches, as those do that get
 * no messages of others, and where they met in the block: then they may again. */
static bool follows(hit_deep *deep)
{
    return deep->open != NULL && deep->open == deep->last && !deep->interrupted &&
           deep->launches - deep->compared < TOGETHER && comes_again(deep);
}

hit_status hit_deep_leave(hit_deep *deep)
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

/* All processes compare themselves before a run of about @p run launches and behind it:
 * two messages along a tree. Do blocks of the plan save more than that, of messages and
 * of passages through the memory? 0 launches: nobody knows how many, so yes. Tests with a
 * choice of their own: yes. */
static bool saves_votes(const hit_deep *deep, const hit_deep_plan *plan, uint64_t run)
{
    const double launches = (double)run;
    const double blocks = ceil(launches / plan->launches);
    const double votes_s = 2 * plan->wait_s * ceil(log2(deep->context->size));
    const double alone = launches * plan->waits / plan->period;

    if (run == 0 || deep->context->launcher->chain_choice != NULL) return true;
    return (alone - blocks) * plan->wait_s + (launches - blocks) * plan->passage_s >=
           votes_s;
}

/* Set *found to the block that the last launch begins, if it and those before it repeat;
 * NULL: to none. */
static hit_status find_block(const coming *c, hit_deep_plan **found)
{
    hit_deep *deep = c->deep;
    const int period = find_period(deep);
    hit_deep_expected e = {.deep = deep,
                           .first = deep->recorded - 1 - (uint64_t)period,
                           .period = period,
                           .storage = tile_of(c, 0)->storage,
                           .kernel = c->call->kernel->name};
    uint64_t hash;
    uint64_t run;

    *found = NULL;
    if (period > 0) deep->period = period;
    if (period == 0 || launches_left(deep) < 2) return HIT_OK;
    if (deep->recorded - 1 < deep->alone) return HIT_OK;
    if (!may_be_first(deep, period)) return HIT_OK;
    run = expected_run(deep, period);
    hash = hash_of_period(deep, period, run);
    if (hash == deep->hopeless) return HIT_OK;
    HIT_TRY(compare(deep)); /* plans follow from what was written */
    if (deep->poor) return HIT_OK;
    *found = find_plan(deep, &e);
    if (*found != NULL && (*found)->launches > 0 && saves_votes(deep, *found, run)) {
        return HIT_OK;
    }
    *found = NULL;
    deep->hopeless = hash;
    return HIT_OK;
}

static hit_status begin(const coming *c)
{
    hit_deep *deep = c->deep;
    hit_deep_plan *found = comes_again(deep) ? deep->last : NULL;
    bool worth;

    deep->last = NULL;
    if (found == NULL) HIT_TRY(find_block(c, &found));
    if (found == NULL) return HIT_OK;
    HIT_TRY(is_worth_it(deep, c->call->kernel->name, found, &worth));
    if (!worth) return HIT_OK;
    hit_deep_set_sent(deep, found);
    deep->now = found;
    deep->position = 0;
    /* where processes meet in blocks they need not be told that one has left */
    deep->open = deep->interrupted ? NULL : found;
    deep->interrupted = false;
    hit_deep_watch(deep, true);
    return HIT_OK;
}

/* ---- a launch ---- */

/* Once for the launches of a plan. */
static void say(const coming *c, const char *why)
{
    if (c->plan->runs == 2 && c->deep->context->rank == 0) {
        hit_chain_say_end(c->deep->context, why);
    }
}

static void say_unasked(const coming *c)
{
    const char *reason = hit_deep_refused(c->call, c->plan);
    char why[200];

    if (c->deep->context->launcher->chain_asked) return;
    if (reason == NULL) reason = "hit_chain() was not called, or said HIT_CHAIN_OFF";
    (void)snprintf(why, sizeof(why), "kernel %s: %s", c->call->kernel->name, reason);
    say(c, why);
}

/* The number of @p form in the history: it is one of these, or, where it was described, a
 * copy. Without memory its uses are not known, which all processes are told when they
 * compare themselves. */
static unsigned char number_of(hit_deep *deep, const hit_deep_form *form)
{
    int kept = 0;

    if (form != &deep->coming) return (unsigned char)(form - deep->form);
    while (deep->held[kept] > 0) {
        kept++;
    }
    (void)hit_deep_form_copy(&deep->form[kept], form);
    return (unsigned char)kept;
}

void hit_deep_insert(hit_deep *deep, uint64_t at, const hit_deep_form *form)
{
    unsigned char *const history = deep->history;
    unsigned char *const oldest = &history[deep->recorded % HIT_DEEP_HISTORY];

    if (deep->recorded - at >= HIT_DEEP_HISTORY) return;
    if (deep->recorded >= HIT_DEEP_HISTORY) deep->held[*oldest]--;
    for (uint64_t n = deep->recorded; n > at; n--) {
        history[n % HIT_DEEP_HISTORY] = history[(n - 1) % HIT_DEEP_HISTORY];
    }
    history[at % HIT_DEEP_HISTORY] = number_of(deep, form);
    deep->held[history[at % HIT_DEEP_HISTORY]]++;
    deep->recorded++;
}

/* Set *form to the launch as the history has it; NULL: it can be in no block. What is not
 * known is read by all processes together. */
static hit_status remember(coming *c, const hit_deep_form **form)
{
    hit_deep *deep = c->deep;
    hit_deep_form *made;
    char why[400];

    *form = NULL;
    if (deep->context->launcher->chain_room < 2) {
        say_unasked(c);
        return HIT_OK;
    }
    made = hit_deep_describe(deep, c->call, c->plan, why, sizeof(why));
    if (made == NULL) {
        const uint64_t key = hit_deep_home_key(c->call, c->plan);

        if (deep->inside && !hit_deep_knows_home(deep, key)) {
            HIT_TRY(hit_deep_leave(deep));
        }
        made = hit_deep_describe_home(deep, c->call, c->plan, key);
    }
    if (made == NULL) {
        say(c, why);
        return HIT_OK;
    }
    hit_deep_insert(deep, deep->recorded, made); /* the last one from now on */
    /* what a launch at home needs, no other process has to know of */
    for (int u = 0; u < c->plan->uses && !made->home; u++) {
        if (c->tile[u] == NULL) c->tile[u] = hit_deep_meet(deep, tile_of(c, u)->storage);
    }
    *form = made;
    return HIT_OK;
}

bool hit_deep_is_next(const hit_deep *deep, const hit_deep_form *form)
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
    turn->position = deep->position;
    if (deep->now->exact[deep->position] != 0 && deep->now->reached != NULL) {
        turn->reached = &deep->now->reached[deep->now->first_reached[deep->position]];
    }
    turn->extra = &deep->now->extra[deep->position++];
    if (deep->position < deep->now->launches) return;
    deep->last = deep->now;
    deep->now = NULL;
}

static hit_status next(hit_deep *deep, const hit_call *call, const hit_launch_plan *plan,
                       hit_deep_turn *turn)
{
    coming c = {.deep = deep, .call = call, .plan = plan};

    *turn = (hit_deep_turn){.form = NULL};
    deep->launches++;
    if (was_written(&c)) {
        deep->last = NULL;
        if (deep->inside) HIT_TRY(hit_deep_leave(deep));
    }
    HIT_TRY(remember(&c, &turn->form));
    if (turn->form == NULL ||
        (deep->now != NULL && !hit_deep_is_next(deep, turn->form))) {
        interrupt(deep);
    }
    if (deep->inside && deep->now == NULL && (turn->form == NULL || !follows(deep))) {
        HIT_TRY(hit_deep_leave(deep));
    }
    if (turn->form != NULL) {
        deep->run++;
        if (deep->now == NULL) HIT_TRY(begin(&c));
        if (deep->now != NULL) go_on(deep, turn);
    }
    if (turn->block == NULL) note_rims(&c);
    note_writes(&c, turn);
    return HIT_OK;
}

hit_status hit_deep_next(hit_deep *deep, const hit_call *call,
                         const hit_launch_plan *plan, hit_deep_turn *turn)
{
    const hit_status status = next(deep, call, plan, turn);

    free(deep->planning);
    deep->planning = NULL;
    return status;
}
