/* SPDX-License-Identifier: MIT
 * Dry runs: the program runs as ever, up to its launches. Each class of launches is
 * printed when it comes first, and at the end how often it came, at how many places, and
 * what all of them add up to.
 * The text is stable. */
#include "hit/dry/dry.h"

#include "hit/base/context.h"
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/comm/comm.h"
#include "hit/data/hash.h"
#include "hit/device/device.h"
#include "hit/dry/dry_impl.h"
#include "hit/launch/launcher.h"
#include "hit/measure/measure_impl.h"
#include "hit/tile/footprint.h"
#include "hit/tile/station.h"
#include "patterns/parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct dry_rates {
    uint64_t known; /* rates_key(); 0: they are not */
    hit_rates of[HIT_MAX_DEVICES];
} dry_rates;

typedef struct hit_dry {
    dry_rates rates; /* of the last new place; not known on processes that are silent */
    bool silent;     /* every process but one */
    bool json;
    bool measures; /* what is not known */
    FILE *out;     /* the context's */
    hit_seen *seen;
    hit_dry_looked looked;
    hit_sent less;          /* than the launches send where nothing is held */
    hit_dry_chains *chains; /* NULL: there are none */
} hit_dry;

hit_status hit_dry_open(hit_context *context, const hit_dry_request *request)
{
    hit_dry *made = NULL;
    hit_status st;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    st = hit_seen_create(&made->seen);
    if (st == HIT_OK) st = hit_footprint_create(context->size, &context->footprint);
    if (st != HIT_OK) {
        hit_seen_destroy(&made->seen);
        free(made);
        return st;
    }
    made->json = request->mode == HIT_DRY_JSON;
    made->measures = request->mode == HIT_DRY_MEASURE;
    made->silent = context->rank != 0;
    made->out = hit_context_reports(context);
    context->execution = made;
    context->executor = &hit_executor_dry;
    return HIT_OK;
}

void hit_dry_open_chains(hit_context *context)
{
    hit_dry *dry = context->execution;

    hit_dry_chains_open(context, (hit_dry_style){dry->silent, dry->json, dry->out},
                        dry->seen, &dry->chains);
}

static void print_device(FILE *out, const hit_context *context, bool json)
{
    char text[512];

    hit_device_describe_all(context->devices, context->device, text, sizeof(text));
    if (json) {
        hit_json line = {.file = out};

        hit_json_object(&line, NULL);
        hit_json_object(&line, "plan");
        hit_json_whole(&line, "processes", context->size);
        hit_json_text(&line, "device", text);
        hit_json_end_line(&line);
    } else {
        hit_say(out, "plan for %d process%s, each %s; nothing is run\n", context->size,
                context->size == 1 ? "" : "es", text);
    }
}

/* What is needed of a device's memory, and how much there is; nothing in place. */
static void print_memory(FILE *out, const hit_device *device, const char *between,
                         uint64_t bytes)
{
    char peak[32];
    char limit[32];

    if (hit_device_in_place(device)) return;
    hit_memory_print(bytes, peak, sizeof(peak));
    hit_memory_print(device->limit_bytes, limit, sizeof(limit));
    hit_say(out, "%s%s at most on one device, of %s", between, peak, limit);
}

static void print_devices(FILE *out, const hit_context *context,
                          const hit_preview *preview)
{
    for (int d = 0; d < context->devices; d++) {
        const hit_device_preview *one = &preview->device[d];

        hit_say(out,
                "  device %-7d %" PRIu64 " indices in all, %" PRIu64
                " at most on one process",
                d, one->indices.sum, one->indices.most);
        print_memory(out, context->device[d], ", ", one->peak_bytes);
        hit_say(out, "\n");
    }
}

static bool moves(const hit_context *context)
{
    for (int d = 0; d < context->devices; d++) {
        if (!hit_device_in_place(context->device[d])) return true;
    }
    return false;
}

/* Where it may run, if that was said. */
static void print_on(FILE *out, const hit_call *call)
{
    const hit_on on = hit_call_on(call);

    if (on.of_kernel == NULL && on.of_launch == NULL) return;
    hit_say(out, "  %-14s ", "on");
    if (on.of_launch != NULL) hit_say(out, "%s", on.of_launch);
    if (on.of_kernel != NULL) {
        hit_say(out, "%skernel: %s", on.of_launch != NULL ? "; " : "", on.of_kernel);
    }
    hit_say(out, "\n");
}

static void print_json_on(hit_json *line, const hit_call *call)
{
    const hit_on on = hit_call_on(call);

    if (on.of_launch != NULL) hit_json_text(line, "on", on.of_launch);
    if (on.of_kernel != NULL) hit_json_text(line, "kernel_on", on.of_kernel);
}

/* Nobody knows what stands in tiles. */
static bool takes_all(const hit_call *call)
{
    return hit_kernel_looks_in(call->kernel, -1) != 0;
}

