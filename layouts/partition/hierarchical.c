/* SPDX-License-Identifier: MIT
 * The inter-node partitioning algorithm around the inter-device one [Clarke 2012], as
 * nested state machines. While some nodes still look for their best slices, others are
 * done and wait: a round of nodes ends with the last of them. Models of devices are kept
 * in units of the plane; a slice of width w of a rectangle of height h is w columns of h
 * units, so that the next rectangle starts from what is known. */
#include "layouts/partition/hierarchical.h"

#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "layouts/partition/algorithms.h"

#include <math.h>
#include <string.h>

/** One node. */
typedef struct node {
    int devices;
    int first;          /**< number of its first device */
    hit_dynamic *inner; /**< NULL: not busy */
    hit_fpm **model;    /**< of its devices, in units; functional */
} node;

struct hit_hierarchical {
    int nodes;
    int devices;
    hit_dynamic_options options; /**< of the inner loops; seed NULL */
    hit_dynamic *outer;
    node *node;
    hit_index *share; /**< scratch, of nodes */
    double *seconds;  /**< of nodes, in this round */
    hit_rect *rect;   /**< rounds x nodes */
    hit_index *width; /**< rounds x devices */
    int round;
    hit_dynamic_verdict verdict;
    bool begun;
    hit_arrays arrays; /**< all but the models */
};

/* ---- create ---- */

/** All devices of all nodes. */
static int count_devices(const hit_hierarchy *hierarchy)
{
    int sum = 0;

    for (int i = 0; i < hierarchy->nodes; i++) {
        sum += hierarchy->devices[i];
    }
    return sum;
}

/** Copy a seed, of whose units one of the plane is @p by, or make an empty model. */
static hit_status create_model(const hit_fpm *seed, hit_index by, hit_index even,
                               hit_fpm **model)
{
    hit_fpm_point point;

    if (seed == NULL) return hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, model);
    if (hit_fpm_kind_of(seed) == HIT_FPM_FUNCTIONAL) {
        return hit_partition_scale(seed, by, model);
    }
    if (hit_fpm_kind_of(seed) == HIT_FPM_TABLE) {
        return HIT_FAIL(HIT_E_ARG, "expected speeds of a device but found a table");
    }
    point = hit_fpm_point_at(seed, 0);
    point.units = (double)(even > 0 ? even : 1);
    point.value /= (double)by;
    HIT_TRY(hit_fpm_create(HIT_FPM_FUNCTIONAL, 1, &point, model));
    if (hit_fpm_cap(seed) == INT64_MAX) return HIT_OK;
    return hit_fpm_set_cap(*model, hit_fpm_cap(seed) / by);
}

static hit_status create_nodes(hit_hierarchical *h, const hit_hierarchy *hierarchy,
                               const hit_fpm *const seed[], hit_index by)
{
    hit_index units = hierarchy->rows * hierarchy->columns;
    int first = 0;

    for (int i = 0; i < h->nodes; i++) {
        node *n = &h->node[i];
        size_t devices = (size_t)hierarchy->devices[i];

        n->devices = hierarchy->devices[i];
        n->first = first;
        HIT_TRY(hit_memory_zeroed(devices, sizeof *n->model, &n->model));
        for (int j = 0; j < n->devices; j++) {
            const hit_fpm *given = seed != NULL ? seed[first + j] : NULL;

            HIT_TRY(create_model(given, by, units / h->devices, &n->model[j]));
        }
        first += n->devices;
    }
    return HIT_OK;
}

/** Models of nodes of whose devices all have seeds. */
static hit_status seed_nodes(const hit_hierarchical *h, hit_index units, hit_fpm *seed[])
{
    for (int i = 0; i < h->nodes; i++) {
        const node *n = &h->node[i];
        bool all = true;

        for (int j = 0; j < n->devices; j++) {
            all = all && hit_fpm_count(n->model[j]) > 0;
        }
        if (!all) continue;
        HIT_TRY(hit_hierarchical_node(units, n->devices, (const hit_fpm *const *)n->model,
                                      &seed[i]));
    }
    return HIT_OK;
}

