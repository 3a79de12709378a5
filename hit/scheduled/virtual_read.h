/* SPDX-License-Identifier: MIT
 * Internal: the machine of a simulated program, as a text describes it. */
#ifndef HIT_SCHEDULED_VIRTUAL_READ_H
#define HIT_SCHEDULED_VIRTUAL_READ_H

#include "hit/sched/clock.h"

/** What the driver in virtual time has. */
typedef struct hit_virtual {
    char text[256]; /**< what HIT_DEVICES says behind "simulated:" */
    int speeds;     /**< of the machine file; those behind them are guessed */
    bool carries;   /**< copies and kernels are carried out */
    hit_simulate_options options;
    hit_simulation *simulation; /**< NULL: there is none */
    int64_t now_ns;             /**< of the last one */
} hit_virtual;

/** Read "FILE:gpus=2,noise=5,seed=1": v->text, v->options and v->speeds, and the machine.
 * @errors HIT_E_ARG, HIT_E_IO */
hit_status hit_virtual_read(hit_virtual *v, hit_machine *machine, const char *text);

#endif
