/* SPDX-License-Identifier: MIT
 * Internal: the tuners of this run's chains, which go on from what the store of models
 * has of such chains, and leave there what they found. */
#ifndef HIT_RUN_CHAIN_TUNERS_H
#define HIT_RUN_CHAIN_TUNERS_H

#include "hit/chain/tuner.h"
#include "hit/model/store.h"

#include <stdio.h>

struct hit_chains;

typedef struct hit_chain_tuned {
    hit_tuner tuner;
    hit_model_key name; /* in the store; no kernel: it is not kept there */
    int kept_tries;     /* of all choices together, as the store has them, and ... */
    int kept_choice;    /* ... the one that is the fastest by them */
    FILE *says; /* print why it cannot be kept: the launcher is gone by then; NULL: not */
} hit_chain_tuned;

/** The tuner for a key of the block's first @p count launches, @p period of them a step;
 * a new one for the request. NULL: there is no memory. */
hit_tuner *hit_chain_tuners_find(struct hit_chains *chains, int count, int period,
                                 const hit_choose_request *request, uint64_t key);
/** Free them all; what they found is in the store from then on, as far as that can be
 * written. */
void hit_chain_tuners_close(struct hit_chains *chains);

#endif
