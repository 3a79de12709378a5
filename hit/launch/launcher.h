/* SPDX-License-Identifier: MIT
 * Internal to hit/launch: the state of the launcher, and the plan of a launch on this
 * process. */
#ifndef HIT_LAUNCH_LAUNCHER_H
#define HIT_LAUNCH_LAUNCHER_H

#include "hit/comm/exchange.h"
#include "hit/device/device.h"
#include "hit/launch/launch.h"
#include "hit/launch/superblocks.h"
#include "hit/launch/tail.h"
#include "hit/launch/tile_impl.h"

/** A kernel's patterns, parsed at its first launch. */
typedef struct hit_known_kernel {
    const hit_kernel *kernel;
    hit_pattern pattern[HIT_MAX_ARGS]; /**< of the tile arguments */
} hit_known_kernel;

/** A device of the process, what launches left on it, and what they did. One thread at a
 * time works with it. */
typedef struct hit_station {
    hit_device *device;
    bool in_place;
    hit_residents residents; /**< with the bytes that launches moved */
    bool in_flight;          /**< it may still be at work for launches that returned */
    bool streams;  /**< in flight, and with copies from or to the host's memory */
    hit_tail tail; /**< of streamed launches */
    double run_s;  /**< of the last launch on several devices */
    uint64_t superblocks;
    uint64_t replans;
} hit_station;

/** How one tile argument is used by a launch plan. The arrays have one entry per piece of
 * the process's indices. */
typedef struct hit_use {
    int arg; /**< its number among the kernel's arguments */
    hit_mode mode;
    const hit_pattern *pattern; /**< the known kernel's */
    hit_domain tile;
    hit_domain *need;
    int *piece; /**< the tile's piece that holds the need; -1: a temporary buffer does */
    size_t *offset_bytes; /**< of the temporary buffer, in the scratch memory */
    bool retained; /**< what is gathered stays in the tile's memory, on all processes
                      alike */
    bool
        follows; /**< every need lies around the owned elements, on all processes alike */
    hit_exchange *gather;       /**< NULL: nothing to get or give before the run */
    size_t gather_offset_bytes; /**< of its buffer, in the scratch memory */
    hit_exchange *give_back;    /**< NULL: nothing afterwards */
    size_t return_offset_bytes;
    int homes;
    hit_home *home;  /**< per device: of temporary pieces */
    hit_view *user;  /**< refreshed at every launch */
    hit_view *owner; /**< one per piece of the tile */
} hit_use;

/** What a part of a launch needs of one tile argument. */
typedef struct hit_claim {
    hit_domain need; /**< of that of the piece */
    hit_domain box;  /**< what stays on the device: the need, or a little more */
    bool loads;      /**< must the need be on the device before the run? */
    bool partial;    /**< it is added up in a buffer of its own, since another device adds
                        to the same elements */
    size_t offset_bytes;  /**< of that buffer, in the scratch memory */
    hit_view own;         /**< that buffer; refreshed at every launch */
    const hit_view *host; /**< where the elements are: it, or what the piece uses */
} hit_claim;

/** What one device does of one piece of the process's indices. */
typedef struct hit_part {
    int piece;
    int device;
    hit_domain index;
    hit_superblocks superblocks; /**< for a device with its own memory */
    bool rims;                   /**< there is room on the device for the claims' boxes */
    bool replanned;              /**< the device had less memory than its limit */
    hit_claim *claim;            /**< one per use */
} hit_part;

/** What a launch does on this process; found again under its key. */
typedef struct hit_launch_plan {
    const hit_known_kernel *known;
    hit_domain domain;
    uint64_t key; /**< hash of the layout that splits, and of the shapes of all tiles */
    uint64_t last_used;
    int pieces;
    hit_domain *index;
    uint64_t indices;       /**< in all pieces */
    uint64_t touched_bytes; /**< by them, in all tiles together */
    int uses;
    hit_use use[HIT_MAX_ARGS];
    bool reduces;
    bool waits;    /**< the launch may return before it runs, to run beside others */
    bool overlaps; /**< messages are under way while the inner part of the indices runs */
    bool stays;    /**< every result may stay on the device, and nothing of the launch is
                      in memory that the next one takes */
    hit_domain inner;
    hit_region border;
    int parts; /**< in the order of the pieces, and of the devices in each */
    hit_part *part;
    hit_claim *claim; /**< of all parts */
    bool shared;      /**< a device other than the first has a part */
    int cut_dim;      /**< along which devices share the indices; -1: they do not */
    struct hit_shares *shares; /**< they follow measured times; NULL: they stay */
    bool partials;             /**< some claim is partial */
    size_t scratch_bytes;
    uint64_t met[8]; /**< numbers of tiles it has run on: their memory has grown */
    int next_met;
} hit_launch_plan;

