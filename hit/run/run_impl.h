/* SPDX-License-Identifier: MIT
 * Internal: what the files of hit/run share. */
#ifndef HIT_RUN_RUN_IMPL_H
#define HIT_RUN_RUN_IMPL_H

#include "hit/base/containers.h"
#include "hit/chain/chain.h"
#include "hit/chain/spread.h"
#include "hit/chain/tuner.h"
#include "hit/check/check.h"
#include "hit/cost/cost.h"
#include "hit/device/device.h"
#include "hit/launch/launcher.h"
#include "hit/model/store.h"
#include "hit/stream/stream.h"
#include "hit/tile/tile_impl.h"

#include <stddef.h>
#include <stdio.h>

/* runner.c: a launch that is carried out, and its device's side. */

typedef struct hit_runner {
    const hit_call *call;
    hit_launcher *launcher;
    hit_stations *stations;
    hit_launch_plan *plan;
    hit_known_call *known; /* which keeps it; NULL: it is for this launch only */
    bool ready;            /* the slots of all tiles are set: by an equal call */
    uint64_t stamp;        /* another one whenever a known call set them; else 0 */
    int number;            /* of the device */
    hit_phase phase;       /* which of its indices run now */
    bool left;             /* what was launched last may not be over */
    bool gathers;          /* what it needs of elsewhere is under way, or has come */
    bool fails; /* its results are lost: messages say so instead of bringing them */
    hit_station *station;
    hit_device *device;
    hit_run run;           /* values are in their slots; the rest is set for every box */
    uint64_t place;        /* the plan's, when the box of the run was set */
    const hit_domain *box; /* which is this one of the plan; NULL: another one */
    hit_index elements[HIT_MAX_ARGS]; /* of the memory that a slot points to */
} hit_runner;

/** Let it run on device number @p number. */
static inline void hit_runner_set_device(hit_runner *r, int number)
{
    r->number = number;
    r->station = &r->stations->station[number];
    r->device = r->station->device;
    r->run.threads = r->device->threads;
}
/** The slots of its call are to be set anew. */
static inline void hit_runner_forget_slots(hit_runner *r)
{
    if (r->known != NULL) r->known->ready = 0;
    r->ready = false;
    r->stamp = 0;
}
/** An equal call may begin with the slots as they are now, unless memory of tiles moves.
 */
static inline void hit_runner_keep_slots(hit_runner *r)
{
    if (r->known == NULL) return;
    r->known->ready = r->stations->grown;
    r->stamp = ++r->launcher->stamps;
}
/** Let the slot of tile argument @p use, or of all of them, point to @p view, or to what
 * @p part needs on the host. */
void hit_runner_set_slot(hit_runner *r, int use, const hit_view *view);
void hit_runner_set_slots(hit_runner *r, const hit_part *part);
/** Let the run be on the indices @p box, with the slots as they are. A known call at the
 * place of the one before has nothing to do. */
void hit_runner_set_box(hit_runner *r, const hit_domain *box);
/** Run the kernel on the indices @p box, with the slots as they are. */
hit_status hit_runner_box(hit_runner *r, const hit_domain *box);
/** Run a part on the tiles' own memory, to which the slots point. */
hit_status hit_runner_in_place(hit_runner *r, hit_part *part);
/** Before all of the device's memory is used for @p part: nothing stays there. What the
 * part will overwrite is not saved. */
hit_status hit_runner_clear_device(hit_runner *r, const hit_part *part);
/** Run a part in the memory of the device: in one go on what stays there, or superblock
 * by superblock. If the device has less memory than its limit promised, the superblocks
 * are planned anew. @errors HIT_E_NOMEM not even one block fits: what was asked for, what
 * the device holds, what is missing */
hit_status hit_runner_on_device(hit_runner *r, hit_part *part);

/* chain_tuners.c: the tuners of this run's chains, which go on from what the store of
 * models has of such chains, and leave there what they found. */

struct hit_chains;

typedef struct hit_chain_tuned {
    hit_tuner tuner;
    hit_model_key name; /* in the store; no kernel: it is not kept there */
    int kept_tries;     /* of all choices together, as the store has them, and ... */
    int kept_choice;    /* ... the one that is the fastest by them */
    FILE *says; /* print why it cannot be kept: the launcher is gone by then; NULL: not */
} hit_chain_tuned;

/** A new tuner with a key, for the request, of the block's first @p count launches, @p
 * period of them a step. NULL: there is no memory. */
