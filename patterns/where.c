/* SPDX-License-Identifier: MIT
 * Boxes of indices of which some remain. A bound of one index follows from what the
 * others can be at most, over and over: of differences of two indices that ends in the
 * smallest box after as many rounds as there are dimensions (Bellman and Ford). What one
 * alternative has beyond those before it is where these fail: at their first inequality,
 * or else at the second, and so on, each of which is inequalities that all hold. */
#include "patterns/where.h"

#include "hit/data/domain_set.h"
#include "hit/data/sig.h"
#include "patterns/where_impl.h"

enum {
    MOST_ROUNDS = 2 * HIT_MAX_DIMS /* what is left then is a box that is too large */
};

/* The alternative behind *all, up to @p end; false: there is none. */
static bool next(hit_all *all, const hit_inequality *end)
{
    all->of += all->count;
    all->count = 0;
    while (all->of + all->count < end &&
           all->of[all->count].alternative == all->of->alternative) {
        all->count++;
    }
    return all->count > 0;
}

bool hit_where_next(const hit_where *where, hit_all *all)
{
    if (all->of == NULL) *all = (hit_all){0, where->of, where->source};
    return next(all, where->of + where->count);
}

/* ---- inequalities of which all hold ---- */

/* The least or the most of coef . x + offset. */
static hit_wide limit(const hit_all *all, int k, const hit_domain *box, bool most)
{
    const hit_inequality *of = &all->of[k];
    hit_wide sum = of->offset;

    if (of->source != 0) sum += hit_where_source_limit(of, all->source, box, most);
    for (int d = 0; d < box->dims; d++) {
        const hit_sig sig = box->sig[d];

        if (of->coef[d] == 0) continue;
        sum += (hit_wide)of->coef[d] * ((of->coef[d] > 0) == most ? sig.end : sig.begin);
    }
    return sum;
}

bool hit_where_pull(hit_sig *sig, hit_index coef, hit_wide room)
{
    const hit_wide by = coef < 0 ? -(hit_wide)coef : coef;
    const hit_wide extent = (hit_wide)sig->end - sig->begin;
    hit_index steps;

    if (room >= by * extent) return false;
    steps = by == 1 ? (hit_index)room : (hit_index)(room / by);
    if (sig->stride != 1) steps -= steps % sig->stride;
    if (coef > 0) {
        sig->begin = sig->end - steps;
    } else {
        sig->end = sig->begin + steps;
    }
    if (sig->begin == sig->end) sig->stride = 1;
    return true;
}

/* False: no index of the box remains. */
static bool clip(const hit_all *all, int k, hit_domain *box, bool *moved)
{
    const hit_inequality *of = &all->of[k];
    const hit_wide room = limit(all, k, box, true);

    if (room < 0) return false;
    for (int d = 0; d < box->dims; d++) {
        if (of->coef[d] != 0 && hit_where_pull(&box->sig[d], of->coef[d], room)) {
            *moved = true;
        }
    }
    return true;
}

bool hit_all_clip(const hit_all *all, hit_domain *box)
{
    bool moved = true;

    for (int round = 0; round < MOST_ROUNDS && moved; round++) {
        moved = false;
        for (int k = 0; k < all->count; k++) {
            if (!clip(all, k, box, &moved)) return false;
        }
    }
    for (int k = 0; k < all->count && moved; k++) { /* of a single index it is exact */
        if (limit(all, k, box, true) < 0) return false;
    }
    return true;
}

bool hit_all_hold(const hit_all *all, const hit_domain *box)
{
    for (int k = 0; k < all->count; k++) {
        if (limit(all, k, box, false) < 0) return false;
    }
    return true;
}

static bool all_have(const hit_all *all, const hit_slot slot[], const hit_index at[])
{
    for (int k = 0; k < all->count; k++) {
        const hit_inequality *of = &all->of[k];
        hit_wide sum = of->offset;

        if (of->source != 0) sum += hit_where_source_at(of, all->source, slot, at);
        for (int d = 0; d < HIT_MAX_DIMS; d++) {
            if (of->coef[d] != 0) sum += (hit_wide)of->coef[d] * at[d];
        }
        if (sum < 0) return false;
    }
    return true;
}

/* ---- alternatives ---- */

/* Around both parts of @p box. */
static hit_domain around(const hit_domain *a, const hit_domain *b, const hit_domain *box)
{
    hit_domain both = *a;

    for (int d = 0; d < box->dims; d++) {
        hit_sig *sig = &both.sig[d];

        if (b->sig[d].begin < sig->begin) sig->begin = b->sig[d].begin;
        if (b->sig[d].end > sig->end) sig->end = b->sig[d].end;
        sig->stride = sig->begin < sig->end ? box->sig[d].stride : 1;
    }
    return both;
}

hit_domain hit_where_clip(const hit_where *where, const hit_domain *box)
{
    hit_domain made = hit_domain_empty(box->dims);
    hit_all all = {0};
    bool any = false;

    if (where == NULL || hit_domain_is_empty(box)) return *box;
    while (hit_where_next(where, &all)) {
        hit_domain part = *box;

        if (!hit_all_clip(&all, &part)) continue;
        made = any ? around(&made, &part, box) : part;
        any = true;
    }
    return made;
}

/* How many positions at an end of dimension @p d are known to have no index: by halves,
 * since fewer of them have none either. */
