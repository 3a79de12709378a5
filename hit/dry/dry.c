/* SPDX-License-Identifier: MIT
 * Dry runs: the program runs as ever, up to its launches. Each kind of launch is printed
 * when it comes first, and at the end how often it came and what all of them add up to.
 * The text is stable. */
#include "hit/dry/dry.h"

#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/number.h"
#include "hit/comm/comm.h"
#include "hit/device/device.h"
#include "hit/dry/dry_time.h"
#include "hit/launch/launcher.h"
#include "hit/measure/lacks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_PROCESSES = 1000000
};

typedef struct dry_launch {
    const hit_known_kernel *known;
    hit_domain domain;
    uint64_t key;
    uint64_t times;
    hit_preview preview;
} dry_launch;

typedef struct hit_dry {
    bool silent; /* every process but one */
    bool json;
    bool measures; /* what is not known */
    int launches;
    dry_launch *launch;
} hit_dry;

static hit_status read_processes(const char *text, int *processes)
{
    hit_index value;

    HIT_TRY(hit_number_read("HIT_PLAN_PROCESSES", text, 1, MAX_PROCESSES, &value));
    *processes = (int)value;
    return HIT_OK;
}

static hit_status choose_processes(int present, int *processes)
{
    const char *text = getenv("HIT_PLAN_PROCESSES");

    *processes = present;
    if (text == NULL || *text == '\0') return HIT_OK;
    HIT_TRY(read_processes(text, processes));
    if (present > 1 && *processes != present) {
        return HIT_FAIL(HIT_E_ARG,
                        "HIT_PLAN_PROCESSES: expected one process that plans for %d but "
                        "found %d processes",
                        *processes, present);
    }
    return HIT_OK;
}

typedef enum mode {
    NOT_DRY,
    TEXT,
    MEASURE, /* and text */
    JSON
} mode;

static hit_status read_mode(uint64_t *found)
{
    const char *text = getenv("HIT_PLAN");

    if (text == NULL || *text == '\0' || strcmp(text, "0") == 0) {
        *found = NOT_DRY;
    } else if (strcmp(text, "1") == 0) {
        *found = TEXT;
    } else if (strcmp(text, "measure") == 0) {
        *found = MEASURE;
    } else if (strcmp(text, "json") == 0) {
        *found = JSON;
    } else {
        return HIT_FAIL(
            HIT_E_ARG, "HIT_PLAN: expected 0, 1, measure or json but found \"%s\"", text);
    }
    return HIT_OK;
}

hit_status hit_dry_ask(hit_comm *comm, hit_dry_request *request)
{
    uint64_t said[2] = {NOT_DRY, 0};
    int processes = 0;
    hit_status status = HIT_OK;

    if (hit_comm_rank(comm) == 0) status = read_mode(&said[0]);
    if (status == HIT_OK && said[0] != NOT_DRY) {
        status = choose_processes(hit_comm_size(comm), &processes);
        said[1] = (uint64_t)processes;
    }
    HIT_TRY(hit_comm_agree(comm, status));
    /* the environment of process 0 counts: it may not have reached the others */
    HIT_TRY(hit_comm_broadcast(comm, 0, said, sizeof(said)));
    *request = (hit_dry_request){.mode = (int)said[0], .processes = (int)said[1]};
    return HIT_OK;
}

hit_status hit_dry_open(hit_context *context, const hit_dry_request *request)
{
    hit_dry *made = NULL;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    made->json = request->mode == JSON;
    made->measures = request->mode == MEASURE;
    made->silent = context->rank != 0;
    context->execution = made;
    context->executor = &hit_executor_dry;
    return HIT_OK;
}

static void print_device(const hit_context *context, bool json)
{
    char text[512];

    hit_device_describe_all(context->devices, context->device, text, sizeof(text));
    if (json) {
        printf("{\"plan\": {\"processes\": %d, \"device\": \"%s\"}}\n", context->size,
               text);
    } else {
        printf("plan for %d process%s, each %s; nothing is run\n", context->size,
               context->size == 1 ? "" : "es", text);
    }
}

static void print_figure(const char *name, const char *unit, hit_figure figure)
{
    printf("  %-14s %" PRIu64 "%s in all, %" PRIu64 "%s at most on one process\n", name,
           figure.sum, unit, figure.most, unit);
}

/* What is needed of a device's memory, and how much there is; nothing in place. */
static void print_memory(const hit_device *device, const char *between, uint64_t bytes)
{
    char peak[32];
    char limit[32];

    if (hit_device_in_place(device)) return;
    hit_memory_print(bytes, peak, sizeof(peak));
    hit_memory_print(device->limit_bytes, limit, sizeof(limit));
    printf("%s%s at most on one device, of %s", between, peak, limit);
}