hit_tuner *hit_chain_tuners_make(struct hit_chains *chains, int count, int period,
                                 const hit_choose_request *request, uint64_t key);
/** Free them all; what they found is in the store from then on, as far as that can be
 * written. */
void hit_chain_tuners_close(struct hit_chains *chains);

/* chain_block.c: the block of launches that are recorded and wait, what is known of
 * such blocks, and how one is run. */

enum {
    HIT_CHAIN_KNOWN = 16, /* chains */
    HIT_CHAIN_TUNERS = 64,
    HIT_CHAIN_ALONE = 4,        /* blocks of one launch behind each other, in place */
    HIT_CHAIN_ALONE_STREAM = 2, /* the same through a device's memory */
    HIT_CHAIN_PASS = 15,
    HIT_CHAIN_SHARED = 16 /* kinds of blocks whose shares follow times */
};

/* The indices of a launch that this process runs, and what they touch: per use. */
typedef struct hit_chain_part {
    const hit_domain *index;
    uint64_t indices;
    bool begins; /* a block may begin with it */
    /* How the launch goes through the devices alone; NULL: these are not the indices that
     * it would have then. */
    const hit_launch_plan *alone;
    const hit_domain *need[HIT_MAX_ARGS];
    bool loads[HIT_MAX_ARGS]; /* not all of it is overwritten */
    int piece[HIT_MAX_ARGS];  /* of the storage */
    /* Per axis of its tiles, by how much all lies elsewhere than the kernel has it: as
     * copies beyond periodic boundaries do. NULL: it does not. */
    const hit_index *move;
    unsigned periodic; /* axes with such boundaries, a bit each */
    bool elsewhere;    /* in a dry run: another process has them, and its own tiles */
    bool again;        /* more indices of the launch that the part before it is of */
} hit_chain_part;

/* How much a launch that waits takes of the memory of its record. */
typedef struct hit_chain_room {
    int uses;
    int slots;
    size_t values_bytes;
} hit_chain_room;

/* A launch that waits. What it is lies in the memory of its record, which is as much as
 * its arguments need, or in that of an equal one before it in the block. */
