/* SPDX-License-Identifier: MIT
 * What every test program shares. A test file is its tests, a `static Suite *suite(void)`
 * and `int main(void) { return check_run(suite()); }`. Every assertion costs Check a
 * write to a pipe: in loops over elements gather a bool and assert it once per case. */
#ifndef TESTS_SUPPORT_CHECK_MAIN_H
#define TESTS_SUPPORT_CHECK_MAIN_H

#include "hit/context.h"
#include "tests/support/random.h"

#include <check.h>

/** Run a suite without forking (fatal under MPI and CUDA) and free it. Returns the exit
 * status: 0 if nothing failed. */
int check_run(Suite *suite);

/** The same with a context that is open as long as the suite runs, in *base: it keeps MPI
 * open while tests open and close contexts of their own. */
int check_run_open(int *argc, char ***argv, Suite *suite, hit_context **base);

#endif
