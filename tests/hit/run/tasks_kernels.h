/* SPDX-License-Identifier: MIT
 * What kernels of tasks share with the tests that launch them. */
#ifndef TESTS_HIT_RUN_TASKS_KERNELS_H
#define TESTS_HIT_RUN_TASKS_KERNELS_H

#include <stdint.h>

enum {
    MIX_PRIME = 1000003
};

/** A value that is too large to wait. */
typedef struct large {
    int64_t number[40];
} large;

#endif
