/* SPDX-License-Identifier: MIT
 * Figures of a context, added up over its devices and processes. */
#include "hit/launch/stats.h"

#include "hit/base/alloc.h"
#include "hit/launch/launcher.h"

/* What the launches did on one device. */
static void add_station(const hit_station *station, hit_stats *stats)
{
    stats->superblocks += station->superblocks;
    stats->replans += station->replans;
    stats->bytes_in += station->residents.bytes_in;
    stats->bytes_out += station->residents.bytes_out;
}

static void add_launches(const hit_context *context, hit_stats *stats)
{
    const hit_launcher *launcher = context->launcher;
    const hit_stations *stations = context->stations;

    stats->launches = launcher->launches;
    stats->messages_sent = launcher->sent.messages;
    stats->messages_empty = launcher->sent.empty;
    stats->message_bytes_sent = launcher->sent.bytes;
    stats->indices = launcher->indices;
    stats->chained = launcher->chained;
    stats->busy_s = stations->busy_s;
    for (int k = 0; k < stations->count; k++) {
        add_station(&stations->station[k], stats);
    }
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void hit_context_stats(const hit_context *context, hit_stats *stats)
{
    if (stats != NULL) *stats = (hit_stats){0};
    if (context == NULL || stats == NULL) return;
    add_launches(context, stats);
    for (int k = 0; k < context->devices; k++) {
        const hit_device *device = context->device[k];

        if (hit_device_in_place(device)) {
            stats->threads += (uint64_t)device->threads;
            continue;
        }
        stats->device_peak_bytes = larger(stats->device_peak_bytes, device->peak_bytes);
        stats->device_limit_bytes =
            larger(stats->device_limit_bytes, device->limit_bytes);
    }
    stats->resident_peak_bytes = hit_memory_peak_bytes();
    stats->host_peak_bytes = context->host_peak_bytes;
}

/* Of figures of this process, those of all. */
static hit_status combine(hit_comm *comm,
                          hit_status (*how)(hit_comm *comm, uint64_t *value, int count),
                          int count, uint64_t *const figure[])
{
    uint64_t value[sizeof(hit_stats) / sizeof(uint64_t)];

    for (int k = 0; k < count; k++) {
        value[k] = *figure[k];
    }
    HIT_TRY(how(comm, value, count));
    for (int k = 0; k < count; k++) {
        *figure[k] = value[k];
    }
    return HIT_OK;
}

hit_status hit_context_stats_all(hit_context *context, hit_stats *total)
{
    hit_stats all;
    uint64_t busy_ns;

    if (context == NULL || total == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a context and a place for the figures but found NULL");
    }
    if (context->executor->stats != NULL) {
        context->executor->stats(context, total);
        total->resident_peak_bytes = hit_memory_peak_bytes();
        return HIT_OK;
    }
    hit_context_stats(context, &all);
    busy_ns = (uint64_t)(all.busy_s * 1e9);
    uint64_t *const sum[] = {&all.launches,  &all.superblocks,   &all.bytes_in,
                             &all.bytes_out, &all.messages_sent, &all.message_bytes_sent,
                             &all.indices,   &all.replans,       &all.chained,
                             &all.threads,   &all.messages_empty};
    uint64_t *const most[] = {&all.device_peak_bytes, &all.device_limit_bytes,
                              &all.resident_peak_bytes, &all.host_peak_bytes, &busy_ns};
    HIT_TRY(combine(context->comm, hit_comm_sum_u64, sizeof(sum) / sizeof(sum[0]), sum));
    HIT_TRY(
        combine(context->comm, hit_comm_max_u64, sizeof(most) / sizeof(most[0]), most));
    all.busy_s = (double)busy_ns * 1e-9;
    *total = all;
    return HIT_OK;
}

void hit_launcher_trace_plans(const hit_context *context)
{
    const hit_launcher *launcher = context->launcher;
    hit_trace *trace = context->trace;

    if (trace == NULL) return;
    trace->plans_made = launcher->plans_made;
    trace->plans_kept = (uint64_t)launcher->plans;
    for (int k = 0; k < launcher->plans; k++) {
        trace->plans_bytes += hit_launch_plan_bytes(launcher->plan[k]);
    }
}
