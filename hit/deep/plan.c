/* SPDX-License-Identifier: MIT
 * Blocks over processes: how many launches, on which margins, what is exchanged before.
 * The more launches between messages, the more is computed twice. Where the balance lies
 * depends on the launches, the smallest part, and on a time that the processes agree on
 * when they make a plan, so that all take the same blocks. */
#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/data/hash.h"
#include "hit/deep/deep_impl.h"
#include "hit/launch/launcher.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What it takes to wait for neighbours once, and to run an index, at least. Where they
 * are wrong by a factor of 4 the block is twice as long or as short as it should be. */
static const double least_wait_s = 100e-6;
static const double index_s = 1e-9;

/* What launches took counts where they take so long that nothing but their indices does.
 */
static const double long_s = 1e-3;

/* And to read or write a byte in memory. */
static const double byte_s = 1e-10;

void hit_deep_plan_destroy(hit_deep_plan **plan_pointer)
{
    hit_deep_plan *plan = *plan_pointer;

    if (plan == NULL) return;
    hit_exchange_destroy(&plan->exchange);
    free(plan->reached);
    free(plan->grown);
    hit_memory_release(&plan->buffer);
    free(plan);
    *plan_pointer = NULL;
}

/* ---- what the block is ---- */

/* Was the launch elsewhere a period before? The first one is the last that was seen. */
static bool moves(const hit_deep_expected *e, int l)
{
    const uint64_t period = (uint64_t)e->period;
    const uint64_t at = e->first + (uint64_t)(l % e->period);
    const uint64_t other = at == e->first ? at + period : at - period;

    return hit_deep_at(e->deep, at)->exact != hit_deep_at(e->deep, other)->exact;
}

/* It may be anywhere, in axes that are not shared. */
static void set_anywhere(const hit_deep_form *form, hit_deep_launch *launch)
{
    for (int u = 0; u < launch->uses; u++) {
        hit_deep_use *use = &launch->use[u];

        use->whole = false;
        for (int c = 0; c < form->dims; c++) {
            if ((form->anchor.shared >> c & 1u) != 0) continue;
            use->cover.sig[c] = form->launch->use[u].tile.sig[c];
        }
    }
}

/* -1: there are too many. */
static int field_of(hit_deep_plan *plan, uint64_t number, size_t size_bytes, int dims)
{
    for (int f = 0; f < plan->fields; f++) {
        if (plan->field[f].number == number) return f;
    }
    if (plan->fields == HIT_DEEP_FIELDS) return -1;
    plan->field[plan->fields] =
        (hit_deep_part){.number = number,
                        .size_bytes = size_bytes,
                        .need = {.changed = hit_domain_empty(dims)}};
    return plan->fields++;
}

/* Does a launch that runs without margins write what others need beyond their parts? */
static bool home_writes_field(const hit_deep_expected *e, const hit_deep_plan *plan)
{
    for (int l = 0; l < e->period; l++) {
        const hit_deep_form *form = hit_deep_form_at(e, l);

        for (int u = 0; u < form->launch->uses && form->home; u++) {
            if (!form->launch->use[u].writes) continue;
            for (int f = 0; f < plan->fields; f++) {
                if (plan->field[f].number == form->number[u]) return true;
            }
        }
    }
    return false;
}

static bool same_periods(const hit_deep_form *a, const hit_deep_form *b)
{
    return memcmp(a->period, b->period, sizeof(a->period)) == 0;
}

/* The launches of one period; false: they have nothing to do with each other, or more
 * tiles or uses of them than can be kept in mind. */
static bool set_fields(const hit_deep_expected *e, hit_deep_plan *plan)
{
    int uses = 0;

    for (int l = 0; l < e->period; l++) {
        const hit_deep_form *form = hit_deep_form_at(e, l);
        hit_deep_launch *launch = &e->deep->planning->work[l];

        if (form->home) {
            launch->uses = 0;
            continue;
        }
        if (form->layout != e->parts->key) return false;
        if (!same_periods(form, hit_deep_form_at(e, 0))) return false;
        launch->uses = form->launch->uses;
        launch->use = &e->deep->planning->use[uses];
        uses += launch->uses;
        if (uses > HIT_DEEP_USES) return false;
        memcpy(launch->use, form->use, (size_t)launch->uses * sizeof(*launch->use));
        if (moves(e, l)) set_anywhere(form, launch);
        for (int u = 0; u < launch->uses; u++) {
            const int f = field_of(plan, form->number[u], form->launch->use[u].size_bytes,
                                   form->dims);

            if (f < 0 || hit_deep_find(e->deep, form->number[u]) == NULL) return false;
            launch->use[u].field = f;
        }
    }
    plan->periodic = hit_deep_repeats(hit_deep_form_at(e, 0));
    return !home_writes_field(e, plan);
}

