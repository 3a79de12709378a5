/* SPDX-License-Identifier: MIT
 * Elements of each kind for tests of reductions. */
#ifndef TESTS_SUPPORT_PTX_NUMBERS_H
#define TESTS_SUPPORT_PTX_NUMBERS_H

#include "hit/base/types.h"
#include "tests/support/random.h"

/** What HIT_KINDS says of a kind, as a letter. */
char numbers_letter(hit_type type);
/** Whole numbers up to 9, so that sums do not depend on their order. */
void numbers_small(hit_random *random, hit_type type, char *to, hit_index count);
/** In each column one or two numbers of 16 bits with any digits, in any rows, and zeros:
 * the sum is rounded but once in any order. Other types stay as they are. */
void numbers_alone(hit_random *random, hit_type type, char *to, hit_index columns,
                   hit_index rows, int most);
/** Of unlike numbers the least and the largest show which were looked at. Those of
 * floating types have extremes among them. */
void numbers_any(hit_random *random, hit_type type, char *to, hit_index count);

#endif
