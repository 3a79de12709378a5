/* SPDX-License-Identifier: MIT
 * A launch that keeps a row of the field in a record has another layout than the field.
 * If each process owns what it reads and writes, such a launch needs no margin: its place
 * in the block is all that counts. That takes a look at the parts of all processes, once
 * for each launch and the places where its indices are shared. */
#include "hit/comm/message.h"
#include "hit/data/hash.h"
#include "hit/deep/deep_impl.h"
#include "hit/topo/layout_impl.h"
#include "patterns/transform.h"

#include <string.h>

/* Is the one box of process @p rank, which has one, all that @p index touch? */
static hit_status covers(const hit_call *call, const hit_use *use, int rank,
                         const hit_domain *index, bool *yes)
{
    const hit_tile *tile = call->args[use->arg].tile;
    const hit_domain cover = hit_pattern_cover(use->pattern, &tile->domain, index);
    hit_region part = {0};
    const hit_status status = hit_layout_part(tile->storage->layout, rank, &part);

    if (status == HIT_OK) {
        *yes = *yes && part.count == 1 && hit_domain_is_dense(&part.part[0]) &&
               hit_domain_inside(&cover, &part.part[0]);
    }
    hit_region_clear(&part);
    return status;
}

static hit_status rank_is_at_home(const hit_call *call, const hit_launch_plan *plan,
                                  const hit_split *split, int rank, bool *yes,
                                  hit_domain *box)
{
    hit_region index = {0};
    hit_status status = hit_split_part(split, rank, &index);

    if (index.count > 1) *yes = false;
    for (int u = 0; u < plan->uses; u++) {
        if (status != HIT_OK || !*yes || index.count == 0) break;
        status = covers(call, &plan->use[u], rank, &index.part[0], yes);
    }
    *box = index.count > 0 ? index.part[0] : hit_domain_empty(call->domain.dims);
    hit_region_clear(&index);
    return status;
}

/* Where nothing is run, the room on their devices is looked at, too: a process that runs
 * looks at its own when a block is planned. */
static hit_status all_are_at_home(const hit_deep *deep, const hit_call *call,
                                  const hit_launch_plan *plan, const hit_deep_form *form,
                                  hit_deep_home *found)
{
    bool *yes = &found->yes;
    hit_split split;

    *yes = true;
    found->cramped = false;
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];

        if (use->gather != NULL || use->give_back != NULL) *yes = false;
        if (!hit_domain_is_dense(&call->args[use->arg].tile->domain)) *yes = false;
    }
    HIT_TRY(hit_call_split(call, plan->known, &split));
    for (int p = 0; p < deep->context->size && *yes; p++) {
        hit_domain box;

        HIT_TRY(rank_is_at_home(call, plan, &split, p, yes, &box));
        if (!deep->dry || !*yes || hit_domain_is_empty(&box)) continue;
        found->cramped |= hit_deep_check_room(deep, form, &box) != HIT_OK;
    }
    return HIT_OK;
}

/* Does it need elements beyond a boundary, which nothing would fill in? */
static bool reads_beyond(const hit_call *call, const hit_launch_plan *plan)
{
    for (int u = 0; u < plan->uses; u++) {
        const hit_use *use = &plan->use[u];
        const hit_tile *tile = call->args[use->arg].tile;
        const hit_domain cover =
            hit_pattern_cover(use->pattern, &tile->domain, &call->domain);

        if (!hit_domain_inside(&cover, &tile->domain)) return true;
    }
    return false;
}

/* The dimensions of the index by which the argument reaches parts of other processes. */
static void mark_cut(const hit_call *call, const hit_use *use, bool cut[])
{
    const hit_tile *tile = call->args[use->arg].tile;

    for (int c = 0; c < tile->domain.dims; c++) {
        if (!hit_layout_splits(tile->storage->layout, c)) continue;
        for (int k = 0; k < use->pattern->count; k++) {
            const hit_range *range = &use->pattern->access[k].range[c];

            for (int d = 0; d < call->domain.dims; d++) {
                cut[d] |= range->begin.coef[d] != 0 || range->end.coef[d] != 0;
            }
        }
    }
}

/* The same wherever the launch is in dimensions that are not cut: there it may move from
 * step to step. */