static hit_status create_outer(hit_hierarchical *h, const hit_hierarchy *hierarchy,
                               hit_dynamic_options options)
{
    hit_plane plane = {
        .rows = hierarchy->rows, .columns = hierarchy->columns, .parts = h->nodes};
    hit_fpm **seed;
    hit_status st;

    HIT_TRY(hit_memory_zeroed((size_t)h->nodes, sizeof *seed, &seed));
    st = seed_nodes(h, plane.rows * plane.columns, seed);
    options.seed = (const hit_fpm *const *)seed;
    if (st == HIT_OK) st = hit_dynamic_create_plane(&plane, &options, &h->outer);
    hit_partition_models_clear(h->nodes, &seed);
    return st;
}

static hit_status fill(hit_hierarchical *h, const hit_hierarchy *hierarchy,
                       hit_dynamic_options options)
{
    const size_t nodes = (size_t)h->nodes;
    const size_t rounds = HIT_DYNAMIC_ROUNDS;
    const size_t devices = (size_t)h->devices;
    hit_arrays *arrays = &h->arrays;

    h->options = options;
    h->options.seed = NULL;
    h->options.imbalance = options.imbalance > 0.0 ? options.imbalance / 2.0 : 0.025;
    HIT_TRY(HIT_TAKE(arrays, nodes, h->node));
    HIT_TRY(HIT_TAKE(arrays, nodes, h->share));
    HIT_TRY(HIT_TAKE(arrays, nodes, h->seconds));
    HIT_TRY(HIT_TAKE(arrays, rounds * nodes, h->rect));
    HIT_TRY(HIT_TAKE(arrays, rounds * devices, h->width));
    HIT_TRY(create_nodes(h, hierarchy, options.seed, options.by > 0 ? options.by : 1));
    options.by = 1;
    return create_outer(h, hierarchy, options);
}

hit_status hit_hierarchical_create(const hit_hierarchy *hierarchy,
                                   const hit_dynamic_options *options,
                                   hit_hierarchical **hierarchical)
{
    hit_hierarchical *made;
    hit_status st;

    HIT_TRY(hit_hierarchy_check(hierarchy));
    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    made->nodes = hierarchy->nodes;
    made->devices = count_devices(hierarchy);
    st = fill(made, hierarchy,
              options != NULL ? *options : (hit_dynamic_options){.imbalance = 0.0});
    if (st != HIT_OK) {
        hit_hierarchical_destroy(&made);
        return st;
    }
    *hierarchical = made;
    return HIT_OK;
}

void hit_hierarchical_destroy(hit_hierarchical **hierarchical)
{
    hit_hierarchical *h = *hierarchical;

    if (h == NULL) return;
    for (int i = 0; h->node != NULL && i < h->nodes; i++) {
        node *n = &h->node[i];

        hit_dynamic_destroy(&n->inner);
        hit_partition_models_clear(n->devices, &n->model);
    }
    hit_dynamic_destroy(&h->outer);
    hit_arrays_free(&h->arrays);
    free(h);
    *hierarchical = NULL;
}

/* ---- a node ---- */

static hit_rect *rects(const hit_hierarchical *h, int round)
{
    return h->rect + (size_t)round * (size_t)h->nodes;
}

static hit_index *widths(const hit_hierarchical *h, int round)
{
    return h->width + (size_t)round * (size_t)h->devices;
}

/** Begin to slice a rectangle, from what is known of the devices. */
static hit_status begin_node(hit_hierarchical *h, node *n, const hit_rect *rect)
{
    hit_dynamic_options options = h->options;
    hit_index *width = widths(h, h->round) + n->first;
    hit_dynamic_verdict verdict;
    hit_status st;

    options.seed = (const hit_fpm *const *)n->model;
    options.by = rect->height;
    HIT_TRY(hit_dynamic_create(rect->width, n->devices, &options, &n->inner));
    st = hit_dynamic_next(n->inner, NULL, width, &verdict);
    if (st != HIT_E_LIMIT) return st;
    hit_dynamic_destroy(&n->inner); /* the devices cannot do the rectangle */
    width[0] = rect->width;
    return HIT_OK;
}

