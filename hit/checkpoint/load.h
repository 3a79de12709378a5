/* SPDX-License-Identifier: MIT
 * Internal to hit/checkpoint: going on from one. */
#ifndef HIT_CHECKPOINT_LOAD_H
#define HIT_CHECKPOINT_LOAD_H

#include "hit/checkpoint/checkpoint_impl.h"

/** Find the newest whole one of a run that did not end, and set tiles, values and c->key.
 * @collective yes @errors of hit_checkpoint_step() */
hit_status hit_checkpoint_load(hit_checkpoint *c);

#endif
