/* SPDX-License-Identifier: MIT
 * Whose model it is: keys of the store for what is measured on this process's device. */
#ifndef HIT_COST_MODEL_KEY_H
#define HIT_COST_MODEL_KEY_H

#include "hit/data/domain.h"
#include "hit/model/link.h"
#include "hit/model/store.h"
#include "patterns/kernel.h"

struct hit_device;

HIT_C_BEGIN

/** What a model of speed is about. */
typedef struct hit_subject {
    const hit_kernel *kernel;
    hit_domain whole; /**< the indices of the launch */
    hit_index extent; /**< of tile dimensions that are traversed; 0: that of the dimension
                         of the same number of @p whole */
    hit_index piece;  /**< > 0: long parts are measured by pieces */
    struct hit_device *device; /**< that runs it beside the others; NULL: all of the
                                  process together */
} hit_subject;

/** The model of @p subject on devices of this process. The indices of subject->whole in a
 * dimension that is not @p cut are all in every part; the key depends on their number,
 * and on the devices, on how many processes share the host, and on the build.
 * @shape cut: one per dimension of the kernel; NULL: all are
 * @errors HIT_E_PATTERN */
HIT_API hit_status hit_model_key_make(const hit_context *context,
                                      const hit_subject *subject, const bool cut[],
                                      hit_model_key *key);

/** The same of a key that has devices and build already. @errors HIT_E_PATTERN */
HIT_API hit_status hit_model_key_subject(const hit_subject *subject, const bool cut[],
                                         hit_model_key *key);

/** Key of a link model: of copies by @p device (memory limit and kernels excluded) with
 * so many processes on the host; or of messages by the MPI library.
 * @param device  borrowed during the call; NULL for messages
 * @param run_bytes  of the copies that were timed; 0: contiguous ones */
HIT_API void hit_model_key_of_link(const hit_context *context,
                                   const struct hit_device *device, hit_link_name link,
                                   size_t run_bytes, hit_model_key *key);

/** The device and build of keys for what all devices of this process do together; the
 * kernel is left empty. */
HIT_API void hit_model_key_of_devices(const hit_context *context, hit_model_key *key);

HIT_C_END

#endif
