/* SPDX-License-Identifier: MIT
 * Legality of chains. An index of launch m and one of a later launch l that touch the
 * same element, one of them writing, must run in that order. With relative intervals, an
 * index at position x touches the elements x + [low, high] of an axis, so that the two
 * can meet only where x_m - x_l is in [low_l - high_m, high_l - low_m]. Tiles that run
 * one after the other, in ascending order, keep the order if
 *
 *     shift[l] >= shift[m] + high_l - low_m
 *
 * for all such m, and chunks that run side by side if
 *
 *     growth[l] >= growth[m] + high_m - low_l.
 *
 * These are read-after-write, write-after-read and write-after-write alike; the least
 * values that do are taken, which may be negative.
 *
 * @paper [Wonnacott2000] skewing of time steps; differs: the distances come from the
 * annotations of unlike kernels with domains of their own */
#include "hit/chain/depend.h"

#include "hit/data/domain_set.h"

#include <stdio.h>
#include <string.h>

typedef struct interval {
    hit_index low;
    hit_index high;
} interval;

/* The index that both ends of a range follow with coefficient 1: its dimension; -1: none,
 * the range is fixed; -2: it is something else. */
static int followed(const hit_range *range, int dims)
{
    int found = -1;

    if (range->begin.infinite || range->end.infinite) return -2;
    for (int d = 0; d < dims; d++) {
        const hit_index coef = range->begin.coef[d];

        if (coef != range->end.coef[d]) return -2;
        if (coef == 0) continue;
        if (coef != 1 || found >= 0) return -2;
        found = d;
    }
    return found;
}

bool hit_chain_interval(const hit_pattern *pattern, int axis, int index, hit_index *low,
                        hit_index *high)
{
    for (int k = 0; k < pattern->count; k++) {
        const hit_range *range = &pattern->access[k].range[axis];

        if (followed(range, pattern->index_dims) != index) return false;
        if (k == 0 || range->begin.offset < *low) *low = range->begin.offset;
        if (k == 0 || range->end.offset > *high) *high = range->end.offset;
    }
    return true;
}

bool hit_chain_reach(const hit_chain_place *place, const hit_chain_use *use, int axis,
                     hit_index *low, hit_index *high)
{
    if (!hit_chain_interval(use->pattern, axis, place->index[axis], low, high)) {
        return false;
    }
    if (place->index[axis] >= 0) return true;
    *low -= place->begin[axis];
    *high -= place->begin[axis];
    return true;
}

/* The position of an index is what the first expression of a use says. */
static bool set_positions(const hit_chain_launch *launch, const hit_chain_use *use,
                          hit_chain_place *place, char *why, size_t size)
{
    unsigned taken = 0;

    memset(place, 0, sizeof(*place));
    for (int c = 0; c < use->pattern->tile_dims; c++) {
        const hit_range *range = &use->pattern->access[0].range[c];
        const int index = followed(range, launch->domain.dims);

        if (index == -2 || (index >= 0 && (taken >> index & 1u) != 0)) {
            (void)snprintf(why, size,
                           "kernel %s, argument %s: dimension %d follows no index of its "
                           "own",
                           launch->kernel, use->name, c);
            return false;
        }
        if (index >= 0) taken |= 1u << index;
        place->index[c] = index;
        place->begin[c] = range->begin.offset;
        place->end[c] = range->begin.offset;
        if (index < 0) continue;
        place->begin[c] = launch->domain.sig[index].begin;
        place->end[c] = launch->domain.sig[index].end;
    }
    return true;
}

static hit_index in_lines(hit_index distance, hit_index line)
{
    return hit_index_ceil_div(distance, line) * line;
}

/* One launch after another. */
typedef struct pair {
    const hit_chain_launch *before;
    const hit_chain_launch *after;
    const hit_chain_place *first;
    hit_chain_place *second;
    hit_index line;
    int axes;
    bool *met; /* the second has met one before: its shifts are set */
} pair;

