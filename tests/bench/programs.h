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
} bench_program;

extern const bench_program bench_life;
extern const bench_program bench_red_black;
extern const bench_program bench_lud;
extern const bench_program bench_floyd;
extern const bench_program bench_needleman_wunsch;
extern const bench_program bench_durbin;
extern const bench_program bench_transpose;
extern const bench_program bench_scan;
extern const bench_program bench_histogram;
extern const bench_program bench_spmv;
extern const bench_program bench_k_means;
extern const bench_program bench_n_body;
extern const bench_program bench_black_scholes;
extern const bench_program bench_pathfinder;
extern const bench_program bench_lattice_boltzmann;
extern const bench_program bench_gauss_seidel;
extern const bench_program bench_alignment;

/** A tile, and the same elements for plain C. */
typedef struct bench_both {
    hit_tile *tile;
    void *plain;
    hit_type type;
} bench_both;

enum {
    BENCH_BOTH = 8
};

/** The state of a program that needs nothing else. */
typedef struct bench_scene {
    hit_context *hit;
    hit_index n;
    hit_index m;
    int steps;
    int result; /**< the number of what is compared in the end */
    int count;
    bench_both both[BENCH_BOTH];
} bench_scene;

/** bench_scene_destroy() and bench_scene_same() are functions of a bench_program. */
bench_scene *bench_scene_make(hit_context *hit);
/** One more: value(at) is the number in element @p at, row by row; NULL: 0. */
void bench_scene_add(bench_scene *s, hit_domain domain, hit_type type,
                     double (*value)(hit_index at));
bool bench_scene_same(void *state);
void bench_scene_destroy(void *state);
/** From 0 to below 1, by @p at alone. */
double bench_random(hit_index at);

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
/** A tile of all elements of @p domain. */
hit_tile *bench_tile(hit_context *hit, hit_domain domain, hit_type type,
                     const char *name);
/** Is what @p tile holds, as a dense array, equal to @p plain? Numbers of type float and
 * double may differ by 1e-5 of 1 + their size. */
bool bench_equal(hit_tile *tile, hit_type type, const void *plain);

#endif
