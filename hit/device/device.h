/* SPDX-License-Identifier: MIT
 * Devices: a group of host cores, in place or staged (own memory of limited size), or a
 * GPU. One table of functions each; adding a device is one file and one line in table.c.
 */
#ifndef HIT_DEVICE_DEVICE_H
#define HIT_DEVICE_DEVICE_H

#include "hit/data/ndcopy.h"
#include "hit/model/link.h"
#include "patterns/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hit_device hit_device;

/** What HIT_DEVICES or the options of hit_open() ask for: "host:cores=0-3",
 * "cuda:0:memory=512MiB", "host:staged:memory=16MiB:threads=2". */
typedef struct hit_device_spec {
    char kind[16];
    int index;      /**< which GPU */
    int first_core; /**< of the cores this process may use; -1: all of them */
    int last_core;  /**< inclusive */
    int threads;    /**< 0: one per core */
    int slow;       /**< host: kernels take so many times as long, to try what a slow
                         device does; 0 and 1: no */
    int slow_from;  /**< ... from this run of a kernel on, counted from 0 */
    int cliff;      /**< host: and so many times again on tiles of more than cliff_from
                         elements, as on a device that begins to page; 0: no */
    bool staged;    /**< host: behave as a device with its own memory */
    bool joins;     /**< it belongs to the same process as the one before it */
    int share;      /**< of its process's indices, beside those of the other devices of
                         the process; 0: 1 */
    bool follows;   /**< the shares of its process's devices follow measured times */
    hit_index cliff_from;
    size_t memory_bytes;     /**< limit on the device's memory; 0: what is there */
    struct hit_trace *trace; /**< borrowed: where to record; NULL: nothing is recorded */
    const struct hit_clock *clock; /**< borrowed: of slow devices; NULL: the system's */
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

enum {
    HIT_MAX_JOBS = 64
};

/** A run of a whole-box kernel that has nothing to do with the others it is asked for
 * with. */
typedef struct hit_job {
    const hit_kernel *kernel;
    const hit_run *run;
    double cost; /**< beside the others, in any unit */
} hit_job;

/** A kind of devices. State is what open made. Operations are carried out lane by lane;
 * they may return before they are done, wait() returns after. Calls come from one thread
 * at a time. Errors: HIT_E_DEVICE, HIT_E_NOMEM. */
typedef struct hit_device_ops {
    const char *kind;
    /** May run() return before the kernel has run? Then copies that block the caller are
     * asked for while it runs, else before. */
    bool async;
    /** @errors HIT_E_ABSENT: not built in, or no such device on this machine, with the
     * reason */
    hit_status (*open)(const hit_device_spec *spec, void **state);
    void (*close)(void *state);
    /** How many devices of this kind are there; 0, and *why, when none. */
    int (*count)(const char **why);
    /** One line: "2 cores, 2 threads", "NVIDIA H200, 139 GiB". Up to the first comma it
     * is the hardware alone, whatever was asked of it. */
    void (*describe)(const void *state, char *text, size_t size);
    /** Does a kernel work on the tiles' own memory? Then those from memory_bytes
     * to after are not called. */
    bool (*in_place)(const void *state);
    /** Memory that may be used by default, in bytes. */
    size_t (*memory_bytes)(const void *state);
    hit_status (*allocate)(void *state, size_t size_bytes, void **memory);
    void (*release)(void *state, void *memory);
    /** Let copies read and write the host's memory without a detour, and end that; NULL:
     * there is none. What fails changes speed only. */
    void (*pin)(void *state, void *memory, size_t size_bytes);
    void (*unpin)(void *state, void *memory);
    /** Copy the elements @p domain from one view to another. */
    hit_status (*copy)(void *state, hit_lane lane, hit_way way, const hit_view *from,
                       const hit_view *to, const hit_domain *domain);
    /** A number for all that @p lane has been asked to do so far. */
    uint64_t (*mark)(void *state, hit_lane lane);
    /** What @p lane is asked from now on is done after what @p mark of lane @p of stands
     * for. */
    hit_status (*after)(void *state, hit_lane lane, hit_lane of, uint64_t mark);
    /** Run a kernel; slots point into the device's memory (values: host memory, read
     * before the call returns). Reductions are accumulated onto what the slots hold: the
     * launcher puts the identity there first. @p need gives for each reduction argument
     * the box it touches. In HIT_LANE_RUN. */
    hit_status (*run)(void *state, const hit_kernel *kernel, const hit_run *run,
                      const hit_domain need[]);
    /** At most HIT_MAX_JOBS runs of kernels whose whole_box is 2, in any order, side by
     * side where that is faster. NULL: run() is asked for each, at once. */
    hit_status (*run_many)(void *state, int count, const hit_job job[]);
    /** Wait for all lanes. */
    hit_status (*wait)(void *state);
    int (*threads)(const void *state);
    /** From now on choose by these how strided copies cross (hit_link_packs()). NULL:
     * there is one way only. */
    void (*set_links)(void *state, const hit_links *links);
} hit_device_ops;

/** The kinds that come with the library (hit/device/table.c). */
extern const hit_device_ops *const hit_device_table[];
extern const int hit_device_table_count;
extern const hit_device_ops hit_device_host;
extern const hit_device_ops hit_device_cuda; /**< cuda.c, or cuda_absent.c */

/** An open device, with the accounting of its memory. */
struct hit_device {
    const hit_device_ops *ops;
    hit_device_spec spec;
    void *state;
    size_t limit_bytes; /**< SIZE_MAX in place */
    size_t used_bytes;  /**< allocated now */
    size_t peak_bytes;  /**< the most that was ever allocated: never above limit_bytes */
    char *arena; /**< one of the allocations: what is streamed lies in it; it grows */
    size_t arena_bytes;
};

/** Parse a list such as HIT_DEVICES: what processes take in turn is separated by ";", the
 * devices of one process by "+".
 * @errors HIT_E_ARG says which device and what was expected; more than @p capacity */
hit_status hit_device_parse(const char *text, int capacity, hit_device_spec spec[],
                            int *count);
/** Write a spec in the form that hit_device_parse() reads. */
void hit_device_print(const hit_device_spec *spec, char *text, size_t size);
/** One line on the devices of a process, joined by " + ". Never more than @p size bytes.
 */
void hit_device_describe_all(int count, hit_device *const device[], char *text,
                             size_t size);
/** What was asked for, what is there, and the processor: "host:slow=2, 1 core, 1 thread,
 * AMD EPYC 7763". The same text whenever the devices of a process are the same. */
void hit_device_identity(int count, hit_device *const device[], char *text, size_t size);
/** The same of its copies: "host:staged, 2 cores, AMD EPYC 7763", whatever its memory and
 * threads. */
void hit_device_link_identity(const hit_device *device, char *text, size_t size);
/** The name of the host's processor. */
void hit_device_processor(char *text, size_t size);
hit_status hit_device_open(const hit_device_spec *spec, hit_device **device);
void hit_device_close(hit_device **device);
/** Allocate memory of the device. @errors HIT_E_LIMIT: all together would be above the
 * limit; HIT_E_NOMEM: the device has less than that */
hit_status hit_device_take(hit_device *device, size_t size_bytes, void **memory);
void hit_device_give(hit_device *device, void *memory, size_t size_bytes);
/** Make the arena at least @p size_bytes; its content may be lost. @errors as above, with
 * what was asked for, limit, and held */
hit_status hit_device_reserve(hit_device *device, size_t size_bytes);
/** Ask the device to copy from and to a piece of the host's memory as fast as it can;
 * before it is freed, the same again with unpin. Small pieces stay as they are. */
void hit_device_pin(const hit_device *device, void *memory, size_t size_bytes);
void hit_device_unpin(const hit_device *device, void *memory, size_t size_bytes);
/** The device that pins the host's memory, for all of its kind; NULL: there is none, or
 * they are closed. */
const hit_device *hit_device_that_pins(int count, hit_device *const device[]);
/** Give the arena back. */
void hit_device_release_arena(hit_device *device);

#ifdef __cplusplus
}
#endif

#endif
