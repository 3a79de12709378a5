/* SPDX-License-Identifier: MIT
 * Steps by hand of stencils that are stars: an element and its neighbours up to 1 or 4
 * away along each dimension. Rows that are next to each other in the first dimension go
 * together, and share what they load; neighbours in a row are shifted from aligned
 * vectors, since loads across two lines of the cache cost more. */
#include "tests/bench/rows_hand.h"

#include <stdbool.h>
#include <string.h>

#ifdef ROWS_BY_HAND
enum {
    LINE = 16 / WIDE, /* vectors of a line of the cache */
    NEAR_ROWS = WIDE == 16 ? 4 : 2,
    NEAR_PLANES = WIDE == 16 ? 4 : 3,
    FAR_ROWS = WIDE == 16 ? 4 : 2,
    FAR_PLANES = WIDE == 16 ? 4 : 2,
    MOST = 4 /* of these */
};

typedef enum use {
    SUM,       /* the sum is the result */
    TWO_STEPS, /* its change of what goes on as it did */
    DAMPED     /* the same, and borders damp it */
} use;

typedef struct star {
    int dims, reach;
    int rows; /* that go together */
    int line; /* vectors of each that do */
    use use;
    float weight[FAR + 1]; /* of the element, and of its neighbours 1, 2, ... away */
} star;

/* What becomes of the sum at an element. */
INLINE vector used(const star *s, const rows_grid *g, long at, vector here, vector sum)
{
    if (s->use == SUM) return sum;
    if (s->use == TWO_STEPS) {
        return multiply_add(load(g->speed + at), sum,
                            multiply_subtract(all_of(2), here, load(g->into + at)));
    }
    const vector damp = load(g->damp + at);
    const vector moved = multiply_add(load(g->speed + at), sum, add(here, here));

    return multiply(damp, subtract_product(damp, load(g->into + at), moved));
}

/* Beside the middle one of three vectors, which begins at @p at: ring[r] is the sum of
 * the neighbours r away in the row, and of those in the rows of the same plane. */
INLINE void beside(const star *s, long n, const float *at, const vector row[3],
                   vector ring[FAR + 1])
{
    if (s->reach == 1) {
        ring[1] = add(one_before(row[0], row[1]), one_behind(row[1], row[2]));
    } else {
        along_row(row[0], row[1], row[2], ring);
    }
    if (s->dims == 2) return;
    UNROLL
    for (int r = 1; r <= s->reach; r++) {
        ring[r] = add(ring[r], add(load(at - r * n), load(at + r * n)));
    }
}

/* A vector of each of count rows that are stride apart: registers hold the column. */
INLINE void column_of(const star *s, const rows_grid *g, long at, int count, place where)
{
    const long stride = s->dims == 2 ? g->nk : g->nj * g->nk;
    const float *from = g->from + at;
    vector column[MOST + 2 * FAR];

    UNROLL
    for (int p = 0; p < count + 2 * s->reach; p++) {
        column[p] = load(from + (p - s->reach) * stride);
    }
    UNROLL
    for (int p = 0; p < count; p++) {
        const float *k = from + p * stride;
        const vector here = column[p + s->reach];
        const vector row[3] = {load(k - WIDE), here, load(k + WIDE)};
        vector ring[FAR + 1];
        vector sum = multiply(all_of(s->weight[0]), here);

        beside(s, g->nk, k, row, ring);
        UNROLL
        for (int r = 1; r <= s->reach; r++) {
            const vector ends = add(column[p + s->reach - r], column[p + s->reach + r]);

            sum = multiply_add(all_of(s->weight[r]), add(ends, ring[r]), sum);
        }
        store_inner(g->into + at + p * stride, used(s, g, at + p * stride, here, sum),
                    s->reach, where);
    }
}

/* Vector v of row q of a column: added to each of count rows it is a neighbour of. */
INLINE void spread(const star *s, vector here, int q, int v, int count,
                   vector sum[MOST][LINE])
{
    UNROLL
    for (int p = 0; p < count; p++) {
        const int away = q < p ? p - q : q - p;

        if (q == p - s->reach) {
            sum[p][v] = multiply(all_of(s->weight[away]), here);
        } else if (away <= s->reach) {
            sum[p][v] = multiply_add(all_of(s->weight[away]), here, sum[p][v]);
        }
    }
}

/* What is beside the vectors of a line, which are row[1] and behind. */
INLINE void add_beside(const star *s, long n, const float *from, vector row[LINE + 2],
                       vector sum[LINE])
{
    row[0] = load(from - WIDE);
    row[LINE + 1] = load(from + LINE * WIDE);
    UNROLL
    for (int v = 0; v < LINE; v++) {
        vector ring[FAR + 1];

        beside(s, n, from + v * WIDE, row + v, ring);
        UNROLL
        for (int r = 1; r <= s->reach; r++) {
            sum[v] = multiply_add(all_of(s->weight[r]), ring[r], sum[v]);
        }
    }
}

