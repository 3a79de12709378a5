/* SPDX-License-Identifier: MIT
 * The struct of kernel_rows.k.c. */
#ifndef TESTS_HIT_KERNEL_ROWS_H
#define TESTS_HIT_KERNEL_ROWS_H

typedef struct rows_struct {
    float a, b, c;
} rows_struct;

#endif
