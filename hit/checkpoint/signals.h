/* SPDX-License-Identifier: MIT
 * Internal to hit/checkpoint: signals that ask for a checkpoint. */
#ifndef HIT_CHECKPOINT_SIGNALS_H
#define HIT_CHECKPOINT_SIGNALS_H

#include "hit/base/status.h"

#include <stdbool.h>

enum {
    HIT_SIGNALS = 5
};

extern const struct hit_signal_name {
    const char *name;
    int number;
} hit_signal_table[HIT_SIGNALS];

/** Handle the signals whose bits are in @p mask until as many calls of
 * hit_signals_close(); the first one that comes is noted, and handed to the handler that
 * was there; the next does what it did before.
 * @errors HIT_E_INTERNAL the system refuses */
hit_status hit_signals_open(unsigned mask);
void hit_signals_close(unsigned mask);
/** The signals of @p mask that have come and were not taken. */
unsigned hit_signals_seen(unsigned mask);
/** They were served: the next one of each is a first one again. */
void hit_signals_take(unsigned mask);

#endif
