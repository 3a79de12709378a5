/* SPDX-License-Identifier: MIT
 * Ends of ranges that stand in data. Over a box of indices a begin is the least, an end
 * the greatest number of a box of elements: that is all that is asked of data. */
#include "patterns/lookup.h"

#include "hit/base/text.h"
#include "hit/data/extremes.h"
#include "hit/data/sig.h"
#include "patterns/transform.h"

#include <inttypes.h>
#include <stdlib.h>

void hit_lookups_clear(hit_lookup **list)
{
    while (*list != NULL) {
        hit_lookup *next = (*list)->next;

        if ((*list)->at != NULL) hit_pattern_clear((*list)->at);
        free((*list)->at);
        free(*list);
        *list = next;
    }
}

static bool looks_along(const hit_lookup *lookup, int dim)
{
    return lookup != NULL && hit_pattern_uses(lookup->at, dim);
}

bool hit_range_looks_along(const hit_range *range, int dim)
{
    return looks_along(range->low, dim) ||
           (range->high != range->low && looks_along(range->high, dim));
}

/* Numbers beyond any index stay where they are. */
static hit_index moved(hit_index number, hit_index by)
{
    hit_index sum;

    if (__builtin_add_overflow(number, by, &sum)) return number;
    return sum;
}

static bool is_known(const hit_lookup *lookup)
{
    return lookup->values != NULL && lookup->at->tile_dims == lookup->limits.dims;
}

bool hit_lookup_find(const hit_lookup *lookup, const hit_domain *index, hit_index *least,
                     hit_index *greatest)
{
    hit_domain box;

    if (!is_known(lookup)) return false;
    hit_pattern_find_cover(lookup->at, &lookup->limits, index, &box);
    box = hit_domain_intersect(&box, &lookup->limits);
    if (hit_domain_is_empty(&box)) return false;
    if (!hit_extremes_find(lookup->values, &box, least, greatest)) return false;
    *least = moved(*least, lookup->offset);
    *greatest = moved(*greatest, lookup->offset);
    return true;
}

hit_sig hit_range_look_up(const hit_range *range, const hit_domain *index,
                          hit_sig touched)
{
    const hit_sig none = {0, -1, 1};
    hit_sig found = {touched.begin, touched.end, 1};
    const bool one = range->low == range->high;
    hit_index least;
    hit_index greatest;

    if (range->low != NULL && is_known(range->low)) {
        if (!hit_lookup_find(range->low, index, &least, &greatest)) return none;
        if (least > found.begin) found.begin = least;
        if (one && greatest < found.end) found.end = greatest;
    }
    if (!one && range->high != NULL && is_known(range->high)) {
        if (!hit_lookup_find(range->high, index, &least, &greatest)) return none;
        if (greatest < found.end) found.end = greatest;
    }
    return found.end < found.begin ? none : hit_sig_intersect(touched, found);
}

void hit_access_look_up(const hit_access *access, const hit_domain *index,
                        hit_domain *touched)
{
    for (int t = 0; t < touched->dims; t++) {
        const hit_range *range = &access->range[t];

        if (range->low == NULL && range->high == NULL) continue;
        if (hit_domain_is_empty(touched)) return;
        touched->sig[t] = hit_range_look_up(range, index, touched->sig[t]);
    }
    if (hit_domain_is_empty(touched)) *touched = hit_domain_empty(touched->dims);
}

void hit_lookup_print(const hit_lookup *lookup, const char *const names[], char *text,
                      size_t size)
{
    char at[160] = "";

    if (!lookup->own) hit_pattern_print(lookup->at, names, at, sizeof at);
    hit_text_add(text, size, "%s%s", lookup->name, at);
    if (lookup->offset != 0) hit_text_add(text, size, "%+" PRId64, lookup->offset);
}
