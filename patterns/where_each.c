/* SPDX-License-Identifier: MIT
 * Boxes of which all indices remain: boxes that are whole, else rows; what stands in data
 * is asked for in these (where_data.c). */
#include "hit/data/hash.h"
#include "hit/data/sig.h"
#include "patterns/where_impl.h"

int hit_where_open(const hit_domain *box)
{
    for (int d = 0; d < box->dims; d++) {
        if (box->sig[d].begin < box->sig[d].end) return d;
    }
    return -1;
}

hit_domain hit_where_slice(const hit_domain *box, int d, hit_index k)
{
    const hit_index at = hit_sig_at(box->sig[d], k);
    hit_domain one = *box;

    one.sig[d] = (hit_sig){at, at, 1};
    return one;
}

/* ---- rows ---- */

bool hit_rows_find(const hit_all *all, const hit_domain *box, int d, hit_rows *rows)
{
    rows->d = rows->e = d;
    rows->count = 0;
    for (int k = 0; k < all->count; k++) {
        const hit_inequality *of = &all->of[k];
        hit_wide base = of->offset;

        if (hit_all_hold(&(hit_all){1, of, NULL}, box)) continue;
        for (int e = 0; e < box->dims; e++) {
            const bool open = box->sig[e].begin < box->sig[e].end;

            if (of->coef[e] == 0 || e == d) continue;
            if (!open) base += (hit_wide)of->coef[e] * box->sig[e].begin;
            if (open && rows->e != d && rows->e != e) return false;
            if (open) rows->e = e;
        }
        rows->of[rows->count].base = base;
        rows->of[rows->count].along = of->coef[d];
        rows->of[rows->count++].across = rows->e != d ? of->coef[rows->e] : 0;
    }
    /* those that were seen before e was */
    for (int k = 0, r = 0; k < all->count && rows->e != d; k++) {
        if (hit_all_hold(&(hit_all){1, &all->of[k], NULL}, box)) continue;
        rows->of[r++].across = all->of[k].coef[rows->e];
    }
    return true;
}

bool hit_rows_clip(const hit_rows *rows, hit_index x, hit_sig *sig)
{
    for (int k = 0; k < rows->count; k++) {
        const hit_index by = rows->of[k].across;
        const hit_wide sum = rows->of[k].base + (hit_wide)rows->of[k].along * x;
        const hit_wide room = sum + (hit_wide)by * (by > 0 ? sig->end : sig->begin);

        if (room < 0) return false;
        if (by != 0) (void)hit_where_pull(sig, by, room);
    }
    return true;
}

bool hit_rows_ends(const hit_rows *rows, const hit_domain *box, hit_row_ends *ends)
{
    const hit_sig across = box->sig[rows->e];
    const hit_sig along = box->sig[rows->d];

    if (rows->e == rows->d || across.stride != 1) return false;
    ends->low.count = ends->high.count = 1;
    ends->low.of[0] = (hit_row_line){across.begin, 0};
    ends->high.of[0] = (hit_row_line){across.end, 0};
    for (int k = 0; k < rows->count; k++) {
        const hit_wide by = rows->of[k].across;
        hit_row_lines *side = by > 0 ? &ends->low : &ends->high;

        if (by != 1 && by != -1) return false;
        side->of[side->count++] = (hit_row_line){
            -by * (rows->of[k].base + (hit_wide)rows->of[k].along * along.begin),
            -by * rows->of[k].along * along.stride};
    }
    return true;
}

typedef struct walk {
    const hit_where *where;
    const signed char *order;
    const hit_slot *slot;
    const hit_where_visitor *visitor;
} walk;

static hit_status visit(const walk *w, const hit_domain *box)
{
    return w->visitor->box(w->visitor->of, box);
}

/* From the last one on, backwards. */
static void turn(hit_row_lines *lines, hit_index count)
{
    for (int k = 0; k < lines->count; k++) {
        lines->of[k].base += lines->of[k].along * (count - 1);
        lines->of[k].along = -lines->of[k].along;
    }
}

enum {
    ROWS = 256 /* that are found together */
};

/* Is a sum of it and another one no greater than a hit_index? */
static bool is_near(hit_wide x)
{
    return x > -((hit_wide)1 << 61) && x < (hit_wide)1 << 61;
}

/* Of a line whose numbers are all near; this loop goes by several rows at a time. */
static void add_near_line(hit_row_line line, bool most, hit_index count, hit_index end[])
{
    const hit_index base = (hit_index)line.base;
    const hit_index along = (hit_index)line.along;

    for (hit_index t = 0; t < count; t++) {
        const hit_index x = base + along * t;

        if (most ? x > end[t] : x < end[t]) end[t] = x;
    }
}

