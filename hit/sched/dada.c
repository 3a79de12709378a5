/* SPDX-License-Identifier: MIT
 * dada: distributed affinity dual approximation [Bleuse2014]. For a guess lambda of the
 * time, tasks first go to accelerators that hold what they write, until these have alpha
 * lambda of such work; of the others, those too long for one class of devices go to the
 * other one, and the rest to accelerators by falling gain while they have less than
 * lambda. The guess is halved between what fails and what fits. With cp, loads count
 * the copies. Loads begin at the backlog of each device. */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/sched/sched.h"

#include <stdlib.h>

/** Where a task goes. */
typedef struct choice {
    int entry; /**< into the list of tasks */
    int device;
} choice;

/** A task on the accelerator that holds most of what it writes. */
typedef struct affinity {
    int task;
    int entry;
    int device;
    int64_t score;
} affinity;

typedef struct dada {
    const hit_sched_view *view;
    int64_t alpha; /**< in hundredths */
    bool cp;
    bool all; /**< affinity also counts what is only read */
    int count;
    size_t room;
    hit_sched_speedup *order; /**< by falling gain */
    affinity *near;           /**< by falling score */
    int nears;
    int64_t *run_ns;   /**< per entry of order, and device; -1: cannot */
    int64_t *bring_ns; /**< likewise; 0 without cp */
    bool *placed;      /**< per entry */
    int *flexible;
    choice *plan; /**< the one that is being made */
    choice *best;
    int planned;
    int64_t *base;  /**< per device; those that follow are in the same block */
    int64_t *load;  /**< per device */
    int64_t *first; /**< per accelerator: work of affinity */
} dada;

static void dada_close(void *state)
{
    dada *d = state;

    free(d->order);
    free(d->near);
    free(d->run_ns);
    free(d->bring_ns);
    free(d->placed);
    free(d->flexible);
    free(d->plan);
    free(d->best);
    free(d->base);
    free(d);
}

static hit_status read_options(dada *d, const char *options)
{
    static const char *const affinities[] = {"written", "all", NULL};
    int word = 0;

    HIT_TRY(hit_sched_option_hundredths("dada", options, "alpha", 100, &d->alpha));
    HIT_TRY(hit_sched_option_flag("dada", options, "cp", &d->cp));
    HIT_TRY(hit_sched_option_word("dada", options, "affinity", affinities, &word));
    d->all = word == 1;
    return HIT_OK;
}

static hit_status dada_open(const char *options, const hit_sched_view *view, void **state)
{
    const size_t devices = (size_t)view->devices;
    dada *made;
    hit_status st;

    HIT_TRY(hit_sched_open_state(view, sizeof *made, &made));
    made->alpha = 50;
    HIT_TRY_GOTO(st, read_options(made, options), close);
    HIT_TRY_GOTO(st, hit_memory_zeroed(3 * devices, sizeof(int64_t), &made->base), close);
    made->load = made->base + devices;
    made->first = made->load + devices;
    *state = made;
    return HIT_OK;
close:
    dada_close(made);
    return st;
}

static hit_status make_room(dada *d, int count)
{
    const size_t n = (size_t)count;
    const size_t cells = n * (size_t)d->view->devices;
    static const char what[] = "scheduler dada";

    d->count = count;
    if (n <= d->room) return HIT_OK;
    HIT_TRY(hit_memory_resize(n, sizeof *d->order, what, &d->order));
    HIT_TRY(hit_memory_resize(n, sizeof *d->near, what, &d->near));
    HIT_TRY(hit_memory_resize(cells, sizeof *d->run_ns, what, &d->run_ns));
    HIT_TRY(hit_memory_resize(cells, sizeof *d->bring_ns, what, &d->bring_ns));
    HIT_TRY(hit_memory_resize(n, sizeof *d->placed, what, &d->placed));
    HIT_TRY(hit_memory_resize(n, sizeof *d->flexible, what, &d->flexible));
    HIT_TRY(hit_memory_resize(n, sizeof *d->plan, what, &d->plan));
    HIT_TRY(hit_memory_resize(n, sizeof *d->best, what, &d->best));
    d->room = n;
    return HIT_OK;
}

