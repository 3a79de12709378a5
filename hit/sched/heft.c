/* SPDX-License-Identifier: MIT
 * heft: what gains most from an accelerator chooses first, and takes the device on which
 * it is over first, as [Bleuse2014] describes HEFT for tasks that become ready one after
 * another. heftrank differs in the order: by upward rank of mean times, as
 * [Topcuoglu2002] has it, but without the times of copies in it. */
#include "hit/base/alloc.h"
#include "hit/sched/sched.h"

#include <stdlib.h>

typedef struct heft {
    const hit_sched_view *view;
    hit_sched_speedup *order;
    size_t room;
} heft;

static hit_status heft_open(const char *options, const hit_sched_view *view, void **state)
{
    (void)options;
    return hit_sched_open_state(view, sizeof(heft), state);
}

static void heft_close(void *state)
{
    free(((heft *)state)->order);
    free(state);
}

/** By falling host_ns, which is the rank here; then by number. */
static int compare_ranks(const void *one, const void *other)
{
    const hit_sched_speedup *a = one;
    const hit_sched_speedup *b = other;

    if (a->host_ns != b->host_ns) return a->host_ns > b->host_ns ? -1 : 1;
    return (a->task > b->task) - (a->task < b->task);
}

/** Give all tasks, in the order of what @p of says and @p compare compares. */
static hit_status give_all(heft *h, int count, const int task[],
                           hit_sched_speedup (*of)(const hit_sched_view *view, int task),
                           int (*compare)(const void *one, const void *other))
{
    const hit_sched_view *view = h->view;

    HIT_TRY(hit_memory_grow((size_t)count, &h->room, sizeof *h->order, "scheduler heft",
                            &h->order));
    for (int k = 0; k < count; k++) {
        h->order[k] = of(view, task[k]);
    }
    qsort(h->order, (size_t)count, sizeof *h->order, compare);
    for (int k = 0; k < count; k++) {
        int64_t end_ns = 0;
        const int best = hit_sched_first_to_end(view, h->order[k].task, false, &end_ns);

        view->give(view->self, h->order[k].task, best, end_ns);
    }
    return HIT_OK;
}

static hit_status heft_ready(void *state, int by, int count, const int task[])
{
    (void)by;
    return give_all(state, count, task, hit_sched_speedup_of, hit_sched_speedup_compare);
}

static hit_sched_speedup rank_of(const hit_sched_view *view, int task)
{
    return (hit_sched_speedup){.task = task,
                               .host_ns = view->mean_rank_ns(view->self, task)};
}

static hit_status heftrank_ready(void *state, int by, int count, const int task[])
{
    (void)by;
    return give_all(state, count, task, rank_of, compare_ranks);
}

const hit_sched_ops hit_sched_heft = {
    .name = "heft",
    .help = "the device that ends it first; greatest gain from an accelerator chooses "
            "first",
    .open = heft_open,
    .close = heft_close,
    .ready = heft_ready,
};

const hit_sched_ops hit_sched_heftrank = {
    .name = "heftrank",
    .help = "the device that ends it first; greatest upward rank chooses first",
    .open = heft_open,
    .close = heft_close,
    .ready = heftrank_ready,
};
