/* SPDX-License-Identifier: MIT
 * Affine access expressions from samples: the boxes of one index give the offsets, those
 * of its neighbours in each dimension the coefficients, and all others have to agree. If
 * they do not, the smallest box around all elements is tried in their place, then a
 * quotient or a remainder of one index in dimensions where that does not follow, and at
 * last ":". */
#include "hit/check/check_impl.h"
#include "hit/data/sig.h"
#include "patterns/transform.h"

#include <stdio.h>

typedef struct fit {
    const hit_replica *replica;
    const hit_domain *tile;
    int dims; /* of the index */
    int count;
    const hit_check_shape *shape;
    const hit_check_shape *base; /* the sample that offsets come from */
    bool hull;                   /* fit the smallest boxes around all elements */
} fit;

static int boxes_of(const fit *f, const hit_check_shape *shape)
{
    if (shape->elements == 0) return 0;
    return f->hull ? 1 : shape->count;
}

/* The smallest box around all elements; where they are one, with its stride. */
static const hit_domain *around(const hit_check_shape *shape)
{
    return shape->count == 1 ? &shape->box[0] : &shape->hull;
}

static const hit_domain *box_of(const fit *f, const hit_check_shape *shape, int b)
{
    return f->hull ? around(shape) : &shape->box[b];
}

/* The sample closest to the base that differs from it in dimension @p d only and has as
 * many boxes; NULL: there is none. */
static const hit_check_shape *neighbour(const fit *f, int d)
{
    const hit_check_shape *base = f->base;
    const hit_check_shape *best = NULL;
    hit_index nearest = 0;

    for (int s = 0; s < f->count; s++) {
        const hit_check_shape *one = &f->shape[s];
        const hit_index away = one->at[d] - base->at[d];
        const hit_index distance = away < 0 ? -away : away;
        bool same = away != 0 && boxes_of(f, one) == boxes_of(f, base);

        for (int e = 0; e < f->dims; e++) {
            same = same && (e == d || one->at[e] == base->at[e]);
        }
        if (same && (best == NULL || distance < nearest)) {
            best = one;
            nearest = distance;
        }
    }
    return best;
}

static hit_index end_of(hit_sig sig, bool end)
{
    return end ? sig.end : sig.begin;
}

/* coef . x + offset through the base and its neighbours; false: the coefficients
 * are no whole numbers. */
static bool fit_affine(const fit *f, int b, int t, bool end, hit_affine *affine)
{
    const hit_check_shape *base = f->base;
    const hit_index value = end_of(box_of(f, base, b)->sig[t], end);

    *affine = (hit_affine){.offset = value};
    for (int d = 0; d < f->dims; d++) {
        const hit_check_shape *other = neighbour(f, d);
        hit_index rise;
        hit_index run;

        if (other == NULL) continue;
        rise = end_of(box_of(f, other, b)->sig[t], end) - value;
        run = other->at[d] - base->at[d];
        if (rise % run != 0) return false;
        affine->coef[d] = rise / run;
        affine->offset -= affine->coef[d] * base->at[d];
    }
    return true;
}

static bool is_constant(const hit_affine *affine, hit_index value)
{
    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        if (affine->coef[d] != 0) return false;
    }
    return affine->offset == value;
}

/* Say ":" where the tile's limits are meant. */
static void find_limits(const fit *f, int t, hit_range *range)
{
    const hit_sig sig = f->tile->sig[t];
    const bool first = is_constant(&range->begin, sig.begin);
    const bool last = is_constant(&range->end, sig.end);

    if (first && (last || sig.begin != 0)) range->begin = (hit_affine){.infinite = true};
    if (last && !is_constant(&range->begin, sig.end)) {
        range->end = (hit_affine){.infinite = true};
    }
    if (range->begin.infinite && is_constant(&range->end, sig.begin) &&
        sig.begin != sig.end) {
        range->begin = range->end; /* one element: the first */
    }
}

static bool fit_range(const fit *f, int b, int t, hit_range *range)
{
    const hit_sig sig = box_of(f, f->base, b)->sig[t];

    range->stride = sig.begin == sig.end ? 1 : sig.stride / f->tile->sig[t].stride;
    if (!fit_affine(f, b, t, false, &range->begin)) return false;
    if (!fit_affine(f, b, t, true, &range->end)) return false;
    find_limits(f, t, range);
    return true;
}

