/* SPDX-License-Identifier: MIT
 * Links of a process: calibrated once by real copies and messages, stored as models are,
 * and read again. A launch never measures. */
#ifndef HIT_LAUNCH_LINKS_H
#define HIT_LAUNCH_LINKS_H

#include "hit/model/link.h"
#include "hit/model/measure.h"

#ifdef __cplusplus
extern "C" {
#endif

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
HIT_API int hit_links_shapes(hit_link_shape shape[HIT_LINK_SHAPES]);

/** Time one kind of copies, on all processes at the same time, or of messages between
 * process r and process r + P/2. Each is waited for; those to and from the host find it
 * in memory, not in a cache. A process whose device works in place, has no room or no
 * choice of ways, or that has no partner, only waits for the others.
 * @param shape  the same on all processes
 * @units  result->units: bytes; result->reps is 0 where nothing was timed
 * @collective yes
 * @errors HIT_E_ARG this process has several devices; HIT_E_NOMEM, HIT_E_DEVICE,
 * HIT_E_COMM, HIT_E_PEER */
HIT_API hit_status hit_links_measure(hit_context *context, const hit_link_shape *shape,
                                     const hit_measure_options *options,
                                     hit_measure *result);

/** What the store knows of the links of this process; what is not there, or is no model,
 * is not known. Not collective. */
HIT_API void hit_links_load(const hit_context *context, hit_links *links);
/** Let the device choose by what the store knows, if it has a choice. */
HIT_API void hit_links_install(const hit_context *context);

#ifdef __cplusplus
}
#endif

#endif
