/* SPDX-License-Identifier: MIT
 * Internal to hit/check: the annotation that fits what a body does. */
#ifndef HIT_CHECK_INFER_H
#define HIT_CHECK_INFER_H

#include "hit/check/replica.h"

/** What was found out about one argument. */
typedef struct hit_inferred {
    hit_mode mode;
    hit_pattern pattern;
    bool touched;   /**< by any index that was tried */
    bool affine;    /**< the pattern is what is touched; else it holds that */
    bool less;      /**< some indices touch less than the pattern says */
    bool shared;    /**< two indices touch the same element */
    int samples;    /**< indices that were tried */
    char note[200]; /**< why it is not affine, or where less is touched; "" */
} hit_inferred;

/** Try the kernel of @p replica on some indices and fit what it does to tile argument
 * @p k. The copies are the same afterwards. @owner hit_inferred_clear()
 * @errors HIT_E_NOMEM, HIT_E_ABSENT no implementation for the host, and what the kernel
 * returns */
hit_status hit_infer_arg(hit_replica *replica, int k, hit_inferred *inferred);
void hit_inferred_clear(hit_inferred *inferred);
/** The argument as HIT_KERNEL takes it: (in, float, now, "[i-1:i+1]"). */
void hit_infer_print(const hit_replica *replica, int k, const hit_inferred *inferred,
                     char *text, size_t size);
/** Write "; write " and the annotation of argument @p k behind a report; nothing if that
 * cannot be found out. */
void hit_infer_suggest(hit_replica *replica, int k, char *text, size_t size);
/** All arguments of a kernel, as text: what HIT_INFER=1 prints.
 * @owner *text is the caller's: free() */
hit_status hit_infer_kernel(hit_replica *replica, char **text);

#endif
