/* SPDX-License-Identifier: MIT
 * Dry runs: the program runs as ever, up to its launches. Each class of launches is
 * printed when it comes first, and at the end how often it came, at how many places, and
 * what all of them add up to.
 * The text is stable. */
#include "hit/dry/dry.h"

#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/base/text.h"
#include "hit/device/nodes.h"
#include "hit/dry/dry_impl.h"
#include "hit/tile/footprint.h"
#include "hit/tile/station.h"
#include "patterns/parse.h"

#include <inttypes.h>
#include <stdlib.h>

hit_status hit_dry_open(hit_context *context, const hit_dry_request *request)
{
    hit_dry *made = NULL;
    hit_status st;

    if (request->mode == HIT_DRY_MEASURE && hit_nodes_machine(context) != NULL) {
        return HIT_FAIL(HIT_E_ARG, "HIT_PLAN: expected 1 or json on a simulated machine, "
                                   "whose file says how fast it is, but found measure");
    }
    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    st = hit_seen_create(&made->seen);
    if (st == HIT_OK) st = hit_dry_rates_create(context, &made->rates);
    if (st == HIT_OK) st = hit_dry_clocks_create(context->size, &made->clocks);
    if (st == HIT_OK) st = hit_footprint_create(context->size, &context->footprint);
    if (st != HIT_OK) {
        hit_dry_rates_clear(&made->rates);
        hit_dry_clocks_clear(&made->clocks);
        hit_seen_destroy(&made->seen);
        free(made);
        return st;
    }
    made->style = (hit_dry_style){.silent = context->rank != 0,
                                  .json = request->mode == HIT_DRY_JSON,
                                  .cluster = hit_nodes_machine(context) != NULL,
                                  .rest_w = hit_dry_rest_watts(context),
                                  .out = hit_context_reports(context)};
    made->measures = request->mode == HIT_DRY_MEASURE;
    made->beside_bytes = hit_memory_resident_bytes();
    context->execution = made;
    context->executor = &hit_executor_dry;
    return HIT_OK;
}

void hit_dry_open_chains(hit_context *context)
{
    hit_dry *dry = context->execution;

    hit_dry_count_open(context, &dry->count);
    hit_dry_chains_open(context, dry->style, dry->count.runs, dry->seen, &dry->chains);
}

/* The devices of each kind of processes. */
static void print_kinds(FILE *out, const hit_context *context)
{
    const int kinds = hit_nodes_kinds(context);
    char text[HIT_NODE_TEXT];

    hit_say(out, "plan for %d process%s of %d kinds; nothing is run\n", context->size,
            context->size == 1 ? "" : "es", kinds);
    for (int k = 0; k < kinds; k++) {
        hit_nodes_describe(context, k, text);
        hit_say(out, "  %-14d %s\n", hit_nodes_count(context, k), text);
    }
}

static void print_json_kinds(hit_json *line, const hit_context *context)
{
    char text[HIT_NODE_TEXT];

    hit_json_list(line, "kinds");
    for (int k = 0; k < hit_nodes_kinds(context); k++) {
        hit_nodes_describe(context, k, text);
        hit_json_object(line, NULL);
        hit_json_whole(line, "processes", hit_nodes_count(context, k));
        hit_json_text(line, "device", text);
        hit_json_end(line);
    }
    hit_json_end(line);
}

static void print_device(FILE *out, const hit_context *context, bool json)
{
    const bool alike = hit_nodes_kinds(context) == 1;
    char text[HIT_NODE_TEXT];

    hit_nodes_describe(context, 0, text);
    if (json) {
        hit_json line = {.file = out};

        hit_json_object(&line, NULL);
        hit_json_object(&line, "plan");
        hit_json_whole(&line, "processes", context->size);
        if (alike) {
            hit_json_text(&line, "device", text);
        } else {
            print_json_kinds(&line, context);
        }
        hit_json_end_line(&line);
    } else if (alike) {
        hit_say(out, "plan for %d process%s, each %s; nothing is run\n", context->size,
                context->size == 1 ? "" : "es", text);
    } else {
        print_kinds(out, context);
    }
}

/* What is needed of a device's memory, and how much there is; nothing in place. */
static void print_memory(FILE *out, const hit_context *context, int d,
                         const char *between, uint64_t bytes)
{
    const uint64_t limit_bytes = hit_dry_device_limit(context, d);
    char peak[32];
    char limit[32];

    if (bytes == 0 && limit_bytes == 0) return;
    hit_memory_print(bytes, peak, sizeof(peak));
    hit_say(out, "%s%s at most on one device", between, peak);
    if (limit_bytes == 0) return;
    hit_memory_print(limit_bytes, limit, sizeof(limit));
    hit_say(out, ", of %s", limit);
}

