/* SPDX-License-Identifier: MIT
 * Internal: which of two ways to run launches is faster: blocks with deep halos or one
 * launch after the other, with messages under way or behind them? Both take turns for a
 * while, and the times decide. */
#ifndef HIT_CHAIN_WORTH_H
#define HIT_CHAIN_WORTH_H

#include <stdbool.h>
#include <stdint.h>

/** Of one kind of blocks; all 0 at first, but for settle. */
typedef struct hit_worth {
    int settle;      /**< rounds at first that count for nothing: tiles are tried */
    int rounds;      /**< as many launches as a block has, each; counted until decided */
    bool other;      /**< the round under way goes the other way */
    uint64_t launch; /**< with which it began */
    double start_s;  /**< when */
    double one_s;    /**< the shortest round, of those that count; 0: none */
    double other_s;
} hit_worth;

/** The next round may begin with launch number @p launch. Is it to go the one way? Rounds
 * have @p launches launches; what came before is over at @p now_s. */
bool hit_worth_next(hit_worth *worth, uint64_t launch, int launches, double now_s);
/** Is what the next round is to be known, whatever the time? */
bool hit_worth_is_decided(const hit_worth *worth);

#endif
