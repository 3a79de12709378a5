/* SPDX-License-Identifier: MIT
 * Blocks over processes: how many launches, on which margins, what is exchanged before.
 * The more launches between messages, the more is computed twice. Where the balance lies
 * depends on the launches, the smallest part, and on a time that the processes agree on
 * when they make a plan, so that all take the same blocks. */
#include "hit/run/deep_plan.h"

#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/data/hash.h"
#include "hit/run/chain_allowed.h"
#include "hit/run/deep_form.h"
#include "hit/topo/layout_impl.h"
#include "patterns/transform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What it takes to wait for neighbours once, at least, with what processes differ in
 * time, and to run an index. Where they are wrong by a factor of 4 the block is twice as
 * long or as short as it should be. */
static const double least_wait_s = 100e-6;
static const double index_s = 1e-9;

void hit_deep_plan_destroy(hit_deep_plan **plan_pointer)
{
    hit_deep_plan *plan = *plan_pointer;

    if (plan == NULL) return;
    for (int f = 0; f < plan->fields; f++) {
        hit_exchange_destroy(&plan->field[f].exchange);
    }
    hit_memory_release(&plan->buffer);
    free(plan);
    *plan_pointer = NULL;
}

/* ---- what the block is ---- */

/* The launches that are expected. */
typedef struct expected {
    hit_deep *deep;
    uint64_t first; /* in the history */
    int period;
    const hit_deep_layout *parts;
    double wait_s; /* for messages, once */
} expected;

static const hit_deep_form *form_at(const expected *e, int l)
{
    return hit_deep_at(e->deep, e->first + (uint64_t)(l % e->period));
}

/* Was the launch elsewhere a period before? The first one is the last that was seen. */
static bool moves(const expected *e, int l)
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
            use->cover.sig[c] = form->tile[u].sig[c];
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

static bool same_periods(const hit_deep_form *a, const hit_deep_form *b)
{
    return memcmp(a->period, b->period, sizeof(a->period)) == 0;
}

/* The launches of one period; false: they have nothing to do with each other. */
static bool set_fields(const expected *e, hit_deep_plan *plan)
{
    for (int l = 0; l < e->period; l++) {
        const hit_deep_form *form = form_at(e, l);
        hit_deep_launch *launch = &e->deep->work[l];

        if (form->layout != e->parts->key) return false;
        if (!same_periods(form, form_at(e, 0))) return false;
        *launch = form->launch;
        if (moves(e, l)) set_anywhere(form, launch);
        for (int u = 0; u < launch->uses; u++) {
            const int f =
                field_of(plan, form->number[u], form->size_bytes[u], form->dims);

            if (f < 0) return false;
            launch->use[u].field = f;
        }
    }
    return true;
}

static void set_changed(const expected *e, hit_deep_plan *plan)
{
    for (int f = 0; f < plan->fields; f++) {
        const hit_deep_tile *tile = hit_deep_find(e->deep, plan->field[f].number);

        if (tile == NULL || hit_deep_state_is_bare(&tile->state)) continue;
        plan->field[f].need.changed = tile->state.changed;
    }
    for (int l = 0; l < e->period; l++) {
        const hit_deep_launch *launch = &e->deep->work[l];

        for (int u = 0; u < launch->uses; u++) {
            hit_domain *changed = &plan->field[launch->use[u].field].need.changed;

            if (!launch->use[u].writes) continue;
            *changed = hit_domain_cover(changed, &launch->use[u].cover);
        }
    }
}

static void set_depths(const expected *e, hit_deep_plan *plan)
{
    hit_deep_field field[HIT_DEEP_FIELDS];

    for (int f = 0; f < plan->fields; f++) {
        field[f] = plan->field[f].need;
    }
    hit_deep_set_depths(plan->launches, e->deep->work, plan->fields, field);
    for (int f = 0; f < plan->fields; f++) {
        plan->field[f].need = field[f];
    }
}

/* Does each process have all that its neighbours need? */
static bool parts_are_large(const expected *e, const hit_deep_plan *plan, int dims)
{
    for (int f = 0; f < plan->fields; f++) {
        const hit_margin depth = hit_deep_depth(&plan->field[f].need);

        for (int c = 0; c < dims; c++) {
            if (depth.low[c] > e->parts->least[c]) return false;
            if (depth.high[c] > e->parts->least[c]) return false;
        }
    }
    return true;
}

static int shorter(int launches, int period)
{
    if (launches > period) return (launches - 1) / period * period;
    return launches - 1;
}

/* Seconds for a launch of a block of plan->launches, by the rule. */
static double seconds_of(const expected *e, const hit_deep_plan *plan, int dims)
{
    const double work =
        hit_deep_work(dims, e->parts->least, plan->launches, e->deep->work);
    double indices = 1;

    for (int c = 0; c < dims; c++) {
        indices *= (double)e->parts->least[c];
    }
    return work * indices * index_s + e->wait_s / plan->launches;
}

/* Set all for a block of so many launches; false: parts are too small for it. */
static bool try_launches(const expected *e, int launches, int dims, hit_deep_plan *plan)
{
    plan->launches = launches;
    hit_deep_extend(launches, e->deep->work);
    set_depths(e, plan);
    return parts_are_large(e, plan, dims);
}

