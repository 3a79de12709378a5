/* SPDX-License-Identifier: MIT
 * Internal: what a tuner found, as lines of text:
 *
 *     12 0x2048 1.2e-10 2          steps, widths of a tile (0: not cut), seconds of an
 *     12 0x2048 lines 1.3e-10 1    index, how often it was tried; shifts of whole lines
 *     2 0 plain 3.1e-10 2          one launch after the other
 *     end
 *
 * Where a tuner reads it only times are taken: what can be run, and is legal, follows
 * from the chain. */
#ifndef HIT_CHAIN_TUNER_TEXT_H
#define HIT_CHAIN_TUNER_TEXT_H

#include "hit/base/status.h"
#include "hit/chain/tuner.h"

/** A choice that was tried. */
typedef struct hit_tried {
    hit_choice choice;
    double seconds; /**< of an index */
    int tries;
} hit_tried;

enum {
    HIT_TUNER_TEXT_BYTES = 128 * (HIT_CHOICES + 1) /* that are enough for all lines */
};

/** The lines of what was tried, with the shortest times: those at the end of a run may be
 * disturbed by what ended it.
 * @shape text: HIT_TUNER_TEXT_BYTES */
void hit_tuner_write(const hit_tuner *tuner, char text[]);

/** Read such lines; those that begin with '#' are passed over. @p name: for the text of
 * an error.
 * @shape tried: HIT_CHOICES
 * @errors HIT_E_ARG it is something else, or its end is missing: *count stays */
hit_status hit_tuner_parse(const char *text, const char *name, int *count,
                           hit_tried tried[]);

/** Go on from what was tried by others of the same chain, choices that this tuner does
 * not have left out. Nothing is tried again; the first block, which finds its data far
 * away, still does not count. */
void hit_tuner_adopt(hit_tuner *tuner, int count, const hit_tried tried[]);

#endif
