/* SPDX-License-Identifier: MIT
 * Lines on boxes of indices: an affine end is least and most in corners, and so is what
 * rises with it, such as its quotient. A remainder is the line again, moved, or all that
 * its steps lead to. */
#include "hit/data/sig.h"
#include "patterns/pattern_impl.h"

hit_wide hit_line_limit(const hit_line *of, const hit_domain *box, bool most)
{
    hit_wide sum = of->offset + (most ? of->more.high : of->more.low);

    for (int k = 0; k < box->dims; k++) {
        const bool end = (of->coef[k] > 0) == most;

        sum += of->coef[k] * (end ? box->sig[k].end : box->sig[k].begin);
    }
    return sum;
}

hit_wide hit_line_gcd(const hit_line *of, const hit_domain *box)
{
    hit_wide gcd = of->more.step;

    for (int k = 0; k < box->dims; k++) {
        hit_sig sig = box->sig[k];
        if (sig.begin < sig.end) gcd = hit_wide_gcd(gcd, of->coef[k] * sig.stride);
    }
    return gcd;
}

/* The one dimension of the box that moves the line, from one value to the next; -1: none
 * does, -2: several. */
static int moving_dim(const hit_line *of, const hit_domain *box)
{
    int found = -1;

    for (int k = 0; k < box->dims; k++) {
        if (of->coef[k] == 0 || box->sig[k].begin == box->sig[k].end) continue;
        found = found == -1 ? k : -2;
        if (found == -2) break;
    }
    return found;
}

/* Of steps that are larger than the divisor and no multiple of it, only that they are
 * whole is known. */
static hit_folded fold_quotient(const hit_line *inner, const hit_domain *box, hit_wide by)
{
    const hit_wide step = hit_line_gcd(inner, box);
    hit_folded made = {.low = hit_wide_floor_div(hit_line_limit(inner, box, false), by),
                       .high = hit_wide_floor_div(hit_line_limit(inner, box, true), by)};

    made.whole = moving_dim(inner, box) != -2 && (step <= by || step % by == 0);
    if (made.low < made.high) made.step = step % by == 0 ? step / by : 1;
    return made;
}

/* Where the box leads from one multiple of the divisor to another one, all remainders
 * that its steps can lead to are taken to be there. */
static hit_folded fold_remainder(const hit_line *inner, const hit_domain *box,
                                 hit_wide by)
{
    const hit_wide least = hit_line_limit(inner, box, false);
    const hit_wide most = hit_line_limit(inner, box, true);
    const hit_wide at = hit_wide_floor_div(least, by) * by;
    const hit_wide step = hit_line_gcd(inner, box);
    const hit_wide common = hit_wide_gcd(step, by);
    hit_folded made = {least - at, most - at, step, false};
    const int dim = moving_dim(inner, box);

    made.whole = dim != -2;
    if (made.high < by) return made;
    made.low = least - at - (least - at) / common * common;
    made.high = by - common + made.low;
    made.step = made.low < made.high ? common : 0;
    made.whole = dim >= 0 && hit_sig_count(box->sig[dim]) >= by / common;
    return made;
}

static hit_line inner_of(const hit_affine *affine)
{
    hit_line inner = {.offset = affine->inner};

    for (int k = 0; k < HIT_MAX_DIMS; k++) {
        inner.coef[k] = affine->coef[k];
    }
    return inner;
}

hit_line hit_line_of(const hit_affine *affine, hit_index limit, const hit_domain *box)
{
    hit_line made = {.offset = affine->infinite ? limit : affine->offset};
    hit_line inner;

    made.more.whole = true;
    if (affine->infinite) return made;
    inner = inner_of(affine);
    if (affine->fold == HIT_FOLD_NONE) {
        inner.offset = made.offset;
        inner.more.whole = true;
        return inner;
    }
    if (hit_domain_is_empty(box)) return made;
    made.more = affine->fold == HIT_FOLD_QUOTIENT
                    ? fold_quotient(&inner, box, affine->by)
                    : fold_remainder(&inner, box, affine->by);
    return made;
}

bool hit_line_wraps_once(const hit_affine *affine, const hit_domain *box, int *dim,
                         hit_index *second)
{
    const hit_line inner = inner_of(affine);
    const hit_wide by = affine->by;
    const hit_wide least = hit_line_limit(&inner, box, false);
    const hit_wide most = hit_line_limit(&inner, box, true);
    hit_wide step;
    hit_wide before;

    *dim = moving_dim(&inner, box);
    if (*dim < 0) return false;
    if (hit_wide_floor_div(most, by) != hit_wide_floor_div(least, by) + 1) return false;
    step = hit_line_gcd(&inner, box);
    if (hit_sig_count(box->sig[*dim]) >= by / hit_wide_gcd(step, by)) return false;
    before = (hit_wide_floor_div(most, by) * by - least + step - 1) / step;
    if (inner.coef[*dim] < 0) before = hit_sig_count(box->sig[*dim]) - before;
    *second = (hit_index)before;
    return true;
}

/* What is left of a sum when it is divided falls, by as much as a step is shorter than
 * the divisor, as long as no two neighbours have one quotient. */
static hit_wide steps_apart(hit_wide least, hit_wide step, hit_wide by)
{
    return (least - hit_wide_floor_div(least, by) * by) / (by - step);
}

bool hit_affine_meets(const hit_affine *affine, const hit_domain *box, int d,
                      hit_index *first, hit_index *second)
{
    const hit_index count = hit_sig_count(box->sig[d]);
    hit_line inner = inner_of(affine);
    hit_domain along = {.dims = box->dims};
    hit_wide step = inner.coef[d] * box->sig[d].stride;
    hit_wide from = 0;
    hit_wide to;

    if (affine->fold == HIT_FOLD_NONE || step == 0) return false;
    for (int e = 0; e < box->dims; e++) {
        along.sig[e] = e == d ? box->sig[e] : hit_sig_slice(box->sig[e], 0, 0);
    }
    if (step < 0) step = -step;
    if (affine->fold == HIT_FOLD_REMAINDER) {
        to = affine->by / hit_wide_gcd(step, affine->by);
    } else {
        if (step >= affine->by) return false;
        from = steps_apart(hit_line_limit(&inner, &along, false), step, affine->by);
        to = from + 1;
    }
    if (to >= count) return false;
    *first = (hit_index)(inner.coef[d] > 0 ? from : count - 1 - from);
    *second = (hit_index)(inner.coef[d] > 0 ? to : count - 1 - to);
    return true;
}
