/* SPDX-License-Identifier: MIT
 * Plans whose pieces are looked at one by one: of launches that run some of their
 * indices, since needs of clipped boxes follow no trend; and such whose inner indices
 * come first, while the elements that the others need are under way. */
#include "hit/plan/plan_impl.h"

enum {
    MOST = 1 << 18, /* pieces; of more the needs of whole pieces are told */
    MOST_DEFERRED = 1 << 12
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
    if (arg->mode != HIT_MODE_IN) {
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

static void forget(held before[])
{
    for (int a = 0; a < HIT_MAX_ARGS; a++) {
        before[a].any = false;
    }
}

void hit_plan_restrict(const hit_plan_request *request, hit_plan *plan)
{
    held before[HIT_MAX_ARGS];
    bool late = false;

    forget(before);
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

        if (k >= plan->early && !late) {
            late = true;
            forget(before);
        }
        add_piece(request, &piece, before, plan);
        plan->filled++;
    }
}

/* *plan is such a plan, or stays as it is. */
static bool defer(const hit_plan_request *request, const hit_domain *inner, bool whole,
                  hit_plan *plan)
{
    const uint64_t bytes = hit_plan_add(plan->bytes_in, plan->bytes_out);
    hit_plan made = *plan;

    hit_plan_set_inner(inner, whole, &made);
    if (made.pieces > MOST_DEFERRED) return false;
    hit_plan_restrict(request, &made);
    for (int a = 0; a < request->args; a++) {
        if (made.arg_bytes[a] > plan->arg_bytes[a]) return false;
        made.arg_bytes[a] = plan->arg_bytes[a]; /* the buffers stay as they are */
    }
    if (made.peak_bytes > plan->peak_bytes) return false;
    if (hit_plan_add(made.bytes_in, made.bytes_out) > bytes + bytes / 16) return false;
    made.peak_bytes = plan->peak_bytes;
    *plan = made;
    return true;
}

bool hit_plan_defer(const hit_plan_request *request, const hit_domain *inner,
                    hit_plan *plan)
{
    if (hit_domain_is_empty(inner) || plan->pieces > MOST_DEFERRED) return false;
    return defer(request, inner, true, plan) || defer(request, inner, false, plan);
}
