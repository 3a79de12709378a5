/* SPDX-License-Identifier: MIT
 * Internal: what the files of hit/dry share. */
#ifndef HIT_DRY_DRY_IMPL_H
#define HIT_DRY_DRY_IMPL_H

#include "hit/base/containers.h"
#include "hit/base/json.h"
#include "hit/cost/cost.h"
#include "hit/deep/deep.h"
#include "hit/launch/call.h"
#include "hit/launch/launcher.h"
#include "hit/run/chain_pieces.h"
#include "hit/tile/peers.h"

#include <stddef.h>
#include <stdio.h>

/** What HIT_PLAN asks for: the mode of a hit_dry_request. */
enum {
    HIT_DRY_NONE,
    HIT_DRY_TEXT,
    HIT_DRY_MEASURE, /**< and text */
    HIT_DRY_JSON
};

/* dry_time.c: figures and predicted times as text. */

/** A figure in a line of its own, and as a member of a JSON object. */
void hit_dry_print_figure(FILE *out, const char *name, const char *unit,
                          hit_figure figure);
void hit_dry_json_figure(hit_json *line, const char *name, hit_figure figure);
/** What is printed, and by whom: by no process if silent. */
typedef struct hit_dry_style {
    bool silent;
    bool json;
    bool cluster;  /**< a machine's file says how fast it is */
    double rest_w; /**< of all devices, at rest; -1: not known */
    FILE *out;     /**< the context's */
} hit_dry_style;

/** The time of a launch, or how to get it. */
void hit_dry_print_time(hit_dry_style style, hit_forecast time);
/** The same as members of a JSON object: "predicted_s", ... */
void hit_dry_json_time(hit_json *line, hit_forecast time);
/** The time of all launches, @p all, in a line of its own; as above. */
void hit_dry_print_total(FILE *out, hit_forecast all);
/** @p all and @p times launches of a kind: the first finds a device that holds nothing.
 */
hit_forecast hit_dry_add_times(hit_forecast all, hit_forecast time, uint64_t times);

/* dry_rates.c: how fast devices and messages are. */

/** {0}: nothing is known. */
typedef struct hit_dry_rates {
    uint64_t known; /**< what they are those of; 0: of nothing yet */
    int count;
    hit_rates *of; /**< of each kind of processes, of each device */
} hit_dry_rates;

/** @owner the caller: hit_dry_rates_clear() @errors HIT_E_NOMEM */
hit_status hit_dry_rates_create(const hit_context *context, hit_dry_rates *rates);
void hit_dry_rates_clear(hit_dry_rates *rates);
/** The power at rest of all devices of all nodes; -1: it is not known of some. */
double hit_dry_rest_watts(const hit_context *context);
/** Those of a call's place, if they are not there yet. */
void hit_dry_rates_load(const hit_call *call, const hit_known_kernel *known,
                        hit_dry_rates *rates);
/** Measure what is missing for a preview's time. *any: something was. @collective yes
 * @errors of the kernel that runs */
hit_status hit_dry_rates_measure(const hit_call *call, const hit_known_kernel *known,
                                 const hit_preview *preview, hit_dry_rates *rates,
                                 bool *any);

/* seen.c: the launches that a dry run has seen. Launches of one kernel on domains of
 * the same extents are of one class where they would do the same, process for process
 * in sum and at most. A place that was seen is found by hash. */

typedef struct hit_seen_class {
    const hit_known_kernel *known;
    hit_domain domain; /**< of the first place */
    hit_preview preview;
    hit_rates rates;  /**< of the first device; not known on processes that are silent */
    uint64_t times;   /**< launches at all places together */
    uint64_t chained; /**< of these, in chains */
    uint64_t moved;   /**< that move what a block does, not what they would alone */
    uint64_t timed;   /**< whose time is in that of a block, or on clocks */
    uint64_t places;  /**< domains, or tiles of other shapes */
    uint64_t key;     /**< hash of what its places share */
} hit_seen_class;

typedef struct hit_seen hit_seen;

/** @owner the caller: hit_seen_destroy() @errors HIT_E_NOMEM */
hit_status hit_seen_create(hit_seen **seen);
void hit_seen_destroy(hit_seen **seen);
/** Count a launch at a place that was seen: the number of its class; -1: it was not.
 * @param key  hit_launcher_key() of the call */
