/* SPDX-License-Identifier: MIT
 * The interface of kinds of devices: a group of host cores, in place or staged (own
 * memory of limited size), or a GPU. One table of functions each; docs/howto-device.md.
 */
#ifndef HIT_DEVICE_DEVICE_OPS_H
#define HIT_DEVICE_DEVICE_OPS_H

#include "hit/data/ndcopy.h"
#include "hit/model/link.h"
#include "patterns/kernel.h"

/** How much longer; "host:slow=4@100:cliff=4000000*8". All 0: it is not slow.
 */
typedef struct hit_slow_spec {
    int factor; /**< kernels take so many times as long ... */
    int from;   /**< ... from this run of a kernel on, counted from 0 */
    int cliff;  /**< and so many times again on tiles of more than cliff_from elements, as
                     on a device that begins to page */
    hit_index cliff_from;
} hit_slow_spec;

struct hit_device_ops;
struct hit_disk;
struct hit_chain_items;
struct hit_chain_work;

/** What HIT_DEVICES or the options of hit_open() ask for: "host:cores=0-3",
 * "cuda:0:memory=512MiB", "host:staged:memory=16MiB:threads=2". */
typedef struct hit_device_spec {
    const struct hit_device_ops *kind;
    int index;  /**< which one of its kind, such as a GPU */
    int groups; /**< 1 + the hit_cores_level of which each group of cores is a device; 0
                   but while a list is read */
    int first_core; /**< of the cores this process may use; -1: all of them */
    int last_core;  /**< inclusive */
    int threads;    /**< 0: one per core */
    bool staged;    /**< behave as a device with its own memory */
    bool joins;     /**< it belongs to the same process as the one before it */
    int share;      /**< of its process's indices, beside those of the other devices of
                         the process; 0: 1 */
    bool spare;     /**< share=0: it takes only what no other device of the process can */
    bool follows;   /**< the shares of its process's devices follow measured times */
    size_t memory_bytes;     /**< limit on the device's memory; 0: what is there */
    hit_slow_spec slow;      /**< for tests */
    char own[64];            /**< fields of its kind alone, joined by ":" */
    struct hit_trace *trace; /**< borrowed: where to record; NULL: nothing is recorded */
    const struct hit_clock *clock; /**< borrowed: of slow devices; NULL: the system's */
    struct hit_disk *disk; /**< borrowed: where tiles may lie; NULL: in memory, all */
} hit_device_spec;

/** What a device does side by side: each lane carries its operations out in the order of
 * the calls, and knows nothing of the others but what after() says. */
typedef enum hit_lane {
    HIT_LANE_RUN, /**< kernels; copies too */
    HIT_LANE_IN,  /**< copies only */
    HIT_LANE_OUT,
    HIT_LANES
} hit_lane;

/** Where a copy goes: to the device, from it, or from one place on it to another. */
typedef enum hit_way {
    HIT_WAY_IN,
    HIT_WAY_OUT,
    HIT_WAY_WITHIN
} hit_way;

/** What a worker of a device does: thread 1 to threads - 1; the caller counts as thread
 * 0. */
typedef void hit_work(void *of, int thread, int threads);

/** Memory of its own that a kind of devices has. State is what open made. Operations are
 * carried out lane by lane; they may return before they are done, hit_device_ops.wait
 * returns after. Calls come from one thread at a time. Errors: HIT_E_DEVICE,
 * HIT_E_NOMEM. */
typedef struct hit_memory_ops {
    /** Memory that may be used by default, in bytes. */
    size_t (*memory_bytes)(const void *state);
    hit_status (*allocate)(void *state, size_t size_bytes, void **memory);
    void (*release)(void *state, void *memory);
    /** Let copies read and write the host's memory without a detour, and end that; both
     * NULL: there is none. What fails changes speed only. */
    void (*pin)(void *state, void *memory, size_t size_bytes);
    void (*unpin)(void *state, void *memory);
    /** Is it memory of such a device, which the host cannot read? NULL: the host reads
     * all. */
    bool (*owns)(void *state, const void *memory);
    /** Copy the elements @p domain from one view to another. */
    hit_status (*copy)(void *state, hit_lane lane, hit_way way, const hit_view *from,
                       const hit_view *to, const hit_domain *domain);
    /** A number for all that @p lane has been asked to do so far. */
    uint64_t (*mark)(void *state, hit_lane lane);
    /** Is all over that @p lane was asked to do up to @p mark? Does not wait. NULL: only
     * wait() knows. @errors of that work, which is over then */
    hit_status (*reached)(void *state, hit_lane lane, uint64_t mark, bool *over);
    /** Operations submitted to @p lane from now on wait for @p mark of lane @p of. */
    hit_status (*after)(void *state, hit_lane lane, hit_lane of, uint64_t mark);
    /** Use these link models to choose between strided and packed copies
     * (hit_link_packs()). NULL: there is one way only. */
    void (*set_links)(void *state, const hit_links *links);
} hit_memory_ops;

