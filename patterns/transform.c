/* SPDX-License-Identifier: MIT
 * The domain transformation: what a pattern touches over a whole domain of indices.
 * [Torres2013] section III.E; differs: coefficients of any sign and size, begin and end
 * separately, strides by the gcd of all distances (the printed one loses elements), and
 * indices at which an expression is empty do not count. Corners of the index box are
 * looked at, never its elements. */
#include "patterns/transform.h"

#include "patterns/lookup.h"
#include "patterns/pattern_impl.h"

/* What an index x touches in one dimension: begin(x), begin(x) + stride, ... up to
 * end(x). */
typedef struct reach {
    hit_line begin;
    hit_line end;
    hit_line extent; /* end - begin */
    hit_wide stride;
    bool parallel; /* are all extents the same? */
} reach;

static reach reach_of(const hit_range *range, hit_sig tile, const hit_domain *box)
{
    reach made = {.begin = hit_line_of(&range->begin, tile.begin, box),
                  .end = hit_line_of(&range->end, tile.end, box),
                  .stride = (hit_wide)range->stride * tile.stride};
    const hit_folded *first = &made.begin.more;
    const hit_folded *last = &made.end.more;

    made.parallel = hit_affine_is_parallel(&range->begin, &range->end);
    made.extent.offset = made.end.offset - made.begin.offset;
    for (int k = 0; k < HIT_MAX_DIMS; k++) {
        made.extent.coef[k] = made.end.coef[k] - made.begin.coef[k];
    }
    if (made.parallel) return made;
    made.extent.more.low = last->low - first->high;
    made.extent.more.high = last->high - first->low;
    made.extent.more.step = hit_wide_gcd(first->step, last->step);
    return made;
}

static hit_sig sig_of(hit_wide begin, hit_wide end, hit_wide stride)
{
    if (begin < -HIT_PATTERN_FARTHEST) {
        begin += (-HIT_PATTERN_FARTHEST - begin + stride - 1) / stride * stride;
    }
    if (end > HIT_PATTERN_FARTHEST) end = HIT_PATTERN_FARTHEST;
    if (begin > end) return hit_sig_make(0, -1, 1);
    if (stride > end - begin) return hit_sig_make((hit_index)begin, (hit_index)begin, 1);
    return hit_sig_make((hit_index)begin, (hit_index)end, (hit_index)stride);
}

/* Drop the ends of the index box at which the extent is negative whatever the other
 * indices are. */
static void narrow(const hit_line *extent, hit_domain *box)
{
    hit_wide most = hit_line_limit(extent, box, true);

    if (most < 0) *box = hit_domain_empty(box->dims);
    for (int k = 0; k < box->dims && most >= 0; k++) {
        hit_sig sig = box->sig[k];
        hit_wide step = extent->coef[k] * sig.stride;
        hit_index last = hit_sig_count(sig) - 1;
        if (step > 0 && most / step < last) {
            box->sig[k] = hit_sig_slice(sig, last - (hit_index)(most / step), last);
        }
        if (step < 0 && most / -step < last) {
            box->sig[k] = hit_sig_slice(sig, 0, (hit_index)(most / -step));
        }
    }
}

