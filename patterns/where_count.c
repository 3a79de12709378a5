/* SPDX-License-Identifier: MIT
 * How many indices remain. Of rows the length is the least of some lines less the most of
 * others, both straight where one line is the least, or the most, at both ends: then it
 * is a sum of evenly spaced numbers, else each half is one. Of more dimensions slices are
 * counted one by one. */
#include "hit/data/domain_set.h"
#include "hit/data/hash.h"
#include "hit/data/sig.h"
#include "patterns/where_impl.h"

enum {
    MOST_HALVED = 1 << 12
};

static hit_wide add(hit_wide a, hit_wide b)
{
    return a + b < INT64_MAX ? a + b : INT64_MAX;
}

static hit_wide multiply(hit_wide a, hit_wide b)
{
    return a == 0 || b <= INT64_MAX / a ? a * b : INT64_MAX;
}

/* ---- rows ---- */

static hit_wide at(const hit_row_line *of, hit_wide t)
{
    return of->base + of->along * t;
}

static hit_wide limit_at(const hit_row_lines *all, hit_wide t, bool most)
{
    hit_wide found = at(&all->of[0], t);

    for (int k = 1; k < all->count; k++) {
        const hit_wide x = at(&all->of[k], t);

        if (most ? x > found : x < found) found = x;
    }
    return found;
}

/* Is one line the limit at both ends, and so between them? */
static bool is_straight(const hit_row_lines *all, hit_wide first, hit_wide last,
                        bool most)
{
    const hit_wide here = limit_at(all, first, most);
    const hit_wide there = limit_at(all, last, most);

    for (int k = 0; k < all->count; k++) {
        if (at(&all->of[k], first) == here && at(&all->of[k], last) == there) return true;
    }
    return false;
}

static hit_wide length_at(const hit_row_ends *l, hit_wide t)
{
    return limit_at(&l->high, t, false) - limit_at(&l->low, t, true) + 1;
}

static hit_wide sum_lengths(const hit_row_ends *l, hit_wide first, hit_wide last)
{
    const hit_wide here = length_at(l, first);
    const hit_wide there = length_at(l, last);
    const hit_wide middle = first + (last - first) / 2;

    if ((here < 0) == (there < 0) && is_straight(&l->low, first, last, true) &&
        is_straight(&l->high, first, last, false)) {
        return here < 0 ? 0 : (here + there) * (last - first + 1) / 2;
    }
    return sum_lengths(l, first, middle) + sum_lengths(l, middle + 1, last);
}

static hit_wide count_rows(const hit_rows *r, const hit_domain *box)
{
    const hit_sig along = box->sig[r->d];
    const hit_index rows = hit_sig_count(along);
    hit_wide sum = 0;
    hit_row_ends l;

    if (hit_rows_ends(r, box, &l)) return sum_lengths(&l, 0, rows - 1);
    for (hit_index k = 0; k < rows; k++) {
        const hit_index x = along.begin + k * along.stride;
        hit_sig row = r->e != r->d ? box->sig[r->e] : (hit_sig){x, x, 1};

        if (hit_rows_clip(r, x, &row)) sum = add(sum, hit_sig_count(row));
    }
    return sum;
}

/* ---- all ---- */

/* Along dimensions that no inequality names all indices are alike: of each one is left,
 * and how many there were. */
static hit_wide take_alike(const hit_all *all, hit_domain *box)
{
    hit_wide alike = 1;

    for (int d = 0; d < box->dims; d++) {
        bool named = false;

        for (int k = 0; k < all->count; k++) {
            named = named || all->of[k].coef[d] != 0;
        }
        if (named) continue;
        alike = multiply(alike, hit_sig_count(box->sig[d]));
        *box = hit_where_slice(box, d, 0);
    }
    return alike;
}

