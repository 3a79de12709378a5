/* SPDX-License-Identifier: MIT
 * Runs Check suites in the process itself: a forked child has no MPI and no GPU. A
 * failing assertion then leaves the test by longjmp, so tests may leak when they fail,
 * and only then. */
#include "tests/support/check_main.h"

#include <stdlib.h>

int check_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);

    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
