/* SPDX-License-Identifier: MIT
 * Each of the other devices is worked with by a thread of the crew, in a context of its
 * own. */
#define _POSIX_C_SOURCE 200809L /* sched_yield */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/measure/measure_impl.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct rival {
    hit_rig rig;
    bool idle;
    hit_status status;
    char text[1024]; /* of the status, from the thread that failed */
} rival;

struct hit_contention {
    hit_crew *crew; /* of the process, which has one thread more than there are rivals */
    hit_trial trial;
    atomic_int begun;
    atomic_bool over;
    int count;
    rival rival[];
};

static bool does_not_fit(hit_status status)
{
    return status == HIT_E_LIMIT || status == HIT_E_NOMEM;
}

static hit_status open_rival(hit_context *context, hit_contention *of, hit_device *device,
                             const hit_domain *part)
{
    rival *one = &of->rival[of->count++];

    one->rig = (hit_rig){.trial = &of->trial, .part = part};
    one->status = hit_rig_open(context, device, &one->rig);
    one->idle = does_not_fit(one->status);
    if (one->idle) one->status = HIT_OK;
    return one->status;
}

hit_status hit_contention_open(hit_context *context, const hit_trial *trial,
                               const hit_domain *part, hit_contention **contention)
{
    const int sharing = hit_device_sharing(context->devices, context->device);
    hit_contention *made = NULL;

    *contention = NULL;
    if (trial->device == NULL || sharing < 2 || hit_domain_is_empty(part)) {
        return HIT_OK;
    }
    HIT_TRY(hit_memory_zeroed(
        1, sizeof(*made) + (size_t)(context->devices - 1) * sizeof(rival), &made));
    *contention = made;
    made->crew = context->crew;
    made->trial = *trial;
    made->trial.spare = NULL; /* it is for one thread */
    for (int d = 0; d < context->devices; d++) {
        if (context->device[d] == trial->device || context->device[d]->spec.spare) {
            continue;
        }
        HIT_TRY(open_rival(context, made, context->device[d], part));
    }
    return HIT_OK;
}

void hit_contention_close(hit_contention **contention)
{
    hit_contention *old = *contention;

    if (old == NULL) return;
    for (int k = 0; k < old->count; k++) {
        hit_rig_close(&old->rival[k].rig);
    }
    free(old);
    *contention = NULL;
}

static void compete(void *of, int thread, int threads)
{
    hit_contention *contention = of;
    rival *one = &contention->rival[thread - 1];
    double seconds;

    (void)threads;
    atomic_fetch_add(&contention->begun, 1);
    while (!one->idle && one->status == HIT_OK && !atomic_load(&contention->over)) {
        one->status = hit_rig_time(&one->rig, &seconds);
        one->idle = does_not_fit(one->status);
        if (one->idle) one->status = HIT_OK;
    }
    if (one->status == HIT_OK) return;
    (void)snprintf(one->text, sizeof(one->text), "%s", hit_status_text());
}

void hit_contention_begin(hit_contention *contention)
{
    if (contention == NULL) return;
    atomic_store(&contention->begun, 0);
    atomic_store(&contention->over, false);
    hit_crew_start(contention->crew, compete, contention);
    while (atomic_load(&contention->begun) < contention->count) {
        (void)sched_yield();
    }
}

hit_status hit_contention_end(hit_contention *contention)
{
    if (contention == NULL) return HIT_OK;
    atomic_store(&contention->over, true);
    hit_crew_stop(contention->crew);
    for (int k = 0; k < contention->count; k++) {
        const rival *one = &contention->rival[k];

        if (one->status != HIT_OK) return HIT_FAIL(one->status, "%s", one->text);
    }
    return HIT_OK;
}
