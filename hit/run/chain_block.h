/* SPDX-License-Identifier: MIT
 * Internal: the block of launches that are recorded and wait, what is known of such
 * blocks, and how one is run. */
#ifndef HIT_RUN_CHAIN_BLOCK_H
#define HIT_RUN_CHAIN_BLOCK_H

#include "hit/base/recent.h"
#include "hit/chain/stream.h"
#include "hit/cost/predict.h"
#include "hit/launch/chainable.h"
#include "hit/run/chain_tuners.h"
#include "hit/tile/tile_impl.h"

#include <stddef.h>

enum {
    HIT_CHAIN_KNOWN = 16, /* chains */
    HIT_CHAIN_TUNERS = 64,
    HIT_CHAIN_ALONE = 4, /* blocks of one launch behind each other, in place */
    HIT_CHAIN_PASS = 15
};

/* The indices of a launch that this process runs, and what they touch: per use. */
typedef struct hit_chain_part {
    const hit_domain *index;
    uint64_t indices;
    bool begins; /* a block may begin with it */
    /* How the launch goes through a device alone; NULL: these are not the indices that it
     * would have then. */
    const hit_superblocks *superblocks;
    const hit_domain *need[HIT_MAX_ARGS];
    bool loads[HIT_MAX_ARGS]; /* not all of it is overwritten */
    int piece[HIT_MAX_ARGS];  /* of the storage */
    /* Per axis of its tiles, by how much all lies elsewhere than the kernel has it: as
     * copies beyond periodic boundaries do. NULL: it does not. */
    const hit_index *move;
    unsigned periodic; /* axes with such boundaries, a bit each */
    bool elsewhere;    /* in a dry run: another process has them, and its own tiles */
} hit_chain_part;

/* A launch that waits. */
typedef struct hit_chain_record {
    hit_chain_launch launch;
    hit_access rim[2]; /* of a launch that fills a rim: its patterns */
    hit_pattern pattern[2];
    const hit_kernel *kernel;
    int arg[HIT_MAX_ARGS];   /* of the kernel, by the number of the use */
    int piece[HIT_MAX_ARGS]; /* of its storage, likewise */
    uint64_t indices;        /* 0: it fills a rim */
    bool fits;               /* the device has room for all it needs: it may stay there */
    bool chained;            /* it ran with others */
    int number;              /* by which a dry run knows it */
    uint64_t stamp; /* the runner's, and the place of its plan: an equal launch */
    uint64_t place; /* has the same. 0: it is new */
    hit_run run;
    max_align_t value[HIT_CHAIN_VALUE_ROOM / sizeof(max_align_t)]; /* its values,
                                                        aligned: the caller's are gone */
} hit_chain_record;

/* A chain that was seen, with the hashes of its beginnings. */
typedef struct hit_chain_known {
    hit_skew chain;
    uint64_t hash[HIT_CHAIN_LAUNCHES];
    uint64_t refused; /* the hash with the launch that could not join it */
    hit_recent *recent;
} hit_chain_known;

/* What launches move through a device. */
typedef struct hit_chain_moved {
    uint64_t bytes_in;
    uint64_t bytes_out;
    uint64_t pieces;
} hit_chain_moved;

/* What is told of a block that is not run: how it would be. */
typedef struct hit_chain_told {
    char how[200];            /* of the first launches */
    hit_chain_moved together; /* by launches that run with others */
    hit_chain_moved alone;    /* by others, but for those that fit the device */
    hit_forecast time;        /* of both */
} hit_chain_told;

typedef struct hit_chain_pieces hit_chain_pieces; /* hit/run/chain_pieces.h */

