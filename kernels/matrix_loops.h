/* SPDX-License-Identifier: MIT
 * Internal to kernels/: what lapack_plain_loops.h, lu_loops.h and qr_loops.h have in
 * common; inline, for not all use all of it. It is included once per element type: REAL
 * is the type, and TYPED(name) a name with the type's behind it. */

static inline REAL *TYPED(row)(const hit_matrix *matrix, int row)
{
    return (REAL *)matrix->data + (ptrdiff_t)row * matrix->ld;
}

static inline REAL TYPED(size_of)(REAL x)
{
    return x < 0 ? -x : x;
}

/** to = to - times from. */
static inline void TYPED(subtract)(REAL *restrict to, REAL times,
                                   const REAL *restrict from, int count)
{
    for (int k = 0; k < count; k++) {
        to[k] -= times * from[k];
    }
}

/** @p to becomes the lower triangle of @p from, both square, with ones on the diagonal.
 */
static inline void TYPED(copy_unit_lower)(const hit_matrix *from, const hit_matrix *to)
{
    for (int i = 0; i < to->rows; i++) {
        REAL *line = TYPED(row)(to, i);

        memset(line, 0, (size_t)to->columns * sizeof(REAL));
        memcpy(line, TYPED(row)(from, i), (size_t)i * sizeof(REAL));
        line[i] = 1;
    }
}

/** C = C + times A B, or with A' for A. */
static inline hit_status TYPED(add_product)(const hit_matrix *c, REAL times,
                                            const hit_matrix *a, bool transposed,
                                            const hit_matrix *b, const void *library)
{
    static const REAL one = 1;
    const hit_gemm g = {.a = *a,
                        .b = *b,
                        .c = *c,
                        .trans_a = transposed,
                        .alpha = &times,
                        .beta = &one,
                        .library = library};

    if (c->rows == 0 || c->columns == 0 || b->rows == 0) return HIT_OK;
    return TYPED(hit_gemm)(&g);
}
