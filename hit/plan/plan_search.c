/* SPDX-License-Identifier: MIT
 * The search for the best superblock shape, [Torres2013] section IV.C; differs: exact,
 * any number of dimensions. Along g blocks only O(sqrt g) numbers of pieces ceil(g / r)
 * exist: these are enumerated for all dimensions but the last, where ranges of r are
 * halved; a range is dropped once the blocks that its shapes have in common do not fit. A
 * larger r with the same number of pieces only helps where needs depend on the position,
 * and is looked at only there. Where the fewest bytes are asked for, smaller pieces than
 * the best of these are tried, too: diagonals are boxes with much that is not used. */
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/data/hash.h"
#include "hit/data/sig.h"
#include "hit/plan/plan_impl.h"

#include <stdio.h>
#include <string.h>

enum {
    NARROW_WORK = 1 << 16 /* evaluations */
};

typedef struct candidate {
    hit_index pieces; /**< 0: none */
    hit_index blocks[HIT_MAX_DIMS];
    int order[HIT_MAX_DIMS];
    bool counted; /**< is cost known? It takes time where every piece must be looked at */
    plan_cost cost;
} candidate;

typedef struct search {
    plan_space *space;
    plan_box box; /**< the choice so far */
    /** Pieces in the last dimension that are worth a try: fewer than with fewer pieces in
     * the one before, else nothing is gained. */
    hit_index most_last;
    candidate best;
} search;

static bool fits(plan_space *space, const hit_index blocks[])
{
    plan_box one;

    memcpy(one.lo, blocks, sizeof(one.lo));
    memcpy(one.hi, blocks, sizeof(one.hi));
    return !hit_plan_space_exceeds(space, &one, NULL);
}

/* The dimension in which @p box has most shapes, -1 if it is one shape. */
static int widest(const plan_space *space, const plan_box *box)
{
    int dim = -1;
    hit_index width = 0;

    for (int d = 0; d < space->dims; d++) {
        if (box->hi[d] - box->lo[d] <= width) continue;
        width = box->hi[d] - box->lo[d];
        dim = d;
    }
    return dim;
}

/* Find a shape in @p box that fits, with the fewest pieces in the last dimension. */
static bool find_shape(plan_space *space, const plan_box *box, hit_index blocks[])
{
    int last = space->dims - 1;
    int dim;
    bool cut_last;
    plan_box low = *box;
    plan_box high = *box;

    if (hit_plan_space_exceeds(space, box, NULL)) return false;
    cut_last = hit_plan_space_pieces(space, last, box->lo[last]) !=
               hit_plan_space_pieces(space, last, box->hi[last]);
    dim = cut_last ? last : widest(space, box);
    if (dim < 0 || (!cut_last && fits(space, box->lo))) {
        memcpy(blocks, box->lo, sizeof(box->lo));
        return true;
    }
    low.hi[dim] = box->lo[dim] + (box->hi[dim] - box->lo[dim]) / 2;
    /* the bound that made lo is close to the answer more often than not */
    if (cut_last && low.hi[dim] / 2 > box->lo[dim]) low.hi[dim] = 2 * box->lo[dim];
    high.lo[dim] = low.hi[dim] + 1;
    if (find_shape(space, cut_last ? &high : &low, blocks)) return true;
    return find_shape(space, cut_last ? &low : &high, blocks);
}

/* Prefer the smallest pieces of their number: equal parts, and the least memory. */
static void balance(plan_space *space, hit_index blocks[])
{
    hit_index even[HIT_MAX_DIMS] = {0};

    for (int d = 0; d < space->dims; d++) {
        hit_index pieces = hit_plan_space_pieces(space, d, blocks[d]);

        even[d] = hit_index_ceil_div(space->blocks[d], pieces);
    }
    if (fits(space, even)) memcpy(blocks, even, sizeof(even));
}

/* The longest side over the shortest one, in indices. */
static double aspect(const plan_space *space, const hit_index blocks[])
{
    double longest = 0;
    double shortest = 0;

    for (int d = 0; d < space->dims; d++) {
        double side = (double)blocks[d] * (double)space->block[d];

        if (d == 0 || side > longest) longest = side;
        if (d == 0 || side < shortest) shortest = side;
    }
    return longest / shortest;
}

static uint64_t sum_bytes(const plan_cost *cost)
{
    return hit_plan_add(cost->bytes_in, cost->bytes_out);
}

