/* SPDX-License-Identifier: MIT
 * Internal to the library: how long a launch takes, from its plan and from the models of
 * kernel and links. A pure function; nothing is run, nothing is read. */
#ifndef HIT_COST_PREDICT_H
#define HIT_COST_PREDICT_H

#include "hit/device/device.h"
#include "hit/model/fpm.h"
#include "hit/model/link.h"
#include "hit/plan/plan.h"

/** How fast one device of a process is, and its messages. */
typedef struct hit_rates {
    hit_links links;
    hit_fpm *kernel; /**< of the kernel that is launched; NULL: not known */
    bool async;      /**< see hit_device_ops */
    double cores;    /**< that lanes share, where copies are made by threads; 0: each lane
                        has an engine of its own */
    int threads;     /**< of these, busy while a kernel runs */
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

#endif
