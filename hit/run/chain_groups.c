/* SPDX-License-Identifier: MIT
 * Recorded launches run in groups through the memories of devices: as many at a time as
 * move the fewest bytes. Each device has some rows (hit/chain/spread.h), and all meet
 * behind a group. */
#include "hit/base/clock.h"
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/run/chain_pieces.h"
#include "patterns/kernel_impl.h"
#include "patterns/slot.h"
#include "patterns/transform.h"

/* ---- what is told ---- */

static void add_moved(const hit_chains *chains, hit_chain_moved *moved)
{
    for (int k = 0; k < chains->cut->shares; k++) {
        const hit_chain_share *share = &chains->cut->share[k];

        if (!share->runs) continue;
        moved->pieces += (uint64_t)share->plan.pieces;
        if (share->host) continue; /* that is no other memory */
        moved->bytes_in += share->plan.bytes_in;
        moved->bytes_out += share->plan.bytes_out;
    }
}

/* What the pieces move, and how long. */
static hit_status tell_group(hit_chains *chains, int launches, int count)
{
    hit_chain_told *told = &chains->told;
    hit_forecast most = {0};

    add_moved(chains, launches > 1 ? &told->together : &told->alone);
    for (int k = 0; k < chains->cut->shares; k++) {
        hit_chain_pieces *p = &chains->pieces[k];
        hit_forecast time;

        if (!p->share->runs) continue;
        HIT_TRY(chains->time(chains->tell_of, p, count, &time));
        most = hit_forecast_max(most, time);
    }
    told->time = hit_forecast_add(told->time, most);
    return HIT_OK;
}

/* The first device stands for all. */
static void describe(const hit_chains *chains, char *text, size_t size)
{
    const hit_chain_stream *plan = NULL;
    char devices[40] = "";
    char memory[32];
    int running = 0;

    for (int k = 0; k < chains->cut->shares; k++) {
        if (!chains->cut->share[k].runs) continue;
        if (running++ == 0) plan = &chains->cut->share[k].plan;
    }
    if (plan == NULL) return;
    if (running > 1) {
        (void)snprintf(devices, sizeof(devices), "on each of %d devices ", running);
    }
    hit_memory_print(plan->memory_bytes, memory, sizeof(memory));
    (void)snprintf(text, size,
                   "%d launches at a time, %sin %lld pieces of %lld rows, %s of the "
                   "device's memory",
                   plan->launches, devices, (long long)plan->pieces,
                   (long long)plan->height, memory);
}

/* Was it said of such launches, wherever they are, before anything of others? */
static bool was_said(hit_chains *chains, int count)
{
    const uint64_t form = chains->forms[count - 1];
    const bool again = chains->said == form;

    chains->said = form;
    return again;
}

/* Once for each way to run a block. */
static void say(hit_chains *chains, int count)
{
    hit_chain_moved moved = {0};
    char text[200] = "";

    if (chains->tell != NULL) {
        describe(chains, chains->told.how, sizeof(chains->told.how));
    }
    if (!chains->launcher->chain_says || chains->context->rank != 0) return;
    if (was_said(chains, count)) return;
    describe(chains, text, sizeof(text));
    add_moved(chains, &moved);
    hit_say(hit_context_reports(chains->context),
            "chain from kernel %s on: %s: %llu bytes in and %llu out\n",
            chains->record[0].kernel->name, text, (unsigned long long)moved.bytes_in,
            (unsigned long long)moved.bytes_out);
}

/* ---- on the devices ---- */

/* What each of them does. */
typedef struct work {
    hit_chains *chains;
    int alone; /* the number of a launch that fits; -1: those that are planned */
    int count; /* launches of the block */
} work;

static hit_wish wish_of(const hit_chain_pieces *p, const hit_chain_use *use,
                        const hit_domain *index)
{
    hit_storage *storage = p->chains->storage[use->storage];
    const hit_domain need = hit_pattern_cover(use->pattern, &use->tile, index);

    return (hit_wish){.home = &storage->home[p->number],
                      .load = !use->overwrites,
                      .writes = use->writes,
                      .host = &storage->view[0],
                      .need = need,
                      .written = need,
                      .box = need};
}

