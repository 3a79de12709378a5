/* SPDX-License-Identifier: MIT
 * Inequalities of which a side stands in data. Over a box of indices the least and the
 * greatest of the elements say whether none of its indices remain, or all. Else rows are
 * read, a few hundred elements at a time, and cut where the answer changes. */
#include "hit/data/domain_set.h"
#include "hit/data/extremes.h"
#include "hit/data/hash.h"
#include "hit/data/sig.h"
#include "patterns/transform.h"
#include "patterns/where_impl.h"

#include <string.h>

enum {
    MANY = 1024 /* elements that are read at a time */
};

/* Beyond what any sum with an index can be. */
static const hit_wide unknown = (hit_wide)1 << 100;

bool hit_all_look(const hit_all *all)
{
    for (int k = 0; k < all->count; k++) {
        if (all->of[k].source != 0) return true;
    }
    return false;
}

static const hit_where_source *source_of(const hit_inequality *of,
                                         const hit_where_source source[])
{
    return &source[(of->source > 0 ? of->source : -of->source) - 1];
}

hit_wide hit_where_source_limit(const hit_inequality *of, const hit_where_source source[],
                                const hit_domain *box, bool most)
{
    const hit_where_source *from = source_of(of, source);
    hit_index least;
    hit_index greatest;
    hit_domain touched;

    if (from->values == NULL) return most ? unknown : -unknown;
    touched = hit_access_apply(&from->at, &from->limits, box);
    if (!hit_domain_inside(&touched, &from->limits) ||
        !hit_extremes_find(from->values, &touched, &least, &greatest)) {
        return most ? unknown : -unknown;
    }
    /* an unsigned number beyond it is noted as this one */
    if (greatest == INT64_MAX && most == (of->source > 0)) {
        return most ? unknown : -unknown;
    }
    if (of->source < 0) return most ? -(hit_wide)least : -(hit_wide)greatest;
    return most ? greatest : least;
}

bool hit_where_divides(const hit_where *where, const hit_domain *box)
{
    for (int k = 0; k < where->sources; k++) {
        const hit_where_source *from = &where->source[k];
        hit_domain touched;

        if (from->values == NULL) continue;
        touched = hit_access_apply(&from->at, &from->limits, box);
        if (hit_extremes_divides(from->values, &touched)) return true;
    }
    return false;
}

/* ---- elements ---- */

static hit_index place_along(const hit_affine *of, const hit_index at[])
{
    hit_index sum = of->inner;

    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        if (of->coef[d] != 0) sum += of->coef[d] * at[d];
    }
    if (of->fold == HIT_FOLD_QUOTIENT) sum = hit_index_floor_div(sum, of->by);
    if (of->fold == HIT_FOLD_REMAINDER) sum -= hit_index_floor_div(sum, of->by) * of->by;
    return sum + of->offset;
}

static const char *element_at(const hit_where_source *from, const hit_slot slot[],
                              const hit_index at[])
{
    const hit_slot *in = &slot[from->arg];
    hit_index elements = 0;

    for (int t = 0; t < from->dims; t++) {
        const hit_index x = place_along(&from->at.range[t].begin, at);

        elements +=
            (in->step[t] == 1 ? x : hit_index_floor_div(x, in->step[t])) * in->stride[t];
    }
    /* through an integer: the base may lie outside the memory */
    return (const char *)((uintptr_t)in->base +
                          (uintptr_t)(elements * (hit_index)from->type.size_bytes));
}

/* Types of whole numbers, and what they hold. */
#define WHOLE_KINDS(X)                                                                   \
    X(INT8, int8_t, INT8_MIN, INT8_MAX)                                                  \
    X(INT16, int16_t, INT16_MIN, INT16_MAX)                                              \
    X(INT32, int32_t, INT32_MIN, INT32_MAX)                                              \
    X(INT64, int64_t, INT64_MIN, INT64_MAX)                                              \
    X(UINT8, uint8_t, 0, UINT8_MAX)                                                      \
    X(UINT16, uint16_t, 0, UINT16_MAX)                                                   \
    X(UINT32, uint32_t, 0, UINT32_MAX)                                                   \
    X(UINT64, uint64_t, 0, UINT64_MAX)                                                   \
    X(BOOL, uint8_t, 0, UINT8_MAX)

#define NUMBER(KIND, C, least, greatest)                                                 \
    case HIT_KIND_##KIND: {                                                              \
        C number;                                                                        \
        memcpy(&number, element, sizeof(number));                                        \
        return number;                                                                   \
    }

static hit_wide number_at(hit_type type, const char *element)
{
    switch (type.kind) {
        WHOLE_KINDS(NUMBER)
    default:
        return 0;
    }
}

hit_wide hit_where_source_at(const hit_inequality *of, const hit_where_source source[],
                             const hit_slot slot[], const hit_index at[])
{
    const hit_where_source *from = source_of(of, source);
    const hit_wide number = number_at(from->type, element_at(from, slot, at));

    return of->source > 0 ? number : -number;
}

