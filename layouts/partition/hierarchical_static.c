/* SPDX-License-Identifier: MIT
 * Two levels from models of all devices. The largest time over nodes of the best time
 * over devices is the best time over all: tabulating each node's optimum loses only what
 * lies between the tabulated loads. These are powers of a ratio, the loads at which a
 * device reaches a point of its model, where alone the optimum can bend or jump, and
 * others between them until interpolated speeds are true. */
#include "hit/base/memory.h"
#include "hit/model/fpm_time.h"
#include "layouts/partition/algorithms.h"
#include "layouts/partition/hierarchical.h"
#include "layouts/partition/partition.h"

#include <math.h>

#define SIZES 30
#define EXACT 0.005      /* relative error of times between points */
#define NARROW 0.001     /* relative distance of points that is near enough */
#define MOST_POINTS 1000 /* whatever the devices */

hit_status hit_hierarchy_check(const hit_hierarchy *hierarchy)
{
    if (hierarchy->nodes < 1) {
        return HIT_FAIL(HIT_E_ARG, "expected nodes >= 1 but found %d", hierarchy->nodes);
    }
    for (int i = 0; i < hierarchy->nodes; i++) {
        if (hierarchy->devices[i] >= 1) continue;
        return HIT_FAIL(HIT_E_ARG, "expected devices >= 1 of node %d but found %d", i,
                        hierarchy->devices[i]);
    }
    return HIT_OK;
}

/** Add the load @p units to the node's model, if it is possible. */
static hit_status tabulate(hit_index units, int devices, const hit_fpm *const model[],
                           hit_index share[], hit_fpm *node)
{
    hit_partition_info info;
    hit_status st;

    if (units < 1) return HIT_OK;
    st = hit_partition_fpm(units, devices, model, share, &info);
    if (st == HIT_E_LIMIT) return HIT_OK;
    HIT_TRY(st);
    return hit_fpm_add(node, (double)units, fmax(info.makespan_s, 1e-300), 1.0);
}

/** Units that all devices together do in @p seconds, up to @p most. */
static hit_index done_in(double seconds, hit_index most, int devices,
                         const hit_fpm *const model[])
{
    hit_index sum = 0;

    for (int j = 0; j < devices; j++) {
        sum += hit_fpm_inverse(model[j], seconds, most - sum);
    }
    return sum;
}

static hit_status tabulate_all(hit_index most, int devices, const hit_fpm *const model[],
                               hit_index share[], hit_fpm *node)
{
    for (int k = 0; k <= SIZES; k++) {
        hit_index units = (hit_index)pow((double)most, (double)k / SIZES);

        if (k == SIZES) units = most;
        HIT_TRY(tabulate(units, devices, model, share, node));
    }
    for (int j = 0; j < devices; j++) {
        size_t count = hit_fpm_count(model[j]);

        for (size_t k = 0; k <= count; k++) {
            hit_index at = hit_fpm_cap(model[j]);
            hit_index units;

            if (k < count) {
                at = llround(fmin(hit_fpm_point_at(model[j], k).units, 0x1p62));
            }
            if (at > most || at < 1) continue;
            units = done_in(hit_fpm_time(model[j], at), most, devices, model);
            HIT_TRY(tabulate(units, devices, model, share, node));
            if (units == most) continue;
            HIT_TRY(tabulate(units + 1, devices, model, share, node));
        }
    }
    return HIT_OK;
}

/** Tabulate between neighbours until a straight line of speeds is near the truth. */
static hit_status refine(int devices, const hit_fpm *const model[], hit_index share[],
                         hit_fpm *node)
{
    size_t k = 1;

    while (k < hit_fpm_count(node) && hit_fpm_count(node) < MOST_POINTS) {
        double left = hit_fpm_point_at(node, k - 1).units;
        double right = hit_fpm_point_at(node, k).units;
        hit_index middle = (hit_index)(left + (right - left) / 2.0);
        double expected = hit_fpm_time(node, middle);
        size_t before = hit_fpm_count(node);

        if (right - left < NARROW * right) {
            k++;
            continue;
        }
        HIT_TRY(tabulate(middle, devices, model, share, node));
        if (fabs(hit_fpm_time(node, middle) / expected - 1.0) < EXACT ||
            hit_fpm_count(node) == before) {
            k += 1 + hit_fpm_count(node) - before;
        }
    }
    return HIT_OK;
}

hit_status hit_hierarchical_node(hit_index units, int devices,
                                 const hit_fpm *const model[], hit_fpm **node)
{
    hit_index most = done_in(INFINITY, units, devices, model);
    hit_fpm *made = NULL;
    hit_index *share;
    hit_status st;

    HIT_TRY(hit_memory_zeroed((size_t)devices, sizeof *share, &share));
    HIT_TRY_GOTO(st, hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, &made), done);
    HIT_TRY_GOTO(st, tabulate_all(most, devices, model, share, made), done);
    HIT_TRY_GOTO(st, refine(devices, model, share, made), done);
    if (most < units) HIT_TRY_GOTO(st, hit_fpm_set_cap(made, most), done);
    if (hit_fpm_count(made) == 0) { /* it can do nothing */
        hit_fpm_destroy(&made);
        HIT_TRY_GOTO(st, hit_fpm_constant(0.0, &made), done);
    }
    *node = made;
    made = NULL;

done:
    hit_fpm_destroy(&made);
    free(share);
    return st;
}

static hit_status slice_all(const hit_hierarchy *h, const hit_fpm *const model[],
                            hit_slices *slices, double *makespan_s)
{
    int first = 0;
    double most = 0.0;

    for (int i = 0; i < h->nodes; i++) {
        const hit_rect *rect = &slices->rect[i];

        HIT_TRY(hit_partition_scaled(rect->width, rect->height > 0 ? rect->height : 1,
                                     h->devices[i], &model[first],
                                     &slices->width[first]));
        for (int j = first; j < first + h->devices[i]; j++) {
            most = fmax(most, hit_fpm_time(model[j], rect->height * slices->width[j]));
        }
        first += h->devices[i];
    }
    *makespan_s = most;
    return HIT_OK;
}

hit_status hit_hierarchical_static(const hit_hierarchy *h, const hit_fpm *const model[],
                                   hit_slices *slices, double *makespan_s)
{
    hit_plane plane = {.rows = h->rows, .columns = h->columns, .parts = h->nodes};
    hit_fpm **node;
    int first = 0;
    hit_status st = HIT_OK;

    HIT_TRY(hit_hierarchy_check(h));
    HIT_TRY(hit_memory_zeroed((size_t)h->nodes, sizeof *node, &node));
    for (int i = 0; st == HIT_OK && i < h->nodes; i++) {
        st = hit_hierarchical_node(h->rows * h->columns, h->devices[i], &model[first],
                                   &node[i]);
        first += h->devices[i];
    }
    plane.fpm = (const hit_fpm *const *)node;
    if (st == HIT_OK) st = hit_partition_columns(&plane, slices->rect);
    if (st == HIT_OK) st = slice_all(h, model, slices, makespan_s);
    hit_partition_models_clear(h->nodes, &node);
    return st;
}
