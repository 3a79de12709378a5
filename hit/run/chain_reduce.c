/* SPDX-License-Identifier: MIT
 * Reductions among the launches of a block in place, such as a residual in each step.
 * They are in no tiles: sums keep their bits. One waits while launches are recorded,
 * since the next one of its kind may overwrite its results before anything reads them;
 * then it never runs. Else it runs between the launches before and behind it. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/run/chains.h"
#include "patterns/kernel_impl.h"

#include <stdlib.h>

enum {
    WAITING = 4, /* kinds of them in a block */
    PASS = 16    /* so many do not wait, after one that was followed by launches alone */
};

typedef struct waiting {
    hit_call call;
    hit_arg arg[HIT_MAX_ARGS];
    uint64_t indices;
    int parts;
    int behind; /* so many launches of the block */
    max_align_t value[HIT_CHAIN_VALUE_ROOM / sizeof(max_align_t)];
} waiting;

struct hit_chain_reductions {
    int count;
    int pass;
    hit_launch_run *run;   /* how they are carried out */
    waiting *one[WAITING]; /* in the order of the program; then those that are free */
    waiting room[WAITING];
};

void hit_chain_reductions_destroy(hit_chain_reductions **all)
{
    free(*all);
    *all = NULL;
}

static hit_status make(hit_chain_reductions **all)
{
    if (*all != NULL) return HIT_OK;
    HIT_TRY(hit_memory_zeroed(1, sizeof(**all), all));
    for (int k = 0; k < WAITING; k++) {
        (*all)->one[k] = &(*all)->room[k];
    }
    return HIT_OK;
}

/* ---- may it wait? ---- */

/* All that it writes is summed up anew. */
static bool only_reduces(const hit_kernel *kernel)
{
    for (int a = 0; a < kernel->args; a++) {
        const hit_mode mode = kernel->arg[a].mode;

        if (mode == HIT_MODE_OUT || mode == HIT_MODE_INOUT) return false;
    }
    return true;
}

static bool may_wait(const hit_chains *chains, const hit_call *call,
                     const hit_launch_plan *plan)
{
    const hit_known_kernel *known = plan->known;

    if (chains->count == 0) return false;
    /* to get room for what lies beyond a tile moves memory under recorded launches */
    if (plan->gathers) return false;
    if (chains->pieces != NULL || chains->deep != NULL) return false;
    if (call->on != NULL || call->layout != NULL || call->of != NULL) return false;
    if (known->of != known || known->looked != 0 || known->where != NULL) return false;
    if (plan->alias != 0 || hit_kernel_is_ordered(call->kernel)) return false;
    if (known->values_bytes > HIT_CHAIN_VALUE_ROOM) return false;
    return only_reduces(call->kernel);
}

static bool reduces(const hit_call *call, int arg)
{
    return hit_mode_reduces(call->kernel->arg[arg].mode) != 0;
}

/* Does @p call touch what one that waits writes, or write what that touches? */
static bool meets(const waiting *one, const hit_call *call)
{
    for (int a = 0; a < one->call.count; a++) {
        const hit_tile *mine = one->call.args[a].tile;

        for (int b = 0; b < call->count && mine != NULL; b++) {
            const hit_tile *its = call->args[b].tile;

            if (its == NULL || its->storage != mine->storage) continue;
            if (reduces(&one->call, a) || reduces(call, b)) return true;
        }
    }
    return false;
}

bool hit_chain_reductions_meet(const hit_chains *chains, const hit_call *call)
{
    const hit_chain_reductions *all = chains->reductions;

    for (int k = 0; all != NULL && k < all->count; k++) {
        if (meets(all->one[k], call)) return true;
    }
    return false;
}

/* Does @p call write the elements that one that waits would, before anything reads them?
 * Its kernel on the same indices, and on the same tiles but for those that are read. */
static bool overwrites(const waiting *one, const hit_call *call)
{
    const hit_call *old = &one->call;

    if (old->kernel != call->kernel || old->count != call->count) return false;
    if (!hit_domain_equal(&old->domain, &call->domain)) return false;
    for (int a = 0; a < call->count; a++) {
        if (!reduces(call, a)) continue;
        if (old->args[a].tile->storage != call->args[a].tile->storage) return false;
        if (old->args[a].tile->shape != call->args[a].tile->shape) return false;
    }
    return true;
}

/* ---- it waits, or never runs ---- */

/* The counters say what the program launched. */
static void drop(hit_chains *chains, int number)
{
    hit_chain_reductions *all = chains->reductions;
    waiting *gone = all->one[number];

    chains->launcher->indices += gone->indices;
    chains->stations->station[0].superblocks += (uint64_t)gone->parts;
    all->count--;
    for (int k = number; k < all->count; k++) {
        all->one[k] = all->one[k + 1];
    }
    all->one[all->count] = gone;
}

/* Boxes do not matter: the block is run as a whole. */
static hit_status log_accesses(const hit_call *call)
{
    for (int a = 0; a < call->count; a++) {
        const hit_tile *tile = call->args[a].tile;

        if (tile == NULL) continue;
        HIT_TRY(hit_storage_log_recorded(tile->storage, reduces(call, a)));
    }
    return HIT_OK;
}

