/* SPDX-License-Identifier: MIT
 * Internal to kernels/: what lu_loops.h and qr_loops.h have in common. It is included
 * once per element type: REAL is the type, and TYPED(name) a name with the type's behind
 * it. */

static REAL *TYPED(row)(const hit_matrix *matrix, int row)
{
    return (REAL *)matrix->data + (ptrdiff_t)row * matrix->ld;
}

static REAL TYPED(size_of)(REAL x)
{
    return x < 0 ? -x : x;
}

/** to = to - times from. */
static void TYPED(subtract)(REAL *restrict to, REAL times, const REAL *restrict from,
                            int count)
{
    for (int k = 0; k < count; k++) {
        to[k] -= times * from[k];
    }
}

/** @p to becomes the lower triangle of @p from, both square, with ones on the diagonal.
 */
static void TYPED(copy_unit_lower)(const hit_matrix *from, const hit_matrix *to)
{
    for (int i = 0; i < to->rows; i++) {
        REAL *line = TYPED(row)(to, i);

        memset(line, 0, (size_t)to->columns * sizeof(REAL));
        memcpy(line, TYPED(row)(from, i), (size_t)i * sizeof(REAL));
        line[i] = 1;
    }
}

/** C = C + times A B, or with A' for A. */
static hit_status TYPED(add_product)(const hit_matrix *c, REAL times, const hit_matrix *a,
                                     bool transposed, const hit_matrix *b,
                                     const void *library)
{
    static const REAL one = 1;
    hit_gemm g = hit_gemm_of(a, b, c);

    if (g.m == 0 || g.n == 0 || g.k == 0) return HIT_OK;
    g.trans_a = transposed;
    g.alpha = &times;
    g.beta = &one;
    g.library = library;
    return TYPED(hit_gemm)(&g);
}
