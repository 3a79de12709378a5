/* SPDX-License-Identifier: MIT
 * A launch as a grid of blocks, and how what a piece needs depends on where it lies.
 * [Torres2013] section IV knows "regular" patterns only, whose needs are the same
 * everywhere; here clipped, triangular and other patterns are planned as well. They are
 * sorted by what is known of the positions that need most: one stands for all (calm
 * blocks, a trend), or all must be looked at. */
#include "hit/plan/plan_impl.h"
#include "patterns/lookup.h"
#include "patterns/transform.h"

enum {
    /* Some seconds. Reached only where all positions in several dimensions must be looked
     * at. */
    WORK = 4000000
};

__extension__ typedef __int128 wide;

static wide floor_div(wide a, wide b)
{
    return a / b - (a % b < 0);
}

/* Does a quotient or a remainder of the index along dim move an end of the range? */
static bool is_folded(const hit_range *range, int dim)
{
    return (range->begin.fold != HIT_FOLD_NONE && range->begin.coef[dim] != 0) ||
           (range->end.fold != HIT_FOLD_NONE && range->end.coef[dim] != 0);
}

/* By how much an end moves from one block along dim to the next; false: that is not the
 * same for all blocks. */
static bool block_moves(const plan_space *space, const hit_affine *end, int dim,
                        wide *step)
{
    *step = end->infinite ? 0
                          : (wide)end->coef[dim] * space->request->index.sig[dim].stride *
                                space->block[dim];
    if (*step == 0 || end->fold == HIT_FOLD_NONE) return true;
    if (end->fold == HIT_FOLD_REMAINDER || *step % end->by != 0) return false;
    *step /= end->by;
    return true;
}

/* Do all begins and ends of tile dimension t move by the same amount, *step, from one
 * block along dim to the next? */
static bool moves_together(const plan_space *space, const hit_pattern *pattern, int t,
                           int dim, wide *step)
{
    for (int i = 0; i < pattern->count; i++) {
        const hit_range *range = &pattern->access[i].range[t];
        wide begin;
        wide end;

        if (!block_moves(space, &range->begin, dim, &begin) ||
            !block_moves(space, &range->end, dim, &end)) {
            return false;
        }
        if (i == 0) *step = begin;
        if (begin != *step || end != *step) return false;
    }
    return true;
}

/* Blocks along dim that touch something of tile dimension t outside the clip, at any
 * index of the other dimensions, are not calm. Block k touches what block 0 does, moved
 * by k blocks. */
static void drop_clipped(plan_space *space, const hit_plan_arg *arg, int t, int dim,
                         wide step)
{
    hit_domain block = space->request->index;
    hit_sig clip = arg->clip.sig[t];
    hit_sig touched = hit_pattern_cover(arg->pattern, &arg->tile, &block).sig[t];
    hit_index whole = clip.stride == 1 ? space->whole[dim] : 0;
    wide low;
    wide high;

    if (step == 0 || hit_sig_inside(touched, clip)) return;
    space->trend[dim] = PLAN_ANY;
    block.sig[dim] = hit_sig_slice(block.sig[dim], 0, space->block[dim] - 1);
    touched = hit_pattern_cover(arg->pattern, &arg->tile, &block).sig[t];
    low = (wide)(step > 0 ? clip.begin : touched.end) -
          (step > 0 ? touched.begin : clip.end);
    high = (wide)(step > 0 ? clip.end : touched.begin) -
           (step > 0 ? touched.end : clip.begin);
    if (step < 0) step = -step;
    low = -floor_div(-low, step);
    high = floor_div(high, step);
    if (high >= whole) high = whole - 1;
    if (low > high) low = high + 1;
    if (low > space->calm_first[dim]) space->calm_first[dim] = (hit_index)low;
    if (high < space->calm_last[dim]) space->calm_last[dim] = (hit_index)high;
}

/* The trend of what one expression touches in a dimension of the tile. If one end follows
 * the index and the other stays, what is touched at one position is inside what is
 * touched at the next, or the reverse; but elements are counted from the begin, so that
 * with a stride a begin that follows leads to other elements. */
static plan_trend range_trend(const hit_range *range, hit_index tile_stride, int dim)
{
    hit_index begin = range->begin.infinite ? 0 : range->begin.coef[dim];
    hit_index end = range->end.infinite ? 0 : range->end.coef[dim];

    if (begin == 0 && end == 0) return PLAN_CONSTANT;
    if (is_folded(range, dim)) return PLAN_ANY;
    if (begin != 0 && (end != 0 || range->stride * tile_stride != 1)) return PLAN_ANY;
    return end > 0 || begin < 0 ? PLAN_RISING : PLAN_FALLING;
}

static plan_trend both_trends(plan_trend a, plan_trend b)
{
    if (a == b || b == PLAN_CONSTANT) return a;
    return a == PLAN_CONSTANT ? b : PLAN_ANY;
}

/* Does data say which elements are touched where the index along dim is another one? */
static bool looks_along(const hit_pattern *pattern, int t, int dim)
{
    for (int i = 0; i < pattern->count && pattern->lookups != NULL; i++) {
        if (hit_range_looks_along(&pattern->access[i].range[t], dim)) return true;
    }
    return false;
}

static void find_trend(plan_space *space, const hit_plan_arg *arg, int t, int dim)
{
    const hit_pattern *pattern = arg->pattern;
    wide step = 0;

    if (looks_along(pattern, t, dim)) {
        space->trend[dim] = PLAN_ANY;
        space->calm_last[dim] = -1;
        return;
    }
    if (moves_together(space, pattern, t, dim, &step)) {
        drop_clipped(space, arg, t, dim, step);
        return;
    }
    space->calm_last[dim] = -1;
    for (int i = 0; i < pattern->count; i++) {
        const hit_range *range = &pattern->access[i].range[t];

        space->trend[dim] = both_trends(space->trend[dim],
                                        range_trend(range, arg->tile.sig[t].stride, dim));
    }
}

void hit_plan_space_init(const hit_plan_request *request, plan_space *space)
{
    const hit_domain *index = &request->index;

    *space = (plan_space){.request = request, .dims = index->dims, .work = WORK};
    for (int d = 0; d < index->dims; d++) {
        hit_index count = hit_sig_count(index->sig[d]);

        space->block[d] = request->block[d] < count ? request->block[d] : count;
        space->blocks[d] = hit_index_ceil_div(count, space->block[d]);
        space->whole[d] = count / space->block[d];
        space->calm_last[d] = space->blocks[d] - 1;
    }
    for (int a = 0; a < request->args; a++) {
        const hit_plan_arg *arg = &request->arg[a];

        for (int k = 0; k < index->dims * arg->tile.dims; k++) {
            find_trend(space, arg, k / index->dims, k % index->dims);
        }
    }
    space->limit_bytes = request->limit_bytes == SIZE_MAX
                             ? UINT64_MAX
                             : request->limit_bytes / (size_t)request->in_flight;
}

hit_index hit_plan_space_pieces(const plan_space *space, int dim, hit_index blocks)
{
    return hit_index_ceil_div(space->blocks[dim], blocks);
}
