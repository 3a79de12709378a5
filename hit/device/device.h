/* SPDX-License-Identifier: MIT
 * Devices: a group of host cores, in place or staged (own memory of limited size), or a
 * GPU. One table of functions each; adding a device is one file and one line in table.c.
 */
#ifndef HIT_DEVICE_DEVICE_H
#define HIT_DEVICE_DEVICE_H

#include "hit/base/context.h"
#include "hit/data/ndcopy.h"
#include "hit/device/spec.h"
#include "hit/model/link.h"
#include "patterns/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hit_device hit_device;

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
    HIT_MAX_JOBS = 64,
    HIT_MAX_SOURCES = HIT_MAX_DEVICES * HIT_LANES + 1 /* of events: all lanes of a
                                                         process, and deferred launches */
};

/** A run of a whole-box kernel that has nothing to do with the others it is asked for
 * with. */
typedef struct hit_job {
    const hit_kernel *kernel;
    const hit_run *run;
    double cost; /**< beside the others, in any unit */
} hit_job;

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
    /** Copy the elements @p domain from one view to another. */
    hit_status (*copy)(void *state, hit_lane lane, hit_way way, const hit_view *from,
                       const hit_view *to, const hit_domain *domain);
    /** A number for all that @p lane has been asked to do so far. */
    uint64_t (*mark)(void *state, hit_lane lane);
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
     * before the call returns). Reductions are accumulated onto what the slots hold: the
     * launcher puts the identity there first. @p need gives for each reduction argument
     * the box it touches. In HIT_LANE_RUN. */
    hit_status (*run)(void *state, const hit_kernel *kernel, const hit_run *run,
                      const hit_domain need[]);
    /** At most HIT_MAX_JOBS runs of kernels whose whole_box is 2, in any order, side by
     * side where that is faster. NULL: run() is asked for each, at once. */
    hit_status (*run_many)(void *state, int count, const hit_job job[]);
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
     * is the hardware alone, whatever was asked of it. */
    void (*describe)(const void *state, char *text, size_t size);
    /** For kinds whose devices have memory of their own or not, depending on the spec:
     * does this one work on the tiles' own memory? Then its memory operations are not
     * called. NULL: it does if memory is NULL. */
    bool (*in_place)(const void *state);
    /** Wait for all lanes. NULL: operations are done when they return. */
    hit_status (*wait)(void *state);
} hit_device_ops;

/** Kind number @p k: those that come with the library, then those of @p more, which ends
 * with NULL; NULL: there are no more (hit/device/table.c). */
HIT_API const hit_device_ops *hit_device_kind(int k, const hit_device_ops *const more[]);
/** For `hit info`, which names the CUDA runtime; cuda.c, or cuda_absent.c. */
extern const hit_device_ops hit_device_cuda;

/** An open device, with the accounting of its memory. */
struct hit_device {
    const hit_device_ops *ops;
    const hit_memory_ops *memory;       /**< NULL: it works on the tiles' own memory */
    const hit_processor_ops *processor; /**< NULL: it runs no kernels */
    hit_device_spec spec;
    void *state;
    size_t limit_bytes; /**< SIZE_MAX in place */
    size_t used_bytes;  /**< allocated now */
    size_t peak_bytes;  /**< the most that was ever allocated: never above limit_bytes */
    char *arena; /**< one of the allocations: what is streamed lies in it; it grows */
    size_t arena_bytes;
};

/* ---- the operations of an open device ---- */

static inline bool hit_device_in_place(const hit_device *device)
{
    return device->memory == NULL;
}

static inline void hit_device_describe(const hit_device *device, char *text, size_t size)
{
    device->ops->describe(device->state, text, size);
}

static inline hit_status hit_device_wait(const hit_device *device)
{
    return device->ops->wait == NULL ? HIT_OK : device->ops->wait(device->state);
}

