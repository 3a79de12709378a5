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
 * A dimension of a tile that is no axis, since an index touches a range of it that does
 * not depend on the index, keeps no two indices apart: where the order of the axes is
 * kept, so is that of all its elements.
 *
 * @paper [Wonnacott2000] skewing of time steps; differs: the distances come from the
 * annotations of unlike kernels with domains of their own */
#include "hit/chain/chain.h"
#include "hit/data/domain_set.h"

#include <stdio.h>
#include <string.h>

typedef struct interval {
    hit_index low;
    hit_index high;
} interval;

/* The index that both ends of a range follow with coefficient 1: its dimension; -1: none,
 * the range is fixed; -2: it is something else. Asked for each pair of launches: it calls
 * nothing. */
static int followed(const hit_range *range, int dims)
{
    const hit_affine *begin = &range->begin;
    const hit_affine *end = &range->end;
    int found = -1;

    if (begin->infinite || end->infinite) return -2;
    if (begin->fold != HIT_FOLD_NONE || end->fold != HIT_FOLD_NONE) return -2;
    for (int d = 0; d < dims; d++) {
        const hit_index coef = begin->coef[d];

        if (coef != end->coef[d]) return -2;
        if (coef == 0) continue;
        if (coef != 1 || found >= 0) return -2;
        found = d;
    }
    return found;
}

bool hit_chain_interval(const hit_pattern *pattern, int dim, int index, hit_index *low,
                        hit_index *high)
{
    for (int k = 0; k < pattern->count; k++) {
        const hit_range *range = &pattern->access[k].range[dim];

        if (followed(range, pattern->index_dims) != index) return false;
        if (k == 0 || range->begin.offset < *low) *low = range->begin.offset;
        if (k == 0 || range->end.offset > *high) *high = range->end.offset;
    }
    return true;
}

bool hit_chain_reach(const hit_chain_place *place, const hit_chain_use *use, int axis,
                     int dim, hit_index *low, hit_index *high)
{
    if (!hit_chain_interval(use->pattern, dim, place->index[axis], low, high)) {
        return false;
    }
    if (place->index[axis] >= 0) return true;
    *low -= place->begin[axis];
    *high -= place->begin[axis];
    return true;
}

hit_index hit_chain_breadth(const hit_skew *chain, const hit_chain_use *use)
{
    const hit_chain_axes *of = &chain->of[use->storage];
    hit_index breadth = 1;

    if (of->since == 0) return 0;
    for (int t = 0; t < use->cover.dims; t++) {
        bool axis = false;

        for (int c = 0; c < chain->axes; c++) {
            axis = axis || of->dim[c] == t;
        }
        if (!axis) breadth *= hit_sig_count(use->cover.sig[t]);
    }
    return breadth;
}

/* ---- axes ---- */

/* How a use touches a dimension of its tile. */
typedef enum touch {
    FOLLOWS, /* an index, from index + constant on */
    FIXED,   /* some elements, whatever the index */
    WHOLE,   /* all of them */
    OTHER
} touch;

static touch touch_of(const hit_chain_use *use, int t)
{
    const hit_pattern *pattern = use->pattern;
    const hit_sig all = use->tile.sig[t];
    touch found = FIXED;

    if (followed(&pattern->access[0].range[t], pattern->index_dims) >= 0) return FOLLOWS;
    for (int k = 0; k < pattern->count; k++) {
        const hit_affine begin = pattern->access[k].range[t].begin;
        const hit_affine end = pattern->access[k].range[t].end;
        const bool low = begin.infinite || begin.offset <= all.begin;
        const bool high = end.infinite || end.offset >= all.end;

        for (int d = 0; d < pattern->index_dims; d++) {
            if (!begin.infinite && begin.coef[d] != 0) return OTHER;
            if (!end.infinite && end.coef[d] != 0) return OTHER;
        }
        if (begin.infinite != end.infinite) return OTHER;
        if (begin.infinite || (low && high && all.begin < all.end)) found = WHOLE;
    }
    return found;
}

static void follows_none(const hit_chain_launch *launch, const hit_chain_use *use,
                         int dim, char *why, size_t size)
{
    (void)snprintf(why, size,
                   "kernel %s, argument %s: dimension %d follows no index of its own",
                   launch->kernel, use->name, dim);
}

/* The dimensions that are axes where a use says the positions: those that are not whole;
 * or only those that follow an index, or all, if a chain has so many, *axes. 0: it has
 * none yet. False: @p why says the reason. */
