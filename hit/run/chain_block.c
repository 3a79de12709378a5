/* SPDX-License-Identifier: MIT
 * A block of recorded launches is run in tiles, or one launch after the other: as its
 * tuner says, which is told the time. */
#include "hit/base/clock.h"
#include "hit/base/quote.h"
#include "hit/data/hash.h"
#include "hit/deep/deep.h"
#include "hit/run/run_impl.h"

#include <string.h>

static uint64_t sum_of_indices(const hit_chains *chains, int count)
{
    uint64_t sum = 0;

    for (int l = 0; l < count; l++) {
        sum += chains->record[l].indices;
    }
    return sum;
}

static hit_status run_plain(hit_chains *chains, int from, int until)
{
    for (int l = from; l < until; l++) {
        HIT_TRY(hit_chain_run_launch(chains, l, chains->record[l].run));
    }
    return HIT_OK;
}

static hit_tiling tiling_of(const hit_chains *chains, int count, const hit_choice *choice)
{
    hit_tiling made = hit_choice_tiling(choice, &chains->now->chain, count, 1);

    hit_tiling_share_by(&made, chains->threads, chains->speed);
    return made;
}

static hit_chain_work work_of(const hit_chains *chains, const hit_tiling *tiling)
{
    hit_chain_work work;

    work.tiling = tiling;
    for (int l = 0; l < tiling->launches; l++) {
        work.kernel[l] = chains->record[l].kernel;
        work.run[l] = chains->record[l].run;
    }
    return work;
}

/* Of a block that was cut in the same way just before it is known. */
static const hit_tiling *find_tiling(hit_chains *chains, int count,
                                     const hit_choice *choice)
{
    hit_chain_tiled *of = &chains->tiled;
    const bool again = chains->before == count && of->block + 1 == chains->blocks &&
                       of->all.chain == &chains->now->chain;

    if (of->block != chains->blocks &&
        !(again && hit_choice_equal(&of->choice, choice))) {
        of->choice = *choice;
        of->all = tiling_of(chains, count, choice);
        of->plan = NULL;
    }
    of->block = chains->blocks;
    return &of->all;
}

/* Bytes of a position, in all tiles that have the axes of the chain. */
static size_t position_bytes(const hit_chains *chains, int count)
{
    uint32_t seen = 0;
    size_t sum = 0;

    for (int l = 0; l < count; l++) {
        const hit_chain_launch *launch = chains->launch[l];

        for (int u = 0; u < launch->uses; u++) {
            const hit_chain_use *use = &launch->use[u];

            if ((seen >> use->storage & 1u) != 0) continue;
            seen |= 1u << use->storage;
            sum += (size_t)hit_chain_breadth(&chains->now->chain, use) * use->size_bytes;
        }
    }
    return sum;
}

hit_choose_request hit_chain_block_request(const hit_chains *chains, int count,
                                           int period)
{
    hit_choose_request made = hit_choose_request_of(&chains->now->chain, count, period);

    made.position_bytes = position_bytes(chains, count);
    made.cache_bytes = chains->launcher->chain_cache_bytes;
    made.threads = chains->threads;
    return made;
}

/* Of a block that ended before it was full, or of launches that are no steps. Where it is
 * known how full blocks are run fastest, what is left of them is run as these: trials for
 * each number of steps would take longer than they save. */
static hit_tuner *tuner_of_count(hit_chains *chains, int count)
{
    const bool steps = chains->period > 0 && count >= 2 * chains->period;
    const int period = steps ? chains->period : count - 1;
    const bool known = chains->tuner != NULL && hit_tuner_is_settled(chains->tuner);
    uint64_t key = hit_hash_word(chains->forms[count - 1], (uint64_t)count);
    hit_choose_request request;
    hit_tuner *found;

    if (known) key = hit_hash_word(key, 1);
    found = hit_chain_tuners_find(chains, key);
    if (found != NULL) return found;
    request = hit_chain_block_request(chains, count, period);
    request.only_steps = count / period;
    request.most_steps = request.only_steps;
    if (known) request.known = hit_tuner_choice(chains->tuner);
    return hit_chain_tuners_make(chains, count, period, &request, key);
}

