/* SPDX-License-Identifier: MIT
 * Launches that are recorded. A block of them is run when it is full, before a launch
 * that cannot join it, or when somebody needs its results: in tiles that run many steps
 * while their elements are in a cache. Where blocks begin and end follows from the
 * launches and the accesses of the program; how a block is run does not change results.
 * A chain that was seen before is found by its hash, launch after launch, so that its
 * dependencies are computed once. */
#include "hit/run/chains.h"

#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/chain/chain.h"
#include "hit/data/domain_set.h"
#include "hit/data/hash.h"
#include "hit/tile/tile_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void destroy(void *of)
{
    hit_chains *chains = of;

    for (int k = 0; k < HIT_CHAIN_KNOWN; k++) {
        free(chains->known[k]);
    }
    for (int l = 0; l < HIT_CHAIN_LAUNCHES; l++) {
        hit_memory_release(&chains->record[l].memory);
    }
    hit_chain_tuners_close(chains);
    hit_chain_stream_close(chains);
    hit_deep_destroy(&chains->deep);
    hit_chain_reductions_destroy(&chains->reductions);
    free(chains);
}

static void forget(void *of, const hit_storage *storage)
{
    const hit_chains *chains = of;

    if (chains->deep != NULL) hit_deep_forget(chains->deep, storage);
}

hit_chains *hit_chains_of(const hit_context *context)
{
    hit_recorded *recorded = &context->stations->recorded;
    hit_chains *made = NULL;

    if (recorded->block != NULL) return recorded->block;
    if (hit_memory_zeroed(1, sizeof(*made), &made) != HIT_OK) return NULL;
    made->context = context;
    made->stations = context->stations;
    made->launcher = context->launcher;
    if (hit_chain_stream_open(made) != HIT_OK) {
        free(made);
        return NULL;
    }
    made->pass = made->pieces != NULL; /* the first one may be the only one */
    hit_chain_block_begin(made);
    *recorded = (hit_recorded){.block = made,
                               .run = hit_chain_reductions_run,
                               .holds = hit_chain_reductions_hold,
                               .forget = forget,
                               .destroy = destroy};
    return made;
}

/* -1: the block has too many. */
static int number_of(hit_chains *chains, hit_storage *storage)
{
    for (int k = 0; k < chains->storages; k++) {
        if (chains->storage[k] == storage) return k;
    }
    if (chains->storages == HIT_CHAIN_STORAGES) return -1;
    chains->storage[chains->storages] = storage;
    chains->dead[chains->storages] = hit_domain_empty(1);
    return chains->storages++;
}

/* The last launch of the block gets its hashes: those of a launch that is equal but for
 * its uses begin with @p form. */
static void begin_hashes(hit_chains *chains, uint64_t form)
{
    const int n = chains->count;
    const hit_chain_launch *launch = chains->record[n].launch;

    chains->launch[n] = launch;
    chains->form[n] = hit_hash_extents(form, &launch->domain);
    chains->forms[n] =
        hit_hash_word(n > 0 ? chains->forms[n - 1] : HIT_HASH_START, chains->form[n]);
    chains->hash[n] =
        hit_hash_place(hit_hash_word(n > 0 ? chains->hash[n - 1] : HIT_HASH_START, form),
                       &launch->domain);
}

/* A use of the last launch; false: there is no room. */
static bool set_storage(hit_chains *chains, const hit_tile *tile, hit_chain_use *use)
{
    const int n = chains->count;
    const int number = number_of(chains, tile->storage);

    use->storage = number;
    chains->forms[n] = hit_hash_word(chains->forms[n], (uint64_t)number);
    chains->hash[n] =
        hit_hash_word(hit_hash_word(chains->hash[n], tile->shape), (uint64_t)number);
    return number >= 0;
}

/* Is it the one that stood here in the block before? */
static bool stands_here(const hit_chains *chains, const hit_runner *r,
                        const hit_domain *index)
{
    return chains->count < chains->before &&
           hit_chain_record_is(&chains->record[chains->count], r, index);
}

/* The last launch of the block is that of the runner, on @p index. */
static void set_stamp(hit_chains *chains, const hit_runner *r, const hit_domain *index)
{
    hit_chain_record *one = &chains->record[chains->count];

    if (!stands_here(chains, r, index) && chains->before > chains->count) {
        chains->before = chains->count;
    }
    one->stamp = r->stamp;
    one->known = r->plan->known->number;
}

