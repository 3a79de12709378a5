/* SPDX-License-Identifier: MIT
 * Internal: the pieces of a planned stream of recorded launches, as a device runs them.
 */
#ifndef HIT_RUN_CHAIN_PIECES_H
#define HIT_RUN_CHAIN_PIECES_H

#include "hit/run/run_impl.h"

/** The caller sets the first group of members. */
struct hit_chain_pieces {
    hit_chains *chains;
    hit_device *device;
    hit_chain_stream plan;
    const hit_view *host[HIT_CHAIN_STORAGES]; /* where its elements lie, by number */
    /* In place of the device: launch number @p l in the piece, as p->run[l] has it. NULL:
     * the device runs it. */
    hit_status (*launch)(void *caller, int l);
    void *caller;

    hit_index done; /* pieces that were asked for */
    uint64_t bytes_in;
    uint64_t bytes_out;
    hit_choice choice; /* of tiles; plain: there are none */
    int together;      /* launches that run in tiles with each other */
    uint64_t loaded;   /* the mark after which the next piece is there */
    uint64_t ran[HIT_CHAIN_STORAGES][HIT_CHAIN_BUFFERS];  /* marks: a buffer may be ... */
    uint64_t sent[HIT_CHAIN_STORAGES][HIT_CHAIN_BUFFERS]; /* ... written again */

    hit_run run[HIT_CHAIN_LAUNCHES]; /* of the piece, by the number of the launch */
    bool light; /* the launches of the piece take less time than it takes to wake a thread
                 */
    bool active[HIT_CHAIN_LAUNCHES];     /* the piece has some of it */
    hit_skew part;                       /* the launches of the piece that run in tiles */
    hit_index begin[HIT_CHAIN_LAUNCHES]; /* of their positions, first axis */
    hit_index end[HIT_CHAIN_LAUNCHES];
    hit_chain_work work;
};

/** Run them all, of which the block has @p count launches; some may still be on their way
 * when this returns. @errors those of the kernels and of the device */
hit_status hit_chain_pieces_run(hit_chain_pieces *p, int count);

/** The same step by step: begin, next() for each piece, and, to stop before the last one,
 * flush(): send back what has run. */
hit_status hit_chain_pieces_begin(hit_chain_pieces *p, int count);
hit_status hit_chain_pieces_next(hit_chain_pieces *p);
hit_status hit_chain_pieces_flush(hit_chain_pieces *p);

#endif