static double plain_seconds(const hit_tuner *tuner)
{
    int k = 0;

    while (!tuner->choice[k].plain) { /* one of them is */
        k++;
    }
    return tuner->seconds[k];
}

static void describe(const hit_chains *chains, int count, const hit_choice *choice,
                     char *text, size_t size)
{
    hit_tiling tiling;

    if (choice == NULL || choice->plain) {
        (void)snprintf(text, size, "one launch after the other");
        return;
    }
    tiling = tiling_of(chains, count, choice);
    hit_tiling_print(&tiling, text, size);
}

static void say_settled(const hit_chains *chains, const hit_tuner *tuner, int count)
{
    char text[200];

    describe(chains, count, hit_tuner_choice(tuner), text, sizeof(text));
    hit_say(hit_context_reports(chains->context),
            "chain from kernel %s on: %s: %.2f times as fast as one after the other\n",
            chains->record[0].kernel->name, text,
            plain_seconds(tuner) / tuner->seconds[tuner->current]);
}

static void note(hit_chains *chains, hit_tuner *tuner, int count, double seconds)
{
    const uint64_t indices = sum_of_indices(chains, count);
    const bool settled = hit_tuner_is_settled(tuner);

    hit_tuner_note(tuner, seconds / (double)(indices > 0 ? indices : 1));
    if (!chains->launcher->chain_says || settled) return;
    if (hit_tuner_is_settled(tuner)) say_settled(chains, tuner, count);
}

void hit_chain_block_begin(hit_chains *chains)
{
    if (chains->count > 0) chains->before = chains->count;
    chains->count = 0;
    chains->storages = 0;
    memset(chains->logged, 0, sizeof(chains->logged));
    chains->logs = false;
    chains->now = NULL;
    chains->tuner = NULL;
    chains->period = 0;
    chains->wanted = HIT_CHAIN_LAUNCHES;
}

void hit_chain_block_count(hit_chains *chains, int first, int launches)
{
    for (int l = first; l < first + launches; l++) {
        hit_chain_record *one = &chains->record[l];

        one->chained = one->indices > 0; /* rims have no indices of their own */
        if (chains->deep == NULL) chains->launcher->chained += one->chained;
    }
}

/* The tiles of a block: those of tests, or what its tuner says. NULL: it runs one launch
 * after the other. */
static const hit_choice *choice_of(const hit_chains *chains, int count,
                                   const hit_tuner *tuner)
{
    const hit_choice *choice = chains->launcher->chain_choice;

    if (choice == NULL && tuner != NULL) choice = hit_tuner_choice(tuner);
    return count > 1 && choice != NULL && !choice->plain ? choice : NULL;
}

static hit_status run_as(hit_chains *chains, int count, const hit_tuner *tuner)
{
    const hit_choice *choice = choice_of(chains, count, tuner);
    hit_chain_work work;

    if (choice != NULL) hit_chain_block_count(chains, 0, count);
    if (chains->tell != NULL) {
        describe(chains, count, choice, chains->told.how, sizeof(chains->told.how));
        return HIT_OK;
    }
    if (choice == NULL) return run_plain(chains, 0, count);
    work = work_of(chains, find_tiling(chains, count, choice));
    return hit_chain_run_work(chains, &work);
}

static hit_status run_block(hit_chains *chains, int count, const hit_tuner *tuner)
{
    return chains->pieces != NULL ? hit_chain_stream_run(chains, count)
                                  : run_as(chains, count, tuner);
}

/* The block has run, whatever the comparison is: nothing is lost. Where other processes
 * wait for the launch that is under way, it goes on, and is told what was found. */
static hit_status run_compared(hit_chains *chains, int count, const hit_tuner *tuner)
{
    hit_redo redo = {.count = 0};
    hit_status found = hit_chain_compare_keep(chains, &redo);
    const hit_status status = run_block(chains, count, tuner);

    if (status == HIT_OK && found == HIT_OK) {
        found = hit_chain_compare(chains, count, &redo);
    }
    hit_redo_end(&redo);
    HIT_TRY(status);
    if (chains->context->size == 1) return found;
    hit_stations_keep_failure(chains->stations, found);
    return HIT_OK;
}