typedef struct hit_launcher {
    int kernels;
    hit_known_kernel **kernel;
    int plans;
    hit_launch_plan
        *plan[256]; /**< all processes forget the least recently used one alike */
    int stations;   /**< one per device of the process */
    hit_station *station;
    uint64_t launches;
    uint64_t messages_sent;
    uint64_t message_bytes_sent;
    uint64_t indices; /**< run by this process */
    double busy_s;    /**< spent running them, without waiting for messages */
    const struct hit_clock *clock; /**< borrowed: the context's */
    struct hit_verify
        *verify;             /**< HIT_CHECK and the like; NULL before the first launch */
    struct hit_queue *queue; /**< launches that returned before they ran; or NULL */
    hit_status failed;       /**< after a launch returned, and nobody was told yet: */
    char failed_text[1024];
    char *scratch; /**< temporary pieces and message buffers of the launch under way */
    size_t scratch_bytes;
} hit_launcher;

/** A launch as the program asked for it. */
typedef struct hit_call {
    hit_context *context;
    hit_layout *layout; /**< the split, or NULL */
    const hit_kernel *kernel;
    hit_domain domain;
    int count;
    const hit_arg *args;
} hit_call;

/** The context's launcher, made at first use. @collective yes */
hit_status hit_launcher_get(hit_context *context, hit_launcher **launcher);
void hit_launcher_destroy(struct hit_launcher **launcher);
/** Scratch memory of at least @p size_bytes. @errors HIT_E_NOMEM */
hit_status hit_launcher_reserve(hit_launcher *launcher, size_t size_bytes);
/** The patterns of @p kernel. @errors HIT_E_PATTERN; HIT_E_ARG a kernel that is put
 * together wrongly */
hit_status hit_launcher_know(hit_launcher *launcher, const hit_kernel *kernel,
                             const hit_known_kernel **known);

/** Is the call well formed? Cheap: done at every launch. */
hit_status hit_call_check(const hit_call *call);

/** Floating-point operations of @p indices of its indices; 0: the kernel does not say. */
uint64_t hit_call_operations(const hit_call *call, uint64_t indices);

/** Check a call's devices and patterns, and choose how its indices are split. Pure.
 * @errors HIT_E_ABSENT, HIT_E_PATTERN, HIT_E_ARG */
hit_status hit_launch_plan_split(const hit_call *call, const hit_known_kernel *known,
                                 hit_split *split);
/** Make the plan of a call. Not collective; exchanges are ready, nothing has run. */
hit_status hit_launch_plan_make(const hit_call *call, const hit_known_kernel *known,
                                hit_launch_plan **plan);
void hit_launch_plan_destroy(hit_launch_plan **plan);
/** Scratch memory for the plan: the offset of @p size_bytes. */
size_t hit_launch_plan_take(hit_launch_plan *plan, size_t size_bytes);

/** What the devices do: needs plan->index and plan->use. @errors HIT_E_NOMEM, and those
 * of hit_superblocks_plan(); clear also then */
hit_status hit_parts_plan(hit_launch_plan *plan, const hit_call *call);
/** The same by other shares along plan->cut_dim; not of a plan that reduces.
 * @errors also as hit_cut_again(); the plan is then as it was */
hit_status hit_parts_cut(hit_launch_plan *plan, const hit_call *call,
                         const hit_index share[]);
void hit_parts_clear(hit_launch_plan *plan);

/** Plan the superblocks of the indices @p index of one device, of which they may use @p
 * limit_bytes. Pure; what *made held is given back.
 * @errors HIT_E_LIMIT, HIT_E_PATTERN: see hit_plan_make() */
hit_status hit_superblocks_plan(const hit_call *call, const hit_known_kernel *known,
                                const hit_device *device, const hit_domain *index,
                                size_t limit_bytes, hit_superblocks *made);

/** What fails where nobody can be told is told once, by the next call that can. */
void hit_launcher_keep_failure(hit_launcher *launcher, hit_status status);
hit_status hit_launcher_tell_failure(hit_launcher *launcher);

/** Wait for all lanes of a device. */
hit_status hit_station_wait(hit_station *station);

/** Run what waits, and wait for what launches left to the devices. Whoever looks at the
 * host's memory of a tile, or changes it, comes here first. @errors those of that work,
 * which are told only once */
hit_status hit_settle(hit_context *context);
/** The same before the memory of @p storage is replaced; what a kernel that waited
 * returns is kept for the next who asks. @errors those of the devices */
hit_status hit_storage_settle(hit_storage *storage);

/** Carry a plan out on the call's tiles and values. */
hit_status hit_launch_run(const hit_call *call, hit_launch_plan *plan);

#endif
