/* SPDX-License-Identifier: MIT
 * Figures of a context, added up over its devices and processes. */
#include "hit/launch/stats.h"

#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/launch/executor.h"
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
    stats->messages_sent = launcher->messages_sent;
    stats->message_bytes_sent = launcher->message_bytes_sent;
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
            stats->threads += (uint64_t)hit_device_threads(device);
            continue;
        }
        stats->device_peak_bytes = larger(stats->device_peak_bytes, device->peak_bytes);
        stats->device_limit_bytes =
            larger(stats->device_limit_bytes, device->limit_bytes);
    }
    stats->resident_peak_bytes = hit_memory_peak_bytes();
}

hit_status hit_context_stats_all(hit_context *context, hit_stats *total)
{
    hit_stats mine;
    uint64_t sum[10];
    uint64_t most[4];

    if (context == NULL || total == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a context and a place for the figures but found NULL");
    }
    if (context->executor->stats != NULL) {
        context->executor->stats(context, total);
        total->resident_peak_bytes = hit_memory_peak_bytes();
        return HIT_OK;
    }
    hit_context_stats(context, &mine);
    sum[0] = mine.launches;
    sum[1] = mine.superblocks;
    sum[2] = mine.bytes_in;
    sum[3] = mine.bytes_out;
    sum[4] = mine.messages_sent;
    sum[5] = mine.message_bytes_sent;
    sum[6] = mine.indices;
    sum[7] = mine.replans;
    sum[8] = mine.chained;
    sum[9] = mine.threads;
    most[0] = mine.device_peak_bytes;
    most[1] = mine.device_limit_bytes;
    most[2] = mine.resident_peak_bytes;
    most[3] = (uint64_t)(mine.busy_s * 1e9);
    HIT_TRY(hit_comm_sum_u64(context->comm, sum, 10));
    HIT_TRY(hit_comm_max_u64(context->comm, most, 4));
    *total = (hit_stats){.launches = sum[0],
                         .superblocks = sum[1],
                         .bytes_in = sum[2],
                         .bytes_out = sum[3],
                         .messages_sent = sum[4],
                         .message_bytes_sent = sum[5],
                         .indices = sum[6],
                         .replans = sum[7],
                         .chained = sum[8],
                         .threads = sum[9],
                         .busy_s = (double)most[3] * 1e-9,
                         .device_peak_bytes = most[0],
                         .device_limit_bytes = most[1],
                         .resident_peak_bytes = most[2]};
    return HIT_OK;
}