static void raise(hit_index *value, bool met, hit_index least)
{
    if (!met || *value < least) *value = least;
}

static bool order(pair *p, const hit_chain_use *before, const hit_chain_use *after,
                  char *why, size_t size)
{
    const int axes = p->axes;

    if (after->pattern->tile_dims != axes) {
        (void)snprintf(
            why, size,
            "kernel %s, argument %s: expected %d dimensions, as of other tiles "
            "that are written, but found %d",
            p->after->kernel, after->name, axes, after->pattern->tile_dims);
        return false;
    }
    for (int c = 0; c < axes; c++) {
        interval m = {0, 0};
        interval l = {0, 0};
        const bool old = hit_chain_reach(p->first, before, c, &m.low, &m.high);

        if (!old || !hit_chain_reach(p->second, after, c, &l.low, &l.high)) {
            (void)snprintf(why, size,
                           "kernel %s, argument %s: dimension %d does not follow the "
                           "index by which kernel %s writes",
                           (old ? p->after : p->before)->kernel,
                           (old ? after : before)->name, c,
                           (old ? p->after : p->before)->kernel);
            return false;
        }
        raise(&p->second->shift[c], *p->met, p->first->shift[c] + l.high - m.low);
        raise(&p->second->growth[c], *p->met, p->first->growth[c] + m.high - l.low);
        if (c < axes - 1) continue;
        raise(&p->second->line_shift, *p->met,
              p->first->line_shift + in_lines(l.high - m.low, p->line));
    }
    *p->met = true;
    return true;
}

static bool may_meet(const hit_chain_use *before, const hit_chain_use *after)
{
    if (before->storage != after->storage) return false;
    if (!before->writes && !after->writes) return false;
    return hit_domain_meets(&before->cover, &after->cover);
}

static bool order_pair(pair *p, char *why, size_t size)
{
    for (int u = 0; u < p->before->uses; u++) {
        for (int v = 0; v < p->after->uses; v++) {
            const hit_chain_use *before = &p->before->use[u];
            const hit_chain_use *after = &p->after->use[v];

            if (!may_meet(before, after)) continue;
            if (!order(p, before, after, why, size)) return false;
        }
    }
    return true;
}

/* Do all dependencies have distances, if the positions are those of @p basis? */
static bool place_by(const hit_skew *chain, const hit_chain_launch *const launch[],
                     const hit_chain_use *basis, hit_chain_place *place, char *why,
                     size_t size)
{
    const int last = chain->launches;
    bool met = false;

    if (!set_positions(launch[last], basis, place, why, size)) return false;
    for (int m = 0; m < last; m++) {
        pair p = {launch[m],   launch[last], &chain->place[m], place, chain->line,
                  chain->axes, &met};

        if (!order_pair(&p, why, size)) return false;
    }
    return true;
}

/* Positions are those of a tile that is written; but what only collects elements of the
 * others, such as a record of each step, may have the positions of what it reads. */
bool hit_skew_join(hit_skew *chain, const hit_chain_launch *const launch[], char *why,
                   size_t size)
{
    const int last = chain->launches;
    const hit_chain_launch *joins = launch[last];
    bool told = false;
    char other[8];

    for (int k = 0; k < 2 * joins->uses; k++) {
        const hit_chain_use *use = &joins->use[k % joins->uses];
        const int axes = use->pattern->tile_dims;

        if (use->writes != (k < joins->uses) || axes == 0) continue;
        if (chain->axes > 0 && axes != chain->axes) continue;
        if (place_by(chain, launch, use, &chain->place[last], told ? other : why,
                     told ? sizeof(other) : size)) {
            chain->axes = axes;
            chain->launches++;
            return true;
        }
        told = true;
    }
    if (!told) {
        (void)snprintf(why, size, "kernel %s: no tile has %d dimensions, as others do",
                       joins->kernel, chain->axes);
    }
    return false;
}