static void print_devices(const hit_context *context, const hit_preview *preview)
{
    for (int d = 0; d < context->devices; d++) {
        const hit_device_preview *one = &preview->device[d];

        printf("  device %-7d %" PRIu64 " indices in all, %" PRIu64
               " at most on one process",
               d, one->indices.sum, one->indices.most);
        print_memory(context->device[d], ", ", one->peak_bytes);
        printf("\n");
    }
}

static bool moves(const hit_context *context)
{
    for (int d = 0; d < context->devices; d++) {
        const hit_device *device = context->device[d];

        if (!hit_device_in_place(device)) return true;
    }
    return false;
}

static void print_text(const hit_call *call, int number, const hit_preview *preview)
{
    const hit_context *context = call->context;
    char domain[128];

    hit_domain_print(&call->domain, domain, sizeof(domain));
    printf("launch %d: %s on %s\n", number, call->kernel->name, domain);
    printf("  %-14s %d of %d have indices\n", "processes", preview->processes,
           context->size);
    print_figure("indices", "", preview->indices);
    print_figure("messages", "", preview->messages);
    print_figure("message bytes", " B", preview->message_bytes);
    print_figure("superblocks", "", preview->superblocks);
    if (context->devices > 1) print_devices(context, preview);
    if (!moves(context)) return;
    if (context->devices == 1) {
        printf("  %-14s ", "device memory");
        print_memory(context->device[0], "", preview->peak_bytes);
        printf("\n");
    }
    print_figure("moved in", " B", preview->bytes_in);
    print_figure("moved out", " B", preview->bytes_out);
}

static void print_json_figure(const char *name, hit_figure figure)
{
    printf(", \"%s\": {\"sum\": %" PRIu64 ", \"most\": %" PRIu64 "}", name, figure.sum,
           figure.most);
}

static void print_json(const hit_call *call, int number, const hit_preview *preview)
{
    char domain[128];

    hit_domain_print(&call->domain, domain, sizeof(domain));
    printf("{\"launch\": %d, \"kernel\": \"%s\", \"domain\": \"%s\", \"processes\": %d",
           number, call->kernel->name, domain, preview->processes);
    print_json_figure("indices", preview->indices);
    print_json_figure("messages", preview->messages);
    print_json_figure("message_bytes", preview->message_bytes);
    print_json_figure("superblocks", preview->superblocks);
    print_json_figure("bytes_in", preview->bytes_in);
    print_json_figure("bytes_out", preview->bytes_out);
    for (int d = 0; d < call->context->devices && call->context->devices > 1; d++) {
        const hit_device_preview *one = &preview->device[d];

        printf("%s{\"peak_bytes\": %" PRIu64, d == 0 ? ", \"devices\": [" : ", ",
               one->peak_bytes);
        print_json_figure("indices", one->indices);
        printf("}%s", d == call->context->devices - 1 ? "]" : "");
    }
    printf(", \"peak_bytes\": %" PRIu64, preview->peak_bytes);
    hit_dry_json_time(preview->time);
    printf("}\n");
}

static dry_launch *find_launch(const hit_dry *dry, const hit_call *call,
                               const hit_known_kernel *known, uint64_t key)
{
    for (int k = 0; k < dry->launches; k++) {
        dry_launch *seen = &dry->launch[k];

        if (seen->key == key && hit_domain_equal(&seen->domain, &call->domain) &&
            seen->known == known) {
            return seen;
        }
    }
    return NULL;
}

static hit_status add_launch(hit_dry *dry, const hit_call *call,
                             const hit_known_kernel *known, uint64_t key,
                             const hit_preview *preview)
{
    HIT_TRY(hit_memory_resize((size_t)dry->launches + 1, sizeof(dry_launch), "a dry run",
                              &dry->launch));
    dry->launch[dry->launches++] = (dry_launch){known, call->domain, key, 1, *preview};
    return HIT_OK;
}

/* Only process 0 prints times. */
static hit_status look(const hit_call *call, const hit_known_kernel *known,
                       hit_preview *preview)
{
    const hit_context *context = call->context;
    const hit_dry *dry = context->execution;
    hit_rates rates[HIT_MAX_DEVICES] = {{.kernel = NULL}};
    hit_status status;

    for (int d = 0; d < context->devices && !dry->silent; d++) {
        hit_rates_load(call, known, context->device[d], &rates[d]);
    }
    status = hit_preview_make(call, known, rates, preview);
    for (int d = 0; d < context->devices; d++) {
        hit_rates_clear(&rates[d]);
    }
    return status;
}

