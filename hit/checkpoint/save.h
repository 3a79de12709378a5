/* SPDX-License-Identifier: MIT
 * Internal to hit/checkpoint: writing one. */
#ifndef HIT_CHECKPOINT_SAVE_H
#define HIT_CHECKPOINT_SAVE_H

#include "hit/checkpoint/checkpoint_impl.h"

/** What a checkpoint of this run at this step says of itself, but for checksums and
 * places. @owner *manifest, also on failure: hit_manifest_clear() @errors HIT_E_NOMEM */
hit_status hit_checkpoint_describe(const hit_checkpoint *c, hit_manifest *manifest);
/** Begin to write one: c->saving, which is NULL before and after a failure. Tiles and
 * values may change then. @p urgent: it is waited for, so nothing is copied.
 * @collective yes @errors of hit_checkpoint_step() */
hit_status hit_checkpoint_save(hit_checkpoint *c, bool urgent);
/** Are the elements of this process on disk, or has that failed? */
bool hit_checkpoint_is_written(const hit_checkpoint *c);
/** Wait until they are on all processes, and make the checkpoint whole; c->saving is NULL
 * then. @collective yes @errors of hit_checkpoint_step() */
hit_status hit_checkpoint_finish(hit_checkpoint *c);
/** Wait, and remove what was written. @collective no; accepts that there is none */
void hit_checkpoint_abandon(hit_checkpoint *c);

#endif
