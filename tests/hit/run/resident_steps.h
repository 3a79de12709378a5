/* SPDX-License-Identifier: MIT
 * Kernels of resident_kernels.k.c launched on the tiles of fields, and the same with
 * loops on their arrays. */
#ifndef TESTS_HIT_RUN_RESIDENT_STEPS_H
#define TESTS_HIT_RUN_RESIDENT_STEPS_H

#include "tests/hit/launch/scene.h"

/** to = some neighbours of from; c changes by itself, or adds a times b. On @p box, of
 * their domain. */
void step_blend(scene *s, const hit_domain *box, field *to, const field *from);
void step_bump(scene *s, const hit_domain *box, field *c);
void step_multiply(scene *s, const hit_domain *box, field *c, const field *a,
                   const field *b);

#endif
