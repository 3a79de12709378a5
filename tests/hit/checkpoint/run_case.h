/* SPDX-License-Identifier: MIT
 * Runs of steps_case.h with checkpoints, each of which may be cut off. */
#ifndef TESTS_HIT_CHECKPOINT_RUN_CASE_H
#define TESTS_HIT_CHECKPOINT_RUN_CASE_H

#include "hit/base/context.h"
#include "hit/checkpoint/checkpoint_impl.h"
#include "hit/comm/comm.h"
#include "tests/hit/checkpoint/steps_case.h"
#include "tests/hit/io/io_case.h"

#include <stdio.h>

typedef struct run {
    FILE *out;
    hit_context *hit;
    steps s;
} run;

/** The main() of a test program. */
int run_main(int *argc, char ***argv, Suite *suite);
/** The context of the test program. */
hit_context *run_base(void);
/** The folder of checkpoints; another one from now on. */
const char *run_folder(void);
void run_other_folder(void);
/** Set HIT_CHECKPOINT: the folder, and @p options. */
void run_ask(const char *options);
void run_open(run *r, const char *layout);
/** Where it does not end it leaves no mark, as if it were killed. */
void run_close(run *r, bool ends);
/** Did the library say @p text on process 0 since the last run_open()? */
bool run_says(const char *text);
/** A run that is cut off: it should begin at step @p from, and do those before @p to. */
void run_goes(const char *options, const char *layout, hit_index from, hit_index to);
/** Claim that all processes are told, and one of them this, with @p text. */
void run_refused(hit_status status, hit_status expected, const char *text);

#endif
