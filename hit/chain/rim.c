/* SPDX-License-Identifier: MIT
 * Axis by axis, so that corners come from the rims of the axes before: two launches for
 * an axis, instead of one for each of the 3^d - 1 images. Constant ones come last, since
 * an element that is beyond any of them has the constant. */
#include "hit/chain/chain.h"
#include "hit/data/hash.h"

/* The part of @p need that is filled when the rims of axes in @p done are. */
static hit_domain filled(const hit_domain *tile, const hit_domain *need, unsigned done)
{
    hit_domain box = *need;

    for (int d = 0; d < box.dims; d++) {
        if ((done >> d & 1u) == 0) {
            box.sig[d] = hit_sig_intersect(box.sig[d], tile->sig[d]);
        }
    }
    return box;
}

hit_domain hit_rim_source(const hit_rim *rim)
{
    const hit_sig beyond = rim->box.sig[rim->axis];
    hit_domain source = rim->box;
    const hit_index from = rim->sign * beyond.begin + rim->offset;
    const hit_index to = rim->sign * beyond.end + rim->offset;

    source.sig[rim->axis] = hit_sig_make(hit_smaller(from, to), hit_larger(from, to), 1);
    return source;
}

/* What @p box has beyond one side of the tile. */
static hit_rim side(const hit_domain *tile, hit_boundary kind, hit_domain box, int axis,
                    bool below)
{
    const hit_sig sig = tile->sig[axis];
    const hit_index edge = below ? sig.begin : sig.end;

    box.sig[axis] = hit_sig_intersect(
        box.sig[axis], below ? hit_sig_make(box.sig[axis].begin, sig.begin - 1, 1)
                             : hit_sig_make(sig.end + 1, box.sig[axis].end, 1));
    return (hit_rim){.axis = axis,
                     .box = box,
                     .constant = kind == HIT_BOUNDARY_CONSTANT,
                     .sign = kind == HIT_BOUNDARY_MIRROR ? -1 : 0,
                     .offset = kind == HIT_BOUNDARY_MIRROR ? 2 * edge : edge};
}

hit_domain hit_rims_need(const hit_domain *tile, const hit_boundary kind[],
                         const hit_domain *need)
{
    hit_domain all = *need;

    for (int d = 0; d < all.dims; d++) {
        all.sig[d] = hit_sig_make(need->sig[d].begin, need->sig[d].end, 1);
    }
    for (int k = 0; k < 2 * tile->dims; k++) {
        const int axis = k / 2;
        const hit_rim rim = side(tile, kind[axis], *need, axis, k % 2 == 0);
        const bool filled_in =
            kind[axis] == HIT_BOUNDARY_CLAMP || kind[axis] == HIT_BOUNDARY_MIRROR;

        hit_sig source;

        if (!filled_in || hit_domain_is_empty(&rim.box)) continue;
        source = hit_rim_source(&rim).sig[axis];
        if (source.begin < all.sig[axis].begin) all.sig[axis].begin = source.begin;
        if (source.end > all.sig[axis].end) all.sig[axis].end = source.end;
    }
    return all;
}

/* Both sides of an axis of @p box, which is filled so far; false: elements come from
 * beyond the other side of the tile. */
static bool add_sides(const hit_domain *tile, hit_boundary kind, const hit_domain *box,
                      int axis, hit_rim rim[], int *count)
{
    for (int below = 1; below >= 0; below--) {
        const hit_rim one = side(tile, kind, *box, axis, below != 0);

        if (hit_sig_is_empty(one.box.sig[axis])) continue;
        if (kind == HIT_BOUNDARY_PERIODIC) return false;
        if (!one.constant &&
            !hit_sig_inside(hit_rim_source(&one).sig[axis], tile->sig[axis])) {
            return false;
        }
        /* where all lies beyond a constant, too, that fills it */
        if (!hit_domain_is_empty(&one.box)) rim[(*count)++] = one;
    }
    return true;
}

int hit_rims(const hit_domain *tile, const hit_boundary kind[], const hit_domain *need,
             hit_rim rim[])
{
    const hit_domain all = hit_rims_need(tile, kind, need);
    unsigned done = 0;
    int count = 0;

    for (int k = 0; k < 2 * tile->dims; k++) {
        const int axis = tile->dims - 1 - k % tile->dims;
        hit_domain box;

        if ((kind[axis] == HIT_BOUNDARY_CONSTANT) != (k >= tile->dims)) continue;
        done |= 1u << axis;
        box = filled(tile, &all, done);
        if (!add_sides(tile, kind[axis], &box, axis, rim, &count)) return -1;
    }
    return count;
}

static hit_access access_to(const hit_rim *rim, const hit_domain *box)
{
    hit_access made = {0};

    for (int d = 0; d < box->dims; d++) {
        made.range[d] = d == rim->axis
                            ? hit_range_fixed(box->sig[d].begin, box->sig[d].end)
                            : hit_range_follow(d, 0, 0);
    }
    return made;
}

void hit_rim_accesses(const hit_rim *rim, hit_access *writes, hit_access *reads)
{
    const hit_domain source = hit_rim_source(rim);

    *writes = access_to(rim, &rim->box);
    *reads = access_to(rim, &source);
}

hit_domain hit_rim_indices(const hit_rim *rim)
{
    hit_domain made = rim->box;
    const hit_index one = made.sig[rim->axis].begin;

    made.sig[rim->axis] = hit_sig_make(one, one, 1);
    return made;
}
