/* SPDX-License-Identifier: MIT
 * Internal to kernels/lapack_plain.c, which includes it once per element type: REAL is
 * the type, ROOT its square root, TYPED(name) a name with the type's behind it. */

/** What known element @p k counts for element @p i of X. */
static REAL TYPED(factor_of)(const hit_trsm *t, bool by_columns, int i, int k)
{
    const REAL *l = t->l;

    return by_columns ? l[(ptrdiff_t)k * t->ldl + i] : l[(ptrdiff_t)i * t->ldl + k];
}

/** The rows of X, one by one. */
static void TYPED(solve_right)(const hit_trsm *t)
{
    const bool by_columns = !hit_trsm_letters_of[t->form].transposed;

    for (int r = 0; r < t->m; r++) {
        REAL *row = (REAL *)t->b + (ptrdiff_t)r * t->ldb;

        for (int j = 0; j < t->n; j++) {
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

    for (int r = 0; r < t->m; r++) {
        const int i = up ? t->m - 1 - r : r;
        REAL *row = (REAL *)t->b + (ptrdiff_t)i * t->ldb;

        for (int k = up ? i + 1 : 0; k < (up ? t->m : i); k++) {
            const REAL of = TYPED(factor_of)(t, by_columns, i, k);
            const REAL *known = (const REAL *)t->b + (ptrdiff_t)k * t->ldb;

            for (int j = 0; j < t->n; j++) {
                row[j] -= of * known[j];
            }
        }
        if (hit_trsm_letters_of[t->form].unit) continue;
        for (int j = 0; j < t->n; j++) {
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
    const int row = letters.right != letters.transposed ? known : from;
    const int column = letters.right != letters.transposed ? from : known;
    const REAL *l = (const REAL *)t->l + (ptrdiff_t)row * t->ldl + column;
    REAL *b = t->b;
    hit_gemm g = {.m = letters.right ? t->m : width,
                  .n = letters.right ? width : t->n,
                  .k = up ? t->m - known : from,
                  .trans_a = letters.transposed && !letters.right,
                  .trans_b = letters.transposed && letters.right,
                  .lda = t->ldl,
                  .ldb = t->ldb,
                  .ldc = t->ldb,
                  .alpha = &minus_one,
                  .beta = &one,
                  .a = l,
                  .b = b + (ptrdiff_t)known * t->ldb,
                  .c = b + (ptrdiff_t)from * t->ldb};

    if (letters.right) {
        g.lda = t->ldb;
        g.ldb = t->ldl;
        g.a = b;
        g.b = l;
        g.c = b + from;
    }
    return g.k > 0 ? TYPED(hit_gemm)(&g) : HIT_OK;
}

hit_status TYPED(hit_trsm)(const hit_trsm *t)
{
    const bool right = hit_trsm_letters_of[t->form].right;
    const int order = right ? t->n : t->m;

    for (int done = 0; done < order; done += BLOCK) {
        const int width = order - done < BLOCK ? order - done : BLOCK;
        const int from = goes_up(t->form) ? order - done - width : done;
        hit_trsm block = *t;

        HIT_TRY(TYPED(update_block)(t, from, width));
        block.l = (const REAL *)t->l + (ptrdiff_t)from * t->ldl + from;
        block.b = (REAL *)t->b + (right ? from : (ptrdiff_t)from * t->ldb);
        *(right ? &block.n : &block.m) = width;
        if (right) {
            TYPED(solve_right)(&block);
        } else {
            TYPED(solve_left)(&block);
        }
    }
    return HIT_OK;
}

hit_status TYPED(hit_syrk)(const hit_syrk *s)
{
    static const REAL none = 0;
    const REAL beta = *(const REAL *)s->beta;
    REAL square[BLOCK * BLOCK];

    for (int top = 0; top < s->n; top += BLOCK) {
        const int height = s->n - top < BLOCK ? s->n - top : BLOCK;
        const REAL *rows = (const REAL *)s->a + (ptrdiff_t)top * s->lda;
        REAL *c = (REAL *)s->c + (ptrdiff_t)top * s->ldc;
        hit_gemm g = {.m = height,
                      .n = top,
                      .k = s->k,
                      .trans_b = true,
                      .lda = s->lda,
                      .ldb = s->lda,
                      .ldc = s->ldc,
                      .alpha = s->alpha,
                      .beta = s->beta,
                      .a = rows,
                      .b = s->a,
                      .c = c};

        if (top > 0) HIT_TRY(TYPED(hit_gemm)(&g));
        g.n = height;
        g.ldc = BLOCK;
        g.beta = &none;
        g.b = rows;
        g.c = square;
        HIT_TRY(TYPED(hit_gemm)(&g));
        for (int i = 0; i < height; i++) {
            REAL *row = c + (ptrdiff_t)i * s->ldc + top;

            for (int j = 0; j <= i; j++) {
                const REAL before = beta == 0 ? 0 : beta * row[j]; /* it may be NaN */

                row[j] = before + square[i * BLOCK + j];
            }
        }
    }
    return HIT_OK;
}

/** The factor of one block; 0, or the order of the minor that is not positive. */
static int TYPED(factor_block)(REAL *a, int lda, int n)
{
    for (int i = 0; i < n; i++) {
        REAL *row = a + (ptrdiff_t)i * lda;
        REAL rest = row[i];

        for (int j = 0; j < i; j++) {
            const REAL *above = a + (ptrdiff_t)j * lda;

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

hit_status TYPED(hit_potrf)(const hit_potrf *p, int *order)
{
    static const REAL one = 1;
    static const REAL minus_one = -1;

    *order = 0;
    for (int top = 0; top < p->n && *order == 0; top += BLOCK) {
        const int height = p->n - top < BLOCK ? p->n - top : BLOCK;
        const int below = p->n - top - height;
        REAL *rows = (REAL *)p->a + (ptrdiff_t)top * p->lda;
        REAL *next = rows + (ptrdiff_t)height * p->lda;
        const hit_syrk s = {height, top,  p->lda,     p->lda, &minus_one,
                            &one,   rows, rows + top, NULL};
        const hit_gemm g = {.m = below,
                            .n = height,
                            .k = top,
                            .trans_b = true,
                            .lda = p->lda,
                            .ldb = p->lda,
                            .ldc = p->lda,
                            .alpha = &minus_one,
                            .beta = &one,
                            .a = next,
                            .b = rows,
                            .c = next + top};
        const hit_trsm t = {HIT_TRSM_RLT, below,      height,     p->lda,
                            p->lda,       rows + top, next + top, NULL};

        if (top > 0) HIT_TRY(TYPED(hit_syrk)(&s));
        *order = TYPED(factor_block)(rows + top, p->lda, height);
        if (*order > 0) {
            *order += top;
        } else {
            if (top > 0) HIT_TRY(TYPED(hit_gemm)(&g));
            HIT_TRY(TYPED(hit_trsm)(&t));
        }
    }
    return HIT_OK;
}

#undef REAL
#undef TYPED
#undef ROOT