int hit_seen_again(hit_seen *seen, const hit_known_kernel *known,
                   const hit_domain *domain, uint64_t key);
/** Count the first launch at a place. *of is the number of its class; one
 * that is new has seen 1, and takes the rates, which are not known in @p found then.
 * Takes the parts.
 * @errors HIT_E_NOMEM */
hit_status hit_seen_add(hit_seen *seen, hit_seen_class *found, uint64_t key,
                        hit_preview_parts *parts, int *of);
/** Of the place that was counted last. */
hit_preview_parts *hit_seen_parts(const hit_seen *seen);
int hit_seen_classes(const hit_seen *seen);
/** By number: in the order in which they were first seen. */
hit_seen_class *hit_seen_at(const hit_seen *seen, int number);

/* host_memory.c: what launches need of the host's memory. */

/** Launches that were looked at, by their place and their tiles. {0}: none was. */
typedef struct hit_dry_looked {
    hit_table by_key;
    uint64_t *key;
    size_t room;
    int count;
} hit_dry_looked;

/** Is the key new? Then it no longer is. @errors HIT_E_NOMEM */
hit_status hit_dry_see(hit_dry_looked *looked, uint64_t key, bool *is_new);
/** Add what a launch of class @p of needs to the footprint of the context, if it was not
 * looked at.
 * @param key  hit_launcher_key() of the call @errors HIT_E_NOMEM, those of its plan */
hit_status hit_dry_look(hit_dry_looked *looked, const hit_call *call, uint64_t key,
                        const hit_seen_class *of);
void hit_dry_looked_clear(hit_dry_looked *looked);

/* clocks.c: the time of narrow launches, of which few processes have indices: these run
 * side by side on other processes. Each process has a clock. It waits for what its
 * messages bring, and does one thing after another: a launch, a message that it sends or
 * gets. What all take part in, a wide launch or a block, begins when the last is done. */

typedef struct hit_dry_clocks {
    int size;         /**< processes */
    double *now_s;    /**< since all were done the last time */
    double *then_s;   /**< when what is looked at is over */
    bool any;         /**< narrow launches since then */
    hit_forecast all; /**< until then, of narrow launches alone */
} hit_dry_clocks;

/** @owner the caller: hit_dry_clocks_clear() @errors HIT_E_NOMEM */
hit_status hit_dry_clocks_create(int processes, hit_dry_clocks *clocks);
void hit_dry_clocks_clear(hit_dry_clocks *clocks);
/** A narrow launch. @param again  the first of its class was before: see hit_forecast */
void hit_dry_clocks_add(hit_dry_clocks *clocks, const hit_preview_parts *parts,
                        bool again);
/** All are done. @return the time of all narrow launches up to now */
hit_forecast hit_dry_clocks_meet(hit_dry_clocks *clocks);

/* dry_boxes.c: messages that bring what their receiver holds (hit/comm/exchange.h), which
 * are not sent, or are empty. */

/** Take a launch note of, and set which messages are sent: *less is added what its
 * messages are fewer, as the program has promised, or emptier. hit_holds_end() follows.
 * @errors HIT_E_NOMEM */
hit_status hit_dry_boxes_note(const hit_call *call, hit_preview_parts *parts,
                              hit_sent *less);

/* around.c: what blocks over processes move through the memories of devices. A process
 * goes through its device by itself, its part with its margins; so the launches of a
 * block are held until it ends, and recorded as if each process ran them. Processes
 * that do the same are looked at once, and so are blocks that repeat. */

typedef struct hit_dry_around hit_dry_around;

/** What launches of a block move, on all processes. */
typedef struct hit_dry_moved {
    hit_figure superblocks;
    hit_figure bytes_in;
    hit_figure bytes_out;
    char how[200];     /**< on the process that moves most; "": there is no stream */
    hit_forecast time; /**< until the last process is done */
} hit_dry_moved;

/** Of one process, without time. */
static inline hit_dry_moved hit_dry_moved_of(const hit_chain_moved *of)
{
    return (hit_dry_moved){.superblocks = {of->pieces, of->pieces},
                           .bytes_in = {of->bytes_in, of->bytes_in},
                           .bytes_out = {of->bytes_out, of->bytes_out}};
}

