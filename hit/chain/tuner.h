/* SPDX-License-Identifier: MIT
 * Internal: which way to run a chain is the fastest. */
#ifndef HIT_CHAIN_TUNER_H
#define HIT_CHAIN_TUNER_H

#include "hit/base/status.h"
#include "hit/chain/chain.h"

#include <stdbool.h>
#include <stdint.h>

/* choose.c: how many steps are run on a box while it is near, and on which boxes. */

enum {
    HIT_CHOICES = 12
};

/** A way to run a chain: so many steps in tiles of these widths (0: not cut), or one
 * launch after the other. */
typedef struct hit_choice {
    int steps;
    bool plain;
    bool lines;
    hit_index width[HIT_MAX_DIMS];
} hit_choice;

/** What is asked for: a chain of equal steps. */
typedef struct hit_choose_request {
    int axes;
    hit_index extent[HIT_MAX_DIMS]; /**< of the positions */
    hit_index shift[HIT_MAX_DIMS];  /**< of a step beside the one before it */
    hit_index growth[HIT_MAX_DIMS];
    hit_index line_shift;
    hit_index line;        /**< elements of a line of the cache */
    size_t position_bytes; /**< of a position, in all tiles together */
    size_t cache_bytes;    /**< of a core */
    int threads;
    int most_steps;
    int only_steps;          /**< the steps are so many; 0: they are chosen */
    const hit_choice *known; /**< borrowed: what was found fastest for more steps; NULL:
                                  nothing was */
} hit_choose_request;

bool hit_choice_equal(const hit_choice *a, const hit_choice *b);
/** Of the request for the first @p launches launches of @p chain, @p period of them a
 * step, what follows from the chain: axes, extents and shifts. */
hit_choose_request hit_choose_request_of(const hit_skew *chain, int launches, int period);
/** The choices that are worth a try: the model's answer, the plain one, the model's
 * answer for a larger cache, and others; if one is known, that and the plain one. Returns
 * their number.
 * @shape choice: HIT_CHOICES */
int hit_choose(const hit_choose_request *request, hit_choice choice[]);
/** The tiling of the first @p launches launches by a choice that is not plain, with
 * chunks for @p threads threads where the axes are long enough. */
hit_tiling hit_choice_tiling(const hit_choice *choice, const hit_skew *chain,
                             int launches, int threads);

/* print.c: chains as text. */

/** One line: "24 launches, shifts 23 x 23, growths 23 x 23, tiles 8 x 2048, chunks 2 x
 * 1". Never more than @p size bytes. */
void hit_tiling_print(const hit_tiling *tiling, char *text, size_t size);

/* tuner.c: which of the choices for a chain is the fastest? Each of its blocks is run by
 * one of them, and the times decide. */

typedef struct hit_tuner {
    struct hit_recent *recent; /**< when it was used, of those that keep it */
    int choices;
    hit_choice choice[HIT_CHOICES];
    double seconds[HIT_CHOICES]; /**< of an index, lately */
    double least[HIT_CHOICES];   /**< the shortest ever: undisturbed */
    int tries[HIT_CHOICES];
    int current;
    bool warm; /**< a block has run: the first one also finds its data far away */
} hit_tuner;

/** With the choices for @p request. */
hit_tuner hit_tuner_make(const hit_choose_request *request);
/** How the next block is to be run. */
static inline const hit_choice *hit_tuner_choice(const hit_tuner *tuner)
{
    return &tuner->choice[tuner->current];
}
/** A block was run so, in @p seconds for each of its indices. */
void hit_tuner_note(hit_tuner *tuner, double seconds);
/** Choose what comes next by the times that are known. */
void hit_tuner_choose(hit_tuner *tuner);
/** Have all choices been tried? */
bool hit_tuner_is_settled(const hit_tuner *tuner);

/* tuner_text.c: what a tuner found, as lines of text:
 *
 *     12 0x2048 1.2e-10 2          steps, widths of a tile (0: not cut), seconds of an
 *     12 0x2048 lines 1.3e-10 1    index, how often it was tried; shifts of whole lines
 *     2 0 plain 3.1e-10 2          one launch after the other
 *     end
 *
 * Where a tuner reads it only times are taken: what can be run, and is legal, follows
 * from the chain. */

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

/* worth.c: which of two ways to run launches is faster: blocks with deep halos or one
 * launch after the other, with messages under way or behind them? Both take turns for a
 * while, and the times decide. */

enum {
    HIT_WORTH_TURNS = 6 /* rounds, every second one the other way */
};

/** Of one kind of blocks; all 0 at first, but for settle. */
typedef struct hit_worth {
    int settle;      /**< rounds at first that count for nothing: tiles are tried */
    int rounds;      /**< as many launches as a block has, each; counted until decided */
    bool other;      /**< the round under way goes the other way */
    uint64_t launch; /**< with which it began */
    double start_s;  /**< when */
    double one_s;    /**< the shortest round, of those that count; 0: none */
    double other_s;
} hit_worth;

/** The next round may begin with launch number @p launch. Is it to go the one way? Rounds
 * have @p launches launches; what came before is over at @p now_s. */
bool hit_worth_next(hit_worth *worth, uint64_t launch, int launches, double now_s);
/** Is what the next round is to be known, whatever the time? */
static inline bool hit_worth_is_decided(const hit_worth *worth)
{
    return worth->rounds > worth->settle + HIT_WORTH_TURNS;
}

#endif
