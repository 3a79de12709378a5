/* SPDX-License-Identifier: MIT
 * Energy of launches. Meters are read when a launch begins or something that is recorded
 * ends, but not more often than each 10 ms. From one reading to another one, between
 * which each meter went on, is a window. What meters showed in it belongs to what was
 * going on by its share of the window's time; the rest, in which no kernel ran, belongs
 * to none. */
#include "hit/base/containers.h"
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/trace/meters.h"
#include "hit/trace/trace_write.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double least_window_s = 0.01;
static const double most_window_s = 1; /* a meter may stand still */

/* ---- windows ---- */

/* False: there is no memory for another one. That is no failure: its text would take the
 * place of one that is under way. */
static bool has_room(hit_energy *energy)
{
    const size_t room = 2 * energy->count + 64;
    hit_energy_window *more;

    if (energy->count < energy->room) return true;
    more = realloc(energy->window, room * sizeof *more);
    if (more == NULL) return false;
    energy->window = more;
    energy->room = room;
    return true;
}

/* Where there is no memory for another window the last one becomes longer. */
static void end_window(hit_energy *energy, double now_s)
{
    if (has_room(energy)) {
        energy->window[energy->count++] =
            (hit_energy_window){.start_s = energy->looked_s, .end_s = energy->looked_s};
    }
    if (energy->count > 0) {
        energy->window[energy->count - 1].joules += energy->joules;
        energy->window[energy->count - 1].end_s = now_s;
    }
    energy->looked_s = now_s;
    energy->joules = 0;
}

static void look(hit_trace *trace, double now_s)
{
    hit_energy *energy = trace->energy;

    energy->joules += hit_meters_read(energy->meters, NULL);
    trace->look_s = now_s + least_window_s;
    if (hit_meters_moved(energy->meters) || now_s - energy->looked_s >= most_window_s) {
        end_window(energy, now_s);
    }
}

/* The first process whose packages may not be read says so. */
static hit_status tell_refused(const hit_context *context, const hit_meters *meters)
{
    const bool refused = meters->refused[0] != '\0';
    uint64_t first = refused ? (uint64_t)(context->size - context->rank) : 0;

    HIT_TRY(hit_comm_max_u64(context->comm, &first, 1));
    if (refused && first == (uint64_t)(context->size - context->rank)) {
        hit_say(hit_context_notes(context), "%s\n", meters->refused);
    }
    return HIT_OK;
}

hit_status hit_energy_begin(hit_context *context)
{
    hit_trace *trace = context->trace;
    hit_energy *energy = NULL;

    if (trace == NULL) return HIT_OK;
    HIT_TRY(hit_comm_agree(context->comm, hit_memory_zeroed(1, sizeof *energy, &energy)));
    trace->energy = energy;
    HIT_TRY(hit_meters_open(context, &energy->meters));
    if (trace->profiled) HIT_TRY(tell_refused(context, energy->meters));
    if (energy->meters->packages + energy->meters->devices == 0) return HIT_OK;
    energy->looked_s = hit_trace_now();
    trace->look = look;
    trace->look_s = energy->looked_s + least_window_s;
    return HIT_OK;
}

void hit_energy_close(hit_trace *trace)
{
    if (trace == NULL || trace->energy == NULL) return;
    hit_meters_close(&trace->energy->meters);
    free(trace->energy->window);
    free(trace->energy);
    trace->energy = NULL;
}

/* ---- what belongs to whom ---- */

/* A kernel, and the events that show when it was going on: its launches, or, where these
 * return before it has run, its runs. */
typedef struct item {
    const char *kernel;
    double launch_s;
    double run_s;
} item;

typedef struct items {
    size_t count;
    item *item;
    int devices;
} items;

static item *find(const items *all, const char *kernel)
{
    for (size_t k = 0; k < all->count; k++) {
        if (strcmp(all->item[k].kernel, kernel) == 0) return &all->item[k];
    }
    return NULL;
}

static double part_of(const hit_trace_event *event)
{
    return event->beside > 0 ? 1.0 / event->beside : 1;
}

