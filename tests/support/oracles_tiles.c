/* SPDX-License-Identifier: MIT
 * Plain versions of the kernels that work on two blocks of a factorisation, one below the
 * other: the textbook's loops on the rows of both. Rows and columns begin with 0. */
#include "tests/support/oracles.h"

#include <math.h>

enum {
    WIDEST = 64 /* columns that are gathered at a time */
};

/** A block, and the one below it; where there is one only, it is the block below. */
typedef struct stack {
    const hit_oracle_arg *top, *below;
    hit_index rows_of_top, rows;
} stack;

static hit_index rows_of(const hit_oracle_arg *arg)
{
    return hit_sig_count(arg->view.domain.sig[0]); /* NOLINT: there is one */
}

static stack stack_of(const hit_oracle_arg *top, const hit_oracle_arg *below)
{
    const hit_index rows_of_top = top == NULL ? 0 : rows_of(top);

    return (stack){top, below, rows_of_top, rows_of_top + rows_of(below)};
}

static double get(const stack *s, hit_index i, hit_index j)
{
    if (i < s->rows_of_top) return hit_oracle_get(s->top, i, j, 0);
    return hit_oracle_get(s->below, i - s->rows_of_top, j, 0);
}

static void put(const stack *s, hit_index i, hit_index j, double value)
{
    const bool above = i < s->rows_of_top;
    const hit_index x[2] = {above ? i : i - s->rows_of_top, j};

    hit_oracle_put(above ? s->top : s->below, x, value);
}

/* ---- QR ---- */

/** The first row of V in column @p k that is stored. */
static hit_index first_of(const stack *s, hit_index k)
{
    return s->top == NULL ? k + 1 : s->rows_of_top;
}

/** Row @p i of reflector @p k; it has a 1 in row k. */
static double reflector(const stack *v, hit_index i, hit_index k)
{
    if (i == k) return 1;
    return i < first_of(v, k) ? 0 : get(v, i, k);
}

/** Column @p k becomes a multiple of e_k; its reflector takes the place of the zeros. */
static double reflect(const stack *s, hit_index k)
{
    const hit_index from = first_of(s, k);
    const double first = get(s, k, k);
    double below = 0;
    double whole;

    for (hit_index i = from; i < s->rows; i++) {
        below = hypot(below, get(s, i, k));
    }
    if (below == 0) return 0;
    whole = -copysign(hypot(first, below), first);
    for (hit_index i = from; i < s->rows; i++) {
        put(s, i, k, get(s, i, k) / (first - whole));
    }
    put(s, k, k, whole);
    return (whole - first) / whole;
}

static hit_index part_of(const hit_oracle_arg *t)
{
    return rows_of(t) < WIDEST ? rows_of(t) : WIDEST;
}

/** Column @p k of T. */
static void gather(const stack *v, const hit_oracle_arg *t, hit_index k, double tau)
{
    const hit_index base = k - k % part_of(t);

    for (hit_index r = 0; r < rows_of(t); r++) {
        double value = base + r == k ? tau : 0;

        for (hit_index c = base + r; c < k; c++) {
            double product = 0;

            for (hit_index i = 0; i < v->rows; i++) {
                product += reflector(v, i, c) * reflector(v, i, k);
            }
            value -= tau * hit_oracle_get(t, r, c, 0) * product;
        }
        hit_oracle_put(t, (const hit_index[]){r, k}, value);
    }
}

static void factor_qr(const stack *s, const hit_oracle_arg *t)
{
    const hit_index n = hit_sig_count(t->view.domain.sig[1]);

    for (hit_index k = 0; k < n; k++) {
        const double tau = reflect(s, k);

        for (hit_index j = k + 1; j < n; j++) {
            double sum = get(s, k, j);

            for (hit_index i = first_of(s, k); i < s->rows; i++) {
                sum += get(s, i, k) * get(s, i, j);
            }
            put(s, k, j, get(s, k, j) - tau * sum);
            for (hit_index i = first_of(s, k); i < s->rows; i++) {
                put(s, i, j, get(s, i, j) - tau * get(s, i, k) * sum);
            }
        }
        gather(s, t, k, tau);
    }
}

