/* SPDX-License-Identifier: MIT
 * The domain transformation: what a pattern touches over a whole domain of indices.
 * [Torres2013] section III.E; differs: coefficients of any sign and size, begin and end
 * separately, strides by the gcd of all distances (the printed one loses elements), and
 * indices at which an expression is empty do not count. Corners of the index box are
 * looked at, never its elements. */
#include "patterns/transform.h"

/* A coefficient times an index needs up to 123 bits. */
__extension__ typedef __int128 wide;

/* Elements beyond this are in no tile: signatures stay clear of overflow. */
#define FARTHEST ((wide)1 << 61)

/* coef . x + offset */
typedef struct line {
    wide coef[HIT_MAX_DIMS];
    wide offset;
} line;

/* What an index x touches in one dimension: begin(x), begin(x) + stride, ... up to
 * end(x). */
typedef struct reach {
    line begin;
    line end;
    line extent; /* end - begin */
    wide stride;
} reach;

static wide wide_gcd(wide a, wide b)
{
    while (b != 0) {
        wide rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static line line_of(const hit_affine *affine, hit_index limit)
{
    line made = {.offset = affine->infinite ? limit : affine->offset};

    for (int k = 0; k < HIT_MAX_DIMS && !affine->infinite; k++) {
        made.coef[k] = affine->coef[k];
    }
    return made;
}

static reach reach_of(const hit_range *range, hit_sig tile)
{
    reach made = {.begin = line_of(&range->begin, tile.begin),
                  .end = line_of(&range->end, tile.end),
                  .stride = (wide)range->stride * tile.stride};

    made.extent.offset = made.end.offset - made.begin.offset;
    for (int k = 0; k < HIT_MAX_DIMS; k++) {
        made.extent.coef[k] = made.end.coef[k] - made.begin.coef[k];
    }
    return made;
}

/* The most that the line takes on a box, or the least. */
static wide line_limit(const line *of, const hit_domain *box, bool most)
{
    wide sum = of->offset;

    for (int k = 0; k < box->dims; k++) {
        const bool end = (of->coef[k] > 0) == most;

        sum += of->coef[k] * (end ? box->sig[k].end : box->sig[k].begin);
    }
    return sum;
}

/* The gcd of all differences of values that the line takes on a box. */
static wide line_gcd(const line *of, const hit_domain *box)
{
    wide gcd = 0;

    for (int k = 0; k < box->dims; k++) {
        hit_sig sig = box->sig[k];
        if (sig.begin < sig.end) gcd = wide_gcd(gcd, of->coef[k] * sig.stride);
    }
    return gcd;
}

static hit_sig sig_of(wide begin, wide end, wide stride)
{
    if (begin < -FARTHEST) begin += (-FARTHEST - begin + stride - 1) / stride * stride;
    if (end > FARTHEST) end = FARTHEST;
    if (begin > end) return hit_sig_make(0, -1, 1);
    if (stride > end - begin) return hit_sig_make((hit_index)begin, (hit_index)begin, 1);
    return hit_sig_make((hit_index)begin, (hit_index)end, (hit_index)stride);
}

/* Drop the ends of the index box at which the extent is negative whatever the other
 * indices are. */
static void narrow(const line *extent, hit_domain *box)
{
    wide most = line_limit(extent, box, true);

    if (most < 0) *box = hit_domain_empty(box->dims);
    for (int k = 0; k < box->dims && most >= 0; k++) {
        hit_sig sig = box->sig[k];
        wide step = extent->coef[k] * sig.stride;
        hit_index last = hit_sig_count(sig) - 1;
        if (step > 0 && most / step < last) {
            box->sig[k] = hit_sig_slice(sig, last - (hit_index)(most / step), last);
        }
        if (step < 0 && most / -step < last) {
            box->sig[k] = hit_sig_slice(sig, 0, (hit_index)(most / -step));
        }
    }
}

static void reach_all(const hit_access *access, const hit_domain *tile, reach r[])
{
    for (int d = 0; d < tile->dims; d++) {
        r[d] = reach_of(&access->range[d], tile->sig[d]);
    }
}

/* The smallest box with all indices at which the expression is not empty, if each range
 * depends on one index; as many rounds as there are ranges carry a bound along a chain
 * "[i:j, j:k, k:l]". */
static hit_domain live_box(const reach r[], int ranges, const hit_domain *index)
{
    hit_domain box = *index;
    hit_domain before = hit_domain_empty(box.dims);

    for (int round = 0; round < ranges && !hit_domain_equal(&box, &before); round++) {
        before = box;
        for (int d = 0; d < ranges && !hit_domain_is_empty(&box); d++) {
            narrow(&r[d].extent, &box);
        }
    }
    return box;
}

/* Elements differ from the least begin by multiples of a gcd. The last element of an
 * index is behind its end by the extent modulo the stride, of which only the part that is
 * the same for all indices is known. Each bound grows with the box, so the cover does. */
static hit_sig reach_cover(const reach *r, const hit_domain *box)
{
    wide first = line_limit(&r->begin, box, false);
    wide step = line_gcd(&r->begin, box);
    wide longest = line_limit(&r->extent, box, true);
    wide common = wide_gcd(r->stride, line_gcd(&r->extent, box));
    wide last = line_limit(&r->end, box, true) - longest % common;

    if (longest < 0) return hit_sig_make(0, -1, 1);
    if (longest >= r->stride) return sig_of(first, last, wide_gcd(step, r->stride));

    wide begin =
        line_limit(&r->begin, box, true); /* no index touches more than its begin */
    return sig_of(first, begin < last ? begin : last, step > 0 ? step : 1);
}

static hit_domain box_cover(const reach r[], int ranges, const hit_domain *box)
{
    hit_domain cover = {.dims = ranges};

    if (hit_domain_is_empty(box)) return hit_domain_empty(ranges);
    for (int d = 0; d < ranges; d++) {
        cover.sig[d] = reach_cover(&r[d], box);
    }
    if (hit_domain_is_empty(&cover)) return hit_domain_empty(ranges);
    return cover;
}

/* Numbers below these can be multiplied and added without a look at overflow. */
#define NEAR ((hit_index)1 << 50)
#define FEW ((hit_index)1 << 8)

static bool is_near(hit_index x)
{
    return x >= -NEAR && x <= NEAR;
}

/* By how much the indices of a box move what a range touches. */
typedef struct motion {
    hit_index first;
    hit_index last;
    hit_index step; /* of the one dimension with several indices; 0: there is none */
} motion;

/* False: begin and end move apart, two dimensions move them, or it is far away. */
static bool move_nearby(const hit_range *range, const hit_domain *index, motion *moved)
{
    for (int k = 0; k < index->dims; k++) {
        const hit_index coef = range->begin.coef[k];
        const hit_sig sig = index->sig[k];

        if (coef != range->end.coef[k]) return false;
        if (coef == 0) continue;
        if (coef < -FEW || coef > FEW || !is_near(sig.begin) || !is_near(sig.end)) {
            return false;
        }
        moved->first += coef * (coef > 0 ? sig.begin : sig.end);
        moved->last += coef * (coef > 0 ? sig.end : sig.begin);
        if (sig.begin == sig.end) continue;
        if (moved->step != 0 || !is_near(sig.stride)) return false;
        moved->step = (coef > 0 ? coef : -coef) * sig.stride;
    }
    return true;
}

/* What a dimension of an expression touches in steps of 1 for each index, in 64 bits;
 * false: it is not that, or far away. */
static bool touch_nearby(const hit_range *range, hit_sig tile, const hit_domain *index,
                         hit_sig *touched)
{
    const hit_index begin = range->begin.infinite ? tile.begin : range->begin.offset;
    const hit_index end = range->end.infinite ? tile.end : range->end.offset;
    motion moved = {0, 0, 0};

    if (range->stride != 1 || tile.stride != 1 || begin > end) return false;
    if (!is_near(begin) || !is_near(end)) return false;
    if (!move_nearby(range, index, &moved)) return false;
    if (moved.step != 0 && (range->begin.infinite || range->end.infinite)) return false;
    *touched = (hit_sig){begin + moved.first, end + moved.last,
                         begin == end && moved.step != 0 ? moved.step : 1};
    return true;
}

/* The same as below for what most launches have: no division, and no 128 bits. */
static bool apply_nearby(const hit_access *access, const hit_domain *tile,
                         const hit_domain *index, hit_domain *touched)
{
    if (hit_domain_is_empty(index)) return false;
    touched->dims = tile->dims;
    for (int t = 0; t < tile->dims; t++) {
        if (!touch_nearby(&access->range[t], tile->sig[t], index, &touched->sig[t])) {
            return false;
        }
    }
    return true;
}

/* Written where the caller wants it: a domain that is copied right after its parts were
 * written waits for them. */
static void apply(const hit_access *access, const hit_domain *tile,
                  const hit_domain *index, hit_domain *touched)
{
    reach r[HIT_MAX_DIMS];
    hit_domain box;

    if (apply_nearby(access, tile, index, touched)) return;
    reach_all(access, tile, r);
    box = live_box(r, tile->dims, index);
    *touched = box_cover(r, tile->dims, &box);
}

hit_domain hit_access_apply(const hit_access *access, const hit_domain *tile,
                            const hit_domain *index)
{
    hit_domain touched = {.dims = 0};

    apply(access, tile, index, &touched);
    return touched;
}

void hit_pattern_find_cover(const hit_pattern *pattern, const hit_domain *tile,
                            const hit_domain *index, hit_domain *cover)
{
    if (pattern->count == 0) {
        *cover = hit_domain_empty(tile->dims);
        return;
    }
    apply(&pattern->access[0], tile, index, cover);
    for (int a = 1; a < pattern->count; a++) {
        const hit_domain one = hit_access_apply(&pattern->access[a], tile, index);

        *cover = hit_domain_cover(cover, &one);
    }
}

hit_domain hit_pattern_cover(const hit_pattern *pattern, const hit_domain *tile,
                             const hit_domain *index)
{
    hit_domain cover = {.dims = 0};

    hit_pattern_find_cover(pattern, tile, index, &cover);
    return cover;
}

hit_status hit_pattern_region(const hit_pattern *pattern, const hit_domain *tile,
                              const hit_domain *index, hit_region *region)
{
    hit_status st;

    if (hit_domain_is_empty(index)) {
        return HIT_OK; /* also for a scalar, which is never empty */
    }
    for (int a = 0; a < pattern->count; a++) {
        hit_domain one = hit_access_apply(&pattern->access[a], tile, index);
        HIT_TRY_GOTO(st, hit_region_add(region, &one), clear_region);
    }
    return HIT_OK;

clear_region:
    hit_region_clear(region);
    return st;
}

/* Does the index with the least begin (and, where it is free, the greatest end) touch it
 * all? */
static bool touched_at_once(const reach *r, const hit_domain *box, hit_sig cover)
{
    wide begin = r->begin.offset;
    wide end = r->end.offset;

    for (int k = 0; k < box->dims; k++) {
        wide up = r->begin.coef[k] != 0 ? -r->begin.coef[k] : r->end.coef[k];
        hit_index x = up > 0 ? box->sig[k].end : box->sig[k].begin;
        begin += r->begin.coef[k] * x;
        end += r->end.coef[k] * x;
    }
    return hit_sig_equal(sig_of(begin, end, r->stride), cover);
}

/* Do the steps of the indices, from the smallest on, close the gaps that the smaller ones
 * leave? The elements of one index count as one more step; span is how far all is touched
 * so far. */
static bool touched_in_steps(const reach *r, const hit_domain *box, hit_sig cover)
{
    wide step[HIT_MAX_DIMS + 1];
    wide length[HIT_MAX_DIMS + 1];
    wide span = 0;
    int count = 0;

    step[0] = r->stride;
    length[0] = line_limit(&r->extent, box, false) / r->stride * r->stride;
    if (length[0] > 0) count = 1;
    for (int k = 0; k < box->dims; k++) {
        hit_sig sig = box->sig[k];
        wide coef = r->begin.coef[k] < 0 ? -r->begin.coef[k] : r->begin.coef[k];
        int at = count;
        if (coef == 0 || sig.begin == sig.end) continue;
        for (; at > 0 && step[at - 1] > coef * sig.stride; at--) {
            step[at] = step[at - 1];
            length[at] = length[at - 1];
        }
        step[at] = coef * sig.stride;
        length[at] = coef * ((wide)sig.end - sig.begin);
        count++;
    }
    for (int i = 0; i < count; i++) {
        if (step[i] > span + cover.stride) return false;
        span += length[i];
    }
    wide first = line_limit(&r->begin, box, false);
    return hit_sig_equal(sig_of(first, first + span, cover.stride), cover);
}

/* If no two dimensions of the tile depend on one index, what is touched is the product of
 * what is touched in each dimension. */
static bool dimensions_are_free(const hit_access *access, const hit_domain *tile,
                                const hit_domain *box)
{
    for (int k = 0; k < box->dims; k++) {
        int users = 0;
        if (box->sig[k].begin == box->sig[k].end) continue;
        for (int d = 0; d < tile->dims; d++) {
            const hit_range *range = &access->range[d];
            if (range->begin.coef[k] != 0 || range->end.coef[k] != 0) users++;
        }
        if (users > 1) return false;
    }
    return true;
}

static bool access_is_exact(const hit_access *access, const hit_domain *tile,
                            const hit_domain *index)
{
    reach r[HIT_MAX_DIMS];
    hit_domain box;
    hit_domain cover;

    reach_all(access, tile, r);
    box = live_box(r, tile->dims, index);
    cover = box_cover(r, tile->dims, &box);
    if (hit_domain_is_empty(&cover)) return true;
    if (!dimensions_are_free(access, tile, &box)) return false;
    for (int d = 0; d < tile->dims; d++) {
        if (line_limit(&r[d].extent, &box, false) < 0) return false;
        if (!touched_at_once(&r[d], &box, cover.sig[d]) &&
            !touched_in_steps(&r[d], &box, cover.sig[d])) {
            return false;
        }
    }
    return true;
}

bool hit_pattern_is_exact(const hit_pattern *pattern, const hit_domain *tile,
                          const hit_domain *index)
{
    hit_region region = {0};
    bool exact = false;

    if (hit_domain_is_empty(index)) {
        return tile->dims > 0; /* a cover of a scalar has an element */
    }
    for (int a = 0; a < pattern->count; a++) {
        if (!access_is_exact(&pattern->access[a], tile, index)) return false;
    }
    if (pattern->count == 1) return true;

    hit_domain cover = hit_pattern_cover(pattern, tile, index);
    if (hit_pattern_region(pattern, tile, index, &region) != HIT_OK) return false;
    if (hit_region_covers(&region, &cover, &exact) != HIT_OK) exact = false;
    hit_region_clear(&region);
    return exact;
}