static void reach_all(const hit_access *access, const hit_domain *tile,
                      const hit_domain *index, reach r[])
{
    for (int d = 0; d < tile->dims; d++) {
        r[d] = reach_of(&access->range[d], tile->sig[d], index);
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

/* What is touched within that box, which is returned. */
static hit_domain reach_live(const hit_access *access, const hit_domain *tile,
                             const hit_domain *index, reach r[])
{
    hit_domain box;

    reach_all(access, tile, index, r);
    box = live_box(r, tile->dims, index);
    if (!hit_domain_equal(&box, index)) reach_all(access, tile, &box, r);
    return box;
}

/* Elements differ from the least begin by multiples of a gcd. The last element of an
 * index is behind its end by the extent modulo the stride, of which only the part that is
 * the same for all indices is known. Each bound grows with the box, so the cover does. */
static hit_sig reach_cover(const reach *r, const hit_domain *box)
{
    hit_wide first = hit_line_limit(&r->begin, box, false);
    hit_wide step = hit_line_gcd(&r->begin, box);
    hit_wide longest = hit_line_limit(&r->extent, box, true);
    hit_wide common = hit_wide_gcd(r->stride, hit_line_gcd(&r->extent, box));
    hit_wide last = hit_line_limit(&r->end, box, true) - longest % common;

    if (longest < 0) return hit_sig_make(0, -1, 1);
    if (longest >= r->stride) return sig_of(first, last, hit_wide_gcd(step, r->stride));

    hit_wide begin =
        hit_line_limit(&r->begin, box, true); /* no index touches more than its begin */
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

#define FEW ((hit_index)1 << 8) /* times what is near */

/* By how much the indices of a box move what a range touches. */
typedef struct motion {
    hit_index first;
    hit_index last;
    hit_index step; /* of the one dimension with several indices; 0: there is none */
} motion;

/* False: begin and end move apart, two dimensions move them, or it is far away. */
static bool move_nearby(const hit_range *range, const hit_domain *index, motion *moved)
{
    if (range->begin.fold != HIT_FOLD_NONE || range->end.fold != HIT_FOLD_NONE) {
        return false;
    }
    for (int k = 0; k < index->dims; k++) {
        const hit_index coef = range->begin.coef[k];
        const hit_sig sig = index->sig[k];

        if (coef != range->end.coef[k]) return false;
        if (coef == 0) continue;
        if (coef < -FEW || coef > FEW || !hit_pattern_is_near(sig.begin) ||
            !hit_pattern_is_near(sig.end)) {
            return false;
        }
        moved->first += coef * (coef > 0 ? sig.begin : sig.end);
        moved->last += coef * (coef > 0 ? sig.end : sig.begin);
        if (sig.begin == sig.end) continue;
        if (moved->step != 0 || !hit_pattern_is_near(sig.stride)) return false;
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
    if (!hit_pattern_is_near(begin) || !hit_pattern_is_near(end)) return false;
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

/* Whatever stands in data. */
static void apply_affine(const hit_access *access, const hit_domain *tile,
                         const hit_domain *index, hit_domain *touched)
{
    reach r[HIT_MAX_DIMS];
    hit_domain box;

    if (apply_nearby(access, tile, index, touched)) return;
    box = reach_live(access, tile, index, r);
    *touched = box_cover(r, tile->dims, &box);
}

/* Written where the caller wants it: a domain that is copied right after its parts were
 * written waits for them. */
static void apply(const hit_access *access, const hit_domain *tile,
                  const hit_domain *index, hit_domain *touched)
{
    apply_affine(access, tile, index, touched);
    if (access->looks_up) hit_access_look_up(access, index, touched);
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

bool hit_access_wraps(const hit_access *access, int tile_dims, const hit_domain *index,
                      hit_domain *first, hit_domain *second)
{
    for (int t = 0; t < tile_dims; t++) {
        const hit_range *range = &access->range[t];
        hit_index at;
        int dim;

        if (range->begin.fold != HIT_FOLD_REMAINDER) continue;
        if (!hit_affine_is_parallel(&range->begin, &range->end)) continue;
        if (!hit_line_wraps_once(&range->begin, index, &dim, &at)) continue;
        *first = *index;
        *second = *index;
        first->sig[dim] = hit_sig_slice(index->sig[dim], 0, at - 1);
        second->sig[dim] =
            hit_sig_slice(index->sig[dim], at, hit_sig_count(index->sig[dim]) - 1);
        return true;
    }
    return false;
}

/* Add what one expression touches; each call of itself takes one remainder. */
static hit_status add_touched(const hit_access *access, const hit_domain *tile,
                              const hit_domain *index, hit_region *region)
{
    hit_domain one;
    hit_domain other;

    if (hit_access_wraps(access, tile->dims, index, &one, &other)) {
        HIT_TRY(add_touched(access, tile, &one, region));
        return add_touched(access, tile, &other, region);
    }
    one = hit_access_apply(access, tile, index);
    return hit_region_add(region, &one);
}

hit_status hit_pattern_region(const hit_pattern *pattern, const hit_domain *tile,
                              const hit_domain *index, hit_region *region)
{
    hit_status st;

    if (hit_domain_is_empty(index)) {
        return HIT_OK; /* also for a scalar, which is never empty */
    }
    for (int a = 0; a < pattern->count; a++) {
        HIT_TRY_GOTO(st, add_touched(&pattern->access[a], tile, index, region),
                     clear_region);
    }
    return HIT_OK;

clear_region:
    hit_region_clear(region);
    return st;
}

/* Does a quotient or a remainder move what is touched? */
static bool is_folded(const reach *r)
{
    return r->begin.more.step != 0 || r->end.more.step != 0;
}

/* Is there one index with the least of one folded end, while the other end stays? */
static bool one_end_is_folded(const reach *r)
{
    const hit_line *stays = r->begin.more.step != 0 ? &r->end : &r->begin;

    for (int k = 0; k < HIT_MAX_DIMS; k++) {
        if (stays->coef[k] != 0) return false;
    }
    return stays->more.step == 0 && r->begin.more.whole && r->end.more.whole;
}

/* Does the index with the least begin (and, where it is free, the greatest end) touch it
 * all? */
static bool touched_at_once(const reach *r, const hit_domain *box, hit_sig cover)
{
    hit_wide begin = r->begin.offset + r->begin.more.low;
    hit_wide end = r->end.offset + r->end.more.high;

    if (is_folded(r) && !one_end_is_folded(r)) return false;
    for (int k = 0; k < box->dims; k++) {
        hit_wide up = r->begin.coef[k] != 0 ? -r->begin.coef[k] : r->end.coef[k];
        hit_index x = up > 0 ? box->sig[k].end : box->sig[k].begin;
        begin += r->begin.coef[k] * x;
        end += r->end.coef[k] * x;
    }
    return hit_sig_equal(sig_of(begin, end, r->stride), cover);
}

/* Steps in order of their size. */
typedef struct steps {
    hit_wide step[HIT_MAX_DIMS + 2];
    hit_wide length[HIT_MAX_DIMS + 2];
    int count;
} steps;

static void add_step(steps *of, hit_wide step, hit_wide length)
{
    int at = of->count;

    if (step == 0 || length <= 0) return;
    for (; at > 0 && of->step[at - 1] > step; at--) {
        of->step[at] = of->step[at - 1];
        of->length[at] = of->length[at - 1];
    }
    of->step[at] = step;
    of->length[at] = length;
    of->count++;
}

/* Do the steps of the indices, from the smallest on, close the gaps that the smaller ones
 * leave? The elements of one index count as one more step; span is how far all is touched
 * so far. */
static bool touched_in_steps(const reach *r, const hit_domain *box, hit_sig cover)
{
    const hit_folded *more = &r->begin.more;
    steps all = {.count = 0};
    hit_wide span = 0;

    if (is_folded(r) && (!r->parallel || !more->whole)) return false;
    add_step(&all, r->stride,
             hit_line_limit(&r->extent, box, false) / r->stride * r->stride);
    add_step(&all, more->step, more->high - more->low);
    for (int k = 0; k < box->dims; k++) {
        const hit_sig sig = box->sig[k];
        const hit_wide coef = r->begin.coef[k] < 0 ? -r->begin.coef[k] : r->begin.coef[k];

        add_step(&all, coef * sig.stride, coef * ((hit_wide)sig.end - sig.begin));
    }
    for (int i = 0; i < all.count; i++) {
        if (all.step[i] > span + cover.stride) return false;
        span += all.length[i];
    }
    hit_wide first = hit_line_limit(&r->begin, box, false);
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

    if (access->looks_up) return false;
    box = reach_live(access, tile, index, r);
    cover = box_cover(r, tile->dims, &box);
    if (hit_domain_is_empty(&cover)) return true;
    if (!dimensions_are_free(access, tile, &box)) return false;
    for (int d = 0; d < tile->dims; d++) {
        if (hit_line_limit(&r[d].extent, &box, false) < 0) return false;
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
