/* SPDX-License-Identifier: MIT
 * Internal: the checkpoints of a context. */
#ifndef HIT_CHECKPOINT_CHECKPOINT_IMPL_H
#define HIT_CHECKPOINT_CHECKPOINT_IMPL_H

#include "hit/checkpoint/checkpoint.h"
#include "hit/checkpoint/folder.h"
#include "hit/checkpoint/options.h"

/** What the program named. */
typedef struct hit_checkpoint_item {
    char name[HIT_CHECKPOINT_NAME];
    hit_tile **tile; /**< borrowed; NULL: a value */
    hit_type type;   /**< of the value */
    void *value;     /**< borrowed */
} hit_checkpoint_item;

/** One that is being written. */
typedef struct hit_checkpoint_saving {
    char draft[HIT_CHECKPOINT_ROOM]; /**< the folder; "": none was made */
    hit_manifest manifest;
    hit_stored *stored; /**< of each array */
    hit_writer *writer;
    bool behind;    /**< while the next steps run */
    double begin_s; /**< when it began */
    double told_s;  /**< when something was said of it, or it began */
} hit_checkpoint_saving;

typedef struct hit_checkpoint {
    hit_context *context; /**< borrowed */
    hit_checkpoint_options options;
    char program[HIT_CHECKPOINT_TEXT];
    size_t count;
    size_t room;
    hit_checkpoint_item *item;
    hit_checkpoint_saving *saving; /**< NULL: none is being written */
    int lock;                      /**< process 0: of the folder; -1 */
    bool begun;                    /**< the first step was */
    hit_checkpoint_key key;        /**< this run, and the steps that are done */
    hit_index saved_step;
    hit_index vote_at;   /**< the step at which processes agree next */
    hit_index vote_step; /**< the one at which they did */
    double vote_s;       /**< when that was */
    double open_s;       /**< when the context was opened */
    double saved_s;      /**< when the last one was written, or the first step began */
    double longest_s;    /**< to write one */
    bool limit_served;
} hit_checkpoint;

/** Read HIT_CHECKPOINT, if it is set. @errors HIT_E_ARG, HIT_E_NOMEM, HIT_E_INTERNAL */
hit_status hit_checkpoint_open(hit_context *context);
/** @p ends: regularly; then the next run begins anew.
 * @errors HIT_E_IO the mark cannot be written */
hit_status hit_checkpoint_close(hit_context *context, bool ends);

#endif