static hit_index idle(const hit_where *where, const hit_domain *box, int d, bool last)
{
    const hit_index count = hit_sig_count(box->sig[d]);
    hit_index none = 0;
    hit_index some = count;

    for (hit_index most = 1; some > none + 1; most = none + (some - none) / 2) {
        hit_domain end = *box;

        end.sig[d] = hit_sig_slice(box->sig[d], last ? count - most : 0,
                                   last ? count - 1 : most - 1);
        end = hit_where_clip(where, &end);
        if (!hit_domain_is_empty(&end)) some = most;
        if (hit_domain_is_empty(&end)) none = most;
    }
    return none;
}

/* Data do not move ends of boxes: those of a process, from which follows what it needs of
 * others, are looked at. Not empty, as far as it is known. */
static hit_domain trim(const hit_where *where, hit_domain box)
{
    for (int d = 0; d < box.dims && where->sources > 0; d++) {
        const hit_index before = idle(where, &box, d, false);
        const hit_index behind = idle(where, &box, d, true);
        const hit_index count = hit_sig_count(box.sig[d]);

        if (before + behind >= count) break;
        box.sig[d] = hit_sig_slice(box.sig[d], before, count - 1 - behind);
    }
    return box;
}

hit_status hit_where_boxes(const hit_where *where, const hit_domain *box,
                           hit_region *boxes)
{
    hit_region mine = {0};
    hit_all all = {0};
    hit_status status = HIT_OK;

    if (where == NULL || hit_domain_is_empty(box)) return hit_region_append(boxes, box);
    while (hit_where_next(where, &all)) {
        hit_domain part = *box;
        int kept = mine.count;

        if (!hit_all_clip(&all, &part)) continue;
        HIT_TRY_GOTO(status, hit_region_add(&mine, &part), done);
        for (int k = kept; k < mine.count; k++) {
            part = mine.part[k];
            if (hit_all_clip(&all, &part)) mine.part[kept++] = part;
        }
        mine.count = kept;
    }
    for (int k = 0; k < mine.count; k++) {
        const hit_domain part = trim(where, mine.part[k]);

        HIT_TRY_GOTO(status, hit_region_append(boxes, &part), done);
    }
done:
    hit_region_clear(&mine);
    return status;
}

bool hit_where_holds(const hit_where *where, const hit_domain *box)
{
    hit_all all = {0};

    if (where == NULL) return true;
    while (hit_where_next(where, &all)) {
        if (hit_all_hold(&all, box)) return true;
    }
    return false;
}

bool hit_where_has(const hit_where *where, const hit_slot slot[], const hit_index at[])
{
    hit_all all = {0};

    if (where == NULL) return true;
    while (hit_where_next(where, &all)) {
        if (all_have(&all, slot, at)) return true;
    }
    return false;
}

bool hit_where_is_boxes(const hit_where *where)
{
    for (int k = 0; where != NULL && k < where->count; k++) {
        int indices = where->of[k].source != 0 ? 2 : 0;

        for (int d = 0; d < HIT_MAX_DIMS; d++) {
            indices += where->of[k].coef[d] != 0;
        }
        if (indices > 1) return false;
    }
    return true;
}

/* ---- what an alternative has beyond those before it ---- */

typedef struct leaving {
    hit_status (*visit)(void *of, const hit_all *all, const hit_domain *box);
    void *of;
    const hit_inequality *until; /* the alternative */
    const hit_where_source *source;
    int count;
    hit_inequality left[HIT_MAX_INEQUALITIES];
} leaving;

static hit_inequality opposite(const hit_inequality *of)
{
    hit_inequality made = {
        .offset = -of->offset - 1, .alternative = of->alternative, .source = -of->source};

    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        made.coef[d] = -of->coef[d];
    }
    return made;
}

/* The next alternative from @p from on that has something of the box; count 0: none. */
static hit_all find_common(const leaving *l, const hit_inequality *from,
                           const hit_domain *box)
{
    hit_all found = {.of = from, .source = l->source};

    while (next(&found, l->until)) {
        hit_domain common = *box;

        if (hit_all_clip(&found, &common)) break;
    }
    return found;
}

/* What is left of @p box, less the alternatives from @p from on. */
static hit_status leave_out(leaving *l, const hit_inequality *from, const hit_domain *box)
{
    const hit_all less = find_common(l, from, box);
    const int count = l->count;
    hit_domain both = *box;

    if (less.count == 0) {
        return l->visit(l->of, &(hit_all){l->count, l->left, l->source}, box);
    }
    for (int k = 0; k < less.count; k++) {
        hit_domain rest = both;

        if (limit(&less, k, &both, false) >= 0) continue;
        l->left[l->count++] = opposite(&less.of[k]);
        if (hit_all_clip(&(hit_all){l->count, l->left, l->source}, &rest)) {
            HIT_TRY(leave_out(l, less.of + less.count, &rest));
        }
        l->left[l->count - 1] = less.of[k];
        if (!hit_all_clip(&(hit_all){l->count, l->left, l->source}, &both)) break;
    }
    l->count = count;
    return HIT_OK;
}

hit_status hit_where_apart(const hit_where *where, const hit_domain *box,
                           hit_status (*visit)(void *of, const hit_all *all,
                                               const hit_domain *box),
                           void *of)
{
    leaving l; /* not cleared as a whole: it is large */
    hit_all all = {0};

    l.visit = visit;
    l.source = where->source;
    l.of = of;
    while (hit_where_next(where, &all)) {
        hit_domain part = *box;

        if (!hit_all_clip(&all, &part)) continue;
        l.until = all.of;
        l.count = 0;
        if (all.of == where->of) { /* nothing is left out */
            HIT_TRY(visit(of, &all, &part));
            continue;
        }
        for (int k = 0; k < all.count; k++) {
            l.left[l.count++] = all.of[k];
        }
        HIT_TRY(leave_out(&l, where->of, &part));
    }
    return HIT_OK;
}