/* What the last launch of the block is; false: there is no room, or memory. */
static bool set_launch(hit_chains *chains, const hit_runner *r,
                       const hit_chain_part *part)
{
    hit_chain_record *one = &chains->record[chains->count];

    set_stamp(chains, r, part->index);
    if (!hit_chain_record_share(chains, r, part->index) &&
        !hit_chain_record_set(one, r, part)) {
        return false;
    }
    one->number = chains->number;
    begin_hashes(chains, r->plan->known->number);
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_tile *tile = r->call->args[r->plan->use[u].arg].tile;

        if (!set_storage(chains, tile, &one->launch->use[u])) return false;
    }
    return true;
}

/* The same for one that fills a rim of use number @p use. */
static bool set_rim(hit_chains *chains, const hit_runner *r, int use, const hit_rim *rim)
{
    const hit_tile *tile = r->call->args[r->plan->use[use].arg].tile;
    hit_chain_record *one = &chains->record[chains->count];
    uint64_t form = hit_hash_place(HIT_HASH_START, &rim->box);
    bool room = true;

    if (chains->before > chains->count) chains->before = chains->count;
    one->stamp = 0;
    if (!hit_chain_record_set_rim(one, r, use, rim)) return false;
    form = hit_hash_word(form, (uint64_t)rim->axis * 2 + rim->constant);
    form = hit_hash_word(form, (uint64_t)(rim->sign + 2) ^ (uint64_t)rim->offset << 2);
    begin_hashes(chains, form);
    for (int u = 0; u < one->launch->uses; u++) {
        room = room && set_storage(chains, tile, &one->launch->use[u]);
    }
    return room;
}

/* A place for what is new; NULL: there is no memory. */
static hit_chain_known *take_place(hit_chains *chains)
{
    const int k = hit_recent_oldest(chains->recent_known, HIT_CHAIN_KNOWN);
    hit_chain_known **one = &chains->known[k];

    if (*one == NULL) {
        if (hit_memory_zeroed(1, sizeof(hit_chain_known), one) != HIT_OK) return NULL;
    } else {
        memset(*one, 0, sizeof(hit_chain_known));
    }
    (*one)->recent = &chains->recent_known[k];
    return *one;
}

static hit_chain_known *find_known(hit_chains *chains, int n)
{
    for (int k = 0; k < HIT_CHAIN_KNOWN && chains->known[k] != NULL; k++) {
        hit_chain_known *one = chains->known[k];

        if (one->chain.launches > n && one->hash[n] == chains->hash[n]) return one;
    }
    return NULL;
}

/* What is known of the launches before, with room for one more. */
static hit_chain_known *fork_known(hit_chains *chains, int n)
{
    hit_chain_known *made = take_place(chains);

    if (made == NULL) return NULL;
    if (n > 0 && chains->now != NULL) { /* which there is then */
        hit_recent *recent = made->recent;

        *made = *chains->now;
        made->recent = recent;
        hit_skew_cut(&made->chain, n);
        made->refused = 0;
        return made;
    }
    made->chain.line = (hit_index)(64 / chains->launch[0]->use[0].size_bytes);
    if (made->chain.line < 1) made->chain.line = 1;
    return made;
}

/* May the last launch join those before it? */
static bool join(hit_chains *chains)
{
    const int n = chains->count;
    hit_chain_known *one = chains->now;
    char why[300];

    if (one == NULL || one->chain.launches <= n || one->hash[n] != chains->hash[n]) {
        hit_chain_known *found = find_known(chains, n);

        if (found != NULL) one = found;
    }
    if (one == NULL || (one->chain.launches > n && one->hash[n] != chains->hash[n])) {
        one = fork_known(chains, n);
    }
    if (one == NULL) return false;
    if (one != chains->now) *one->recent = (hit_recent){1, ++chains->turns};
    chains->now = one; /* which is never the one that was used least recently */
    if (one->chain.launches > n) return true;
    if (one->refused == chains->hash[n]) return false;
    if (hit_skew_join(&one->chain, chains->launch, why, sizeof(why))) {
        one->hash[n] = chains->hash[n];
        return true;
    }
    one->refused = chains->hash[n];
    hit_chain_say_end(chains->context, why);
    return false;
}

/* The block is run as a whole, so that its event is one, and boxes do not matter: each
 * storage is logged once as read, and once as written. */
