/* SPDX-License-Identifier: MIT
 * Opening and closing: processes first, then this process's device. */
#define _POSIX_C_SOURCE 200809L /* sysconf */

#include "hit/context.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/device/cores.h"
#include "hit/device/device.h"
#include "hit/launch/dry.h"
#include "hit/launch/launcher.h"
#include "hit/launch/links.h"
#include "hit/launch/trace_write.h"
#include "hit/mpi.h"
#include "hit/topo/layout_impl.h"
#include "layouts/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MAX_DEVICES = 64,
    MAX_THREADS = 4096
};

static hit_status parse_threads(const char *text, int *threads)
{
    char *end = NULL;
    long value;

    errno = 0;
    value = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < 1 || value > MAX_THREADS) {
        return HIT_FAIL(HIT_E_ARG,
                        "HIT_THREADS: expected a number from 1 to %d but found \"%s\"",
                        MAX_THREADS, text);
    }
    *threads = (int)value;
    return HIT_OK;
}

/* This process's share of the cores. Where the processes of a host are bound to different
 * cores, each sees its own; where they are not, all see the same, and share. */
static hit_status share_of_cores(const hit_comm *comm, int *threads)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    hit_cores *cores = NULL;
    int rank = 0;
    int processes = 1;
    int mine;

    HIT_TRY(hit_cores_open(&cores));
    hit_comm_local(comm, &rank, &processes);
    mine = hit_cores_count(cores);
    hit_cores_close(&cores);
    if ((long)mine * processes > online) mine /= processes;
    *threads = mine > 0 ? mine : 1;
    return HIT_OK;
}

static hit_status choose_threads(const hit_options *options, const hit_comm *comm,
                                 int *threads)
{
    const char *text = getenv("HIT_THREADS");

    if (options->threads < 0 || options->threads > MAX_THREADS) {
        return HIT_FAIL(HIT_E_ARG, "expected 0 to %d threads but found %d", MAX_THREADS,
                        options->threads);
    }
    *threads = options->threads;
    if (*threads > 0) return HIT_OK;
    if (text != NULL && *text != '\0') return parse_threads(text, threads);
    return share_of_cores(comm, threads);
}

/* Without a list: the GPUs of this machine where there are some, else the host's cores.
 */
static hit_status discover(int capacity, hit_device_spec spec[], int *count)
{
    const char *why = NULL;

    *count = 0;
    for (int k = 0; k < hit_device_table_count; k++) {
        const hit_device_ops *ops = hit_device_table[k];
        const bool host = strcmp(ops->kind, "host") == 0;
        const int found = host ? 0 : ops->count(&why);

        for (int index = 0; index < found && *count < capacity; index++) {
            hit_device_spec *made = &spec[(*count)++];

            *made = (hit_device_spec){.index = index, .first_core = -1, .last_core = -1};
            strncpy(made->kind, ops->kind, sizeof(made->kind) - 1);
        }
    }
    if (*count > 0) return HIT_OK;
    return hit_device_parse("host", capacity, spec, count);
}

static hit_status open_device(hit_context *context, const hit_options *options)
{
    hit_device_spec specs[MAX_DEVICES];
    const char *list = options->devices;
    hit_device_spec spec;
    int count = 0;
    int rank = 0;
    int processes = 1;

    if (list == NULL) list = getenv("HIT_DEVICES");
    if (list != NULL && *list != '\0') {
        HIT_TRY(hit_device_parse(list, MAX_DEVICES, specs, &count));
    } else {
        HIT_TRY(discover(MAX_DEVICES, specs, &count));
    }
    hit_comm_local(context->comm, &rank, &processes);
    spec = specs[rank % count];
    if (spec.threads == 0 && spec.first_core < 0) {
        HIT_TRY(choose_threads(options, context->comm, &spec.threads));
    }
    if (options->device_memory_bytes > 0) {
        spec.memory_bytes = options->device_memory_bytes;
        spec.staged = strcmp(spec.kind, "host") == 0;
    }
    spec.trace = context->trace;
    return hit_device_open(&spec, &context->device);
}

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
                           open_device(made, options != NULL ? options : &usual)));
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
            hit_device_close(&made->device);
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
    hit_device_close(&closing->device);
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
    return context != NULL ? hit_comm_time(context->comm) : 0;
}

void hit_context_stats(const hit_context *context, hit_stats *stats)
{
    const hit_device *device;

    if (stats != NULL) *stats = (hit_stats){0};
    if (context == NULL || stats == NULL) return;
    device = context->device;
    if (context->launcher != NULL) {
        stats->launches = context->launcher->launches;
        stats->superblocks = context->launcher->superblocks;
        stats->replans = context->launcher->replans;
        stats->bytes_in = context->launcher->residents.bytes_in;
        stats->bytes_out = context->launcher->residents.bytes_out;
        stats->messages_sent = context->launcher->messages_sent;
        stats->message_bytes_sent = context->launcher->message_bytes_sent;
        stats->indices = context->launcher->indices;
        stats->busy_s = context->launcher->busy_s;
    }
    if (!device->ops->in_place(device->state)) {
        stats->device_peak_bytes = device->peak_bytes;
        stats->device_limit_bytes = device->limit_bytes;
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
    if (text != NULL && size > 0) text[0] = '\0';
    if (context == NULL || text == NULL) return;
    context->device->ops->describe(context->device->state, text, size);
}

const char *hit_version(void)
{
    return HIT_VERSION;
}
