/* SPDX-License-Identifier: MIT
 * Superblock plans: what they are made from is checked here, plan_search.c chooses the
 * shape, and the pieces of a plan are computed when asked for, so that a plan of a
 * billion pieces has 200 bytes. [Torres2013] section IV; the order of the pieces is ours:
 * the paper does not say one. */
#include "hit/plan/plan.h"

#include "hit/plan/plan_impl.h"

static hit_status check_arg(const hit_plan_request *request, const hit_plan_arg *arg)
{
    const hit_pattern *pattern = arg->pattern;

    if (arg->size_bytes < 1) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s, argument %s: expected elements of >= 1 byte",
                        request->kernel, arg->name);
    }
    if (pattern->index_dims != request->index.dims) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s, argument %s: expected a pattern of %d indices but "
                        "found %d",
                        request->kernel, arg->name, request->index.dims,
                        pattern->index_dims);
    }
    if (pattern->tile_dims != arg->tile.dims || pattern->tile_dims != arg->clip.dims) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s, argument %s: expected a tile of %d dimensions but "
                        "found %d, clipped to %d",
                        request->kernel, arg->name, pattern->tile_dims, arg->tile.dims,
                        arg->clip.dims);
    }
    HIT_TRY(hit_domain_check(&arg->tile));
    return hit_domain_check(&arg->clip);
}

/* One block more still fits a hit_index. */
static const hit_index most_indices = INT64_C(1) << 62;

static hit_status check_request(const hit_plan_request *request)
{
    HIT_TRY(hit_domain_check(&request->index));
    if (request->index.dims < 1) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s: expected 1..%d index dimensions but found 0",
                        request->kernel, HIT_MAX_DIMS);
    }
    if (request->args < 0 || request->args > HIT_MAX_ARGS) {
        return HIT_FAIL(HIT_E_ARG, "kernel %s: expected 0..%d arguments but found %d",
                        request->kernel, HIT_MAX_ARGS, request->args);
    }
    if (request->in_flight < 1) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s: expected >= 1 pieces in flight but found %d",
                        request->kernel, request->in_flight);
    }
    for (int d = 0; d < request->index.dims; d++) {
        const hit_index count = hit_sig_count(request->index.sig[d]);

        if (count > most_indices) {
            return HIT_FAIL(
                HIT_E_ARG,
                "kernel %s: expected at most %lld indices in dimension %d but "
                "found %lld",
                request->kernel, (long long)most_indices, d, (long long)count);
        }
        if (request->block[d] >= 1) continue;
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s: expected blocks of >= 1 indices in dimension %d but "
                        "found %lld",
                        request->kernel, d, (long long)request->block[d]);
    }
    for (int a = 0; a < request->args; a++) {
        HIT_TRY(check_arg(request, &request->arg[a]));
    }
    return HIT_OK;
}

hit_status hit_plan_make(const hit_plan_request *request, hit_plan *plan)
{
    hit_plan made = {.pieces = 1, .order = {0, 1, 2, 3}};
    hit_index blocks[HIT_MAX_DIMS];
    plan_space space;
    plan_cost cost;

    if (request == NULL || plan == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a request and a place for the plan but found NULL");
    }
    HIT_TRY(check_request(request));
    made.index = request->index;
    if (hit_domain_is_empty(&request->index)) {
        made.pieces = 0;
        *plan = made;
        return HIT_OK;
    }
    hit_plan_space_init(request, &space);
    HIT_TRY(hit_plan_search(&space, blocks, made.order, &cost));
    for (int d = 0; d < made.index.dims; d++) {
        hit_index count = hit_sig_count(made.index.sig[d]);
        hit_index grid = hit_plan_space_pieces(&space, d, blocks[d]);

        made.blocks[d] = blocks[d];
        made.grid[d] = grid;
        made.shape[d] = grid == 1 ? count : blocks[d] * space.block[d];
        if (made.pieces > INT64_MAX / grid) {
            return HIT_FAIL(HIT_E_LIMIT, "kernel %s: expected fewer than 2^63 pieces",
                            request->kernel);
        }
        made.pieces *= grid;
    }
    made.peak_bytes =
        (size_t)hit_plan_multiply(cost.need_bytes, (uint64_t)request->in_flight);
    for (int a = 0; a < request->args; a++) {
        made.arg_bytes[a] = (size_t)cost.arg_bytes[a];
    }
    made.bytes_in = cost.bytes_in;
    made.bytes_out = cost.bytes_out;
    made.filled = made.pieces;
    if (request->where != NULL) hit_plan_restrict(request, &made);
    *plan = made;
    return HIT_OK;
}