static hit_status name_items(const hit_trace *trace, items *all)
{
    const hit_trace_list *launches = &trace->list[HIT_TRACE_LAUNCH];

    HIT_TRY(hit_memory_zeroed(launches->count + 1, sizeof(item), &all->item));
    for (size_t k = 0; k < launches->count; k++) {
        const hit_trace_event *event = &launches->event[k];
        item *one = find(all, event->what);

        if (one == NULL) {
            one = &all->item[all->count++];
            one->kernel = event->what;
        }
        one->launch_s += event->end_s - event->start_s;
    }
    for (; trace != NULL; trace = trace->next, all->devices++) {
        const hit_trace_list *runs = &trace->list[HIT_TRACE_RUN];

        for (size_t k = 0; k < runs->count; k++) {
            const hit_trace_event *event = &runs->event[k];
            item *one = find(all, event->what);

            if (one == NULL) continue;
            one->run_s += (event->end_s - event->start_s) * part_of(event);
        }
    }
    return HIT_OK;
}

/* What is done with the part of a window, in seconds, that an event has. */
typedef void share(hit_energy_window *window, hit_trace_event *event, double part_s);

static void count_busy(hit_energy_window *window, hit_trace_event *event, double part_s)
{
    (void)event;
    window->busy_s += part_s;
}

/* Side by side, such as on several devices, they may have more seconds than the window.
 */
static void give(hit_energy_window *window, hit_trace_event *event, double part_s)
{
    const double whole_s = fmax(window->busy_s, window->end_s - window->start_s);

    if (whole_s > 0) event->joules += window->joules * part_s / whole_s;
}

static void share_event(const hit_energy *energy, hit_trace_event *event, share *with)
{
    size_t low = 0;
    size_t high = energy->count;

    /* the first window that ends behind the begin of the event */
    HIT_BISECT(k, low, high, energy->window[k].end_s > event->start_s);
    for (; low < energy->count && energy->window[low].start_s < event->end_s; low++) {
        hit_energy_window *window = &energy->window[low];
        const double part_s =
            fmin(window->end_s, event->end_s) - fmax(window->start_s, event->start_s);

        if (part_s > 0) with(window, event, part_s * part_of(event));
    }
}

static void share_list(const items *all, const hit_energy *energy, hit_trace_list *list,
                       bool runs, share *with)
{
    for (size_t k = 0; k < list->count; k++) {
        const item *one = find(all, list->event[k].what);

        if (one == NULL || (one->run_s > all->devices * one->launch_s) != runs) continue;
        share_event(energy, &list->event[k], with);
    }
}

static void share_all(const items *all, hit_trace *trace, share *with)
{
    const hit_energy *energy = trace->energy;

    share_list(all, energy, &trace->list[HIT_TRACE_LAUNCH], false, with);
    for (; trace != NULL; trace = trace->next) {
        share_list(all, energy, &trace->list[HIT_TRACE_RUN], true, with);
    }
}

hit_status hit_energy_share(hit_trace *trace)
{
    items all = {0};
    hit_status st = HIT_OK;

    if (!hit_energy_is_known(trace)) return HIT_OK;
    st = name_items(trace, &all);
    if (st == HIT_OK) {
        share_all(&all, trace, count_busy);
        share_all(&all, trace, give);
    }
    free(all.item);
    return st;
}

/* ---- simulated machines ---- */

static bool has_power(const hit_trace *trace)
{
    for (; trace != NULL; trace = trace->next) {
        if (trace->busy_w <= 0) return false;
    }
    return true;
}

/* When the last event of all ends. */
static double end_of(const hit_trace *trace)
{
    double end_s = trace->origin_s;

    for (; trace != NULL; trace = trace->next) {
        for (int lane = 0; lane < HIT_TRACE_LANES; lane++) {
            for (size_t k = 0; k < trace->list[lane].count; k++) {
                end_s = fmax(end_s, trace->list[lane].event[k].end_s);
            }
        }
    }
    return end_s;
}

/* One window: each device has its power while it runs a kernel, and another one else. */
static hit_status play(hit_trace *trace)
{
    const double end_s = end_of(trace);
    hit_energy_window *window = NULL;

    HIT_TRY(hit_memory_zeroed(1, sizeof *trace->energy, &trace->energy));
    HIT_TRY(hit_memory_zeroed(1, sizeof *window, &window));
    trace->energy->window = window;
    trace->energy->count = 1;
    *window = (hit_energy_window){.start_s = trace->origin_s, .end_s = end_s};
    for (hit_trace *one = trace; one != NULL; one = one->next) {
        hit_trace_list *runs = &one->list[HIT_TRACE_RUN];

        window->joules += one->idle_w * (end_s - window->start_s);
        for (size_t k = 0; k < runs->count; k++) {
            hit_trace_event *run = &runs->event[k];

            run->joules = one->busy_w * (run->end_s - run->start_s);
            window->joules += run->joules - one->idle_w * (run->end_s - run->start_s);
        }
    }
    return HIT_OK;
}

