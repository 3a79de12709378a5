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
    return hit_sig_count(arg->view.domain.sig[0]);
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

static void geqrt(const hit_index x[], const hit_oracle_arg arg[])
{
    const stack s = stack_of(NULL, &arg[0]);

    (void)x;
    factor_qr(&s, &arg[1]);
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
    {.name = NULL},
};
