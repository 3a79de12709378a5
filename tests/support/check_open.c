/* SPDX-License-Identifier: MIT
 * Suites that open and close contexts of their own, on any number of processes. */
#include "tests/support/check_main.h"

int check_run_open(int *argc, char ***argv, Suite *suite, hit_context **base)
{
    int failed;

    HIT_MUST(hit_open(argc, argv, base));
    failed = check_run(suite);
    hit_close(base);
    return failed;
}