static void set_changed(const hit_deep_expected *e, hit_deep_plan *plan)
{
    for (int f = 0; f < plan->fields; f++) {
        const hit_deep_tile *tile = hit_deep_find(e->deep, plan->field[f].number);

        if (tile == NULL || hit_deep_state_is_bare(&tile->state)) continue;
        plan->field[f].need.changed = tile->state.changed;
    }
    for (int l = 0; l < e->period; l++) {
        const hit_deep_launch *launch = &e->deep->planning->work[l];

        for (int u = 0; u < launch->uses; u++) {
            hit_domain *changed = &plan->field[launch->use[u].field].need.changed;

            if (!launch->use[u].writes) continue;
            *changed = hit_domain_cover(changed, &launch->use[u].cover);
        }
    }
}

/* Are the copies of launches beyond periodic boundaries those of one move only? */
static bool periods_are_large(const hit_deep_expected *e, const hit_deep_plan *plan,
                              int dims)
{
    const hit_index *period = hit_deep_form_at(e, 0)->period;

    for (int l = 0; l < plan->launches; l++) {
        const hit_margin *extra = &e->deep->planning->work[l].extra;

        for (int c = 0; c < dims; c++) {
            if (period[c] == 0) continue;
            if (extra->low[c] > period[c] || extra->high[c] > period[c]) return false;
        }
    }
    return true;
}

/* Does each process have all that its neighbours need? */
static bool parts_are_large(const hit_deep_expected *e, const hit_deep_plan *plan,
                            int dims)
{
    for (int f = 0; f < plan->fields; f++) {
        const hit_margin depth = hit_deep_depth(&plan->field[f].need);

        for (int c = 0; c < dims; c++) {
            if (depth.low[c] > e->parts->shape.least[c]) return false;
            if (depth.high[c] > e->parts->shape.least[c]) return false;
        }
    }
    return true;
}

static bool crosses(const hit_deep_expected *e)
{
    return e->streams && e->limit_bytes < SIZE_MAX;
}

/* The next length that is tried, in whole periods: an eighth less where each try is a
 * plan of what crosses. */
static int shorter(const hit_deep_expected *e, int launches)
{
    const int less = crosses(e) && launches >= 16 ? launches / 8 : 1;
    const int next = launches - less;

    return next > e->period ? next / e->period * e->period : next;
}

/* The bytes per launch that move to where it runs, and back; HUGE_VAL: more than @p
 * alone, those of launches one after the other. In place they are those of the caches. */
static hit_status set_bytes(const hit_deep_expected *e, const hit_deep_plan *plan,
                            double alone, double indices, double *bytes)
{
    *bytes = 0;
    if (crosses(e)) {
        HIT_TRY(hit_deep_crossing(e, plan->launches, bytes));
        /* each is read in one memory and written in the other */
        *bytes = *bytes <= alone ? 2 * *bytes : HUGE_VAL;
        return HIT_OK;
    }
    for (int f = 0; f < plan->fields && e->streams; f++) {
        *bytes += 2 * indices * (double)plan->field[f].size_bytes / plan->launches;
    }
    return HIT_OK;
}

static double least_indices(const hit_deep_expected *e, int dims)
{
    double indices = 1;

    for (int c = 0; c < dims; c++) {
        indices *= (double)e->parts->shape.least[c];
    }
    return indices;
}

/* Seconds for all fields to pass through the memory once, there and back. */
static double passage_s(const hit_deep_expected *e, const hit_deep_plan *plan, int dims)
{
    double bytes = 0;

    for (int f = 0; f < plan->fields; f++) {
        bytes += (double)plan->field[f].size_bytes;
    }
    return 2 * bytes * byte_s * least_indices(e, dims);
}

/* Seconds for a launch of a block of plan->launches, by the rule. */
static hit_status set_seconds(const hit_deep_expected *e, const hit_deep_plan *plan,
                              double alone, int dims, double *seconds)
{
    const double work = hit_deep_work(dims, e->parts->shape.least, plan->launches,
                                      e->deep->planning->work);
    const double known_s = e->launch_s < long_s ? 0 : e->launch_s;
    const double indices = least_indices(e, dims);
    double bytes;

    HIT_TRY(set_bytes(e, plan, alone, indices, &bytes));
    *seconds = work * fmax(indices * index_s, known_s) + e->wait_s / plan->launches +
               bytes * byte_s;
    return HIT_OK;
}

