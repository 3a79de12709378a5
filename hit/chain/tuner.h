/* SPDX-License-Identifier: MIT
 * Internal: which of the choices for a chain is the fastest? Each of its blocks is run by
 * one of them, and the times decide. */
#ifndef HIT_CHAIN_TUNER_H
#define HIT_CHAIN_TUNER_H

#include "hit/chain/choose.h"

typedef struct hit_tuner {
    struct hit_recent *recent; /**< when it was used, of those that keep it */
    int choices;
    hit_choice choice[HIT_CHOICES];
    double seconds[HIT_CHOICES]; /**< of an index, lately */
    double least[HIT_CHOICES];   /**< the shortest ever: undisturbed */
    int tries[HIT_CHOICES];
    int current;
    bool warm; /**< a block has run: the first one also finds its data far away */
} hit_tuner;

/** With the choices for @p request. */
hit_tuner hit_tuner_make(const hit_choose_request *request);
/** How the next block is to be run. */
const hit_choice *hit_tuner_choice(const hit_tuner *tuner);
/** A block was run so, in @p seconds for each of its indices. */
void hit_tuner_note(hit_tuner *tuner, double seconds);
/** Choose what comes next by the times that are known. */
void hit_tuner_choose(hit_tuner *tuner);
/** Have all choices been tried? */
bool hit_tuner_is_settled(const hit_tuner *tuner);

#endif
