/* SPDX-License-Identifier: MIT
 * Opening and closing: processes first, then the devices of this process. */
#include "hit/context.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/device/device.h"
#include "hit/devices.h"
#include "hit/launch/dry.h"
#include "hit/launch/launcher.h"
#include "hit/launch/links.h"
#include "hit/launch/trace_write.h"
#include "hit/mpi.h"
#include "hit/topo/layout_impl.h"
#include "layouts/search.h"
#include "layouts/sharing.h"

#include <stdlib.h>
#include <string.h>

static hit_status broadcast(hit_context *context, int root, void *data, size_t size_bytes)
{
    return hit_comm_broadcast(context->comm, root, data, size_bytes);
}

static hit_status agree(hit_context *context, hit_status status)
{
    return hit_comm_agree(context->comm, status);
}

/* What all processes take part in, step by step: one that fails stops all. */
static hit_status set_up(hit_context *made, const hit_options *options)
{
    const hit_options usual = {0};

    HIT_TRY(hit_trace_open(made));
    HIT_TRY(hit_comm_agree(made->comm,
                           hit_devices_open(made, options != NULL ? options : &usual)));
    hit_links_install(made);
    return hit_dry_open(made);
}

static hit_status make_context(hit_comm *comm, hit_context **context)
{
    hit_context *made = calloc(1, sizeof(hit_context));

    if (made == NULL) return HIT_FAIL(HIT_E_NOMEM, "no memory for a context");
    made->comm = comm;
    made->rank = hit_comm_rank(comm);
    made->size = hit_comm_size(comm);
    made->broadcast = broadcast;
    made->agree = agree;
    made->sharing = &hit_sharing_by_speed;
    made->search = hit_layout_search;
    *context = made;
    return HIT_OK;
}

/* Takes @p comm, also on failure. */
static hit_status open_over(hit_comm *comm, const hit_options *options,
                            hit_context **context)
{
    hit_context *made = NULL;
    hit_status status = hit_comm_agree(comm, make_context(comm, &made));

    if (status == HIT_OK) status = set_up(made, options);
    if (status != HIT_OK) {
        if (made != NULL) {
            hit_devices_close(made);
            hit_trace_destroy(&made->trace);
        }
        free(made);
        hit_comm_close(&comm);
        return status;
    }
    *context = made;
    return HIT_OK;
}

hit_status hit_open_with(int *argc, char ***argv, const hit_options *options,
                         hit_context **context)
{
    hit_comm *comm = NULL;

    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a place for the context");
    HIT_TRY(hit_comm_open(argc, argv, &comm));
    return open_over(comm, options, context);
}

hit_status hit_open(int *argc, char ***argv, hit_context **context)
{
    return hit_open_with(argc, argv, NULL, context);
}

hit_status hit_open_from(const void *mpi_comm, const hit_options *options,
                         hit_context **context)
{
    hit_comm *comm = NULL;

    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a place for the context");
    if (mpi_comm == NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a communicator but found NULL");
    }
    HIT_TRY(hit_comm_open_from(mpi_comm, &comm));
    return open_over(comm, options, context);
}

void hit_close(hit_context **context)
{
    hit_context *closing;

    if (context == NULL || *context == NULL) return;
    closing = *context;
    (void)hit_settle(closing);
    hit_trace_close(closing);
    hit_dry_close(&closing->dry);
    hit_launcher_destroy(&closing->launcher);
    hit_layout_registry_destroy(&closing->layouts);
    hit_kernel_registry_destroy(&closing->kernels);
    hit_devices_close(closing);
    hit_comm_close(&closing->comm);
    closing->closed = 1;
    if (closing->tiles_alive == 0) free(closing);
    *context = NULL;
}

int hit_rank(const hit_context *context)
{
    return context != NULL ? context->rank : -1;
}

int hit_size(const hit_context *context)
{
    return context != NULL ? context->size : 0;
}

hit_status hit_barrier(hit_context *context)
{
    hit_status status;

    if (context == NULL) return HIT_FAIL(HIT_E_ARG, "expected a context but found NULL");
    status = hit_settle(context);
    HIT_TRY(hit_comm_barrier(context->comm));
    return status;
}

double hit_time(const hit_context *context)
{
    return context != NULL ? hit_clock_now(&context->clock) : 0;
}

/* What the launches did on one device. */
static void add_station(const hit_station *station, hit_stats *stats)
{
    stats->superblocks += station->superblocks;
    stats->replans += station->replans;
    stats->bytes_in += station->residents.bytes_in;
    stats->bytes_out += station->residents.bytes_out;
}

static void add_launches(const hit_launcher *launcher, hit_stats *stats)
{
    stats->launches = launcher->launches;
    stats->messages_sent = launcher->messages_sent;
    stats->message_bytes_sent = launcher->message_bytes_sent;
    stats->indices = launcher->indices;
    stats->busy_s = launcher->busy_s;
    for (int k = 0; k < launcher->stations; k++) {
        add_station(&launcher->station[k], stats);
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
    if (context->launcher != NULL) add_launches(context->launcher, stats);
    for (int k = 0; k < context->devices; k++) {
        const hit_device *device = context->device[k];

        if (device->ops->in_place(device->state)) continue;
        stats->device_peak_bytes = larger(stats->device_peak_bytes, device->peak_bytes);
        stats->device_limit_bytes =
            larger(stats->device_limit_bytes, device->limit_bytes);
    }
    stats->resident_peak_bytes = hit_memory_peak_bytes();
}

hit_status hit_context_stats_all(hit_context *context, hit_stats *total)
{
    hit_stats mine;
    uint64_t sum[8];
    uint64_t most[4];

    if (context == NULL || total == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a context and a place for the figures but found NULL");
    }
    if (context->dry != NULL) {
        hit_dry_stats(context->dry, total);
        total->launches *= (uint64_t)context->size;
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
    most[0] = mine.device_peak_bytes;
    most[1] = mine.device_limit_bytes;
    most[2] = mine.resident_peak_bytes;
    most[3] = (uint64_t)(mine.busy_s * 1e9);
    HIT_TRY(hit_comm_sum_u64(context->comm, sum, 8));
    HIT_TRY(hit_comm_max_u64(context->comm, most, 4));
    *total = (hit_stats){.launches = sum[0],
                         .superblocks = sum[1],
                         .bytes_in = sum[2],
                         .bytes_out = sum[3],
                         .messages_sent = sum[4],
                         .message_bytes_sent = sum[5],
                         .indices = sum[6],
                         .replans = sum[7],
                         .busy_s = (double)most[3] * 1e-9,
                         .device_peak_bytes = most[0],
                         .device_limit_bytes = most[1],
                         .resident_peak_bytes = most[2]};
    return HIT_OK;
}

void hit_context_device(const hit_context *context, char *text, size_t size)
{
    if (text == NULL || size == 0) return;
    text[0] = '\0';
    if (context == NULL) return;
    for (int k = 0; k < context->devices; k++) {
        const hit_device *device = context->device[k];
        size_t used;

        if (k > 0) strncat(text, " + ", size - strlen(text) - 1);
        used = strlen(text);
        device->ops->describe(device->state, text + used, size - used);
    }
}

const char *hit_version(void)
{
    return HIT_VERSION;
}