static hit_status log_accesses(hit_chains *chains, const hit_runner *r)
{
    const hit_chain_record *one = &chains->record[chains->count];
    hit_recorded *recorded = &r->stations->recorded;

    if (!chains->logs) recorded->asked++;
    chains->logs = true;
    for (int u = 0; u < r->plan->uses; u++) {
        const hit_use *use = &r->plan->use[u];
        const int number = one->launch->use[u].storage;
        hit_storage *storage = hit_use_storage(use, r->call);
        const int piece = one->launch->use[u].piece;
        const unsigned char access =
            use->mode != HIT_MODE_IN ? 3 : 1; /* a write is both */
        unsigned char *logged = &chains->logged[number];

        if (storage->pieces == 1 && *logged >= access) continue;
        if (*logged < access) *logged = access;
        HIT_TRY(hit_storage_log(storage, piece, &storage->view[piece].domain, access == 3,
                                hit_source_of_recorded(r->stations), recorded->asked));
    }
    return HIT_OK;
}

/* In place the block behind one of steps may begin with any launch. */
static hit_status run_full(hit_chains *chains)
{
    const bool goes_on = chains->wide && chains->pieces == NULL;

    HIT_TRY(hit_stations_run_recorded(chains->stations));
    chains->goes_on = goes_on;
    return HIT_OK;
}

/* The last launch, or rim, is set; if it cannot join, the block is run. A full one waits
 * for the next launch where that may overwrite results: of a stream, or a reduction. */
static hit_status add(hit_chains *chains, const hit_runner *r, bool joined, bool rim)
{
    if (!joined) return hit_stations_run_recorded(r->stations);
    chains->wide =
        chains->wide || !r->plan->waits || !hit_submit_is_narrow(r->call, r->plan);
    chains->count++;
    hit_chain_block_want(chains);
    if (chains->count < chains->wanted) return HIT_OK;
    if (!rim && (chains->pieces != NULL || hit_chain_reductions_count(chains) > 0)) {
        return HIT_OK;
    }
    return run_full(chains);
}

/* Does the last launch, or rim, join those before it? */
static bool joins(hit_chains *chains, const hit_chain_part *part)
{
    const char *why;
    char line[300];

    if (!join(chains)) return false;
    why = chains->pieces == NULL ? NULL : hit_chain_stream_against(chains, part);
    if (why == NULL) return true;
    (void)snprintf(line, sizeof(line), "kernel %s: %s",
                   chains->record[chains->count].launch->kernel, why);
    hit_chain_say_end(chains->context, line);
    return false;
}

/* What is to be recorded of a launch: a rim of one of its uses, or itself. */
typedef struct wanted {
    const hit_chain_part *part;
    int use;
    const hit_rim *rim; /* NULL: itself */
} wanted;

static bool set_and_join(hit_chains *chains, const hit_runner *r, const wanted *of)
{
    return of->rim != NULL ? set_rim(chains, r, of->use, of->rim) && joins(chains, NULL)
                           : set_launch(chains, r, of->part) && joins(chains, of->part);
}

/* In the block, or, where it can be in none with those before it, in one behind it. */
static hit_status add_wanted(hit_chains *chains, const hit_runner *r, const wanted *of,
                             bool *added)
{
    const bool rim = of->rim != NULL;

    *added = set_and_join(chains, r, of);
    if (!*added && chains->count > 0) {
        HIT_TRY(hit_chain_begin_again(chains, r, of->part));
        *added = (rim || (of->part->begins && chains->pass == 0)) &&
                 set_and_join(chains, r, of);
    }
    *added = *added && (rim || of->part->elsewhere || log_accesses(chains, r) == HIT_OK);
    return add(chains, r, *added, rim);
}

/* What the launch reads beyond boundaries is filled by launches before it. They may be
 * run before the rest of the block is. */
static hit_status add_rims(hit_chains *chains, hit_runner *r, const hit_chain_part *part,
                           bool *added)
{
    for (int u = 0; u < r->plan->uses; u++) {
        hit_rim rim[HIT_RIMS];
        const int count = hit_chain_rims(r, u, part->need[u], part->periodic, rim);

        if (count < 0) {
            *added = false;
            return hit_stations_run_recorded(r->stations);
        }
        if (count > 0) r->stamp = 0; /* ... it is not repeated without them */
        for (int k = 0; k < count; k++) {
            HIT_TRY(add_wanted(chains, r, &(wanted){part, u, &rim[k]}, added));
            if (!*added) return HIT_OK;
        }
    }
    return HIT_OK;
}

/* Nothing is recorded yet. *ready: a launch on @p index may be, which goes by @p alone
 * through the devices alone; NULL: it does not. */
static hit_status begin_block(hit_chains *chains, hit_runner *r, const hit_domain *index,
                              const hit_launch_plan *alone, bool *ready)
{
    HIT_TRY(hit_stations_end_tasks(r->stations)); /* they were launched before */
    hit_chain_block_begin(chains);
    chains->goes_on = chains->wide = false;
    if (chains->shares_given) hit_chain_shares_begin(chains, r->plan, index);
    *ready = true;
    if (chains->pieces == NULL) return HIT_OK;
    return hit_chain_stream_begin(chains, r, alone, ready);
}

