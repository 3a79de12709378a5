/* SPDX-License-Identifier: MIT
 * What a launch writes lies apart from what else it touches. Indices must not meet in an
 * argument that is read and written: of one pattern neighbours are looked at, of what is
 * written and read ("[i, j] <- [i-1:i+1, j]") all indices, by distances. A tile may be
 * several arguments: covers decide, the smallest boxes around what is touched, since
 * devices copy these, and what is written goes back with the holes in its cover. Where
 * places stand in data: scatter.c. */
#include "hit/data/domain_set.h"
#include "hit/launch/launch_plan.h"

/* ---- indices of one argument ---- */

enum {
    NEIGHBOURS = 4 /* so far may two indices be that are looked at together */
};

/* An element that both indices @p x and @p y touch. */
static bool meet(const hit_pattern *pattern, const hit_domain *tile, const hit_domain *x,
                 const hit_domain *y, hit_index at[])
{
    for (int a = 0; a < pattern->count; a++) {
        const hit_domain one = hit_access_apply(&pattern->access[a], tile, x);

        for (int b = 0; b < pattern->count; b++) {
            const hit_domain other = hit_access_apply(&pattern->access[b], tile, y);
            const hit_domain both = hit_domain_intersect(&one, &other);

            if (hit_domain_first(&both, at)) return true;
        }
    }
    return false;
}

/* Indices @p from and @p to must not meet in what is read and written. */
static hit_status check_pair(const hit_call *call, const hit_pattern *pattern, int arg,
                             const hit_index from[], const hit_index to[])
{
    const hit_domain *tile = &call->args[arg].tile->domain;
    const hit_domain x = hit_domain_box(call->domain.dims, from, from);
    const hit_domain y = hit_domain_box(call->domain.dims, to, to);
    hit_index at[HIT_MAX_DIMS];
    hit_domain element;
    char text[4][256];

    if (!meet(pattern, tile, &x, &y, at)) return HIT_OK;
    element = hit_domain_box(tile->dims, at, at);
    hit_domain_print(&x, text[0], sizeof(text[0]));
    hit_domain_print(&y, text[1], sizeof(text[1]));
    hit_domain_print(&element, text[2], sizeof(text[2]));
    hit_call_print_pattern(call, arg, text[3], sizeof(text[3]));
    return HIT_FAIL(
        HIT_E_PATTERN,
        "by the pattern %s indices %s and %s both touch element %s, which "
        "mode inout writes: read from another tile, or launch on a domain with "
        "a stride",
        text[3], text[0], text[1], text[2]);
}

/* Index x reads what index y writes, or may do so. */
static hit_status tell_apart(const hit_call *call, const hit_pattern *pattern, int arg,
                             const hit_distance *distance)
{
    const hit_domain *tile = &call->args[arg].tile->domain;
    hit_index from[HIT_MAX_DIMS];
    hit_index to[HIT_MAX_DIMS];
    hit_domain x;
    hit_domain y;
    hit_domain element;
    char text[4][256];

    hit_distance_witness(distance, &call->domain, from, to);
    x = hit_domain_box(call->domain.dims, from, from);
    y = hit_domain_box(call->domain.dims, to, to);
    element = hit_access_apply(&pattern->access[0], tile, &y);
    hit_domain_print(&x, text[0], sizeof(text[0]));
    hit_domain_print(&y, text[1], sizeof(text[1]));
    hit_domain_print(&element, text[2], sizeof(text[2]));
    hit_call_print_pattern(call, arg, text[3], sizeof(text[3]));
    return HIT_FAIL(HIT_E_PATTERN,
                    "by the pattern %s index %s %s element %s, which index %s writes: "
                    "launch on a domain with a stride, read from another tile, or say in "
                    "which order they run (HIT_ORDERED_KERNEL)",
                    text[3], text[0], distance->exact ? "reads" : "may read", text[2],
                    text[1]);
}

/* What is read beside an index's own element must be no other one's. */
static hit_status check_reads(const hit_call *call, const hit_pattern *pattern, int arg)
{
    const hit_domain *tile = &call->args[arg].tile->domain;
    const hit_pattern written = hit_pattern_written(pattern);

    for (int k = written.count; k < pattern->count; k++) {
        const hit_distance distance =
            hit_pattern_distance(&written, &pattern->access[k], tile, &call->domain);

        if (!hit_distance_is_apart(&distance)) continue;
        return tell_apart(call, pattern, arg, &distance);
    }
    return HIT_OK;
}

/* Two indices by their numbers along a dimension, the others being the first ones or the
 * last. */
typedef struct pair {
    int d;
    hit_index one;
    hit_index other;
    bool last;
} pair;

static hit_status check_along(const hit_call *call, const hit_pattern *pattern, int arg,
                              pair of)
{
    const hit_domain *domain = &call->domain;
    hit_index one[HIT_MAX_DIMS];
    hit_index other[HIT_MAX_DIMS];

    for (int e = 0; e < domain->dims; e++) {
        one[e] = other[e] = of.last ? domain->sig[e].end : domain->sig[e].begin;
    }
    one[of.d] = hit_sig_at(domain->sig[of.d], of.one);
    other[of.d] = hit_sig_at(domain->sig[of.d], of.other);
    return check_pair(call, pattern, arg, one, other);
}

