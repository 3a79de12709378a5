/* SPDX-License-Identifier: MIT
 * The table of HIT_PROFILE=1, from the same events as a trace. All processes launch the
 * same kernels in the same order, so their lists of kernels are equal and can be added
 * up line by line. */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/trace/trace_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of one kernel, on one process or over all; times in nanoseconds, so that processes add
 * whole numbers. */
typedef struct line {
    uint64_t launches;
    uint64_t launch_ns;
    uint64_t plan_ns;
    uint64_t pack_ns;
    uint64_t run_ns;
    uint64_t indices;
    uint64_t bytes; /**< touched */
    uint64_t operations;
    uint64_t in_bytes;  /**< to devices, but for the first launch ... */
    uint64_t out_bytes; /**< ... and from them */
} line;

enum {
    LINE_FIELDS = sizeof(line) / sizeof(uint64_t)
};

typedef struct table {
    size_t count;
    const char **kernel;
    const char **column; /* hit_trace_event.column */
    size_t *first;       /* the number of its first launch */
    line *sum;
    line *most;
    hit_arrays arrays; /* these */
} table;

static uint64_t ns_of(double seconds)
{
    return seconds > 0 ? (uint64_t)(seconds * 1e9) : 0;
}

/* Of the device that it had a part of. */
static uint64_t duration_ns(const hit_trace_event *event)
{
    return ns_of((event->end_s - event->start_s) /
                 (event->beside > 0 ? event->beside : 1));
}

static size_t find(const table *t, const char *kernel)
{
    size_t k = 0;

    while (k < t->count && strcmp(t->kernel[k], kernel) != 0) {
        k++;
    }
    return k;
}

/* The names of all kernels that were launched. */
static hit_status name_kernels(const hit_trace_list *launches, table *t)
{
    HIT_TRY(HIT_TAKE(&t->arrays, launches->count + 1, t->kernel));
    HIT_TRY(HIT_TAKE(&t->arrays, launches->count + 1, t->column));
    HIT_TRY(HIT_TAKE(&t->arrays, launches->count + 1, t->first));
    for (size_t k = 0; k < launches->count; k++) {
        const char *kernel = launches->event[k].what;

        if (find(t, kernel) < t->count) continue;
        t->column[t->count] = launches->event[k].column;
        t->first[t->count] = k;
        t->kernel[t->count++] = kernel;
    }
    HIT_TRY(HIT_TAKE(&t->arrays, t->count + 1, t->sum));
    return HIT_TAKE(&t->arrays, t->count + 1, t->most);
}

static void add_launches(const hit_trace_list *launches, table *t)
{
    for (size_t k = 0; k < launches->count; k++) {
        const hit_trace_event *event = &launches->event[k];
        line *one = &t->sum[find(t, event->what)];

        one->launches++;
        one->launch_ns += duration_ns(event);
        one->plan_ns += ns_of(event->plan_s);
        one->pack_ns += ns_of(event->pack_s);
        one->indices += event->indices;
        one->bytes += event->bytes;
        one->operations += event->operations;
    }
    memcpy(t->most, t->sum, t->count * sizeof(line));
}

/* The runs of one device; the most are those of the slowest one. */
static hit_status add_runs(const hit_trace_list *runs, table *t)
{
    uint64_t *run_ns = NULL;

    HIT_TRY(hit_memory_zeroed(t->count + 1, sizeof(uint64_t), &run_ns));
    for (size_t k = 0; k < runs->count; k++) { /* copies have the last place */
        run_ns[find(t, runs->event[k].what)] += duration_ns(&runs->event[k]);
    }
    for (size_t at = 0; at < t->count; at++) {
        t->sum[at].run_ns += run_ns[at];
        if (run_ns[at] > t->most[at].run_ns) t->most[at].run_ns = run_ns[at];
    }
    free(run_ns);
    return HIT_OK;
}

