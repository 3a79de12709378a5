/* SPDX-License-Identifier: MIT
 * Internal to kernels/qr.c, which includes it once per element type, as it does
 * matrix_loops.h. */
#include "kernels/matrix_loops.h"

/** The length of column @p j of @p rest, without overflow. */
static REAL TYPED(length)(const hit_matrix *rest, int j)
{
    REAL most = 0;
    REAL all = 0;
    REAL sum = 0;

    for (int i = 0; i < rest->rows; i++) {
        const REAL size = TYPED(size_of)(TYPED(row)(rest, i)[j]);

        if (size > most) most = size;
        all += size;
    }
    if (all == 0) return 0; /* it is NaN where one of them is */
    for (int i = 0; i < rest->rows; i++) {
        const REAL part = TYPED(row)(rest, i)[j] / most;

        sum += part * part;
    }
    return most * (REAL)sqrt((double)sum);
}

/** The reflector that makes column @p j of @p rest 0, and top[j] its length: it takes
 * their place. How far it is along e_j and this column is 1 and what is in rest. */
static REAL TYPED(make_reflector)(REAL *top, const hit_matrix *rest, int j)
{
    const REAL below = TYPED(length)(rest, j);
    const REAL first = top[j];
    REAL whole;

    if (below == 0) return 0; /* the identity */
    whole = (REAL)hypot((double)first, (double)below);
    if (first > 0) whole = -whole;
    for (int i = 0; i < rest->rows; i++) {
        TYPED(row)(rest, i)[j] /= first - whole;
    }
    top[j] = whole;
    return (whole - first) / whole;
}

/** Column @p j of a part of the columns, which begin at @p top and @p rest: make its
 * reflector, apply it to the columns behind it, and add it to T. @p square: top has the
 * elements of V before column j, which are 0 otherwise */
static void TYPED(reflect)(REAL *top, const hit_matrix *rest, int j, bool square,
                           const hit_matrix *t)
{
    const int width = rest->columns;
    const REAL tau = TYPED(make_reflector)(top, rest, j);
    /* column j of V times the others: of V before it, of A behind it */
    REAL sum[WIDEST] = {0};

    for (int k = square ? 0 : j; k < width; k++) {
        sum[k] = top[k];
    }
    for (int i = 0; i < rest->rows; i++) {
        const REAL *line = TYPED(row)(rest, i);

        TYPED(subtract)(sum, -line[j], line, width);
    }
    TYPED(subtract)(top + j + 1, tau, sum + j + 1, width - j - 1);
    for (int i = 0; i < rest->rows; i++) {
        REAL *line = TYPED(row)(rest, i);

        TYPED(subtract)(line + j + 1, tau * line[j], sum + j + 1, width - j - 1);
    }
    for (int r = 0; r < j; r++) {
        REAL *line = TYPED(row)(t, r);

        line[j] = 0;
        for (int k = r; k < j; k++) {
            line[j] -= tau * line[k] * sum[k];
        }
    }
    TYPED(row)(t, j)[j] = tau;
}

/** C = Q' C for the reflectors of columns from..from+width-1: @p top has as many rows, @p
 * below those of V. @p work: 2 x width x columns of C. */
static hit_status TYPED(apply_part)(const hit_reflectors *q, int from, int width,
                                    const hit_matrix *top, const hit_matrix *below,
                                    REAL *work)
{
    const int n = top->columns;
    const size_t count = (size_t)width * (size_t)n;
    const hit_matrix sum = {work, width, n, n};
    const hit_matrix by_t = {work + count, width, n, n};
    const hit_matrix t = hit_matrix_part(&q->t, 0, from, width, width, sizeof(REAL));
    const int above = q->v.rows - below->rows;
    const hit_matrix v =
        hit_matrix_part(&q->v, above, from, below->rows, width, sizeof(REAL));
    REAL copy[WIDEST * WIDEST];
    const hit_matrix beside = {copy, width, width, width}; /* top: V in its rows */

    memset(work, 0, 2 * count * sizeof(REAL));
    if (q->square) {
        const hit_matrix unit =
            hit_matrix_part(&q->v, from, from, width, width, sizeof(REAL));

        TYPED(copy_unit_lower)(&unit, &beside);
        HIT_TRY(TYPED(add_product)(&sum, 1, &beside, true, top, q->run->prepared));
    } else {
        for (int i = 0; i < width; i++) {
            memcpy(TYPED(row)(&sum, i), TYPED(row)(top, i), (size_t)n * sizeof(REAL));
        }
    }
    HIT_TRY(TYPED(add_product)(&sum, 1, &v, true, below, q->run->prepared));
    HIT_TRY(TYPED(add_product)(&by_t, 1, &t, true, &sum, q->run->prepared));
    if (q->square) {
        HIT_TRY(TYPED(add_product)(top, -1, &beside, false, &by_t, q->run->prepared));
    } else {
        for (int i = 0; i < width; i++) {
            TYPED(subtract)(TYPED(row)(top, i), 1, TYPED(row)(&by_t, i), n);
        }
    }
    return TYPED(add_product)(below, -1, &v, false, &by_t, q->run->prepared);
}

