/* SPDX-License-Identifier: MIT
 * A block over processes begins with messages: elements around a part come, and some at
 * its ends go. Boxes that read none that come and write none that go run first, as one
 * chunk of the chain would; then the messages are waited for, and what is left runs
 * launch after launch. Both ways give the same bits; which one is faster the times of a
 * few blocks say, on each process for itself. */
#include "hit/base/clock.h"
#include "hit/base/context.h"
#include "hit/base/quote.h"
#include "hit/data/domain_set.h"
#include "hit/deep/deep.h"
#include "hit/run/run_impl.h"
#include "patterns/transform.h"

static const hit_index everywhere = (hit_index)1 << 61; /* farther than limits are */

/* The message for a storage that is under way; NULL: there is none. */
static const hit_deep_part *message_for(const hit_deep_plan *plan,
                                        const hit_storage *storage)
{
    for (int f = 0; f < plan->fields; f++) {
        const hit_deep_part *part = &plan->field[f];

        if (part->under_way && part->number == storage->number) return part;
    }
    return NULL;
}

/* The elements that a use may touch; false: all of them. Those around the part are to
 * come. Those at its ends go, since the neighbours' margins lie there: rows are sent from
 * where they are, and may be read meanwhile. Along an axis without margins nothing comes
 * or goes. */
static bool find_calm(const hit_chains *chains, const hit_chain_use *use,
                      hit_domain *calm)
{
    const hit_storage *storage = chains->storage[use->storage];
    const hit_deep_part *part = message_for(chains->deep->under_way, storage);
    hit_margin depth;

    if (part == NULL) return false;
    depth = hit_deep_depth(&part->need);
    *calm = storage->owned[0];
    for (int c = 0; c < calm->dims; c++) {
        const hit_index low = use->writes ? depth.high[c] : 0;
        const hit_index high = use->writes ? depth.low[c] : 0;
        const hit_sig own = calm->sig[c];

        calm->sig[c] = depth.low[c] > 0 || depth.high[c] > 0
                           ? hit_sig_make(own.begin + low, own.end - high, 1)
                           : hit_sig_make(-everywhere, everywhere, 1);
    }
    return true;
}

/* A use of a launch that may touch calm elements only, beside what a tiling leaves of it.
 */
typedef bool visit(const hit_chain_launch *launch, const hit_chain_use *use,
                   const hit_domain *calm, int number, hit_tiling *tiling);

/* Leave of each axis the positions whose launches, as far as the use shows, touch calm
 * elements only: what a use touches moves with the position. */
static bool limit(const hit_chain_launch *launch, const hit_chain_use *use,
                  const hit_domain *calm, int number, hit_tiling *tiling)
{
    const hit_chain_place *place = &tiling->chain->place[number];
    const hit_chain_axes *of = &tiling->chain->of[use->storage];

    (void)launch;
    for (int c = 0; c < tiling->chain->axes; c++) {
        const int t = of->dim[c];
        const hit_index low = use->cover.sig[t].begin - place->begin[c];
        const hit_index high = use->cover.sig[t].end - place->end[c];
        hit_index from = calm->sig[t].begin - low - place->growth[c];
        hit_index to = calm->sig[t].end - high + hit_tiling_shift(tiling, number, c) + 1;

        if (from < tiling->from[c]) from = tiling->from[c];
        if (to > tiling->to[c]) to = tiling->to[c];
        hit_tiling_limit(tiling, c, from, to);
    }
    return true;
}

/* Is all that a use touches from within the limits calm? */
static bool is_calm(const hit_chain_launch *launch, const hit_chain_use *use,
                    const hit_domain *calm, int number, hit_tiling *tiling)
{
    const hit_chain_place *place = &tiling->chain->place[number];
    const hit_domain inside = hit_tiling_inside(tiling, number);
    hit_domain index = launch->domain;
    hit_domain touched;

    if (hit_domain_is_empty(&inside)) return true;
    for (int c = 0; c < inside.dims; c++) {
        const int d = place->index[c];

        if (d < 0) continue;
        index.sig[d] =
            hit_sig_shift(inside.sig[c], launch->domain.sig[d].begin - place->begin[c]);
    }
    touched = hit_pattern_cover(use->pattern, &use->tile, &index);
    return hit_domain_inside(&touched, calm);
}

/* Visit each use of a storage of which elements are under way; false: one said so, or it
 * is not known which dimensions of its tile are axes. */
