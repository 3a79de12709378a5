/* SPDX-License-Identifier: MIT
 * Internal to kernels/lu.c, which includes it once per element type: REAL is the type,
 * SIZE_OF its absolute value, the other macros are names of functions. */

static REAL *ROW(const hit_matrix *matrix, int row)
{
    return (REAL *)matrix->data + (ptrdiff_t)row * matrix->ld;
}

/** to = to - times from. */
static void SUBTRACT(REAL *restrict to, REAL times, const REAL *restrict from, int count)
{
    for (int k = 0; k < count; k++) {
        to[k] -= times * from[k];
    }
}

/** C = C - A B. */
static hit_status TAKE_AWAY(const hit_matrix *a, const hit_matrix *b, const hit_matrix *c,
                            const void *library)
{
    static const REAL one = 1;
    static const REAL minus_one = -1;
    hit_gemm g = hit_gemm_of(a, b, c);

    if (g.m == 0 || g.n == 0) return HIT_OK;
    g.alpha = &minus_one;
    g.beta = &one;
    g.library = library;
    return MULTIPLY(&g);
}

/** X becomes inv(L) X; the diagonal of L is 1. */
static hit_status FORWARD(const hit_matrix *l, const hit_matrix *x, const void *library)
{
    const hit_trsm t = {.form = HIT_TRSM_LLNU,
                        .m = x->rows,
                        .n = x->columns,
                        .ldl = l->ld,
                        .ldb = x->ld,
                        .l = l->data,
                        .b = x->data,
                        .library = library};

    return t.n > 0 ? TRSM(&t) : HIT_OK;
}

/** Eliminate columns from..past-1, below the diagonal; 0, or the order of the minor whose
 * pivot is 0. */
static int FACTOR_PANEL(const hit_matrix *a, int from, int past)
{
    for (int j = from; j < past; j++) {
        const REAL *row = ROW(a, j);

        if (!(SIZE_OF(row[j]) > 0)) return j + 1;
        for (int i = j + 1; i < a->rows; i++) {
            REAL *below = ROW(a, i);

            below[j] /= row[j];
            SUBTRACT(below + j + 1, below[j], row + j + 1, past - j - 1);
        }
    }
    return 0;
}

/** A becomes L and U. *order: as of FACTOR_PANEL() */
static hit_status FACTOR(const hit_matrix *a, const void *library, int *order)
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

        *order = FACTOR_PANEL(a, from, past);
        if (*order > 0) return HIT_OK;
        HIT_TRY(FORWARD(&square, &right, library));
        HIT_TRY(TAKE_AWAY(&below, &right, &rest, library));
    }
    return HIT_OK;
}

#undef REAL
#undef SIZE_OF
#undef ROW
#undef SUBTRACT
#undef TAKE_AWAY
#undef FORWARD
#undef FACTOR_PANEL
#undef FACTOR
#undef MULTIPLY
#undef TRSM