/* The order that moves least, of equal ones the first. */
static void choose_order(plan_space *space, candidate *shape)
{
    int order[HIT_MAX_DIMS] = {0, 1, 2, 3};

    memcpy(shape->order, order, sizeof(order));
    if (!space->request->reuse) {
        shape->cost = hit_plan_space_cost(space, shape->blocks);
        return;
    }
    shape->cost = hit_plan_walk_cost(space, shape->blocks, order);
    while (hit_order_next(order, space->dims)) {
        const plan_cost cost = hit_plan_walk_cost(space, shape->blocks, order);

        if (sum_bytes(&cost) >= sum_bytes(&shape->cost)) continue;
        shape->cost = cost;
        memcpy(shape->order, order, sizeof(order));
    }
}

static uint64_t moved_bytes(plan_space *space, candidate *shape)
{
    if (!shape->counted) choose_order(space, shape);
    shape->counted = true;
    return sum_bytes(&shape->cost);
}

/* On full ties the later one: it is longer in the last dimension, where elements are
 * contiguous. */
static bool is_better(plan_space *space, candidate *a, candidate *b)
{
    uint64_t bytes_a;
    uint64_t bytes_b;

    if (b->pieces == 0) return true;
    if (!space->request->least_bytes && a->pieces != b->pieces) {
        return a->pieces < b->pieces;
    }
    bytes_a = moved_bytes(space, a);
    bytes_b = moved_bytes(space, b);
    if (bytes_a != bytes_b) return bytes_a < bytes_b;
    if (a->pieces != b->pieces) return a->pieces < b->pieces;
    return aspect(space, a->blocks) <= aspect(space, b->blocks);
}

static void try_last(search *s, hit_index others, hit_index most)
{
    plan_space *space = s->space;
    int last = space->dims - 1;
    candidate next = {.counted = false};
    hit_index pieces;

    s->box.lo[last] = hit_index_ceil_div(space->blocks[last], most);
    s->box.hi[last] = space->blocks[last];
    if (!find_shape(space, &s->box, next.blocks)) return;
    balance(space, next.blocks);
    pieces = hit_plan_space_pieces(space, last, next.blocks[last]);
    s->most_last = pieces - 1;
    if (__builtin_mul_overflow(others, pieces, &next.pieces)) return;
    if (is_better(space, &next, &s->best)) s->best = next;
}

/* The shapes with that many pieces along dim; only the smallest where more blocks only
 * need more. */
static void set_pieces(search *s, int dim, hit_index pieces)
{
    hit_index blocks = s->space->blocks[dim];
    plan_trend trend = s->space->trend[dim];

    s->box.lo[dim] = hit_index_ceil_div(blocks, pieces);
    s->box.hi[dim] = s->box.lo[dim];
    if (trend == PLAN_CONSTANT || trend == PLAN_FALLING) return;
    s->box.hi[dim] = pieces == 1 ? blocks : hit_index_ceil_div(blocks, pieces - 1) - 1;
}

/* Pieces along a dimension that are worth a try, `others` being their number in those
 * before. */
static hit_index most_pieces(const search *s, hit_index others)
{
    bool bounded = s->best.pieces > 0 && !s->space->request->least_bytes;

    return bounded ? s->best.pieces / others : INT64_MAX;
}

/* Try all numbers of pieces in dimensions dim.. ; the box and others, the product of the
 * numbers, hold the choice before dim. */
static void try_from(search *s, int dim, hit_index others)
{
    hit_index blocks = s->space->blocks[dim];
    int last = s->space->dims - 1;
    hit_index pieces = 1;

    if (dim == last) {
        hit_index most = most_pieces(s, others);

        if (most > s->most_last) most = s->most_last;
        if (most > 0) try_last(s, others, most);
        return;
    }
    s->most_last = s->space->blocks[last];
    while (s->space->work > 0 && pieces <= most_pieces(s, others)) {
        hit_index product;

        if (dim + 1 == last && s->most_last < 1) return;
        if (__builtin_mul_overflow(others, pieces, &product)) return;
        set_pieces(s, dim, pieces);
        try_from(s, dim + 1, product);
        if (s->box.lo[dim] == 1) return;
        pieces = hit_index_ceil_div(blocks, s->box.lo[dim] - 1);
    }
}

/* Take the shape with that many blocks along @p dim in place of the best one, if it moves
 * less. */
static bool try_narrow(search *s, int dim, hit_index blocks)
{
    plan_space *space = s->space;
    const uint64_t before = moved_bytes(space, &s->best);
    candidate next = {.pieces = 1};

    memcpy(next.blocks, s->best.blocks, sizeof(next.blocks));
    next.blocks[dim] = blocks;
    if (!fits(space, next.blocks)) return false;
    balance(space, next.blocks);
    for (int d = 0; d < space->dims; d++) {
        const hit_index pieces = hit_plan_space_pieces(space, d, next.blocks[d]);

        if (__builtin_mul_overflow(next.pieces, pieces, &next.pieces)) return false;
    }
    if (moved_bytes(space, &next) >= before || space->work <= 0) return false;
    s->best = next;
    return true;
}