static void print_devices(FILE *out, const hit_context *context,
                          const hit_preview *preview)
{
    for (int d = 0; d < preview->devices; d++) {
        const hit_device_preview *one = &preview->device[d];

        hit_say(out,
                "  device %-7d %" PRIu64 " indices in all, %" PRIu64
                " at most on one process",
                d, one->indices.sum, one->indices.most);
        print_memory(out, context, d, ", ", one->peak_bytes);
        hit_say(out, "\n");
    }
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
    return hit_kernel_looks_in(call->kernel, -1) != 0 ||
           hit_where_looks_in(call->where) != 0;
}

static void print_text(const hit_call *call, int number, const hit_preview *preview)
{
    const hit_context *context = call->context;
    FILE *const out = hit_context_reports(context);
    char domain[128];

    hit_call_print_domain(call, domain, sizeof(domain));
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
    if (preview->devices > 1) print_devices(out, context, preview);
    if (hit_dry_device_most(context) == 0) return;
    if (preview->devices == 1) {
        print_memory(out, context, 0, "  device memory  ", preview->peak_bytes);
        hit_say(out, "\n");
    }
    hit_dry_print_figure(out, "moved in", " B", preview->bytes_in);
    hit_dry_print_figure(out, "moved out", " B", preview->bytes_out);
}

static void print_json(const hit_call *call, int number, const hit_preview *preview)
{
    hit_json line = {.file = hit_context_reports(call->context)};
    char domain[128];

    hit_call_print_domain(call, domain, sizeof(domain));
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
    if (preview->devices > 1) hit_json_list(&line, "devices");
    for (int d = 0; d < preview->devices && preview->devices > 1; d++) {
        hit_json_object(&line, NULL);
        hit_json_count(&line, "peak_bytes", preview->device[d].peak_bytes);
        hit_dry_json_figure(&line, "indices", preview->device[d].indices);
        hit_json_end(&line);
    }
    if (preview->devices > 1) hit_json_end(&line);
    hit_json_count(&line, "peak_bytes", preview->peak_bytes);
    hit_dry_json_time(&line, preview->time);
    hit_json_end_line(&line);
}

/* Only process 0 prints times. */
static hit_status look(const hit_call *call, hit_seen_class *found,
                       hit_preview_parts *parts)
{
    hit_dry *dry = call->context->execution;

    if (!dry->style.silent) hit_dry_rates_load(call, found->known, &dry->rates);
    hit_rates_clear(&found->rates);
    HIT_TRY(hit_preview_make(call, found->known, dry->rates.of, &found->preview, parts));
    return hit_rates_copy(&dry->rates.of[0], &found->rates);
}

/* Let process 0 know more, and look again. */
static hit_status look_closer(const hit_call *call, hit_seen_class *found,
                              hit_preview_parts *parts)
{
    hit_dry *dry = call->context->execution;
    bool any;

    HIT_TRY(
        hit_dry_rates_measure(call, found->known, &found->preview, &dry->rates, &any));
    if (!any) return HIT_OK;
    hit_preview_parts_clear(parts);
    return look(call, found, parts);
}

static void print_class(const hit_call *call, int number)
{
    const hit_dry *dry = call->context->execution;
    const hit_preview *preview = &hit_seen_at(dry->seen, number)->preview;

    if (dry->style.silent) return;
    if (number == 0) print_device(dry->style.out, call->context, dry->style.json);
    if (dry->style.json) {
        print_json(call, number + 1, preview);
    } else {
        print_text(call, number + 1, preview);
        hit_dry_print_time(dry->style, preview->time);
    }
}

/* Of a kind of launches the first one is planned by all processes together. */
static hit_status add_vote(const hit_call *call, const hit_rates *rates)
{
    hit_dry *dry = call->context->execution;
    bool is_new;

    HIT_TRY(hit_dry_see(&dry->looked, hit_move_kind(call), &is_new));
    if (!is_new) return HIT_OK;
    (void)hit_dry_clocks_meet(&dry->clocks);
    dry->votes = hit_forecast_add(
        dry->votes, hit_predict_vote(rates, call->context->size, 3 * sizeof(uint64_t)));
    return HIT_OK;
}

