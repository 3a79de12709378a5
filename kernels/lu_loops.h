/* SPDX-License-Identifier: MIT
 * Internal to kernels/lu.c, which includes it once per element type, as it does
 * matrix_loops.h. */

#include "kernels/matrix_loops.h"

/** X becomes inv(L) X; the diagonal of L is 1. */
static hit_status TYPED(forward)(const hit_matrix *l, const hit_matrix *x,
                                 const void *library)
{
    const hit_trsm t = {.form = HIT_TRSM_LLNU, .l = *l, .x = *x, .library = library};

    return x->columns > 0 ? TYPED(hit_trsm)(&t) : HIT_OK;
}

static void TYPED(swap)(REAL *restrict x, REAL *restrict y, int count)
{
    for (int k = 0; k < count; k++) {
        const REAL kept = x[k];

        x[k] = y[k];
        y[k] = kept;
    }
}

/** The row from @p first on with the largest element of column @p j, if that is larger
 * than @p most; else -1. */
static int TYPED(find_pivot)(const hit_matrix *a, int first, int j, REAL most)
{
    int found = -1;

    for (int i = first; i < a->rows; i++) {
        const REAL size = TYPED(size_of)(TYPED(row)(a, i)[j]);

        if (size > most) {
            most = size;
            found = i;
        }
    }
    return found;
}

/** Take row @p row of the triangle away from rows first.. of @p a, so that their column
 * @p j becomes 0, whose place the multipliers take; columns up to past-1. */
static void TYPED(eliminate)(const hit_matrix *a, int first, const REAL *row, int j,
                             int past)
{
    if (row[j] == 0) return; /* then all of the column is 0 */
    for (int i = first; i < a->rows; i++) {
        REAL *line = TYPED(row)(a, i);

        line[j] /= row[j];
        TYPED(subtract)(line + j + 1, line[j], row + j + 1, past - j - 1);
    }
}

/** Eliminate columns from..past-1, below the diagonal. @p pivot: where the rows came from
 * that took the places of others; NULL: none do. 0, or the order of the minor whose pivot
 * is 0: with pivots that is no mistake, for blocks below may have others. */
static int TYPED(factor_panel)(const hit_matrix *a, int from, int past, int32_t *pivot)
{
    for (int j = from; j < past; j++) {
        REAL *row = TYPED(row)(a, j);

        if (pivot != NULL) {
            const int best = TYPED(find_pivot)(a, j + 1, j, TYPED(size_of)(row[j]));

            pivot[j] = best < 0 ? j : best;
            if (best >= 0) TYPED(swap)(row, TYPED(row)(a, best), a->columns);
        } else if (!(TYPED(size_of)(row[j]) > 0)) {
            return j + 1;
        }
        TYPED(eliminate)(a, j + 1, row, j, past);
    }
    return 0;
}

/** What was done to the columns of @p square and @p below is done to those of @p right
 * and, under it, @p rest. */
typedef struct TYPED(hit_update) {
    hit_matrix square, right, below, rest;
    const void *library;
} TYPED(hit_update);

static hit_status TYPED(update)(const void *of, int part, int parts)
{
    const TYPED(hit_update) *u = of;
    const int first = hit_team_begin(u->right.columns, part, parts);
    const int n = hit_team_begin(u->right.columns, part + 1, parts) - first;
    const size_t bytes = sizeof(REAL);
    const hit_matrix right =
        hit_matrix_part(&u->right, 0, first, u->right.rows, n, bytes);
    const hit_matrix rest = hit_matrix_part(&u->rest, 0, first, u->rest.rows, n, bytes);

    HIT_TRY(TYPED(forward)(&u->square, &right, u->library));
    return TYPED(add_product)(&rest, -1, &u->below, false, &right, u->library);
}

/** A becomes L and U. @p pivot, *order: as of the panels */
static hit_status TYPED(factor)(const hit_matrix *a, const hit_run *run, int32_t *pivot,
                                int *order)
{
    const int n = a->rows;

    *order = 0;
    for (int from = 0; from < n; from += BLOCK) {
        const int past = n - from < BLOCK ? n : from + BLOCK;
        const int width = past - from;
        const size_t bytes = sizeof(REAL);
        const TYPED(hit_update)
            next = {.square = hit_matrix_part(a, from, from, width, width, bytes),
                    .right = hit_matrix_part(a, from, past, width, n - past, bytes),
                    .below = hit_matrix_part(a, past, from, n - past, width, bytes),
                    .rest = hit_matrix_part(a, past, past, n - past, n - past, bytes),
                    .library = run->prepared};

        *order = TYPED(factor_panel)(a, from, past, pivot);
        if (*order > 0) return HIT_OK;
        HIT_TRY(hit_team_run(run, n - past, TYPED(update), &next));
    }
    return HIT_OK;
}

