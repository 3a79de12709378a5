/* SPDX-License-Identifier: MIT
 * Boxes are cut in halves, along their longest dimension, until they are expected to take
 * 2 ms at most, or a 64th of the time of all indices that the process has, if that is
 * more: beginning a box and the ends of its rows take time, too, which would otherwise be
 * most of the cost where 1 ms is a hundred indices, and not the same on processes of
 * unlike speed. What is expected is the mean of all boxes so far of which some indices
 * ran, or that of the one before if it is more: where work is dear, boxes are smaller;
 * where it is cheap, they are not larger than those of the mean, since dear work may lie
 * in them. Boxes that took less than half of what they may wait for the next ones, and
 * their time is shared by all of their indices that ran. Tried and dropped: to count
 * these before (hit_where_count()), which takes longer than to run them where data says
 * it. */
#include "hit/device/box_costs.h"

#include "hit/base/memory.h"
#include "hit/data/domain_set.h"
#include "hit/data/hash.h"
#include "hit/data/ndcopy.h"
#include "hit/device/device.h"
#include "patterns/where.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_WAITING = 32,
    PARTS = 64
};

static const double least_s = 1e-3;

typedef struct going {
    hit_box_costs *costs;
    const hit_device *device;
    const hit_run *run;
    double all; /* indices that the process has, as far as it knows */
    hit_box_run *call;
    void *of;
    hit_domain box[MOST_WAITING]; /* that ran, and whose costs are not added */
    int waiting;
    double waiting_s;
    double area;    /* indices of these, ... */
    double indices; /* ... and those that ran */
    double each;    /* what each of them costs */
} going;

/* ---- the costs of boxes that ran ---- */

static hit_status count_box(void *of, const hit_domain *box)
{
    going *g = of;

    g->indices += (double)hit_domain_count(box);
    return HIT_OK;
}

static void add_view(const going *g, const hit_view *view, const hit_domain *box)
{
    const hit_domain both = hit_domain_intersect(&view->domain, box);

    if (hit_domain_is_empty(&both)) return;
    HIT_FOR_EACH (x, both) {
        *(double *)hit_view_at(view, x) += g->each;
    }
    g->costs->measured += (uint64_t)hit_domain_count(&both);
}

static hit_status add_box(void *of, const hit_domain *box)
{
    const going *g = of;

    for (int k = 0; k < g->costs->views; k++) {
        add_view(g, &g->costs->view[k], box);
    }
    return HIT_OK;
}

/* Visit the boxes of indices that ran. */
static hit_status visit(going *g, const hit_domain *box,
                        hit_status (*each)(void *of, const hit_domain *box))
{
    static const signed char any_order[HIT_MAX_DIMS] = {0};

    return hit_where_each(g->run->where, box, any_order, g->run->slot, each, g);
}

/* The boxes that wait share their time. */
static hit_status settle(going *g)
{
    hit_box_costs *costs = g->costs;

    if (g->waiting == 0) return HIT_OK;
    g->indices = 0;
    for (int k = 0; k < g->waiting; k++) {
        HIT_TRY(visit(g, &g->box[k], count_box));
    }
    if (g->indices > 0) {
        g->each = g->waiting_s * costs->speed / g->indices;
        for (int k = 0; k < g->waiting; k++) {
            HIT_TRY(visit(g, &g->box[k], add_box));
        }
        costs->seconds += g->waiting_s;
        costs->boxes++;
        costs->area += g->area;
        costs->last_s = g->waiting_s / g->area;
    }
    g->waiting = 0;
    g->waiting_s = 0;
    g->area = 0;
    return HIT_OK;
}

/* ---- boxes that run ---- */

/* What a box is expected to take by the mean of an index. */
static double mean_s(const going *g, double indices)
{
    return g->costs->seconds / g->costs->area * indices;
}

static double most_s(const going *g)
{
    return fmax(2 * least_s, mean_s(g, g->all / PARTS));
}

/* Until some of them ran nothing is known: then boxes are a 64th of all, and wait for 1
 * ms. */
static bool is_small(const going *g, const hit_domain *box)
{
    const double indices = (double)hit_domain_count(box);

    if (g->costs->boxes == 0) return indices <= g->all / PARTS;
    return fmax(mean_s(g, indices), g->costs->last_s * indices) <= most_s(g);
}

static double enough_s(const going *g)
{
    return g->costs->boxes == 0 ? least_s : most_s(g) / 2;
}

static hit_status run_box(going *g, const hit_domain *box)
{
    const hit_clock *clock = &g->costs->clock;
    const double owed_s = hit_slow_owed(g->device);
    const hit_clock_stretch start = hit_clock_begin(clock);

    HIT_TRY(g->call(g->of, box));
    g->waiting_s += hit_clock_took(clock, start) + hit_slow_owed(g->device) - owed_s;
    g->box[g->waiting++] = *box;
    g->area += (double)hit_domain_count(box);
    return g->waiting_s >= enough_s(g) || g->waiting == MOST_WAITING ? settle(g) : HIT_OK;
}

static hit_status run_halves(going *g, const hit_domain *box)
{
    const int d = hit_order_longest(box);
    hit_domain half[2];

    if (hit_sig_count(box->sig[d]) < 2 || is_small(g, box)) return run_box(g, box);
    hit_domain_halve(box, d, half);
    HIT_TRY(run_halves(g, &half[0]));
    return run_halves(g, &half[1]);
}

/* Those that the process has of costs: it may have none of them, but indices. */
static double indices_of(const hit_box_costs *costs, const hit_domain *box)
{
    double all = 0;

    for (int k = 0; k < costs->views; k++) {
        all += (double)hit_domain_count(&costs->view[k].domain);
    }
    return fmax(all, (double)hit_domain_count(box));
}

hit_status hit_box_costs_run(hit_box_costs *costs, const hit_device *device,
                             const hit_domain *box, const hit_run *run, hit_box_run *call,
                             void *of)
{
    hit_status st;
    going g; /* not cleared as a whole: it is large */

    g.costs = costs;
    g.device = device;
    g.run = run;
    g.all = indices_of(costs, box);
    g.call = call;
    g.of = of;
    g.waiting = 0;
    g.waiting_s = 0;
    g.area = 0;
    hit_slow_owe(device);
    st = run_halves(&g, box);
    if (st == HIT_OK) st = settle(&g);
    hit_slow_pay(device);
    return st;
}

/* ---- where costs stand ---- */

hit_status hit_box_costs_create(int dims, int views, hit_box_costs **costs)
{
    hit_box_costs *made;

    HIT_TRY(
        hit_memory_zeroed(1, sizeof *made + (size_t)views * sizeof *made->view, &made));
    *made = (hit_box_costs){.dims = dims, .views = views, .speed = 1};
    made->view = (hit_view *)(made + 1);
    *costs = made;
    return HIT_OK;
}

hit_status hit_box_costs_keep(hit_box_costs *costs, int k, const hit_domain *domain)
{
    double *data;

    HIT_TRY(hit_memory_zeroed((size_t)hit_domain_count(domain), sizeof *data, &data));
    costs->view[k] = hit_view_make(domain, sizeof *data, data);
    return HIT_OK;
}

void hit_box_costs_destroy(hit_box_costs **costs)
{
    if (costs == NULL || *costs == NULL) return;
    for (int k = 0; k < (*costs)->views; k++) {
        free((*costs)->view[k].data);
    }
    free(*costs);
    *costs = NULL;
}
