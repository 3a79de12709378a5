/* SPDX-License-Identifier: MIT
 * What a block over processes takes on this process: memory for what lies around its
 * part, and messages that bring it. */
#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/chain/spread.h"
#include "hit/deep/deep_impl.h"
#include "hit/device/nodes.h"

#include <math.h>
#include <stdlib.h>

hit_status hit_deep_check_room(const hit_deep *deep, const hit_deep_form *form,
                               const hit_domain *box)
{
    const hit_stations *stations = deep->context->stations;
    hit_chain_launch launch;

    if (stations->in_place) return HIT_OK;
    hit_deep_launch_on(form, box, &launch);
    /* also where it has half of what it should have */
    if (hit_chain_stream_has_room(&launch, hit_stations_least_memory(stations) / 2)) {
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_LIMIT, "a device has no room for a row of what it needs");
}

static hit_status cover_box(const hit_deep_expected *e, const hit_deep_form *form,
                            const hit_domain *box)
{
    for (int u = 0; u < form->launch->uses; u++) {
        const hit_deep_tile *tile = hit_deep_find(e->deep, form->number[u]);
        const hit_domain around = hit_deep_need(form, u, box);

        if (tile == NULL || tile->storage == NULL) continue;
        HIT_TRY(hit_storage_cover(tile->storage, 0, &around));
    }
    return hit_deep_check_room(e->deep, form, box);
}

/* Tiles get the memory that the launch needs. At home they have it. */
static hit_status cover_launch(const hit_deep_expected *e, const hit_deep_form *form,
                               const hit_margin *extra)
{
    hit_index move[HIT_MAX_DIMS];

    if (form->home) {
        return hit_domain_is_empty(&form->launch->domain)
                   ? HIT_OK
                   : hit_deep_check_room(e->deep, form, &form->launch->domain);
    }
    for (int k = 0; hit_deep_move(form, k, move); k++) {
        const hit_domain box = hit_deep_indices(form, &e->parts->own, extra, move);

        if (!hit_domain_is_empty(&box)) HIT_TRY(cover_box(e, form, &box));
    }
    return HIT_OK;
}

/* ---- where nothing is run: all processes ---- */

/* What a process runs of a launch, of one kind of processes at most. */
typedef struct load {
    double alone;
    double together; /* in the block, with margins */
} load;

static double count_indices(const hit_deep_form *form, const hit_domain *own,
                            const hit_margin *extra)
{
    hit_index move[HIT_MAX_DIMS];
    double count = 0;

    for (int k = 0; hit_deep_move(form, k, move); k++) {
        const hit_domain box = hit_deep_indices(form, own, extra, move);

        count += (double)hit_domain_count(&box);
    }
    return count;
}

/* A process runs launch number @p l, if that is not at home, on its part @p own. */
static hit_status add_load(const hit_deep_expected *e, int l, const hit_domain *own,
                           const hit_margin *extra, load *most)
{
    static const hit_index nowhere[HIT_MAX_DIMS] = {0};
    static const hit_margin none = {0};
    const hit_deep_form *form = hit_deep_form_at(e, l);
    hit_domain box;

    if (form->home) return HIT_OK;
    most->alone = fmax(most->alone, count_indices(form, own, &none));
    most->together = fmax(most->together, count_indices(form, own, extra));
    box = hit_deep_indices(form, own, extra, nowhere);
    return hit_domain_is_empty(&box) ? HIT_OK : hit_deep_check_room(e->deep, form, &box);
}

static hit_status look_at(const hit_deep_expected *e, int rank, const hit_deep_plan *plan,
                          load most[])
{
    load *of =
        &most[(ptrdiff_t)hit_nodes_kind_of(e->deep->context, rank) * plan->launches];
    hit_domain own;

    HIT_TRY(hit_alike_own(e->storage->layout, rank, &own));
    for (int l = 0; l < plan->launches; l++) {
        HIT_TRY(add_load(e, l, &own, &plan->extra[l], &of[l]));
    }
    return HIT_OK;
}

/* Parts are as large as their kind is fast, or all are equal: the kind that is slowed
 * down most is the last. */
static double grown_most(const load most[], int kinds, int launches, int l)
{
    double found = 1;

    for (int k = 0; k < kinds; k++) {
        const load *of = &most[k * launches + l];

        if (of->alone > 0) found = fmax(found, of->together / of->alone);
    }
    return found;
}