/* ---- what is asked once ---- */

static int compare_affinity(const void *one, const void *other)
{
    const affinity *a = one;
    const affinity *b = other;

    if (a->score != b->score) return a->score > b->score ? -1 : 1;
    return (a->task > b->task) - (a->task < b->task);
}

/** The accelerator that holds most of what the task writes, if it can run it. */
static void find_affinity(dada *d, int entry)
{
    const hit_sched_view *view = d->view;
    affinity best = {.score = 0};

    for (int g = 0; g < view->accelerators; g++) {
        const int64_t score =
            view->held_bytes(view->self, d->order[entry].task, g, !d->all);

        if (score > best.score) best = (affinity){d->order[entry].task, entry, g, score};
    }
    if (best.score == 0) return;
    if (d->run_ns[entry * view->devices + best.device] < 0) return;
    d->near[d->nears++] = best;
}

/** Times, copies and affinities of all tasks. @returns an upper bound of the time */
static int64_t look(dada *d)
{
    const hit_sched_view *view = d->view;
    int64_t upper = 0;
    int64_t most_base = 0;

    d->nears = 0;
    for (int w = 0; w < view->devices; w++) {
        const int64_t ahead = view->free_ns(view->self, w) - view->now_ns(view->self);

        d->base[w] = ahead > 0 ? ahead : 0;
        if (d->base[w] > most_base) most_base = d->base[w];
    }
    for (int e = 0; e < d->count; e++) {
        const int task = d->order[e].task;
        int64_t most_run = 0;
        int64_t most_bring = 0;

        for (int w = 0; w < view->devices; w++) {
            const int64_t run = view->run_ns(view->self, task, w);
            const int64_t bring = d->cp ? view->bring_ns(view->self, task, w) : 0;

            d->run_ns[e * view->devices + w] = run;
            d->bring_ns[e * view->devices + w] = bring;
            if (run > most_run) most_run = run;
            if (bring > most_bring) most_bring = bring;
        }
        upper += most_run + most_bring;
        if (d->alpha > 0) find_affinity(d, e);
    }
    return upper + most_base;
}

/* ---- one guess ---- */

/** What the load of the device would be with the task. */
static int64_t load_with(const dada *d, int entry, int device)
{
    const int cell = entry * d->view->devices + device;
    const int64_t load = d->load[device];
    const int64_t bring = d->bring_ns[cell];

    return (load > bring ? load : bring) + d->run_ns[cell];
}

static void plan(dada *d, int entry, int device)
{
    d->load[device] = load_with(d, entry, device);
    d->plan[d->planned++] = (choice){entry, device};
    d->placed[entry] = true;
}

/** The device of [@p from, @p to) that ends the task first. @param below leave out those
 * with at least this load; -1: none */
static int first_to_end(const dada *d, int entry, int from, int to, int64_t below)
{
    int best = -1;
    int64_t least = 0;

    for (int w = from; w < to; w++) {
        int64_t load;

        if (d->run_ns[entry * d->view->devices + w] < 0) continue;
        if (below >= 0 && d->load[w] >= below) continue;
        load = load_with(d, entry, w);
        if (best >= 0 && load >= least) continue;
        best = w;
        least = load;
    }
    return best;
}

static void plan_affinity(dada *d, int64_t lambda)
{
    for (int k = 0; k < d->nears; k++) {
        const affinity *one = &d->near[k];
        const int cell = one->entry * d->view->devices + one->device;

        if (100 * d->first[one->device] >= d->alpha * lambda) continue;
        d->first[one->device] += d->run_ns[cell] + d->bring_ns[cell];
        plan(d, one->entry, one->device);
    }
}

