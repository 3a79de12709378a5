/* SPDX-License-Identifier: MIT
 * Chains of launches on the host device, in place: threads run the items of a phase side
 * by side, and meet behind it. Which thread runs which box depends on the
 * tiling, not on timing; each index is run once, by the function that would run it alone,
 * so that results are those of one launch after the other. */
#include "hit/device/host_impl.h"
#include "patterns/kernel_impl.h"

typedef struct phase {
    hit_host *self;
    const hit_chain_work *work;
    const hit_chain_items *mine;
    int items; /* of all devices */
} phase;

static hit_status run_item(const phase *p, int item)
{
    const hit_chain_work *work = p->work;
    hit_tiling_walk walk;
    hit_domain box;
    hit_run run;

    hit_tiling_start(work->tiling, p->mine->phase, item, &walk);
    while (hit_tiling_next(&walk, &box)) {
        const hit_kernel *kernel = work->kernel[walk.launch];

        if (!hit_chain_work_run(work, walk.launch, &box, &run)) continue;
        HIT_TRY(hit_kernel_call(kernel, kernel->host, &run));
    }
    return HIT_OK;
}

static void run_share(void *argument, int thread, int threads)
{
    const phase *p = argument;
    hit_status status = HIT_OK;

    for (int t = thread; t < p->mine->threads; t += threads) {
        for (int item = p->mine->first + t; item < p->items && status == HIT_OK;
             item += p->mine->all) {
            status = run_item(p, item);
        }
    }
    hit_host_keep(&p->self->lane[thread], status);
}

hit_status hit_host_run_chain(void *state, const hit_chain_work *work,
                              const hit_chain_items *items)
{
    hit_host *self = state;
    phase p = {self, work, items, hit_tiling_items(work->tiling, items->phase)};

    hit_thread_pool_run(self->pool, HIT_THREAD_POOL_LONG, run_share, &p);
    return hit_host_tell(self);
}
