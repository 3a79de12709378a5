/* SPDX-License-Identifier: MIT
 * Owner computes, by inverting the anchor in each dimension (hit_sig_preimage). */
#include "hit/comm/message.h"

static hit_index nearest_to_zero(hit_index low, hit_index high)
{
    if (low > 0) return low;
    return high < 0 ? high : 0;
}

/* The anchor of one dimension, false if it has none: a range that follows an index is
 * anchored at the element nearest to the index itself, so that halos lie on both sides;
 * everything else at its begin. */
static bool anchor(const hit_range *range, const hit_sig *tile, int dims,
                   hit_split *split, int t)
{
    const hit_affine *begin = &range->begin;
    const hit_affine *end = &range->end;
    const bool parallel = hit_affine_is_parallel(begin, end); /* do both move alike? */

    split->follows[t] = -1;
    split->coef[t] = 0;
    split->offset[t] = begin->infinite ? tile->begin : begin->offset;
    if (begin->infinite) return true;
    if (begin->fold != HIT_FOLD_NONE) return false;
    for (int d = 0; d < dims; d++) {
        if (begin->coef[d] == 0) continue;
        if (split->follows[t] >= 0) return false; /* i + j: many indices, one element */
        split->follows[t] = d;
        split->coef[t] = begin->coef[d];
    }
    if (split->follows[t] >= 0 && split->coef[t] == 1 && parallel) {
        split->offset[t] = nearest_to_zero(begin->offset, end->offset);
    }
    return true;
}

/* "[i+1]" may leave a tile with a boundary; the index itself is as good an anchor then.
 */
static void pull_inside(hit_split *split, int t)
{
    const int d = split->follows[t];
    const hit_sig tile = split->tile.sig[t];

    if (d < 0 || split->coef[t] != 1) return;
    if (hit_sig_inside(hit_sig_shift(split->index.sig[d], split->offset[t]), tile)) {
        return;
    }
    if (hit_sig_inside(split->index.sig[d], tile)) split->offset[t] = 0;
}

static hit_status check_inside(const hit_split *split)
{
    for (int t = 0; t < split->tile.dims; t++) {
        const int d = split->follows[t];
        bool inside;

        if (d < 0) {
            inside = hit_sig_has(split->tile.sig[t], split->offset[t]);
        } else {
            inside = hit_sig_inside(
                split->index.sig[d],
                hit_sig_preimage(split->tile.sig[t], split->coef[t], split->offset[t]));
        }
        if (!inside) {
            return HIT_FAIL(
                HIT_E_PATTERN,
                "the indices cannot be split by this tile: some of them touch no "
                "element of it in dimension %d",
                t);
        }
    }
    return HIT_OK;
}

hit_status hit_split_by_pattern(const hit_layout *layout, const hit_domain *tile,
                                const hit_pattern *pattern, const hit_domain *index,
                                hit_split *split)
{
    hit_split made = {.layout = layout, .index = *index, .tile = *tile};

    for (int t = 0; t < tile->dims; t++) {
        if (!anchor(&pattern->access[0].range[t], &tile->sig[t], index->dims, &made, t)) {
            return HIT_FAIL(
                HIT_E_PATTERN,
                "the indices cannot be split by this tile: dimension %d follows "
                "more than one index, or a quotient or a remainder",
                t);
        }
        if (!hit_domain_is_empty(index)) pull_inside(&made, t);
    }
    if (!hit_domain_is_empty(index)) HIT_TRY(check_inside(&made));
    *split = made;
    return HIT_OK;
}

hit_status hit_split_by_layout(const hit_layout *layout, const hit_domain *index,
                               hit_split *split)
{
    const hit_domain domain = hit_layout_domain(layout);
    const hit_domain once = hit_domain_of(1);
    char expected[128];
    char found[128];

    /* a launch without dimensions has this index, which is the one of a scalar */
    if (domain.dims == 0 && hit_domain_equal(index, &once)) {
        *split = (hit_split){.layout = layout, .index = *index, .tile = domain};
        return HIT_OK;
    }
    if (domain.dims != index->dims || !hit_domain_inside(index, &domain)) {
        hit_domain_print(&domain, expected, sizeof(expected));
        hit_domain_print(index, found, sizeof(found));
        return HIT_FAIL(HIT_E_ARG,
                        "expected indices inside the layout's domain %s but found %s",
                        expected, found);
    }
    *split = (hit_split){.layout = layout, .index = *index, .tile = domain};
    for (int d = 0; d < domain.dims; d++) {
        split->follows[d] = d;
        split->coef[d] = 1;
    }
    return HIT_OK;
}

int hit_split_followed(const hit_split *split)
{
    bool seen[HIT_MAX_DIMS] = {false};
    int count = 0;

    for (int t = 0; t < split->tile.dims; t++) {
        if (split->follows[t] >= 0) seen[split->follows[t]] = true;
    }
    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        count += seen[d];
    }
    return count;
}

hit_domain hit_split_indices(const hit_split *split, const hit_domain *owned)
{
    hit_domain found = split->index;

    for (int t = 0; t < owned->dims; t++) {
        const int d = split->follows[t];

        if (d >= 0) {
            found.sig[d] = hit_sig_intersect(
                found.sig[d],
                hit_sig_preimage(owned->sig[t], split->coef[t], split->offset[t]));
        } else if (!hit_sig_has(owned->sig[t], split->offset[t])) {
            return hit_domain_empty(split->index.dims);
        }
    }
    return found;
}

hit_status hit_split_part(const hit_split *split, int rank, hit_region *part)
{
    hit_region owned = {0};
    hit_status status;

    HIT_TRY_GOTO(status, hit_layout_part_in(split->layout, rank, &split->tile, &owned),
                 done);
    for (int k = 0; k < owned.count; k++) {
        hit_domain indices = hit_split_indices(split, &owned.part[k]);

        if (split->joined) indices = hit_where_clip(split->where, &indices);
        HIT_TRY_GOTO(status,
                     hit_where_boxes(split->joined ? NULL : split->where, &indices, part),
                     done);
    }
done:
    if (status != HIT_OK) hit_region_clear(part);
    hit_region_clear(&owned);
    return status;
}

hit_status hit_split_owners(const hit_split *split, hit_owners *owners)
{
    hit_hull anchors = hit_hull_of_nothing();

    if (hit_domain_is_empty(&split->index)) return HIT_OK;
    for (int t = 0; t < split->tile.dims; t++) {
        const int d = split->follows[t];
        const hit_index coef = split->coef[t];
        const hit_sig sig = d >= 0 ? split->index.sig[d] : hit_sig_make(0, 0, 1);
        const hit_index begin = (d >= 0 ? coef * sig.begin : 0) + split->offset[t];
        const hit_index end = (d >= 0 ? coef * sig.end : 0) + split->offset[t];

        anchors.begin[t] = begin < end ? begin : end;
        anchors.end[t] = begin < end ? end : begin;
    }
    return hit_owners_add(split->layout, &anchors, owners);
}
