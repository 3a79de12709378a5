/* SPDX-License-Identifier: MIT
 * The kernels of test_kernels.k.c. */
#ifndef TESTS_SUPPORT_TEST_KERNELS_H
#define TESTS_SUPPORT_TEST_KERNELS_H

#include "patterns/kernel.h"

typedef struct test_pair {
    double a;
    double b;
} test_pair;

extern const hit_kernel test_mark1;
extern const hit_kernel test_star2;
extern const hit_kernel test_update3;
extern const hit_kernel test_mark4;
extern const hit_kernel test_sum1;
extern const hit_kernel test_sum2;
extern const hit_kernel test_rows;
extern const hit_kernel test_columns;
extern const hit_kernel test_extremes;
extern const hit_kernel test_least3;
extern const hit_kernel test_even;
extern const hit_kernel test_histogram4;

#endif