/** Column @p j of C becomes that of Q' C. */
static void apply_qr(const stack *c, const stack *v, const hit_oracle_arg *t, hit_index j)
{
    const hit_index n = hit_sig_count(t->view.domain.sig[1]);

    for (hit_index base = 0; base < n; base += part_of(t)) {
        const hit_index width = n - base < part_of(t) ? n - base : part_of(t);
        double sum[WIDEST] = {0};

        for (hit_index k = 0; k < width; k++) {
            for (hit_index i = 0; i < c->rows; i++) {
                sum[k] += reflector(v, i, base + k) * get(c, i, j);
            }
        }
        for (hit_index k = 0; k < width; k++) {
            double by_t = 0;

            for (hit_index r = 0; r < width; r++) {
                by_t += hit_oracle_get(t, r, base + k, 0) * sum[r];
            }
            for (hit_index i = 0; i < c->rows; i++) {
                put(c, i, j, get(c, i, j) - reflector(v, i, base + k) * by_t);
            }
        }
    }
}

/** The lower triangle of @p s with ones on its diagonal. */
static void put_unit_lower(const stack *s, const hit_oracle_arg *to)
{
    for (hit_index i = 0; i < s->rows; i++) {
        for (hit_index j = 0; j < s->rows; j++) {
            hit_oracle_put(to, (const hit_index[]){i, j}, j < i ? get(s, i, j) : i == j);
        }
    }
}

static void geqrt(const hit_index x[], const hit_oracle_arg arg[])
{
    const stack s = stack_of(NULL, &arg[0]);

    (void)x;
    factor_qr(&s, &arg[1]);
    put_unit_lower(&s, &arg[2]);
}

static void tsqrt(const hit_index x[], const hit_oracle_arg arg[])
{
    const stack s = stack_of(&arg[1], &arg[0]);

    (void)x;
    factor_qr(&s, &arg[2]);
}

static void unmqr(const hit_index x[], const hit_oracle_arg arg[])
{
    const stack c = stack_of(NULL, &arg[0]);
    const stack v = stack_of(NULL, &arg[1]);

    apply_qr(&c, &v, &arg[2], x[0]);
}

static void tsmqr(const hit_index x[], const hit_oracle_arg arg[])
{
    const stack c = stack_of(&arg[1], &arg[0]);
    const stack v = {&arg[2], &arg[2], rows_of(&arg[1]), c.rows};

    apply_qr(&c, &v, &arg[3], x[0]);
}

static void arrange_geqrt(const hit_oracle_arg arg[])
{
    hit_oracle_make_dominant(&arg[0]);
}

static void arrange_tsqrt(const hit_oracle_arg arg[])
{
    hit_oracle_make_dominant(&arg[1]);
}

static void arrange_unmqr(const hit_oracle_arg arg[])
{
    hit_oracle_make_small(&arg[1]);
    hit_oracle_make_small(&arg[2]);
}

static void arrange_tsmqr(const hit_oracle_arg arg[])
{
    hit_oracle_make_small(&arg[2]);
    hit_oracle_make_small(&arg[3]);
}

/* ---- LU with incremental pivoting ---- */

static int32_t *pivot_of(const hit_oracle_arg *arg, hit_index i)
{
    return hit_view_at(&arg->view, (const hit_index[]){0, i});
}

static void swap_rows(const stack *s, hit_index i, hit_index other, hit_sig columns)
{
    for (hit_index j = columns.begin; j <= columns.end; j++) {
        const double kept = get(s, i, j);

        put(s, i, j, get(s, other, j));
        put(s, other, j, kept);
    }
}

/** Rows from @p first on are eliminated by row k, whose multipliers take their places. */
static void eliminate(const stack *s, hit_index first, hit_index k, hit_index past)
{
    for (hit_index i = first; i < s->rows && get(s, k, k) != 0; i++) {
        const double times = get(s, i, k) / get(s, k, k);

        put(s, i, k, times);
        for (hit_index j = k + 1; j < past; j++) {
            put(s, i, j, get(s, i, j) - times * get(s, k, j));
        }
    }
}

