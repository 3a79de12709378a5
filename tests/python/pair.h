/* SPDX-License-Identifier: MIT
 * A struct as an element and a value. */
#ifndef TESTS_PYTHON_PAIR_H
#define TESTS_PYTHON_PAIR_H

typedef struct pair {
    int number;
    double half;
} pair;

#endif
