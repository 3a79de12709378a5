/* SPDX-License-Identifier: MIT
 * Chains of launches on the host device, in place: threads run the items of a phase side
 * by side, and meet between the phases only. Which thread runs which box depends on the
 * tiling, not on timing; each index is run once, by the function that would run it alone,
 * so that results are those of one launch after the other. */
#include "hit/device/host_impl.h"
#include "patterns/kernel_impl.h"

typedef struct phase {
    hit_host *self;
    const hit_chain_work *work;
    int number;
    int items;
} phase;

static hit_status run_item(const phase *p, int item)
{
    const hit_chain_work *work = p->work;
    hit_index begin[HIT_MAX_DIMS];
    hit_index end[HIT_MAX_DIMS];
    hit_tiling_walk walk;
    hit_run run;

    hit_tiling_start(work->tiling, p->number, item, &walk);
    while (hit_tiling_next(&walk, begin, end)) {
        const hit_kernel *kernel = work->kernel[walk.launch];

        if (!hit_chain_work_run(work, walk.launch, begin, end, &run)) continue;
        HIT_TRY(hit_kernel_call(kernel, kernel->host, &run));
    }
    return HIT_OK;
}

static void run_share(void *argument, int thread, int threads)
{
    const phase *p = argument;
    hit_status status = HIT_OK;

    for (int item = thread; item < p->items && status == HIT_OK; item += threads) {
        status = run_item(p, item);
    }
    hit_host_keep(&p->self->lane[thread], status);
}

static hit_status run_phases(hit_host *self, const hit_chain_work *work)
{
    const int phases = hit_tiling_phases(work->tiling);

    for (int number = 0; number < phases; number++) {
        phase p = {self, work, number, hit_tiling_items(work->tiling, number)};

        hit_pool_run(self->pool, HIT_POOL_LONG, run_share, &p);
        HIT_TRY(hit_host_tell(self));
    }
    return HIT_OK;
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

hit_status hit_host_run_chain(void *state, const hit_chain_work *work)
{
    hit_host *self = state;
    const double start_s = hit_trace_start(self->trace);
    const hit_status status = run_phases(self, work);

    if (hit_trace_on(self->trace)) put_runs(self->trace, work, start_s);
    return status;
}
