/* SPDX-License-Identifier: MIT
 * Internal: open devices, and the accounting of their memory. */
#ifndef HIT_DEVICE_DEVICE_H
#define HIT_DEVICE_DEVICE_H

#include "hit/base/context.h"
#include "hit/base/trace.h"
#include "hit/device/device_ops.h"
#include "hit/model/fpm.h"

/* slow.c: emulated slowness: the kernels of a device take longer, to try what a slow
 * device does. */

HIT_C_BEGIN

struct hit_device;

/** What a slow device has beside its own state. */
typedef struct hit_slow {
    hit_processor_ops processor; /**< that of its kind, but each run takes its own time */
    int runs;
    bool owes;     /**< runs return at once, ... */
    double owed_s; /**< ... and these are the rests of their times */
} hit_slow;

/** Let an open device be as slow as its spec says. Only for a device whose kernels have
 * run when run() returns. @owner device->slow: free() @errors HIT_E_NOMEM; then the
 * device is as it was */
hit_status hit_slow_wrap(struct hit_device *device);
/** Run a kernel, or items of a chain, on a slow device. @errors those of its run() */
hit_status hit_slow_run(const struct hit_device *device, const hit_kernel *kernel,
                        const hit_run *run, const hit_domain need[]);
hit_status hit_slow_run_chain(const struct hit_device *device,
                              const struct hit_chain_work *work,
                              const struct hit_chain_items *items);
/** From here on kernels of a slow device return at once, and the rests of their times are
 * owed until hit_slow_pay(): a sleep between each two of them would leave the core cold.
 * Nothing happens on a device that is not slow. */
void hit_slow_owe(const struct hit_device *device);
/** Seconds that are owed. */
double hit_slow_owed(const struct hit_device *device);
/** Wait for them. */
void hit_slow_pay(const struct hit_device *device);

HIT_C_END

/* spec.c: device specs as text. */

HIT_C_BEGIN

/** Parse a list such as HIT_DEVICES: what processes take in turn is separated by ";", the
 * devices of one process by "+". @p more has the kinds beside those of the library, and
 * ends with NULL; NULL: there are none.
 * @errors HIT_E_ARG says which device and what was expected; more than @p capacity */
hit_status hit_device_parse(const char *text, const struct hit_device_ops *const more[],
                            int capacity, hit_device_spec spec[], int *count);
/** Limit the memory of the device, as "memory=" does. */
void hit_device_limit_memory(hit_device_spec *spec, size_t size_bytes);
/** Write a spec in the form that hit_device_parse() reads. */
void hit_device_print(const hit_device_spec *spec, char *text, size_t size);

HIT_C_END

/* table.c: the kinds of devices that come with the library. */

/** Kind number @p k: those that come with the library, then those of @p more, which ends
 * with NULL; NULL: there are no more. */
const hit_device_ops *hit_device_kind(int k, const hit_device_ops *const more[]);
/** For `hit info`, which names the CUDA runtime; cuda.c, or cuda_absent.c. */
extern const hit_device_ops hit_device_cuda;

HIT_C_BEGIN

typedef struct hit_device hit_device;

enum {
    HIT_MAX_SOURCES =
        HIT_MAX_DEVICES * HIT_LANES + 2 /* of events: all lanes of a process,
                                         its tasks and its chains */
};

/** An open device, with the accounting of its memory. */
struct hit_device {
    const hit_device_ops *ops;
    const hit_memory_ops *memory;       /**< NULL: it works on the tiles' own memory */
    const hit_processor_ops *processor; /**< NULL: it runs no kernels */
    hit_slow *slow;                     /**< NULL: it is as fast as it can be */
    hit_processor_ops *counting;        /**< of a dry run, or NULL */
    bool counts;                        /**< then: it does nothing else (count.c) */
    hit_device_spec spec;
    void *state;
    int threads;        /**< that its kernels run on; 1: it runs none */
    size_t limit_bytes; /**< SIZE_MAX in place */
    size_t used_bytes;  /**< allocated now */
    size_t peak_bytes;  /**< the most that was ever allocated: never above limit_bytes */
    char *arena; /**< one of the allocations: what is streamed lies in it; it grows */
    size_t arena_bytes;
};