/* What lane @p lane of device @p device moved from each launch to the next. The first
 * one of a kernel brings its tiles to the device, so that it tells nothing of others. */
static void add_copies(const hit_trace_list *launches, const hit_trace_list *copies,
                       table *t, bool in)
{
    size_t l = 0;

    for (size_t k = 0; k < copies->count; k++) {
        const hit_trace_event *copy = &copies->event[k];
        const char *kernel;
        line *one;

        if (launches->count == 0 || copy->start_s < launches->event[0].start_s) continue;
        if (launches->event[l].start_s > copy->start_s) l = 0; /* lanes may be mixed */
        while (l + 1 < launches->count &&
               launches->event[l + 1].start_s <= copy->start_s) {
            l++;
        }
        kernel = launches->event[l].what;
        one = &t->sum[find(t, kernel)];
        if (l == t->first[find(t, kernel)]) continue;
        *(in ? &one->in_bytes : &one->out_bytes) += copy->bytes;
    }
}

static hit_status collect(const hit_trace *trace, table *t)
{
    const hit_trace_list *launches = &trace->list[HIT_TRACE_LAUNCH];

    HIT_TRY(name_kernels(launches, t));
    add_launches(launches, t);
    for (; trace != NULL; trace = trace->next) {
        HIT_TRY(add_runs(&trace->list[HIT_TRACE_RUN], t));
        add_copies(launches, &trace->list[HIT_TRACE_IN], t, true);
        add_copies(launches, &trace->list[HIT_TRACE_OUT], t, false);
    }
    return HIT_OK;
}

/* Nanoseconds of all events of a lane: summed over devices, and the most of one. */
static hit_status lane_time(hit_comm *comm, const hit_trace *trace, hit_trace_lane lane,
                            double *sum_s, double *most_s)
{
    uint64_t sum = 0;
    uint64_t most = 0;

    for (; trace != NULL; trace = trace->next) {
        const hit_trace_list *list = &trace->list[lane];
        uint64_t mine = 0;

        for (size_t k = 0; k < list->count; k++) {
            mine += duration_ns(&list->event[k]);
        }
        sum += mine;
        if (mine > most) most = mine;
    }
    HIT_TRY(hit_comm_sum_u64(comm, &sum, 1));
    HIT_TRY(hit_comm_max_u64(comm, &most, 1));
    *sum_s = (double)sum * 1e-9;
    *most_s = (double)most * 1e-9;
    return HIT_OK;
}

/* Most over mean; 1 where nothing was done. */
static double imbalance(uint64_t most, uint64_t sum, uint64_t devices)
{
    return sum > 0 ? (double)most * (double)devices / (double)sum : 1;
}

/* Amount per second; "-" where one of them is not known. */
static void print_rate(FILE *out, int width, int digits, double amount, double seconds)
{
    if (amount > 0 && seconds > 0) {
        hit_say(out, " %*.*f", width, digits, amount / seconds);
    } else {
        hit_say(out, " %*s", width, "-");
    }
}

/* In each launch but the first one. */
static uint64_t again(uint64_t bytes, uint64_t launches)
{
    return launches > 1 ? bytes / (launches - 1) : 0;
}

static void print_lines(FILE *out, const table *t, uint64_t devices)
{
    hit_say(out, "%-24s %8s %10s %8s %8s %10s %8s %8s %10s %9s %10s %10s\n", "kernel",
            "launches", "launch s", "plan s", "pack s", "kernel s", "GB/s", "GFLOP/s",
            "Mindex/s", "imbalance", "B in", "B out");
    for (size_t k = 0; k < t->count; k++) {
        const line *sum = &t->sum[k];
        const line *most = &t->most[k];
        const double run_s = (double)most->run_ns * 1e-9;

        hit_say(out, "%-24s %8" PRIu64 " %10.4f %8.4f %8.4f %10.4f", t->kernel[k],
                most->launches, (double)most->launch_ns * 1e-9,
                (double)most->plan_ns * 1e-9, (double)most->pack_ns * 1e-9, run_s);
        print_rate(out, 8, 2, (double)sum->bytes * 1e-9, run_s);
        print_rate(out, 8, 2, (double)sum->operations * 1e-9, run_s);
        print_rate(out, 10, 1, (double)sum->indices * 1e-6, run_s);
        hit_say(out, " %9.2f", imbalance(most->run_ns, sum->run_ns, devices));
        hit_say(out, " %10" PRIu64 " %10" PRIu64 "\n",
                again(sum->in_bytes, most->launches),
                again(sum->out_bytes, most->launches));
    }
}