/* Set all for a block of so many launches; false: parts are too small for it. */
static bool try_launches(const hit_deep_expected *e, int launches, int dims,
                         hit_deep_plan *plan)
{
    plan->launches = launches;
    hit_deep_extend(launches, e->deep->planning->work);
    for (int f = 0; f < plan->fields; f++) {
        hit_deep_set_depth(launches, e->deep->planning->work, f, &plan->field[f].need);
    }
    return parts_are_large(e, plan, dims) && periods_are_large(e, plan, dims);
}

/* Set *best to the best number of launches of at least two; 0: there is none. Tests with
 * a choice of their own get the largest. */
static hit_status find_best(const hit_deep_expected *e, int most, int dims,
                            hit_deep_plan *plan, int *best)
{
    const bool longest = e->deep->context->launcher->chain_choice != NULL;
    double least_s = HUGE_VAL;
    double alone = 0;

    *best = 0;
    if (crosses(e) && !longest) HIT_TRY(hit_deep_crossing(e, 0, &alone));
    alone *= e->share;
    for (int k = most; k >= 2; k = shorter(e, k)) {
        double seconds = 0;

        if (!try_launches(e, k, dims, plan)) continue;
        if (!longest) HIT_TRY(set_seconds(e, plan, alone, dims, &seconds));
        if (seconds >= least_s) continue;
        least_s = seconds;
        *best = k;
    }
    return HIT_OK;
}

/* Does a launch alone wait for messages? */
static bool waits(const hit_deep_expected *e, int l)
{
    const hit_deep_form *form = hit_deep_form_at(e, l);

    for (int u = 0; u < form->launch->uses && !form->home; u++) {
        const hit_margin *reach = &form->use[u].reach;

        for (int c = 0; c < form->dims; c++) {
            if ((form->anchor.shared >> c & 1u) == 0) continue;
            if (reach->low[c] != 0 || reach->high[c] != 0) return true;
        }
    }
    return false;
}

/* launches stays 0 if a block is no use. */
static hit_status choose(const hit_deep_expected *e, int most, hit_deep_plan *plan)
{
    const int dims = hit_deep_form_at(e, 0)->dims;
    int best;

    for (int l = e->period; l < most; l++) {
        e->deep->planning->work[l] = e->deep->planning->work[l - e->period];
    }
    if (most > e->period) most = most / e->period * e->period;
    HIT_TRY(find_best(e, most, dims, plan, &best));
    (void)try_launches(e, best, dims, plan);
    plan->period = e->period;
    plan->wait_s = e->wait_s;
    plan->passage_s = passage_s(e, plan, dims);
    for (int l = 0; l < e->period; l++) {
        plan->waits += waits(e, l);
    }
    plan->work =
        hit_deep_work(dims, e->parts->shape.least, best, e->deep->planning->work);
    for (int l = 0; l < plan->launches; l++) {
        plan->hash[l] = hit_deep_form_at(e, l)->hash;
        plan->exact[l] = moves(e, l) ? 0 : hit_deep_form_at(e, l)->exact;
        plan->extra[l] = e->deep->planning->work[l].extra;
    }
    return HIT_OK;
}

/* ---- the plans ---- */

/* What is known of tiles counts where it makes changed larger than the launches do. */
static uint64_t key_of(const hit_deep_expected *e, int most, const hit_deep_plan *plan)
{
    uint64_t hash = hit_hash_word(HIT_HASH_START, (uint64_t)most);

    for (int l = 0; l < e->period; l++) {
        const hit_deep_form *form = hit_deep_form_at(e, l);

        hash = hit_hash_word(hash, form->hash);
        hash = hit_hash_word(hash, moves(e, l) ? 0 : form->exact);
    }
    for (int f = 0; f < plan->fields; f++) {
        hash = hit_hash_place(hash, &plan->field[f].need.changed);
    }
    return hash | 1u;
}

static void say(const hit_deep_expected *e, const hit_deep_plan *plan)
{
    const hit_context *context = e->deep->context;
    char text[200];

    if (context->rank != 0) return;
    if (plan->launches == 0) {
        (void)snprintf(text, sizeof(text), "kernel %s: %s", e->kernel,
                       e->gains ? "what processes own is too small to compute some of it "
                                  "twice, or that moves more bytes"
                                : "all it needs stays in the memory of the devices");
        hit_chain_say_end(context, text);
        return;
    }
    if (!context->launcher->chain_says) return;
    hit_say(hit_context_reports(context),
            "chain from kernel %s on: %d launches between messages, %.2f of the work\n",
            e->kernel, plan->launches, plan->work);
}