/** The same for columns first.. of C, in two matrices, or in one: below is NULL. */
typedef struct TYPED(hit_columns) {
    const hit_reflectors *q;
    int from, first;
    const hit_matrix *c, *below;
    REAL *work;
} TYPED(hit_columns);

static hit_status TYPED(apply_columns)(const void *of, int part, int parts)
{
    const TYPED(hit_columns) *a = of;
    const hit_matrix *c = a->c;
    const size_t bytes = sizeof(REAL);
    const int width = width_of(a->q, a->from);
    const int before = hit_team_begin(c->columns - a->first, part, parts);
    const int n = hit_team_begin(c->columns - a->first, part + 1, parts) - before;
    const int at = a->first + before;
    const int past = a->from + width;
    const hit_matrix top = hit_matrix_part(c, a->from, at, width, n, bytes);
    const hit_matrix rest =
        a->below == NULL ? hit_matrix_part(c, past, at, c->rows - past, n, bytes)
                         : hit_matrix_part(a->below, 0, at, a->below->rows, n, bytes);

    if (n == 0) return HIT_OK;
    return TYPED(apply_part)(a->q, a->from, width, &top, &rest,
                             a->work + 2 * (ptrdiff_t)width * before);
}

static hit_status TYPED(apply_to)(const TYPED(hit_columns) * a)
{
    return hit_team_run(a->q->run, a->c->columns - a->first, TYPED(apply_columns), a);
}

static hit_status TYPED(make_work)(const hit_reflectors *q, int columns, REAL **work)
{
    return hit_memory_zeroed(2 * (size_t)width_of(q, 0) * (size_t)columns + 1,
                             sizeof(REAL), work);
}

/** C = Q' C, where C is two matrices, or one: @p below is NULL. */
static hit_status TYPED(apply)(const hit_reflectors *q, const hit_matrix *c,
                               const hit_matrix *below)
{
    hit_status st = HIT_OK;
    REAL *work = NULL;

    HIT_TRY(TYPED(make_work)(q, c->columns, &work));
    for (int from = 0; from < q->v.columns && st == HIT_OK; from += width_of(q, from)) {
        st = TYPED(apply_to)(&(TYPED(hit_columns)){q, from, 0, c, below, work});
    }
    free(work);
    return st;
}

/** Columns from..from+width-1 of V become reflectors, and those of @p r triangular. */
static void TYPED(factor_part)(const hit_reflectors *q, const hit_matrix *r, int from,
                               int width)
{
    const hit_matrix t = hit_matrix_part(&q->t, 0, from, width, width, sizeof(REAL));

    for (int j = 0; j < width; j++) {
        const int above = q->square ? from + j + 1 : 0;
        const hit_matrix rest =
            hit_matrix_part(&q->v, above, from, q->v.rows - above, width, sizeof(REAL));

        TYPED(reflect)(TYPED(row)(r, from + j) + from, &rest, j, q->square, &t);
    }
}

/** What is in V, below @p r unless V is square and r is V, becomes 0: the reflectors take
 * its place, T is set, and the upper triangle of r becomes R. */
static hit_status TYPED(factor)(const hit_reflectors *q, const hit_matrix *r)
{
    const hit_matrix *below = q->square ? NULL : &q->v;
    hit_status st = HIT_OK;
    REAL *work = NULL;

    HIT_TRY(TYPED(make_work)(q, q->v.columns, &work));
    for (int i = 0; i < q->t.rows; i++) {
        memset(TYPED(row)(&q->t, i), 0, (size_t)q->t.columns * sizeof(REAL));
    }
    for (int from = 0; from < q->v.columns && st == HIT_OK; from += width_of(q, from)) {
        const int width = width_of(q, from);

        TYPED(factor_part)(q, r, from, width);
        st =
            TYPED(apply_to)(&(TYPED(hit_columns)){q, from, from + width, r, below, work});
    }
    free(work);
    return st;
}

#undef REAL
#undef TYPED
