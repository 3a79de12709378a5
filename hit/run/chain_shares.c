/* SPDX-License-Identifier: MIT
 * How the devices of a process share the rows of a block: as launches outside of chains
 * are shared, taken when the block begins. Where shares follow measured times, the times
 * of blocks count as those of so many launches, and the shares of each kind of blocks
 * follow on their own: blocks go through memories and caches in another way than launches
 * do. A simulated machine is asked instead: it knows the speeds of its devices. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/data/hash.h"
#include "hit/run/chain_pieces.h"

#include <stdlib.h>
#include <string.h>

hit_status hit_chain_shares_open(hit_chains *chains)
{
    const hit_stations *stations = chains->stations;

    chains->shares_given =
        hit_shares_given(chains->context, chains->share) &&
        hit_device_sharing(stations->count, chains->context->device) > 1;
    if (!chains->shares_given) return HIT_OK;
    if (chains->context->shares_follow) {
        HIT_TRY(hit_memory_zeroed(HIT_CHAIN_SHARED, sizeof(*chains->shared),
                                  &chains->shared));
    }
    if (!stations->in_place) return HIT_OK;
    return hit_memory_zeroed((size_t)chains->threads, sizeof(double), &chains->speed);
}

void hit_chain_shares_close(hit_chains *chains)
{
    for (int k = 0; k < HIT_CHAIN_SHARED && chains->shared != NULL; k++) {
        hit_shares_end(&chains->shared[k].shares);
    }
    free(chains->shared);
    chains->shared = NULL;
    free(chains->speed);
    chains->speed = NULL;
}

/* ---- those of a block ---- */

/* Of a kind that is new: as its first launch is shared outside of chains by now, else as
 * the block before. */
static void begin_kind(hit_chains *chains, const hit_launch_plan *plan)
{
    hit_index share[HIT_MAX_DEVICES];

    if (plan->shares == NULL) return;
    hit_shares_of_plan(plan, chains->stations->count, share);
    memcpy(chains->share, share, sizeof(share[0]) * (size_t)chains->stations->count);
}

/* The threads of a device have as much of its share each. */
static void set_speed(const hit_chains *chains)
{
    int thread = 0;

    for (int d = 0; d < chains->stations->count; d++) {
        const hit_device *device = chains->stations->station[d].device;

        for (int k = 0; k < device->threads && !device->spec.spare; k++) {
            chains->speed[thread++] = (double)chains->share[d] / device->threads;
        }
    }
}

static void find_kind(hit_chains *chains, const hit_launch_plan *plan,
                      const hit_domain *index)
{
    const uint64_t key = hit_hash_extents(plan->known->number, index) | 1u;
    bool fresh;
    const int k = hit_recent_meet(chains->recent_shared, HIT_CHAIN_SHARED, key,
                                  chains->blocks + 1, &fresh);
    hit_chain_shared *found = &chains->shared[k];

    chains->follows = found;
    if (fresh) {
        hit_shares_end(&found->shares);
        begin_kind(chains, plan);
        memcpy(found->share, chains->share, sizeof(found->share));
    } else {
        memcpy(chains->share, found->share, sizeof(found->share));
    }
}

/* Blocks that were cut otherwise do not count. */
static void ask_machine(hit_chains *chains, const hit_chain_machine *machine)
{
    hit_chain_cut *cut = chains->cut;
    hit_index weight[HIT_MAX_DEVICES] = {0};
    const size_t bytes = sizeof(weight[0]) * (size_t)cut->shares;

    machine->share(machine->of, weight);
    if (memcmp(cut->weight, weight, bytes) != 0) chains->before = 0;
    memcpy(cut->weight, weight, bytes);
}

void hit_chain_shares_begin(hit_chains *chains, const hit_launch_plan *plan,
                            const hit_domain *index)
{
    const hit_chain_machine *machine = chains->launcher->chain_machine;

    if (machine != NULL) {
        ask_machine(chains, machine);
        return;
    }
    chains->follows = NULL;
    if (chains->context->shares_follow && chains->tell == NULL) {
        find_kind(chains, plan, index);
    }
    if (chains->speed != NULL) set_speed(chains);
    for (int k = 0; chains->pieces != NULL && k < chains->cut->shares; k++) {
        chains->cut->weight[k] = chains->share[chains->pieces[k].number];
    }
}

hit_status hit_chain_begin_again(hit_chains *chains, const hit_runner *r,
                                 const hit_chain_part *part)
{
    HIT_TRY(hit_stations_run_recorded(r->stations));
    if (chains->shares_given) hit_chain_shares_begin(chains, r->plan, part->index);
    return HIT_OK;
}

/* ---- times ---- */

void hit_chain_shares_start(hit_chains *chains)
{
    chains->shared_launches = 0;
    for (int d = 0; d < chains->stations->count; d++) {
        chains->stations->station[d].run_s = 0;
        chains->rows[d] = 0;
    }
}

void hit_chain_shares_add(hit_chains *chains, int launches, const hit_index rows[])
{
    chains->shared_launches += launches;
    for (int d = 0; d < chains->stations->count; d++) {
        chains->rows[d] += (uint64_t)launches * (uint64_t)rows[d];
    }
}

/* The rows of the devices in units of which there are @p all. False: some device that
 * has a share had no row, and its time says nothing. */
static bool scale(const hit_chains *chains, hit_index all, hit_index share[])
{
    double sum = 0;
    hit_index left = all;
    int most = 0;

    for (int d = 0; d < chains->stations->count; d++) {
        if (chains->share[d] > 0 && chains->rows[d] == 0) return false;
        sum += (double)chains->rows[d];
    }
    for (int d = 0; d < chains->stations->count; d++) {
        share[d] = (hit_index)((double)all * (double)chains->rows[d] / sum + 0.5);
        if (chains->rows[d] > 0 && share[d] < 1) share[d] = 1;
        left -= share[d];
        if (share[d] > share[most]) most = d;
    }
    share[most] += left;
    return share[most] > 0;
}

static hit_index rows_of_launch(const hit_chains *chains)
{
    uint64_t sum = 0;

    for (int d = 0; d < chains->stations->count; d++) {
        sum += chains->rows[d];
    }
    return (hit_index)(sum / (uint64_t)chains->shared_launches);
}

void hit_chain_shares_note(hit_chains *chains)
{
    hit_chain_shared *of = chains->follows;
    hit_index share[HIT_MAX_DEVICES] = {0};
    bool better;

    if (chains->shared_launches == 0) return;
    if (of->shares == NULL) of->all = rows_of_launch(chains);
    if (!scale(chains, of->all, share)) return;
    if (of->shares == NULL &&
        hit_shares_create(chains->stations->count, share, &of->shares) != HIT_OK) {
        return;
    }
    if (!hit_shares_look(of->shares, chains->stations, chains->shared_launches)) return;
    better = hit_shares_follow(of->shares, share);
    if (better) memcpy(of->share, share, sizeof(share));
    hit_shares_open_round(of->shares, better);
}
