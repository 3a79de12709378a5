/* SPDX-License-Identifier: MIT
 * Distances of dependences, dimension by dimension: what is written is an element for
 * each index, so that a range that is read says which indices have written it. The
 * distances of dependence analysis for loops; differs: indices have strides, and
 * distances are sets with strides, so that what red and black points read is known to lie
 * apart. */
#include "hit/data/sig.h"
#include "patterns/pattern_impl.h"
#include "patterns/transform.h"

/* The index that an end of a range follows; -1: none, -2: several, by a factor, or by a
 * quotient or a remainder. */
static int follows(const hit_affine *affine)
{
    int found = -1;

    if (affine->fold != HIT_FOLD_NONE) return -2;
    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        if (affine->coef[d] == 0) continue;
        if (affine->coef[d] != 1 || found != -1) return -2;
        found = d;
    }
    return found;
}

bool hit_pattern_is_element(const hit_pattern *written)
{
    bool seen[HIT_MAX_DIMS] = {false};

    if (written->count != 1) return false;
    for (int t = 0; t < written->tile_dims; t++) {
        const hit_range *range = &written->access[0].range[t];
        const int d = follows(&range->begin);

        if (range->stride != 1 || d == -2 || follows(&range->end) != d) return false;
        if (d < 0) continue;
        if (range->begin.infinite || range->end.infinite) return false;
        if (range->begin.offset != range->end.offset || seen[d]) return false;
        seen[d] = true;
    }
    return true;
}

static hit_sig all_distances(hit_sig index)
{
    hit_wide most = (hit_wide)index.end - index.begin;

    if (most > HIT_PATTERN_FARTHEST) {
        most = HIT_PATTERN_FARTHEST / index.stride * index.stride;
    }
    return hit_sig_make((hit_index)-most, (hit_index)most, index.stride);
}

/* Those of @p all that are low, low + stride ... up to high. */
static hit_sig between(hit_sig all, hit_wide low, hit_wide high, hit_wide stride)
{
    if (low < all.begin) low += (all.begin - low + stride - 1) / stride * stride;
    if (high > all.end) high = all.end;
    if (low > high) return hit_sig_make(0, -1, 1);
    if (stride > high - low) {
        stride = 1;
        high = low;
    }
    return hit_sig_intersect(
        all, hit_sig_make((hit_index)low, (hit_index)high, (hit_index)stride));
}

/* What all indices together read in a dimension of the tile that is written at index +
 * at: the writer is one of these, the reader any. */
static hit_sig of_any_reader(hit_sig index, hit_sig read, hit_index at)
{
    const hit_sig writer = hit_sig_intersect(hit_sig_shift(index, at), read);

    if (hit_sig_is_empty(writer)) return writer;
    return between(all_distances(index), (hit_wide)writer.begin - at - index.end,
                   (hit_wide)writer.end - at - index.begin, index.stride);
}

/* A dimension of the tile: all of it, what all indices together read of it, and the index
 * that decides which element is written. */
typedef struct dimension {
    hit_sig tile;
    hit_sig read_by_all;
    hit_sig index;
    int d; /* the number of the index */
} dimension;

static void look_along(const hit_range *written, const hit_range *read,
                       const dimension *along, hit_distance *made)
{
    const hit_index at = written->begin.offset;
    const int begin = read->begin.infinite ? -1 : follows(&read->begin);
    const int end = read->end.infinite ? -1 : follows(&read->end);
    const hit_wide stride = (hit_wide)read->stride * along->tile.stride;
    hit_sig *of = &made->of[along->d];

    if (begin == along->d && end == along->d) {
        *of = between(*of, (hit_wide)read->begin.offset - at,
                      (hit_wide)read->end.offset - at, stride);
        return;
    }
    made->exact = false;
    *of = of_any_reader(along->index, along->read_by_all, at);
    if (hit_sig_is_empty(*of)) return;
    if (begin == along->d) {
        *of = between(*of, (hit_wide)read->begin.offset - at, of->end, stride);
    }
    if (hit_sig_is_empty(*of) || end != along->d) return;
    *of = between(*of, of->begin, (hit_wide)read->end.offset - at, of->stride);
}

hit_distance hit_pattern_distance(const hit_pattern *written, const hit_access *read,
                                  const hit_domain *tile, const hit_domain *index)
{
    const hit_domain read_by_all = hit_access_apply(read, tile, index);
    const hit_domain written_by_all = hit_access_apply(&written->access[0], tile, index);
    hit_distance made = {.exact = true};

    if (hit_domain_is_empty(&read_by_all) ||
        !hit_domain_meets(&read_by_all, &written_by_all)) {
        return made;
    }
    for (int d = 0; d < index->dims; d++) {
        made.of[d] = all_distances(index->sig[d]);
    }
    for (int t = 0; t < tile->dims; t++) {
        const hit_range *range = &written->access[0].range[t];
        const int d = follows(&range->begin);
        const dimension along = {tile->sig[t], read_by_all.sig[t],
                                 d < 0 ? tile->sig[t] : index->sig[d], d};

        if (d < 0) {
            made.exact = made.exact && follows(&read->range[t].begin) == -1 &&
                         follows(&read->range[t].end) == -1;
            continue;
        }
        made.followed |= 1u << d;
        look_along(range, &read->range[t], &along, &made);
        if (hit_sig_is_empty(made.of[d])) return made;
    }
    made.any = true;
    return made;
}

/* The nearest one to 0 that is not 0; 0: there is none. */
static hit_index nearest(hit_sig sig)
{
    hit_index above;

    if (sig.begin > 0) return sig.begin;
    if (sig.end < 0) return sig.end;
    above = sig.begin + (-sig.begin / sig.stride + 1) * sig.stride;
    if (above <= sig.end) return above;
    return sig.end < 0 || sig.begin == sig.end ? sig.end : sig.end - sig.stride;
}

bool hit_distance_is_apart(const hit_distance *distance)
{
    for (int d = 0; d < HIT_MAX_DIMS && distance->any; d++) {
        if ((distance->followed >> d & 1u) != 0 && nearest(distance->of[d]) != 0) {
            return true;
        }
    }
    return false;
}

void hit_distance_witness(const hit_distance *distance, const hit_domain *index,
                          hit_index reader[], hit_index writer[])
{
    for (int d = 0; d < index->dims; d++) {
        const bool followed = (distance->followed >> d & 1u) != 0;
        const hit_index by = followed ? nearest(distance->of[d]) : 0;

        reader[d] = by >= 0 ? index->sig[d].begin : index->sig[d].begin - by;
        writer[d] = reader[d] + by;
    }
}