hit_status hit_chains_record(hit_chains *chains, hit_runner *r,
                             const hit_chain_part *part, bool *taken)
{
    const uint64_t stamp = r->stamp;
    bool ready = true;
    hit_status status = HIT_OK;

    *taken = false;
    if (chains->count >= chains->wanted) HIT_TRY(hit_stations_run_recorded(r->stations));
    if (chains->count == 0) {
        HIT_TRY(begin_block(chains, r, part->index, part->alone, &ready));
    }
    *taken = ready;
    if (!ready) return HIT_OK;
    hit_runner_set_box(r, part->index);
    HIT_TRY(add_rims(chains, r, part, taken)); /* those may be in the block before: ... */
    if (*taken) status = add_wanted(chains, r, &(wanted){.part = part}, taken);
    r->stamp = stamp;
    return status;
}

/* False: steps that share the memory for its values have others. */
static bool repeat_values(hit_chain_record *one, const hit_call *call)
{
    if (hit_call_has_values(call, one->run->slot)) return true;
    return !hit_chain_record_is_shared(one) &&
           hit_call_keep_values(call, one->value, one->values_bytes, one->run->slot);
}

/* Only its values are others. False: they have no room. */
static bool repeat(hit_chains *chains, const hit_runner *r)
{
    hit_chain_record *one = &chains->record[chains->count];

    for (int u = 0; u < one->launch->uses; u++) {
        const int number = one->launch->use[u].storage;

        if (number < chains->storages) continue;
        chains->dead[number] = hit_domain_empty(1);
        chains->storages = number + 1;
    }
    return join(chains) && (r->plan->known->values == 0 || repeat_values(one, r->call)) &&
           log_accesses(chains, r) == HIT_OK;
}

hit_status hit_chains_repeat(hit_chains *chains, hit_runner *r, const hit_domain *index,
                             bool *taken)
{
    bool ready = true;

    *taken = false;
    if (chains->count >= chains->wanted) return HIT_OK;
    if (!stands_here(chains, r, index)) return HIT_OK;
    if (chains->count == 0) HIT_TRY(begin_block(chains, r, index, NULL, &ready));
    /* with less memory than before it may not fit */
    *taken = ready && chains->before > chains->count && repeat(chains, r);
    return *taken ? add(chains, r, true, false) : HIT_OK;
}

/* All indices of the launch that this process has: several devices do not cut them. What
 * one of these does not overwrite as it is cut alone is loaded. */
static hit_chain_part part_of(const hit_runner *r)
{
    const hit_launch_plan *plan = r->plan;
    hit_chain_part part = hit_chain_part_of_plan(r->call, plan);

    part.alone = plan;
    part.begins = hit_chains_may_begin(r->call->context, r->plan);
    if (plan->parts > 1) hit_parts_claim(r->plan, r->call);
    for (int u = 0; u < plan->uses; u++) {
        part.piece[u] = hit_use_storage_piece(&plan->use[u], r->call, 0);
        for (int k = 0; k < plan->parts && plan->parts > 1; k++) {
            part.loads[u] |= plan->part[k].claim[u].loads;
        }
    }
    return part;
}

hit_status hit_chains_take_launch(hit_runner *r, bool *taken)
{
    hit_chains *chains = hit_chains_of(r->call->context);
    const hit_domain *index = &r->plan->index[0];
    hit_chain_part part;

    if (chains == NULL || hit_domain_is_empty(index)) {
        return hit_stations_run_recorded(r->stations);
    }
    if (hit_chain_reductions_meet(chains, r->call)) {
        HIT_TRY(hit_stations_run_recorded(r->stations));
    }
    if (chains->count >= chains->wanted) {
        part = part_of(r);
        hit_chain_stream_look_ahead(chains, r, &part);
        HIT_TRY(run_full(chains));
        if (chains->idle) r->plan->records = false;
        if (chains->idle || !(part.begins || chains->goes_on)) return HIT_OK;
    }
    if (chains->count == 0 && chains->pass > 0) {
        chains->pass--;
        return HIT_OK;
    }
    HIT_TRY(hit_chains_repeat(chains, r, index, taken));
    if (*taken) return HIT_OK;
    part = part_of(r);
    HIT_TRY(hit_chains_record(chains, r, &part, taken));
    /* one that cannot begin a block does not wait for the device again */
    if (!*taken && chains->pieces != NULL && chains->pass == 0 && part.begins) {
        r->plan->records = false;
    }
    return HIT_OK;
}
