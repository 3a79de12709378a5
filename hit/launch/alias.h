/* SPDX-License-Identifier: MIT
 * Internal: launches of which several arguments are the same tile, or tiles that share
 * elements. One that is written must share none with what the others touch: then a launch
 * may write a row and read the one before it. */
#ifndef HIT_LAUNCH_ALIAS_H
#define HIT_LAUNCH_ALIAS_H

#include "hit/launch/call.h"

/** Which arguments share elements with one that is written, as a number that plans are
 * kept by; 0: none do. Cheap: done at every launch. */
uint64_t hit_alias_of(const hit_call *call);

/** Do what is written and what the others touch lie apart? @p need is what each argument
 * needs for all indices, by its number, and lies in its tile. */
bool hit_alias_is_apart(const hit_call *call, const hit_domain need[]);
/** The same for the patterns of a kernel, with a text. A pattern whose dimensions are not
 * those of its tile is left to others. @errors HIT_E_ARG */
hit_status hit_alias_check(const hit_call *call, const hit_pattern pattern[]);

#endif