/* The device's part of a launch that fits: as of launches that are not recorded. */
static hit_status run_resident(const hit_chain_pieces *p, int l)
{
    const hit_chain_record *one = &p->chains->record[l];
    hit_station *station = hit_chain_pieces_station(p);
    hit_resident *found[HIT_MAX_ARGS];
    hit_wish wish[HIT_MAX_ARGS];
    hit_status ran;
    hit_status noted;
    hit_run run;

    if (hit_domain_is_empty(&p->alone[l])) return HIT_OK;
    hit_run_copy(&run, one->run, one->kernel->args);
    hit_run_set_box(&run, &p->alone[l]);
    station->superblocks++;
    if (station->in_place) return hit_device_run(p->device, one->kernel, &run, NULL);
    for (int u = 0; u < one->launch->uses; u++) {
        wish[u] = wish_of(p, &one->launch->use[u], &p->alone[l]);
    }
    HIT_TRY(hit_residents_acquire(&station->residents, one->launch->uses, wish, found));
    run.elements = 0; /* they lie elsewhere */
    for (int u = 0; u < one->launch->uses; u++) {
        hit_run_set_slot(&run, one->launch->use[u].arg, &found[u]->view,
                         &one->launch->use[u].tile, true);
    }
    ran = hit_device_run(station->device, one->kernel, &run, NULL);
    noted = hit_residents_release(&station->residents, one->launch->uses, wish, found);
    return ran != HIT_OK ? ran : noted;
}

/* It has ended then, whatever failed. */
static hit_status run_pieces(const work *all, hit_chain_pieces *p)
{
    hit_stations *stations = all->chains->stations;
    const double start_s = hit_clock_now(stations->clock);
    hit_status status = HIT_OK;
    hit_status waited;

    if (all->alone >= 0) {
        status = run_resident(p, all->alone);
    } else if (p->share->runs) {
        status = hit_chain_pieces_run(p, all->count);
    }
    waited = hit_station_wait(stations, p->number);
    if (all->alone < 0) {
        hit_chain_pieces_station(p)->run_s += hit_clock_now(stations->clock) - start_s;
    }
    return status == HIT_OK ? waited : status;
}

/* On the thread of device number @p number. */
static hit_status run_device(void *argument, int number)
{
    const work *all = argument;

    for (int k = 0; k < all->chains->cut->shares; k++) {
        hit_chain_pieces *p = &all->chains->pieces[k];

        if (p->number == number) return run_pieces(all, p);
    }
    return HIT_OK;
}

static hit_status run_devices(work *all)
{
    const hit_chains *chains = all->chains;

    if (chains->cut->shares > 1 && chains->context->crew != NULL) {
        return hit_crew_run(chains->context->crew, run_device, all);
    }
    for (int k = 0; k < chains->cut->shares; k++) { /* one, or all of a machine */
        HIT_TRY(run_pieces(all, &chains->pieces[k]));
    }
    return HIT_OK;
}

/* ---- the launches that are planned ---- */

/* Before any device runs. */
static hit_status prepare(hit_chains *chains, int first, int launches)
{
    HIT_TRY(hit_chain_stream_take_memory(chains, first, launches));
    for (int k = 0; k < chains->cut->shares; k++) {
        hit_chain_pieces *p = &chains->pieces[k];

        if (!p->share->runs) continue;
        if (hit_chain_pieces_late(p)) {
            HIT_TRY(hit_device_reserve(p->device, p->share->plan.memory_bytes));
        }
        for (int s = 0; s < chains->storages; s++) {
            p->host[s] = &chains->storage[s]->view[0];
        }
        HIT_TRY(hit_chain_pieces_keep_halos(p, chains->cut));
    }
    return HIT_OK;
}

/* Plan @p launches launches from number @p first on. False: they do not fit, or each
 * alone would move less. */
static bool plan_group(hit_chains *chains, int first, int launches, int count)
{
    hit_chain_stream_request request =
        hit_chain_stream_request_of(chains, first, launches);

    request.dead = chains->dead;
    return hit_chain_cut_plan_group(chains->cut, &request, count);
}

