/* SPDX-License-Identifier: MIT
 * What the launches of a context did. */
#ifndef HIT_LAUNCH_STATS_H
#define HIT_LAUNCH_STATS_H

#include "hit/base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Figures since hit_open(), of this process. */
typedef struct hit_stats {
    uint64_t launches;
    uint64_t superblocks; /**< in place: one per launch and piece of a device */
    /** Plans that were made anew since a device had less memory than its limit said. */
    uint64_t replans;
    uint64_t bytes_in;  /**< host memory to device memory */
    uint64_t bytes_out; /**< device memory to host memory */
    /** By launches. Content that did not change is announced by an empty message. */
    uint64_t messages_sent;
    uint64_t message_bytes_sent;
    uint64_t chained; /**< launches that ran in tiles together with others, or shared
                           messages with them (docs/chain.md) */
    uint64_t indices; /**< of launches, run by this process */
    double busy_s;    /**< seconds spent running them, without waiting for messages; only
                         of what has run: hit_wait() first. Of light launches one in eight
                         is timed, and counts for the others */
    uint64_t device_peak_bytes;  /**< the most that a staged or CUDA device has held */
    uint64_t device_limit_bytes; /**< the largest of them; 0: all work in place */
    uint64_t resident_peak_bytes;
    uint64_t threads; /**< of host devices that work in place: they run kernels */
    /** The most memory of the host that tiles, and temporary pieces and messages of
     * launches have taken; without that of devices, chains, tiles that move, and boxes
     * that are held (docs/message.md). */
    uint64_t host_peak_bytes;
    uint64_t messages_empty; /**< of the messages: they say that nothing changed */
} hit_stats;

HIT_API void hit_context_stats(const hit_context *context, hit_stats *stats);
/** The same over all processes: counts are summed; peaks, limits and times are the
 * largest. In a dry run (docs/dry-run.md): what was planned.
 * @collective yes */
HIT_API hit_status hit_context_stats_all(hit_context *context, hit_stats *total);

#ifdef __cplusplus
}
#endif

#endif