/* Where the time went, seconds: on the process or device that spent most. */
typedef struct spent {
    double launch_s;
    double plan_s;
    double pack_s;
    double run_s;
    double in_s;
    double out_s;
    double wait_s;
    double imbalance; /**< of the kernels' time */
    uint64_t launches;
    uint64_t devices;
} spent;

/* What any core does with the kernels that one writes first. Slower ones are told. */
static const double least_rate = 1e9;

/* The kernel that ran longest; t->count where none did. */
static size_t longest(const table *t)
{
    size_t best = t->count;

    for (size_t k = 0; k < t->count; k++) {
        if (t->most[k].run_ns == 0) continue;
        if (best == t->count || t->most[k].run_ns > t->most[best].run_ns) best = k;
    }
    return best;
}

/* Per device and second; large where @p k is no kernel. */
static double rate_of(const table *t, size_t k, uint64_t amount, uint64_t devices)
{
    if (k == t->count || devices == 0) return least_rate;
    return (double)amount / ((double)t->most[k].run_ns * 1e-9) / (double)devices;
}

static void advise_kernels(FILE *out, const spent *s, const table *t)
{
    const size_t k = longest(t);
    const double bytes = rate_of(t, k, k < t->count ? t->sum[k].bytes : 0, s->devices);
    const double operations =
        rate_of(t, k, k < t->count ? t->sum[k].operations : 0, s->devices);

    if (bytes >= least_rate || operations >= least_rate) {
        hit_say(out, "kernels dominate: this is as it should be\n");
        return;
    }
    hit_say(out, "kernels dominate, but %s does %.2f GB/s on each device: ", t->kernel[k],
            bytes * 1e-9);
    if (t->column[k] != NULL) {
        hit_say(out,
                "its body walks over %s column by column; indices (i, k, j) with sum, or "
                "gemm of the catalogue, walk over rows (docs/recipes.md)\n",
                t->column[k]);
    } else if (t->sum[k].operations == 0) {
        hit_say(out,
                "unless it computes much for each element (HIT_OPERATIONS tells), its "
                "loops do not run along the last dimension, or are not vectorised "
                "(docs/howto-kernel.md)\n");
    } else {
        hit_say(out,
                "its loops do not run along the last dimension, or are not vectorised "
                "(docs/howto-kernel.md)\n");
    }
}

/* What lies between the calls and the kernels, if that is what would help most. */
static bool advise_launches(FILE *out, const spent *s)
{
    const double each_s = s->launches > 0 ? s->launch_s / (double)s->launches : 0;
    const double large = 0.3 * s->launch_s;

    if (s->plan_s > large) {
        hit_say(out,
                "planning takes %.0f %% of the launches' time: launch on fewer kinds of "
                "boxes, and tiles that stay; places of one class share a plan "
                "(docs/trace.md)\n",
                100 * s->plan_s / s->launch_s);
    } else if (s->pack_s > large) {
        hit_say(out,
                "packing takes %.0f %% of the launches' time: a layout whose parts "
                "are whole rows sends what lies together (block:dims=0, "
                "docs/layout.md)\n",
                100 * s->pack_s / s->launch_s);
    } else if (s->run_s < 0.5 * s->launch_s ||
               (s->run_s < s->launch_s && each_s < 2e-6)) {
        hit_say(out,
                "%" PRIu64 " launches take %.1f microseconds each, and kernels "
                "%.0f %% of that: launch fewer and larger ones\n",
                s->launches, 1e6 * each_s, 100 * s->run_s / s->launch_s);
    } else {
        return false;
    }
    return true;
}

