/* SPDX-License-Identifier: MIT
 * Internal to hit/check: what is wrong with a launch. The first report is kept in full,
 * the others are counted. */
#ifndef HIT_CHECK_REPORT_H
#define HIT_CHECK_REPORT_H

#include "hit/check/replica.h"

typedef struct hit_report {
    uint64_t count;
    char text[900];
} hit_report;

/** Count one more. Is it the first, whose text is wanted? */
bool hit_report_first(hit_report *report);
/** Write "kernel K, argument A, tile T: " and what follows. */
void hit_report_write(hit_report *report, const hit_replica *replica, int k,
                      const char *format, ...) HIT_PRINTF(4, 5);
/** Add to what is written. */
void hit_report_add(hit_report *report, const char *format, ...) HIT_PRINTF(2, 3);
/** Say how many others there were. */
void hit_report_finish(hit_report *report);

#endif