/* Let process 0 know more, and look again. */
static hit_status look_closer(const hit_call *call, const hit_known_kernel *known,
                              hit_preview *preview)
{
    uint64_t lacks[HIT_MAX_DEVICES] = {preview->time.lacks & HIT_LACKS_MESSAGES};
    bool any = false;

    for (int d = 0; d < call->context->devices; d++) {
        lacks[d] |= preview->device[d].time.lacks;
    }
    HIT_TRY(hit_comm_broadcast(call->context->comm, 0, lacks, sizeof(lacks)));
    for (int d = 0; d < HIT_MAX_DEVICES; d++) {
        if (lacks[d] == 0) continue;
        HIT_TRY(hit_lacks_measure(call, known, d, &preview->device[d].sample,
                                  (unsigned)lacks[d]));
        any = true;
    }
    return any ? look(call, known, preview) : HIT_OK;
}

static hit_status look_at(const hit_call *call)
{
    hit_dry *dry = call->context->execution;
    const hit_known_kernel *known = NULL;
    hit_preview preview;
    dry_launch *seen;
    uint64_t key;

    HIT_TRY(hit_launcher_know(call->context, call->kernel, &known));
    key = hit_launcher_key(call, known);
    seen = find_launch(dry, call, known, key);
    if (seen != NULL) {
        seen->times++;
        return HIT_OK;
    }
    HIT_TRY(look(call, known, &preview));
    if (dry->measures) HIT_TRY(look_closer(call, known, &preview));
    HIT_TRY(add_launch(dry, call, known, key, &preview));
    if (dry->silent) return HIT_OK;
    if (dry->launches == 1) print_device(call->context, dry->json);
    if (dry->json) {
        print_json(call, dry->launches, &preview);
    } else {
        print_text(call, dry->launches, &preview);
        hit_dry_print_time(preview.time);
    }
    return HIT_OK;
}

static hit_status launch(hit_call *call, hit_status checked)
{
    hit_status status = checked;

    if (status == HIT_OK) status = look_at(call);
    return hit_comm_agree(call->context->comm, status);
}

/* What all launches so far would have done, on all processes together. */
static hit_stats add_up(const hit_dry *dry)
{
    hit_stats all = {0};

    for (int k = 0; k < dry->launches; k++) {
        const uint64_t times = dry->launch[k].times;
        const hit_preview *one = &dry->launch[k].preview;

        all.launches += times;
        all.indices += times * one->indices.sum;
        all.superblocks += times * one->superblocks.sum;
        all.messages_sent += times * one->messages.sum;
        all.message_bytes_sent += times * one->message_bytes.sum;
        all.bytes_in += times * one->bytes_in.sum;
        all.bytes_out += times * one->bytes_out.sum;
        if (one->peak_bytes > all.device_peak_bytes) {
            all.device_peak_bytes = one->peak_bytes;
        }
    }
    return all;
}

static void stats(const hit_context *context, hit_stats *total)
{
    *total = add_up(context->execution);
    total->launches *= (uint64_t)context->size;
}

static void print_totals(const hit_dry *dry)
{
    const hit_stats all = add_up(dry);
    hit_forecast time = {0};

    for (int k = 0; k < dry->launches; k++) {
        const dry_launch *one = &dry->launch[k];

        time = hit_dry_add_times(time, one->preview.time, one->times);
    }
    printf(dry->json ? "{\"launches\": %" PRIu64 ", \"superblocks\": %" PRIu64
                       ", \"messages\": %" PRIu64 ", \"message_bytes\": %" PRIu64
                       ", \"bytes_in\": %" PRIu64 ", \"bytes_out\": %" PRIu64
                     : "in all: %" PRIu64 " launches, %" PRIu64 " superblocks, %" PRIu64
                       " messages of %" PRIu64 " B, moved in %" PRIu64 " B, out %" PRIu64
                       " B\n",
           all.launches, all.superblocks, all.messages_sent, all.message_bytes_sent,
           all.bytes_in, all.bytes_out);
    if (!dry->json) {
        hit_dry_print_total(time);
        return;
    }
    hit_dry_json_time(time);
    printf("}\n");
}

static void close_dry(hit_context *context)
{
    hit_dry *dry = context->execution;

    if (dry == NULL) return;
    for (int k = 0; k < dry->launches && !dry->silent; k++) {
        const uint64_t times = dry->launch[k].times;

        if (dry->json) {
            printf("{\"launch\": %d, \"times\": %" PRIu64 "}\n", k + 1, times);
        } else if (times > 1) {
            printf("launch %d: %" PRIu64 " times\n", k + 1, times);
        }
    }
    if (dry->launches > 0 && !dry->silent) print_totals(dry);
    free(dry->launch);
    free(dry);
    context->execution = NULL;
}

const hit_executor hit_executor_dry = {
    .name = "dry", .launch = launch, .stats = stats, .close = close_dry};