static bool choose_axes(const hit_chain_launch *launch, const hit_chain_use *use,
                        int *axes, int dim[], char *why, size_t size)
{
    const int dims = use->pattern->tile_dims;
    touch kind[HIT_MAX_DIMS];
    int up_to[OTHER + 1] = {0}; /* how many there are of the kinds up to each */
    touch last = FIXED;

    for (int t = 0; t < dims; t++) {
        kind[t] = touch_of(use, t);
        for (int k = (int)kind[t]; k <= OTHER; k++) {
            up_to[k]++;
        }
        if (kind[t] < OTHER) continue;
        follows_none(launch, use, t, why, size);
        return false;
    }
    if (*axes > 0 && up_to[FIXED] != *axes) last = FOLLOWS;
    if (*axes == dims || up_to[FIXED] == 0) last = WHOLE;
    if (*axes > 0 && up_to[last] != *axes) {
        (void)snprintf(why, size, "kernel %s: no tile has %d dimensions, as others do",
                       launch->kernel, *axes);
        return false;
    }
    *axes = 0;
    for (int t = 0; t < dims; t++) {
        if (kind[t] <= last) dim[(*axes)++] = t;
    }
    return true;
}

/* The position of an index is what the first expression of a use says. A dimension that
 * follows no index of its own is returned; -1: none. */
static int set_positions(const hit_domain *domain, const hit_pattern *pattern, int axes,
                         const int dim[], hit_chain_place *place)
{
    unsigned taken = 0;

    memset(place, 0, sizeof(*place));
    for (int c = 0; c < axes; c++) {
        const hit_range *range = &pattern->access[0].range[dim[c]];
        const int index = followed(range, domain->dims);

        if (index == -2 || (index >= 0 && (taken >> index & 1u) != 0)) return dim[c];
        if (index >= 0) taken |= 1u << index;
        place->index[c] = index;
        place->begin[c] = range->begin.offset;
        place->end[c] = range->begin.offset;
        if (index < 0) continue;
        place->begin[c] = domain->sig[index].begin;
        place->end[c] = domain->sig[index].end;
    }
    return -1;
}

/* The dimension of a use in which it follows an axis; -1: none. */
static int find_dim(const hit_chain_use *use, int index)
{
    hit_index low;
    hit_index high;

    for (int t = 0; index >= 0 && t < use->pattern->tile_dims; t++) {
        if (hit_chain_interval(use->pattern, t, index, &low, &high)) return t;
    }
    return -1;
}

/* The dimensions of a use that are axes. Those of a tile with as many dimensions as there
 * are axes all are: one that follows no axis is what is left, in their order. False: it
 * cannot be said of all axes. */
static bool set_dims(const hit_chain_use *use, const hit_chain_place *place, int axes,
                     int dim[])
{
    const bool same = use->pattern->tile_dims == axes;
    unsigned taken = 0;
    bool all = true;

    for (int c = 0; c < axes; c++) {
        dim[c] = find_dim(use, place->index[c]);
        if (dim[c] >= 0) taken |= 1u << dim[c];
    }
    for (int c = 0; c < axes; c++) {
        for (int t = 0; t < axes && same && dim[c] < 0; t++) {
            if ((taken >> t & 1u) == 0) dim[c] = t;
        }
        all = all && dim[c] >= 0;
        if (dim[c] >= 0) taken |= 1u << dim[c];
    }
    return all;
}

/* Which dimensions are axes in the other tiles of the last launch, as far as that can be
 * said. */
static void set_others(hit_skew *chain, const hit_chain_launch *launch, int axes)
{
    const hit_chain_place *place = &chain->place[chain->launches];

    for (int u = 0; u < launch->uses; u++) {
        const hit_chain_use *use = &launch->use[u];
        hit_chain_axes *of = &chain->of[use->storage];

        if (of->since > 0 || use->pattern->tile_dims < axes) continue;
        if (set_dims(use, place, axes, of->dim)) of->since = chain->launches + 1;
    }
}

void hit_skew_cut(hit_skew *chain, int launches)
{
    chain->launches = launches;
    for (int s = 0; s < HIT_CHAIN_STORAGES; s++) {
        if (chain->of[s].since > launches) chain->of[s].since = 0;
    }
}

/* ---- order ---- */

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
    const hit_skew *chain;
    int axes;
    bool *met; /* the second has met one before: its shifts are set */
} pair;

static void raise(hit_index *value, bool met, hit_index least)
{
    if (!met || *value < least) *value = least;
}

