/* SPDX-License-Identifier: MIT
 * Internal: launches that are recorded, to be run as a chain (docs/chain.md). */
#ifndef HIT_RUN_CHAINS_H
#define HIT_RUN_CHAINS_H

#include "hit/deep/deep.h"
#include "hit/launch/launcher.h"
#include "hit/run/run_impl.h"

/** As hit_chains_take() where it may join a block, or begin one. */
hit_status hit_chains_take_launch(hit_runner *r, bool *taken);

/** May the launch join a block, or begin one? Narrow ones run as tasks beside each other,
 * but for one behind a full block. */
static inline bool hit_chains_want(const hit_call *call, const hit_launch_plan *plan)
{
    const hit_context *context = call->context;
    const hit_chains *chains = (const hit_chains *)context->stations->recorded.block;

    if (!plan->records) return false;
    if (chains != NULL && chains->count > 0) return true;
    if (context->launcher->chain_room < 2) return false;
    if (chains != NULL && chains->goes_on) return true;
    return hit_chains_may_begin(context, plan) &&
           !(plan->waits && hit_submit_is_narrow(call, plan));
}

/** Record the launch whose slots and box are set. *taken is false if it must run now;
 * then what it depends on has run. A block that is full is run. @errors those of launches
 * that ran */
static inline hit_status hit_chains_take(hit_runner *r, bool *taken)
{
    *taken = false;
    return hit_chains_want(r->call, r->plan) ? hit_chains_take_launch(r, taken) : HIT_OK;
}

/** Record it in a chain, or make tasks of it; r->left says whether it waits. */
static inline hit_status hit_runner_defer(hit_runner *r)
{
    bool taken = false;

    if (r->plan->records) {
        HIT_TRY(hit_chains_take(r, &taken));
        if (!taken && r->plan->gathers) HIT_TRY(hit_runner_begin_gathers(r));
    }
    if (!taken && r->plan->waits) HIT_TRY(hit_submit(r, &taken));
    r->left = r->left || taken;
    return HIT_OK;
}

/** What is recorded on the stations of @p context, which own it. NULL: there is no
 * memory.
 */
hit_chains *hit_chains_of(const hit_context *context);
/** Programs repeat themselves: the launch on the indices @p index that stood here in the
 * block before is recorded again. *taken is false if another one comes. @errors those of
 * launches that ran */
hit_status hit_chains_repeat(hit_chains *chains, hit_runner *r, const hit_domain *index,
                             bool *taken);
/** Record @p part of the launch, whose slots are set. *taken is false if it must run now;
 * then what it depends on has run. A block that is full is run. @errors those of launches
 * that ran */
hit_status hit_chains_record(hit_chains *chains, hit_runner *r,
                             const hit_chain_part *part, bool *taken);

/* chain_records.c: what launches that wait are, in memory; and what they read beyond the
 * boundary of a tile, as launches that are recorded before them. */

/** The memory of a record with such room. */
size_t hit_chain_record_bytes(const hit_chain_room *room);
/** The indices of @p run are moved by @p move, per axis of the tiles: let it have their
 * own, and the elements that are moved as much. */
void hit_chain_record_move(const hit_call *call, const hit_launch_plan *plan,
                           const hit_index move[], hit_run *run);
/** Let a record be the launch on the indices of @p part, but for the numbers of its
 * storages, in place of the one before. False: there is no memory, and it is none.
 * @owner record->memory: hit_memory_release() */
bool hit_chain_record_set(hit_chain_record *record, const hit_runner *r,
                          const hit_chain_part *part);
/** Is it that of the runner, with the numbers that stand in its patterns, on the indices
 * @p index? */
static inline bool hit_chain_record_is(const hit_chain_record *record,
                                       const hit_runner *r, const hit_domain *index)
{
    return r->stamp != 0 && record->stamp == r->stamp &&
           record->known == r->plan->known->number &&
           hit_domain_equal(&record->launch->domain, index);
}
/** Steps that are repeated are described once: let the last launch of the block, which is
 * that of the runner, be what that of a step before is, with the same values. False:
 * there is none. */