/* The one thing that would help most, in words. */
static void advise(FILE *out, const spent *s, const table *t)
{
    const double copies_s = s->in_s > s->out_s ? s->in_s : s->out_s;
    const double wait = s->launch_s > 0 ? s->wait_s / s->launch_s : 0;
    const bool plans = s->plan_s > copies_s && s->plan_s > s->run_s;

    if (s->imbalance > 1.2 && !plans) {
        hit_say(out,
                "some devices run kernels much longer than others: balance the layout "
                "(docs/balance.md), or the shares of a process's devices\n");
    } else if (copies_s > s->run_s && !plans) {
        hit_say(
            out,
            "copies take longer than kernels: give the device more memory, or do more "
            "per element (docs/device.md)\n");
    } else if (wait > 0.2 && !plans && s->pack_s < s->wait_s) {
        hit_say(out, "much of the time is spent waiting for messages: larger parts, or a "
                     "layout with shorter borders (docs/layout.md)\n");
    } else if (!advise_launches(out, s)) {
        advise_kernels(out, s, t);
    }
}

static hit_status sum_up(hit_comm *comm, const hit_trace *trace, const table *t, spent *s)
{
    double sum_s;

    for (size_t k = 0; k < t->count; k++) {
        s->launches += t->most[k].launches;
        s->plan_s += (double)t->most[k].plan_ns * 1e-9;
        s->pack_s += (double)t->most[k].pack_ns * 1e-9;
    }
    HIT_TRY(lane_time(comm, trace, HIT_TRACE_LAUNCH, &sum_s, &s->launch_s));
    HIT_TRY(lane_time(comm, trace, HIT_TRACE_IN, &sum_s, &s->in_s));
    HIT_TRY(lane_time(comm, trace, HIT_TRACE_OUT, &sum_s, &s->out_s));
    HIT_TRY(lane_time(comm, trace, HIT_TRACE_WAIT, &sum_s, &s->wait_s));
    HIT_TRY(lane_time(comm, trace, HIT_TRACE_RUN, &sum_s, &s->run_s));
    s->imbalance = sum_s > 0 ? s->run_s * (double)s->devices / sum_s : 1;
    return HIT_OK;
}

/* Of all processes, as texts; false: there is nothing to print here. */
static hit_status sum_bytes(hit_comm *comm, uint64_t bytes[2], char text[2][32],
                            bool *prints)
{
    HIT_TRY(hit_comm_sum_u64(comm, bytes, 2));
    *prints = bytes[0] + bytes[1] > 0 && hit_comm_rank(comm) == 0;
    hit_memory_print(bytes[0], text[0], sizeof(text[0]));
    hit_memory_print(bytes[1], text[1], sizeof(text[1]));
    return HIT_OK;
}

/* Copies of which one may want to know: to and from buffers, since an array of the
 * program has too few ghosts, a disk, and memory that is slower than it need be. */
static hit_status print_copies(FILE *out, hit_comm *comm, const hit_trace *trace)
{
    uint64_t adopted[2] = {trace != NULL ? trace->adopted_bytes : 0};
    uint64_t disk[2] = {trace != NULL ? trace->disk_bytes[0] : 0,
                        trace != NULL ? trace->disk_bytes[1] : 0};
    uint64_t unpinned[2] = {0};
    char text[2][32];
    bool prints;

    HIT_TRY(sum_bytes(comm, adopted, text, &prints));
    if (prints) {
        hit_say(out,
                "arrays of the program: %s copied to and from buffers, since launches "
                "needed more around them than their ghosts (docs/adopt.md)\n",
                text[0]);
    }
    HIT_TRY(sum_bytes(comm, disk, text, &prints));
    if (prints) {
        hit_say(out, "disk: %s read, %s written by copies (HIT_DISK)\n", text[0],
                text[1]);
    }
    for (; trace != NULL; trace = trace->next) {
        unpinned[0] += trace->unpinned_bytes;
        unpinned[1] += trace->refused_bytes;
    }
    HIT_TRY(sum_bytes(comm, unpinned, text, &prints));
    if (prints) {
        hit_say(out,
                "not pinned: %s copied from or to GPUs, and %s of the host's memory that "
                "the system refused to pin (docs/device.md)\n",
                text[0], text[1]);
    }
    return HIT_OK;
}

