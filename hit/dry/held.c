/* SPDX-License-Identifier: MIT
 * Copies of the launches of a block, and the keys under which processes and blocks are
 * alike. */
#include "hit/comm/message.h"
#include "hit/data/hash.h"
#include "hit/dry/dry_impl.h"
#include "hit/topo/layout_impl.h"
#include "patterns/transform.h"

/* ---- launches ---- */

static void keep_args(const hit_call *call, hit_dry_held *of)
{
    hit_slot slot[HIT_MAX_ARGS];

    of->call = *call;
    of->call.args = of->args;
    (void)hit_call_keep_values(call, of->value, sizeof(of->value), slot);
    for (int k = 0; k < call->count; k++) {
        of->args[k] = call->args[k];
        if (call->args[k].tile == NULL) {
            of->args[k].value = slot[k].base;
        } else {
            of->tile[k] = *call->args[k].tile;
            of->args[k].tile = &of->tile[k];
        }
    }
}

hit_status hit_dry_held_set(hit_dry_held *of, const hit_call *call,
                            const hit_launch_plan *sketch, const hit_deep_turn *turn)
{
    keep_args(call, of);
    of->call.kernel = sketch->known->kernel; /* the program's may be gone */
    of->plan = *sketch;
    of->extra = *turn->extra;
    of->moves = turn->moves;
    return hit_deep_form_copy(&of->form, turn->form);
}

const hit_layout *hit_dry_held_layout(const hit_dry_held held[], int count)
{
    for (int l = 0; l < count; l++) {
        const hit_dry_held *of = &held[l];

        if (of->form.home) continue;
        return of->tile[of->plan.use[0].arg].storage->layout;
    }
    return NULL;
}

hit_status hit_dry_held_own(const hit_layout *layout, int rank, hit_domain *own)
{
    hit_region part = {0};

    *own = hit_domain_empty(1);
    if (layout == NULL) return HIT_OK;
    HIT_TRY(hit_layout_part(layout, rank, &part));
    *own = part.part[0]; /* each process has one box: hit_deep_layout_of() */
    hit_region_clear(&part);
    return HIT_OK;
}

/* ---- processes that do the same ---- */

static uint64_t add_begin(uint64_t key, const hit_domain *domain,
                          const hit_domain *beside)
{
    for (int c = 0; c < domain->dims; c++) {
        const hit_index origin = c < beside->dims ? beside->sig[c].begin : 0;

        key = hit_hash_word(key, (uint64_t)(domain->sig[c].begin - origin));
    }
    return key;
}

/* Beside the process's part of each tile, and of the fields. */
static hit_status add_home(const hit_dry_held *of, int rank, const hit_domain *own,
                           uint64_t *key)
{
    hit_region index = {0};
    hit_status status = HIT_OK;

    HIT_TRY(hit_split_part(&of->plan.split, rank, &index));
    *key = hit_hash_word(*key, (uint64_t)index.count);
    if (index.count > 0) {
        *key = hit_hash_extents(*key, &index.part[0]);
        *key = add_begin(*key, &index.part[0], own);
    }
    for (int u = 0; u < of->plan.uses && index.count > 0 && status == HIT_OK; u++) {
        const hit_use *use = &of->plan.use[u];
        const hit_domain cover =
            hit_pattern_cover(use->pattern, &use->tile, &index.part[0]);
        hit_domain part;

        status = hit_dry_held_own(of->tile[use->arg].storage->layout, rank, &part);
        *key = add_begin(hit_hash_extents(*key, &cover), &cover, &part);
    }
    hit_region_clear(&index);
    return status;
}

/* One of launches that differ only in where they are in dimensions that are not cut. */
static bool is_first(const hit_dry_held held[], int l)
{
    for (int m = 0; m < l; m++) {
        if (held[m].form.hash == held[l].form.hash) return false;
    }
    return true;
}

static hit_status add_process(const hit_dry_held held[], int count, int rank,
                              const bool first[], hit_index far, hit_alike *alike)
{
    const hit_layout *layout = hit_dry_held_layout(held, count);
    uint64_t key;
    hit_domain own;

    HIT_TRY(hit_dry_held_own(layout, rank, &own));
    key = hit_hash_extents(HIT_HASH_START, &own);
    for (int l = 0; l < count; l++) {
        const hit_dry_held *of = &held[l];

        if (!first[l]) continue;
        if (of->form.home) {
            HIT_TRY(add_home(of, rank, &own, &key));
        } else {
            key = hit_alike_key(key, &of->form, &own, far);
        }
    }
    return hit_alike_add(alike, key, rank);
}

hit_status hit_dry_held_alike(const hit_dry_held held[], int count, int processes,
                              hit_alike *alike)
{
    bool first[HIT_CHAIN_LAUNCHES];
    hit_index far = 0;

    for (int l = 0; l < count; l++) {
        const hit_dry_held *of = &held[l];
        const hit_index reach = of->form.home ? 0 : hit_alike_far(&of->form, &of->extra);

        if (reach > far) far = reach;
        first[l] = is_first(held, l);
    }
    for (int p = 0; p < processes; p++) {
        HIT_TRY(add_process(held, count, p, first, far, alike));
    }
    return HIT_OK;
}

/* ---- blocks that repeat ---- */

/* The first thing that the block does to a storage, and whether a launch that stays uses
 * it. */
static void find_first(const hit_dry_held held[], int count, uint64_t number, bool *stays,
                       hit_domain *cover)
{
    bool found = false;

    *cover = hit_domain_empty(0);
    *stays = false;
    for (int l = 0; l < count; l++) {
        const hit_dry_held *of = &held[l];

        for (int u = 0; u < of->plan.uses; u++) {
            const hit_use *use = &of->plan.use[u];

            if (of->form.number[u] != number) continue;
            *stays |= !of->moves;
            if (found) continue;
            *cover = hit_pattern_cover(use->pattern, &use->tile, &of->call.domain);
            found = true;
        }
    }
}

/* A launch that moves: what only such launches use counts by where the block begins in
 * it, as the rows of a record do. */
static uint64_t add_moving(const hit_dry_held held[], int count, const hit_dry_held *of,
                           uint64_t key)
{
    const hit_domain nowhere = hit_domain_empty(0);

    for (int u = 0; u < of->plan.uses; u++) {
        const hit_use *use = &of->plan.use[u];
        const hit_domain cover =
            hit_pattern_cover(use->pattern, &use->tile, &of->call.domain);
        hit_domain first;
        bool stays;

        find_first(held, count, of->form.number[u], &stays, &first);
        key = add_begin(hit_hash_extents(key, &cover), &cover, stays ? &nowhere : &first);
    }
    return key;
}

uint64_t hit_dry_held_key(const hit_dry_held held[], int count)
{
    uint64_t key = hit_hash_word(HIT_HASH_START, (uint64_t)count);

    for (int l = 0; l < count; l++) {
        const hit_dry_held *of = &held[l];

        key = hit_hash_word(key, of->moves ? of->form.hash : of->form.exact);
        for (int c = 0; c < HIT_MAX_DIMS; c++) {
            key = hit_hash_word(key, (uint64_t)of->extra.low[c]);
            key = hit_hash_word(key, (uint64_t)of->extra.high[c]);
        }
        if (of->moves) key = add_moving(held, count, of, key);
    }
    return key;
}
