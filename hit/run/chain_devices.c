/* SPDX-License-Identifier: MIT
 * A chain on the devices of a process that work in place: their threads share the items
 * of each phase as the threads of one device do, and all devices meet between the phases.
 * Which thread runs which box depends on the tiling, not on timing. What runs one launch
 * after the other is cut along an axis of the chain, so that no two devices write the
 * same element. */
#include "hit/base/context.h"
#include "hit/chain/chain.h"
#include "hit/device/device.h"
#include "hit/run/run_impl.h"
#include "patterns/kernel_impl.h"
#include "patterns/slot.h"

/* What all devices do: the items of a phase, or a launch. */
typedef struct job {
    const hit_stations *stations;
    const hit_chain_work *work;
    hit_chain_items items; /* of a device: its own threads are set */
    const hit_kernel *kernel;
    const hit_run *run;
    int dim; /* of the run, that is cut */
} job;

static hit_crew *crew_of(const hit_chains *chains)
{
    const hit_context *context = chains->context;
    const bool several = hit_device_sharing(context->devices, context->device) > 1;

    return several ? context->crew : NULL;
}

static int threads_of(const hit_stations *stations, int number)
{
    const hit_device *device = stations->station[number].device;

    return device->spec.spare ? 0 : device->threads;
}

int hit_chain_threads(const hit_chains *chains)
{
    int threads = 0;

    if (crew_of(chains) == NULL) {
        return chains->stations->station[0].device->threads;
    }
    for (int d = 0; d < chains->stations->count; d++) {
        threads += threads_of(chains->stations, d);
    }
    return threads;
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

static hit_status run_items(void *argument, int number)
{
    const job *all = argument;
    const hit_device *device = all->stations->station[number].device;
    hit_chain_items items = all->items;

    items.first = first_thread(all->stations, number);
    items.threads = threads_of(all->stations, number);
    if (items.threads == 0) return HIT_OK;
    return device->processor->run_chain(device->state, all->work, &items);
}

static void trace_runs(const hit_chains *chains, const hit_chain_work *work,
                       double start_s)
{
    const int devices = crew_of(chains) == NULL ? 1 : chains->stations->count;

    for (int d = 0; d < devices; d++) {
        hit_trace *trace = chains->stations->station[d].device->spec.trace;

        if (threads_of(chains->stations, d) == 0 || !hit_trace_on(trace)) continue;
        put_runs(trace, work, start_s);
    }
}

hit_status hit_chain_run_work(const hit_chains *chains, const hit_chain_work *work)
{
    const double start_s = hit_trace_start(chains->context->trace);
    hit_crew *crew = crew_of(chains);
    job all = {.stations = chains->stations, .work = work};
    hit_status status = HIT_OK;

    all.items.all = hit_chain_threads(chains);
    for (int phase = 0; phase < hit_tiling_phases(work->tiling) && status == HIT_OK;
         phase++) {
        all.items.phase = phase;
        status = crew == NULL ? run_items(&all, 0) : hit_crew_run(crew, run_items, &all);
    }
    trace_runs(chains, work, start_s);
    return status;
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
        HIT_TRY(device->processor->run_chain(device->state, work, &items));
    }
    if (hit_trace_on(device->spec.trace)) put_runs(device->spec.trace, work, start_s);
    return HIT_OK;
}

/* ---- one launch after the other ---- */

/* The device's share of the run, along the dimension that is cut. */
static hit_status run_share(void *argument, int number)
{
    const job *all = argument;
    const hit_index own = threads_of(all->stations, number);
    const hit_index first = first_thread(all->stations, number);
    const hit_index begin = all->run->begin[all->dim];
    const hit_index stride = all->run->stride[all->dim];
    const hit_index count = (all->run->end[all->dim] - begin) / stride + 1;
    const hit_index from = count * first / all->items.all;
    const hit_index to = count * (first + own) / all->items.all;
    hit_run run;

    if (from >= to) return HIT_OK;
    hit_run_copy(&run, all->run, all->kernel->args);
    run.begin[all->dim] = begin + from * stride;
    run.end[all->dim] = begin + (to - 1) * stride;
    run.threads = (int)own;
    return hit_device_run(all->stations->station[number].device, all->kernel, &run, NULL);
}

hit_status hit_chain_run_launch(const hit_chains *chains, int launch, const hit_run *run)
{
    const hit_chain_record *one = &chains->record[launch];
    hit_crew *crew = crew_of(chains);
    job all = {.stations = chains->stations,
               .kernel = one->kernel,
               .run = run,
               .dim = chains->now->chain.place[launch].index[0]};

    all.items.all = hit_chain_threads(chains);
    if (crew == NULL || all.dim < 0 || one->indices == 0) {
        return hit_device_run(chains->stations->station[0].device, one->kernel, run,
                              NULL);
    }
    return hit_crew_run(crew, run_share, &all);
}
