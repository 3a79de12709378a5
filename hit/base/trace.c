/* SPDX-License-Identifier: MIT
 * Lists of events, one per lane. Threads write to them for a moment each. */
#include "hit/base/trace.h"

#include "hit/base/clock.h"
#include "hit/base/memory.h"

#include <math.h>
#include <stdlib.h>

double hit_trace_now(void)
{
    return hit_clock_now(NULL);
}

hit_status hit_trace_create(hit_trace **trace)
{
    HIT_TRY(hit_memory_zeroed(1, sizeof(hit_trace), trace));
    (*trace)->origin_s = hit_trace_now();
    (*trace)->look_s = INFINITY;
    return HIT_OK;
}

void hit_trace_destroy(hit_trace **trace)
{
    while (*trace != NULL) {
        hit_trace *old = *trace;

        for (int k = 0; k < HIT_TRACE_LANES; k++) {
            free(old->list[k].event);
        }
        *trace = old->next;
        free(old);
    }
}

static void put(hit_trace_list *list, const hit_trace_event *event)
{
    if (list->count == list->room) {
        const size_t room = 2 * list->room + 64;
        /* no failure: a launch that failed has told why, and its caller reads that */
        hit_trace_event *more = realloc(list->event, room * sizeof *more);

        if (more == NULL) {
            list->lost++;
            return;
        }
        list->event = more;
        list->room = room;
    }
    list->event[list->count++] = *event;
}

static void lock(hit_trace *trace)
{
    while (__atomic_exchange_n(&trace->recording, 1, __ATOMIC_ACQUIRE) != 0) {
        hit_spin_pause();
    }
}

static void unlock(hit_trace *trace)
{
    __atomic_store_n(&trace->recording, 0, __ATOMIC_RELEASE);
}

void hit_trace_begin(hit_trace *trace)
{
    trace->plan_s = 0; /* what a launch left that failed */
    if (trace->look == NULL) return;
    lock(trace);
    if (hit_trace_now() >= trace->look_s) trace->look(trace, hit_trace_now());
    unlock(trace);
}

void hit_trace_put(hit_trace *trace, hit_trace_lane lane, const hit_trace_event *event)
{
    lock(trace);
    put(&trace->list[lane], event);
    if (event->end_s >= trace->look_s) trace->look(trace, hit_trace_now());
    unlock(trace);
}
