/* SPDX-License-Identifier: MIT
 * Costs that are measured: between two calls of the program, boxes of its launches are
 * timed (hit/device/box_costs.h), and their seconds become the program's tile of costs.
 */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/data/ndcopy.h"
#include "hit/device/box_costs.h"
#include "hit/launch/launch.h"
#include "hit/launch/stats.h"
#include "layouts/costs.h"

#include <math.h>

static uint64_t indices_of(const hit_context *context)
{
    hit_stats stats;

    hit_context_stats(context, &stats);
    return stats.indices;
}

static hit_status check(const hit_context *context, const hit_tile *costs, double speed)
{
    if (costs == NULL) return HIT_FAIL(HIT_E_ARG, "expected costs but found NULL");
    if (hit_tile_type(costs).kind != HIT_KIND_DOUBLE) {
        return HIT_FAIL(HIT_E_ARG, "tile %s: expected costs of type double",
                        hit_tile_name(costs));
    }
    if (!(speed > 0) || isinf(speed)) {
        return HIT_FAIL(HIT_E_ARG, "expected a speed > 0 but found %g", speed);
    }
    if (context->costs == NULL) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "expected hit_costs_end() before the next "
                               "hit_costs_begin() but found none");
}

/** Costs of 0 of all that this process owns of the tile. */
static hit_status prepare(hit_context *context, hit_tile *tile, double speed,
                          hit_box_costs **costs)
{
    const int pieces = hit_tile_pieces(tile);

    HIT_TRY(hit_box_costs_create(hit_tile_domain(tile).dims, pieces, costs));
    (*costs)->of = tile;
    (*costs)->clock = context->clock;
    (*costs)->speed = speed;
    (*costs)->before = indices_of(context);
    for (int piece = 0; piece < pieces; piece++) {
        hit_view view;

        HIT_TRY(hit_tile_map(tile, piece, HIT_READ, &view));
        HIT_TRY(hit_box_costs_keep(*costs, piece, &view.domain));
    }
    return HIT_OK;
}

hit_status hit_costs_begin(hit_context *context, hit_tile *costs, double speed)
{
    hit_box_costs *made = NULL;
    hit_status st;

    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    HIT_TRY(hit_comm_agree(context->comm, check(context, costs, speed)));
    st = hit_wait(context); /* what was launched before is not measured */
    if (st == HIT_OK) st = prepare(context, costs, speed, &made);
    st = hit_comm_agree(context->comm, st);
    if (st == HIT_OK) {
        context->costs = made;
    } else {
        hit_box_costs_destroy(&made);
    }
    return st;
}

static hit_status hand_over(const hit_box_costs *costs)
{
    for (int piece = 0; piece < costs->views; piece++) {
        const hit_view *from = &costs->view[piece];
        hit_ndcopy copy;
        hit_view to;

        HIT_TRY(hit_tile_map(costs->of, piece, HIT_WRITE, &to));
        copy = hit_ndcopy_make(from, &to, &from->domain, NULL);
        hit_ndcopy_run(&copy, from->data, to.data);
    }
    return HIT_OK;
}

static void tell(const hit_context *context, hit_costs_info *info)
{
    const hit_box_costs *costs = context->costs;

    *info = (hit_costs_info){.indices = indices_of(context) - costs->before,
                             .measured = costs->measured,
                             .boxes = costs->boxes,
                             .seconds = costs->seconds};
}

hit_status hit_costs_end(hit_context *context, hit_costs_info *info)
{
    hit_status st = HIT_OK;

    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    if (context->costs == NULL) {
        st = HIT_FAIL(HIT_E_ARG, "expected hit_costs_begin() before hit_costs_end() but "
                                 "found none");
    }
    HIT_TRY(hit_comm_agree(context->comm, st));
    st = hit_wait(context);
    if (st == HIT_OK) st = hand_over(context->costs);
    if (info != NULL) tell(context, info);
    hit_box_costs_destroy(&context->costs);
    return hit_comm_agree(context->comm, st);
}