/* How many launches it is behind the one of its kind before. That one never runs. */
static int since_last(hit_chains *chains, const hit_call *call)
{
    const hit_chain_reductions *all = chains->reductions;

    for (int k = 0; k < all->count; k++) {
        const int behind = all->one[k]->behind;

        if (!overwrites(all->one[k], call)) continue;
        drop(chains, k);
        return chains->count - behind;
    }
    return chains->count;
}

/* Where the next one would be behind a full block, this one runs, and the block before.
 */
hit_status hit_chain_reductions_take(const hit_call *call, const hit_launch_plan *plan,
                                     hit_launch_run *run, bool *taken)
{
    hit_chains *chains = call->context->stations->recorded.block;
    hit_chain_reductions *all;
    waiting *one;
    int since;

    *taken = false;
    if (chains == NULL || !may_wait(chains, call, plan)) return HIT_OK;
    if (make(&chains->reductions) != HIT_OK) return HIT_OK;
    all = chains->reductions;
    if (all->pass > 0) all->pass--;
    if (all->pass > 0) return HIT_OK;
    since = since_last(chains, call);
    if (hit_chain_reductions_meet(chains, call)) return HIT_OK;
    if (chains->count + since > chains->wanted || all->count == WAITING) return HIT_OK;
    one = all->one[all->count];
    if (!hit_call_keep(call, one->value, sizeof(one->value), one->arg, &one->call) ||
        log_accesses(call) != HIT_OK) {
        return HIT_OK;
    }
    all->run = run;
    one->indices = plan->indices;
    one->parts = plan->parts;
    one->behind = chains->count;
    all->count++;
    *taken = true;
    return HIT_OK;
}

int hit_chain_reductions_count(const hit_chains *chains)
{
    return chains->reductions != NULL ? chains->reductions->count : 0;
}

bool hit_chain_reductions_hold(const void *of, const hit_tile *tile)
{
    const hit_chains *chains = of;
    const hit_chain_reductions *all = chains->reductions;

    for (int k = 0; all != NULL && k < all->count; k++) {
        for (int a = 0; a < all->one[k]->call.count; a++) {
            if (all->one[k]->call.args[a].tile == tile) return true;
        }
    }
    return false;
}

/* ---- the block runs ---- */

/* Times of planning and packing are those of the launch for which the block runs. */
static hit_status run_untimed(hit_launch_run *run, const hit_call *call,
                              hit_launch_plan *plan)
{
    hit_trace *trace = call->context->trace;
    const bool traced = hit_trace_on(trace);
    const double plan_s = traced ? trace->plan_s : 0;
    const double pack_s = traced ? trace->pack_s : 0;
    hit_status status;

    if (traced) trace->plan_s = trace->pack_s = 0;
    status = run(call, plan);
    if (traced) {
        trace->plan_s = plan_s;
        trace->pack_s = pack_s;
    }
    return status;
}

/* By a plan of its own: that of the launcher may be at another place by now, for the
 * launch before which the block runs. */
static hit_status run_late(hit_launch_run *run, const waiting *one)
{
    const hit_known_kernel *known = NULL;
    hit_launch_plan *plan = NULL;
    hit_call call = one->call;
    hit_status status;

    HIT_TRY(hit_launcher_know(&call, &known));
    HIT_TRY(hit_launch_plan_make(&call, known, &plan));
    plan->runs = 1; /* what is asked once was asked of the other plan */
    status = hit_launcher_reserve(call.context, plan->scratch_bytes);
    if (status == HIT_OK) status = run_untimed(run, &call, plan);
    hit_launch_plan_destroy(&plan);
    return status;
}

/* The launches up to the first of them are a block; what is behind it runs one after the
 * other. */
static hit_status run_around(hit_chains *chains, int waiting_count)
{
    hit_chain_reductions *all = chains->reductions;
    const int count = chains->count;
    hit_chain_known *now = chains->now;
    int done = all->one[0]->behind;
    hit_first first;

    hit_first_begin(&first);
    chains->count = done;
    hit_first_keep(&first, hit_chain_block_run(chains));
    if (chains->elsewhere) return hit_first_tell(&first);
    for (int k = 0; k <= waiting_count; k++) {
        const int until = k < waiting_count ? all->one[k]->behind : count;

        hit_first_keep(&first, hit_chain_block_rest(chains, now, done, until));
        done = until;
        if (k < waiting_count) hit_first_keep(&first, run_late(all->run, all->one[k]));
    }
    return hit_first_tell(&first);
}

hit_status hit_chain_reductions_run(void *of)
{
    hit_chains *chains = of;
    hit_chain_reductions *all = chains->reductions;
    int count;

    if (all == NULL || all->count == 0) return hit_chain_block_run(of);
    count = all->count;
    if (all->one[count - 1]->behind < chains->count) all->pass = PASS;
    all->count = 0; /* those that run come here, too */
    return run_around(chains, count);
}
