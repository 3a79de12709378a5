/* SPDX-License-Identifier: MIT
 * How many collective calls of hit/comm/comm.h a test program has made: votes, sums and
 * maxima. The program is linked by hit_test_collectives(). */
#ifndef TESTS_SUPPORT_COLLECTIVES_H
#define TESTS_SUPPORT_COLLECTIVES_H

/** Of this process, since it began. */
int collectives_count(void);

#endif
