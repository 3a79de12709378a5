/* SPDX-License-Identifier: MIT
 * Contexts and tiles for tests of launches that are tasks. */
#ifndef TESTS_HIT_RUN_TASKS_SCENE_H
#define TESTS_HIT_RUN_TASKS_SCENE_H

#include "hit/hit.h"

/** A context with these devices, as HIT_DEVICES lists them. */
hit_context *tasks_open(const char *devices);
/** A tile of int64_t, filled with 0. */
hit_tile *tasks_tile(hit_context *hit, hit_index rows, hit_index columns);
hit_domain tasks_box(hit_index i, hit_index j, hit_index rows, hit_index columns);
/** Waits for it. */
int64_t tasks_element(hit_tile *tile, hit_index i, hit_index j);

#endif
