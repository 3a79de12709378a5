/* SPDX-License-Identifier: MIT
 * Boxes of indices of which some remain. A bound of one index follows from what the
 * others can be at most, over and over: of differences of two indices that ends in the
 * smallest box after as many rounds as there are dimensions (Bellman and Ford). */
#include "patterns/where.h"

#include "hit/data/domain_set.h"
#include "hit/data/sig.h"
#include "patterns/line.h"

enum {
    MOST_ROUNDS = 2 * HIT_MAX_DIMS /* what is left then is a box that is too large */
};

/* ---- boxes ---- */

/* The least or the most of coef . x + offset. */
static hit_wide limit(const hit_inequality *of, const hit_domain *box, bool most)
{
    hit_wide sum = of->offset;

    for (int d = 0; d < box->dims; d++) {
        const hit_sig sig = box->sig[d];

        if (of->coef[d] == 0) continue;
        sum += (hit_wide)of->coef[d] * ((of->coef[d] > 0) == most ? sig.end : sig.begin);
    }
    return sum;
}

/* The end of a signature from which the index is at most @p room / |coef| away, all
 * others being as good as they can be; false: it is no nearer than it was. */
static bool pull(hit_sig *sig, hit_index coef, hit_wide room)
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
static bool clip(const hit_inequality *of, hit_domain *box, bool *moved)
{
    const hit_wide room = limit(of, box, true);

    if (room < 0) return false;
    for (int d = 0; d < box->dims; d++) {
        if (of->coef[d] != 0 && pull(&box->sig[d], of->coef[d], room)) *moved = true;
    }
    return true;
}

hit_domain hit_where_clip(const hit_where *where, const hit_domain *box)
{
    hit_domain made = *box;
    bool moved = true;

    if (where == NULL || hit_domain_is_empty(box)) return made;
    for (int round = 0; round < MOST_ROUNDS && moved; round++) {
        moved = false;
        for (int k = 0; k < where->count; k++) {
            if (!clip(&where->of[k], &made, &moved)) return hit_domain_empty(box->dims);
        }
    }
    return made;
}

bool hit_where_holds(const hit_where *where, const hit_domain *box)
{
    for (int k = 0; where != NULL && k < where->count; k++) {
        if (limit(&where->of[k], box, false) < 0) return false;
    }
    return true;
}

bool hit_where_has(const hit_where *where, const hit_index at[])
{
    for (int k = 0; where != NULL && k < where->count; k++) {
        hit_wide sum = where->of[k].offset;

        for (int d = 0; d < HIT_MAX_DIMS; d++) {
            if (where->of[k].coef[d] != 0) sum += (hit_wide)where->of[k].coef[d] * at[d];
        }
        if (sum < 0) return false;
    }
    return true;
}

/* The first dimension of more than one index; -1: there is none. */
static int open_dimension(const hit_domain *box)
{
    for (int d = 0; d < box->dims; d++) {
        if (box->sig[d].begin < box->sig[d].end) return d;
    }
    return -1;
}

/* One index of a dimension. */
static hit_domain slice(const hit_domain *box, int d, hit_index k)
{
    const hit_index at = hit_sig_at(box->sig[d], k);
    hit_domain one = *box;

    one.sig[d] = (hit_sig){at, at, 1};
    return one;
}

/* Rows: of the inequalities that do not hold for all of a box, dimension d and at most
 * one behind it, e, have more than one index in it. Of each index along d a range along e
 * remains. */
typedef struct rows {
    int d;
    int e;
    int count;
    struct {
        hit_wide base; /* what the other dimensions add to the offset */
        hit_index along;
        hit_index across;
    } of[HIT_MAX_INEQUALITIES];
} rows;

/* False: they are not. */
static bool find_rows(const hit_where *where, const hit_domain *box, int d, rows *made)
{
    *made = (rows){.d = d, .e = d};
    for (int k = 0; k < where->count; k++) {
        const hit_inequality *of = &where->of[k];
        hit_wide base = of->offset;

        if (limit(of, box, false) >= 0) continue;
        for (int e = 0; e < box->dims; e++) {
            const bool open = box->sig[e].begin < box->sig[e].end;

            if (of->coef[e] == 0 || e == d) continue;
            if (!open) base += (hit_wide)of->coef[e] * box->sig[e].begin;
            if (open && made->e != d && made->e != e) return false;
            if (open) made->e = e;
        }
        made->of[made->count].base = base;
        made->of[made->count].along = of->coef[d];
        made->of[made->count++].across = made->e != d ? of->coef[made->e] : 0;
    }
    /* those that were seen before e was */
    for (int k = 0, r = 0; k < where->count && made->e != d; k++) {
        if (limit(&where->of[k], box, false) >= 0) continue;
        made->of[r++].across = where->of[k].coef[made->e];
    }
    return true;
}

