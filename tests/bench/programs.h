/* SPDX-License-Identifier: MIT
 * Programs as users write them, each beside the same algorithm in plain C with OpenMP:
 * the same passes in the same order, compiled with the same flags. A new one is an object
 * of this type, and a line in the table of programs.c. */
#ifndef TESTS_BENCH_PROGRAMS_H
#define TESTS_BENCH_PROGRAMS_H

#include "hit/hit.h"

#include <math.h>

typedef struct bench_program {
    const char *name;
    /** Both sides, with equal content, whose largest array has about @p bytes; a program
     * with one size does not look at it. */
    void *(*create)(hit_context *hit, size_t bytes);
    /** One run; the driver waits for the library and takes the time. */
    void (*ours)(void *state);
    void (*plain)(void *state, int threads);
    /** Have both sides the same result, after as many runs of each? */
    bool (*same)(void *state);
    void (*destroy)(void *state);
    const char *size; /**< what to call the one size; NULL: small and large arrays */
    int launches;     /**< in a run, of a program with one size */
} bench_program;

extern const bench_program bench_life;
extern const bench_program bench_red_black;
extern const bench_program bench_lud;
extern const bench_program bench_floyd;
extern const bench_program bench_needleman_wunsch;
extern const bench_program bench_durbin;

/** The side of a square of @p bytes whose elements have @p size_bytes. */
static inline hit_index bench_side(size_t bytes, size_t size_bytes)
{
    return (hit_index)sqrt((double)(bytes / size_bytes));
}

/** How often to repeat a pass over @p elements so that a run takes long enough. */
static inline int bench_steps(hit_index elements, hit_index elements_per_run)
{
    const hit_index steps = elements_per_run / elements;

    return steps < 2 ? 2 : (int)steps;
}

/** Memory for @p count elements; it stays until bench_release(). */
void *bench_array(hit_index count, size_t size_bytes);
void bench_release(void *array);
/** Zeroed; free() it. */
void *bench_state(size_t size_bytes);
/** Rows @p a to @p b and columns @p c to @p d. */
hit_domain bench_box(hit_index a, hit_index b, hit_index c, hit_index d);
hit_tile *bench_part(hit_tile *tile, hit_domain domain);
/** A tile of all elements of @p domain. */
hit_tile *bench_tile(hit_context *hit, hit_domain domain, hit_type type,
                     const char *name);
/** Is what @p tile holds, as a dense array, equal to @p plain? Numbers of type float and
 * double may differ by 1e-5 of 1 + their size. */
bool bench_equal(hit_tile *tile, hit_type type, const void *plain);

#endif