bool hit_chain_record_share(hit_chains *chains, const hit_runner *r,
                            const hit_domain *index);
static inline bool hit_chain_record_is_shared(const hit_chain_record *record)
{
    return (const void *)record->run != record->memory;
}

/** Why the elements that @p use gathers cannot be filled in by launches of a chain; NULL:
 * they can. */
const char *hit_chain_rims_refused(const hit_call *call, const hit_use *use);
/** The rims of what use number @p use needs, in their order, but in the axes @p periodic
 * (a bit each), in which all of it is there; -1: they cannot be filled in.
 * @shape rim: HIT_RIMS */
int hit_chain_rims(const hit_runner *r, int use, const hit_domain *need,
                   unsigned periodic, hit_rim rim[]);
/** What the record of a launch that fills a rim has as its value. */
typedef struct hit_chain_rim_value {
    hit_rim_fill fill;
    hit_access access[2]; /* what it writes, and reads */
    hit_pattern pattern[2];
} hit_chain_rim_value;

/** The same of a launch that fills a rim of use number @p use. */
bool hit_chain_record_set_rim(hit_chain_record *record, const hit_runner *r, int use,
                              const hit_rim *rim);
/** The same where the record points to all of it already. */
void hit_chain_rim_set(hit_chain_record *record, const hit_runner *r, int use,
                       const hit_rim *rim);

/* chain_allowed.c: which launches may be part of a chain on one process. */

/** Let launches of @p context be recorded, as HIT_CHAIN says. @errors HIT_E_ARG */
hit_status hit_chains_open(hit_context *context);
/** No launch is part of a chain from now on; @p why is told as hit_chain_say_end() does.
 */
void hit_chains_shut(hit_context *context, const char *why);
/** A scheduler places launches from now on, but for those that the program asks to have
 * in chains. */
void hit_chains_yield(hit_context *context);
/** May the launches of this plan be part of a chain? */
bool hit_chains_may_take(const hit_call *call, const hit_launch_plan *plan);
/** Why the devices of this process run no chains; NULL: they do. */
const char *hit_chains_devices_refused(const hit_context *context);

/* chain_deep.c: launches of several processes that are recorded as chains
 * (docs/chain.md). */

/** Let launches of @p context be recorded in blocks with deep halos from now on, if they
 * can be on all processes, as HIT_CHAIN says; nothing is recorded. One process has halos,
 * too, where tiles are periodic. @collective yes */
void hit_chains_open_around(hit_context *context);
/** Could the launch be in such blocks of a context which has none yet, and in no others?
 * The program may not have asked for them. */
bool hit_chains_need_halos(const hit_call *call, const hit_launch_plan *plan);
/** Set how long chains may be: as on the process that allows least, and 0 where one has
 * no @p deep (NULL); from hit_chain() on, if HIT_CHAIN does not ask for them. What @p
 * deep has to know of the devices of all is set. @collective yes */
void hit_chains_agree(hit_context *context, hit_deep *deep);
/** What a process runs of a launch of a block, with its margins, is @p box: its indices,
 * and behind them, for each use, what they need (hit_deep_reached()). All is borrowed. */
hit_chain_part hit_chain_part_around(const hit_deep_form *form, const hit_domain box[],
                                     const hit_index move[]);
/** The same of a plan: the indices that this process has, in one piece. */
hit_chain_part hit_chain_part_of_plan(const hit_call *call, const hit_launch_plan *plan);
/** Take note of a launch, whose values are set, and record it on this process if it is
 * part of a block; else *taken is false, and what was recorded has run. @errors those of
 * launches that ran; HIT_E_COMM processes did not write a tile at the same places */
hit_status hit_chains_take_deep(hit_runner *r, bool *taken);

#endif
