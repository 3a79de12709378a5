/* SPDX-License-Identifier: MIT
 * Where the elements of a tile argument lie, as a running kernel sees them. */
#include "patterns/slot.h"

void hit_slot_set(hit_slot *slot, const hit_view *view, const hit_domain *tile,
                  bool by_index)
{
    const hit_index size = (hit_index)view->size_bytes;
    hit_index shift = 0;
    int dense = 1;

    for (int d = 0; d < view->domain.dims; d++) {
        const hit_sig sig = view->domain.sig[d];
        const hit_index bytes = view->stride_bytes[d];

        /* each launch comes here: most need no division */
        slot->stride[d] = bytes == size ? 1 : bytes / size;
        slot->step[d] = sig.stride;
        if (sig.stride != 1 && by_index && slot->stride[d] % sig.stride == 0) {
            slot->stride[d] /= sig.stride;
            slot->step[d] = 1;
        }
        slot->begin[d] = tile->sig[d].begin;
        slot->end[d] = tile->sig[d].end;
        shift +=
            slot->stride[d] *
            (slot->step[d] == 1 ? sig.begin : hit_index_floor_div(sig.begin, sig.stride));
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
