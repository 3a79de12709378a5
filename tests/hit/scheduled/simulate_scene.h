/* SPDX-License-Identifier: MIT
 * What tests of launches that a scheduler places share: a machine of two GPUs and three
 * cores, tiles of integers, and one context at a time. */
#ifndef TESTS_HIT_SCHEDULED_SIMULATE_SCENE_H
#define TESTS_HIT_SCHEDULED_SIMULATE_SCENE_H

#include "hit/hit.h"
#include "tests/support/check_main.h"

enum {
    TILES = 6,
    EDGE = 4,
    N = TILES * EDGE
};

extern const hit_kernel mix_int64, add_one, from_west, add_late, add_up, fails, fails_too;

extern hit_context *hit;
extern char simulate_machine[64]; /**< the path of a file */

/** check_run_open() while the file is there; mix takes 200 ns on a GPU. */
int simulate_run(int *argc, char ***argv, Suite *suite, hit_context **base);
/** Open `hit` on the machine with these options, "memory=400", or on these devices,
 * "host:memory=400B * 2", and with that HIT_SCHED. */
void simulate_open(const char *options, const char *scheduler);

typedef struct simulate_pair {
    hit_tile *x;
    hit_tile *y;
} simulate_pair;

/** N x N, all 0. */
hit_tile *simulate_tile(void);
simulate_pair simulate_pair_make(void);
void simulate_pair_drop(simulate_pair *p);
/** One element of it; all are equal where simulate_add() writes. */
hit_index simulate_element(hit_tile *tile);
/** Launch y = x + 1. */
void simulate_add(hit_tile *y, hit_tile *x);

#endif