/* The box around what a diagonal touches grows faster than the diagonal: smaller pieces
 * may move less, though there are more of them. Along each dimension three quarters of
 * the blocks, and of these, ... are tried, as long as that finds something. What takes
 * long to count is left as it is. */
static void narrow(search *s)
{
    plan_space *space = s->space;
    const int64_t work = space->work;
    bool found = true;

    if (work > NARROW_WORK) space->work = NARROW_WORK;
    while (found && space->work > 0) {
        found = false;
        for (int d = 0; d < space->dims; d++) {
            hit_index blocks = s->best.blocks[d];

            while (blocks > 1 && space->work > 0) {
                blocks = blocks - hit_index_ceil_div(blocks, 4);
                found = try_narrow(s, d, blocks) || found;
            }
        }
    }
    space->work = work;
}

/* What one block needs, argument by argument: "C 1 KiB, A 256 KiB". Returns the sum. */
static uint64_t print_needs(const hit_plan_request *request, const hit_domain *block,
                            char *text, size_t size)
{
    uint64_t sum = 0;

    text[0] = '\0';
    for (int a = 0; a < request->args; a++) {
        const hit_plan_arg *arg = &request->arg[a];
        const uint64_t bytes = hit_plan_arg_bytes(arg, block);
        char amount[32];

        sum = hit_plan_add(sum, bytes);
        hit_memory_print(bytes, amount, sizeof(amount));
        hit_text_add(text, size, "%s%s %s", text[0] != '\0' ? ", " : "", arg->name,
                     amount);
    }
    return sum;
}

static hit_status fail_limit(const plan_space *space, const hit_domain *block)
{
    const hit_plan_request *request = space->request;
    char needs[512];
    char where[128];
    char sum_text[32];
    char limit_text[32];
    char missing_text[32];
    char share[48] = "";
    uint64_t sum = print_needs(request, block, needs, sizeof(needs));

    hit_domain_print(block, where, sizeof(where));
    hit_memory_print(sum, sum_text, sizeof(sum_text));
    hit_memory_print(request->limit_bytes, limit_text, sizeof(limit_text));
    hit_memory_print(sum - space->limit_bytes, missing_text, sizeof(missing_text));
    if (request->in_flight > 1) {
        snprintf(share, sizeof(share), " for %d pieces at a time", request->in_flight);
    }
    return HIT_FAIL(
        HIT_E_LIMIT,
        "kernel %s: one block (%s) needs %s but device %s has %s%s: %s; %s are "
        "missing",
        request->kernel, where, sum_text, request->device, limit_text, share, needs,
        missing_text);
}

static hit_status fail_search(plan_space *space)
{
    const char *kernel = space->request->kernel;
    plan_box one = {{1, 1, 1, 1}, {1, 1, 1, 1}};
    hit_domain block;

    if (space->work > 0 && hit_plan_space_exceeds(space, &one, &block) &&
        space->work > 0) {
        return fail_limit(space, &block);
    }
    if (space->work > 0) {
        return HIT_FAIL(HIT_E_PATTERN, "kernel %s needs more than %lld pieces", kernel,
                        (long long)INT64_MAX);
    }
    return HIT_FAIL(HIT_E_PATTERN,
                    "cannot plan kernel %s: what its indices need depends on their "
                    "position, and there are too many positions to look at; use larger "
                    "blocks or more memory",
                    kernel);
}

hit_status hit_plan_search(plan_space *space, hit_index blocks[], int order[],
                           plan_cost *cost)
{
    plan_cost largest;
    search s = {.space = space, .most_last = space->blocks[space->dims - 1]};

    try_from(&s, 0, 1);
    if (s.best.pieces > 0) (void)moved_bytes(space, &s.best);
    if (s.best.pieces > 0 && space->work > 0 && space->request->least_bytes) narrow(&s);
    if (s.best.pieces == 0 || space->work <= 0) return fail_search(space);
    memcpy(blocks, s.best.blocks, sizeof(s.best.blocks));
    memcpy(order, s.best.order, sizeof(s.best.order));
    *cost = s.best.cost;
    largest = hit_plan_space_cost(space, blocks);
    if (space->work <= 0) return fail_search(space);
    memcpy(cost->arg_bytes, largest.arg_bytes, sizeof(largest.arg_bytes));
    return HIT_OK;
}