/** Of a context whose devices have memories of their own, and whose blocks are those of
 * @p deep, which then belongs to *around.
 * Classes of launches are in @p seen, which must live as long.
 * @owner the caller: hit_dry_around_destroy() @errors HIT_E_NOMEM */
hit_status hit_dry_around_create(hit_context *context, hit_deep *deep,
                                 const hit_seen *seen, hit_dry_around **around);
/** Accepts NULL in *around; sets it to NULL. */
void hit_dry_around_destroy(hit_dry_around **around);
/** Hold a launch of class @p number that is in a block.
 * @errors HIT_E_NOMEM */
hit_status hit_dry_around_hold(hit_dry_around *around, const hit_call *call,
                               const hit_launch_plan *sketch, const hit_deep_turn *turn,
                               int number);
/** The program looks, or the block is over: what is held runs. @errors HIT_E_NOMEM */
hit_status hit_dry_around_run(hit_dry_around *around);
/** The moves of all launches that were held and have run since the last call. A look of
 * this process counts as one of all. @errors HIT_E_NOMEM */
hit_status hit_dry_around_take(hit_dry_around *around, hit_dry_moved *moved);

/** The same so far; nothing is let run. */
const hit_dry_moved *hit_dry_around_moved(const hit_dry_around *around);

/* dry_kinds.c: blocks with the same figures are of one kind, which is printed when it
 * comes first. */

enum {
    HIT_DRY_DEPTH_TEXT = 512
};

typedef struct hit_dry_kind {
    const char *kernel;
    int launches;
    double work;
    hit_figure messages;
    hit_figure message_bytes;
    char depth[HIT_DRY_DEPTH_TEXT]; /**< of the first block */
    hit_dry_moved moved;            /**< through memories of devices */
    hit_forecast messages_time;
    hit_forecast time; /**< of all */
    uint64_t times;
} hit_dry_kind;

/** {0}: none yet. */
typedef struct hit_dry_kinds {
    hit_dry_style style;
    bool alone;  /**< of one process */
    bool staged; /**< its devices have memories of their own */
    int count;
    hit_dry_kind *of;
} hit_dry_kinds;

/** Count a block, and print its kind if it is new. @errors HIT_E_NOMEM */
hit_status hit_dry_kinds_count(hit_dry_kinds *kinds, const hit_dry_kind *made);
/** How often each came. */
void hit_dry_kinds_print_times(const hit_dry_kinds *kinds);
void hit_dry_kinds_clear(hit_dry_kinds *kinds);

/* dry_chains.c: the blocks of launches that share their messages (docs/chain.md), as
 * the planning code of real runs makes them. */

typedef struct hit_dry_chains hit_dry_chains;

/** What blocks do instead of what their launches would do alone. */
typedef struct hit_dry_blocks {
    uint64_t messages;
    uint64_t message_bytes;
    uint64_t superblocks; /**< where launches do not go through devices alone */
    uint64_t bytes_in;
    uint64_t bytes_out;
    hit_forecast time; /**< of chained launches and of messages */
} hit_dry_blocks;

/** Chains of a context, whose launches @p runs or not, as HIT_CHAIN says; *chains stays
 * NULL where there can be none. Classes of launches are in @p seen, which must live as
 * long. @owner the caller: hit_dry_chains_destroy() @collective yes */
void hit_dry_chains_open(hit_context *context, hit_dry_style style, bool runs,
                         hit_seen *seen, hit_dry_chains **chains);
/** Accepts NULL in *chains; sets it to NULL. */
void hit_dry_chains_destroy(hit_dry_chains **chains);
/** Take note of a launch of class @p number, which is counted if it is in a block; a
 * block of a new kind is printed when it begins, on one process when it ends. *taken: it
 * is in a block of several processes.
 * @param key  hit_launcher_key() of the call @errors HIT_E_NOMEM */
hit_status hit_dry_chains_note(hit_dry_chains *chains, hit_call *call, uint64_t key,
                               int number, bool *taken);
/** No launch follows: what is under way on devices with memories of their own is counted,
 * and printed, and processes leave the block together. @errors HIT_E_NOMEM */
