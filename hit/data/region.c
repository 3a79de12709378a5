/* SPDX-License-Identifier: MIT
 * Regions: sets that are not products, such as what a star of accesses needs beyond a
 * process's own part. Parts of a difference (hit_rest) are not joined again afterwards.
 */
#include "hit/data/region.h"

#include "hit/base/alloc.h"

#include <limits.h>
#include <stdlib.h>

void hit_region_clear(hit_region *region)
{
    free(region->part);
    *region = (hit_region){0};
}

static hit_status reserve(hit_region *region, int more)
{
    if (more == 0) return HIT_OK;
    if (region->part != NULL && more <= region->capacity - region->count) return HIT_OK;
    if (more > INT_MAX / 2 - region->count) {
        return HIT_FAIL(HIT_E_NOMEM, "expected a region of less than %d domains",
                        INT_MAX / 2);
    }
    int capacity = region->count + more;
    if (capacity < 2 * region->capacity) capacity = 2 * region->capacity;
    HIT_TRY(hit_memory_resize((size_t)capacity, sizeof *region->part, "a region",
                              &region->part));
    region->capacity = capacity;
    return HIT_OK;
}

hit_status hit_region_append(hit_region *region, const hit_domain *domain)
{
    if (hit_domain_is_empty(domain)) return HIT_OK;
    HIT_TRY(reserve(region, 1));
    region->part[region->count++] = *domain;
    return HIT_OK;
}

hit_status hit_region_append_rest(hit_region *region, const hit_domain *part,
                                  const hit_domain *hole)
{
    hit_rest rest = hit_rest_of(part, hole);
    hit_domain box;

    while (hit_rest_next(&rest, &box)) {
        HIT_TRY(hit_region_append(region, &box));
    }
    return HIT_OK;
}

static bool touches(const hit_region *region, const hit_domain *domain)
{
    for (int i = 0; i < region->count; i++) {
        if (hit_domain_meets(&region->part[i], domain)) return true;
    }
    return false;
}

hit_status hit_region_subtract(hit_region *region, const hit_domain *domain)
{
    hit_region rest = {0};
    hit_status st;

    if (!touches(region, domain)) return HIT_OK;
    HIT_TRY(reserve(&rest, region->count));
    for (int i = 0; i < region->count; i++) {
        HIT_TRY_GOTO(st, hit_region_append_rest(&rest, &region->part[i], domain),
                     clear_rest);
    }
    hit_region_clear(region);
    *region = rest;
    return HIT_OK;

clear_rest:
    hit_region_clear(&rest);
    return st;
}

/* The elements of domain that are not in the region. */
static hit_status missing(const hit_region *region, const hit_domain *domain,
                          hit_region *lack)
{
    hit_region rest = {0};
    hit_status st;

    HIT_TRY(hit_region_append(&rest, domain));
    for (int i = 0; i < region->count && rest.count > 0; i++) {
        HIT_TRY_GOTO(st, hit_region_subtract(&rest, &region->part[i]), clear_rest);
    }
    *lack = rest;
    return HIT_OK;

clear_rest:
    hit_region_clear(&rest);
    return st;
}

hit_status hit_region_add(hit_region *region, const hit_domain *domain)
{
    hit_region lack = {0};
    hit_status st;

    HIT_TRY(missing(region, domain, &lack));
    HIT_TRY_GOTO(st, reserve(region, lack.count), clear_lack);
    for (int i = 0; i < lack.count; i++) {
        region->part[region->count++] = lack.part[i];
    }

clear_lack:
    hit_region_clear(&lack);
    return st;
}

void hit_region_clip(hit_region *region, const hit_domain *domain)
{
    int kept = 0;

    for (int i = 0; i < region->count; i++) {
        hit_domain common = hit_domain_intersect(&region->part[i], domain);
        if (!hit_domain_is_empty(&common)) region->part[kept++] = common;
    }
    region->count = kept;
}

hit_status hit_region_copy(const hit_region *from, hit_region *to)
{
    hit_region copy = {0};

    if (from == to) return HIT_OK;
    HIT_TRY(reserve(&copy, from->count));
    for (int i = 0; i < from->count; i++) {
        copy.part[copy.count++] = from->part[i];
    }
    hit_region_clear(to);
    *to = copy;
    return HIT_OK;
}

hit_index hit_region_count(const hit_region *region)
{
    hit_index count = 0;

    for (int i = 0; i < region->count; i++) {
        hit_index size = hit_domain_count(&region->part[i]);
        if (__builtin_add_overflow(count, size, &count)) return INT64_MAX;
    }
    return count;
}

bool hit_region_has(const hit_region *region, const hit_index index[])
{
    for (int i = 0; i < region->count; i++) {
        if (hit_domain_has(&region->part[i], index)) return true;
    }
    return false;
}

hit_status hit_region_covers(const hit_region *region, const hit_domain *domain,
                             bool *yes)
{
    hit_region lack = {0};

    HIT_TRY(missing(region, domain, &lack));
    *yes = lack.count == 0;
    hit_region_clear(&lack);
    return HIT_OK;
}
