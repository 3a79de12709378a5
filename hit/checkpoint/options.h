/* SPDX-License-Identifier: MIT
 * Internal to hit/checkpoint: what HIT_CHECKPOINT says. */
#ifndef HIT_CHECKPOINT_OPTIONS_H
#define HIT_CHECKPOINT_OPTIONS_H

#include "hit/base/status.h"

#include <stdbool.h>

enum {
    HIT_CHECKPOINT_PATH = 3072 /**< characters of a path, at most */
};

typedef struct hit_checkpoint_options {
    double every_s;        /**< INFINITY: not by time */
    hit_index every_steps; /**< INT64_MAX: not by steps */
    double limit_s;        /**< how long the program may run; INFINITY */
    hit_index keep;        /**< checkpoints that stay */
    bool has_memory;
    size_t memory_bytes; /**< of this process, for what is written behind it */
    unsigned signals;    /**< bit k: entry k of hit_signal_table */
    char format[8];      /**< "hdf5" or "npy" */
    char path[HIT_CHECKPOINT_PATH];
} hit_checkpoint_options;

/** @errors HIT_E_ARG, which begins with HIT_CHECKPOINT */
hit_status hit_checkpoint_options_read(const char *text, hit_checkpoint_options *options);

#endif