/* ---- rows ---- */

/* An inequality along a row of indices. */
typedef struct row_test {
    const hit_where_source *from;
    hit_wide base;   /* what all but data and the row's index add up to */
    hit_index along; /* times that index, which goes by stride in dimension d */
    int d;
    hit_index stride;
    bool less;             /* the element is subtracted */
    bool even;             /* elements lie as far apart, all of them ... */
    ptrdiff_t apart_bytes; /* ... which may be 0 */
} row_test;

/* How far elements of neighbours along a row lie apart; false: that differs. */
static bool find_apart(const hit_where_source *from, const hit_slot *in, int d,
                       hit_index stride, ptrdiff_t *apart_bytes)
{
    hit_index apart = 0;

    for (int t = 0; t < from->dims; t++) {
        const hit_affine *of = &from->at.range[t].begin;
        const hit_index by = of->coef[d] * stride;

        if (by == 0) continue;
        if (of->fold != HIT_FOLD_NONE || by % in->step[t] != 0) return false;
        apart += by / in->step[t] * in->stride[t];
    }
    *apart_bytes = (ptrdiff_t)(apart * (hit_index)from->type.size_bytes);
    return true;
}

static row_test test_of(const hit_where_scan *s, int k, const hit_domain *row, int d)
{
    const hit_inequality *of = &s->all->of[k];
    row_test made = {.from = source_of(of, s->all->source),
                     .base = of->offset,
                     .along = of->coef[d],
                     .d = d,
                     .stride = row->sig[d].stride,
                     .less = of->source < 0};

    for (int e = 0; e < row->dims; e++) {
        if (e != d) made.base += (hit_wide)of->coef[e] * row->sig[e].begin;
    }
    made.even = find_apart(made.from, &s->slot[made.from->arg], d, made.stride,
                           &made.apart_bytes);
    return made;
}

/* Clear the flags of elements that are not from low to high: for each type a loop that
 * compilers vectorise. Elements lie @p apart of their size. */
#define COMPARE(KIND, C, least, greatest)                                                \
    static void compare_##KIND(const char *first, ptrdiff_t apart, hit_wide low,         \
                               hit_wide high, int n, unsigned char flag[restrict])       \
    {                                                                                    \
        const C *x = (const C *)first;                                                   \
        const C from = (C)(low > (least) ? low : (least));                               \
        const C to = (C)(high < (greatest) ? high : (greatest));                         \
                                                                                         \
        if (low > (greatest) || high < (least)) {                                        \
            memset(flag, 0, (size_t)n);                                                  \
        } else if (apart == 1) {                                                         \
            for (int k = 0; k < n; k++) {                                                \
                flag[k] &= (unsigned char)((x[k] >= from) & (x[k] <= to));               \
            }                                                                            \
        } else {                                                                         \
            for (int k = 0; k < n; k++) {                                                \
                flag[k] &=                                                               \
                    (unsigned char)((x[k * apart] >= from) & (x[k * apart] <= to));      \
            }                                                                            \
        }                                                                                \
    }

WHOLE_KINDS(COMPARE)

typedef void compare_function(const char *first, ptrdiff_t apart, hit_wide low,
                              hit_wide high, int n, unsigned char flag[restrict]);

#define COMPARING(KIND, C, least, greatest) [HIT_KIND_##KIND] = compare_##KIND,

static compare_function *const comparing[] = {WHOLE_KINDS(COMPARING)};

/* Clear the flags of those of n indices from *at on for which it does not hold. */
static void apply(const row_test *test, const hit_where_scan *s, hit_index at[], int n,
                  unsigned char flag[])
{
    const int d = test->d;
    const hit_index begin = at[d];

    if (test->even && test->along == 0) {
        const char *first = element_at(test->from, s->slot, at);

        const ptrdiff_t apart =
            test->apart_bytes / (ptrdiff_t)test->from->type.size_bytes;

        comparing[test->from->type.kind](first, apart,
                                         test->less ? -unknown : -test->base,
                                         test->less ? test->base : unknown, n, flag);
        return;
    }
    for (int k = 0; k < n; k++, at[d] += test->stride) {
        const hit_wide x =
            number_at(test->from->type, element_at(test->from, s->slot, at));
        const hit_wide sum = test->base + (hit_wide)test->along * at[d];

        flag[k] &= (unsigned char)(sum + (test->less ? -x : x) >= 0);
    }
    at[d] = begin;
}

/* Where all indices of a row have the same element, it cuts the row's ends. False:
 * nothing is left. */
static bool cut_row(const row_test *test, const hit_where_scan *s, const hit_index at[],
                    hit_sig *sig)
{
    const hit_wide x = number_at(test->from->type, element_at(test->from, s->slot, at));
    const hit_wide sum = test->base + (test->less ? -x : x);
    const hit_wide room =
        sum + (hit_wide)test->along * (test->along > 0 ? sig->end : sig->begin);

    if (room < 0) return false;
    if (test->along != 0) (void)hit_where_pull(sig, test->along, room);
    return true;
}

