/* SPDX-License-Identifier: MIT
 * Dependency logs stay short: what is over goes, and where that is too little, boxes
 * become one that waits for more. */
#include "hit/data/fence_impl.h"

#include <string.h>

/* What is over goes: else each new box would be compared with all that ever were. */
static void sweep(hit_fence *fence)
{
    for (int k = fence->count - 1; k >= 0; k--) {
        if (hit_fence_is_over(fence, hit_fence_at(fence, k))) {
            hit_fence_take_out(fence, k);
        }
    }
    fence->sweeps = 2 * fence->count < HIT_FENCE_MANY ? HIT_FENCE_MANY : 2 * fence->count;
}

bool hit_fence_is_full(hit_fence *fence)
{
    if (fence != NULL && fence->count >= HIT_FENCE_MOST / 2) sweep(fence);
    return fence != NULL && fence->count >= HIT_FENCE_MOST / 2;
}

/* Too many boxes: those of a piece become one, which has the events of all. */
static void merge(hit_fence *fence)
{
    for (int k = 0; k < fence->count; k++) {
        hit_fence_entry *e = hit_fence_at(fence, k);
        hit_domain cover = e->box;

        for (int m = fence->count - 1; m > k; m--) {
            hit_fence_entry *other = hit_fence_at(fence, m);

            if (other->piece != e->piece) continue;
            cover = hit_domain_cover(&cover, &other->box);
            for (int s = 0; s < 2 * fence->sources; s++) {
                if (other->event[s] > e->event[s]) e->event[s] = other->event[s];
            }
            hit_loose_move(&fence->pool, &other->writers, &e->writers);
            hit_loose_move(&fence->pool, &other->readers, &e->readers);
            hit_fence_take_out(fence, m);
        }
        hit_table_drop(&fence->by_box, k);
        e->box = cover;
        hit_fence_note_box(fence, k);
    }
}

void hit_fence_shorten(hit_fence *fence)
{
    if (fence->count >= fence->sweeps) sweep(fence);
    if (fence->count >= HIT_FENCE_MOST) merge(fence);
}

void hit_fence_clear(hit_fence *fence)
{
    while (fence->count > 0) {
        hit_fence_take_out(fence, fence->count - 1);
    }
    memset(fence->all, 0, 2 * (size_t)fence->sources * sizeof(uint64_t));
    fence->folded = false;
}

void hit_fence_fold(hit_fence *fence, int source, uint64_t event)
{
    for (int k = fence->count - 1; k >= 0; k--) {
        hit_fence_entry *e = hit_fence_at(fence, k);
        bool alone = e->writers.first < 0 && e->readers.first < 0 &&
                     e->event[source] > 0 && e->event[source] <= event;

        for (int s = 0; s < 2 * fence->sources && alone; s++) {
            alone = s == source || e->event[s] <= fence->over[s % fence->sources];
        }
        if (!alone) continue;
        if (e->event[source] > fence->all[source]) {
            fence->all[source] = e->event[source];
        }
        fence->folded = true;
        hit_fence_take_out(fence, k);
    }
}