/** How a kind of devices runs kernels; lanes, calls and errors as for memory. */
typedef struct hit_processor_ops {
    /** May run() return before the kernel has run? Then copies that block the caller are
     * asked for while it runs, else before. */
    bool async;
    /** Run a kernel; slots point into the device's memory (values: host memory, read
     * before the call returns). There are kernel->args of them: nothing behind these is
     * to be read or copied. Reductions are accumulated onto what the slots hold: the
     * launcher puts the identity there first. @p need gives for each reduction argument
     * the box it touches. In HIT_LANE_RUN. */
    hit_status (*run)(void *state, const hit_kernel *kernel, const hit_run *run,
                      const hit_domain need[]);
    /** Run some items of a chain of element kernels without reductions, in the tiles that
     * it is cut into (hit/chain/chain.h). NULL: run() is asked for each launch. */
    hit_status (*run_chain)(void *state, const struct hit_chain_work *work,
                            const struct hit_chain_items *items);
    /** What a core has of the cache that it shares with no other core, or with few, in
     * bytes; 0: not known. NULL as run_chain. */
    size_t (*cache_bytes)(const void *state);
    /** Run a kernel on the calling thread alone, beside others that do the same; of a
     * kernel that does not reduce. NULL: it cannot, and start() is not called. */
    hit_status (*run_alone)(void *state, const hit_kernel *kernel, const hit_run *run);
    /** Call @p work once on each thread of the device but the caller's, and return at
     * once. What run() or start() does next waits until all have returned, stop() too. */
    void (*start)(void *state, hit_work *work, void *of);
    void (*stop)(void *state);
    int (*threads)(const void *state);
    /** The function of @p kernel that run() calls; NULL: it cannot run this kernel. */
    hit_kernel_function (*function)(const hit_kernel *kernel);
} hit_processor_ops;

/** A kind of devices. */
typedef struct hit_device_ops {
    const char *kind;
    const hit_memory_ops *memory;       /**< NULL: it works on the tiles' own memory */
    const hit_processor_ops *processor; /**< NULL: it runs no kernels */
    /** Do devices of this kind have a number, as in "cuda:1"? */
    bool numbered;
    /** Are all devices of this kind used where none are listed? Without any such device
     * the host's cores are. */
    bool preferred;
    /** Do its kernels and copies run on cores of this process? Its devices that do divide
     * them, and can be given cores= and threads=. */
    bool uses_cores;
    /** Check a field of a spec that the library does not know, such as "path=/scratch";
     * open() finds it in hit_device_spec.own. NULL: there are none.
     * @errors HIT_E_ARG says what was expected */
    hit_status (*check_field)(const char *field);
    /** @errors HIT_E_ABSENT: not built in, or no such device on this machine, with the
     * reason */
    hit_status (*open)(const hit_device_spec *spec, void **state);
    void (*close)(void *state);
    /** How many devices of this kind are there; 0, and *why, when none. */
    int (*count)(const char **why);
    /** One line: "2 cores, 2 threads", "NVIDIA H200, 139 GiB". Up to the first comma it
     * is the hardware alone, whatever was asked of it; behind a semicolon is what has
     * happened, on which no model of it depends. */
    void (*describe)(const void *state, char *text, size_t size);
    /** For kinds whose devices have memory of their own or not, depending on the spec:
     * does this one work on the tiles' own memory? Then its memory operations are not
     * called. NULL: it does if memory is NULL. */
    bool (*in_place)(const void *state);
    /** But for chains that it shares with devices that have a memory: do its memory
     * operations, but memory_bytes(), work for a device in place, too? They have no lanes
     * of their own then: all is done when they return. */
    bool lends;
    /** Wait for all lanes. NULL: operations are done when they return. */
    hit_status (*wait)(void *state);
    /** The energy that the device has used since some moment, in J, and a name that it
     * has for no other device of the host: processes that share it read it once. False:
     * it has no meter. NULL: none of the kind has. */
    bool (*meter)(void *state, char name[32], double *joules);
} hit_device_ops;

#endif
