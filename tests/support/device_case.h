/* SPDX-License-Identifier: MIT
 * Running a kernel on a device without the launcher: tiles in host memory, copies, slots.
 * For tests of devices. */
#ifndef TESTS_SUPPORT_DEVICE_CASE_H
#define TESTS_SUPPORT_DEVICE_CASE_H

#include "hit/device/device.h"
#include "tests/support/random.h"

/** One argument: a tile in host memory, or a value. */
typedef struct case_arg {
    hit_domain need;   /**< what the kernel touches */
    hit_view host;     /**< the tile */
    size_t size_bytes; /**< of the memory behind host.data */
    const void *value; /**< borrowed; not NULL for a value */
} case_arg;

/** A kernel, the indices it runs on, and its arguments. */
typedef struct device_case {
    const hit_kernel *kernel;
    hit_domain box;
    case_arg arg[HIT_MAX_ARGS];
} device_case;

/** Tiles around what @p kernel touches on @p box, filled with random whole numbers from
 * -9 to 9 (0 to 9 in bytes); half of the tiles that may be strided are.
 * @owner the caller: device_case_clear() */
void device_case_make(hit_random *random, const hit_kernel *kernel, const hit_domain *box,
                      const void *value, device_case *made);
/** The same with tiles of its own. */
void device_case_copy(const device_case *from, device_case *to);
void device_case_clear(device_case *one);
/** Let the elements of all tiles lie twice as far apart, with as many others between. */
void device_case_apart(hit_random *random, device_case *one);
/** Fill with fractions instead, where rounding shows the order of a sum. */
void device_case_fractions(hit_random *random, device_case *one);
/** Run it on a device; the tiles then hold the result. */
hit_status device_case_run(hit_device *device, device_case *one);
/** Do all tiles hold the same bits? */
bool device_case_equal(const device_case *a, const device_case *b);

#endif
