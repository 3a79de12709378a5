/* SPDX-License-Identifier: MIT
 * Internal: kernels that were launched, with their patterns. */
#ifndef HIT_LAUNCH_KERNELS_H
#define HIT_LAUNCH_KERNELS_H

#include "patterns/bounds.h"
#include "patterns/kernel.h"

/** A kernel's patterns, parsed at its first launch. The program may put another kernel in
 * the place of one that it launched, or other texts into its buffers. */
typedef struct hit_known_kernel {
    hit_kernel *kernel; /**< a copy, with texts of its own */
    hit_kernel given;   /**< what the program gave, with its pointers */
    hit_kernel_arg given_arg[HIT_MAX_ARGS];
    hit_pattern pattern[HIT_MAX_ARGS]; /**< of the tile arguments */
    hit_bounds bounds[HIT_MAX_ARGS];   /**< of these */
    unsigned values;                   /**< the other arguments, a bit each */
    bool regular;                      /**< all of them are */
    bool shifts; /**< when the indices move, what they touch moves as a whole */
    bool point[HIT_MAX_ARGS]; /**< of one expression by which each index that is followed
                                 touches other elements than the others */
    hit_index touches[HIT_MAX_ARGS]; /**< elements, by each index; 0: it depends on the
                                        tile or on the index */
    uint64_t touches_together;       /**< their sum; 0 where one is 0 */
    const char *column;              /**< the argument over whose columns each index walks
                                        ("[:, j]"); NULL: there is none */
    uint64_t number;                 /**< of the kernel among those of a context */
    uint64_t hash;                   /**< hit_known_kernel_hash() */
    uint64_t last_used;              /**< the number of the launch */
    void *prepared;                  /**< by kernel->prepare; NULL: nothing */
} hit_known_kernel;

/** Check a kernel, copy it, parse its patterns, and prepare it if it is @p prepared.
 * @owner *known: hit_known_kernel_destroy()
 * @errors HIT_E_PATTERN; HIT_E_ARG a kernel that is put together wrongly; HIT_E_NOMEM;
 * those of kernel->prepare */
hit_status hit_known_kernel_create(const hit_kernel *kernel, bool prepared,
                                   hit_known_kernel **known);
void hit_known_kernel_destroy(hit_known_kernel *known);
/** Of the name and the patterns: equal kernels have the same. */
uint64_t hit_known_kernel_hash(const hit_kernel *kernel);
/** Is @p kernel the one that is known, with the same patterns? */
bool hit_known_kernel_is(const hit_known_kernel *known, const hit_kernel *kernel);

#endif