INLINE void store_line(const star *s, const rows_grid *g, long at, const vector sum[LINE],
                       place where)
{
    UNROLL
    for (int v = 0; v < LINE; v++) {
        const long k = at + v * WIDE;

        store_inner(g->into + k, used(s, g, k, load(g->from + k), sum[v]), s->reach,
                    where == (v == 0 ? FIRST : LAST) ? where : INNER);
    }
}

/* A line of the cache of each of count rows: registers hold the sums. Rows that are a
 * power of two apart share few places of the first cache, so that a line is used up when
 * it is there. */
INLINE void lines_of(const star *s, const rows_grid *g, long at, int count, place where)
{
    const long stride = s->dims == 2 ? g->nk : g->nj * g->nk;
    vector sum[MOST][LINE];

    UNROLL
    for (int q = -s->reach; q < count + s->reach; q++) {
        const float *from = g->from + at + q * stride;
        vector row[LINE + 2];

        UNROLL
        for (int v = 0; v < LINE; v++) {
            row[1 + v] = load(from + v * WIDE);
            spread(s, row[1 + v], q, v, count, sum);
        }
        if (q >= 0 && q < count) add_beside(s, g->nk, from, row, sum[q]);
        if (q >= s->reach) {
            store_line(s, g, at + (q - s->reach) * stride, sum[q - s->reach], where);
        }
    }
}

INLINE void part_of(const star *s, const rows_grid *g, long at, int count, place where)
{
    if (s->line == 1) {
        column_of(s, g, at, count, where);
    } else {
        lines_of(s, g, at, count, where);
    }
}

INLINE void rows_of(const star *s, const rows_grid *g, long at, int count)
{
    const long n = g->nk;
    const long wide = s->line * WIDE;

    part_of(s, g, at, count, FIRST);
    for (long k = wide; k < n - wide; k += wide) {
        part_of(s, g, at + k, count, INNER);
    }
    part_of(s, g, at + n - wide, count, LAST);
}

/* All inner rows: in three dimensions row by row of some planes that go together. */
INLINE void step(const star *s, const rows_grid *grid)
{
    const rows_grid copy = *grid; /* which stores of vectors cannot change */
    const rows_grid *g = &copy;
    const long reach = s->reach;
    const long planes = s->dims == 2 ? g->nj : g->ni;
    const long rows = s->dims == 2 ? 0 : g->nj - 2 * reach;
    long i = reach;

    for (; i + s->rows <= planes - reach; i += s->rows) {
        if (s->dims == 2) rows_of(s, g, rows_at(g, 0, i), s->rows);
        for (long j = reach; j < rows + reach; j++) {
            rows_of(s, g, rows_at(g, i, j), s->rows);
        }
    }
    for (; i < planes - reach; i++) {
        if (s->dims == 2) rows_of(s, g, rows_at(g, 0, i), 1);
        for (long j = reach; j < rows + reach; j++) {
            rows_of(s, g, rows_at(g, i, j), 1);
        }
    }
}

static void heat(const rows_grid *g)
{
    static const star s = {.dims = 2,
                           .reach = 1,
                           .rows = NEAR_ROWS,
                           .line = LINE,
                           .weight = {1 - 0.4f, 0.1f}};

    step(&s, g);
}

static void stencil7(const rows_grid *g)
{
    static const star s = {.dims = 3,
                           .reach = 1,
                           .rows = NEAR_PLANES,
                           .line = LINE,
                           .weight = {1 - 0.6f, 0.1f}};

    step(&s, g);
}

static void wave(const rows_grid *g)
{
    static const star s = {.dims = 2,
                           .reach = 4,
                           .rows = FAR_ROWS,
                           .line = LINE,
                           .use = DAMPED,
                           .weight = {-(float)(205.0 / 36.0), 1.6f, -0.2f,
                                      (float)(8.0 / 315.0), -(float)(1.0 / 560.0)}};

    step(&s, g);
}

static void wave3(const rows_grid *g)
{
    static const star s = {.dims = 3,
                           .reach = 4,
                           .rows = FAR_PLANES,
                           .line = 1,
                           .use = TWO_STEPS,
                           .weight = {-(float)(205.0 / 24.0), 1.6f, -0.2f,
                                      (float)(8.0 / 315.0), -(float)(1.0 / 560.0)}};

    step(&s, g);
}

rows_step *rows_hand_of(const char *name)
{
    static const struct {
        const char *name;
        rows_step *step;
    } all[] = {{"heat", heat},
               {"wave", wave},
               {"stencil7", stencil7},
               {"wave3", wave3},
               {"fdtd", rows_hand_fdtd}};

    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
        if (strcmp(name, all[k].name) == 0) return all[k].step;
    }
    return NULL;
}
#else
rows_step *rows_hand_of(const char *name)
{
    (void)name;
    return NULL;
}
#endif
