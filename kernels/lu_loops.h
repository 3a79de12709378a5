/* SPDX-License-Identifier: MIT
 * Internal to kernels/lu.c, which includes it once per element type, as it does
 * matrix_loops.h. */

#include "kernels/matrix_loops.h"

/** X becomes inv(L) X; the diagonal of L is 1. */
static hit_status TYPED(forward)(const hit_matrix *l, const hit_matrix *x,
                                 const void *library)
{
    const hit_trsm t = {.form = HIT_TRSM_LLNU,
                        .m = x->rows,
                        .n = x->columns,
                        .ldl = l->ld,
                        .ldb = x->ld,
                        .l = l->data,
                        .b = x->data,
                        .library = library};

    return t.n > 0 ? TYPED(hit_trsm)(&t) : HIT_OK;
}

/** Eliminate columns from..past-1, below the diagonal; 0, or the order of the minor whose
 * pivot is 0. */
static int TYPED(factor_panel)(const hit_matrix *a, int from, int past)
{
    for (int j = from; j < past; j++) {
        const REAL *row = TYPED(row)(a, j);

        if (!(TYPED(size_of)(row[j]) > 0)) return j + 1;
        for (int i = j + 1; i < a->rows; i++) {
            REAL *below = TYPED(row)(a, i);

            below[j] /= row[j];
            TYPED(subtract)(below + j + 1, below[j], row + j + 1, past - j - 1);
        }
    }
    return 0;
}

/** A becomes L and U. *order: as of TYPED(factor_panel)() */
static hit_status TYPED(factor)(const hit_matrix *a, const void *library, int *order)
{
    const int n = a->rows;

    *order = 0;
    for (int from = 0; from < n && *order == 0; from += BLOCK) {
        const int past = n - from < BLOCK ? n : from + BLOCK;
        const int width = past - from;
        const size_t bytes = sizeof(REAL);
        const hit_matrix square = hit_matrix_part(a, from, from, width, width, bytes);
        const hit_matrix right = hit_matrix_part(a, from, past, width, n - past, bytes);
        const hit_matrix below = hit_matrix_part(a, past, from, n - past, width, bytes);
        const hit_matrix rest = hit_matrix_part(a, past, past, n - past, n - past, bytes);

        *order = TYPED(factor_panel)(a, from, past);
        if (*order > 0) return HIT_OK;
        HIT_TRY(TYPED(forward)(&square, &right, library));
        HIT_TRY(TYPED(add_product)(&rest, -1, &below, false, &right, library));
    }
    return HIT_OK;
}

#undef REAL
#undef TYPED