/* Plans of the process that has most of them. */
static hit_status print_plans(FILE *out, hit_comm *comm, const hit_trace *trace)
{
    uint64_t most[3] = {0};
    char bytes[32];

    if (trace != NULL) {
        most[0] = trace->plans_made;
        most[1] = trace->plans_kept;
        most[2] = trace->plans_bytes;
    }
    HIT_TRY(hit_comm_max_u64(comm, most, 3));
    if (hit_comm_rank(comm) != 0) return HIT_OK;
    hit_memory_print(most[2], bytes, sizeof(bytes));
    hit_say(out, "plans of launches: %llu made, %llu kept in %s\n",
            (unsigned long long)most[0], (unsigned long long)most[1], bytes);
    return HIT_OK;
}

static hit_status print_energy(FILE *out, hit_comm *comm, const hit_trace *trace,
                               const table *t)
{
    hit_energy_line *each = NULL;
    hit_status st = hit_comm_agree(
        comm, hit_memory_zeroed(t->count + 1, sizeof(hit_energy_line), &each));

    for (size_t k = 0; k < t->count && st == HIT_OK; k++) {
        each[k] = (hit_energy_line){t->kernel[k], t->most[k].launches};
    }
    if (st == HIT_OK) st = hit_energy_print(comm, trace, out, t->count, each);
    free(each);
    return st;
}

static hit_status add_up(hit_comm *comm, table *t)
{
    const int fields = (int)t->count * LINE_FIELDS;

    HIT_TRY(hit_comm_sum_u64(comm, (uint64_t *)t->sum, fields));
    return hit_comm_max_u64(comm, (uint64_t *)t->most, fields);
}

static void print_spent(FILE *out, const spent *s)
{
    hit_say(out,
            "on the process or device that spent most: launches %.4f s (plans %.4f s, "
            "packing "
            "%.4f s), kernels %.4f s, copies in %.4f s, out %.4f s, waiting for messages "
            "%.4f s\n",
            s->launch_s, s->plan_s, s->pack_s, s->run_s, s->in_s, s->out_s, s->wait_s);
}

hit_status hit_profile_print(hit_comm *comm, const hit_trace *trace, FILE *out)
{
    table t = {0};
    spent s = {0};
    hit_status status = hit_comm_agree(comm, collect(trace, &t));

    for (const hit_trace *one = trace; one != NULL; one = one->next) {
        s.devices += !one->spare;
    }
    if (status == HIT_OK) status = hit_comm_sum_u64(comm, &s.devices, 1);
    if (status == HIT_OK) status = add_up(comm, &t);
    if (status == HIT_OK) status = sum_up(comm, trace, &t, &s);
    if (status == HIT_OK && hit_comm_rank(comm) == 0) print_lines(out, &t, s.devices);
    if (status == HIT_OK) status = print_energy(out, comm, trace, &t);
    if (status == HIT_OK) status = print_plans(out, comm, trace);
    if (status == HIT_OK) status = print_copies(out, comm, trace);
    if (status == HIT_OK && hit_comm_rank(comm) == 0) {
        print_spent(out, &s);
        advise(out, &s, &t);
    }
    hit_arrays_free(&t.arrays);
    return status;
}