static inline hit_status hit_device_copy(const hit_device *device, hit_lane lane,
                                         hit_way way, const hit_view *from,
                                         const hit_view *to, const hit_domain *domain)
{
    return device->memory->copy(device->state, lane, way, from, to, domain);
}

static inline uint64_t hit_device_mark(const hit_device *device, hit_lane lane)
{
    return device->memory->mark(device->state, lane);
}

static inline hit_status hit_device_after(const hit_device *device, hit_lane lane,
                                          hit_lane of, uint64_t mark)
{
    return device->memory->after(device->state, lane, of, mark);
}

/** Does it pin the host's memory? */
static inline bool hit_device_pins(const hit_device *device)
{
    return device->memory != NULL && device->memory->pin != NULL;
}

/** Are there two ways for strided copies, of which link models choose one? */
static inline bool hit_device_packs(const hit_device *device)
{
    return device->memory != NULL && device->memory->set_links != NULL;
}

/** Only for a device that packs. */
static inline void hit_device_set_links(const hit_device *device, const hit_links *links)
{
    device->memory->set_links(device->state, links);
}

static inline bool hit_device_async(const hit_device *device)
{
    return device->processor != NULL && device->processor->async;
}

/** The function of @p kernel that the device runs; NULL: it cannot run this kernel. */
static inline hit_kernel_function hit_device_function(const hit_device *device,
                                                      const hit_kernel *kernel)
{
    return device->processor == NULL ? NULL : device->processor->function(kernel);
}

static inline hit_status hit_device_run(const hit_device *device,
                                        const hit_kernel *kernel, const hit_run *run,
                                        const hit_domain need[])
{
    return device->processor->run(device->state, kernel, run, need);
}

static inline int hit_device_threads(const hit_device *device)
{
    return device->processor == NULL ? 1 : device->processor->threads(device->state);
}

/** One line on the devices of a process, joined by " + ". Never more than @p size bytes.
 */
HIT_API void hit_device_describe_all(int count, hit_device *const device[], char *text,
                                     size_t size);
/** What was asked for, what is there, and the processor: "host:slow=2, 1 core, 1 thread,
 * AMD EPYC 7763". The same text whenever the devices of a process are the same. */
HIT_API void hit_device_identity(int count, hit_device *const device[], char *text,
                                 size_t size);
/** The same of its copies: "host:staged, 2 cores, AMD EPYC 7763", whatever its memory and
 * threads. */
HIT_API void hit_device_link_identity(const hit_device *device, char *text, size_t size);
/** The name of the host's processor. */
HIT_API void hit_device_processor(char *text, size_t size);
HIT_API hit_status hit_device_open(const hit_device_spec *spec, hit_device **device);
HIT_API void hit_device_close(hit_device **device);
/** Allocate memory of the device. @errors HIT_E_LIMIT: all together would be above the
 * limit; HIT_E_NOMEM: the device has less than that */
HIT_API hit_status hit_device_take(hit_device *device, size_t size_bytes, void **memory);
HIT_API void hit_device_give(hit_device *device, void *memory, size_t size_bytes);
/** Make the arena at least @p size_bytes; its content may be lost. @errors as above, with
 * what was asked for, limit, and held */
HIT_API hit_status hit_device_reserve(hit_device *device, size_t size_bytes);
/** Ask the device to copy from and to a piece of the host's memory as fast as it can;
 * before it is freed, the same again with unpin. Small pieces stay as they are. */
void hit_device_pin(const hit_device *device, void *memory, size_t size_bytes);
void hit_device_unpin(const hit_device *device, void *memory, size_t size_bytes);
/** The device that pins the host's memory, for all of its kind; NULL: there is none, or
 * they are closed. */
const hit_device *hit_device_that_pins(int count, hit_device *const device[]);
/** Give the arena back. */
HIT_API void hit_device_release_arena(hit_device *device);

#ifdef __cplusplus
}
#endif

#endif
