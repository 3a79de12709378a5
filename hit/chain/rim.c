/* SPDX-License-Identifier: MIT
 * Axis by axis, so that corners come from the rims of the axes before: two launches for
 * an axis, instead of one for each of the 3^d - 1 images. Constant ones come last, since
 * an element that is beyond any of them has the constant. */
#include "hit/chain/rim.h"

/* The part of @p box that is filled so far: the tile, and rims of axes in @p done. */
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
    hit_index from = rim->sign * beyond.begin + rim->offset;
    hit_index to = rim->sign * beyond.end + rim->offset;

    if (from > to) {
        const hit_index kept = from;

        from = to;
        to = kept;
    }
    source.sig[rim->axis] = hit_sig_make(from, to, 1);
    return source;
}

/* Is what the rim is filled from in @p box? */
static bool add_side(const hit_domain *tile, hit_boundary kind, hit_domain box, int axis,
                     bool below, hit_rim *rim)
{
    const hit_sig sig = tile->sig[axis];
    const hit_index edge = below ? sig.begin : sig.end;
    const hit_sig touched = hit_sig_intersect(box.sig[axis], sig);
    hit_sig source;

    box.sig[axis] = below ? hit_sig_make(box.sig[axis].begin, sig.begin - 1, 1)
                          : hit_sig_make(sig.end + 1, box.sig[axis].end, 1);
    *rim = (hit_rim){.axis = axis,
                     .box = box,
                     .constant = kind == HIT_BOUNDARY_CONSTANT,
                     .sign = kind == HIT_BOUNDARY_MIRROR ? -1 : 0,
                     .offset = kind == HIT_BOUNDARY_MIRROR ? 2 * edge : edge};
    source = hit_rim_source(rim).sig[axis];
    return source.begin >= touched.begin && source.end <= touched.end;
}

int hit_rims(const hit_domain *tile, const hit_boundary kind[], const hit_domain *need,
             hit_rim rim[])
{
    unsigned done = 0;
    int count = 0;

    for (int k = 0; k < 2 * tile->dims; k++) {
        const int axis = tile->dims - 1 - k % tile->dims;
        const hit_sig touched = need->sig[axis];
        hit_domain box;

        if ((kind[axis] == HIT_BOUNDARY_CONSTANT) != (k >= tile->dims)) continue;
        box = filled(tile, need, done);
        box.sig[axis] = touched;
        done |= 1u << axis;
        if (touched.begin >= tile->sig[axis].begin &&
            touched.end <= tile->sig[axis].end) {
            continue;
        }
        if (kind[axis] == HIT_BOUNDARY_PERIODIC || hit_domain_is_empty(&box)) return -1;
        if (touched.begin < tile->sig[axis].begin &&
            !add_side(tile, kind[axis], box, axis, true, &rim[count++])) {
            return -1;
        }
        if (touched.end > tile->sig[axis].end &&
            !add_side(tile, kind[axis], box, axis, false, &rim[count++])) {
            return -1;
        }
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