static bool order_axis(pair *p, const hit_chain_use *before, const hit_chain_use *after,
                       int c, char *why, size_t size)
{
    const int dim = p->chain->of[before->storage].dim[c];
    interval m = {0, 0};
    interval l = {0, 0};
    const bool old = hit_chain_reach(p->first, before, c, dim, &m.low, &m.high);

    if (!old || !hit_chain_reach(p->second, after, c, dim, &l.low, &l.high)) {
        (void)snprintf(why, size,
                       "kernel %s, argument %s: dimension %d does not follow the "
                       "index by which kernel %s writes",
                       (old ? p->after : p->before)->kernel, (old ? after : before)->name,
                       dim, (old ? p->after : p->before)->kernel);
        return false;
    }
    raise(&p->second->shift[c], *p->met, p->first->shift[c] + l.high - m.low);
    raise(&p->second->growth[c], *p->met, p->first->growth[c] + m.high - l.low);
    if (c < p->axes - 1) return true;
    raise(&p->second->line_shift, *p->met,
          p->first->line_shift + in_lines(l.high - m.low, p->chain->line));
    return true;
}

static bool order(pair *p, const hit_chain_use *before, const hit_chain_use *after,
                  char *why, size_t size)
{
    if (p->chain->of[after->storage].since == 0) {
        (void)snprintf(why, size,
                       "kernel %s, argument %s: expected %d dimensions that follow "
                       "indices, as of other tiles that are written, but found %d "
                       "dimensions",
                       p->after->kernel, after->name, p->axes, after->pattern->tile_dims);
        return false;
    }
    for (int c = 0; c < p->axes; c++) {
        if (!order_axis(p, before, after, c, why, size)) return false;
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

/* A use without what is only read. */
static hit_chain_use written_of(const hit_chain_use *use, hit_pattern *written)
{
    hit_chain_use of = *use;

    *written = hit_pattern_written(use->pattern);
    of.pattern = written;
    return of;
}

/* What one writes, and all that the other touches. */
static bool order_written(pair *p, const hit_chain_use *before,
                          const hit_chain_use *after, char *why, size_t size)
{
    hit_pattern pattern;
    hit_chain_use written;

    if (before->pattern->only_read == 0 && after->pattern->only_read == 0) {
        return order(p, before, after, why, size);
    }
    written = written_of(before, &pattern);
    if (before->writes && !order(p, &written, after, why, size)) return false;
    if (!after->writes) return true;
    written = written_of(after, &pattern);
    return order(p, before, &written, why, size);
}

static bool order_pair(pair *p, char *why, size_t size)
{
    for (int u = 0; u < p->before->uses; u++) {
        for (int v = 0; v < p->after->uses; v++) {
            const hit_chain_use *before = &p->before->use[u];
            const hit_chain_use *after = &p->after->use[v];

            if (!may_meet(before, after)) continue;
            if (!order_written(p, before, after, why, size)) return false;
        }
    }
    return true;
}

/* The positions of the last launch and the axes of its tiles, if @p basis says the
 * positions. */
static bool place_by(hit_skew *chain, const hit_chain_launch *launch,
                     const hit_chain_use *basis, int *axes, char *why, size_t size)
{
    hit_chain_axes *of = &chain->of[basis->storage];
    int not_own;

    if (of->since == 0 || basis->pattern->tile_dims < *axes) {
        if (!choose_axes(launch, basis, axes, of->dim, why, size)) return false;
        of->since = chain->launches + 1;
    }
    not_own = set_positions(&launch->domain, basis->pattern, *axes, of->dim,
                            &chain->place[chain->launches]);
    if (not_own >= 0) {
        follows_none(launch, basis, not_own, why, size);
        return false;
    }
    set_others(chain, launch, *axes);
    return true;
}

/* Do all dependencies have distances? */
static bool order_all(hit_skew *chain, const hit_chain_launch *const launch[], int axes,
                      char *why, size_t size)
{
    const int last = chain->launches;
    bool met = false;

    for (int m = 0; m < last; m++) {
        pair p = {launch[m], launch[last], &chain->place[m], &chain->place[last], chain,
                  axes,      &met};

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
        char *text = told ? other : why;
        const size_t room = told ? sizeof(other) : size;
        int axes = chain->axes;

        if (use->writes != (k < joins->uses) || use->pattern->tile_dims == 0) continue;
        if (place_by(chain, joins, use, &axes, text, room) &&
            order_all(chain, launch, axes, text, room)) {
            chain->axes = axes;
            chain->launches++;
            return true;
        }
        hit_skew_cut(chain, last);
        told = true;
    }
    if (!told) {
        (void)snprintf(why, size, "kernel %s: no tile has %d dimensions, as others do",
                       joins->kernel, chain->axes);
    }
    return false;
}