/* A box that pieces are cut from, and how many indices they have in each dimension. */
typedef struct cut_box {
    hit_domain box;
    hit_index shape[HIT_MAX_DIMS];
} cut_box;

static hit_index grid_of(const cut_box *of, int d)
{
    return hit_index_ceil_div(hit_sig_count(of->box.sig[d]), of->shape[d]);
}

static hit_index pieces_of(const cut_box *of)
{
    hit_index pieces = 1;

    for (int d = 0; d < of->box.dims; d++) {
        pieces *= grid_of(of, d);
    }
    return pieces;
}

static cut_box cut(const hit_plan *plan, const hit_domain *box, bool whole)
{
    cut_box of = {.box = *box};

    for (int d = 0; d < box->dims; d++) {
        of.shape[d] = whole ? hit_sig_count(box->sig[d]) : plan->shape[d];
    }
    return of;
}

/* The box that piece *k is cut from; *k becomes its number there. */
static cut_box box_of(const hit_plan *plan, hit_index *k)
{
    cut_box of = {0};
    hit_domain box;
    hit_rest rest;

    if (plan->inner.dims == 0) return cut(plan, &plan->index, false);
    if (*k < plan->early) return cut(plan, &plan->inner, false);
    *k -= plan->early;
    rest = hit_rest_of(&plan->index, &plan->inner);
    while (hit_rest_next(&rest, &box)) {
        hit_index pieces;

        of = cut(plan, &box, plan->whole);
        pieces = pieces_of(&of);
        if (*k < pieces) return of;
        *k -= pieces;
    }
    return of;
}

void hit_plan_set_inner(const hit_domain *inner, bool whole, hit_plan *plan)
{
    const cut_box first = cut(plan, inner, false);
    hit_index left = INT64_MAX; /* more than there are */

    plan->inner = *inner;
    plan->whole = whole;
    plan->early = pieces_of(&first);
    (void)box_of(plan, &left);
    plan->pieces = INT64_MAX - left;
}

/* A dimension runs backwards on every second of its rounds: its last coordinate of one
 * round is the first one of the next, so that only one coordinate changes, by one, from
 * piece to piece. */
hit_domain hit_plan_piece(const hit_plan *plan, hit_index k)
{
    const cut_box of = box_of(plan, &k);
    hit_domain piece = of.box;

    for (int level = piece.dims - 1; level >= 0; level--) {
        const int d = plan->order[level];
        const hit_index grid = grid_of(&of, d);
        hit_index at = k % grid;

        k /= grid; /* the number of finished rounds of d */
        if (k % 2 != 0) at = grid - 1 - at;
        piece.sig[d] = hit_sig_slice(piece.sig[d], at * of.shape[d],
                                     at * of.shape[d] + of.shape[d] - 1);
    }
    return plan->where == NULL ? piece : hit_where_clip(plan->where, &piece);
}

hit_index hit_plan_next_filled(const hit_plan *plan, hit_index k)
{
    while (k < plan->pieces) {
        const hit_domain piece = hit_plan_piece(plan, k);

        if (!hit_domain_is_empty(&piece)) break;
        k++;
    }
    return k;
}

hit_index hit_plan_turn(const hit_plan *plan, hit_index k, int dim)
{
    const cut_box of = box_of(plan, &k);

    for (int level = of.box.dims - 1; plan->order[level] != dim; level--) {
        k /= grid_of(&of, plan->order[level]);
    }
    return k % grid_of(&of, dim);
}