static void print_text(const hit_call *call, int number, const hit_preview *preview)
{
    const hit_context *context = call->context;
    FILE *const out = hit_context_reports(context);
    char domain[128];

    hit_domain_print(&call->domain, domain, sizeof(domain));
    hit_say(out, "launch %d: %s on %s\n", number, call->kernel->name, domain);
    print_on(out, call);
    if (takes_all(call)) {
        hit_say(out, "  %-14s not known: of tiles where it says what is needed all is\n",
                "data");
    }
    hit_say(out, "  %-14s %d of %d have indices\n", "processes", preview->processes,
            context->size);
    hit_dry_print_figure(out, "indices", "", preview->indices);
    hit_dry_print_figure(out, "messages", "", preview->messages);
    hit_dry_print_figure(out, "message bytes", " B", preview->message_bytes);
    hit_dry_print_figure(out, "superblocks", "", preview->superblocks);
    if (context->devices > 1) print_devices(out, context, preview);
    if (!moves(context)) return;
    if (context->devices == 1) {
        print_memory(out, context->device[0], "  device memory  ", preview->peak_bytes);
        hit_say(out, "\n");
    }
    hit_dry_print_figure(out, "moved in", " B", preview->bytes_in);
    hit_dry_print_figure(out, "moved out", " B", preview->bytes_out);
}

static void print_json(const hit_call *call, int number, const hit_preview *preview)
{
    hit_json line = {.file = hit_context_reports(call->context)};
    char domain[128];

    hit_domain_print(&call->domain, domain, sizeof(domain));
    hit_json_object(&line, NULL);
    hit_json_whole(&line, "launch", number);
    hit_json_text(&line, "kernel", call->kernel->name);
    hit_json_text(&line, "domain", domain);
    hit_json_whole(&line, "processes", preview->processes);
    print_json_on(&line, call);
    if (takes_all(call)) hit_json_text(&line, "data", "not known");
    hit_dry_json_figure(&line, "indices", preview->indices);
    hit_dry_json_figure(&line, "messages", preview->messages);
    hit_dry_json_figure(&line, "message_bytes", preview->message_bytes);
    hit_dry_json_figure(&line, "superblocks", preview->superblocks);
    hit_dry_json_figure(&line, "bytes_in", preview->bytes_in);
    hit_dry_json_figure(&line, "bytes_out", preview->bytes_out);
    if (call->context->devices > 1) hit_json_list(&line, "devices");
    for (int d = 0; d < call->context->devices && call->context->devices > 1; d++) {
        hit_json_object(&line, NULL);
        hit_json_count(&line, "peak_bytes", preview->device[d].peak_bytes);
        hit_dry_json_figure(&line, "indices", preview->device[d].indices);
        hit_json_end(&line);
    }
    if (call->context->devices > 1) hit_json_end(&line);
    hit_json_count(&line, "peak_bytes", preview->peak_bytes);
    hit_dry_json_time(&line, preview->time);
    hit_json_end_line(&line);
}

static void forget_rates(dry_rates *rates)
{
    for (int d = 0; d < HIT_MAX_DEVICES; d++) {
        hit_rates_clear(&rates->of[d]);
    }
    *rates = (dry_rates){.known = 0};
}

/* What models are looked up by: at most places the kernel and the extents are those of
 * the place before. */
static uint64_t rates_key(const hit_call *call, const hit_known_kernel *known)
{
    const uint64_t key = hit_hash_extents(known->hash, &call->domain);

    return hit_hash_word(key, (uint64_t)hit_rates_extent(call, known)) | 1;
}

static void load_rates(const hit_call *call, const hit_known_kernel *known,
                       dry_rates *rates)
{
    const hit_context *context = call->context;
    const uint64_t key = rates_key(call, known);

    if (rates->known == key) return;
    forget_rates(rates);
    for (int d = 0; d < context->devices; d++) {
        hit_rates_load(call, known, context->device[d], &rates->of[d]);
    }
    rates->known = key;
}

/* Only process 0 prints times. */
static hit_status look(const hit_call *call, hit_seen_class *found,
                       hit_preview_boxes *boxes)
{
    hit_dry *dry = call->context->execution;

    if (!dry->silent) load_rates(call, found->known, &dry->rates);
    hit_rates_clear(&found->rates);
    HIT_TRY(hit_preview_make(call, found->known, dry->rates.of, &found->preview, boxes));
    return hit_rates_copy(&dry->rates.of[0], &found->rates);
}

/* Let process 0 know more, and look again. */
static hit_status look_closer(const hit_call *call, hit_seen_class *found)
{
    const hit_preview *preview = &found->preview;
    uint64_t lacks[HIT_MAX_DEVICES] = {preview->time.lacks & HIT_LACKS_MESSAGES};
    bool any = false;

    for (int d = 0; d < call->context->devices; d++) {
        lacks[d] |= preview->device[d].time.lacks;
    }
    HIT_TRY(hit_comm_broadcast(call->context->comm, 0, lacks, sizeof(lacks)));
    for (int d = 0; d < HIT_MAX_DEVICES; d++) {
        if (lacks[d] == 0) continue;
        HIT_TRY(hit_lacks_measure(call, found->known, d, &preview->device[d].sample,
                                  (unsigned)lacks[d]));
        any = true;
    }
    if (!any) return HIT_OK;
    forget_rates(&((hit_dry *)call->context->execution)->rates);
    return look(call, found, NULL);
}

