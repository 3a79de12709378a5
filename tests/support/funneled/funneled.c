/* SPDX-License-Identifier: MIT
 * The shell scripts and tools between a test and its programs load this, too: what it
 * needs of MPI is looked up when it is called. */
#include "tests/support/funneled/funneled.h"

#include <stdio.h>
#include <stdlib.h>

void funneled_look(const char *function)
{
    int started = 0;
    int ended = 0;
    int level = MPI_THREAD_MULTIPLE;
    int is_main = 1;

    PMPI_Initialized(&started);
    PMPI_Finalized(&ended);
    if (!started || ended) return;
    PMPI_Query_thread(&level);
    PMPI_Is_thread_main(&is_main);
    if (level >= MPI_THREAD_SERIALIZED || is_main) return;
    (void)fprintf(stderr,
                  "%s is called by a second thread, but MPI was started for one\n",
                  function);
    abort();
}