/* ---- boxes ---- */

hit_status hit_where_scan_end(hit_where_scan *scan)
{
    if (!scan->keeps) return HIT_OK;
    scan->keeps = false;
    return scan->visit(scan->of, &scan->kept);
}

/* Is it the next one of what is kept along one dimension, and equal to it along others?
 */
static bool goes_on(const hit_where_scan *s, const hit_domain *box)
{
    int other = -1;

    for (int e = 0; e < box->dims && s->keeps; e++) {
        const hit_sig *a = &s->kept.sig[e];
        const hit_sig *b = &box->sig[e];

        if (a->begin == b->begin && a->end == b->end) continue;
        if (other >= 0) return false;
        other = e;
    }
    return other >= 0 && box->sig[other].begin == s->kept.sig[other].end + 1 &&
           box->sig[other].stride == 1 && s->kept.sig[other].stride == 1;
}

static hit_status keep(hit_where_scan *s, const hit_domain *box)
{
    if (goes_on(s, box)) {
        for (int e = 0; e < box->dims; e++) {
            s->kept.sig[e].end = box->sig[e].end;
        }
        return HIT_OK;
    }
    HIT_TRY(hit_where_scan_end(s));
    s->kept = *box;
    s->keeps = true;
    return HIT_OK;
}

/* What of a row was read last, and where a run of indices began that has not ended. */
typedef struct row_runs {
    hit_index open;  /* by its number in the row; -1: there is none */
    hit_index first; /* of n indices that were read */
    int n;
    unsigned char flag[MANY]; /* of those that remain */
} row_runs;

static hit_status keep_runs(hit_where_scan *s, const hit_domain *row, int d,
                            row_runs *runs)
{
    hit_domain run = *row;

    for (int k = 0; k < runs->n;) {
        const unsigned char *next =
            memchr(&runs->flag[k], runs->open < 0, (size_t)(runs->n - k));

        if (next == NULL) return HIT_OK;
        k = (int)(next - runs->flag);
        if (runs->open < 0) {
            runs->open = runs->first + k;
            continue;
        }
        run.sig[d] = hit_sig_slice(row->sig[d], runs->open, runs->first + k - 1);
        runs->open = -1;
        HIT_TRY(keep(s, &run));
    }
    return HIT_OK;
}

/* Those that must be asked of each of its indices; what is left of the row. False:
 * nothing. */
static bool find_tests(const hit_where_scan *s, hit_domain *row, int d, row_test test[],
                       int *tests)
{
    hit_index at[HIT_MAX_DIMS] = {0};

    *tests = 0;
    (void)hit_domain_first(row, at);
    for (int k = 0; k < s->all->count; k++) {
        test[*tests] = test_of(s, k, row, d);
        if (!test[*tests].even || test[*tests].apart_bytes != 0) {
            ++*tests;
        } else if (!cut_row(&test[*tests], s, at, &row->sig[d])) {
            return false;
        }
    }
    return true;
}

static hit_status scan_row(hit_where_scan *s, hit_domain *row, int d)
{
    row_test test[HIT_MAX_INEQUALITIES];
    row_runs runs; /* not cleared as a whole: it is large */
    hit_index at[HIT_MAX_DIMS] = {0};
    hit_index count;
    int tests;

    if (!find_tests(s, row, d, test, &tests)) return HIT_OK;
    count = hit_sig_count(row->sig[d]);
    runs.open = -1;
    (void)hit_domain_first(row, at);
    for (hit_index first = 0; first < count; first += MANY) {
        runs.first = first;
        runs.n = (int)hit_smaller(MANY, count - first);
        at[d] = hit_sig_at(row->sig[d], first);
        memset(runs.flag, 1, (size_t)runs.n);
        for (int k = 0; k < tests; k++) {
            apply(&test[k], s, at, runs.n, runs.flag);
        }
        HIT_TRY(keep_runs(s, row, d, &runs));
    }
    if (runs.open < 0) return HIT_OK;
    row->sig[d] = hit_sig_slice(row->sig[d], runs.open, count - 1);
    return keep(s, row);
}

hit_status hit_where_scan_box(void *of, const hit_domain *box)
{
    hit_where_scan *s = of;
    hit_domain part = *box;
    hit_domain begins;
    int d = box->dims - 1;

    if (!hit_all_clip(s->all, &part)) return HIT_OK;
    if (hit_all_hold(s->all, &part)) return keep(s, &part);
    while (d > 0 && part.sig[d].begin == part.sig[d].end) {
        d--;
    }
    begins = hit_where_slice(&part, d, 0);
    HIT_FOR_EACH (begin, begins) {
        hit_domain row = part;

        for (int e = 0; e < part.dims; e++) {
            if (e != d) row.sig[e] = hit_sig_make(begin[e], begin[e], 1);
        }
        HIT_TRY(scan_row(s, &row, d));
    }
    return HIT_OK;
}
