/* SPDX-License-Identifier: MIT
 * Internal: ends of ranges that stand in data (hit_lookup). */
#ifndef PATTERNS_LOOKUP_H
#define PATTERNS_LOOKUP_H

#include "patterns/pattern.h"

/** Free a list, with the patterns in it; it becomes NULL. */
void hit_lookups_clear(hit_lookup **list);
/** Does index @p dim say which number an end of the range is? */
bool hit_range_looks_along(const hit_range *range, int dim);
/** Narrow @p touched, which an expression that looks up touches over the indices @p index
 * if data may say anything. */
void hit_access_look_up(const hit_access *access, const hit_domain *index,
                        hit_domain *touched);
/** Write it as it is in a text: "first[i+1]-1". */
void hit_lookup_print(const hit_lookup *lookup, const char *const names[], char *text,
                      size_t size);

#endif