/** C = inv(L) P C, by what factor() with pivots left. */
static hit_status TYPED(follow)(const hit_matrix *l, const int32_t *pivot,
                                const hit_matrix *c, const void *library)
{
    for (int i = 0; i < c->rows; i++) {
        if (pivot[i] == i) continue;
        TYPED(swap)(TYPED(row)(c, i), TYPED(row)(c, pivot[i]), c->columns);
    }
    return TYPED(forward)(l, c, library);
}

/** Columns from..from+width-1 of the triangle @p u and the block below it: as in a panel,
 * but rows of the triangle are 0 before their pivot. One that a row from below takes the
 * place of brings its multipliers with it: they are L. */
static void TYPED(pair_panel)(const hit_pair *p, const hit_matrix *u, int from, int width)
{
    const int past = from + width;

    for (int j = from; j < past; j++) {
        REAL *row = TYPED(row)(u, j);
        const int best = TYPED(find_pivot)(&p->m, 0, j, TYPED(size_of)(row[j]));

        p->pivot[j] = best < 0 ? j : u->columns + best;
        if (best >= 0) {
            REAL *line = TYPED(row)(&p->m, best);

            TYPED(swap)(row + j, line + j, past - j);
            TYPED(swap)(TYPED(row)(&p->l, j - from) + from, line + from, j - from);
        }
        TYPED(eliminate)(&p->m, 0, row, j, past);
    }
}

/** What was done to columns from..from+width-1 is done to columns first.. of @p top,
 * where the triangle's rows are, and @p below. */
typedef struct TYPED(hit_pair_update) {
    const hit_pair *p;
    int from, first;
    const hit_matrix *top, *below;
} TYPED(hit_pair_update);

static hit_status TYPED(pair_update)(const void *of, int part, int parts)
{
    const TYPED(hit_pair_update) *u = of;
    const hit_pair *p = u->p;
    const size_t bytes = sizeof(REAL);
    const int width = pair_width(p, u->from);
    const int columns = u->top->columns - u->first;
    const int first = u->first + hit_team_begin(columns, part, parts);
    const int n = u->first + hit_team_begin(columns, part + 1, parts) - first;
    const hit_matrix rows = hit_matrix_part(u->top, u->from, first, width, n, bytes);
    const hit_matrix rest = hit_matrix_part(u->below, 0, first, u->below->rows, n, bytes);
    const hit_matrix l = hit_matrix_part(&p->l, 0, u->from, width, width, bytes);
    const hit_matrix m = hit_matrix_part(&p->m, 0, u->from, p->m.rows, width, bytes);

    for (int i = 0; i < width; i++) {
        const int other = p->pivot[u->from + i] - p->m.columns;

        if (other < 0) continue;
        TYPED(swap)(TYPED(row)(&rows, i), TYPED(row)(&rest, other), n);
    }
    HIT_TRY(TYPED(forward)(&l, &rows, p->run->prepared));
    return TYPED(add_product)(&rest, -1, &m, false, &rows, p->run->prepared);
}

static hit_status TYPED(pair_follow)(const hit_pair *p, int from, int first,
                                     const hit_matrix *top, const hit_matrix *below)
{
    const TYPED(hit_pair_update) next = {p, from, first, top, below};

    return hit_team_run(p->run, top->columns - first, TYPED(pair_update), &next);
}

/** The block below the triangle @p u becomes multipliers; L and the pivots are set. */
static hit_status TYPED(pair_factor)(const hit_pair *p, const hit_matrix *u)
{
    for (int i = 0; i < p->l.rows; i++) {
        memset(TYPED(row)(&p->l, i), 0, (size_t)p->l.columns * sizeof(REAL));
    }
    for (int from = 0; from < u->columns; from += pair_width(p, from)) {
        const int width = pair_width(p, from);

        TYPED(pair_panel)(p, u, from, width);
        HIT_TRY(TYPED(pair_follow)(p, from, from + width, u, &p->m));
    }
    return HIT_OK;
}

/** The same for all columns of two other blocks. */
static hit_status TYPED(pair_apply)(const hit_pair *p, const hit_matrix *top,
                                    const hit_matrix *below)
{
    for (int from = 0; from < p->m.columns; from += pair_width(p, from)) {
        HIT_TRY(TYPED(pair_follow)(p, from, 0, top, below));
    }
    return HIT_OK;
}

#undef REAL
#undef TYPED
