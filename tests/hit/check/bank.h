/* SPDX-License-Identifier: MIT
 * The bank: kernels with wrong annotations and with right ones, what they are launched
 * on, and what has to be said about the wrong ones. */
#ifndef TESTS_HIT_CHECK_BANK_H
#define TESTS_HIT_CHECK_BANK_H

#include "hit/hit.h"

#define BANK_ARGS 5
/** So many cases at the begin of both tables are the same bodies. */
#define BANK_PAIRS 41

typedef struct bank_case {
    const char *name;
    const hit_kernel *kernel;
    hit_domain index;
    hit_domain tile[BANK_ARGS]; /* per argument; that of a value is not looked at */
    const char *words;          /* of the report, separated by '|'; NULL: it is right */
} bank_case;

extern const bank_case bank_wrong[];
extern const int bank_wrong_count;
/** The kernels of tests/hit/launch and the right halves of the pairs. */
extern const bank_case bank_right[];
extern const int bank_right_count;

/** The tiles of a case, in new layouts, filled with numbers from 1 to 7; @p args has room
 * for all arguments. */
void bank_open(hit_context *hit, const bank_case *one, hit_arg args[]);
void bank_close(const bank_case *one, hit_arg args[]);

#endif
