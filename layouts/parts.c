/* SPDX-License-Identifier: MIT
 * How a layout is cut: slices along a dimension, or boxes of a plane; and how much of it
 * another one would move. */
#include "layouts/layouts.h"

#include <math.h>

/* The shares of all processes if the layout is one box each, in order, cut along dim. */
static hit_status read_slices(const hit_layout *layout, int dim, hit_index share[],
                              bool *good)
{
    const hit_domain domain = hit_layout_domain(layout);
    hit_index next = domain.sig[dim].begin;

    *good = true;
    for (int p = 0; p < hit_layout_ranks(layout) && *good; p++) {
        hit_region part = {0};
        hit_domain wanted = domain;

        HIT_TRY(hit_layout_part(layout, p, &part));
        share[p] = 0;
        if (part.count > 0) {
            wanted.sig[dim] = part.part[0].sig[dim];
            share[p] = hit_sig_count(wanted.sig[dim]);
            *good = part.count == 1 && hit_domain_equal(&part.part[0], &wanted) &&
                    wanted.sig[dim].begin == next;
            next = wanted.sig[dim].end + domain.sig[dim].stride;
        }
        hit_region_clear(&part);
    }
    return HIT_OK;
}

/* Is @p part all of @p whole between two of its elements, without gaps? */
static bool is_slice(hit_sig part, hit_sig whole)
{
    const hit_sig slice = hit_sig_make(part.begin, part.end, whole.stride);

    return hit_sig_equal(part, slice);
}

/* The same if it is one box each, cut along dimensions 0 and 1 only. */
static hit_status read_areas(const hit_layout *layout, hit_index share[], bool *good)
{
    const hit_domain domain = hit_layout_domain(layout);

    *good = domain.dims >= 2;
    for (int p = 0; p < hit_layout_ranks(layout) && *good; p++) {
        hit_region part = {0};

        HIT_TRY(hit_layout_part(layout, p, &part));
        share[p] = 0;
        *good = part.count <= 1;
        for (int d = 0; d < domain.dims && part.count == 1; d++) {
            const hit_sig sig = part.part[0].sig[d];

            *good = *good && (d < 2 ? is_slice(sig, domain.sig[d])
                                    : hit_sig_equal(sig, domain.sig[d]));
        }
        if (part.count == 1) {
            share[p] =
                hit_sig_count(part.part[0].sig[0]) * hit_sig_count(part.part[0].sig[1]);
        }
        hit_region_clear(&part);
    }
    return HIT_OK;
}

hit_status hit_parts_read(const hit_layout *layout, int *dim, hit_index share[])
{
    const int dims = hit_layout_domain(layout).dims;
    const int wanted = *dim;
    bool good = false;

    for (int d = 0; d < dims && !good && wanted != HIT_PARTS_PLANE; d++) {
        if (wanted >= 0 && wanted != d) continue;
        HIT_TRY(read_slices(layout, d, share, &good));
        if (good) *dim = d;
    }
    if (!good && wanted < 0) {
        HIT_TRY(read_areas(layout, share, &good));
        *dim = HIT_PARTS_PLANE;
    }
    if (good) return HIT_OK;
    return HIT_FAIL(
        HIT_E_ARG, "layout %s: expected one box per process, %s; \"block:dims=0\" is one",
        hit_layout_name(layout),
        wanted >= 0 ? "in order, cut along the given dimension only"
                    : "in order along one dimension, or cut along dimensions 0 and 1");
}

hit_status hit_parts_moved(const hit_layout *before, const hit_layout *after,
                           double *moved)
{
    const hit_domain domain = hit_layout_domain(before);
    double stay = 0;
    hit_status st = HIT_OK;

    for (int p = 0; p < hit_layout_ranks(before) && st == HIT_OK; p++) {
        hit_region was = {0};
        hit_region is = {0};

        st = hit_layout_part(before, p, &was);
        if (st == HIT_OK) st = hit_layout_part(after, p, &is);
        if (was.count == 1 && is.count == 1) {
            const hit_domain both = hit_domain_intersect(&was.part[0], &is.part[0]);

            stay += (double)hit_domain_count(&both);
        }
        hit_region_clear(&was);
        hit_region_clear(&is);
    }
    *moved = 1 - stay / fmax(1, (double)hit_domain_count(&domain));
    return st;
}
