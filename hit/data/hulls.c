/* SPDX-License-Identifier: MIT
 * Hulls, and a binary tree of them over a list as it stands: parts of layouts and pieces
 * of tiles come row by row, so that half a list is half of the space, and nothing need be
 * sorted. Node k stands over nodes 2 k and 2 k + 1; below the lowest ones are groups of
 * the list, which are looked at one by one. */
#include "hit/base/memory.h"
#include "hit/data/nearby.h"

#include <stdlib.h>

enum {
    GROUP = 16
};

hit_hull hit_hull_of_nothing(void)
{
    hit_hull made;

    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        made.begin[d] = INT64_MAX;
        made.end[d] = INT64_MIN;
    }
    return made;
}

hit_hull hit_hull_of(const hit_domain *box)
{
    hit_hull made = hit_hull_of_nothing();

    hit_hull_widen(&made, box);
    return made;
}

void hit_hull_widen(hit_hull *hull, const hit_domain *box)
{
    for (int d = 0; d < box->dims; d++) {
        const hit_sig *sig = &box->sig[d];

        if (sig->begin < hull->begin[d]) hull->begin[d] = sig->begin;
        if (sig->end > hull->end[d]) hull->end[d] = sig->end;
    }
}

bool hit_hull_meets(const hit_hull *a, const hit_hull *b, int dims)
{
    for (int d = 0; d < dims; d++) {
        if (a->begin[d] > b->end[d] || b->begin[d] > a->end[d]) return false;
    }
    return true;
}

hit_hull hit_hull_around(const hit_hull *a, const hit_hull *b)
{
    hit_hull made = *a;

    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        if (b->begin[d] < made.begin[d]) made.begin[d] = b->begin[d];
        if (b->end[d] > made.end[d]) made.end[d] = b->end[d];
    }
    return made;
}

hit_status hit_hulls_make(const hit_domain box[], int count, hit_hulls *made)
{
    hit_hull *node = NULL;
    int leaves = 1;

    while (leaves < (count + GROUP - 1) / GROUP) {
        leaves *= 2;
    }
    if (leaves > 1) {
        HIT_TRY(hit_memory_zeroed(2 * (size_t)leaves, sizeof *node, &node));
        for (int k = 0; k < leaves; k++) {
            node[leaves + k] = hit_hull_of_nothing();
        }
        for (int k = 0; k < count; k++) {
            hit_hull_widen(&node[leaves + k / GROUP], &box[k]);
        }
        for (size_t k = (size_t)leaves - 1; k > 0; k--) {
            node[k] = hit_hull_around(&node[2 * k], &node[2 * k + 1]);
        }
    }
    *made = (hit_hulls){.count = count, .box = box, .node = node, .leaves = leaves};
    return HIT_OK;
}

static bool is_near(const hit_domain *box, const hit_hull *near)
{
    for (int d = 0; d < box->dims; d++) {
        if (box->sig[d].begin > near->end[d] || near->begin[d] > box->sig[d].end) {
            return false;
        }
    }
    return true;
}

static int next_in_group(const hit_hulls *hulls, int from, int end, const hit_hull *near)
{
    if (end > hulls->count) end = hulls->count;
    for (int k = from; k < end; k++) {
        if (is_near(&hulls->box[k], near)) return k;
    }
    return -1;
}

/* The next node in the order of the list that is not below this one. */
static int behind(int node)
{
    while (node % 2 == 1 && node > 1) {
        node /= 2;
    }
    return node == 1 ? 0 : node + 1;
}

int hit_hulls_next(const hit_hulls *hulls, int from, const hit_hull *near)
{
    int node = hulls->leaves + from / GROUP;

    if (from >= hulls->count) return -1;
    if (hulls->node == NULL) return next_in_group(hulls, from, hulls->count, near);
    while (node != 0) {
        const int leaf = node - hulls->leaves;
        int found = -1;

        if (!hit_hull_meets(&hulls->node[node], near, hulls->box[0].dims)) {
            node = behind(node);
            continue;
        }
        if (leaf < 0) {
            node *= 2;
            continue;
        }
        found = next_in_group(hulls, leaf * GROUP > from ? leaf * GROUP : from,
                              (leaf + 1) * GROUP, near);
        if (found >= 0) return found;
        node = behind(node);
    }
    return -1;
}

int hit_hulls_holding(const hit_hulls *hulls, const hit_domain *box)
{
    const hit_hull near = hit_hull_of(box);
    int k = hit_hulls_next(hulls, 0, &near);

    while (k >= 0 && !hit_domain_inside(box, &hulls->box[k])) {
        k = hit_hulls_next(hulls, k + 1, &near);
    }
    return k;
}

void hit_hulls_clear(hit_hulls *hulls)
{
    free(hulls->node);
    *hulls = (hit_hulls){0};
}
