/* SPDX-License-Identifier: MIT
 * Internal: the one place where state lives. Every folder may keep a pointer to its own
 * part here; hit/context.c makes and destroys them. There are no mutable globals in the
 * library, but for the text of a failure and the machine's cores (decisions 0001, 0044).
 */
#ifndef HIT_BASE_CONTEXT_H
#define HIT_BASE_CONTEXT_H

#include "hit/base/clock.h"
#include "hit/base/status.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/types.h>

struct hit_box_costs;
struct hit_checkpoint;
struct hit_comm;
struct hit_crew;
struct hit_device;
struct hit_disk;
struct hit_layout_spec;
struct hit_launcher;
struct hit_registry;
struct hit_executor;
struct hit_footprint;
struct hit_nodes;
struct hit_virtual_machine;
struct hit_spare;
struct hit_stations;
struct hit_trace;

enum {
    HIT_MAX_DEVICES = 64, /* of one process */
    HIT_GROUP_NAME = 64   /* bytes */
};

struct hit_context {
    pthread_t thread; /**< that opened it ... */
    int bound;        /**< 1: no other may launch, or call MPI. 0: a context for trials */
    pid_t process;    /**< in which it was opened; another is a child that was forked */
    int rank;
    int size;
    struct hit_comm *comm;      /**< hit/comm */
    char group[HIT_GROUP_NAME]; /**< its name, for files; empty: it is no group */
    int splits;                 /**< calls of hit_open_group() over it */
    int devices;                /**< of this process, at least 1 */
    struct hit_device *device[HIT_MAX_DEVICES]; /**< hit/device */
    /** hit/device: of the processes that a dry run plans for; NULL: they have the same as
     * this one, or are there */
    struct hit_nodes *nodes;
    char processor[256];   /**< name of the host's, for keys of models */
    struct hit_crew *crew; /**< hit/device: their threads; NULL: there is one device */
    struct hit_disk *disk; /**< hit/data: large tiles lie there; NULL: in memory, all */
    /** hit/scheduled: the machine of "simulated:", read once; NULL: devices are real */
    struct hit_virtual_machine *simulated;
    int shares_follow; /**< 1: by measured times; 0: as their shares are given */
    struct hit_registry *layouts;    /**< of the program; may be NULL, as these: */
    struct hit_registry *formats;    /**< hit/io/formats.c */
    struct hit_registry *schedulers; /**< hit/sched/registry.c */
    struct hit_registry *kernels;    /**< hit/launch/catalogue.c */
    /** layouts/search/search.c: find the options of a layout by measuring, for hit/tile
     * below; NULL: cannot. @collective yes @owner *options is the caller's: free() */
    hit_status (*search)(hit_context *context, const struct hit_layout_spec *spec,
                         char **options);
    const struct hit_executor *executor; /**< hit/launch: how launches are carried out */
    void *execution;                     /**< the executor's state, or NULL */
    struct hit_stations *stations; /**< hit/tile: the devices as launches use them */
    /** Of all that is measured and decides; tests replace it. */
    hit_clock clock;
    struct hit_launcher *launcher;     /**< hit/launch: caches */
    struct hit_checkpoint *checkpoint; /**< hit/checkpoint; NULL: none are asked for */
    struct hit_box_costs *costs; /**< hit/device: they are measured; NULL: they are not */
    struct hit_trace *trace;     /**< hit/base: events are recorded; NULL: not */
    FILE *out; /**< of the program, for what the library prints; NULL: see below */
    struct hit_footprint *footprint; /**< hit/tile: of a dry run; NULL: of none */
    struct hit_spare *spare;         /**< borrowed: memory of tiles; NULL: the system's */
    uint64_t host_bytes; /**< tiles, temporary pieces, messages of launches, tables */
    uint64_t host_peak_bytes;
    uint64_t tiles_made; /**< hit/launch: numbers tiles, equal on all processes */
    int layouts_alive;   /**< of the program and of its tiles */
    int closed; /**< 1: only kept because layouts are alive; the last of them frees it */
};

/** Is this the thread that opened the context? @errors HIT_E_ARG it is not */
static inline hit_status hit_context_check_thread(const hit_context *context)
{
    if (!context->bound || pthread_equal(context->thread, pthread_self())) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "expected a call by the thread that opened the context but "
                    "found another thread: each needs a context of its own");
}
/** Where the library prints what a variable of the environment asks for, and nothing
 * else: plans, profiles, what is measured. */
static inline FILE *hit_context_reports(const hit_context *context)
{
    return context->out != NULL ? context->out : stdout;
}
/** The same for how far something is, and for failures that no call can return. */
static inline FILE *hit_context_notes(const hit_context *context)
{
    return context->out != NULL ? context->out : stderr;
}

/** The context holds so many bytes of the host's memory more, or less. */
static inline void hit_context_holds(hit_context *context, int64_t bytes)
{
    context->host_bytes += (uint64_t)bytes;
}
/** What it holds now is no step between two states. */
static inline void hit_context_note_held(hit_context *context)
{
    if (context->host_bytes <= context->host_peak_bytes) return;
    context->host_peak_bytes = context->host_bytes;
}

/** Of a layout that goes: what hit_close() had to leave goes with the last one. */
static inline void hit_context_drop(hit_context *context)
{
    if (context == NULL) return;
    context->layouts_alive--;
    if (context->layouts_alive == 0 && context->closed) free(context);
}

#endif