/* What remains of row @p x; false: nothing does. */
static bool clip_row(const rows *r, hit_index x, hit_sig *sig)
{
    for (int k = 0; k < r->count; k++) {
        const hit_index by = r->of[k].across;
        const hit_wide sum = r->of[k].base + (hit_wide)r->of[k].along * x;
        const hit_wide room = sum + (hit_wide)by * (by > 0 ? sig->end : sig->begin);

        if (room < 0) return false;
        if (by != 0) (void)pull(sig, by, room);
    }
    return true;
}

static hit_status each_row(const rows *r, const hit_domain *box,
                           const signed char order[],
                           hit_status (*visit)(void *of, const hit_domain *box), void *of)
{
    const hit_sig along = box->sig[r->d];
    const hit_index step = order[r->d] < 0 ? -along.stride : along.stride;
    const hit_index count = hit_sig_count(along);
    hit_domain row = *box;
    hit_index x = order[r->d] < 0 ? along.end : along.begin;

    for (hit_index k = 0; k < count; k++, x += step) {
        row.sig[r->e] = box->sig[r->e];
        row.sig[r->d] = (hit_sig){x, x, 1};
        if (clip_row(r, x, &row.sig[r->e])) HIT_TRY(visit(of, &row));
    }
    return HIT_OK;
}

hit_status hit_where_each(const hit_where *where, const hit_domain *box,
                          const signed char order[],
                          hit_status (*visit)(void *of, const hit_domain *box), void *of)
{
    const hit_domain made = hit_where_clip(where, box);
    const int d = open_dimension(&made);
    hit_index count;
    rows r;

    if (hit_domain_is_empty(&made)) return HIT_OK;
    if (d < 0 || hit_where_holds(where, &made)) return visit(of, &made);
    if (find_rows(where, &made, d, &r)) return each_row(&r, &made, order, visit, of);
    count = hit_sig_count(made.sig[d]);
    for (hit_index k = 0; k < count; k++) {
        const hit_domain one = slice(&made, d, order[d] < 0 ? count - 1 - k : k);

        HIT_TRY(hit_where_each(where, &one, order, visit, of));
    }
    return HIT_OK;
}

bool hit_where_first(const hit_where *where, const hit_domain *box, hit_index at[])
{
    const hit_domain made = hit_where_clip(where, box);
    const int d = open_dimension(&made);

    if (hit_domain_is_empty(&made)) return false;
    if (d < 0 || hit_where_holds(where, &made)) return hit_domain_first(&made, at);
    for (hit_index k = 0; k < hit_sig_count(made.sig[d]); k++) {
        const hit_domain one = slice(&made, d, k);

        if (hit_where_first(where, &one, at)) return true;
    }
    return false;
}

static bool is_named(const hit_where *where, int d)
{
    for (int k = 0; k < where->count; k++) {
        if (where->of[k].coef[d] != 0) return true;
    }
    return false;
}

static hit_index count_named(const hit_where *where, const hit_domain *box)
{
    const hit_domain made = hit_where_clip(where, box);
    const int d = open_dimension(&made);
    hit_index count = 0;

    if (d < 0 || hit_where_holds(where, &made)) return hit_domain_count(&made);
    for (hit_index k = 0; k < hit_sig_count(made.sig[d]); k++) {
        const hit_domain one = slice(&made, d, k);

        if (__builtin_add_overflow(count, count_named(where, &one), &count)) {
            return INT64_MAX;
        }
    }
    return count;
}

/* Along dimensions that no inequality names all indices are alike. */
hit_index hit_where_count(const hit_where *where, const hit_domain *box)
{
    hit_domain named = *box;
    hit_index alike = 1;
    hit_index count;

    if (where == NULL || hit_domain_is_empty(box)) return hit_domain_count(box);
    for (int d = 0; d < box->dims; d++) {
        if (is_named(where, d)) continue;
        if (__builtin_mul_overflow(alike, hit_sig_count(box->sig[d]), &alike)) {
            return INT64_MAX;
        }
        named = slice(&named, d, 0);
    }
    count = count_named(where, &named);
    return __builtin_mul_overflow(alike, count, &count) ? INT64_MAX : count;
}