/* ---- a block that ends ---- */

/* How the block was run, or would be: a simulated machine, and a dry run that counts,
 * may have run it, too. */
static void tell(hit_chains *chains, int count)
{
    chains->tell(chains->tell_of, chains, count);
    for (int l = 0; l < count; l++) {
        chains->record[l].chained = false;
    }
    chains->told = (hit_chain_told){.how = ""};
}

/* A launch that a block has for itself was recorded in vain; on a device with a memory of
 * its own it is cut worse besides. A program that looks after each of its launches makes
 * such blocks, and one that needs whole rows of what it wrote: then it is seldom tried. A
 * single one is what was left of a loop. */
static void note_alone(hit_chains *chains, int count)
{
    const bool streams = chains->pieces != NULL;
    int launches = 0;

    if (chains->deep != NULL) return; /* other processes wait for what is in a block */
    if (chains->launcher->chain_machine != NULL) return; /* it has no other way there */
    for (int l = 0; l < count && launches < 2; l++) {
        launches += !streams || chains->record[l].indices > 0; /* rims are cheap there */
    }
    chains->alone = launches == 1 ? chains->alone + 1 : 0;
    chains->pass = chains->alone >= (streams ? HIT_CHAIN_ALONE_STREAM : HIT_CHAIN_ALONE)
                       ? HIT_CHAIN_PASS
                       : 0;
}

static hit_tuner *tuner_of(hit_chains *chains, int count)
{
    if (chains->tuner != NULL && count == chains->wanted) return chains->tuner;
    if (count < 2 || chains->launcher->chain_choice != NULL || chains->pieces != NULL) {
        return NULL;
    }
    return tuner_of_count(chains, count);
}

/* Do inner boxes run while messages are under way? Then *tiling is theirs. */
static bool overlaps(hit_chains *chains, int count, const hit_tuner *tuner,
                     const hit_tiling **tiling)
{
    const hit_choice *choice = choice_of(chains, count, tuner);

    if (chains->deep == NULL || choice == NULL || chains->pieces != NULL) return false;
    if (chains->tell != NULL || chains->launcher->chain_compares) return false;
    if (tuner != NULL && !hit_tuner_is_settled(tuner)) return false;
    (void)find_tiling(chains, count, choice);
    return hit_chain_overlap_may(chains, tiling);
}

static hit_status run_overlapped(hit_chains *chains, int count, const hit_tiling *tiling,
                                 double *waited_s)
{
    const hit_chain_work work = work_of(chains, tiling);

    hit_chain_block_count(chains, 0, count);
    return hit_chain_overlap_run(chains, &work, waited_s);
}

static hit_status run_arrived(hit_chains *chains, int count, const hit_tuner *tuner)
{
    const bool compares = chains->launcher->chain_compares && chains->tell == NULL;

    return compares ? run_compared(chains, count, tuner)
                    : run_block(chains, count, tuner);
}

/* Blocks over processes have one piece of each tile. */
static void lose_results(const hit_chains *chains, int from, int until, hit_status status)
{
    for (int l = from; l < until; l++) {
        const hit_chain_launch *launch = chains->launch[l];

        for (int u = 0; u < launch->uses; u++) {
            if (!launch->use[u].writes) continue;
            hit_storage_lose(chains->storage[launch->use[u].storage], 0,
                             &launch->use[u].cover, status);
        }
    }
}