static hit_index find_pivot(const stack *s, hit_index first, hit_index k)
{
    hit_index found = k;

    for (hit_index i = first; i < s->rows; i++) {
        if (fabs(get(s, i, k)) > fabs(get(s, found, k))) found = i;
    }
    return found;
}

static void getrf_inc(const hit_index x[], const hit_oracle_arg arg[])
{
    const stack s = stack_of(NULL, &arg[0]);

    (void)x;
    for (hit_index k = 0; k < s.rows; k++) {
        const hit_index found = find_pivot(&s, k + 1, k);

        *pivot_of(&arg[1], k) = (int32_t)found;
        swap_rows(&s, k, found, arg[0].view.domain.sig[1]);
        eliminate(&s, k + 1, k, s.rows);
    }
    put_unit_lower(&s, &arg[2]);
}

static void gessm(const hit_index x[], const hit_oracle_arg arg[])
{
    const stack c = stack_of(NULL, &arg[0]);
    const hit_sig column = hit_sig_make(x[0], x[0], 1);

    for (hit_index i = 0; i < c.rows; i++) {
        swap_rows(&c, i, *pivot_of(&arg[2], i), column);
    }
    for (hit_index i = 0; i < c.rows; i++) {
        double value = get(&c, i, x[0]);

        for (hit_index k = 0; k < i; k++) {
            value -= hit_oracle_get(&arg[1], i, k, 0) * get(&c, k, x[0]);
        }
        put(&c, i, x[0], value);
    }
}

/** Columns base..past-1 of U were eliminated: column @p j of C follows. */
static void follow_pair(const stack *c, const hit_oracle_arg arg[], hit_index base,
                        hit_index past, hit_index j)
{
    const hit_oracle_arg *m = &arg[0];
    const hit_oracle_arg *l = &arg[1];
    const hit_sig column = hit_sig_make(j, j, 1);

    for (hit_index k = base; k < past; k++) {
        swap_rows(c, k, *pivot_of(&arg[2], k), column);
    }
    for (hit_index k = base; k < past; k++) {
        double value = get(c, k, j);

        for (hit_index i = base; i < k; i++) {
            value -= hit_oracle_get(l, k - base, i, 0) * get(c, i, j);
        }
        put(c, k, j, value);
    }
    for (hit_index i = c->rows_of_top; i < c->rows; i++) {
        double value = get(c, i, j);

        for (hit_index k = base; k < past; k++) {
            value -= hit_oracle_get(m, i - c->rows_of_top, k, 0) * get(c, k, j);
        }
        put(c, i, j, value);
    }
}

/** Multipliers of row k of U, which went up, change places with those of @p found. */
static void swap_multipliers(const stack *s, const hit_oracle_arg *l, hit_index base,
                             hit_index k, hit_index found)
{
    for (hit_index j = base; j < k; j++) {
        const double kept = get(s, found, j);

        put(s, found, j, hit_oracle_get(l, k - base, j, 0));
        hit_oracle_put(l, (const hit_index[]){k - base, j}, kept);
    }
}

/* a, u, l and p */
static void tstrf(const hit_index x[], const hit_oracle_arg arg[])
{
    const hit_oracle_arg pair[] = {arg[0], arg[2], arg[3]};
    const stack s = stack_of(&arg[1], &arg[0]);
    const hit_index n = s.rows_of_top;

    (void)x;
    for (hit_index k = 0; k < n; k++) {
        const hit_index base = k - k % rows_of(&arg[2]);
        const hit_index past = base + rows_of(&arg[2]) < n ? base + rows_of(&arg[2]) : n;
        const hit_index found = find_pivot(&s, n, k);

        for (hit_index r = 0; r < rows_of(&arg[2]); r++) {
            hit_oracle_put(&arg[2], (const hit_index[]){r, k}, 0);
        }
        *pivot_of(&arg[3], k) = (int32_t)found;
        swap_rows(&s, k, found, hit_sig_make(k, past - 1, 1));
        if (found != k) swap_multipliers(&s, &arg[2], base, k, found);
        eliminate(&s, n, k, past);
        for (hit_index j = past; k == past - 1 && j < n; j++) {
            follow_pair(&s, pair, base, past, j);
        }
    }
}