static hit_status look_at_classes(const hit_deep_expected *e, const hit_alike *alike,
                                  hit_deep_plan *plan)
{
    const int kinds = hit_nodes_kinds(e->deep->context);
    hit_status status = HIT_OK;
    load *most;

    HIT_TRY(
        hit_memory_zeroed((size_t)kinds * (size_t)plan->launches, sizeof(*most), &most));
    for (int k = 0; k < alike->count && status == HIT_OK; k++) {
        status = look_at(e, alike->of[k].rank, plan, most);
    }
    for (int l = 0; l < plan->launches; l++) {
        plan->grown[l] = grown_most(most, kinds, plan->launches, l);
    }
    free(most);
    return status;
}

/* One process of each class does it for the others. */
static hit_status look_at_all(const hit_deep_expected *e, hit_deep_plan *plan)
{
    hit_alike_launch launch[HIT_CHAIN_LAUNCHES];
    hit_alike alike = {0};
    hit_status status;

    for (int l = 0; l < plan->launches; l++) {
        const hit_deep_form *form = hit_deep_form_at(e, l);

        launch[l] = (hit_alike_launch){.form = form, .extra = &plan->extra[l]};
        if (!form->home || !form->cramped) continue;
        return HIT_FAIL(HIT_E_LIMIT, "a device has no room for a row of what it needs");
    }
    HIT_TRY(hit_memory_zeroed((size_t)plan->launches, sizeof(double), &plan->grown));
    status = hit_alike_find(e->deep->context, e->storage->layout, launch, plan->launches,
                            &alike);
    if (status == HIT_OK) status = look_at_classes(e, &alike, plan);
    hit_alike_clear(&alike);
    return status;
}

/* ---- where launches run ---- */

static bool is_reached(const hit_deep_expected *e, const hit_deep_plan *plan, int l)
{
    return plan->exact[l] != 0 && !hit_deep_form_at(e, l)->home;
}

/* What does not move is the same in each block. */
static hit_status set_reached(const hit_deep_expected *e, hit_deep_plan *plan)
{
    static const hit_index nowhere[HIT_MAX_DIMS] = {0};
    int count = 0;

    for (int l = 0; l < plan->launches; l++) {
        plan->first_reached[l] = count;
        if (is_reached(e, plan, l)) count += 1 + hit_deep_form_at(e, l)->launch->uses;
    }
    HIT_TRY(hit_memory_zeroed((size_t)count + 1, sizeof(hit_domain), &plan->reached));
    for (int l = 0; l < plan->launches; l++) {
        const hit_deep_form *form = hit_deep_form_at(e, l);
        hit_domain *box = &plan->reached[plan->first_reached[l]];

        if (!is_reached(e, plan, l)) continue;
        hit_deep_reached(form, &e->parts->own, &plan->extra[l], nowhere, box);
    }
    return HIT_OK;
}

static hit_status cover_depth(const hit_deep_expected *e, const hit_deep_part *part,
                              const hit_domain *whole)
{
    const hit_index *period = hit_deep_form_at(e, 0)->period;
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

/* One exchange of all fields; a block chooses which of them it sends. */
static hit_status make_exchange(const hit_deep_expected *e, hit_deep_plan *plan)
{
    hit_deep_around wanted;
    hit_message_plan messages;

    hit_deep_want(plan, e->storage->layout, hit_deep_form_at(e, 0)->period, &wanted);
    HIT_TRY(hit_message_plan_around(&wanted.around, e->deep->context->rank, &messages));
    HIT_TRY(hit_exchange_create(e->deep->context->comm, &messages, 0, &plan->exchange));
    return hit_memory_take(hit_exchange_buffer_bytes(plan->exchange),
                           "messages of a chain", &plan->buffer);
}

hit_status hit_deep_get_ready(const hit_deep_expected *e, hit_deep_plan *plan)
{
    const hit_domain whole = hit_layout_domain(e->storage->layout);

    if (e->deep->dry) return look_at_all(e, plan);
    HIT_TRY(set_reached(e, plan));
    for (int l = 0; l < plan->launches; l++) {
        HIT_TRY(cover_launch(e, hit_deep_form_at(e, l), &plan->extra[l]));
    }
    for (int f = 0; f < plan->fields; f++) {
        HIT_TRY(cover_depth(e, &plan->field[f], &whole));
    }
    return make_exchange(e, plan);
}
