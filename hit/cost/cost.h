/* SPDX-License-Identifier: MIT
 * Internal to the library: how long launches take. */
#ifndef HIT_COST_COST_H
#define HIT_COST_COST_H

#include "hit/base/context.h"
#include "hit/cost/model_key.h"
#include "hit/device/device.h"
#include "hit/launch/call.h"
#include "hit/model/fpm.h"
#include "hit/model/link.h"
#include "hit/plan/plan.h"
#include "hit/tile/footprint.h"

/* links.c: links of a process: calibrated once by real copies and messages, stored as
 * models are, and read again. A launch never measures. */

struct hit_device;

/** One kind of copies, or messages, to be timed. */
typedef struct hit_link_shape {
    hit_link_name link;
    size_t run_bytes; /**< contiguous at a time; 0: all are */
    size_t bytes;     /**< a multiple of run_bytes */
} hit_link_shape;

enum {
    HIT_LINK_SHAPES = 40 /* more than there are */
};

/** All that can be timed anywhere, their number. */
int hit_links_shapes(hit_link_shape shape[HIT_LINK_SHAPES]);

/** What the store knows of messages of this process, and of copies by @p device, one of
 * its devices; missing or unreadable entries are left unknown. Not collective. */
void hit_links_load(const hit_context *context, const struct hit_device *device,
                    hit_links *links);
/** Let the devices choose by what the store knows, if they have a choice. */
void hit_links_install(const hit_context *context);

/* predict.c: how long a launch takes, from its plan and from the models of kernel and
 * links. A pure function; nothing is run, nothing is read. */

/** How fast one device of a process is, and its messages. */
typedef struct hit_rates {
    hit_links links;
    hit_fpm *kernel; /**< of the kernel that is launched; NULL: not known */
    bool async;      /**< see hit_device_ops */
    double cores;    /**< that lanes share, where copies are made by threads; 0: each lane
                        has an engine of its own */
    int threads;     /**< of these, busy while a kernel runs */
    double kernel_w; /**< of the device while a kernel runs, beyond what it takes at rest;
                        <= 0: not known, or nothing */
} hit_rates;

/** What was needed and is not known. */
typedef enum hit_lack {
    HIT_LACKS_KERNEL = 1,
    HIT_LACKS_COPIES = 2,
    HIT_LACKS_MESSAGES = 4
} hit_lack;

/** A predicted time. Unknown is not zero: with a lack there is no time. */
typedef struct hit_forecast {
    double first_s; /**< on a device that holds nothing yet */
    double again_s; /**< where what stays on the device is there */
    unsigned lacks; /**< hit_lack */
} hit_forecast;

/** Both, one after the other. */
hit_forecast hit_forecast_add(hit_forecast a, hit_forecast b);
/** Both at the same time: the later one. */
hit_forecast hit_forecast_max(hit_forecast a, hit_forecast b);

/** That many indices run in place, in one go. */
hit_forecast hit_predict_in_place(const hit_rates *rates, hit_index units);

/** A box of indices that goes through the memory of a device as @p superblocks says: the
 * moment when the last of three lanes of a simulated device is done
 * (hit/device/device.h). The host's elements are taken to lie as densely as what the box
 * needs of each argument. Results that stay on the device are not counted.
 * @param dims  of the kernel; superblocks->plan has one more where its sum is cut
 * @param arg  @p args of them, with the patterns of superblocks->sum where that is so
 * @paper  [Torres2013] has no model of time */
hit_forecast hit_predict_on_device(const hit_rates *rates, int dims,
                                   const hit_plan_arg arg[], int args,
                                   const hit_superblocks *superblocks);

/** What goes through the memory of a simulated device piece by piece. */
typedef struct hit_predicted {
    hit_index pieces;
    hit_status (*next)(void *caller);  /**< ask for one more */
    hit_status (*flush)(void *caller); /**< ask for what those so far left to do */
    void *caller;
} hit_predicted;

/** A simulated device that is as fast as @p rates say, which are borrowed. */
hit_sim hit_predict_sim(const hit_rates *rates);
/** When the last piece is done on @p sim. Of very many the first are followed. */
hit_forecast hit_predict_pieces(const hit_rates *rates, hit_sim *sim,
                                const hit_predicted *of);
/** The models that are missing of kernel and copies: hit_lack. */
unsigned hit_predict_lacks(const hit_rates *rates);

/** Messages of one process in one direction of one argument: it sends and receives at the
 * same time, each message after the other. */
hit_forecast hit_predict_messages(const hit_rates *rates, int sends, uint64_t bytes_sent,
                                  int receives, uint64_t bytes_received);

/** A collective call of @p processes on @p bytes of numbers, by recursive doubling: a
 * message to another process and one from it, again and again. Nothing where messages are
 * not known. */
hit_forecast hit_predict_vote(const hit_rates *rates, int processes, uint64_t bytes);