/* The best number of launches of at least two; 0: there is none. Tests with a choice of
 * their own get the largest. */
static int best_launches(const expected *e, int most, int dims, hit_deep_plan *plan)
{
    const bool longest = e->deep->context->launcher->chain_choice != NULL;
    double least_s = 0;
    int best = 0;

    for (int k = most; k >= 2; k = shorter(k, e->period)) {
        double seconds;

        if (!try_launches(e, k, dims, plan)) continue;
        seconds = seconds_of(e, plan, dims);
        if (best > 0 && (longest || seconds >= least_s)) continue;
        least_s = seconds;
        best = k;
    }
    return best;
}

/* launches stays 0 if a block is no use. */
static void choose(const expected *e, int most, hit_deep_plan *plan)
{
    const int dims = form_at(e, 0)->dims;
    int best;

    for (int l = e->period; l < most; l++) {
        e->deep->work[l] = e->deep->work[l - e->period];
    }
    if (most > e->period) most = most / e->period * e->period;
    best = best_launches(e, most, dims, plan);
    (void)try_launches(e, best, dims, plan);
    plan->period = e->period;
    plan->work = hit_deep_work(dims, e->parts->least, best, e->deep->work);
    for (int l = 0; l < plan->launches; l++) {
        plan->hash[l] = form_at(e, l)->hash;
        plan->exact[l] = moves(e, l) ? 0 : form_at(e, l)->exact;
        plan->extra[l] = e->deep->work[l].extra;
    }
}

/* ---- memory and messages ---- */

static hit_status cover_box(const expected *e, const hit_deep_form *form,
                            const hit_domain *box)
{
    for (int u = 0; u < form->launch.uses; u++) {
        const hit_deep_tile *tile = hit_deep_find(e->deep, form->number[u]);
        hit_domain need;

        if (tile == NULL || tile->storage == NULL) continue;
        need = hit_deep_need(form, u, box);
        HIT_TRY(hit_storage_cover(tile->storage, 0, &need));
    }
    return HIT_OK;
}

/* Tiles get the memory that the launch needs. */
static hit_status cover_launch(const expected *e, const hit_deep_form *form,
                               const hit_margin *extra)
{
    hit_index move[HIT_MAX_DIMS];

    for (int k = 0; hit_deep_move(form, k, move); k++) {
        const hit_domain box = hit_deep_indices(form, &e->parts->own, extra, move);

        if (!hit_domain_is_empty(&box)) HIT_TRY(cover_box(e, form, &box));
    }
    return HIT_OK;
}

static hit_status cover_depth(const expected *e, const hit_deep_part *part,
                              const hit_domain *whole)
{
    const hit_index *period = form_at(e, 0)->period;
    const hit_margin depth = hit_deep_depth(&part->need);
    const hit_deep_tile *tile = hit_deep_find(e->deep, part->number);
    hit_domain box = hit_margin_grow(&e->parts->own, &depth);

    if (!part->need.read || tile == NULL || tile->storage == NULL) return HIT_OK;
    for (int c = 0; c < box.dims; c++) {
        if (period[c] > 0) continue;
        box.sig[c] = hit_sig_intersect(box.sig[c], whole->sig[c]);
    }
    return hit_storage_cover(tile->storage, 0, &box);
}

/* Without processes to send them: of the messages that @p around asks for. Fields of a
 * block have often the same ones, and so have blocks in which tiles have changed places.
 */
static hit_status add_up(const expected *e, const hit_around *around, hit_deep_part *part)
{
    hit_deep_sum *sums = e->deep->sum;
    uint64_t key = hit_hash_word(HIT_HASH_START, hit_layout_key(around->layout));
    hit_deep_sum *found;

    key = hit_hash_place(hit_hash_word(key, around->size_bytes), around->cover);
    for (int c = 0; c < around->cover->dims; c++) {
        key = hit_hash_word(key, (uint64_t)around->low[c]);
        key = hit_hash_word(key, (uint64_t)around->high[c]);
        key = hit_hash_word(key, (uint64_t)around->period[c]);
    }
    found = &sums[key % HIT_DEEP_SUMS];
    if (found->key != key) {
        found->key = 0;
        HIT_TRY(hit_around_add_up(around, &found->sum));
        found->key = key;
    }
    part->sum = found->sum;
    return HIT_OK;
}

/* The messages of a field; without a process to send them they are counted. */
static hit_status make_exchange(const expected *e, const hit_layout *layout, int f,
                                hit_deep_part *part)
{
    const hit_margin depth = hit_deep_depth(&part->need);
    const hit_margin none = {0};
    const hit_around around = {.layout = layout,
                               .cover = &part->need.cover,
                               .low = depth.low,
                               .high = depth.high,
                               .period = form_at(e, 0)->period,
                               .size_bytes = part->size_bytes};
    hit_message_plan messages;

    if (!part->need.read || hit_margin_within(&depth, &none)) return HIT_OK;
    if (e->deep->dry) return add_up(e, &around, part);
    HIT_TRY(hit_message_plan_around(&around, e->deep->context->rank, &messages));
    return hit_exchange_create(e->deep->context->comm, &messages, f, part->size_bytes,
                               &part->exchange);
}