static uint64_t hash_of(const hit_call *call, const hit_launch_plan *plan)
{
    uint64_t hash = hit_hash_extents(HIT_HASH_START, &call->domain);
    bool cut[HIT_MAX_DIMS] = {false};

    hash = hit_hash_word(hash, plan->known->number);
    hash = hit_hash_word(hash, hit_layout_key(call->layout));
    for (int u = 0; u < plan->uses; u++) {
        const hit_tile *tile = call->args[plan->use[u].arg].tile;

        hash = hit_hash_word(hash, hit_layout_key(tile->storage->layout));
        hash = hit_hash_word(hash, tile->shape);
        hash = hit_hash_word(hash, tile->storage->number);
        mark_cut(call, &plan->use[u], cut);
    }
    for (int d = 0; d < call->domain.dims; d++) {
        if (cut[d]) hash = hit_hash_word(hash, (uint64_t)call->domain.sig[d].begin);
    }
    return hash | 1u;
}

/* What is known now was not when it came first. Others that came behind it then are one
 * place further behind. */
static void insert_first(hit_deep *deep, const hit_deep_home *found, hit_deep_form *form)
{
    const uint64_t exact = form->exact;

    form->cramped = found->cramped;
    form->exact = found->exact;
    hit_deep_insert(deep, found->at, form);
    for (int k = 0; k < HIT_DEEP_HOMES; k++) {
        hit_deep_home *other = &deep->home[k];

        if (!other->known && other->at >= found->at) other->at++;
    }
    form->exact = exact;
}

/* Launches that come once are never looked at. A process without memory for it must not
 * be the only one that gets no answer. */
static bool is_at_home(hit_deep *deep, const hit_call *call, const hit_launch_plan *plan,
                       uint64_t key, hit_deep_form *form)
{
    bool fresh;
    hit_deep_home *found = &deep->home[hit_recent_meet(deep->recent_home, HIT_DEEP_HOMES,
                                                       key, deep->launches, &fresh)];

    if (fresh) *found = (hit_deep_home){.at = deep->recorded, .exact = form->exact};
    if (fresh) return false;
    if (!found->known) {
        const hit_status status = all_are_at_home(deep, call, plan, form, found);
        uint64_t no = status != HIT_OK || !found->yes;

        hit_deep_note_vote(deep, 1);
        found->known = true;
        found->yes = hit_comm_max_u64(deep->context->comm, &no, 1) == HIT_OK && no == 0;
        if (found->yes) insert_first(deep, found, form);
    }
    form->cramped = found->cramped;
    return found->yes;
}

static void set_uses(const hit_call *call, const hit_launch_plan *plan,
                     hit_deep_form *form)
{
    form->launch->uses = plan->uses;
    for (int u = 0; u < plan->uses; u++) {
        const hit_tile *tile = call->args[plan->use[u].arg].tile;

        form->number[u] = tile->storage->number;
        hit_chain_use_set(call, &plan->use[u], &form->launch->use[u]);
        form->launch->use[u].tile = tile->domain;
    }
}

uint64_t hit_deep_home_key(const hit_call *call, const hit_launch_plan *plan)
{
    if (hit_deep_refused(call, plan) != NULL || reads_beyond(call, plan)) return 0;
    if (plan->known->where != NULL) return 0; /* what remains depends on where it is */
    return hash_of(call, plan);
}

bool hit_deep_knows_home(const hit_deep *deep, uint64_t key)
{
    const int k = hit_recent_find(deep->recent_home, HIT_DEEP_HOMES, key);

    return key == 0 || (k >= 0 && deep->home[k].known);
}

hit_deep_form *hit_deep_describe_home(hit_deep *deep, const hit_call *call,
                                      const hit_launch_plan *plan, uint64_t key)
{
    hit_deep_form *form = &deep->coming;
    hit_deep_form *before;

    if (key == 0) return NULL;
    set_uses(call, plan, form);
    form->home = true;
    form->streams = form->stays = 0;
    form->launch_s = 0;
    form->hash = key;
    form->exact = hit_hash_place(key, &call->domain) | 1u;
    form->layout = 0;
    memset(form->period, 0, sizeof(form->period));
    form->launch->domain =
        plan->pieces > 0 ? plan->index[0] : hit_domain_empty(call->domain.dims);
    if (!is_at_home(deep, call, plan, key, form)) return NULL;
    before = hit_deep_before(deep, true);
    return before != NULL && before->exact == form->exact ? before : form;
}