/* rates.c: the speeds of a launch in the store, and its time by them. */

/** The models of a call's kernel on @p device, one of this process's, and of its links.
 * Missing or unreadable entries are left unknown. Not collective.
 * @owner the caller: hit_rates_clear() */
void hit_rates_load(const hit_call *call, const hit_known_kernel *known,
                    hit_device *device, hit_rates *rates);
/** @owner the caller: hit_rates_clear() @errors HIT_E_NOMEM */
hit_status hit_rates_copy(const hit_rates *rates, hit_rates *copy);
void hit_rates_clear(hit_rates *rates);
/** Whose model that of the kernel is, if all dimensions are cut: the first that
 * hit_rates_kernel() looks for. @errors HIT_E_PATTERN */
hit_status hit_rates_key(const hit_call *call, const hit_known_kernel *known,
                         hit_device *device, hit_model_key *key);
/** That of the kernel alone; NULL: it is not known.
 * @owner the caller: hit_fpm_destroy() */
hit_fpm *hit_rates_kernel(const hit_call *call, const hit_known_kernel *known,
                          hit_device *device);

/** The time of the indices @p index of one device; @p made is their plan, NULL on a
 * device that works in place. */
hit_forecast hit_rates_predict(const hit_rates *rates, const hit_call *call,
                               const hit_known_kernel *known, const hit_domain *index,
                               const hit_superblocks *made);

/** The extent of all tile dimensions that the call's patterns traverse; 0: they traverse
 * none, or extents differ. */
hit_index hit_rates_extent(const hit_call *call, const hit_known_kernel *known);

/* preview.c: what a launch would do on all of its processes, from the pure plans alone.
 */

/** A figure over all processes. */
typedef struct hit_figure {
    uint64_t sum;
    uint64_t most; /**< on one process */
} hit_figure;

/** Totals over all processes for the devices of one number. */
typedef struct hit_device_preview {
    hit_figure indices;
    uint64_t peak_bytes; /**< of the memory of one of them */
    hit_forecast time;   /**< until the last of them is done, without messages */
    hit_domain sample;   /**< indices that run at a time, on the first process where it
                            has some; else empty */
} hit_device_preview;

typedef struct hit_preview {
    int processes; /**< that have indices */
    hit_figure indices;
    hit_figure messages;      /**< sent; content that did not change, and what is held,
                                 count in full */
    hit_figure message_bytes; /**< sent */
    hit_figure superblocks;   /**< on a device that works in place: boxes of indices */
    hit_figure bytes_in;      /**< to the device's memory */
    hit_figure bytes_out;
    uint64_t buffer_bytes[HIT_FOOTPRINT_MOST]; /**< for messages, on the processes of the
                                                  context's footprint, if it has one */
    uint64_t streams;    /**< processes whose indices do not fit any of their devices */
    uint64_t stays;      /**< those whose do fit some that has a memory */
    uint64_t peak_bytes; /**< of the memory of one device */
    hit_forecast time;   /**< until the last process is done */
    double kernel_j;     /**< of all devices in kernels, beyond what they take at rest */
    int devices;         /**< the most that a process has */
    hit_device_preview device[HIT_MAX_DEVICES];
} hit_preview;

/** A message. */
typedef struct hit_preview_message {
    int arg; /**< of which tile */
    int from;
    int to;
    bool held;   /**< it brings a box that its receiver may hold (hit/comm/exchange.h) */
    bool result; /**< it is sent when the kernel has run */
    bool sent;   /**< this time: its receiver does not hold the box (hit/dry) */
    hit_domain box; /**< where it is held */
    size_t size_bytes;
    hit_forecast time;
} hit_preview_message;

/** What the kernel takes on one process. */
typedef struct hit_preview_turn {
    int rank;
    hit_forecast time;
} hit_preview_turn;

/** What single processes do, as far as somebody asks: {0}: nothing. Of a narrow call, of
 * which at most half of the processes have indices, all messages and turns; of others,
 * messages that can be held. For each two processes in the order of the arguments. */
typedef struct hit_preview_parts {
    bool narrow;
    int count;
    size_t room;
    hit_preview_message *message;
    int turns;
    hit_preview_turn *turn;
} hit_preview_parts;

void hit_preview_parts_clear(hit_preview_parts *parts);

/** Plan a call for every process of its context, and run nothing; times are as @p rates
 * say. The devices of a process run side by side, and it is done when the last of them
 * is. Not collective.
 * @shape rates: of each kind of processes (hit/device/nodes.h) the most devices that a
 * process has. parts: may be NULL; {0} before
 * @owner the caller of *parts, also on failure: hit_preview_parts_clear()
 * @errors as a launch, those of all processes: the first one's */
hit_status hit_preview_make(const hit_call *call, const hit_known_kernel *known,
                            const hit_rates rates[], hit_preview *preview,
                            hit_preview_parts *parts);

#endif
