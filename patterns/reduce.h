/* SPDX-License-Identifier: MIT
 * Reductions (modes sum, min, max, reduce): where accumulating starts, how two partial
 * results become one, and which parts of a launch never meet in the same element. */
#ifndef PATTERNS_REDUCE_H
#define PATTERNS_REDUCE_H

#include "hit/data/ndcopy.h"
#include "patterns/kernel.h"

HIT_C_BEGIN

/** How an argument reduces. */
typedef struct hit_reducer {
    hit_mode mode;
    hit_type type;
    const hit_reduction *of; /**< of mode reduce; else NULL */
} hit_reducer;

/** How argument @p arg of @p kernel reduces. */
static inline hit_reducer hit_reducer_of(const hit_kernel *kernel, int arg)
{
    const hit_reducer how = {kernel->arg[arg].mode, kernel->arg[arg].type,
                             kernel->reduction[arg]};

    return how;
}

/** Fill @p count elements at @p data with what changes nothing: 0 for a sum, +inf or the
 * largest integer for min, -inf or the smallest for max, what the type's start makes of
 * 0 bytes for reduce; 0 bytes for out, where of the elements that are combined one was
 * written at most.
 * @errors HIT_E_ARG the mode is no reduction, the type is not a number and has no
 * reduction of its own, or has more than HIT_MAX_REDUCED_BYTES */
hit_status hit_reduce_identity(hit_reducer how, void *data, hit_index count);
/** Combine the elements @p domain of @p from onto those of @p onto; @p domain lies inside
 * both. Integers wrap around; by min and max a NaN of either wins over every number.
 * @errors as hit_reduce_identity() */
hit_status hit_reduce_combine(hit_reducer how, const hit_view *onto, const hit_view *from,
                              const hit_domain *domain);

/** Which index dimensions may not be split between threads that add without a partial
 * result of their own: bit d of *reduced is 0 only if indices that differ in dimension d
 * touch different elements of every reduction argument, whatever the values in its
 * pattern are.
 * @errors HIT_E_PATTERN; HIT_E_NOMEM */
hit_status hit_reduce_dims(const hit_kernel *kernel, unsigned *reduced);

/** The elements @p need, not empty, of a slot as a view of the same memory. */
hit_view hit_reduce_view(const hit_slot *slot, const hit_domain *need, size_t size_bytes);
/** A slot for the same indices over the dense row-major buffer @p data of @p need. */
hit_slot hit_reduce_slot(const hit_slot *slot, const hit_domain *need, size_t size_bytes,
                         void *data);

HIT_C_END

#endif
