/* SPDX-License-Identifier: MIT
 * A chain on the devices of a process that work in place: their threads share the items
 * of each phase as the threads of one device do, and all devices meet between the phases.
 * Which thread runs which box depends on the tiling, not on timing. Threads of devices
 * whose shares are given, or follow times, have chunks of their widths. What runs one
 * launch after the other is cut along an axis of the chain, so that no two devices write
 * the same element. */
#include "hit/base/clock.h"
#include "hit/base/context.h"
#include "hit/run/run_impl.h"
#include "patterns/kernel_impl.h"

/* What all devices do: the items of a phase, or a launch. */
typedef struct job {
    hit_stations *stations;
    const double *speed; /* of each thread; NULL: all are equal */
    const hit_chain_work *work;
    hit_chain_items items; /* of a device: its own threads are set */
    const hit_kernel *kernel;
    const hit_run *run;
    int dim; /* of the run, that is cut */
} job;

static int threads_of(const hit_stations *stations, int number)
{
    const hit_device *device = stations->station[number].device;

    return device->spec.spare ? 0 : device->threads;
}

/* The threads of the devices before number @p number. */
static int first_thread(const hit_stations *stations, int number)
{
    int first = 0;

    for (int d = 0; d < number; d++) {
        first += threads_of(stations, d);
    }
    return first;
}

void hit_chain_devices_open(hit_chains *chains)
{
    const hit_context *context = chains->context;
    const hit_stations *stations = chains->stations;

    chains->threads = stations->station[0].device->threads;
    if (hit_device_sharing(context->devices, context->device) == 1) return;
    chains->crew = context->crew;
    chains->threads = first_thread(stations, stations->count);
}

/* ---- the trace ---- */

static double indices_of(const hit_chain_work *work, int launch)
{
    return hit_run_indices(work->run[launch], work->kernel[launch]->dims);
}

/* The indices of all launches of the kernel of launch @p launch; 0: one before it has the
 * same kernel. */
static double indices_of_kernel(const hit_chain_work *work, int launch)
{
    double sum = 0;

    for (int l = 0; l < work->tiling->launches; l++) {
        if (work->kernel[l] != work->kernel[launch]) continue;
        if (l < launch) return 0;
        sum += indices_of(work, l);
    }
    return sum;
}

/* One event for each kernel of the block: its launches run between those of the others,
 * and its part of the time is that of the indices. */
static void put_runs(hit_trace *trace, const hit_chain_work *work, double start_s)
{
    const double all_s = hit_trace_now() - start_s;
    double sum = 0;

    for (int l = 0; l < work->tiling->launches; l++) {
        sum += indices_of(work, l);
    }
    for (int l = 0; l < work->tiling->launches; l++) {
        const double mine = indices_of_kernel(work, l);
        const double end_s = start_s + all_s * mine / sum;

        if (mine == 0) continue;
        hit_trace_put(trace, HIT_TRACE_RUN,
                      &(hit_trace_event){.what = work->kernel[l]->name,
                                         .start_s = start_s,
                                         .end_s = end_s});
        start_s = end_s;
    }
}

/* ---- in tiles ---- */

/* The device took so long for something of the block. */
static void add_time(const job *all, int number, double start_s)
{
    all->stations->station[number].run_s += hit_clock_now(all->stations->clock) - start_s;
}

/* Their times are those that shares follow. */
static hit_status run_items(void *argument, int number)
{
    const job *all = argument;
    const double start_s = hit_clock_now(all->stations->clock);
    hit_chain_items items = all->items;
    hit_status status;

    items.first = first_thread(all->stations, number);
    items.threads = threads_of(all->stations, number);
    if (items.threads == 0) return HIT_OK;
    status =
        hit_device_run_chain(all->stations->station[number].device, all->work, &items);
    add_time(all, number, start_s);
    return status;
}

/* The chunks are those of the threads. */
static void count_rows(hit_chains *chains, const hit_tiling *tiling)
{
    hit_index rows[HIT_MAX_DEVICES] = {0};
    int thread = 0;

    if (tiling->speed == NULL) return;
    for (int d = 0; d < chains->stations->count; d++) {
        for (int k = threads_of(chains->stations, d); k > 0; k--) {
            rows[d] += hit_tiling_chunk(tiling, thread++);
        }
    }
    hit_chain_shares_add(chains, tiling->launches, rows);
}

