/* SPDX-License-Identifier: MIT
 * Bytes moved when superblocks run in boustrophedon order and overlapping elements are
 * reused. From one piece to the next one coordinate changes by one; steps that are alike
 * are counted, not taken: in each dimension the pieces among calm blocks are alike, but
 * for the direction in which they are passed, which is that of the round. */
#include "hit/plan/plan_impl.h"

typedef struct walk {
    plan_space *space;
    const hit_index *blocks;
    const int *order;
    plan_stations along[HIT_MAX_DIMS]; /* by dimension */
    hit_index grid[HIT_MAX_DIMS];
    hit_index
        from[HIT_MAX_DIMS]; /* coordinates of a piece, and of the one that follows */
    hit_index to[HIT_MAX_DIMS];
    plan_cost cost;
} walk;

/* Some of the numbers 0 .. total - 1: one of them, or those of a group of which every
 * second one is passed at an odd time. */
typedef struct kind {
    hit_index at;
    uint64_t times;
    int odd; /* is the number of the step in its round odd? */
} kind;

typedef struct kinds {
    hit_index total;
    hit_index group; /* the first that is alike ... */
    hit_index alike; /* ... and how many are */
    int back;        /* they are passed from the last to the first */
} kinds;

static bool nth_kind(const kinds *all, hit_index n, kind *one)
{
    const hit_index last = all->total - 1;

    if (n < all->group || n > all->group + 1) {
        const hit_index at = n < all->group ? n : n - 2 + all->alike;

        if (at > last) return false;
        *one = (kind){at, 1, (int)((all->back ? last - at : at) & 1)};
    } else {
        const hit_index end = all->group + all->alike - 1;
        const hit_index first = all->back ? last - end : all->group;
        const int odd = (int)(n - all->group);

        *one = (kind){all->group,
                      (uint64_t)((all->alike + ((first & 1) == odd ? 1 : 0)) / 2), odd};
    }
    return true;
}

static uint64_t count_bytes(const hit_domain *domain, size_t size_bytes)
{
    return hit_plan_multiply((uint64_t)hit_domain_count(domain), size_bytes);
}

static void add_argument(walk *w, const hit_plan_arg *arg, const hit_domain *from,
                         const hit_domain *to, uint64_t times)
{
    const hit_domain held = hit_plan_need(arg, from);
    const hit_domain need = hit_plan_need(arg, to);
    const hit_domain common = hit_domain_intersect(&held, &need);
    const uint64_t bytes = count_bytes(&need, arg->size_bytes);
    plan_cost *cost = &w->cost;

    const hit_domain held_writes = hit_plan_writes(arg, from, &held);
    const hit_domain need_writes = hit_plan_writes(arg, to, &need);

    if (hit_domain_equal(&held, &need) && hit_domain_equal(&held_writes, &need_writes)) {
        return;
    }
    if (hit_plan_moves_in(arg, to)) {
        const uint64_t kept =
            arg->buffers > 1 ? count_bytes(&common, arg->size_bytes) : 0;

        cost->bytes_in =
            hit_plan_add(cost->bytes_in, hit_plan_multiply(bytes - kept, times));
    }
    if (arg->mode != HIT_MODE_IN) {
        const uint64_t left = count_bytes(&held_writes, arg->size_bytes);

        cost->bytes_out = hit_plan_add(cost->bytes_out, hit_plan_multiply(left, times));
    }
}

static void add_need(walk *w, const hit_domain *piece)
{
    const uint64_t need = hit_plan_space_need(w->space, piece);

    if (need > w->cost.need_bytes) w->cost.need_bytes = need;
}

static void add_step(walk *w, uint64_t times)
{
    const hit_plan_request *request = w->space->request;
    const hit_domain from = hit_plan_space_piece(w->space, w->blocks, w->from);
    const hit_domain to = hit_plan_space_piece(w->space, w->blocks, w->to);

    w->space->work--;
    add_need(w, &from);
    for (int a = 0; a < request->args; a++) {
        add_argument(w, &request->arg[a], &from, &to, times);
    }
}

/* All steps along the dimension order[step], from the choice made for the slower ones on;
 * faster ones stand at the end of their round. `odd`: the number of the round of
 * dimension order[level]. */
static void visit(walk *w, int level, int step, int odd, uint64_t times)
{
    const int d = w->order[level < w->space->dims ? level : 0];
    const hit_index grid = w->grid[d];
    const bool steps = level == step;
    const kinds all = {steps ? grid - 1 : grid, w->along[d].alike,
                       w->along[d].times - (steps ? 1 : 0), odd};
    const int odd_grid = (int)(grid & 1);
    kind one;

    if (times == 0 || w->space->work <= 0) return;
    if (level == w->space->dims) {
        add_step(w, times);
        return;
    }
    if (level > step) {
        w->from[d] = w->to[d] = odd ? 0 : grid - 1;
        visit(w, level + 1, step, (odd & odd_grid) ^ (int)((grid - 1) & 1), times);
        return;
    }
    for (hit_index n = 0; nth_kind(&all, n, &one); n++) {
        w->from[d] = one.at + (steps && odd);
        w->to[d] = one.at + (steps && !odd);
        visit(w, level + 1, step, (odd & odd_grid) ^ one.odd,
              hit_plan_multiply(times, one.times));
    }
}

/* The first piece brings all it needs, the last one leaves it. */
static void add_ends(walk *w)
{
    const hit_plan_request *request = w->space->request;
    const hit_index zero[HIT_MAX_DIMS] = {0};
    const hit_domain first = hit_plan_space_piece(w->space, w->blocks, zero);
    hit_domain last;
    int odd = 0;

    for (int level = 0; level < w->space->dims; level++) {
        const int d = w->order[level];

        w->from[d] = odd ? 0 : w->grid[d] - 1;
        odd = (odd & (int)(w->grid[d] & 1)) ^ (int)((w->grid[d] - 1) & 1);
    }
    last = hit_plan_space_piece(w->space, w->blocks, w->from);
    add_need(w, &last);
    for (int a = 0; a < request->args; a++) {
        const hit_plan_arg *arg = &request->arg[a];

        if (hit_plan_moves_in(arg, &first)) {
            w->cost.bytes_in =
                hit_plan_add(w->cost.bytes_in, hit_plan_arg_bytes(arg, &first));
        }
        if (arg->mode != HIT_MODE_IN) {
            const hit_domain need = hit_plan_need(arg, &last);
            const hit_domain left = hit_plan_writes(arg, &last, &need);

            w->cost.bytes_out =
                hit_plan_add(w->cost.bytes_out, count_bytes(&left, arg->size_bytes));
        }
    }
}

plan_cost hit_plan_walk_cost(plan_space *space, const hit_index blocks[],
                             const int order[])
{
    walk w = {.space = space, .blocks = blocks, .order = order};

    for (int d = 0; d < space->dims; d++) {
        w.along[d] = hit_plan_space_stations(space, d, blocks[d]);
        w.grid[d] = hit_plan_space_pieces(space, d, blocks[d]);
    }
    add_ends(&w);
    for (int step = 0; step < space->dims; step++) {
        if (w.grid[order[step]] > 1) visit(&w, 0, step, 0, 1);
    }
    return w.cost;
}