hit_status hit_dry_chains_close(hit_dry_chains *chains);
hit_dry_blocks hit_dry_chains_sum(const hit_dry_chains *chains);
/** How often each kind of block came. */
void hit_dry_chains_print_times(const hit_dry_chains *chains);

/* dry_count.c: launches run as ever, on devices that count, with messages to nobody;
 * those of processes that are not here one process after the other. Blocks over processes
 * do not run. */

enum {
    HIT_DRY_PEERS = 64 /**< processes that are not here and run all */
};

/** {0}: each launch is planned alone, as if devices held nothing. */
typedef struct hit_dry_count {
    bool runs;
    struct hit_tile_peers *peers; /**< all that run here; NULL: there is one */
} hit_dry_count;

/** What launches did that ran. */
typedef struct hit_dry_counted {
    uint64_t superblocks;
    uint64_t bytes_in;
    uint64_t bytes_out;
    uint64_t messages;
    uint64_t empty;
    uint64_t message_bytes;
    uint64_t chained;
} hit_dry_counted;

/** Let launches run, if none of their devices' shares follow times, of which there are
 * none, and processes that are not here are few, and alike.
 * @collective yes @owner the caller: hit_dry_count_close() */
void hit_dry_count_open(hit_context *context, hit_dry_count *count);
void hit_dry_count_close(hit_dry_count *count);
/** Let all processes carry a launch out; what runs @p in_block over processes changes
 * only what they hold. @errors those of the launch */
hit_status hit_dry_count_run(const hit_dry_count *count, hit_call *call, bool in_block);
/** What all launches of all processes did; false: they do not run. @collective yes */
bool hit_dry_count_all(const hit_dry_count *count, const hit_context *context,
                       hit_dry_counted *all);

/* dry_pieces.c: how long launches of a chain take that go through the memory of a
 * device in pieces: their stream runs on a simulated device. */

/** The time of the launches that @p p->plan has, of a block of @p count, on process
 * @p rank. Records have the numbers of their classes in @p seen.
 * What fills a rim takes no time; tiles of a piece save none. @errors HIT_E_NOMEM */
hit_status hit_dry_pieces_time(hit_chain_pieces *p, int count, int rank,
                               const hit_seen *seen, hit_forecast *time);

/* memory.c */

/** What the processes of a dry run take. */
typedef struct hit_dry_memory {
    hit_footprint_bytes most; /**< of the host's memory, on one process */
    uint64_t beside_bytes;    /**< what a process has without tiles and launches */
    int processes;
    int on_node;          /**< of them; 0: it is not known */
    bool moves;           /**< some device has a memory of its own */
    uint64_t limit_bytes; /**< of each of these; 0: they are unlike, or have none */
} hit_dry_memory;

/** Of the launches and tiles so far. */
hit_dry_memory hit_dry_memory_find(const hit_context *context, uint64_t beside_bytes);
/** @param device_bytes  what a launch needs at most of the memory of one device */
void hit_dry_memory_print(FILE *out, const hit_seen *seen, uint64_t device_bytes,
                          const hit_dry_memory *memory);
/** The memory of device number @p d, where all processes that have it have as much; 0:
 * they do not, or work in place. */
uint64_t hit_dry_device_limit(const hit_context *context, int d);
/** The largest memory of a device; 0: all work in place. */
uint64_t hit_dry_device_most(const hit_context *context);

/* totals.c */

/** A dry run: the execution of its context. */
typedef struct hit_dry {
    hit_dry_rates rates; /* of the last new place; not known on silent processes */
    hit_dry_style style;
    bool measures;         /* what is not known */
    uint64_t beside_bytes; /* of this process, before there are tiles */
    hit_seen *seen;
    hit_dry_looked looked;
    hit_dry_count count;
    hit_sent less;          /* than the launches send where nothing is held */
    hit_dry_chains *chains; /* NULL: there are none */
    hit_dry_clocks clocks;
    hit_forecast votes; /* on plans of launches of new kinds */
} hit_dry;

/** What all launches so far would have done, on all processes together.
 * @collective yes */
hit_stats hit_dry_sum(const hit_context *context);
/** Print that, with the memory that it takes, the time of all narrow launches, and how
 * often each class of launches came. */
void hit_dry_print_totals(const hit_dry *dry, const hit_stats *all, hit_forecast narrow,
                          const hit_dry_memory *memory);

#endif