/* Inequalities that hold for all of it say nothing more. */
static hit_wide count_all(const hit_all *all, const hit_domain *box)
{
    hit_inequality of[HIT_MAX_INEQUALITIES];
    hit_all left = {0, of, all->source};
    hit_domain named = *box;
    hit_wide alike;
    hit_wide sum = 0;
    hit_rows r;
    int d;

    for (int k = 0; k < all->count; k++) {
        if (hit_all_hold(&(hit_all){1, &all->of[k], all->source}, box)) continue;
        of[left.count++] = all->of[k];
    }
    alike = take_alike(&left, &named);
    d = hit_where_open(&named);
    if (d < 0) return alike;
    if (hit_rows_find(&left, &named, d, &r)) {
        return multiply(alike, count_rows(&r, &named));
    }
    for (hit_index k = 0; k < hit_sig_count(named.sig[d]); k++) {
        hit_domain one = hit_where_slice(&named, d, k);

        if (hit_all_clip(&left, &one)) sum = add(sum, count_all(&left, &one));
    }
    return multiply(alike, sum);
}

static hit_status add_count(void *of, const hit_all *all, const hit_domain *box)
{
    hit_wide *sum = of;

    *sum = add(*sum, count_all(all, box));
    return HIT_OK;
}

static hit_wide count(const hit_where *where, const hit_domain *box)
{
    hit_wide sum = 0;

    (void)hit_where_apart(where, box, add_count, &sum);
    return sum;
}

/* ---- what stands in data ---- */

typedef struct by_halves {
    const hit_where *where;
    const hit_where *plain; /* without data */
    int boxes;              /* that may still be halved */
} by_halves;

/* Of a box whose data do not say whether its indices remain each half is asked for, and
 * of the last ones all indices count. Each call has half of the indices of its caller. */
static hit_wide count_halves(by_halves *b, const hit_domain *box)
{
    const hit_domain left = hit_where_clip(b->where, box);
    const int longest = hit_order_longest(&left);
    hit_domain half[2];
    hit_wide sum;

    if (hit_domain_is_empty(&left)) return 0;
    if (hit_sig_count(left.sig[longest]) < 2 || b->boxes <= 0 ||
        hit_where_holds(b->where, &left) || !hit_where_divides(b->where, &left)) {
        return count(b->plain, &left);
    }
    b->boxes--;
    hit_domain_halve(&left, longest, half);
    sum = count_halves(b, &half[0]);
    return add(sum, count_halves(b, &half[1]));
}

static hit_wide count_by_data(const hit_where *where, const hit_domain *box)
{
    hit_where plain; /* not cleared as a whole: it is large */
    by_halves b = {where, &plain, MOST_HALVED};

    hit_where_copy(&plain, where);
    for (int k = 0; k < plain.count; k++) {
        if (plain.of[k].source == 0) continue;
        plain.of[k] =
            (hit_inequality){.alternative = plain.of[k].alternative}; /* 0 >= 0 */
    }
    return count_halves(&b, box);
}

hit_index hit_where_count(const hit_where *where, const hit_domain *box)
{
    if (where == NULL || hit_domain_is_empty(box)) return hit_domain_count(box);
    return (hit_index)(where->sources > 0 ? count_by_data(where, box)
                                          : count(where, box));
}

/* ---- is there any? ---- */

static bool any_of_all(const hit_all *all, const hit_domain *box)
{
    const int d = hit_where_open(box);

    if (d < 0 || hit_all_hold(all, box)) return true;
    for (hit_index k = 0; k < hit_sig_count(box->sig[d]); k++) {
        hit_domain one = hit_where_slice(box, d, k);

        if (hit_all_clip(all, &one) && any_of_all(all, &one)) return true;
    }
    return false;
}

bool hit_where_any(const hit_where *where, const hit_domain *box)
{
    hit_all all = {0};

    if (where == NULL || hit_domain_is_empty(box)) return !hit_domain_is_empty(box);
    while (hit_where_next(where, &all)) {
        hit_domain part = *box;

        if (hit_all_clip(&all, &part) && any_of_all(&all, &part)) return true;
    }
    return false;
}