/* c, top, m, l and p */
static void ssssm(const hit_index x[], const hit_oracle_arg arg[])
{
    const stack c = stack_of(&arg[1], &arg[0]);
    const hit_index part = rows_of(&arg[3]);

    for (hit_index base = 0; base < c.rows_of_top; base += part) {
        const hit_index past = base + part < c.rows_of_top ? base + part : c.rows_of_top;

        follow_pair(&c, &arg[2], base, past, x[0]);
    }
}

/** Each row stays, or changes places with one of the last @p rows. */
static void set_pivots(const hit_oracle_arg *p, hit_index first, hit_index last)
{
    const hit_index n = hit_sig_count(p->view.domain.sig[1]);

    for (hit_index i = 0; i < n; i++) {
        const hit_index from = first > i ? first : i;

        *pivot_of(p, i) = (int32_t)(i % 3 == 0 ? i : from + 7 * i % (last - from + 1));
    }
}

static void arrange_gessm(const hit_oracle_arg arg[])
{
    hit_oracle_make_small(&arg[1]);
    set_pivots(&arg[2], 0, rows_of(&arg[0]) - 1);
}

static void arrange_ssssm(const hit_oracle_arg arg[])
{
    hit_oracle_make_small(&arg[2]);
    hit_oracle_make_small(&arg[3]);
    set_pivots(&arg[4], rows_of(&arg[1]), rows_of(&arg[1]) + rows_of(&arg[0]) - 1);
}

/* the pivots of both are then the same, however sums are rounded */
static void arrange_getrf_inc(const hit_oracle_arg arg[])
{
    const stack s = stack_of(NULL, &arg[0]);
    const hit_sig all = arg[0].view.domain.sig[1];

    hit_oracle_make_dominant(&arg[0]);
    for (hit_index i = 0; i + 3 < s.rows; i += 2) {
        swap_rows(&s, i, i + 3, all);
    }
}

static void arrange_tstrf(const hit_oracle_arg arg[])
{
    const stack s = stack_of(&arg[1], &arg[0]);
    const hit_sig all = arg[0].view.domain.sig[1];

    hit_oracle_make_dominant(&arg[1]);
    for (hit_index i = 0; i < s.rows_of_top; i += 2) {
        hit_oracle_put(&arg[0], (const hit_index[]){i, i}, get(&s, i, i) * 2);
    }
    for (hit_index i = 0; i + 3 < s.rows_of_top; i += 4) {
        swap_rows(&s, s.rows_of_top + i, s.rows_of_top + i + 3, all);
    }
}

#define FOR_BOTH(kernel, ...)                                                            \
    {.name = #kernel "_float", .at = kernel, __VA_ARGS__},                               \
    {                                                                                    \
        .name = #kernel "_double", .at = kernel, __VA_ARGS__                             \
    }

const hit_oracle hit_oracles_of_tiles[] = {
    FOR_BOTH(geqrt, .arrange = arrange_geqrt, .one_index = true),
    FOR_BOTH(tsqrt, .arrange = arrange_tsqrt, .one_index = true),
    FOR_BOTH(unmqr, .arrange = arrange_unmqr),
    FOR_BOTH(tsmqr, .arrange = arrange_tsmqr),
    FOR_BOTH(getrf_inc, .arrange = arrange_getrf_inc, .one_index = true, .row_arg = 1),
    FOR_BOTH(gessm, .arrange = arrange_gessm, .row_arg = 2),
    FOR_BOTH(tstrf, .arrange = arrange_tstrf, .one_index = true, .row_arg = 3),
    FOR_BOTH(ssssm, .arrange = arrange_ssssm, .row_arg = 4),
    {.name = NULL},
};
