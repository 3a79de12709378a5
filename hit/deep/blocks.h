/* SPDX-License-Identifier: MIT
 * Internal: which launches are in blocks over processes. */
#ifndef HIT_DEEP_BLOCKS_H
#define HIT_DEEP_BLOCKS_H

#include "hit/deep/deep.h"

/** What becomes of a launch. */
typedef struct hit_deep_turn {
    const hit_deep_form *form; /**< NULL: it can be in no block */
    hit_deep_plan *block;      /**< that it is in; NULL: it runs alone */
    const hit_margin *extra;   /**< then: how far beyond its part it runs */
    const hit_domain
        *reached; /**< its indices and needs (hit_deep_plan); NULL: it moves */
    bool moves;   /**< in a block: it is at another place in each step */
    bool begins;  /**< the block: what its fields say is sent has to be sent before */
} hit_deep_turn;

/** Take note of the next launch. Nothing is run or sent. Of its plan only the split and
 * what its uses are is looked at.
 * @collective where a block ends or begins
 * @errors HIT_E_COMM processes did not write a tile at the same places */
hit_status hit_deep_next(hit_deep *deep, const hit_call *call,
                         const hit_launch_plan *plan, hit_deep_turn *turn);

/** Is the launch the next one of the block? Changes nothing. */
bool hit_deep_expects(hit_deep *deep, const hit_call *call, const hit_launch_plan *plan);

#endif