typedef struct hit_chain_record {
    uint64_t stamp; /* the runner's; 0: it is new */
    uint64_t known; /* the number of its kernel with the numbers in its patterns */
    hit_chain_launch *launch; /* of the uses, as many as it has */
    hit_run *run;             /* of the slots, as many as it has */
    void *value;              /* its values: the caller's are gone */
    size_t values_bytes;
    const hit_kernel *kernel;
    uint64_t indices; /* 0: it fills a rim */
    int number;       /* by which a dry run knows it */
    bool fits;        /* the device has room for all it needs: it may stay there */
    bool chained;     /* it ran with others */
    bool again;       /* as its part */
    void *memory;     /* owned; it stays for the launch that stands here next */
    size_t memory_bytes;
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

/* What is told of a block: how it was run, or would be. */
typedef struct hit_chain_told {
    char how[200];            /* of the first launches */
    hit_chain_moved together; /* by launches that run with others */
    hit_chain_moved alone;    /* by others, but for those that fit the device */
    hit_forecast time;        /* of both */
} hit_chain_told;

/* How devices share the blocks that begin with a launch of one kind and extents. */
typedef struct hit_chain_shared {
    hit_index share[HIT_MAX_DEVICES];
    hit_shares *shares; /* they follow; NULL: none has run */
    hit_index all;      /* of these, in rows of its first block */
} hit_chain_shared;

/* How a block was cut. What is the same again, by the same choice, is not cut anew. */
typedef struct hit_chain_tiled {
    uint64_t block; /* the number of the last one that was cut so */
    hit_choice choice;
    hit_tiling all;
    /* chain_overlap.c: what of it runs beside messages, ... */
    const struct hit_deep_plan *plan; /* ... which are this one's; NULL: nobody asked, */
    uint64_t messages;                /* and of these fields, a bit each */
    bool beside;                      /* something does: */
    hit_tiling inner;
} hit_chain_tiled;

typedef struct hit_chain_pieces hit_chain_pieces; /* hit/run/chain_pieces.h */

typedef struct hit_chains {
    const hit_context *context; /* borrowed */
    hit_stations *stations;
    hit_launcher *launcher;
    hit_crew *crew; /* of devices that share launches; NULL: there is one */
    int threads;    /* of these, which share the items of a chain */
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
    struct hit_chain_reductions *reductions;  /* chain_reduce.c; NULL: none ever waited */
    int wanted;                               /* launches of the block */

    /* chain_shares.c: of the rows of the block each device has as many beside the others.
     */
    hit_index share[HIT_MAX_DEVICES];
    bool shares_given;
    double *speed; /* the same of each thread of devices in place; NULL: all as many */
    uint64_t rows[HIT_MAX_DEVICES]; /* of all launches that were shared so */
    int shared_launches;
    hit_chain_shared *follows; /* the shares follow times; NULL: they stay */
    hit_chain_shared *shared;  /* HIT_CHAIN_SHARED; NULL: no shares follow times */
    hit_recent recent_shared[HIT_CHAIN_SHARED];

    hit_chain_cut *cut; /* over the devices, if they have memories of their own ... */
    hit_chain_pieces *pieces;                 /* ... and of each share; NULL: in place */
    uint64_t alone_bytes[HIT_CHAIN_LAUNCHES]; /* that cross where a launch runs alone */
    size_t stream_bytes;                      /* of the memory of each, for pieces */
    hit_domain dead[HIT_CHAIN_STORAGES];      /* results that what follows overwrites */
    hit_chain_tiled tiled;                    /* the last block that was */
    bool wide;     /* not all of the block are narrow, which may be tasks */
    bool goes_on;  /* a full one that was has run: the next may begin with any launch */
    bool idle;     /* a full block ran one launch after the other */
    int alone;     /* so many blocks behind each other had one launch */
    int pass;      /* so many launches that could begin a block are not recorded */
    uint64_t said; /* the hash of the chain that was told last */

    struct hit_deep *deep; /* several processes; NULL: one */
    uint64_t overlapped;   /* blocks whose inner boxes ran beside messages */

    /* Dry runs and simulated machines get the figures of each block here. NULL: real
     * runs. */
    void (*tell)(void *of, const struct hit_chains *chains, int count);
    /* How long the launches of p->plan take, of a block of @p count. */
    hit_status (*time)(void *of, hit_chain_pieces *p, int count, hit_forecast *time);
    void *tell_of;
    bool elsewhere; /* then they do not run: the tiles are another process's */
    int number;     /* of the launch that comes */
    hit_chain_told told;

    hit_chain_known *known[HIT_CHAIN_KNOWN];
    hit_recent recent_known[HIT_CHAIN_KNOWN]; /* their key is 1 */
    uint64_t turns;                           /* from one known chain to another */
    hit_chain_tuned *tuners[HIT_CHAIN_TUNERS];
    hit_recent recent_tuner[HIT_CHAIN_TUNERS];
    hit_model_key
        place; /* of tuners in the store, but for the kernel; no build: unknown */
} hit_chains;

/** The tuner with a key; NULL: there is none. */
static inline hit_tuner *hit_chain_tuners_find(const hit_chains *chains, uint64_t key)
{
    const int k = hit_recent_find(chains->recent_tuner, HIT_CHAIN_TUNERS, key);

    return k < 0 ? NULL : &chains->tuners[k]->tuner;
}

/** Begin a new block. */
void hit_chain_block_begin(hit_chains *chains);
/** The request for the choices of the first @p count launches, @p period of them a step;
 * the numbers of steps are left open. */
hit_choose_request hit_chain_block_request(const hit_chains *chains, int count,
                                           int period);
/** Count @p launches launches from number @p first on as such that run with others. */
void hit_chain_block_count(hit_chains *chains, int first, int launches);
/** Run the block, of a hit_chains; a new one begins. @errors those of the kernels */
hit_status hit_chain_block_run(void *of);
/** Run launches that the block has no more, from number @p from on, one after the other;
 * they were part of the chain @p now. @errors those of the kernels */
hit_status hit_chain_block_rest(hit_chains *chains, hit_chain_known *now, int from,
                                int until);
/** There is a further launch: find the steps, and how long the block is to be. */
void hit_chain_block_want(hit_chains *chains);

/* chain_reduce.c: reductions that wait while the launches of a block are recorded. */

typedef struct hit_chain_reductions hit_chain_reductions;

/** How a launch is carried out: hit_live_run(). */
typedef hit_status hit_launch_run(const hit_call *call, hit_launch_plan *plan);
/** Let a launch that reduces wait, until @p run carries it out. *taken is false if it
 * must run now: behind the block.
 * @errors none: without memory it does not wait */
hit_status hit_chain_reductions_take(const hit_call *call, const hit_launch_plan *plan,
                                     hit_launch_run *run, bool *taken);
/** Does a launch touch what one that waits would write, or reduce into what that reads?
 */
bool hit_chain_reductions_meet(const hit_chains *chains, const hit_call *call);
/** Is a tile argument of one that waits this very handle? @p of hit_chains */
bool hit_chain_reductions_hold(const void *of, const hit_tile *tile);
/** How many wait. */
int hit_chain_reductions_count(const hit_chains *chains);
/** hit_chain_block_run(), and what waits. @p of hit_chains @errors those of the kernels
 */
hit_status hit_chain_reductions_run(void *of);
/** Accepts NULL in *all; sets it to NULL. */
void hit_chain_reductions_destroy(hit_chain_reductions **all);

/* chain_compare.c: blocks of launches that are run twice, for HIT_COMPARE=chain. */

/** Before the block runs: copy its tiles. @owner *redo: hit_redo_end(), also on failure
 * @errors HIT_E_NOMEM; those of the device */
hit_status hit_chain_compare_keep(const hit_chains *chains, hit_redo *redo);
/** The block of @p count launches has run: run them again on what was kept, one after the
 * other, which is what the tiles hold then.
 * @errors HIT_E_CHECK results differ; HIT_E_ABSENT a kernel without a host function */
hit_status hit_chain_compare(const hit_chains *chains, int count, hit_redo *redo);

/* chain_devices.c: a chain on all devices of a process that work in place. */

/** Set the crew and the threads of @p chains. */
void hit_chain_devices_open(hit_chains *chains);
/** Run a chain in tiles. @errors those of the kernels */
hit_status hit_chain_run_work(hit_chains *chains, const hit_chain_work *work);
/** The same on device number @p number alone, whose threads share the items. */
hit_status hit_chain_run_work_on(const hit_chains *chains, int number,
                                 const hit_chain_work *work);
/** Run launch number @p launch of the block as @p run says: some of its indices, or all.
 * @errors those of the kernel */
hit_status hit_chain_run_launch(hit_chains *chains, int launch, const hit_run *run);

/* chain_overlap.c: boxes of a block over processes that need nothing of its messages
 * run while these are under way. */

/** Is the block, in the tiles of chains->tiled, to be run so? Messages are under way
 * then, and it has such boxes: *tiling is limited to them. To be asked for each block
 * whose tiles are settled. */
bool hit_chain_overlap_may(hit_chains *chains, const hit_tiling **tiling);
/** Run it. The wait for messages took *waited_s. @errors those of the kernels and of the
 * messages, which have come or failed then */
hit_status hit_chain_overlap_run(hit_chains *chains, const hit_chain_work *work,
                                 double *waited_s);

/* chain_shares.c: how the devices share the rows of a block. */

/** @errors HIT_E_NOMEM: hit_chain_shares_close() also then */
hit_status hit_chain_shares_open(hit_chains *chains);
void hit_chain_shares_close(hit_chains *chains);
/** A block begins with the indices @p index of a launch of @p plan, and shares are given.
 */
void hit_chain_shares_begin(hit_chains *chains, const hit_launch_plan *plan,
                            const hit_domain *index);
/** A block ends, and what did not join it begins another one. */
hit_status hit_chain_begin_again(hit_chains *chains, const hit_runner *r,
                                 const hit_chain_part *part);
/** Before it runs, where the shares follow its time. */
void hit_chain_shares_start(hit_chains *chains);
/** @p launches launches ran, of which device number d had rows[d] rows each. */
void hit_chain_shares_add(hit_chains *chains, int launches, const hit_index rows[]);
/** Then it has run, and the stations know how long that took: the next one of its kind
 * may be shared in another way. */
void hit_chain_shares_note(hit_chains *chains);

/* chain_records.c, with hit/run/chains.h */

/** Does the device run what fills rims? */
bool hit_chain_rims_run_on(const hit_device *device);

/* chain_stream.c: blocks of recorded launches on devices with memories of their own,
 * which do not hold their tiles: in pieces that go through them (hit/chain/spread.h),
 * rows of each device (hit/chain/spread.h). */

/** Take what blocks of @p chains need of the devices, in place or not. @errors
 * HIT_E_NOMEM: nothing is left */
hit_status hit_chain_stream_open(hit_chains *chains);
void hit_chain_stream_close(hit_chains *chains);

/** Why launches of a plan cannot be part of a chain there; NULL: they can. */
const char *hit_chain_stream_refused(const hit_call *call, const hit_launch_plan *plan);
/** Before the first launch of a block is recorded: what the device holds goes to the
 * host, but for what the launch overwrites where it goes by @p alone (NULL: it does not),
 * and its memory is taken for pieces. *ready is false if too little of it can be had.
 * @errors of the device */
hit_status hit_chain_stream_begin(hit_chains *chains, hit_runner *r,
                                  const hit_launch_plan *alone, bool *ready);
/** Why the launch number chains->count, which has joined, cannot be part of the block;
 * NULL: it can, and it can be run alone in the same way, too. @p part NULL: it fills a
 * rim. */
const char *hit_chain_stream_against(hit_chains *chains, const hit_chain_part *part);
/** The block is full and this launch, of which @p part is, follows: its results are not
 * sent where the launch overwrites them. */
void hit_chain_stream_look_ahead(hit_chains *chains, const hit_runner *r,
                                 const hit_chain_part *part);

/* chain_groups.c: the same, as they run. */

/** Run the first @p count recorded launches. Afterwards all results are on the host, and
 * nothing is on its way. @errors those of the kernels and of the device */
hit_status hit_chain_stream_run(hit_chains *chains, int count);

/* run_parts.c: reductions of a launch on several devices. */

/** Before the run: nothing has been added to what is reduced. */
hit_status hit_runner_start_sums(const hit_runner *r);
/** After it: what the devices added up becomes one, in their order, so that results do
 * not depend on timing. */
hit_status hit_runner_end_sums(const hit_runner *r);

/* run_messages.c: messages of a launch. */

/** Of a launch that gathers: begin to get what the indices need, and wait for it; both
 * also after a failure, since the peers wait. */
hit_status hit_runner_begin_gathers(hit_runner *r);
hit_status hit_runner_end_gathers(hit_runner *r);
/** The second one in two steps: @p halos come last, on all processes alike, since some
 * processes pass on what comes. */
hit_status hit_runner_end_some(hit_runner *r, bool halos);
/** After the run, if it returns anything: give the owners what they own; also after a
 * failure. */
hit_status hit_runner_return(hit_runner *r);

/* run_holds.c: boxes of other processes that stay (hit/comm/exchange.h). */

/** Before the messages of an argument that holds some: which of them go, and where its
 * box comes to. @errors HIT_E_NOMEM */
hit_status hit_runner_begin_holds(const hit_runner *r, const hit_use *use);
/** They have been sent; those of a launch that @p fails said so. */
void hit_runner_note_given(const hit_runner *r, const hit_use *use, bool fails);
/** Task number @p task reads all boxes that the launch has of other processes. */
void hit_runner_note_reader(const hit_runner *r, uint64_t task);
/** The box of an argument that has one has come, or was there. @errors HIT_E_NOMEM it
 * could not be kept when it came */
hit_status hit_runner_note_received(const hit_runner *r, const hit_use *use);

/* run_parts.c: the parts of a launch on the devices of the process. */

/** Run what is of this phase of all parts, or leave them to a task. r->left: they may not
 * be over.
 * @errors those of the kernel and of the devices */
hit_status hit_runner_parts(hit_runner *r);
/** As a task for one of several devices, or on all; where it waits, the slots are set. */
hit_status hit_runner_on_devices(hit_runner *r);
/** All of @p part where the slots point to, or as a task, or recorded: r->left then. */
hit_status hit_runner_at_home(hit_runner *r, const hit_part *part);

/* submit.c: launches that become tasks (docs/scheduling.md), and those that run at once
 * behind them. */

/** May launches by this plan become tasks? Only if they run in place on all devices of
 * the process, and leave nothing to be done afterwards. */
bool hit_submit_may(const hit_call *call, const hit_launch_plan *plan);
/** Make tasks of the launch, whose slots are set. *taken is false if it must run now;
 * then it may, what it comes after is over.
 * @errors those of tasks that failed and that it comes after */
hit_status hit_submit(hit_runner *r, bool *taken);
/** Where no scheduler was asked for, on devices with memories of their own: set
 * plan->places and plan->narrow, which all launches of a class have in common. */
void hit_submit_meet(const hit_call *call, hit_launch_plan *plan);
/** Does the launch leave most of those to others that may carry it out? At its place:
 * others of its class may be wide. */
bool hit_submit_is_narrow(const hit_call *call, const hit_launch_plan *plan);
/** Let the scheduler, which places launches, place it. *taken is false if it must run
 * now; then all that it touches is on the host. @errors as above, and of the scheduler */
hit_status hit_submit_placed(hit_runner *r, bool *taken);
/** Before a launch that does not become tasks: wait for those that it comes after, and
 * let the device have all its threads until hit_tasks_resume(). @errors as above */
hit_status hit_submit_wait(hit_runner *r);

#endif
