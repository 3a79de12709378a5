/* SPDX-License-Identifier: MIT
 * Internal: kernels compared and called. */
#ifndef PATTERNS_KERNEL_IMPL_H
#define PATTERNS_KERNEL_IMPL_H

#include "hit/data/domain.h"
#include "patterns/kernel.h"

#include <stddef.h>
#include <string.h>

/** Copy a run of @p args arguments: only that part of it, since the table of slots is
 * long. */
static inline void hit_run_copy(hit_run *to, const hit_run *from, int args)
{
    memcpy(to, from, offsetof(hit_run, slot));
    memcpy(to->slot, from->slot, (size_t)args * sizeof(hit_slot));
}

/** Let a run be on the indices @p box; it is dense if they are. */
static inline void hit_run_set_box(hit_run *run, const hit_domain *box)
{
    run->dense = 1;
    for (int d = 0; d < box->dims; d++) {
        run->begin[d] = box->sig[d].begin;
        run->end[d] = box->sig[d].end;
        run->stride[d] = box->sig[d].stride;
        run->dense &= box->sig[d].stride == 1;
    }
}

/** The number of indices of a run along dimension @p d. */
static inline hit_index hit_run_extent(const hit_run *run, int d)
{
    if (run->end[d] < run->begin[d]) return 0;
    return (run->end[d] - run->begin[d]) / run->stride[d] + 1;
}

/** All indices of a run of @p dims dimensions. */
static inline double hit_run_indices(const hit_run *run, int dims)
{
    double count = 1;

    for (int d = 0; d < dims; d++) {
        count *= (double)hit_run_extent(run, d);
    }
    return count;
}

/** Has a run of @p dims dimensions no index? */
static inline bool hit_run_is_empty(const hit_run *run, int dims)
{
    for (int d = 0; d < dims; d++) {
        if (run->end[d] < run->begin[d]) return true;
    }
    return false;
}

/** Is an argument of the kernel a reduction? */
static inline bool hit_kernel_reduces(const hit_kernel *kernel)
{
    for (int a = 0; a < kernel->args; a++) {
        if (hit_mode_reduces(kernel->arg[a].mode)) return true;
    }
    return false;
}

/** Have both the same functions and texts? */
bool hit_kernel_same(const hit_kernel *a, const hit_kernel *b);

/** Call @p function, one of the kernel's. A failure has a text afterwards: that of the
 * function, or one that says that it gave none. */
hit_status hit_kernel_call(const hit_kernel *kernel, hit_kernel_function function,
                           const hit_run *run);

/** Call kernel->prepare, if there is one. Failures as above. @owner *prepared: free() */
hit_status hit_kernel_prepare(const hit_kernel *kernel, void **prepared);

/** Call kernel->own_threads->enter, which must be there. Failures as above. */
hit_status hit_kernel_enter(const hit_kernel *kernel, const hit_group *group);

#endif
