/* SPDX-License-Identifier: MIT
 * An element with padding, for kernels. */
#ifndef TESTS_HIT_CHECK_BANK_PAIR_H
#define TESTS_HIT_CHECK_BANK_PAIR_H

typedef struct bank_pair {
    double x;
    char mark;
} bank_pair;

#endif