/** How many of the devices of a process share its indices: not those that take only what
 * no other one can. */
static inline int hit_device_sharing(int count, hit_device *const device[])
{
    int sharing = 0;

    for (int d = 0; d < count; d++) {
        sharing += !device[d]->spec.spare;
    }
    return sharing > 0 ? sharing : count;
}

/** Do all that share the indices work on the tiles' own memory? */
bool hit_devices_in_place(int count, hit_device *const device[]);
/** Let *made be the open device @p in_place as one with a memory of its own, which is as
 * large as the host's: its arena is to be released before the device is closed. False:
 * its kind lends none. @owner of the rest: @p in_place */
bool hit_device_with_memory(const hit_device *in_place, hit_device *made);

/* count.c: devices of dry runs. */

/** Memory of which only the size is there. */
extern const hit_memory_ops hit_device_counting;
/** From now on an open device has memory of which only the size is there, if it has its
 * own, and runs nothing. @errors HIT_E_NOMEM */
hit_status hit_device_count(hit_device *device);
/** Switch such a device from counting to work, which measurements of it need, or back.
 * Its arena is released. A device that does not count stays as it is. */
void hit_device_set_counting(hit_device *device, bool counts);
/** The same of several. */
void hit_devices_set_counting(int count, hit_device *const device[], bool counts);

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

