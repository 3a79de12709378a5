/* SPDX-License-Identifier: MIT
 * From box to box of a layout: the plug-in tells the one that holds the first element
 * (hit_layout_box()), what is left of the box around it is at most one box for each
 * dimension. All ranks take less time where more than half of them would be found. */
#include "hit/base/alloc.h"
#include "hit/data/hash.h"
#include "hit/data/region.h"
#include "hit/data/sig.h"
#include "hit/topo/layout_impl.h"

#include <stdlib.h>

/* Boxes that are still to be walked. */
typedef struct stack {
    int count;
    size_t room;
    hit_hull *box;
} stack;

static hit_status push(stack *s, const hit_hull *box)
{
    HIT_TRY(HIT_ONE_MORE(s->box, s->count, s->room, "the owners of a box"));
    s->box[s->count++] = *box;
    return HIT_OK;
}

/* The part of @p box inside the layout's domain; false: there is none. */
static bool clip(const hit_domain *domain, hit_hull *box)
{
    for (int d = 0; d < domain->dims; d++) {
        const hit_sig *sig = &domain->sig[d];

        if (sig->begin > box->begin[d]) box->begin[d] = sig->begin;
        if (sig->end < box->end[d]) box->end[d] = sig->end;
        if (box->begin[d] > box->end[d]) return false;
    }
    return true;
}

/* What is left of @p box without @p part, which holds its first element. */
static hit_status push_rest(stack *s, hit_hull box, const hit_domain *part)
{
    for (int d = 0; d < part->dims; d++) {
        hit_hull rest = box;

        if (part->sig[d].end >= box.end[d]) continue;
        rest.begin[d] = part->sig[d].end + 1;
        HIT_TRY(push(s, &rest));
        box.end[d] = part->sig[d].end;
    }
    return HIT_OK;
}

static hit_status add_rank(hit_owners *owners, int rank)
{
    HIT_TRY(
        HIT_ONE_MORE(owners->rank, owners->count, owners->room, "the owners of a box"));
    owners->rank[owners->count++] = rank;
    return HIT_OK;
}

/* A part of one box is it where the plug-in does not tell. */
static bool box_around(const hit_layout *layout, int owner, const hit_index index[],
                       hit_domain *box)
{
    hit_region part = {0};
    bool found;

    if (hit_layout_box(layout, index, box)) return hit_domain_is_dense(box);
    found = hit_layout_part(layout, owner, &part) == HIT_OK && part.count == 1;
    if (found) *box = part.part[0];
    hit_region_clear(&part);
    return found && hit_domain_is_dense(box);
}

static hit_status walk(const hit_layout *layout, stack *s, hit_owners *owners)
{
    const int most = hit_layout_ranks(layout) / 2 + 1;

    while (s->count > 0 && !owners->all) {
        const hit_hull box = s->box[--s->count];
        const int owner = hit_layout_owner(layout, box.begin);
        hit_domain part;

        owners->all =
            owners->walked++ == most || !box_around(layout, owner, box.begin, &part);
        if (owners->all) return HIT_OK;
        HIT_TRY(add_rank(owners, owner));
        HIT_TRY(push_rest(s, box, &part));
    }
    return HIT_OK;
}

hit_status hit_owners_add(const hit_layout *layout, const hit_hull *box,
                          hit_owners *owners)
{
    const hit_domain domain = hit_layout_domain(layout);
    hit_hull inside = *box;
    stack s = {0};
    hit_status status;

    owners->all = owners->all || !hit_domain_is_dense(&domain);
    if (owners->all || !clip(&domain, &inside)) return HIT_OK;
    status = push(&s, &inside);
    if (status == HIT_OK) status = walk(layout, &s, owners);
    free(s.box);
    return status;
}

bool hit_owners_has(const hit_owners *owners, int rank)
{
    bool found = owners->all;

    for (int k = 0; k < owners->count && !found; k++) {
        found = owners->rank[k] == rank;
    }
    return found;
}

void hit_owners_sort(hit_owners *owners)
{
    int kept = 0;

    if (owners->count < 2) return;
    qsort(owners->rank, (size_t)owners->count, sizeof(int), hit_order_ints);
    for (int k = 0; k < owners->count; k++) {
        if (kept > 0 && owners->rank[kept - 1] == owners->rank[k]) continue;
        owners->rank[kept++] = owners->rank[k];
    }
    owners->count = kept;
}

void hit_owners_clear(hit_owners *owners)
{
    free(owners->rank);
    *owners = (hit_owners){0};
}
