/* SPDX-License-Identifier: MIT
 * Internal to patterns/where*.c: inequalities of which all hold. */
#ifndef PATTERNS_WHERE_IMPL_H
#define PATTERNS_WHERE_IMPL_H

#include "patterns/pattern_impl.h"
#include "patterns/where.h"

/** An alternative, or what others leave of it. */
typedef struct hit_all {
    int count;
    const hit_inequality *of;
    const hit_where_source *source; /**< those of the where */
} hit_all;

/* where.c */

/** The next alternative, from {0} on; false: there is none. */
bool hit_where_next(const hit_where *where, hit_all *all);
/** The end of a signature from which the index is at most @p room / |coef| away, all
 * others being as good as they can be; false: it is no nearer than it was. */
bool hit_where_pull(hit_sig *sig, hit_index coef, hit_wide room);
/** False: no index of the box remains, and the box is anything. */
bool hit_all_clip(const hit_all *all, hit_domain *box);
/** Do all indices of the box remain? */
bool hit_all_hold(const hit_all *all, const hit_domain *box);
/** Visit what each alternative has of @p box that those before it have not: inequalities
 * of which all hold for these indices and for no others, and a box around them. */
hit_status hit_where_apart(const hit_where *where, const hit_domain *box,
                           hit_status (*visit)(void *of, const hit_all *all,
                                               const hit_domain *box),
                           void *of);

/* where_data.c: sides that stand in data. */

/** Does one of them? */
bool hit_all_look(const hit_all *all);
/** The least or the most of what data add to the inequality over the indices @p box. Not
 * known: beyond any number. */
hit_wide hit_where_source_limit(const hit_inequality *of, const hit_where_source source[],
                                const hit_domain *box, bool most);
/** Is more known of the data of parts of @p box than of all of it? */
bool hit_where_divides(const hit_where *where, const hit_domain *box);
/** What data add to it at the index @p at. */
hit_wide hit_where_source_at(const hit_inequality *of, const hit_where_source source[],
                             const hit_slot slot[], const hit_index at[]);

/** Boxes are taken apart by inequalities that stand in data. */
typedef struct hit_where_scan {
    const hit_all *all; /**< which all do */
    const hit_slot *slot;
    hit_status (*visit)(void *of, const hit_domain *box);
    void *of;
    hit_domain kept; /**< is to be visited, with the rows that go on with it */
    bool keeps;
} hit_where_scan;

/** Of a hit_where_scan: visit boxes that have all indices of @p box for which all hold.
 * In rows, and several of them together where they have the same indices. */
hit_status hit_where_scan_box(void *of, const hit_domain *box);
/** Visit what is kept. */
hit_status hit_where_scan_end(hit_where_scan *scan);

/* where_each.c */

/** Rows: of the inequalities that do not hold for all of a box, dimension d and at most
 * one behind it, e, have more than one index in it. Of each index along d a range along e
 * remains. */
typedef struct hit_rows {
    int d;
    int e; /**< d: there is none */
    int count;
    struct {
        hit_wide base; /**< what the other dimensions add to the offset */
        hit_index along;
        hit_index across;
    } of[HIT_MAX_INEQUALITIES];
} hit_rows;

/** The first dimension of more than one index; -1: there is none. */
int hit_where_open(const hit_domain *box);
/** The @p k-th index of a dimension. */
hit_domain hit_where_slice(const hit_domain *box, int d, hit_index k);
/** False: they are not. @p d is hit_where_open(). */
bool hit_rows_find(const hit_all *all, const hit_domain *box, int d, hit_rows *rows);
/** What remains of row @p x; false: nothing does. */
bool hit_rows_clip(const hit_rows *rows, hit_index x, hit_sig *sig);

/** Numbers base + along * t, of rows t = 0, 1, ... */
typedef struct hit_row_line {
    hit_wide base;
    hit_wide along;
} hit_row_line;

typedef struct hit_row_lines {
    int count;
    hit_row_line of[HIT_MAX_INEQUALITIES + 1];
} hit_row_lines;

/** Of row t the elements from the most of low to the least of high remain. */
typedef struct hit_row_ends {
    hit_row_lines low;
    hit_row_lines high;
} hit_row_ends;

/** False: what remains of rows does not follow from lines: it has a stride, or a multiple
 * of dimension e is compared. */
bool hit_rows_ends(const hit_rows *rows, const hit_domain *box, hit_row_ends *ends);

#endif
