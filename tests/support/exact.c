/* SPDX-License-Identifier: MIT
 * Sums of numbers whose bits do not overlap. */
#include "tests/support/exact.h"

#include <math.h>

enum {
    PARTS = 100 /* more than doubles that do not overlap can be */
};

/* Add a number to the parts, the least first. */
static int add(int parts, double part[], double number)
{
    int kept = 0;

    for (int k = 0; k < parts; k++) {
        double large = number;
        double small = part[k];

        if (fabs(large) < fabs(small)) {
            large = part[k];
            small = number;
        }
        number = large + small;
        small = small - (number - large);
        if (small != 0) part[kept++] = small;
    }
    part[kept++] = number;
    return kept;
}

double exact_sum(int count, const double number[])
{
    double part[PARTS];
    int parts = 0;
    double sum = 0;
    double rest = 0;

    for (int k = 0; k < count; k++) {
        parts = add(parts, part, number[k]);
    }
    while (parts > 0 && rest == 0) { /* from the largest on, until it rounds */
        const double before = sum;

        sum = before + part[--parts];
        rest = part[parts] - (sum - before);
    }
    /* exactly between two numbers: what is left says which */
    if (parts > 0 &&
        ((rest < 0 && part[parts - 1] < 0) || (rest > 0 && part[parts - 1] > 0))) {
        const double twice = 2 * rest;
        const double other = sum + twice;

        if (other - sum == twice) sum = other;
    }
    return sum;
}
