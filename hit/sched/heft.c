/* SPDX-License-Identifier: MIT
 * heft: what gains most from an accelerator chooses first, and takes the device on which
 * it is over first, as [Bleuse2014] describes HEFT for tasks that become ready one after
 * another. heftrank differs in the order: by upward rank of mean times, as
 * [Topcuoglu2002] has it, but without the times of copies in it. */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/sched/sched.h"

#include <stdlib.h>

typedef struct heft {
    const hit_sched_view *view;
    hit_sched_speedup *order;
    size_t room;
} heft;

static hit_status heft_open(const char *options, const hit_sched_view *view, void **state)
{
    heft *made;

    (void)options;
    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    made->view = view;
    *state = made;
    return HIT_OK;
}

static void heft_close(void *state)
{
    free(((heft *)state)->order);
    free(state);
}

static hit_status make_room(heft *h, int count)
{
    return hit_memory_grow((size_t)count, &h->room, sizeof *h->order, "scheduler heft",
                           &h->order);
}

static void place(const heft *h, int count)
{
    const hit_sched_view *view = h->view;

    for (int k = 0; k < count; k++) {
        int64_t end_ns = 0;
        const int best = hit_sched_first_to_end(view, h->order[k].task, false, &end_ns);

        view->give(view->self, h->order[k].task, best, end_ns);
    }
}

static hit_status heft_ready(void *state, int by, int count, const int task[])
{
    heft *h = state;

    (void)by;
    HIT_TRY(make_room(h, count));
    for (int k = 0; k < count; k++) {
        h->order[k] = hit_sched_speedup_of(h->view, task[k]);
    }
    qsort(h->order, (size_t)count, sizeof *h->order, hit_sched_speedup_compare);
    place(h, count);
    return HIT_OK;
}

/** By falling host_ns, which is the rank here; then by number. */
static int compare_ranks(const void *one, const void *other)
{
    const hit_sched_speedup *a = one;
    const hit_sched_speedup *b = other;

    if (a->host_ns != b->host_ns) return a->host_ns > b->host_ns ? -1 : 1;
    return (a->task > b->task) - (a->task < b->task);
}

static hit_status heftrank_ready(void *state, int by, int count, const int task[])
{
    heft *h = state;

    (void)by;
    HIT_TRY(make_room(h, count));
    for (int k = 0; k < count; k++) {
        h->order[k].task = task[k];
        h->order[k].host_ns = h->view->mean_rank_ns(h->view->self, task[k]);
    }
    qsort(h->order, (size_t)count, sizeof *h->order, compare_ranks);
    place(h, count);
    return HIT_OK;
}

extern const hit_sched_ops hit_sched_heft;
extern const hit_sched_ops hit_sched_heftrank;

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
