/* SPDX-License-Identifier: MIT
 * Internal: how many steps are run on a box while it is near, and on which boxes. */
#ifndef HIT_CHAIN_CHOOSE_H
#define HIT_CHAIN_CHOOSE_H

#include "hit/chain/tile.h"

enum {
    HIT_CHOICES = 12
};

/** A way to run a chain: so many steps in tiles of these widths (0: not cut), or one
 * launch after the other. */
typedef struct hit_choice {
    int steps;
    bool plain;
    bool lines;
    hit_index width[HIT_MAX_DIMS];
} hit_choice;

/** What is asked for: a chain of equal steps. */
typedef struct hit_choose_request {
    int axes;
    hit_index extent[HIT_MAX_DIMS]; /**< of the positions */
    hit_index shift[HIT_MAX_DIMS];  /**< of a step beside the one before it */
    hit_index growth[HIT_MAX_DIMS];
    hit_index line_shift;
    hit_index line;        /**< elements of a line of the cache */
    size_t position_bytes; /**< of a position, in all tiles together */
    size_t cache_bytes;    /**< of a core */
    int threads;
    int most_steps;
    int only_steps;          /**< the steps are so many; 0: they are chosen */
    const hit_choice *known; /**< borrowed: what was found fastest for more steps; NULL:
                                  nothing was */
} hit_choose_request;

bool hit_choice_equal(const hit_choice *a, const hit_choice *b);
/** Of the request for the first @p launches launches of @p chain, @p period of them a
 * step, what follows from the chain: axes, extents and shifts. */
hit_choose_request hit_choose_request_of(const hit_skew *chain, int launches, int period);
/** The choices that are worth a try: the model's answer, the plain one, the model's
 * answer for a larger cache, and others; if one is known, that and the plain one. Returns
 * their number.
 * @shape choice: HIT_CHOICES */
int hit_choose(const hit_choose_request *request, hit_choice choice[]);
/** The tiling of the first @p launches launches by a choice that is not plain, with
 * chunks for @p threads threads where the axes are long enough. */
hit_tiling hit_choice_tiling(const hit_choice *choice, const hit_skew *chain,
                             int launches, int threads);

#endif