static hit_status get_ready(const expected *e, const hit_layout *layout,
                            hit_deep_plan *plan)
{
    const hit_domain whole = hit_layout_domain(layout);
    size_t bytes = 0;

    for (int l = 0; l < plan->launches && !e->deep->dry; l++) {
        HIT_TRY(cover_launch(e, form_at(e, l), &plan->extra[l]));
    }
    for (int f = 0; f < plan->fields; f++) {
        hit_deep_part *part = &plan->field[f];

        if (!e->deep->dry) HIT_TRY(cover_depth(e, part, &whole));
        HIT_TRY(make_exchange(e, layout, f, part));
        if (part->exchange == NULL) continue;
        part->offset_bytes = bytes;
        bytes += hit_exchange_buffer_bytes(part->exchange);
    }
    return hit_memory_take(bytes, "messages of a chain", &plan->buffer);
}

/* ---- the plans ---- */

/* What is known of tiles counts where it makes changed larger than the launches do. */
static uint64_t key_of(const expected *e, int most, const hit_deep_plan *plan)
{
    uint64_t hash = hit_hash_word(HIT_HASH_START, (uint64_t)most);

    for (int l = 0; l < e->period; l++) {
        const hit_deep_form *form = form_at(e, l);

        hash = hit_hash_word(hash, form->hash);
        hash = hit_hash_word(hash, moves(e, l) ? 0 : form->exact);
    }
    for (int f = 0; f < plan->fields; f++) {
        hash = hit_hash_place(hash, &plan->field[f].need.changed);
    }
    return hash | 1u;
}

static void say(const expected *e, const hit_deep_plan *plan, const char *kernel)
{
    const hit_launcher *launcher = e->deep->context->launcher;
    char text[200];

    if (e->deep->context->rank != 0) return;
    if (plan->launches == 0) {
        (void)snprintf(text, sizeof(text),
                       "kernel %s: what processes own is too small to compute some of it "
                       "twice",
                       kernel);
        hit_chain_say_end(launcher, text);
        return;
    }
    if (!launcher->chain_says) return;
    printf("chain from kernel %s on: %d launches between messages, %.2f of the work\n",
           kernel, plan->launches, plan->work);
}

/* The longest of all processes' shortest waits so far: the same on all. */
static hit_status agree_on_wait(expected *e)
{
    const hit_launcher *launcher = e->deep->context->launcher;
    uint64_t wait_ns = (uint64_t)(launcher->wait_s * 1e9);

    HIT_TRY(hit_comm_max_u64(e->deep->context->comm, &wait_ns, 1));
    e->wait_s = (double)wait_ns * 1e-9;
    if (e->wait_s < least_wait_s) e->wait_s = least_wait_s;
    return HIT_OK;
}

/* All processes make it, or none. */
static hit_status make(const expected *e, int most, const hit_layout *layout,
                       const hit_deep_plan *begun, hit_deep_plan **place)
{
    hit_deep_plan *made = NULL;
    hit_status status = hit_memory_zeroed(1, sizeof(*made), &made);

    if (status == HIT_OK) {
        *made = *begun;
        choose(e, most, made);
    }
    if (status == HIT_OK && made->launches > 0) status = get_ready(e, layout, made);
    status = hit_comm_agree(e->deep->context->comm, status);
    if (status != HIT_OK) {
        hit_deep_plan_destroy(&made);
        return status;
    }
    hit_deep_plan_destroy(place);
    *place = made;
    return HIT_OK;
}

hit_deep_plan *hit_deep_plan_of(hit_deep *deep, uint64_t first, int period, int most,
                                const hit_layout *layout, const char *kernel)
{
    expected e = {.deep = deep, .first = first, .period = period};
    hit_deep_plan **oldest = &deep->plan[0];
    hit_deep_plan *begun = &deep->begun;
    uint64_t key;

    memset(begun, 0, sizeof(*begun));
    e.parts = hit_deep_layout_of(deep, layout);
    if (e.parts == NULL || !set_fields(&e, begun)) return NULL;
    set_changed(&e, begun);
    key = key_of(&e, most, begun);
    for (int k = 0; k < HIT_DEEP_PLANS; k++) {
        hit_deep_plan *one = deep->plan[k];

        if (one != NULL && one->key == key) {
            one->last_used = deep->launches;
            return one;
        }
        if (*oldest == NULL) continue;
        if (one == NULL || one->last_used < (*oldest)->last_used) oldest = &deep->plan[k];
    }
    if (agree_on_wait(&e) != HIT_OK || make(&e, most, layout, begun, oldest) != HIT_OK) {
        hit_chain_say_end(deep->context->launcher, hit_status_text());
        return NULL;
    }
    deep->plans++;
    (*oldest)->key = key;
    (*oldest)->last_used = deep->launches;
    say(&e, *oldest, kernel);
    return *oldest;
}
