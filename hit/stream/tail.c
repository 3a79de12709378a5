/* SPDX-License-Identifier: MIT
 * One streamed launch behind the other. */
#include "hit/stream/tail.h"

#include <string.h>

void hit_arrivals_add(hit_arrivals *arrivals, const void *memory, const hit_domain *box,
                      uint64_t mark)
{
    const int slot = (int)(arrivals->added++ % HIT_ARRIVALS);

    arrivals->older = arrivals->slot[slot].mark;
    arrivals->slot[slot].memory = memory;
    arrivals->slot[slot].box = *box;
    arrivals->slot[slot].mark = mark;
}

uint64_t hit_arrivals_find(const hit_arrivals *arrivals, const void *memory,
                           const hit_domain *box)
{
    const uint64_t kept = arrivals->added < HIT_ARRIVALS ? arrivals->added : HIT_ARRIVALS;

    for (uint64_t back = 1; back <= kept; back++) {
        const int slot = (int)((arrivals->added - back) % HIT_ARRIVALS);
        hit_domain common;

        if (arrivals->slot[slot].memory != memory) continue;
        common = hit_domain_intersect(&arrivals->slot[slot].box, box);
        if (!hit_domain_is_empty(&common)) return arrivals->slot[slot].mark;
    }
    return arrivals->added > HIT_ARRIVALS ? arrivals->older : 0;
}

static bool as_before(const hit_tail *tail, int rings, const hit_ring ring[])
{
    if (tail->rings != rings) return false;
    for (int u = 0; u < rings; u++) {
        const hit_ring *old = &tail->ring[u];

        if (old->buffers != ring[u].buffers || old->each_bytes != ring[u].each_bytes ||
            old->data != ring[u].data) {
            return false;
        }
    }
    return true;
}

void hit_tail_go_on(hit_tail *tail, int rings, const hit_ring ring[], uint64_t run,
                    uint64_t sent)
{
    const bool same = as_before(tail, rings, ring);

    for (int u = 0; u < rings; u++) {
        if (same) continue;
        tail->ring[u] = ring[u];
        for (int k = 0; k < HIT_STREAM_BUFFERS; k++) {
            tail->ring[u].run[k] = run;
            tail->ring[u].sent[k] = sent;
        }
    }
    tail->rings = rings;
}
