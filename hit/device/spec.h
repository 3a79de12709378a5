/* SPDX-License-Identifier: MIT
 * What is asked of a device, and that as text. */
#ifndef HIT_DEVICE_SPEC_H
#define HIT_DEVICE_SPEC_H

#include "hit/device/slow.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hit_device_ops;

/** What HIT_DEVICES or the options of hit_open() ask for: "host:cores=0-3",
 * "cuda:0:memory=512MiB", "host:staged:memory=16MiB:threads=2". */
typedef struct hit_device_spec {
    const struct hit_device_ops *kind;
    int index;      /**< which one of its kind, such as a GPU */
    int first_core; /**< of the cores this process may use; -1: all of them */
    int last_core;  /**< inclusive */
    int threads;    /**< 0: one per core */
    bool staged;    /**< behave as a device with its own memory */
    bool joins;     /**< it belongs to the same process as the one before it */
    int share;      /**< of its process's indices, beside those of the other devices of
                         the process; 0: 1 */
    bool follows;   /**< the shares of its process's devices follow measured times */
    size_t memory_bytes;     /**< limit on the device's memory; 0: what is there */
    hit_slow_spec slow;      /**< for tests: the device that wraps it */
    char own[64];            /**< fields of its kind alone, joined by ":" */
    struct hit_trace *trace; /**< borrowed: where to record; NULL: nothing is recorded */
    const struct hit_clock *clock; /**< borrowed: of slow devices; NULL: the system's */
} hit_device_spec;

/** Parse a list such as HIT_DEVICES: what processes take in turn is separated by ";", the
 * devices of one process by "+". @p more has the kinds beside those of the library, and
 * ends with NULL; NULL: there are none.
 * @errors HIT_E_ARG says which device and what was expected; more than @p capacity */
HIT_API hit_status hit_device_parse(const char *text,
                                    const struct hit_device_ops *const more[],
                                    int capacity, hit_device_spec spec[], int *count);
/** Limit the memory of the device, as "memory=" does. */
void hit_device_limit_memory(hit_device_spec *spec, size_t size_bytes);
/** Write a spec in the form that hit_device_parse() reads. */
HIT_API void hit_device_print(const hit_device_spec *spec, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
