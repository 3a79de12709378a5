/* SPDX-License-Identifier: MIT
 * Internal: what is declared and never touched. */
#ifndef HIT_CHECK_TIGHT_H
#define HIT_CHECK_TIGHT_H

#include "hit/check/check.h"

/** What is declared, and whether any index touches it. */
hit_status hit_tight_init(hit_checker *checker, int k);

void hit_tight_clear(hit_checker *checker, int k);

void hit_tight_mark(hit_checker *checker, int k, int expression, const hit_index at[]);

void hit_tight_report(hit_checker *checker);

#endif