hit_status hit_chain_block_run(void *of)
{
    hit_chains *chains = of;
    const int count = chains->count;
    hit_tuner *tuner = NULL;
    hit_status status = HIT_OK;
    const hit_tiling *tiling = NULL;
    bool beside = false;
    double waited_s = 0;
    double seconds;

    if (count == 0 && chains->deep == NULL) return HIT_OK;
    if (count > 0) {
        chains->blocks++;
        note_alone(chains, count);
        tuner = tuner_of(chains, count);
        if (tuner != NULL) tuner->recent->used = chains->blocks;
        beside = overlaps(chains, count, tuner, &tiling);
    }
    if (!beside && chains->deep != NULL) status = hit_deep_arrive(chains->deep);
    if (status != HIT_OK || count == 0) {
        if (status != HIT_OK) lose_results(chains, 0, count, status);
        hit_chain_block_begin(chains);
        return status;
    }
    if (chains->follows != NULL) hit_chain_shares_start(chains);
    seconds = -hit_clock_now(chains->stations->clock); /* without the wait for messages */
    status = beside ? run_overlapped(chains, count, tiling, &waited_s)
                    : run_arrived(chains, count, tuner);
    seconds += hit_clock_now(chains->stations->clock) - waited_s;
    chains->stations->busy_s += seconds;
    if (status != HIT_OK) lose_results(chains, 0, count, status);
    if (status == HIT_OK && chains->follows != NULL) hit_chain_shares_note(chains);
    if (chains->tell != NULL) {
        tell(chains, count);
    } else if (tuner != NULL && !beside && !chains->launcher->chain_compares &&
               status == HIT_OK) {
        note(chains, tuner, count, seconds);
    }
    hit_chain_block_begin(chains);
    return status;
}

hit_status hit_chain_block_rest(hit_chains *chains, hit_chain_known *now, int from,
                                int until)
{
    double seconds;
    hit_status status;

    if (from == until) return HIT_OK;
    chains->now = now;
    seconds = -hit_clock_now(chains->stations->clock);
    status = run_plain(chains, from, until);
    chains->stations->busy_s += seconds + hit_clock_now(chains->stations->clock);
    chains->now = NULL;
    if (status != HIT_OK) lose_results(chains, from, until, status);
    return status;
}

/* The launches of the shortest step that is repeated from the beginning of the block on,
 * twice at least; 0: there is none [Knuth1977]. To be asked for each number of launches.
 */
static int period_of(hit_chains *chains, int count)
{
    int border = chains->border[count - 1];
    int period;

    if (count < 2) {
        chains->border[0] = chains->border[1] = 0;
        return 0;
    }
    while (border > 0 && chains->form[border] != chains->form[count - 1]) {
        border = chains->border[border];
    }
    if (chains->form[border] == chains->form[count - 1]) border++;
    chains->border[count] = border;
    period = count - border;
    return 2 * period <= count ? period : 0;
}

/* The tuner for blocks of equal steps of @p period launches, of which at least two are
 * recorded; at most @p most_steps in a block. NULL: there is no memory. */
static hit_tuner *tuner_of_steps(hit_chains *chains, int period, int most_steps)
{
    const uint64_t key = chains->forms[2 * period - 1];
    hit_tuner *found = hit_chain_tuners_find(chains, key);
    hit_choose_request request;

    if (found != NULL) return found;
    request = hit_chain_block_request(chains, 2 * period, period);
    request.most_steps = most_steps;
    return hit_chain_tuners_make(chains, 2 * period, period, &request, key);
}

void hit_chain_block_want(hit_chains *chains)
{
    const int most = chains->launcher->chain_room;
    const int period = period_of(chains, chains->count);

    if (chains->launcher->chain_choice != NULL) {
        chains->wanted = chains->launcher->chain_choice->steps;
        return;
    }
    if (period == chains->period && chains->tuner != NULL) return;
    chains->period = period;
    chains->tuner = NULL;
    chains->wanted = most;
    if (period == 0 || 2 * period > most) return;
    if (chains->pieces != NULL) { /* as many as there is room for: few bytes for each */
        chains->wanted = most / period * period;
        return;
    }
    chains->tuner = tuner_of_steps(chains, period, most / period);
    if (chains->tuner == NULL) return;
    chains->wanted = hit_tuner_choice(chains->tuner)->steps * period;
    if (chains->wanted < chains->count) chains->wanted = chains->count;
}
