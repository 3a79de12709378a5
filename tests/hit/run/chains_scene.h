/* SPDX-License-Identifier: MIT
 * What tests of chains work on. */
#ifndef TESTS_HIT_RUN_CHAINS_SCENE_H
#define TESTS_HIT_RUN_CHAINS_SCENE_H

#include "hit/chain/tuner.h"
#include "hit/hit.h"

extern const hit_kernel star;

enum {
    CHAINS_N = 40,
    CHAINS_STEPS = 11,
    CHAINS_TILES = 3
};

/** A context with three tiles of floats, which hold numbers. */
typedef struct chains_scene {
    hit_context *hit;
    hit_domain all;
    hit_domain inner;
    const char *layout; /**< of tiles */
    hit_tile *tile[CHAINS_TILES];
} chains_scene;

/** Chains of small tiles, as they are found fastest for large ones. */
extern const hit_choice chains_blocked;

/** @param choice how all blocks are run; NULL: as it is fastest */
chains_scene chains_open(const hit_choice *choice, int threads);
/** On the processes that there are. @param extent of tiles, in both dimensions */
chains_scene chains_open_over(const hit_choice *choice, int threads, const char *layout,
                              hit_index extent);
/** The same, of one thread, that does not ask for chains. */
chains_scene chains_open_quiet(const hit_choice *choice, const char *layout,
                               hit_index extent);
/** The same on devices as HIT_DEVICES names them. */
chains_scene chains_open_on(const hit_choice *choice, const char *devices,
                            const char *layout, hit_index extent);
/** The same as chains_open() on a device with a memory of its own, of so many bytes: four
 * times as many rows. */
chains_scene chains_open_staged(size_t memory_bytes, int threads);
/** On the processes that there are, whose devices have memories of so many bytes. */
chains_scene chains_open_over_staged(size_t memory_bytes, int threads, const char *layout,
                                     hit_index extent);
/** The same on several such devices of each process, which does not ask for chains. */
chains_scene chains_open_several(int devices, size_t memory_bytes, int threads,
                                 const char *layout, hit_index extent);
/** The same where each has a share of its own, or they follow times, some are slow, and
 * some work in place. @p memory_bytes 0: all do. */
chains_scene chains_open_unlike(uint64_t seed, int devices, size_t memory_bytes,
                                int threads, const char *layout, hit_index extent);
void chains_close(chains_scene *s);
/** No scheduler comes at need, so that what is moved is not up to time. */
void chains_place_nothing(chains_scene *s);
/** Other tiles: what chains_drop_tiles() dropped. */
void chains_make_tiles(chains_scene *s, hit_domain all, hit_type type);
void chains_drop_tiles(chains_scene *s);
/** How many launches ran in tiles with others. */
uint64_t chains_chained(const chains_scene *s);
void chains_launch_star(chains_scene *s, hit_tile *next, hit_tile *now, int t);
/** Many steps, two tiles in turn. */
void chains_run_star(chains_scene *s);
/** All tiles hold the same bits, on all processes. @collective yes */
void chains_expect_equal(chains_scene *a, chains_scene *b, const char *name);

/** How many of @p cases random chains a test tries: HIT_CHAINS, or all; half of them
 * with a sanitizer. */
int chains_cases(int cases);

/** A program on a scene, as chains may run it (docs/chain.md). */
typedef struct chains_program {
    const char *name;
    void (*run)(chains_scene *s);
    int launches; /**< of a step */
} chains_program;

extern const chains_program chains_legal[];
extern const int chains_legal_count;

#endif