static void print_class(const hit_call *call, int number)
{
    const hit_dry *dry = call->context->execution;
    const hit_preview *preview = &hit_seen_at(dry->seen, number)->preview;

    if (dry->silent) return;
    if (number == 0) print_device(dry->out, call->context, dry->json);
    if (dry->json) {
        print_json(call, number + 1, preview);
    } else {
        print_text(call, number + 1, preview);
        hit_dry_print_time(dry->out, preview->time);
    }
}

static hit_status add_class(const hit_call *call, uint64_t key, hit_seen_class *found,
                            int *number)
{
    hit_dry *dry = call->context->execution;
    hit_preview_boxes boxes = {0};
    hit_status status = look(call, found, &boxes);

    if (status == HIT_OK && dry->measures) status = look_closer(call, found);
    if (status == HIT_OK) {
        status = hit_dry_boxes_note(call, found->known, &boxes, &dry->less);
    }
    if (status == HIT_OK) status = hit_seen_add(dry->seen, found, key, &boxes, number);
    hit_preview_boxes_clear(&boxes);
    HIT_TRY(status);
    if (hit_seen_at(dry->seen, *number)->times == 1) print_class(call, *number);
    return HIT_OK;
}

/* The number of the launch's class, and its key. */
static hit_status find_class(const hit_call *call, uint64_t *key, int *number)
{
    hit_dry *dry = call->context->execution;
    hit_seen_class found = {.domain = call->domain};
    const hit_preview_boxes *boxes = NULL;
    hit_status status;

    HIT_TRY(hit_launcher_know(call, &found.known));
    *key = hit_launcher_key(call, found.known);
    *number = hit_seen_again(dry->seen, found.known, &call->domain, *key, &boxes);
    if (*number >= 0) return hit_dry_boxes_note(call, found.known, boxes, &dry->less);
    status = add_class(call, *key, &found, number);
    hit_rates_clear(&found.rates); /* if they were known before */
    return status;
}

static hit_status look_at(hit_call *call)
{
    hit_dry *dry = call->context->execution;
    uint64_t key = 0;
    int number = 0;

    HIT_TRY(find_class(call, &key, &number));
    HIT_TRY(hit_dry_look(&dry->looked, call, key, hit_seen_at(dry->seen, number)));
    if (dry->chains == NULL) return HIT_OK;
    return hit_dry_chains_note(dry->chains, call, key, number);
}

static hit_status launch(hit_call *call, hit_status checked)
{
    hit_status status = checked;

    if (status == HIT_OK) status = look_at(call);
    return hit_comm_agree(call->context->comm, status);
}

/* Copies of tiles fill a device's memory as long as there are tiles; there are more of
 * them on a disk. */
static uint64_t staged_bytes(const hit_context *context, uint64_t tiles_bytes)
{
    uint64_t bytes = 0;

    for (int d = 0; d < context->devices; d++) {
        const hit_device *device = context->device[d];

        if (hit_device_in_place(device) || !device->ops->uses_cores) continue;
        bytes += device->limit_bytes;
    }
    return context->disk == NULL && bytes > tiles_bytes ? tiles_bytes : bytes;
}

static hit_footprint_bytes find_most(const hit_context *context)
{
    hit_footprint_bytes most = hit_footprint_most(context->footprint);

    most.staged = staged_bytes(context, most.tiles);
    return most;
}

static void stats(const hit_context *context, hit_stats *total)
{
    const hit_dry *dry = context->execution;
    const hit_footprint_bytes most = hit_footprint_most(context->footprint);

    *total = hit_dry_sum(dry->seen, dry->less, dry->chains);
    total->host_peak_bytes = most.tiles + most.scratch;
    total->launches *= (uint64_t)context->size;
    total->chained *= (uint64_t)context->size;
}

static void close_dry(hit_context *context)
{
    hit_dry *dry = context->execution;

    if (dry == NULL) return;
    (void)hit_stations_run_recorded(context->stations); /* they are told, not run */
    if (dry->chains != NULL) (void)hit_dry_chains_end(dry->chains);
    if (!dry->silent) {
        hit_dry_print_totals((hit_dry_style){dry->silent, dry->json, dry->out}, dry->seen,
                             dry->less, dry->chains, find_most(context));
    }
    hit_dry_chains_destroy(&dry->chains);
    hit_seen_destroy(&dry->seen);
    hit_dry_looked_clear(&dry->looked);
    forget_rates(&dry->rates);
    hit_footprint_destroy(&context->footprint);
    free(dry);
    context->execution = NULL;
}

const hit_executor hit_executor_dry = {
    .name = "dry", .launch = launch, .stats = stats, .close = close_dry};