/** The lane of a trace in which a copy stands, whatever lane of the device made it. */
static inline hit_trace_lane hit_way_trace(hit_way way)
{
    return way == HIT_WAY_IN    ? HIT_TRACE_IN
           : way == HIT_WAY_OUT ? HIT_TRACE_OUT
                                : HIT_TRACE_WITHIN;
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

/** Is all over that a lane was asked to do up to @p mark? Waits where the device can say
 * no other way. */
static inline hit_status hit_device_reached(const hit_device *device, hit_lane lane,
                                            uint64_t mark, bool *over)
{
    *over = true;
    if (device->memory->reached == NULL) return hit_device_wait(device);
    return device->memory->reached(device->state, lane, mark, over);
}

/** Are there two ways for strided copies, of which link models choose one? Of a device
 * that only counts: would there be, if it copied? */
static inline bool hit_device_packs(const hit_device *device)
{
    return device->memory != NULL && device->ops->memory->set_links != NULL;
}

/** Only for a device that packs. */
static inline void hit_device_set_links(const hit_device *device, const hit_links *links)
{
    device->ops->memory->set_links(device->state, links);
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
    if (device->slow != NULL && !device->counts) {
        return hit_slow_run(device, kernel, run, need);
    }
    return device->processor->run(device->state, kernel, run, need);
}

/** Only for a device that runs chains. */
static inline hit_status hit_device_run_chain(const hit_device *device,
                                              const struct hit_chain_work *work,
                                              const struct hit_chain_items *items)
{
    if (device->slow != NULL && !device->counts) {
        return hit_slow_run_chain(device, work, items);
    }
    return device->processor->run_chain(device->state, work, items);
}

/** One line on the devices of a process, joined by " + ". Never more than @p size bytes.
 */
void hit_device_describe_all(int count, hit_device *const device[], char *text,
                             size_t size);
hit_status hit_device_open(const hit_device_spec *spec, hit_device **out);
void hit_device_close(hit_device **out);
/** Allocate memory of the device. @errors HIT_E_LIMIT: all together would be above the
 * limit; HIT_E_NOMEM: the device has less than that */
hit_status hit_device_take(hit_device *device, size_t size_bytes, void **memory);
void hit_device_give(hit_device *device, void *memory, size_t size_bytes);
/** Make the arena at least @p size_bytes; its content may be lost. @errors as above, with
 * what was asked for, limit, and held */
hit_status hit_device_reserve(hit_device *device, size_t size_bytes);
/** Ask the device to copy from and to a piece of the host's memory as fast as it can;
 * before it is freed, the same again with unpin. Small pieces stay as they are. Accept
 * NULL: no device. */
void hit_device_pin(const hit_device *device, void *memory, size_t size_bytes);
void hit_device_unpin(const hit_device *device, void *memory, size_t size_bytes);
/** Can only devices of its kind read that memory? */
bool hit_device_owns(const hit_device *device, const void *memory);
/** Copy from one place of the host's memory to another: by the threads of a device that
 * lends them (hit_device_ops.lends) and runs no kernel meanwhile, where there is one;
 * else by the caller. hit_disk_told() returns a failure. */
void hit_device_copy_on_host(const hit_context *context, const hit_view *from,
                             const hit_view *to, const hit_domain *domain);
/** The device that pins the host's memory, for all of its kind; NULL: there is none, or
 * they are closed. */
const hit_device *hit_device_that_pins(const hit_context *context);
/** Give the arena back. */
void hit_device_release_arena(hit_device *device);

HIT_C_END

/* identity.c: devices as keys of models. */

/** What was asked for, and what is there: "host:slow=2, 1 core, 1 thread". The same text
 * whenever the devices of a process are the same. */
void hit_device_identity(int count, hit_device *const device[], char *text, size_t size);
/** The same of its copies: "host:staged, 2 cores", whatever its memory and threads. */
void hit_device_link_identity(const hit_device *device, char *text, size_t size);
/** The name of the host's processor, "AMD EPYC 7763", which the system is asked for. */
void hit_device_processor(char *text, size_t size);

/* crew.c: the threads of a process that has several devices: each device is worked with
 * by a thread of its own, which is kept; the first device by the caller. */

typedef struct hit_crew hit_crew;

/** What is to be done with device number @p device. */
typedef hit_status hit_crew_function(void *argument, int device);

/** Start a thread for each of @p count >= 2 devices but the first. Where a device has
 * named cores, its thread is bound to the first of them.
 * @errors HIT_E_NOMEM; HIT_E_DEVICE a thread cannot be started */
hit_status hit_crew_create(int count, hit_device *const device[], hit_crew **crew);
/** Accepts NULL in *crew; sets it to NULL. */
void hit_crew_destroy(hit_crew **crew);
/** Call @p function for all devices at once, and return when all are done. If some fail:
 * the failure of the one with the lowest number, with its text. */
hit_status hit_crew_run(hit_crew *crew, hit_crew_function *function, void *argument);
/** Call @p function once for each device but the first, and return at once:
 * hit_crew_stop() waits. What is asked for next stops first. */
void hit_crew_start(hit_crew *crew, hit_work *function, void *of);
void hit_crew_stop(hit_crew *crew);

/* sim.c: a simulated device: its operations take the time that models say, and do nothing
 * else. Each lane has a clock: an operation begins when it is asked for, when its lane is
 * free, and when what it waits for is over. So what runs on it is a discrete-event
 * simulation of what would run on a device. */

/** The state of a simulated device. The caller sets the first group of members, and the
 * others to 0. An unknown time is NAN, and so is everything that waits for it. */
typedef struct hit_sim {
    const hit_links *links;
    const hit_fpm *kernel; /**< speed in indices per second */
    hit_index sum;         /**< extent of the kernel's sum; boxes may do a part of it */
    int threads;           /**< busy while a kernel runs */
    bool async; /**< as hit_processor_ops.async; else the lane of kernels is the caller */

    hit_processor_ops processor;
    double lane_s[HIT_LANES]; /**< when each lane is free */
    double caller_s;          /**< when the process is that asks */
    double busy_s;            /**< of all cores that run kernels and copies, together */
    size_t used_bytes;
} hit_sim;

/** Let @p device be the simulated one: its operations and its state. */
void hit_sim_open(hit_sim *sim, hit_device *device);
/** Run a kernel on @p units indices, @p share of their sum. */
void hit_sim_run(hit_sim *sim, double units, double share);
/** When all lanes are done. */
double hit_sim_end(const hit_sim *sim);

#endif
