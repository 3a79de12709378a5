/* SPDX-License-Identifier: MIT
 * Functions that programs find in the place of those of MPI (LD_PRELOAD): a call by
 * another thread than the one that MPI was started for ends the program. */
#ifndef TESTS_SUPPORT_FUNNELED_FUNNELED_H
#define TESTS_SUPPORT_FUNNELED_FUNNELED_H

#include <mpi.h>

/** Before each call. */
void funneled_look(const char *function);

#endif