/* Those that a quotient or a remainder leads to one place. */
static hit_status check_folds(const hit_call *call, const hit_pattern *pattern, int arg,
                              int d)
{
    for (int a = 0; a < pattern->count; a++) {
        for (int t = 0; t < pattern->tile_dims; t++) {
            const hit_affine *begin = &pattern->access[a].range[t].begin;
            pair of = {.d = d};

            if (!hit_affine_meets(begin, &call->domain, d, &of.one, &of.other)) continue;
            HIT_TRY(check_along(call, pattern, arg, of));
        }
    }
    return HIT_OK;
}

/* The first and the last indices of each dimension that the pattern follows: what meets
 * there does so whatever the body does. Patterns that do not follow it (":") may stand
 * for accesses that depend on data. HIT_CHECK=1 looks at all indices. */
hit_status hit_launch_plan_check_inout(const hit_call *call, const hit_pattern *pattern,
                                       int arg)
{
    const hit_domain *domain = &call->domain;

    if (call->kernel->arg[arg].mode != HIT_MODE_INOUT) return HIT_OK;
    if (hit_domain_is_empty(domain)) return HIT_OK;
    if (hit_kernel_is_ordered(call->kernel)) return HIT_OK; /* they may meet */
    if (pattern->only_read > 0) return check_reads(call, pattern, arg);
    for (int d = 0; d < domain->dims; d++) {
        const hit_index count = hit_sig_count(domain->sig[d]);

        if (!hit_pattern_uses(pattern, d)) continue;
        for (hit_index k = 1; k < count && k <= NEIGHBOURS; k++) {
            HIT_TRY(check_along(call, pattern, arg, (pair){d, 0, k, false}));
            HIT_TRY(check_along(call, pattern, arg,
                                (pair){d, count - 1 - k, count - 1, true}));
        }
        HIT_TRY(check_folds(call, pattern, arg, d));
    }
    return HIT_OK;
}

/* ---- several arguments ---- */

enum {
    BASE = HIT_MAX_ARGS * HIT_MAX_ARGS + 1 /* of digits, odd: none is shifted out */
};

/* Do two arguments lie in the same memory? */
static bool share(const hit_call *call, int k, int other)
{
    const hit_tile *a = call->args[k].tile;
    const hit_tile *b = call->args[other].tile;

    return k != other && b != NULL && a->storage == b->storage;
}

static bool is_written(const hit_call *call, int k)
{
    return call->args[k].tile != NULL && call->kernel->arg[k].mode != HIT_MODE_IN;
}

/* Could they share an element, if what they touch lies in their tiles? */
static bool may_meet(const hit_call *call, int k, int other)
{
    const hit_tile *a = call->args[k].tile;
    const hit_tile *b = call->args[other].tile;

    return share(call, k, other) && (a == b || hit_domain_meets(&a->domain, &b->domain));
}

/* No hash: plans are kept by hashes of it, which would cancel each other. */
uint64_t hit_alias_of(const hit_call *call)
{
    uint64_t pairs = 0;

    for (int k = 0; k < call->count; k++) {
        if (!is_written(call, k)) continue;
        for (int other = 0; other < call->count; other++) {
            if (!may_meet(call, k, other)) continue;
            pairs = pairs * BASE + (uint64_t)k * HIT_MAX_ARGS + (uint64_t)other;
        }
    }
    return pairs;
}

/* The first pair that is not apart. */
static bool find_pair(const hit_call *call, const hit_domain need[], int both[2])
{
    for (int k = 0; k < call->count; k++) {
        if (!is_written(call, k)) continue;
        for (int other = 0; other < call->count; other++) {
            if (!share(call, k, other)) continue;
            if (!hit_domain_meets(&need[k], &need[other])) continue;
            both[0] = k;
            both[1] = other;
            return true;
        }
    }
    return false;
}

unsigned hit_alias_beside(const hit_call *call, int k)
{
    unsigned others = 0;

    if (call->alias == 0 || !is_written(call, k)) return 0;
    for (int other = 0; other < call->count; other++) {
        others |= (unsigned)may_meet(call, k, other) << other;
    }
    return others;
}

hit_status hit_alias_check(const hit_call *call, const hit_pattern pattern[])
{
    const hit_kernel *kernel = call->kernel;
    hit_domain need[HIT_MAX_ARGS];
    char touched[2][128];
    int both[2];

    if (call->alias == 0 || hit_domain_is_empty(&call->domain)) return HIT_OK;
    for (int k = 0; k < call->count; k++) {
        const hit_tile *tile = call->args[k].tile;

        if (tile == NULL) continue;
        if (pattern[k].tile_dims != tile->domain.dims) return HIT_OK;
        need[k] = hit_pattern_cover(&pattern[k], &tile->domain, &call->domain);
        /* what lies beyond a boundary may be any element of the tile */
        if (hit_domain_inside(&need[k], &tile->domain)) continue;
        need[k] = hit_domain_cover(&need[k], &tile->domain);
    }
    if (!find_pair(call, need, both)) return HIT_OK;
    for (int k = 0; k < 2; k++) {
        hit_domain_print(&need[both[k]], touched[k], sizeof(touched[k]));
    }
    return HIT_FAIL(HIT_E_ARG,
                    "kernel %s: argument %s is written and must not be argument %s as "
                    "well (both are tile %s; expected elements apart, but they touch %s "
                    "and %s)",
                    kernel->name, kernel->arg[both[0]].name, kernel->arg[both[1]].name,
                    call->args[both[0]].tile->storage->name, touched[0], touched[1]);
}