static void add_line(hit_row_line line, bool most, hit_wide limit, hit_index count,
                     hit_index end[])
{
    for (hit_index t = 0; t < count; t++) {
        hit_wide x = line.base + line.along * t;

        if (most ? x > limit : x < limit) x = limit;
        if (most ? x > end[t] : x < end[t]) end[t] = (hit_index)x;
    }
}

/* The most of lines, or the least of them, in rows that follow each other, but no more,
 * or no less, than @p limit: rows behind that have nothing. The lines go on. */
static void find_ends(hit_row_lines *lines, bool most, hit_wide limit, hit_index count,
                      hit_index end[])
{
    for (hit_index t = 0; t < count; t++) {
        end[t] = (hit_index)lines->of[0].base; /* that of the box */
    }
    for (int k = 1; k < lines->count; k++) {
        const hit_row_line line = lines->of[k];

        lines->of[k].base += line.along * count;
        if (is_near(line.base) && is_near(lines->of[k].base)) {
            add_near_line(line, most, count, end);
        } else {
            add_line(line, most, limit, count, end);
        }
    }
}

static hit_status visit_rows(const walk *w, const hit_domain *first,
                             const hit_ranges *ranges)
{
    hit_domain row = *first;

    if (w->visitor->rows != NULL) {
        return w->visitor->rows(w->visitor->of, first, ranges);
    }
    for (hit_index k = 0; k < ranges->count; k++) {
        const hit_index x = first->sig[ranges->dim].begin + k * ranges->by;

        if (ranges->begin[k] > ranges->end[k]) continue;
        row.sig[ranges->across] = (hit_sig){ranges->begin[k], ranges->end[k], 1};
        row.sig[ranges->dim] = (hit_sig){x, x, 1};
        HIT_TRY(visit(w, &row));
    }
    return HIT_OK;
}

/* Bands of few elements are rows of little work. */
static hit_status each_between(hit_row_ends *ends, const hit_rows *r,
                               const hit_domain *box, const walk *w)
{
    const bool down = w->order[r->d] < 0;
    const hit_sig along = box->sig[r->d];
    const hit_sig across = box->sig[r->e];
    const hit_index count = hit_sig_count(along);
    hit_domain first = *box;
    hit_index begin[ROWS];
    hit_index end[ROWS];
    hit_ranges ranges = {.dim = r->d,
                         .across = r->e,
                         .by = down ? -along.stride : along.stride,
                         .begin = begin,
                         .end = end};

    if (down) turn(&ends->low, count);
    if (down) turn(&ends->high, count);
    for (hit_index k = 0; k < count; k += ranges.count) {
        const hit_index x = (down ? along.end : along.begin) + k * ranges.by;

        ranges.count = hit_smaller(count - k, ROWS);
        find_ends(&ends->low, true, (hit_wide)across.end + 1, ranges.count, begin);
        find_ends(&ends->high, false, (hit_wide)across.begin - 1, ranges.count, end);
        first.sig[r->d] = (hit_sig){x, x, 1};
        HIT_TRY(visit_rows(w, &first, &ranges));
    }
    return HIT_OK;
}

static hit_status each_row(const hit_rows *r, const hit_domain *box, const walk *w)
{
    const bool down = w->order[r->d] < 0;
    const hit_sig along = box->sig[r->d];
    const hit_index count = hit_sig_count(along);
    hit_domain row = *box;
    hit_index x = down ? along.end : along.begin;
    hit_row_ends ends;

    if (hit_rows_ends(r, box, &ends)) return each_between(&ends, r, box, w);
    for (hit_index k = 0; k < count; k++, x += down ? -along.stride : along.stride) {
        row.sig[r->e] = box->sig[r->e];
        row.sig[r->d] = (hit_sig){x, x, 1};
        if (hit_rows_clip(r, x, &row.sig[r->e])) HIT_TRY(visit(w, &row));
    }
    return HIT_OK;
}

/* In lexicographic order. */
static hit_status each_of_all(const walk *w, const hit_all *all, const hit_domain *box)
{
    const int d = hit_where_open(box);
    hit_index count;
    hit_rows r;

    if (d < 0 || hit_all_hold(all, box)) return visit(w, box);
    if (hit_rows_find(all, box, d, &r)) return each_row(&r, box, w);
    count = hit_sig_count(box->sig[d]);
    for (hit_index k = 0; k < count; k++) {
        hit_domain one = hit_where_slice(box, d, w->order[d] < 0 ? count - 1 - k : k);

        if (hit_all_clip(all, &one)) HIT_TRY(each_of_all(w, all, &one));
    }
    return HIT_OK;
}

