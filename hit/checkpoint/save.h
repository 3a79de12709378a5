/* SPDX-License-Identifier: MIT
 * Internal to hit/checkpoint: writing one. */
#ifndef HIT_CHECKPOINT_SAVE_H
#define HIT_CHECKPOINT_SAVE_H

#include "hit/checkpoint/checkpoint_impl.h"

/** What a checkpoint of this run at this step says of itself, but for checksums and
 * places. @owner *manifest, also on failure: hit_manifest_clear() @errors HIT_E_NOMEM */
hit_status hit_checkpoint_describe(const hit_checkpoint *c, hit_manifest *manifest);
/** Write one. @collective yes @errors of hit_checkpoint_step() */
hit_status hit_checkpoint_save(hit_checkpoint *c);

#endif
