/* SPDX-License-Identifier: MIT
 * A step of two-dimensional electrodynamics by hand: the three loops of the launches. */
#include "tests/bench/rows_hand.h"

#ifdef ROWS_BY_HAND
enum {
    ROWS = WIDE == 16 ? 4 : 2 /* that go together */
};

typedef enum field {
    EY,
    EX,
    HZ
} field;

/* A vector of each of count rows of ey: rows share those of hz. */
INLINE void column_of_ey(const rows_grid *g, long at, int count, place where)
{
    const float *hz = g->hz + at;
    vector before = load(hz - g->nk);

    for (int p = 0; p < count; p++) {
        float *ey = g->ey + at + p * g->nk;
        const vector here = load(hz + p * g->nk);

        store_inner(ey, subtract_product(all_of(0.5f), subtract(here, before), load(ey)),
                    1, where);
        before = here;
    }
}

INLINE void vector_of_ex(const rows_grid *g, long at, place where)
{
    const float *hz = g->hz + at;
    float *ex = g->ex + at;

    store_inner(
        ex,
        subtract_product(all_of(0.5f), subtract(load(hz), load_any(hz - 1)), load(ex)), 1,
        where);
}

INLINE void column_of_hz(const rows_grid *g, long at, int count, place where)
{
    const float *ey = g->ey + at;
    vector here = load(ey);

    for (int p = 0; p < count; p++) {
        const float *ex = g->ex + at + p * g->nk;
        float *hz = g->hz + at + p * g->nk;
        const vector below = load(ey + (p + 1) * g->nk);
        const vector curl =
            add(subtract(load_any(ex + 1), load(ex)), subtract(below, here));

        store_inner(hz, subtract_product(all_of(0.7f), curl, load(hz)), 1, where);
        here = below;
    }
}

INLINE void column_of(field f, const rows_grid *g, long at, int count, place where)
{
    if (f == EY) column_of_ey(g, at, count, where);
    if (f == EX) vector_of_ex(g, at, where);
    if (f == HZ) column_of_hz(g, at, count, where);
}

INLINE void rows_of(field f, const rows_grid *g, long j, int count)
{
    const long at = rows_at(g, 0, j);
    const long n = g->nk;

    column_of(f, g, at, count, FIRST);
    for (long k = WIDE; k < n - WIDE; k += WIDE) {
        column_of(f, g, at + k, count, INNER);
    }
    column_of(f, g, at + n - WIDE, count, LAST);
}

INLINE void all_rows(field f, const rows_grid *g, int count)
{
    long j = 1;

    for (; j + count <= g->nj - 1; j += count) {
        rows_of(f, g, j, count);
    }
    for (; j < g->nj - 1; j++) {
        rows_of(f, g, j, 1);
    }
}

void rows_hand_fdtd(const rows_grid *grid)
{
    const rows_grid copy = *grid; /* which stores of vectors cannot change */
    const rows_grid *g = &copy;

    all_rows(EY, g, ROWS);
    all_rows(EX, g, 1);
    all_rows(HZ, g, ROWS);
}
#endif