/* Where some processes stream and others do not, blocks would move what stays. */
static hit_status set_share(hit_deep_expected *e)
{
    uint64_t count[2] = {0}; /* of processes: those that stream, and those with indices */

    for (int l = 0; l < e->period; l++) {
        const hit_deep_form *form = hit_deep_form_at(e, l);
        const uint64_t all = form->streams + form->stays;

        if (form->streams > count[0]) count[0] = form->streams;
        if (all > count[1]) count[1] = all;
    }
    hit_deep_note_vote(e->deep, 2);
    HIT_TRY(hit_comm_sum_u64(e->deep->context->comm, count, 2));
    e->share = count[1] > 0 ? (double)count[0] / (double)count[1] : 1;
    return HIT_OK;
}

/* The longest of all processes' shortest waits and launches so far, and what each process
 * has to send to its devices, how many these are, and the smallest memory of one: the
 * same on all. */
static hit_status agree(hit_deep_expected *e)
{
    const hit_context *context = e->deep->context;
    const bool in_place = context->stations->in_place;
    uint64_t agreed[] = {(uint64_t)(context->launcher->wait_s * 1e9),
                         0,
                         0,
                         SIZE_MAX - hit_stations_least_memory(context->stations),
                         !in_place && !hit_device_async(context->device[0]),
                         context->size > 1 && in_place,
                         0,
                         (uint64_t)hit_device_sharing(context->devices, context->device)};

    for (int l = 0; l < e->period; l++) {
        const hit_deep_form *form = hit_deep_form_at(e, l);

        if (form->streams > 0) agreed[1] = 1;
        if (form->stays > 0) agreed[6] = 1;
        agreed[2] += (uint64_t)(form->launch_s * 1e9);
    }
    hit_deep_note_vote(e->deep, 8);
    HIT_TRY(hit_comm_max_u64(context->comm, agreed, 8));
    e->wait_s = (double)agreed[0] * 1e-9;
    if (e->wait_s < least_wait_s) e->wait_s = least_wait_s;
    e->streams = agreed[1] != 0;
    e->launch_s = (double)agreed[2] * 1e-9 / e->period;
    e->limit_bytes = SIZE_MAX - (size_t)agreed[3];
    e->async = agreed[4] == 0;
    e->gains = e->streams || agreed[5] != 0;
    e->share = 1;
    e->devices = (int)agreed[7];
    return e->streams && agreed[6] != 0 ? set_share(e) : HIT_OK;
}

/* All processes make it, or none. */
static hit_status make(const hit_deep_expected *e, int most, const hit_deep_plan *begun,
                       hit_deep_plan **place)
{
    hit_deep_plan *made = NULL;
    const size_t bytes =
        offsetof(hit_deep_plan, field) + (size_t)begun->fields * sizeof(begun->field[0]);
    hit_status status = hit_memory_zeroed(1, bytes, &made);

    if (status == HIT_OK) {
        memcpy(made, begun, bytes);
        made->worth.settle = HIT_DEEP_SETTLE;
        made->most = most;
        if (e->gains) status = choose(e, most, made);
    }
    if (status == HIT_OK && made->launches > 0) {
        status = hit_deep_get_ready(e, made);
    }
    hit_deep_note_vote(e->deep, 3);
    status = hit_comm_agree(e->deep->context->comm, status);
    if (status != HIT_OK) {
        hit_deep_plan_destroy(&made);
        return status;
    }
    hit_deep_plan_destroy(place);
    *place = made;
    return HIT_OK;
}

hit_deep_plan *hit_deep_plan_of(hit_deep_expected *e, int most)
{
    hit_deep *deep = e->deep;
    hit_deep_plan *begun = &deep->planning->begun;
    uint64_t key;
    int k;

    memset(begun, 0, sizeof(*begun));
    e->parts = hit_deep_layout_of(deep, e->storage);
    if (e->parts == NULL || !set_fields(e, begun)) return NULL;
    set_changed(e, begun);
    key = key_of(e, most, begun);
    k = hit_recent_find(deep->recent_plan, HIT_DEEP_PLANS, key);
    if (k < 0) {
        k = hit_recent_oldest(deep->recent_plan, HIT_DEEP_PLANS);
        if (agree(e) != HIT_OK || make(e, most, begun, &deep->plan[k]) != HIT_OK) {
            hit_chain_say_end(deep->context, hit_status_text());
            return NULL;
        }
        deep->plans++;
        deep->recent_plan[k].key = key;
        say(e, deep->plan[k]);
    }
    deep->recent_plan[k].used = deep->launches;
    return deep->plan[k];
}
