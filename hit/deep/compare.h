/* SPDX-License-Identifier: MIT
 * Internal: are all processes at the same place of the program? */
#ifndef HIT_DEEP_COMPARE_H
#define HIT_DEEP_COMPARE_H

#include "hit/deep/deep.h"

/** Compare how many launches the processes made, and how often they wrote each tile.
 * Where they differ there are no chains any more until hit_chain() is called.
 * @collective yes; while a block is under way, so is the head of all that is collective
 * @errors HIT_E_COMM on all processes: they differ, in the tile that is named */
hit_status hit_deep_compare(hit_deep *deep);
/** A block is under way, or no more: hit_deep_compare() begins all that is collective. */
void hit_deep_watch(hit_deep *deep, bool inside);

#endif
