/* SPDX-License-Identifier: MIT
 * Internal to kernels/lapack_plain.c, which includes it once per element type: REAL is
 * the type, ROOT its square root, TYPED(name) a name with the type's behind it. */

#include "kernels/matrix_loops.h"

/** What known element @p k counts for element @p i of X. */
static REAL TYPED(factor_of)(const hit_trsm *t, bool by_columns, int i, int k)
{
    return by_columns ? TYPED(row)(&t->l, k)[i] : TYPED(row)(&t->l, i)[k];
}

/** The rows of X, one by one. */
static void TYPED(solve_right)(const hit_trsm *t)
{
    const bool by_columns = !hit_trsm_letters_of[t->form].transposed;

    for (int r = 0; r < t->x.rows; r++) {
        REAL *row = TYPED(row)(&t->x, r);

        for (int j = 0; j < t->x.columns; j++) {
            for (int k = 0; k < j; k++) {
                row[j] -= row[k] * TYPED(factor_of)(t, by_columns, j, k);
            }
            row[j] /= TYPED(factor_of)(t, false, j, j);
        }
    }
}

/** All columns of X at a time. */
static void TYPED(solve_left)(const hit_trsm *t)
{
    const bool up = goes_up(t->form);
    const bool by_columns = hit_trsm_letters_of[t->form].transposed;
    const int rows = t->x.rows;

    for (int r = 0; r < rows; r++) {
        const int i = up ? rows - 1 - r : r;
        REAL *row = TYPED(row)(&t->x, i);

        for (int k = up ? i + 1 : 0; k < (up ? rows : i); k++) {
            TYPED(subtract)
            (row, TYPED(factor_of)(t, by_columns, i, k), TYPED(row)(&t->x, k),
             t->x.columns);
        }
        if (hit_trsm_letters_of[t->form].unit) continue;
        for (int j = 0; j < t->x.columns; j++) {
            row[j] /= TYPED(factor_of)(t, false, i, i);
        }
    }
}

/** Take what is solved away from the block of X that begins at @p from. */
static hit_status TYPED(update_block)(const hit_trsm *t, int from, int width)
{
    static const REAL one = 1;
    static const REAL minus_one = -1;
    const hit_trsm_letters letters = hit_trsm_letters_of[t->form];
    const bool up = goes_up(t->form);
    const int known = up ? from + width : 0; /* the first that is solved */
    const int count = up ? t->l.rows - known : from;
    const size_t bytes = sizeof(REAL);
    const hit_matrix l = letters.right != letters.transposed
                             ? hit_matrix_part(&t->l, known, from, count, width, bytes)
                             : hit_matrix_part(&t->l, from, known, width, count, bytes);
    const hit_matrix x = part_of_x(t, known, count, bytes);
    const hit_gemm g = {.a = letters.right ? x : l,
                        .b = letters.right ? l : x,
                        .c = part_of_x(t, from, width, bytes),
                        .trans_a = letters.transposed && !letters.right,
                        .trans_b = letters.transposed && letters.right,
                        .alpha = &minus_one,
                        .beta = &one};

    return count > 0 ? TYPED(hit_gemm)(&g) : HIT_OK;
}

hit_status TYPED(hit_trsm)(const hit_trsm *t)
{
    const int order = t->l.rows;
    const size_t bytes = sizeof(REAL);

    for (int done = 0; done < order; done += BLOCK) {
        const int width = order - done < BLOCK ? order - done : BLOCK;
        const int from = goes_up(t->form) ? order - done - width : done;
        const hit_trsm block = {
            .form = t->form,
            .l = hit_matrix_part(&t->l, from, from, width, width, bytes),
            .x = part_of_x(t, from, width, bytes)};

        HIT_TRY(TYPED(update_block)(t, from, width));
        if (hit_trsm_letters_of[t->form].right) {
            TYPED(solve_right)(&block);
        } else {
            TYPED(solve_left)(&block);
        }
    }
    return HIT_OK;
}

hit_status TYPED(hit_syrk)(const hit_gemm *gemm)
{
    static const REAL none = 0;
    const REAL beta = *(const REAL *)gemm->beta;
    const int n = gemm->c.rows;
    const int k = gemm->a.columns;
    const size_t bytes = sizeof(REAL);
    REAL square[BLOCK * BLOCK];

    for (int top = 0; top < n; top += BLOCK) {
        const int height = n - top < BLOCK ? n - top : BLOCK;
        hit_gemm g = *gemm;

        g.a = hit_matrix_part(&gemm->a, top, 0, height, k, bytes);
        g.b = hit_matrix_part(&gemm->a, 0, 0, top, k, bytes);
        g.c = hit_matrix_part(&gemm->c, top, 0, height, top, bytes);
        if (top > 0) HIT_TRY(TYPED(hit_gemm)(&g));
        g.beta = &none;
        g.b = g.a;
        g.c = (hit_matrix){square, height, height, BLOCK};
        HIT_TRY(TYPED(hit_gemm)(&g));
        for (int i = 0; i < height; i++) {
            REAL *row = TYPED(row)(&gemm->c, top + i) + top;

            for (int j = 0; j <= i; j++) {
                const REAL before = beta == 0 ? 0 : beta * row[j]; /* it may be NaN */

                row[j] = before + square[i * BLOCK + j];
            }
        }
    }
    return HIT_OK;
}

/** The factor of one block; 0, or the order of the minor that is not positive. */
static int TYPED(factor_block)(const hit_matrix *a)
{
    for (int i = 0; i < a->rows; i++) {
        REAL *row = TYPED(row)(a, i);
        REAL rest = row[i];

        for (int j = 0; j < i; j++) {
            const REAL *above = TYPED(row)(a, j);

            for (int k = 0; k < j; k++) {
                row[j] -= row[k] * above[k];
            }
            row[j] /= above[j];
            rest -= row[j] * row[j];
        }
        if (!(rest > 0)) return i + 1;
        row[i] = ROOT(rest);
    }
    return 0;
}

hit_status TYPED(hit_potrf)(const hit_matrix *a, const void *library, int *order)
{
    static const REAL one = 1;
    static const REAL minus_one = -1;
    const size_t bytes = sizeof(REAL);

    (void)library;
    *order = 0;
    for (int top = 0; top < a->rows && *order == 0; top += BLOCK) {
        const int height = a->rows - top < BLOCK ? a->rows - top : BLOCK;
        const int past = top + height;
        const int below = a->rows - past;
        const hit_matrix rows = hit_matrix_part(a, top, 0, height, top, bytes);
        const hit_matrix square = hit_matrix_part(a, top, top, height, height, bytes);
        const hit_trsm t = {.form = HIT_TRSM_RLT,
                            .l = square,
                            .x = hit_matrix_part(a, past, top, below, height, bytes)};
        hit_gemm g = {.a = rows,
                      .b = rows,
                      .c = square,
                      .trans_b = true,
                      .alpha = &minus_one,
                      .beta = &one};

        if (top > 0) HIT_TRY(TYPED(hit_syrk)(&g));
        *order = TYPED(factor_block)(&square);
        if (*order > 0) {
            *order += top;
        } else {
            g.a = hit_matrix_part(a, past, 0, below, top, bytes);
            g.c = t.x;
            if (top > 0) HIT_TRY(TYPED(hit_gemm)(&g));
            HIT_TRY(TYPED(hit_trsm)(&t));
        }
    }
    return HIT_OK;
}

#undef REAL
#undef TYPED
#undef ROOT
