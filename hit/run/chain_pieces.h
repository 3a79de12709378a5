/* SPDX-License-Identifier: MIT
 * Internal: the pieces of a planned stream of recorded launches, as a device runs them.
 */
#ifndef HIT_RUN_CHAIN_PIECES_H
#define HIT_RUN_CHAIN_PIECES_H

#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/run/run_impl.h"

/** Those of one device. The caller sets the first group of members. */
struct hit_chain_pieces {
    hit_chains *chains;
    hit_device *device;
    hit_device own; /* of one in place: the same with a memory of its own */
    int number;     /* of the device */
    const hit_chain_share *share;
    /* Of launches that fit the devices: the indices of this one, where they run alone. */
    hit_domain alone[HIT_CHAIN_LAUNCHES];
    const hit_view *host[HIT_CHAIN_STORAGES]; /* where its elements lie, by number */
    /* In place of the device: launch number @p l in the piece, as p->run[l] has it. NULL:
     * the device runs it. */
    hit_status (*launch)(void *caller, int l);
    void *caller;

    /* What others have around its rows, as it was before: copies. No data: nobody sends
     * anything there, and the host's elements are right. */
    hit_view halo[HIT_CHAIN_STORAGES][HIT_CHAIN_SIDES];
    void *halos; /* their memory */
    size_t halos_bytes;

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

/** The station of its device. */
static inline hit_station *hit_chain_pieces_station(const hit_chain_pieces *p)
{
    return &p->chains->stations->station[p->number];
}

/** Is memory taken when it is known how much is needed? The host's is. */
static inline bool hit_chain_pieces_late(const hit_chain_pieces *p)
{
    return p->share->host || p->chains->launcher->chain_machine != NULL;
}
/** Is it only told how the block would be? A simulated machine may run it, too. */
static inline bool hit_chain_is_only_told(const hit_chains *chains)
{
    const hit_chain_machine *machine = chains->launcher->chain_machine;

    return machine != NULL ? chains->tell != NULL && !machine->carries
                           : chains->elsewhere;
}

/** A request for @p launches launches of the block, from number @p first on. */
hit_chain_stream_request hit_chain_stream_request_of(const hit_chains *chains, int first,
                                                     int launches);
/** Take the memory for pieces, if other launches of the block took it, before launches
 * run together. What these overwrite is not saved. @errors of the devices */
hit_status hit_chain_stream_take_memory(const hit_chains *chains, int first,
                                        int launches);
/** Before a launch reads or writes the elements @p box of storage number @p storage on
 * the host, or on the device of @p but: what other devices hold goes to the host, or is
 * forgotten. @p but NULL: there is none. */
hit_status hit_chain_stream_touch(const hit_chains *chains, int storage,
                                  const hit_chain_pieces *but, const hit_domain *box,
                                  hit_intent intent);
/** Before any device runs its share of *cut: copy what others have around the rows of
 * this one, as the host has it. @errors HIT_E_NOMEM */
hit_status hit_chain_pieces_keep_halos(hit_chain_pieces *p, const hit_chain_cut *cut);
/** Is it a dry run, which copies none? */
static inline bool hit_chain_pieces_counts(const hit_chain_pieces *p)
{
    return hit_comm_is_planned(p->chains->context->comm);
}
/** Give their memory back: no block runs any more. */
static inline void hit_chain_pieces_drop_halos(hit_chain_pieces *p)
{
    if (p->halos == NULL) return;
    if (hit_chain_pieces_counts(p)) {
        hit_memory_unreserve(&p->halos, p->halos_bytes);
    } else {
        hit_memory_release(&p->halos);
    }
    p->halos_bytes = 0;
}

/** Run them all, of which the block has @p count launches; some may still be on their way
 * when this returns. @errors those of the kernels and of the device */
hit_status hit_chain_pieces_run(hit_chain_pieces *p, int count);

/** The same step by step: begin, next() for each piece, and, to stop before the last one,
 * flush(): send back what has run. */
hit_status hit_chain_pieces_begin(hit_chain_pieces *p, int count);
hit_status hit_chain_pieces_next(hit_chain_pieces *p);
hit_status hit_chain_pieces_flush(hit_chain_pieces *p);

#endif
