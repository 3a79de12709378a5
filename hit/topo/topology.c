/* SPDX-License-Identifier: MIT
 * Process grids. MPI_Dims_create() and Hitmap's plain arrays of processes look at the
 * number of ranks only; here all factorisations are tried and the one that fits the
 * domain is taken, so that a 100 x 1 domain is not cut along its second dimension. */
#include "hit/topo/topology.h"

#include "hit/data/sig.h"

/** The best grid so far, and the one that is being filled. */
typedef struct search {
    hit_index count[HIT_MAX_DIMS]; /**< positions of the domain */
    bool cut[HIT_MAX_DIMS];
    hit_topology now;
    hit_topology best;
    double best_parts;
    double best_surface;
} search;

static hit_index parts_along(const search *s, int dim)
{
    return s->now.size[dim] < s->count[dim] ? s->now.size[dim] : s->count[dim];
}

/** 1: a comes before b, because its first dimensions are cut more. */
static bool cuts_earlier(const hit_topology *a, const hit_topology *b)
{
    for (int d = 0; d < a->dims; d++) {
        if (a->size[d] != b->size[d]) return a->size[d] > b->size[d];
    }
    return false;
}

/** Keep the complete grid `now` if it is better than the best one. */
static void judge(search *s)
{
    double parts = 1.0;
    double surface = 0.0; /* per element of the domain, so that it cannot overflow */
    bool better;

    for (int d = 0; d < s->now.dims; d++) {
        hit_index along = parts_along(s, d);

        parts *= (double)along;
        surface += (double)(along - 1) / (double)s->count[d];
    }
    /* Surfaces that are equal but for the order of the additions must count as equal. */
    if (parts != s->best_parts) {
        better = parts > s->best_parts;
    } else if (surface < s->best_surface * (1.0 - 1e-12)) {
        better = true;
    } else if (surface > s->best_surface * (1.0 + 1e-12)) {
        better = false;
    } else {
        better = cuts_earlier(&s->now, &s->best);
    }
    if (!better) return;
    s->best = s->now;
    s->best_parts = parts;
    s->best_surface = surface;
}

/** Try all ways to arrange @p rest ranks along the dimensions from @p dim on. */
static void try_from(search *s, int dim, int rest)
{
    if (dim == s->now.dims - 1) {
        if (rest > 1 && !s->cut[dim]) return;
        s->now.size[dim] = rest;
        judge(s);
        return;
    }
    for (int factor = 1; factor <= rest / factor; factor++) {
        if (rest % factor != 0) continue;
        if (factor == 1 || s->cut[dim]) {
            s->now.size[dim] = factor;
            try_from(s, dim + 1, rest / factor);
        }
        if (factor != rest / factor && s->cut[dim]) {
            s->now.size[dim] = rest / factor;
            try_from(s, dim + 1, factor);
        }
    }
}

hit_topology hit_topology_fit(const hit_domain *domain, int ranks, const bool cut[])
{
    search s = {.now.dims = domain->dims, .best.dims = domain->dims, .best_parts = 0.0};
    bool any = false;

    if (domain->dims == 0) return s.best;
    for (int d = 0; d < domain->dims; d++) {
        hit_index count = hit_sig_count(domain->sig[d]);

        s.count[d] = count > 0 ? count : 1;
        s.cut[d] = cut == NULL || cut[d];
        any = any || s.cut[d];
    }
    if (!any) s.cut[0] = true;
    try_from(&s, 0, ranks);
    return s.best;
}

int hit_topology_ranks(const hit_topology *topology)
{
    int ranks = 1;

    for (int d = 0; d < topology->dims; d++) {
        ranks *= topology->size[d];
    }
    return ranks;
}

void hit_topology_coords(const hit_topology *topology, int rank, int coord[])
{
    for (int d = topology->dims - 1; d >= 0; d--) {
        coord[d] = rank % topology->size[d];
        rank /= topology->size[d];
    }
}

int hit_topology_rank(const hit_topology *topology, const int coord[])
{
    int rank = 0;

    for (int d = 0; d < topology->dims; d++) {
        rank = rank * topology->size[d] + coord[d];
    }
    return rank;
}
