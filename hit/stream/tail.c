/* SPDX-License-Identifier: MIT
 * One streamed launch behind the other. */
#include "hit/stream/stream.h"

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
    if (as_before(tail, rings, ring)) return;
    for (int u = 0; u < rings; u++) {
        tail->ring[u] = ring[u];
        for (int k = 0; k < HIT_STREAM_BUFFERS; k++) {
            tail->ring[u].run[k] = run;
            tail->ring[u].sent[k] = sent;
        }
    }
    tail->rings = rings;
}