/* Of @p launches launches that ran together. */
static void count_all(hit_chains *chains, int launches)
{
    hit_index rows[HIT_MAX_DEVICES] = {0};

    for (int k = 0; k < chains->cut->shares; k++) {
        const hit_chain_pieces *p = &chains->pieces[k];
        hit_station *station = hit_chain_pieces_station(p);

        if (!p->share->runs) continue;
        rows[p->number] = p->share->rows;
        station->superblocks += (uint64_t)p->share->plan.pieces;
        if (p->share->host) continue;
        station->residents.bytes_in += p->bytes_in;
        station->residents.bytes_out += p->bytes_out;
    }
    hit_chain_shares_add(chains, launches, rows);
}

/* The launches that were planned. */
static hit_status run_group(hit_chains *chains, int first, int launches, int count)
{
    work all = {chains, -1, count};
    hit_status status;

    if (launches > 1) hit_chain_block_count(chains, first, launches);
    if (chains->tell != NULL) HIT_TRY(tell_group(chains, launches, count));
    if (hit_chain_is_only_told(chains)) return HIT_OK;
    HIT_TRY(prepare(chains, first, launches));
    status = run_devices(&all);
    count_all(chains, launches);
    return status;
}

/* ---- one launch after the other ---- */

/* What fills a rim alone can as well do that on the host, where nearly all elements are.
 */
static hit_status run_rim(const hit_chains *chains, const hit_chain_record *one)
{
    for (int u = 0; u < one->launch->uses; u++) {
        const hit_chain_use *use = &one->launch->use[u];

        HIT_TRY(hit_chain_stream_touch(chains, use->storage, NULL, &use->cover,
                                       use->writes ? HIT_WRITE : HIT_READ));
    }
    return hit_kernel_call(one->kernel, one->kernel->host, one->run);
}

static hit_intent intent_of(const hit_chain_use *use)
{
    if (!use->writes) return HIT_READ;
    return use->overwrites ? HIT_WRITE : HIT_READ_WRITE;
}

/* Each device has its part of a launch that fits. What it needs and another one has goes
 * to the host first. */
static hit_status run_fitting(hit_chains *chains, int l)
{
    const hit_chain_launch *launch = chains->launch[l];
    work all = {chains, l, 0};

    for (int k = 0; k < chains->cut->shares; k++) {
        const hit_chain_pieces *p = &chains->pieces[k];

        if (hit_domain_is_empty(&p->alone[l])) continue;
        for (int u = 0; u < launch->uses; u++) {
            const hit_chain_use *use = &launch->use[u];
            const hit_wish wish = wish_of(p, use, &p->alone[l]);

            HIT_TRY(hit_chain_stream_touch(chains, use->storage, p, &wish.need,
                                           intent_of(use)));
        }
    }
    return run_devices(&all);
}

/* Launch number @p l of the block. */
static hit_status run_alone(hit_chains *chains, int l, int count)
{
    const hit_chain_record *one = &chains->record[l];

    if (hit_chain_is_only_told(chains) && (one->indices == 0 || one->fits)) return HIT_OK;
    if (one->indices == 0) return run_rim(chains, one);
    if (one->fits) return run_fitting(chains, l);
    if (!plan_group(chains, l, 1, count)) {
        return HIT_FAIL(HIT_E_INTERNAL, "kernel %s does not fit its device",
                        one->kernel->name);
    }
    return run_group(chains, l, 1, count);
}

static const char why_alone[] =
    "its launches together have no room on the device, or move more than each alone";

hit_status hit_chain_stream_run(hit_chains *chains, int count)
{
    const hit_chain_stream_request all = hit_chain_stream_request_of(chains, 0, count);
    const int most = hit_chain_cut_group(chains->cut, &all, chains->period);
    int launches;

    chains->idle = most < 2 && count == chains->wanted;
    if (chains->idle && !was_said(chains, count)) {
        hit_chain_say_end(chains->context, why_alone);
    }
    if (chains->launcher->chain_machine != NULL) chains->idle = false; /* no other way */
    for (int first = 0; first < count; first += launches) {
        launches = count - first < most ? count - first : most;
        if (launches < 2 || !plan_group(chains, first, launches, count)) {
            launches = 1;
            HIT_TRY(run_alone(chains, first, count));
        } else {
            if (first == 0) say(chains, count);
            HIT_TRY(run_group(chains, first, launches, count));
        }
    }
    return HIT_OK;
}
