/* SPDX-License-Identifier: MIT
 * What pieces need and move, counted exactly. [Torres2013] section IV samples the need at
 * two or three sizes and puts a line or a plane through them; that drops the product of
 * the sizes and the clipping, and answers shapes whose pieces do not fit. */
#include "hit/data/hash.h"
#include "hit/data/sig.h"
#include "hit/plan/plan_impl.h"
#include "patterns/pattern_impl.h"
#include "patterns/transform.h"

uint64_t hit_plan_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

uint64_t hit_plan_multiply(uint64_t a, uint64_t b)
{
    return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

hit_domain hit_plan_need(const hit_plan_arg *arg, const hit_domain *piece)
{
    hit_domain cover;

    if (arg->bounds == NULL ||
        !hit_pattern_bounds_cover(arg->bounds, &arg->tile, piece, &cover)) {
        hit_pattern_find_cover(arg->pattern, &arg->tile, piece, &cover);
    }
    return hit_domain_intersect(&cover, &arg->clip);
}

hit_domain hit_plan_written(const hit_plan_arg *arg, const hit_domain *piece)
{
    const hit_pattern written = hit_pattern_written(arg->pattern);
    const hit_domain cover = hit_pattern_cover(&written, &arg->tile, piece);

    return hit_domain_intersect(&cover, &arg->clip);
}

bool hit_plan_leaves(const hit_plan_arg *arg, const hit_domain *piece)
{
    if (arg->where != NULL && !hit_where_holds(arg->where, piece)) return true;
    /* what the cover holds beyond the touched elements must survive the way back */
    return !arg->exact && !hit_pattern_is_exact(arg->pattern, &arg->tile, piece);
}

/* The indices in blocks first[d]..last[d] of the grid. */
static hit_domain indices_of(const plan_space *space, const hit_index first[],
                             const hit_index last[])
{
    hit_domain piece = space->request->index;

    for (int d = 0; d < piece.dims; d++) {
        piece.sig[d] = hit_sig_slice(piece.sig[d], first[d] * space->block[d],
                                     last[d] * space->block[d] + space->block[d] - 1);
    }
    return piece;
}

static uint64_t bytes_of(const hit_plan_arg *arg, const hit_domain *elements)
{
    uint64_t bytes = arg->size_bytes;

    for (int t = 0; t < elements->dims; t++) {
        bytes = hit_plan_multiply(bytes, (uint64_t)hit_sig_count(elements->sig[t]));
    }
    return bytes;
}

uint64_t hit_plan_arg_bytes(const hit_plan_arg *arg, const hit_domain *piece)
{
    const hit_domain need = hit_plan_need(arg, piece);

    return bytes_of(arg, &need);
}

/* What is written of it. */
static uint64_t out_bytes(const hit_plan_arg *arg, const hit_domain *piece)
{
    const hit_domain need = hit_plan_need(arg, piece);
    const hit_domain writes = hit_plan_writes(arg, piece, &need);

    return bytes_of(arg, &writes);
}

/* What the argument takes of the device's memory. */
static uint64_t held_bytes(const hit_plan_arg *arg, const hit_domain *piece)
{
    const uint64_t buffers = arg->buffers > 1 ? (uint64_t)arg->buffers : 1;

    return hit_plan_multiply(hit_plan_arg_bytes(arg, piece), buffers);
}

uint64_t hit_plan_space_need(const plan_space *space, const hit_domain *piece)
{
    const hit_plan_request *request = space->request;
    uint64_t bytes = 0;

    for (int a = 0; a < request->args; a++) {
        bytes = hit_plan_add(bytes, held_bytes(&request->arg[a], piece));
    }
    return bytes;
}

/* Is there a piece of full size among the calm blocks, whatever the shape? Any 2r - 1
 * blocks in a row hold one. Where the need never rises the first piece is as good. */
static bool one_spot(const plan_space *space, const plan_box *box, int dim)
{
    hit_index calm = space->calm_last[dim] - space->calm_first[dim] + 1;

    return space->trend[dim] == PLAN_CONSTANT || space->trend[dim] == PLAN_FALLING ||
           box->hi[dim] <= (calm + 1) / 2;
}

/* The blocks along a dimension that one piece has, or holds at least, whatever the shape.
 */
typedef struct spot {
    hit_index first;
    hit_index last;
} spot;

/* Where needs rise, two pieces matter: the last one of full size, and what is left over.
 * If q pieces of hi blocks have full size, then of r <= hi blocks at least q, and at most
 * r - 1 blocks follow. */
static spot rising_spot(const plan_space *space, const plan_box *box, int dim,
                        hit_index k)
{
    hit_index lo = box->lo[dim];
    hit_index hi = box->hi[dim];
    hit_index end = space->whole[dim] - hi;
    hit_index full_end = space->whole[dim] / hi * lo - 1;
    hit_index first;

    if (k == 1) {
        return (spot){(hit_plan_space_pieces(space, dim, hi) - 1) * hi,
                      space->blocks[dim] - 1};
    }
    first = (end > full_end ? end : full_end) - lo + 1;
    if (first < 0) first = 0;
    return (spot){first, first + lo - 1};
}

/* Elsewhere: piece k has blocks k*r .. (k+1)*r - 1, so whatever r in lo..hi is, it has
 * blocks k*hi .. (k+1)*lo - 1. */
static spot spot_at(const plan_space *space, const plan_box *box, int dim, hit_index k)
{
    hit_index lo = box->lo[dim];

    if (one_spot(space, box, dim)) {
        hit_index first = space->trend[dim] == PLAN_ANY ? space->calm_first[dim] : 0;

        return (spot){first, first + lo - 1};
    }
    if (space->trend[dim] == PLAN_RISING) return rising_spot(space, box, dim, k);
    return (spot){k * box->hi[dim], hit_smaller((k + 1) * lo, space->blocks[dim]) - 1};
}

static hit_index spots(const plan_space *space, const plan_box *box, int dim)
{
    hit_index lo = box->lo[dim];
    hit_index hi = box->hi[dim];
    hit_index pieces = hit_plan_space_pieces(space, dim, hi);

    if (one_spot(space, box, dim)) return 1;
    if (space->trend[dim] == PLAN_RISING) {
        return pieces == hit_plan_space_pieces(space, dim, lo) ? 2 : 1;
    }
    return lo == hi ? pieces : hit_smaller(pieces, (lo - 1) / (hi - lo) + 1);
}

static hit_domain indices_at(const plan_space *space, const plan_box *box,
                             const hit_index count[], uint64_t position)
{
    hit_index first[HIT_MAX_DIMS] = {0};
    hit_index last[HIT_MAX_DIMS] = {0};

    for (int d = 0; d < space->dims; d++) {
        spot at = spot_at(space, box, d, (hit_index)(position % (uint64_t)count[d]));

        position /= (uint64_t)count[d];
        first[d] = at.first;
        last[d] = at.last;
    }
    return indices_of(space, first, last);
}

bool hit_plan_space_exceeds(plan_space *space, const plan_box *box, hit_domain *over)
{
    hit_index count[HIT_MAX_DIMS] = {1, 1, 1, 1};
    uint64_t all = 1;

    if (space->limit_bytes == UINT64_MAX) return false;
    for (int d = 0; d < space->dims; d++) {
        count[d] = spots(space, box, d);
        all = hit_plan_multiply(all, (uint64_t)count[d]);
    }
    for (uint64_t i = 0; i < all; i++) {
        /* from both ends: the worst position is usually the first or the last */
        uint64_t position = i % 2 == 0 ? i / 2 : all - 1 - i / 2;
        hit_domain piece;

        if (space->work <= 0) return true;
        space->work--;
        piece = indices_at(space, box, count, position);
        if (hit_plan_space_need(space, &piece) <= space->limit_bytes) continue;
        if (over) *over = piece;
        return true;
    }
    return false;
}

static void add_piece(const plan_space *space, const hit_domain *piece, uint64_t times,
                      plan_cost *cost)
{
    const hit_plan_request *request = space->request;
    uint64_t need = 0;

    for (int a = 0; a < request->args; a++) {
        const hit_plan_arg *arg = &request->arg[a];
        const uint64_t bytes = hit_plan_arg_bytes(arg, piece);
        const uint64_t moved = hit_plan_multiply(bytes, times);

        if (bytes > cost->arg_bytes[a]) cost->arg_bytes[a] = bytes;
        need = hit_plan_add(need, held_bytes(arg, piece));
        if (hit_plan_moves_in(arg, piece)) {
            cost->bytes_in = hit_plan_add(cost->bytes_in, moved);
        }
        if (arg->mode != HIT_MODE_IN) {
            const uint64_t left =
                arg->pattern->only_read == 0 ? bytes : out_bytes(arg, piece);

            cost->bytes_out =
                hit_plan_add(cost->bytes_out, hit_plan_multiply(left, times));
        }
    }
    if (need > cost->need_bytes) cost->need_bytes = need;
}

plan_stations hit_plan_space_stations(const plan_space *space, int dim, hit_index blocks)
{
    hit_index pieces = hit_plan_space_pieces(space, dim, blocks);
    hit_index first = hit_index_ceil_div(space->calm_first[dim], blocks);
    hit_index behind = hit_smaller((space->calm_last[dim] + 1) / blocks, pieces - 1);

    if (behind <= first) return (plan_stations){pieces, 0, 1};
    return (plan_stations){pieces - (behind - first) + 1, first, behind - first};
}

hit_domain hit_plan_space_piece(const plan_space *space, const hit_index blocks[],
                                const hit_index at[])
{
    hit_index first[HIT_MAX_DIMS] = {0};
    hit_index last[HIT_MAX_DIMS] = {0};

    for (int d = 0; d < space->dims; d++) {
        first[d] = at[d] * blocks[d];
        last[d] = first[d] + blocks[d] - 1;
    }
    return indices_of(space, first, last);
}

plan_cost hit_plan_space_cost(plan_space *space, const hit_index blocks[])
{
    plan_cost cost = {0};
    plan_stations along[HIT_MAX_DIMS];
    uint64_t all = 1;

    for (int d = 0; d < space->dims; d++) {
        along[d] = hit_plan_space_stations(space, d, blocks[d]);
        all = hit_plan_multiply(all, (uint64_t)along[d].count);
    }
    for (uint64_t i = 0; i < all && space->work > 0; i++, space->work--) {
        hit_index at[HIT_MAX_DIMS] = {0};
        uint64_t rest = i;
        uint64_t times = 1;
        hit_domain piece;

        for (int d = 0; d < space->dims; d++) {
            hit_index k = (hit_index)(rest % (uint64_t)along[d].count);

            rest /= (uint64_t)along[d].count;
            if (k == along[d].alike) {
                times = hit_plan_multiply(times, (uint64_t)along[d].times);
            } else if (k > along[d].alike) {
                k += along[d].times - 1;
            }
            at[d] = k;
        }
        piece = hit_plan_space_piece(space, blocks, at);
        add_piece(space, &piece, times, &cost);
    }
    return cost;
}