typedef struct hit_chains {
    const hit_context *context; /* borrowed */
    hit_stations *stations;
    hit_launcher *launcher;
    uint64_t blocks;

    int count;
    int before; /* so many are those of the block before, as they stand there */
    hit_chain_record record[HIT_CHAIN_LAUNCHES];
    const hit_chain_launch *launch[HIT_CHAIN_LAUNCHES];
    uint64_t hash[HIT_CHAIN_LAUNCHES]; /* of the launches up to here */
    /* What a step is recognised by, and how it is to be run: the same wherever in the
     * tiles a launch is; of a launch, and of those up to here with their memory. */
    uint64_t form[HIT_CHAIN_LAUNCHES];
    uint64_t forms[HIT_CHAIN_LAUNCHES];
    int border[HIT_CHAIN_LAUNCHES + 1]; /* of so many launches: how many at the end are
                                           those at the beginning again */
    int storages;
    hit_storage *storage[HIT_CHAIN_STORAGES]; /* by number */
    unsigned char logged[HIT_CHAIN_STORAGES]; /* 1: as read, 3: as written */
    bool logs;                                /* the block has an event */
    hit_chain_known *now;                     /* what is known of the block */
    hit_tuner *tuner;                         /* of its steps; NULL: it has none yet */
    int period;                               /* launches of a step */
    int wanted;                               /* launches of the block */

    hit_chain_pieces *pieces; /* of a device with a memory of its own; NULL: in place */
    uint64_t alone_bytes[HIT_CHAIN_LAUNCHES]; /* that cross where a launch runs alone */
    size_t stream_bytes;                      /* of its memory, for pieces */
    hit_domain dead[HIT_CHAIN_STORAGES];      /* results that what follows overwrites */
    bool idle;     /* a full block ran one launch after the other */
    int alone;     /* so many blocks behind each other had one launch */
    int pass;      /* so many launches that could begin a block are not recorded */
    uint64_t said; /* the hash of the chain that was told last */

    struct hit_deep *deep; /* several processes; NULL: one */
    uint64_t overlapped;   /* blocks whose inner boxes ran beside messages */

    /* Dry runs: blocks are told, not run. NULL: they run. */
    void (*tell)(void *of, const struct hit_chains *chains, int count);
    /* How long the launches of p->plan take, of a block of @p count. */
    hit_status (*time)(void *of, hit_chain_pieces *p, int count, hit_forecast *time);
    void *tell_of;
    int number; /* of the launch that comes */
    hit_chain_told told;

    hit_chain_known *known[HIT_CHAIN_KNOWN];
    hit_recent recent_known[HIT_CHAIN_KNOWN]; /* their key is 1 */
    uint64_t turns;                           /* from one known chain to another */
    hit_chain_tuned *tuners[HIT_CHAIN_TUNERS];
    hit_recent recent_tuner[HIT_CHAIN_TUNERS];
    hit_model_key
        place; /* of tuners in the store, but for the kernel; no build: unknown */
} hit_chains;

/** Begin a new block. */
void hit_chain_block_begin(hit_chains *chains);
/** The launches of the shortest step that is repeated from the beginning of the block on,
 * twice at least; 0: there is none [Knuth1977]. To be asked for each number of launches.
 */
int hit_chain_block_period(hit_chains *chains, int count);
/** The request for the choices of the first @p count launches, @p period of them a step;
 * the numbers of steps are left open. */
hit_choose_request hit_chain_block_request(const hit_chains *chains, int count,
                                           int period);
/** The indices of @p run are moved by @p move, per axis of the tiles: let it have their
 * own, and the elements that are moved as much. */
void hit_chain_block_move(const hit_call *call, const hit_launch_plan *plan,
                          const hit_index move[], hit_run *run);
/** Count @p launches launches from number @p first on as such that run with others. */
void hit_chain_block_count(hit_chains *chains, int first, int launches);
/** Run the block, of a hit_chains; a new one begins. @errors those of the kernels */
hit_status hit_chain_block_run(void *of);
/** The tuner for blocks of equal steps of @p period launches, of which at least two are
 * recorded; at most @p most_steps in a block. NULL: there is no memory. */
hit_tuner *hit_chain_block_tuner(hit_chains *chains, int period, int most_steps);

#endif
