/* SPDX-License-Identifier: MIT
 * Where the elements of a tile argument lie, as a running kernel sees them. */
#include "patterns/slot.h"

/* How many elements of @p size bytes lie in a multiple of it. A division takes as long as
 * all else that is done for a dimension, and most sizes are powers of two. */
static hit_index elements_in(hit_index bytes, hit_index size)
{
    return (size & (size - 1)) == 0 ? bytes >> __builtin_ctzll((uint64_t)size)
                                    : bytes / size;
}

void hit_slot_set(hit_slot *slot, const hit_view *view, const hit_domain *tile,
                  bool by_index)
{
    const hit_index size = (hit_index)view->size_bytes;
    hit_index shift = 0;
    int dense = 1;

    for (int d = 0; d < view->domain.dims; d++) {
        const hit_sig sig = view->domain.sig[d];
        hit_index first = sig.begin;

        slot->stride[d] = elements_in(view->stride_bytes[d], size);
        slot->step[d] = sig.stride;
        if (by_index && sig.stride > 1 && slot->stride[d] % sig.stride == 0) {
            slot->stride[d] /= sig.stride;
            slot->step[d] = 1;
        }
        slot->begin[d] = tile->sig[d].begin;
        slot->end[d] = tile->sig[d].end;
        if (slot->step[d] > 1) first = hit_index_floor_div(sig.begin, slot->step[d]);
        shift += first * slot->stride[d];
        dense &= slot->step[d] == 1;
    }
    for (int d = view->domain.dims; d < HIT_MAX_DIMS; d++) {
        slot->stride[d] = 0; /* kernels with more indices ask for it */
    }
    if (view->domain.dims > 0) dense &= slot->stride[view->domain.dims - 1] == 1;
    slot->dense = dense;
    /* through an integer: the shifted pointer may lie outside the buffer */
    slot->base = (void *)((uintptr_t)view->data - (uintptr_t)(shift * size));
}
