/* SPDX-License-Identifier: MIT
 * What kernels of random programs do, by the library and by plain loops. */
#ifndef TESTS_PROGRAMS_BODY_H
#define TESTS_PROGRAMS_BODY_H

#include "tests/hit/launch/scene.h"
#include "tests/programs/program.h"

/** What a body is told, as the first value of a launch. */
typedef struct task {
    const step *step;
    int64_t number;
    hit_index shift;
    bool wrong;
} task;

/** The body of all kernels: it does with its arguments what the plain loops do. */
hit_status program_body(const hit_run *run);
/** Must the library refuse it, since numbers in tiles lead out of others, or several
 * indices to one element that they write? */
bool program_must_fail(const task *todo, const field f[]);
/** Do it in the arrays. */
void program_do_plainly(const task *todo, field f[]);

#endif
