/* SPDX-License-Identifier: MIT
 * Internal: how long the pieces of a block of launches take on a device that is not
 * there. */
#ifndef HIT_SCHEDULED_PIECES_CLOCK_H
#define HIT_SCHEDULED_PIECES_CLOCK_H

#include "hit/cost/cost.h"
#include "hit/run/chain_pieces.h"

/** How fast the device is. */
typedef struct hit_pieces_clock {
    const hit_rates *rates; /**< of its links; those of kernels are the hook's */
    /** Launch number @p l of the block runs so many of its indices on @p sim. */
    void (*launch)(void *caller, hit_sim *sim, int l, double indices);
    void *caller;
} hit_pieces_clock;

/** Let the launches that are planned, p->share->plan, of a block of @p count, go through
 * the memory of the device: nothing runs, and no element is read. The views p->host are
 * set. @errors as hit_chain_pieces_begin() */
hit_status hit_pieces_clock_run(const hit_pieces_clock *clock, hit_chain_pieces *p,
                                int count, hit_forecast *time);

#endif
