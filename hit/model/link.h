/* SPDX-License-Identifier: MIT
 * What it costs to move elements: a copy to a device, from it or on it, or a message, as
 * latency + runs * time per run + bytes / bandwidth. A run is a stretch of contiguous
 * bytes. */
#ifndef HIT_MODEL_LINK_H
#define HIT_MODEL_LINK_H

#include "hit/base/status.h"

#include <stdbool.h>
#include <stddef.h>

HIT_C_BEGIN

typedef struct hit_link {
    double latency_s; /**< of each copy or message */
    double run_s;     /**< of each run of contiguous bytes */
    double byte_s;    /**< of each byte: 1 / bandwidth */
    double once_s;    /**< of messages that are under way together, once */
} hit_link;

/** The links of a process. Strided copies to and from a device can be made run by run, or
 * packed: through staging, in one piece. */
typedef enum hit_link_name {
    HIT_LINK_IN,
    HIT_LINK_OUT,
    HIT_LINK_WITHIN,
    HIT_LINK_IN_PACKED,
    HIT_LINK_OUT_PACKED,
    HIT_LINK_MESSAGE,
    HIT_LINK_NAMES
} hit_link_name;

typedef struct hit_links {
    unsigned known; /**< bit 1 << name: this one was measured */
    hit_link link[HIT_LINK_NAMES];
} hit_links;

/** A copy that was timed. */
typedef struct hit_link_sample {
    double runs;
    double bytes;
    double seconds;
} hit_link_sample;

/** "in", "in_packed", "message", ... */
HIT_API const char *hit_link_text(hit_link_name name);

HIT_API double hit_link_time(const hit_link *link, double runs, double bytes);

/** The link whose times are nearest to @p count samples: the least squares of relative
 * errors among those without a negative cost. What the samples cannot tell apart becomes
 * a cost of the first of latency, bytes and runs that explains it.
 * @errors HIT_E_ARG no sample; a time that is not positive and finite */
HIT_API hit_status hit_link_fit(int count, const hit_link_sample sample[],
                                hit_link *link);

/** The one place that decides whether a strided copy is packed: where it is the faster
 * way. Contiguous bytes are not packed.
 * @param links  both ways of @p direct, HIT_LINK_IN or HIT_LINK_OUT, as measured; where
 * one is not known: as if a run cost what 16 bytes cost to be packed */
HIT_API bool hit_link_packs(const hit_links *links, hit_link_name direct, double runs,
                            double bytes);
/** The seconds of a copy by the faster way; NAN where the link is not known. */
HIT_API double hit_links_time(const hit_links *links, hit_link_name name, double runs,
                              double bytes);

HIT_C_END

#endif
