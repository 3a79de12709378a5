/* SPDX-License-Identifier: MIT
 * Covers decide, the smallest boxes around what is touched: devices copy these, and what
 * is written goes back with the holes in its cover. */
#include "hit/data/domain_set.h"
#include "hit/launch/call.h"
#include "patterns/transform.h"

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
static bool find_pair(const hit_call *call, const hit_domain need[], int pair[2])
{
    for (int k = 0; k < call->count; k++) {
        if (!is_written(call, k)) continue;
        for (int other = 0; other < call->count; other++) {
            if (!share(call, k, other)) continue;
            if (!hit_domain_meets(&need[k], &need[other])) continue;
            pair[0] = k;
            pair[1] = other;
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
    int pair[2];

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
    if (!find_pair(call, need, pair)) return HIT_OK;
    for (int k = 0; k < 2; k++) {
        hit_domain_print(&need[pair[k]], touched[k], sizeof(touched[k]));
    }
    return HIT_FAIL(HIT_E_ARG,
                    "kernel %s: argument %s is written and must not be argument %s as "
                    "well (both are tile %s; expected elements apart, but they touch %s "
                    "and %s)",
                    kernel->name, kernel->arg[pair[0]].name, kernel->arg[pair[1]].name,
                    call->args[pair[0]].tile->storage->name, touched[0], touched[1]);
}