/** Keep what was learned about devices. */
static hit_status keep(node *n, hit_index height)
{
    for (int j = 0; j < n->devices; j++) {
        HIT_TRY(hit_dynamic_learned(n->inner, j, height, n->model[j]));
    }
    return HIT_OK;
}

/** Take the times of a node's devices. */
static hit_status step_node(hit_hierarchical *h, int i, const double seconds[])
{
    node *n = &h->node[i];
    hit_index *width = widths(h, h->round) + n->first;
    hit_dynamic_verdict verdict;

    HIT_TRY(hit_dynamic_next(n->inner, seconds + n->first, width, &verdict));
    if (verdict == HIT_DYNAMIC_CONTINUE) return HIT_OK;
    if (hit_dynamic_best_round(n->inner) >= 0) {
        HIT_TRY(hit_dynamic_best(n->inner, width, &h->seconds[i]));
    }
    HIT_TRY(keep(n, rects(h, h->round)[i].height));
    hit_dynamic_destroy(&n->inner);
    return HIT_OK;
}

/* ---- all nodes ---- */

static bool any_busy(const hit_hierarchical *h)
{
    for (int i = 0; i < h->nodes; i++) {
        if (hit_hierarchical_busy(h, i)) return true;
    }
    return false;
}

/** Give the nodes new rectangles, unless it is time to stop. */
static hit_status next_round(hit_hierarchical *h)
{
    HIT_TRY(
        hit_dynamic_next(h->outer, h->begun ? h->seconds : NULL, h->share, &h->verdict));
    h->begun = true;
    if (h->verdict != HIT_DYNAMIC_CONTINUE) return HIT_OK;
    h->round = hit_dynamic_rounds(h->outer);
    hit_dynamic_rects(h->outer, rects(h, h->round));
    for (int i = 0; i < h->nodes; i++) {
        const hit_rect *rect = &rects(h, h->round)[i];

        h->seconds[i] = h->share[i] > 0 ? INFINITY : 0.0;
        if (h->share[i] > 0) HIT_TRY(begin_node(h, &h->node[i], rect));
    }
    return HIT_OK;
}

static void hand_out(const hit_hierarchical *h, int round, hit_slices *slices)
{
    memcpy(slices->rect, rects(h, round), (size_t)h->nodes * sizeof slices->rect[0]);
    memcpy(slices->width, widths(h, round), (size_t)h->devices * sizeof slices->width[0]);
}

hit_status hit_hierarchical_next(hit_hierarchical *h, const double seconds[],
                                 hit_slices *slices, hit_dynamic_verdict *verdict)
{
    int best;

    if (h->verdict != HIT_DYNAMIC_CONTINUE) {
        return HIT_FAIL(HIT_E_ARG, "the loop has stopped: %s",
                        hit_dynamic_verdict_name(h->verdict));
    }
    if ((seconds != NULL) != h->begun) {
        return HIT_FAIL(HIT_E_ARG, "expected %s seconds", h->begun ? "some" : "no");
    }
    for (int i = 0; i < h->nodes; i++) {
        if (hit_hierarchical_busy(h, i)) HIT_TRY(step_node(h, i, seconds));
    }
    while (!any_busy(h) && h->verdict == HIT_DYNAMIC_CONTINUE) {
        HIT_TRY(next_round(h));
    }
    best = hit_dynamic_best_round(h->outer);
    hand_out(h, h->verdict != HIT_DYNAMIC_CONTINUE && best >= 0 ? best : h->round,
             slices);
    *verdict = h->verdict;
    return HIT_OK;
}

bool hit_hierarchical_busy(const hit_hierarchical *h, int i)
{
    return h->node[i].inner != NULL;
}

double hit_hierarchical_kill_s(const hit_hierarchical *h, int number)
{
    const hit_dynamic *inner = h->node[number].inner;

    return inner != NULL ? hit_dynamic_kill_s(inner) : INFINITY;
}

int hit_hierarchical_rounds(const hit_hierarchical *h)
{
    return hit_dynamic_rounds(h->outer);
}