/* First by the inequalities that do not stand in data. */
static hit_status each_by_data(const walk *w, const hit_all *all, const hit_domain *box)
{
    hit_inequality of[HIT_MAX_INEQUALITIES];
    hit_inequality data[HIT_MAX_INEQUALITIES];
    hit_all plain = {0, of, all->source};
    hit_all looking = {0, data, all->source};
    hit_where_scan scan = {&looking,       w->slot, w->visitor->box,
                           w->visitor->of, {0},     false};
    const hit_where_visitor visitor = {hit_where_scan_box, NULL, &scan};
    const walk rows = {w->where, w->order, w->slot, &visitor};

    for (int k = 0; k < all->count; k++) {
        if (all->of[k].source == 0) of[plain.count++] = all->of[k];
        if (all->of[k].source != 0) data[looking.count++] = all->of[k];
    }
    HIT_TRY(each_of_all(&rows, &plain, box));
    return hit_where_scan_end(&scan);
}

static hit_status visit_apart(void *of, const hit_all *all, const hit_domain *box)
{
    return hit_all_look(all) ? each_by_data(of, all, box) : each_of_all(of, all, box);
}

/* ---- alternatives in lexicographic order ---- */

/* The first range of any alternative in a box whose dimension @p d is the only open one;
 * false: there is none. */
static bool first_range(const walk *w, const hit_domain *box, int d, hit_domain *first)
{
    const bool down = w->order[d] < 0;
    hit_all all = {0};
    bool any = false;

    while (hit_where_next(w->where, &all)) {
        hit_domain part = *box;

        if (!hit_all_clip(&all, &part)) continue;
        if (!any || (down ? part.sig[d].end > first->sig[d].end
                          : part.sig[d].begin < first->sig[d].begin)) {
            *first = part;
        }
        any = true;
    }
    return any;
}

static hit_status each_range(const walk *w, const hit_domain *box, int d)
{
    const hit_index stride = box->sig[d].stride;
    hit_domain rest = *box;
    hit_domain range;

    while (rest.sig[d].begin <= rest.sig[d].end && first_range(w, &rest, d, &range)) {
        HIT_TRY(visit(w, &range));
        if (w->order[d] < 0) {
            rest.sig[d].end = range.sig[d].begin - stride;
        } else {
            rest.sig[d].begin = range.sig[d].end + stride;
        }
        if (rest.sig[d].begin == rest.sig[d].end) rest.sig[d].stride = 1;
    }
    return HIT_OK;
}

static hit_status each_in_order(const walk *w, const hit_domain *box)
{
    const hit_domain made = hit_where_clip(w->where, box);
    const int d = hit_where_open(&made);
    hit_domain rest;
    hit_index count;

    if (hit_domain_is_empty(&made)) return HIT_OK;
    if (d < 0 || hit_where_holds(w->where, &made)) return visit(w, &made);
    rest = hit_where_slice(&made, d, 0);
    if (hit_where_open(&rest) < 0) return each_range(w, &made, d);
    count = hit_sig_count(made.sig[d]);
    for (hit_index k = 0; k < count; k++) {
        rest = hit_where_slice(&made, d, w->order[d] < 0 ? count - 1 - k : k);
        HIT_TRY(each_in_order(w, &rest));
    }
    return HIT_OK;
}

static bool is_one(const hit_where *where)
{
    return where->of[where->count - 1].alternative == 0;
}

hit_status hit_where_each_row(const hit_where *where, const hit_domain *box,
                              const signed char order[], const hit_slot slot[],
                              const hit_where_visitor *visitor)
{
    walk w = {where, order, slot, visitor};

    if (hit_domain_is_empty(box)) return HIT_OK;
    if (where == NULL) return visit(&w, box);
    if (order[0] != 0 && !is_one(where)) return each_in_order(&w, box);
    return hit_where_apart(where, box, visit_apart, &w);
}

hit_status hit_where_each(const hit_where *where, const hit_domain *box,
                          const signed char order[], const hit_slot slot[],
                          hit_status (*visit_box)(void *of, const hit_domain *box),
                          void *of)
{
    const hit_where_visitor visitor = {visit_box, NULL, of};

    return hit_where_each_row(where, box, order, slot, &visitor);
}
