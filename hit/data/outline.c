/* SPDX-License-Identifier: MIT
 * Loops without branches over short numbers, of which a register holds several. */
#include "hit/base/alloc.h"
#include "hit/data/fence.h"

#include <string.h>

static int32_t bounded(hit_index value)
{
    if (value < INT32_MIN) return INT32_MIN;
    return value > INT32_MAX ? INT32_MAX : (int32_t)value;
}

hit_outline hit_outline_of(const hit_domain *box)
{
    hit_outline of;

    for (int d = 0; d < HIT_OUTLINE_DIMS; d++) {
        const bool known = box != NULL && d < box->dims;

        of.begin[d] = known ? bounded(box->sig[d].begin) : INT32_MIN;
        of.end[d] = known ? bounded(box->sig[d].end) : INT32_MAX;
    }
    return of;
}

static size_t sets_of(int boxes)
{
    return ((size_t)boxes + HIT_OUTLINES - 1) / HIT_OUTLINES;
}

/* Those that are not set yet are compared, too, and do not count. */
hit_status hit_outlines_resize(int from, int to, hit_outlines **outlines)
{
    const size_t known = sets_of(from);
    const size_t sets = sets_of(to);

    HIT_TRY(hit_memory_resize(sets, sizeof(**outlines), "a dependency log", outlines));
    memset(*outlines + known, 0, (sets - known) * sizeof(**outlines));
    return HIT_OK;
}

void hit_outlines_set(hit_outlines *outlines, int k, const hit_domain *box)
{
    hit_outlines *set = &outlines[k / HIT_OUTLINES];
    const hit_outline of = hit_outline_of(box);

    for (int d = 0; d < HIT_OUTLINE_DIMS; d++) {
        set->begin[d][k % HIT_OUTLINES] = of.begin[d];
        set->end[d][k % HIT_OUTLINES] = of.end[d];
    }
}

/* Which of a set? */
static bool any_near(const hit_outlines *set, const hit_outline *near,
                     int32_t is[HIT_OUTLINES])
{
    int32_t any = 0;

    for (int k = 0; k < HIT_OUTLINES; k++) {
        int32_t in = 1;

        for (int d = 0; d < HIT_OUTLINE_DIMS; d++) {
            in &= (set->begin[d][k] <= near->end[d]) & (set->end[d][k] >= near->begin[d]);
        }
        is[k] = in;
        any |= in;
    }
    return any != 0;
}

int hit_outlines_next(const hit_outlines *outlines, int k, int count,
                      const hit_outline *near)
{
    int32_t is[HIT_OUTLINES];

    while (k < count) {
        const int end = (k / HIT_OUTLINES + 1) * HIT_OUTLINES;

        if (!any_near(&outlines[k / HIT_OUTLINES], near, is)) k = end;
        for (; k < end && k < count; k++) {
            if (is[k % HIT_OUTLINES] != 0) return k;
        }
    }
    return -1;
}
