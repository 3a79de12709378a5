/* SPDX-License-Identifier: MIT
 * Internal to kernels/gemm_plain.c, which includes it once per element type: REAL is the
 * type, TYPED(name) a name with the type's behind it, and TYPED(row_of) a vector of it.
 */

/* HEIGHT is a multiple of ROWS. A block of C, ROWS x COLUMNS, stays in registers,
 * one vector per row. A panel of B (DEPTH x COLUMNS) stays in the first-level cache,
 * HEIGHT x DEPTH of A in the second.
 */
#define ROWS 6
#define COLUMNS ((int)(sizeof(TYPED(row_of)) / sizeof(REAL)))
#define DEPTH 256
#define HEIGHT 192

static void TYPED(scale_c)(const hit_gemm *g)
{
    const REAL beta = *(const REAL *)g->beta;

    for (int i = 0; i < g->c.rows; i++) {
        REAL *c = (REAL *)g->c.data + (ptrdiff_t)i * g->c.ld;

        for (int j = 0; j < g->c.columns; j++) {
            c[j] = beta == 0 ? 0 : beta * c[j]; /* C may hold NaN where beta is 0 */
        }
    }
}

/** Columns j.. of rows k.. of B, filled up with zeros. */
static void TYPED(copy_panel)(const hit_gemm *g, int k, int depth, int j,
                              TYPED(row_of) * panel)
{
    const int columns = g->c.columns - j < COLUMNS ? g->c.columns - j : COLUMNS;
    const ptrdiff_t below = g->trans_b ? 1 : g->b.ld;
    const ptrdiff_t beside = g->trans_b ? g->b.ld : 1;

    for (int p = 0; p < depth; p++) {
        const REAL *b = (const REAL *)g->b.data + (k + p) * below + j * beside;

        for (int q = 0; q < COLUMNS; q++) {
            panel[p][q] = q < columns ? b[q * beside] : 0;
        }
    }
}

/** Add alpha A B to the rows of C from (i, j) on: at most ROWS of them. */
static void TYPED(add_block)(const hit_gemm *g, int i, int k, int depth, int j,
                             const TYPED(row_of) * panel)
{
    const REAL alpha = *(const REAL *)g->alpha;
    int rows = g->c.rows - i < ROWS ? g->c.rows - i : ROWS;
    int columns = g->c.columns - j < COLUMNS ? g->c.columns - j : COLUMNS;
    const ptrdiff_t below = g->trans_a ? 1 : g->a.ld;
    const ptrdiff_t beside = g->trans_a ? g->a.ld : 1;
    const REAL *a[ROWS];
    TYPED(row_of) sum[ROWS] = {0};

    for (int r = 0; r < ROWS; r++) { /* rows that are not there repeat the last one */
        int row = r < rows ? i + r : i + rows - 1;

        a[r] = (const REAL *)g->a.data + row * below + k * beside;
    }
    for (int p = 0; p < depth; p++) {
        for (int r = 0; r < ROWS; r++) {
            sum[r] += a[r][p * beside] * panel[p];
        }
    }
    for (int r = 0; r < rows; r++) {
        REAL *c = (REAL *)g->c.data + (ptrdiff_t)(i + r) * g->c.ld + j;

        for (int q = 0; q < columns; q++) {
            c[q] += alpha * sum[r][q];
        }
    }
}

/** Add alpha A B, of which DEPTH columns of A from @p k on, to HEIGHT rows of C. */
static void TYPED(add_rows)(const hit_gemm *g, int top, int k)
{
    int bottom = g->c.rows - top < HEIGHT ? g->c.rows : top + HEIGHT;
    const int left = hit_gemm_depth(g) - k;
    const int depth = left < DEPTH ? left : DEPTH;
    TYPED(row_of) panel[DEPTH];

    for (int j = 0; j < g->c.columns; j += COLUMNS) {
        TYPED(copy_panel)(g, k, depth, j, panel);
        for (int i = top; i < bottom; i += ROWS) {
            TYPED(add_block)(g, i, k, depth, j, panel);
        }
    }
}

hit_status TYPED(hit_gemm)(const hit_gemm *g)
{
    TYPED(scale_c)(g);
    for (int k = 0; k < hit_gemm_depth(g); k += DEPTH) {
        for (int top = 0; top < g->c.rows; top += HEIGHT) {
            TYPED(add_rows)(g, top, k);
        }
    }
    return HIT_OK;
}

#undef REAL
#undef TYPED
#undef ROWS
#undef COLUMNS
#undef DEPTH
#undef HEIGHT
