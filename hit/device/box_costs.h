/* SPDX-License-Identifier: MIT
 * Internal: what indices cost, in seconds, while a program asks for it
 * (hit_costs_begin()): the indices of a launch run in boxes that take 1 ms and more, and
 * do not take much less than a 64th of the time of all that the process has. */
#ifndef HIT_DEVICE_BOX_COSTS_H
#define HIT_DEVICE_BOX_COSTS_H

#include "hit/base/clock.h"
#include "hit/data/view.h"
#include "patterns/kernel.h"

struct hit_device;

/** The costs so far. The creator sets the members that have no other comment. */
typedef struct hit_box_costs {
    void *of;        /**< the creator's */
    hit_clock clock; /**< by which boxes are timed */
    double speed;    /**< of this process: a second costs as much */
    uint64_t before; /**< the creator's: indices that ran before */
    int dims;        /**< of the indices that are measured */
    int views;
    hit_view *view;    /**< costs of type double that are added to, in the same block */
    double last_s;     /**< of an index of the last box of which some indices ran */
    double area;       /**< all indices of such boxes */
    uint64_t measured; /**< indices whose costs stand in the views */
    uint64_t boxes;    /**< that were timed; those below 1 ms together with others */
    double seconds;    /**< of these */
} hit_box_costs;

/** Run the indices @p box. */
typedef hit_status hit_box_run(void *of, const hit_domain *box);

/** Costs of indices of @p dims dimensions, with @p views views to be set by
 * hit_box_costs_keep(). @owner *costs: hit_box_costs_destroy() @errors HIT_E_NOMEM */
hit_status hit_box_costs_create(int dims, int views, hit_box_costs **costs);
/** View number @p k has costs of the indices @p domain, which are 0. @errors HIT_E_NOMEM
 */
hit_status hit_box_costs_keep(hit_box_costs *costs, int k, const hit_domain *domain);
/** Accepts NULL in *costs; sets it to NULL. */
void hit_box_costs_destroy(hit_box_costs **costs);
/** Let @p call run all indices of @p box once on @p device, in boxes and in an order that
 * follow from times, and add what they cost. @p run has the condition of the launch, and
 * where its arguments lie, in memory that the host reads. A device that is slow is so
 * after the last box.
 * @errors those of @p call; HIT_E_NOMEM */
hit_status hit_box_costs_run(hit_box_costs *costs, const struct hit_device *device,
                             const hit_domain *box, const hit_run *run, hit_box_run *call,
                             void *of);

#endif