static hit_status add_class(const hit_call *call, uint64_t key, hit_seen_class *found,
                            int *number)
{
    hit_dry *dry = call->context->execution;
    hit_preview_parts parts = {0};
    hit_status status = look(call, found, &parts);

    if (status == HIT_OK && dry->measures) status = look_closer(call, found, &parts);
    if (status == HIT_OK) {
        status = hit_dry_boxes_note(call, &parts, &dry->less);
    }
    if (status == HIT_OK) status = add_vote(call, &found->rates);
    if (status == HIT_OK) status = hit_seen_add(dry->seen, found, key, &parts, number);
    hit_preview_parts_clear(&parts);
    HIT_TRY(status);
    if (hit_seen_at(dry->seen, *number)->times == 1) print_class(call, *number);
    return HIT_OK;
}

/* The number of the launch's class, and its key. */
static hit_status find_class(const hit_call *call, uint64_t *key, int *number)
{
    hit_dry *dry = call->context->execution;
    hit_seen_class found = {.domain = call->domain};
    hit_status status;

    HIT_TRY(hit_launcher_know(call, &found.known));
    *key = hit_launcher_key(call, found.known);
    *number = hit_seen_again(dry->seen, found.known, &call->domain, *key);
    if (*number >= 0) {
        return hit_dry_boxes_note(call, hit_seen_parts(dry->seen), &dry->less);
    }
    status = add_class(call, *key, &found, number);
    hit_rates_clear(&found.rates); /* if they were known before */
    return status;
}

/* Of one process none is narrow. */
static void add_time(hit_dry *dry, hit_seen_class *of, bool in_block)
{
    const hit_preview_parts *parts = hit_seen_parts(dry->seen);

    if (parts->narrow && !in_block) {
        hit_dry_clocks_add(&dry->clocks, parts, of->times > 1);
        of->timed++;
    } else {
        (void)hit_dry_clocks_meet(&dry->clocks);
    }
}

static hit_status look_at(hit_call *call)
{
    hit_dry *dry = call->context->execution;
    hit_seen_class *of;
    bool in_block = false;
    uint64_t key = 0;
    int number = 0;

    HIT_TRY(find_class(call, &key, &number));
    of = hit_seen_at(dry->seen, number);
    HIT_TRY(hit_dry_look(&dry->looked, call, key, of));
    if (dry->chains != NULL) {
        HIT_TRY(hit_dry_chains_note(dry->chains, call, key, number, &in_block));
    }
    add_time(dry, of, in_block);
    if (dry->count.runs) HIT_TRY(hit_dry_count_run(&dry->count, call, in_block));
    hit_holds_end(call, of->known);
    return HIT_OK;
}

static hit_status launch(hit_call *call, hit_status checked)
{
    hit_status status = checked;

    if (status == HIT_OK) status = look_at(call);
    return hit_comm_agree(call->context->comm, status);
}

static void stats(const hit_context *context, hit_stats *total)
{
    const hit_footprint_bytes most = hit_footprint_most(context->footprint);

    *total = hit_dry_sum(context);
    total->device_limit_bytes = hit_dry_device_most(context);
    total->host_peak_bytes = most.tiles + most.scratch + most.held;
    total->launches *= (uint64_t)context->size;
    total->chained *= (uint64_t)context->size;
}

static void close_dry(hit_context *context)
{
    hit_dry *dry = context->execution;
    hit_stats all;

    if (dry == NULL) return;
    (void)hit_stations_run_recorded(context->stations); /* they are told, not run */
    if (dry->chains != NULL) (void)hit_dry_chains_close(dry->chains);
    all = hit_dry_sum(context);
    if (!dry->style.silent) {
        const hit_dry_memory memory = hit_dry_memory_find(context, dry->beside_bytes);

        hit_dry_print_totals(
            dry, &all, hit_forecast_add(hit_dry_clocks_meet(&dry->clocks), dry->votes),
            &memory);
    }
    hit_dry_chains_destroy(&dry->chains);
    hit_dry_count_close(&dry->count);
    hit_seen_destroy(&dry->seen);
    hit_dry_looked_clear(&dry->looked);
    hit_dry_rates_clear(&dry->rates);
    hit_dry_clocks_clear(&dry->clocks);
    hit_footprint_destroy(&context->footprint);
    free(dry);
    context->execution = NULL;
}

static void describe(const hit_context *context, char *text, size_t size)
{
    if (hit_nodes_machine(context) == NULL) {
        hit_device_describe_all(context->devices, context->device, text, size);
        return;
    }
    for (int k = 0; k < hit_nodes_kinds(context); k++) {
        char node[HIT_NODE_TEXT];

        hit_nodes_describe(context, k, node);
        hit_text_add(text, size, "%s%d x %s", k > 0 ? ", " : "simulated ",
                     hit_nodes_count(context, k), node);
    }
}

const hit_executor hit_executor_dry = {.name = "dry",
                                       .launch = launch,
                                       .stats = stats,
                                       .describe = describe,
                                       .close = close_dry};
