/* SPDX-License-Identifier: MIT
 * Plans of launches that run some of their indices: needs of clipped boxes follow no
 * trend, so that pieces are looked at one by one. */
#include "hit/plan/plan_impl.h"

enum {
    MOST = 1 << 18 /* pieces; of more the needs of whole pieces are told */
};

static uint64_t bytes_of(const hit_plan_arg *arg, const hit_domain *box)
{
    return hit_plan_multiply((uint64_t)hit_domain_count(box), arg->size_bytes);
}

/* The elements of an argument that are on the device, and what is written of them. */
typedef struct held {
    hit_domain need;
    hit_domain writes;
    bool any;
} held;

/* As hit/stream does: what the piece before left, and it needs the same, is not moved. */
static void add(const hit_plan_request *request, const hit_plan_arg *arg,
                const hit_domain *piece, held *before, hit_plan *plan)
{
    held now = {.need = hit_plan_need(arg, piece), .any = true};
    const bool reuse = request->reuse && before->any;
    uint64_t in;

    now.writes = hit_plan_writes(arg, piece, &now.need);
    if (reuse && hit_domain_equal(&now.need, &before->need) &&
        hit_domain_equal(&now.writes, &before->writes)) {
        return;
    }
    in = bytes_of(arg, &now.need);
    if (reuse && arg->buffers > 1) {
        const hit_domain common = hit_domain_intersect(&now.need, &before->need);

        in -= bytes_of(arg, &common);
    }
    if (hit_plan_moves_in(arg, piece)) plan->bytes_in = hit_plan_add(plan->bytes_in, in);
    if (hit_plan_moves_out(arg)) {
        plan->bytes_out = hit_plan_add(plan->bytes_out, bytes_of(arg, &now.writes));
    }
    *before = now;
}

static void add_piece(const hit_plan_request *request, const hit_domain *piece,
                      held before[], hit_plan *plan)
{
    uint64_t sum = 0;

    for (int a = 0; a < request->args; a++) {
        const hit_plan_arg *arg = &request->arg[a];
        const uint64_t bytes = hit_plan_arg_bytes(arg, piece);
        const uint64_t buffers = arg->buffers > 1 ? (uint64_t)arg->buffers : 1;

        if (bytes > plan->arg_bytes[a]) plan->arg_bytes[a] = (size_t)bytes;
        sum += bytes * buffers;
        add(request, arg, piece, &before[a], plan);
    }
    sum *= (uint64_t)request->in_flight;
    if (sum > plan->peak_bytes) plan->peak_bytes = (size_t)sum;
}

void hit_plan_restrict(const hit_plan_request *request, hit_plan *plan)
{
    held before[HIT_MAX_ARGS] = {{.any = false}};

    plan->where = request->where;
    if (plan->pieces > MOST) return;
    plan->filled = 0;
    plan->bytes_in = plan->bytes_out = 0;
    plan->peak_bytes = 0;
    for (int a = 0; a < request->args; a++) {
        plan->arg_bytes[a] = 0;
    }
    for (hit_index k = hit_plan_next(plan, 0); k < plan->pieces;
         k = hit_plan_next(plan, k + 1)) {
        const hit_domain piece = hit_plan_piece(plan, k);

        add_piece(request, &piece, before, plan);
        plan->filled++;
    }
}