/* Is all that sample @p s touches in the pattern? */
static hit_status verify_one(const fit *f, const hit_pattern *pattern, int s, bool *right,
                             hit_index *elements)
{
    const hit_check_shape *shape = &f->shape[s];
    const hit_domain point = hit_domain_box(f->dims, shape->at, shape->at);
    const bool hull = f->hull || shape->count < 0;
    hit_region region = {0};
    hit_status status;

    *right = true;
    HIT_TRY(hit_pattern_region(pattern, f->tile, &point, &region));
    *elements = hit_region_count(&region);
    for (int b = 0; b < (hull ? 1 : shape->count) && *right; b++) {
        const hit_domain *box = hull ? around(shape) : &shape->box[b];

        if (hit_domain_is_empty(box)) continue;
        status = hit_region_covers(&region, box, right);
        if (status != HIT_OK) {
            hit_region_clear(&region);
            return status;
        }
    }
    hit_region_clear(&region);
    return HIT_OK;
}

/* Verify all samples; *wrong is the first that does not fit, -1: none. */
static hit_status verify(const fit *f, hit_inferred *inferred, int *wrong)
{
    char index[100];

    *wrong = -1;
    inferred->less = false;
    for (int s = 0; s < f->count; s++) {
        hit_index elements = 0;
        bool right = false;

        HIT_TRY(verify_one(f, &inferred->pattern, s, &right, &elements));
        if (!right) {
            *wrong = s;
            return HIT_OK;
        }
        if (elements <= f->shape[s].elements || inferred->less) continue;
        inferred->less = true;
        hit_replica_print_index(f->dims, f->shape[s].at, index, sizeof(index));
        (void)snprintf(inferred->note, sizeof(inferred->note),
                       "index %s touches less than that", index);
    }
    return HIT_OK;
}

/* Fit all boxes; false: some coefficient is no whole number. */
static hit_status fit_boxes(const fit *f, hit_pattern *pattern, bool *right)
{
    const int boxes = boxes_of(f, f->base);

    hit_pattern_clear(pattern);
    HIT_TRY(hit_pattern_init(f->dims, f->tile->dims, pattern));
    *right = boxes > 0;
    for (int b = 0; b < boxes && *right; b++) {
        hit_access access = {0};

        for (int t = 0; t < f->tile->dims && *right; t++) {
            *right = fit_range(f, b, t, &access.range[t]) &&
                     !hit_range_is_void(&access.range[t]);
        }
        if (*right) HIT_TRY(hit_pattern_add(pattern, &access));
    }
    return HIT_OK;
}

enum {
    MOST_DIVISOR = 32
};

/* Are all samples of one length, and as far from the folded sum of their index? That is
 * the offset then. */
static bool samples_fold(const fit *f, int t, int d, const hit_affine *folded,
                         hit_range *range)
{
    const hit_sig base = around(f->base)->sig[t];
    bool first = true;

    for (int s = 0; s < f->count; s++) {
        const hit_check_shape *shape = &f->shape[s];
        const hit_sig sig = around(shape)->sig[t];
        const hit_index sum = shape->at[d] + folded->inner;
        const hit_index quotient = hit_index_floor_div(sum, folded->by);
        const hit_index away =
            sig.begin -
            (folded->fold == HIT_FOLD_QUOTIENT ? quotient : sum - quotient * folded->by);

        if (shape->elements == 0) continue;
        if (first) range->begin.offset = away;
        first = false;
        if (away != range->begin.offset || sig.end - sig.begin != base.end - base.begin) {
            return false;
        }
    }
    return true;
}

static bool fit_fold(const fit *f, int t, hit_range *range)
{
    const hit_sig base = around(f->base)->sig[t];
    const hit_index tries = (hit_index)2 * f->dims * MOST_DIVISOR;

    range->stride = base.begin == base.end ? 1 : base.stride / f->tile->sig[t].stride;
    for (hit_index k = 0; k < MOST_DIVISOR * tries; k++) {
        const hit_index by = k / tries + 1;
        const int d = (int)(k / MOST_DIVISOR / 2 % f->dims);
        hit_affine sum = {.offset = k % MOST_DIVISOR};

        if (by < 2 || sum.offset >= by) continue;
        sum.coef[d] = 1;
        range->begin = hit_affine_fold(
            &sum, k / MOST_DIVISOR % 2 == 0 ? HIT_FOLD_QUOTIENT : HIT_FOLD_REMAINDER, by);
        if (!samples_fold(f, t, d, &range->begin, range)) continue;
        range->end = range->begin;
        range->end.offset += base.end - base.begin;
        return true;
    }
    return false;
}

static hit_status try_range(const fit *f, const hit_access *access,
                            hit_inferred *inferred, bool *right)
{
    int wrong = -1;

    hit_pattern_clear(&inferred->pattern);
    HIT_TRY(hit_pattern_init(f->dims, f->tile->dims, &inferred->pattern));
    if (!*right) return HIT_OK;
    HIT_TRY(hit_pattern_add(&inferred->pattern, access));
    HIT_TRY(verify(f, inferred, &wrong));
    *right = wrong < 0;
    return HIT_OK;
}

