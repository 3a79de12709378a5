/* SPDX-License-Identifier: MIT
 * Checkpoints: a program names what it needs to go on, and says where a step begins. With
 * HIT_CHECKPOINT in its environment the library then writes that now and then, and the
 * same command goes on from the newest whole checkpoint, also on another number of
 * processes, in other layouts and on other devices: docs/checkpoint.md. Without it these
 * calls do nothing. */
#ifndef HIT_CHECKPOINT_CHECKPOINT_H
#define HIT_CHECKPOINT_CHECKPOINT_H

#include "hit/tile/tile.h"

HIT_C_BEGIN

/** Name a tile that checkpoints hold: the one that *tile is at a step, so that tiles may
 * be swapped and made anew; its type and domain must stay. Before the first step.
 *
 * @param name letters, digits, '_', '-' and '.' within, at most 63
 * @param tile the address of the handle, borrowed until the last step
 * @collective yes, the same names in the same order, but nothing is sent
 * @errors HIT_E_ARG NULL, a name that is none or was given, after the first step;
 * HIT_E_NOMEM
 */
HIT_API hit_status hit_checkpoint_tile(hit_context *context, const char *name,
                                       hit_tile **tile);
/** Name a value of the program: a number of steps, a seed, a struct (HIT_BYTES()), equal
 * on all processes. What process 0 has is written, and set on all of them.
 * @param value borrowed until the last step; of at most 1 MiB
 * @collective yes @errors as above */
HIT_API hit_status hit_checkpoint_value(hit_context *context, const char *name,
                                        hit_type type, void *value);
/** A step begins: the only place where checkpoints are written, and where, in the first
 * call, tiles and values are set to those of a checkpoint. Costs a counter, but for a few
 * calls in which processes agree: at most about one a second.
 *
 * @collective yes; over the names, too, in the first call
 * @errors HIT_E_ARG the checkpoint is of another program, or has other names, types or
 * domains: expected and found; HIT_E_IO the system's reason, another run is in the
 * folder, or no checkpoint in it is whole. A checkpoint that cannot be written changes
 * nothing: the one before it stays, and the program may go on. HIT_E_NOMEM; HIT_E_PEER */
HIT_API hit_status hit_checkpoint_step(hit_context *context);

HIT_C_END

#endif