hit_status hit_chain_run_work_on(const hit_chains *chains, int number,
                                 const hit_chain_work *work)
{
    const hit_device *device = chains->stations->station[number].device;
    const double start_s = hit_trace_start(device->spec.trace);
    const int threads = device->threads;
    hit_chain_items items = {.all = threads, .threads = threads};

    for (int phase = 0; phase < hit_tiling_phases(work->tiling); phase++) {
        items.phase = phase;
        HIT_TRY(hit_device_run_chain(device, work, &items));
    }
    if (hit_trace_on(device->spec.trace)) put_runs(device->spec.trace, work, start_s);
    return HIT_OK;
}

hit_status hit_chain_run_work(hit_chains *chains, const hit_chain_work *work)
{
    const double start_s = hit_trace_start(chains->context->trace);
    job all = {.stations = chains->stations, .work = work, .items.all = chains->threads};
    hit_status status = HIT_OK;

    if (chains->crew == NULL) return hit_chain_run_work_on(chains, 0, work);
    for (int phase = 0; phase < hit_tiling_phases(work->tiling) && status == HIT_OK;
         phase++) {
        all.items.phase = phase;
        status = hit_crew_run(chains->crew, run_items, &all);
    }
    count_rows(chains, work->tiling);
    for (int d = 0; d < chains->stations->count; d++) {
        hit_trace *trace = chains->stations->station[d].device->spec.trace;

        if (threads_of(chains->stations, d) == 0 || !hit_trace_on(trace)) continue;
        put_runs(trace, work, start_s);
    }
    return status;
}

/* ---- one launch after the other ---- */

/* What threads before number @p thread have of the dimension that is cut. */
static hit_index before(const job *all, int thread)
{
    const hit_index count = hit_run_extent(all->run, all->dim);
    double some = 0;
    double sum = 0;

    if (all->speed == NULL) return count * thread / all->items.all;
    for (int k = 0; k < all->items.all; k++) {
        sum += all->speed[k];
        if (k < thread) some += all->speed[k];
    }
    return thread == all->items.all ? count : (hit_index)((double)count * some / sum);
}

static hit_index rows_of(const job *all, int number, hit_index *from)
{
    const int first = first_thread(all->stations, number);

    *from = before(all, first);
    return before(all, first + threads_of(all->stations, number)) - *from;
}

/* The device's share of the run. */
static hit_status run_share(void *argument, int number)
{
    const job *all = argument;
    const double start_s = hit_clock_now(all->stations->clock);
    const hit_index begin = all->run->begin[all->dim];
    const hit_index stride = all->run->stride[all->dim];
    hit_index from;
    const hit_index rows = rows_of(all, number, &from);
    hit_status status;
    hit_run run;

    if (rows == 0) return HIT_OK;
    hit_run_copy(&run, all->run, all->kernel->args);
    run.begin[all->dim] = begin + from * stride;
    run.end[all->dim] = begin + (from + rows - 1) * stride;
    run.threads = threads_of(all->stations, number);
    status =
        hit_device_run(all->stations->station[number].device, all->kernel, &run, NULL);
    add_time(all, number, start_s);
    return status;
}

hit_status hit_chain_run_launch(hit_chains *chains, int launch, const hit_run *run)
{
    const hit_chain_record *one = &chains->record[launch];
    job all = {.stations = chains->stations,
               .speed = chains->speed,
               .items.all = chains->threads,
               .kernel = one->kernel,
               .run = run,
               .dim = chains->now->chain.place[launch].index[0]};
    hit_index rows[HIT_MAX_DEVICES];

    if (chains->crew == NULL || all.dim < 0 || one->indices == 0) {
        return hit_device_run(chains->stations->station[0].device, one->kernel, run,
                              NULL);
    }
    for (int d = 0; d < chains->stations->count; d++) {
        hit_index from;

        rows[d] = rows_of(&all, d, &from);
    }
    hit_chain_shares_add(chains, 1, rows);
    return hit_crew_run(chains->crew, run_share, &all);
}