/* Boxes around all elements, dimension by dimension: what does not follow is ":". */
static hit_status fit_around(const fit *f, hit_inferred *inferred)
{
    hit_access access = {0};
    bool all = true;
    int wrong = -1;

    for (int t = 0; t < f->tile->dims; t++) {
        access.range[t] = hit_range_all();
    }
    for (int t = 0; t < f->tile->dims; t++) {
        const hit_range kept = access.range[t];
        bool right =
            fit_range(f, 0, t, &access.range[t]) && !hit_range_is_void(&access.range[t]);

        HIT_TRY(try_range(f, &access, inferred, &right));
        if (!right) {
            right = fit_fold(f, t, &access.range[t]);
            HIT_TRY(try_range(f, &access, inferred, &right));
        }
        all = all && right;
        if (!right) access.range[t] = kept;
    }
    hit_pattern_clear(&inferred->pattern);
    HIT_TRY(hit_pattern_init(f->dims, f->tile->dims, &inferred->pattern));
    HIT_TRY(hit_pattern_add(&inferred->pattern, &access));
    HIT_TRY(verify(f, inferred, &wrong));
    inferred->affine = all && wrong < 0 && !inferred->less;
    return HIT_OK;
}

/* An index with one value in the launch cannot be told from a number. */
static void note_single(const hit_replica *replica, hit_inferred *inferred)
{
    if (hit_kernel_runs_once(replica->kernel)) return;
    for (int d = 0; d < replica->kernel->dims; d++) {
        if (hit_sig_count(replica->index.sig[d]) != 1) continue;
        (void)snprintf(inferred->note, sizeof(inferred->note),
                       "%s is one number in this launch: a number here may mean it",
                       replica->kernel->index[d]);
    }
}

/* Try the fit from one sample. *wrong is the first sample that does not fit, -1: none. */
static hit_status try_base(const fit *f, hit_inferred *inferred, int *wrong)
{
    bool right = false;

    *wrong = 0;
    inferred->note[0] = '\0';
    if (f->base->count <= 0) return HIT_OK;
    HIT_TRY(fit_boxes(f, &inferred->pattern, &right));
    return right ? verify(f, inferred, wrong) : HIT_OK;
}

/* Boxes that move against each other meet at some indices, and are fewer there: other
 * samples may show more of them. A fit is kept that says no more than what is touched, or
 * else the first that says all. */
static hit_status try_bases(fit *f, hit_inferred *inferred, int *wrong)
{
    bool tried[HIT_SHAPE_MAX + 1] = {false};
    int first = -1;

    for (int s = 0; s < f->count; s++) {
        const int boxes = f->shape[s].count;
        int found = 0;

        if (boxes <= 0 || tried[boxes]) continue;
        f->base = &f->shape[s];
        HIT_TRY(try_base(f, inferred, &found));
        if (s == 0) *wrong = found;
        tried[boxes] = true;
        if (found < 0 && !inferred->less) {
            *wrong = -1;
            return HIT_OK;
        }
        if (found < 0 && first < 0) first = s;
    }
    if (first < 0) return HIT_OK;
    f->base = &f->shape[first];
    return try_base(f, inferred, wrong);
}

hit_status hit_fit(const hit_replica *replica, int k, int count,
                   const hit_check_shape shape[], hit_inferred *inferred)
{
    fit f = {.replica = replica,
             .tile = &replica->arg[k].domain,
             .dims = replica->kernel->dims,
             .count = count,
             .shape = shape};
    char index[100];
    int wrong = 0;

    inferred->samples = count;
    inferred->touched = count > 0 && shape[0].elements > 0;
    if (!inferred->touched) {
        return hit_pattern_init(f.dims, f.tile->dims, &inferred->pattern);
    }
    HIT_TRY(try_bases(&f, inferred, &wrong));
    inferred->affine = wrong < 0;
    if (inferred->affine) {
        note_single(replica, inferred);
        return HIT_OK;
    }
    f.hull = true;
    f.base = &shape[0];
    inferred->note[0] = '\0';
    HIT_TRY(fit_around(&f, inferred));
    if (inferred->affine) {
        note_single(replica, inferred);
        return HIT_OK;
    }
    hit_replica_print_index(f.dims, shape[wrong].at, index, sizeof(index));
    (void)snprintf(inferred->note, sizeof(inferred->note),
                   "not affine: index %s does not follow; the pattern holds all that was "
                   "touched",
                   index);
    return HIT_OK;
}