hit_status hit_energy_end(hit_trace *trace)
{
    if (has_power(trace)) return play(trace);
    if (!hit_energy_is_known(trace)) return HIT_OK;
    trace->energy->joules += hit_meters_read(trace->energy->meters, NULL);
    end_window(trace->energy, hit_trace_now());
    trace->look_s = INFINITY;
    return hit_energy_share(trace);
}

/* ---- the table ---- */

/* Of one kernel; whole numbers, which processes add. */
typedef struct used {
    uint64_t microjoules;
    uint64_t nanoseconds;
} used;

static used use_of(const hit_trace *trace, const char *kernel)
{
    double joules = 0;
    double seconds = 0;

    for (bool first = true; trace != NULL; trace = trace->next, first = false) {
        const int lanes[] = {HIT_TRACE_RUN, HIT_TRACE_LAUNCH};

        for (int l = 0; l < (first ? 2 : 1); l++) {
            const hit_trace_list *list = &trace->list[lanes[l]];

            for (size_t k = 0; k < list->count; k++) {
                const hit_trace_event *event = &list->event[k];

                if (event->joules <= 0 || strcmp(event->what, kernel) != 0) continue;
                joules += event->joules;
                seconds += (event->end_s - event->start_s) * part_of(event);
            }
        }
    }
    return (used){(uint64_t)(joules * 1e6), (uint64_t)(seconds * 1e9)};
}

static hit_status print_kernel(hit_comm *comm, const hit_trace *trace, FILE *out,
                               const hit_energy_line *line, uint64_t *told)
{
    used use = use_of(trace, line->kernel);
    double joules;

    HIT_TRY(hit_comm_sum_u64(comm, &use.microjoules, 1));
    HIT_TRY(hit_comm_max_u64(comm, &use.nanoseconds, 1));
    *told += use.microjoules;
    if (hit_comm_rank(comm) != 0) return HIT_OK;
    joules = (double)use.microjoules * 1e-6;
    hit_say(out, "%-24s %10.4f %12.4g %8.1f\n", line->kernel, joules,
            joules / (double)line->launches,
            use.nanoseconds > 0 ? joules / ((double)use.nanoseconds * 1e-9) : 0);
    return HIT_OK;
}

enum {
    PACKAGES,
    DEVICES,
    SIMULATED,
    MICROJOULES,
    SUMS
};

static void print_sum(FILE *out, const uint64_t sum[SUMS], uint64_t left)
{
    const double joules = 1e-6 * (double)sum[MICROJOULES];

    if (sum[SIMULATED] > 0) {
        hit_say(out,
                "energy: %.4f J of the simulated machine, of which %.4f J while devices "
                "ran no kernel\n",
                joules, 1e-6 * (double)left);
        return;
    }
    hit_say(out,
            "energy: %.4f J from hit_open() to hit_close(), of which %.4f J while no "
            "kernel ran, by %" PRIu64 " packages and %" PRIu64 " devices\n",
            joules, 1e-6 * (double)left, sum[PACKAGES], sum[DEVICES]);
}

hit_status hit_energy_print(hit_comm *comm, const hit_trace *trace, FILE *out,
                            size_t count, const hit_energy_line line[])
{
    const hit_energy *energy = hit_energy_is_known(trace) ? trace->energy : NULL;
    uint64_t sum[SUMS] = {0};
    uint64_t told = 0;
    double joules = 0;

    for (size_t k = 0; energy != NULL && k < energy->count; k++) {
        joules += energy->window[k].joules;
    }
    if (energy != NULL) {
        sum[SIMULATED] = energy->meters == NULL;
        sum[PACKAGES] = energy->meters != NULL ? (uint64_t)energy->meters->packages : 0;
        sum[DEVICES] = energy->meters != NULL ? (uint64_t)energy->meters->devices : 0;
        sum[MICROJOULES] = (uint64_t)(joules * 1e6);
    }
    HIT_TRY(hit_comm_sum_u64(comm, sum, SUMS));
    if (sum[PACKAGES] + sum[DEVICES] + sum[SIMULATED] == 0) return HIT_OK;
    if (hit_comm_rank(comm) == 0) {
        hit_say(out, "%-24s %10s %12s %8s\n", "kernel", "J", "J/launch", "W");
    }
    for (size_t k = 0; k < count; k++) {
        HIT_TRY(print_kernel(comm, trace, out, &line[k], &told));
    }
    if (hit_comm_rank(comm) == 0) {
        print_sum(out, sum, sum[MICROJOULES] > told ? sum[MICROJOULES] - told : 0);
    }
    return HIT_OK;
}