static bool each_use(const hit_chains *chains, visit *one, hit_tiling *tiling)
{
    for (int l = 0; l < tiling->launches; l++) {
        const hit_chain_launch *launch = chains->launch[l];

        for (int u = 0; u < launch->uses; u++) {
            const hit_chain_use *use = &launch->use[u];
            hit_domain calm;

            if (!find_calm(chains, use, &calm)) continue;
            if (tiling->chain->of[use->storage].since == 0) return false;
            if (!one(launch, use, &calm, l, tiling)) return false;
        }
    }
    return true;
}

/* At least half of all: what is left runs in no tiles. */
static bool is_worth_a_try(const hit_tiling *tiling)
{
    double inner = 0;
    double all = 0;

    for (int l = 0; l < tiling->launches; l++) {
        const hit_domain positions = hit_tiling_positions(tiling, l);
        const hit_domain inside = hit_tiling_inside(tiling, l);

        all += (double)hit_domain_count(&positions);
        inner += (double)hit_domain_count(&inside);
    }
    return inner >= 0.5 * all;
}

static void say(const hit_chains *chains, const hit_worth *overlap)
{
    if (!chains->launcher->chain_says) return;
    hit_say(hit_context_reports(chains->context),
            "chain from kernel %s on: beside messages %.2f times as fast as behind them: "
            "%s\n",
            chains->record[0].kernel->name, overlap->one_s / overlap->other_s,
            overlap->other ? "kept" : "ended");
}

static bool is_faster(hit_chains *chains)
{
    hit_deep_plan *plan = chains->deep->under_way;
    const bool decided = hit_worth_is_decided(&plan->overlap);
    bool waits;

    if (chains->launcher->chain_choice != NULL) { /* tests */
        return chains->blocks % 2 == 0;
    }
    waits = hit_worth_next(&plan->overlap, chains->deep->begun_at, plan->launches,
                           hit_clock_now(chains->stations->clock));
    if (!decided && hit_worth_is_decided(&plan->overlap)) say(chains, &plan->overlap);
    return !waits;
}

/* It is known that messages are waited for before. */
static bool is_over(const hit_worth *overlap)
{
    return hit_worth_is_decided(overlap) && !overlap->other;
}

/* The fields that are under way, a bit each. */
static uint64_t messages_of(const hit_deep_plan *plan)
{
    uint64_t set = 0;

    for (int f = 0; f < plan->fields; f++) {
        set |= (uint64_t)plan->field[f].under_way << f;
    }
    return set;
}

/* Set what of the block runs beside messages, unless it is known: the same launches in
 * the same tiles, and the same messages. */
static void find_inner(hit_chains *chains)
{
    const hit_deep_plan *plan = chains->deep->under_way;
    const uint64_t messages = messages_of(plan);
    hit_chain_tiled *of = &chains->tiled;

    if (of->plan == plan && of->messages == messages) return;
    of->plan = plan;
    of->messages = messages;
    of->inner = of->all;
    of->beside = each_use(chains, limit, &of->inner) && is_worth_a_try(&of->inner) &&
                 each_use(chains, is_calm, &of->inner);
    hit_tiling_share_by(&of->inner, chains->threads, chains->speed);
}

bool hit_chain_overlap_may(hit_chains *chains, const hit_tiling **tiling)
{
    /* a process sends itself no messages */
    if (chains->context->size == 1) return false;
    if (chains->deep->under_way == NULL) return false;
    if (is_over(&chains->deep->under_way->overlap)) return false;
    find_inner(chains);
    if (!chains->tiled.beside || !is_faster(chains)) return false;
    *tiling = &chains->tiled.inner;
    return true;
}

/* What is beyond the limits, launch after launch. */
static hit_status run_rest(hit_chains *chains, const hit_chain_work *work)
{
    hit_domain box;
    hit_run run;

    for (int l = 0; l < work->tiling->launches; l++) {
        const hit_domain all = hit_tiling_positions(work->tiling, l);
        const hit_domain inside = hit_tiling_inside(work->tiling, l);
        hit_rest rest = hit_rest_of(&all, &inside);

        while (hit_rest_next(&rest, &box)) {
            if (!hit_chain_work_run(work, l, &box, &run)) continue;
            HIT_TRY(hit_chain_run_launch(chains, l, &run));
        }
    }
    return HIT_OK;
}

hit_status hit_chain_overlap_run(hit_chains *chains, const hit_chain_work *work,
                                 double *waited_s)
{
    const hit_clock *clock = chains->stations->clock;
    const hit_status ran = hit_chain_run_work(chains, work);
    const double start_s = hit_clock_now(clock);
    const hit_status came = hit_deep_arrive(chains->deep); /* whatever the kernels say */

    *waited_s = hit_clock_now(clock) - start_s;
    chains->overlapped++;
    if (came != HIT_OK) return came;
    return ran == HIT_OK ? run_rest(chains, work) : ran;
}
