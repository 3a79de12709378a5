/* SPDX-License-Identifier: MIT
 * Each thread has a chunk of rows, which becomes narrower from step to step on both
 * sides; the wedges between chunks grow afterwards. A chunk is swept in columns of tiles
 * that are skewed by a row and by a cache line for each step. */
#include "tests/bench/chain_plain.h"

#ifdef _OPENMP
#include <omp.h>
#endif

enum {
    BLOCK = 24, /* steps */
    ROWS = 8    /* of a tile */
};

static long least(long a, long b)
{
    return a < b ? a : b;
}

static long most(long a, long b)
{
    return a > b ? a : b;
}

/* Rows [from, to) of the first of the steps; grow: the change of both ends by a step. */
typedef struct part {
    long from, to;
    long grow_from, grow_to;
} part;

static int thread_number(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

static int thread_count(void)
{
#ifdef _OPENMP
    return omp_get_num_threads();
#else
    return 1;
#endif
}

/* Chunk @p t of @p threads, or the wedge behind it. */
static part part_of(long n, int t, int threads, int wedge)
{
    const long from = 1 + (n - 2) * t / threads;
    const long to = 1 + (n - 2) * (t + 1) / threads;

    if (wedge) return (part){to, to, -1, t + 1 < threads ? 1 : -1};
    return (part){from, to, t > 0 ? 1 : 0, t + 1 < threads ? -1 : 0};
}

/* NOLINTBEGIN(bugprone-macro-parentheses): T is a type */
/* clang-format off */
#define CHAIN_PLAIN(T, WIDTH, LINE)                                                     \
    static void row_##T(T *restrict next, const T *restrict now, long n, long from,     \
                        long to)                                                        \
    {                                                                                   \
        for (long j = from; j < to; j++) {                                              \
            next[j] = (T)0.2 * (now[j] + now[j - n] + now[j + n] + now[j - 1] +         \
                                now[j + 1]);                                            \
        }                                                                               \
    }                                                                                   \
                                                                                        \
    static void tile_##T(T *const field[2], long n, int steps, const part *p, long row, \
                         long column)                                                   \
    {                                                                                   \
        for (int s = 0; s < steps; s++) {                                               \
            const long i0 = most(row - s, p->from + p->grow_from * s);                  \
            const long i1 = least(row + ROWS - s, p->to + p->grow_to * s);              \
            const long j0 = most(column - (LINE) * s, 1);                               \
            const long j1 = least(column + (WIDTH) - (LINE) * s, n - 1);                \
                                                                                        \
            for (long i = i0; i < i1; i++) {                                            \
                row_##T(field[(s + 1) % 2] + i * n, field[s % 2] + i * n, n, j0, j1);   \
            }                                                                           \
        }                                                                               \
    }                                                                                   \
                                                                                        \
    static void part_##T(T *const field[2], long n, int steps, const part *p)           \
    {                                                                                   \
        const long first = p->from + least(p->grow_from * steps, 0);                    \
        const long last = p->to + most(p->grow_to * steps, 0) + steps;                  \
                                                                                        \
        for (long column = 0; column < n + (LINE) * steps; column += (WIDTH)) {         \
            for (long row = first; row < last; row += ROWS) {                           \
                tile_##T(field, n, steps, p, row, column);                              \
            }                                                                           \
        }                                                                               \
    }                                                                                   \
                                                                                        \
    void chain_plain_##T(T *now, T *next, long n, int steps)                            \
    {                                                                                   \
        for (int done = 0; done < steps; done += BLOCK) {                               \
            T *const field[2] = {done % 2 == 0 ? now : next, done % 2 == 0 ? next : now};\
            const int count = steps - done < BLOCK ? steps - done : BLOCK;              \
                                                                                        \
            _Pragma("omp parallel")                                                     \
            {                                                                           \
                const int threads = thread_count();                                     \
                const int t = thread_number();                                          \
                const part chunk = part_of(n, t, threads, 0);                           \
                const part wedge = part_of(n, t, threads, 1);                           \
                                                                                        \
                part_##T(field, n, count, &chunk);                                      \
                _Pragma("omp barrier")                                                  \
                if (t + 1 < threads) part_##T(field, n, count, &wedge);                 \
            }                                                                           \
        }                                                                               \
    }

CHAIN_PLAIN(float, 2048, 16)
CHAIN_PLAIN(double, 1024, 8)
/* NOLINTEND(bugprone-macro-parentheses) */