/** Tasks that are too long for one class of devices. @returns false: one is for both */
static bool plan_long(dada *d, int64_t lambda, int *flexible)
{
    const int accelerators = d->view->accelerators;
    const int devices = d->view->devices;

    *flexible = 0;
    for (int e = 0; e < d->count; e++) {
        const int64_t host = d->order[e].host_ns;
        const int64_t accelerator = d->order[e].accelerator_ns;
        const bool long_host = host < 0 || host > lambda;
        const bool long_accelerator = accelerator < 0 || accelerator > lambda;

        if (d->placed[e]) continue;
        if (long_host && long_accelerator) return false;
        if (long_host) {
            plan(d, e, first_to_end(d, e, 0, accelerators, -1));
        } else if (long_accelerator) {
            plan(d, e, first_to_end(d, e, accelerators, devices, -1));
        } else {
            d->flexible[(*flexible)++] = e;
        }
    }
    return true;
}

static void plan_flexible(dada *d, int64_t lambda, int flexible)
{
    const int accelerators = d->view->accelerators;
    bool full = false;

    for (int k = 0; k < flexible; k++) {
        const int e = d->flexible[k];
        int device = full ? -1 : first_to_end(d, e, 0, accelerators, lambda);

        full = device < 0;
        if (full) device = first_to_end(d, e, accelerators, d->view->devices, -1);
        plan(d, e, device);
    }
}

/** Make a plan for @p lambda. @returns whether it is one */
static bool attempt(dada *d, int64_t lambda)
{
    int64_t most = 0;
    int flexible;

    d->planned = 0;
    for (int w = 0; w < d->view->devices; w++) {
        d->load[w] = d->base[w];
        d->first[w] = 0;
    }
    for (int e = 0; e < d->count; e++) {
        d->placed[e] = false;
    }
    plan_affinity(d, lambda);
    if (!plan_long(d, lambda, &flexible)) return false;
    plan_flexible(d, lambda, flexible);
    for (int w = 0; w < d->view->devices; w++) {
        if (d->load[w] > most) most = d->load[w];
    }
    return 100 * most <= (200 + d->alpha) * lambda;
}

static void keep(dada *d)
{
    choice *swap = d->best;

    d->best = d->plan;
    d->plan = swap;
}

static void give_all(const dada *d)
{
    const hit_sched_view *view = d->view;
    const int64_t now = view->now_ns(view->self);

    for (int k = 0; k < d->count; k++) {
        const choice *one = &d->best[k];
        const int cell = one->entry * view->devices + one->device;
        const int64_t there = now + d->bring_ns[cell];
        const int64_t is_free = view->free_ns(view->self, one->device);

        view->give(view->self, d->order[one->entry].task, one->device,
                   (is_free > there ? is_free : there) + d->run_ns[cell]);
    }
}

static hit_status dada_ready(void *state, int by, int count, const int task[])
{
    dada *d = state;
    int64_t upper;
    int64_t lower = 0;
    int64_t epsilon;

    (void)by;
    HIT_TRY(make_room(d, count));
    for (int k = 0; k < count; k++) {
        d->order[k] = hit_sched_speedup_of(d->view, task[k]);
    }
    qsort(d->order, (size_t)count, sizeof *d->order, hit_sched_speedup_compare);
    upper = look(d);
    qsort(d->near, (size_t)d->nears, sizeof *d->near, compare_affinity);
    epsilon = upper / 1000 > 1000 ? upper / 1000 : 1000;
    (void)attempt(d, upper); /* nothing is too long for the sum of all */
    keep(d);
    while (upper - lower > epsilon) {
        const int64_t lambda = (upper + lower) / 2;

        if (attempt(d, lambda)) {
            keep(d);
            upper = lambda;
        } else {
            lower = lambda;
        }
    }
    give_all(d);
    return HIT_OK;
}

const hit_sched_ops hit_sched_dada = {
    .name = "dada",
    .help = "dual approximation after affinity; alpha=0.5, cp: count copies, "
            "affinity=written|all",
    .open = dada_open,
    .close = dada_close,
    .ready = dada_ready,
    .options = (const char *const[]){"alpha", "cp", "affinity", NULL},
};
