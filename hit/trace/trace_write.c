/* SPDX-License-Identifier: MIT
 * Traces in the format of Chrome's trace viewer: one object per event, with the process
 * as "pid" and the lane as "tid". What went on side by side in a lane is written as
 * several: an event stands in the first of them that is free when it begins. Every
 * process writes its own text; process 0 gets the texts of the others one by one, in
 * pieces. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "hit/trace/trace_write.h"

#include "hit/base/context.h"
#include "hit/base/file.h"
#include "hit/base/json.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/data/disk.h"
#include "hit/device/device.h"

#include <stdlib.h>
#include <string.h>

enum {
    PIECE_BYTES = 1 << 16, /* of a text, in a message */
    MOST_ROWS = 256        /* of a lane */
};

static const double slack_s = 1e-6; /* clocks of devices are no better */

static const char *const lane_name[HIT_TRACE_LANES] = {
    "launches",   "kernels",       "copies in",
    "copies out", "copies within", "waiting for messages",
};

static bool is_set(const char *name)
{
    const char *text = getenv(name);

    return text != NULL && *text != '\0' && strcmp(text, "0") != 0;
}

static hit_status check_profile(void)
{
    const char *text = getenv("HIT_PROFILE");

    if (text == NULL || !is_set("HIT_PROFILE") || strcmp(text, "1") == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "HIT_PROFILE: expected 0 or 1 but found \"%.40s\"", text);
}

hit_status hit_trace_open(hit_context *context)
{
    uint64_t wanted[2] = {context->rank == 0 && is_set("HIT_TRACE"),
                          context->rank == 0 && is_set("HIT_PROFILE")};
    const hit_status st = context->rank == 0 ? check_profile() : HIT_OK;

    HIT_TRY(hit_comm_agree(context->comm, st));
    HIT_TRY(hit_comm_broadcast(context->comm, 0, wanted, sizeof(wanted)));
    if (wanted[0] + wanted[1] == 0) return HIT_OK;
    HIT_TRY(hit_comm_agree(context->comm, hit_trace_create(&context->trace)));
    context->trace->profiled = wanted[1] != 0;
    /* the first one lets those that come late catch up; all leave the second together */
    HIT_TRY(hit_comm_barrier(context->comm));
    HIT_TRY(hit_comm_barrier(context->comm));
    context->trace->origin_s = hit_trace_now();
    return HIT_OK;
}

/* An object on a line of its own, @p behind others. */
static hit_json begin_line(FILE *out, bool behind, const char *name, const char *kind,
                           int rank)
{
    hit_json line = {.file = out};

    if (behind) hit_say(out, ",\n");
    hit_json_object(&line, NULL);
    hit_json_text(&line, "name", name);
    hit_json_text(&line, "ph", kind);
    hit_json_whole(&line, "pid", rank);
    return line;
}

/* What a process or a lane is called. */
static void end_name(hit_json *line, const char *name)
{
    hit_json_object(line, "args");
    hit_json_text(line, "name", name);
    hit_json_end(line);
    hit_json_end(line);
}

static void print_event(FILE *out, const hit_trace *trace, int rank, int lane,
                        const hit_trace_event *event)
{
    hit_json line = begin_line(out, true, event->what, "X", rank);

    hit_json_whole(&line, "tid", lane);
    hit_json_real(&line, "ts", "%.3f", (event->start_s - trace->origin_s) * 1e6);
    hit_json_real(&line, "dur", "%.3f", (event->end_s - event->start_s) * 1e6);
    hit_json_object(&line, "args");
    hit_json_count(&line, "bytes", event->bytes);
    hit_json_count(&line, "indices", event->indices);
    hit_json_count(&line, "operations", event->operations);
    if (event->joules > 0) hit_json_real(&line, "joules", "%.9g", event->joules);
    hit_json_end(&line);
    hit_json_end(&line);
}

/* Of the meters that this process reads, from reading to reading. */
static void print_watts(FILE *out, const hit_context *context)
{
    const hit_trace *trace = context->trace;
    const hit_energy *energy = hit_energy_is_known(trace) ? trace->energy : NULL;

    for (size_t k = 0; energy != NULL && k < energy->count; k++) {
        const hit_energy_window *window = &energy->window[k];
        hit_json line = begin_line(out, true, "watts", "C", context->rank);

        hit_json_real(&line, "ts", "%.3f", (window->start_s - trace->origin_s) * 1e6);
        hit_json_object(&line, "args");
        hit_json_real(&line, "W", "%.6g",
                      window->joules / (window->end_s - window->start_s));
        hit_json_end(&line);
        hit_json_end(&line);
    }
}

static void print_process_name(FILE *out, const hit_context *context)
{
    hit_json line = begin_line(out, false, "process_name", "M", context->rank);
    char device[256];
    char group[HIT_GROUP_NAME + 8] = "";
    char name[400];

    if (context->trace->device[0] != '\0') {
        (void)snprintf(device, sizeof(device), "%s", context->trace->device);
    } else {
        hit_device_describe_all(context->devices, context->device, device,
                                sizeof(device));
    }
    if (context->group[0] != '\0') {
        (void)snprintf(group, sizeof(group), "group %s, ", context->group);
    }
    (void)snprintf(name, sizeof(name), "%sprocess %d: %s", group, context->rank, device);
    end_name(&line, name);
}

/* Launches and waiting are the process's, the other lanes those of device @p d. */
static bool is_shown(int lane, int d)
{
    return d == 0 || (lane != HIT_TRACE_LAUNCH && lane != HIT_TRACE_WAIT);
}

/* Where a lane is written: of device @p d, number @p row of those beside each other. */
static int tid_of(int lane, int d, int row)
{
    return (d * HIT_TRACE_LANES + lane) * MOST_ROWS + row;
}

static void print_lane_name(FILE *out, const hit_context *context, int lane, int d,
                            int row)
{
    const bool own = context->trace->next != NULL && is_shown(lane, 1);
    hit_json line = begin_line(out, true, "thread_name", "M", context->rank);
    char device[32] = "";
    char number[32] = "";
    char name[128];

    if (own) (void)snprintf(device, sizeof(device), "device %d: ", d);
    if (row > 0) (void)snprintf(number, sizeof(number), ", %d", row + 1);
    (void)snprintf(name, sizeof(name), "%s%s%s", device, lane_name[lane], number);
    hit_json_whole(&line, "tid", tid_of(lane, d, row));
    end_name(&line, name);
}

static void print_lost(FILE *out, int rank, int lane, size_t lost)
{
    hit_json line;
    char name[64];

    (void)snprintf(name, sizeof(name), "%zu events lost for want of memory", lost);
    line = begin_line(out, true, name, "i", rank);
    hit_json_text(&line, "s", "p");
    hit_json_whole(&line, "tid", lane);
    hit_json_whole(&line, "ts", 0);
    hit_json_end(&line);
}

static int by_start(const void *a, const void *b)
{
    const double x = ((const hit_trace_event *)a)->start_s;
    const double y = ((const hit_trace_event *)b)->start_s;

    return (x > y) - (x < y);
}

/* The first row that is free at the beginning of the event; the last one takes the rest.
 */
static int find_row(double end_s[MOST_ROWS], int *rows, const hit_trace_event *event)
{
    int row = 0;

    while (row < *rows && row + 1 < MOST_ROWS && end_s[row] > event->start_s + slack_s) {
        row++;
    }
    if (row == *rows) ++*rows;
    end_s[row] = event->end_s;
    return row;
}

static void print_lane(FILE *out, const hit_context *context, const hit_trace *trace,
                       int lane, int d)
{
    const hit_trace_list *list = &trace->list[lane];
    double end_s[MOST_ROWS] = {0};
    int rows = 0;

    if (list->count > 0) qsort(list->event, list->count, sizeof(*list->event), by_start);
    if (list->count == 0) print_lane_name(out, context, lane, d, 0);
    for (size_t k = 0; k < list->count; k++) {
        const int before = rows;
        const int row = find_row(end_s, &rows, &list->event[k]);

        if (rows > before) print_lane_name(out, context, lane, d, row);
        print_event(out, context->trace, context->rank, tid_of(lane, d, row),
                    &list->event[k]);
    }
    if (list->lost > 0) {
        print_lost(out, context->rank, tid_of(lane, d, 0), list->lost);
    }
}

/* The events of this process. @owner *text: allocated, the caller's */
static hit_status make_text(const hit_context *context, char **text, size_t *size)
{
    const hit_trace *trace = context->trace;
    FILE *out = open_memstream(text, size);

    if (out == NULL) return HIT_FAIL(HIT_E_NOMEM, "no memory for a trace");
    print_process_name(out, context);
    print_watts(out, context);
    for (int d = 0; trace != NULL; d++, trace = trace->next) {
        for (int lane = 0; lane < HIT_TRACE_LANES; lane++) {
            if (is_shown(lane, d)) print_lane(out, context, trace, lane, d);
        }
    }
    if (fclose(out) != 0) return HIT_FAIL(HIT_E_NOMEM, "no memory for a trace");
    return HIT_OK;
}

/* Closing has no status to give back, and somebody waits for what was asked for. */
static void tell(const hit_context *context, hit_status status)
{
    if (status != HIT_OK) hit_say(hit_context_notes(context), "%s\n", hit_status_text());
}

/* Nothing is allocated while texts are passed: a process that failed there would leave
 * the others waiting. */

static hit_status send(hit_requests *requests, const void *data, size_t size)
{
    hit_requests_reset(requests);
    HIT_TRY(hit_requests_send(requests, 0, 0, 0, data, size));
    return hit_requests_wait_all(requests);
}

static hit_status receive(hit_requests *requests, int from, void *data, size_t size)
{
    hit_requests_reset(requests);
    HIT_TRY(hit_requests_receive(requests, 0, from, 0, data, size));
    return hit_requests_wait_all(requests);
}

/* Process 0: the text of process @p from, to the file, if there is one. */
static hit_status receive_text(hit_requests *requests, int from, FILE *file)
{
    char piece[PIECE_BYTES];
    uint64_t left = 0;

    HIT_TRY(receive(requests, from, &left, sizeof(left)));
    if (left > 0 && file != NULL) hit_say(file, ",\n");
    while (left > 0) {
        const size_t now = left < sizeof(piece) ? (size_t)left : sizeof(piece);

        HIT_TRY(receive(requests, from, piece, now));
        if (file != NULL) (void)fwrite(piece, 1, now, file);
        left -= now;
    }
    return HIT_OK;
}

static hit_status send_text(hit_requests *requests, const char *text, uint64_t size)
{
    HIT_TRY(send(requests, &size, sizeof(size)));
    for (uint64_t at = 0; at < size; at += PIECE_BYTES) {
        const uint64_t left = size - at;

        HIT_TRY(send(requests, text + at, left < PIECE_BYTES ? left : PIECE_BYTES));
    }
    return HIT_OK;
}

/* Process 0: its own text, and then those of the others, in the order of their numbers.
 */
static hit_status write_file(const hit_context *context, hit_requests *requests,
                             const char *name, const char *text)
{
    hit_draft draft = {0};
    const hit_status opened = hit_draft_open(name, &draft);
    hit_json all = {.file = draft.stream};
    hit_status status = HIT_OK;

    if (opened == HIT_OK) {
        hit_json_object(&all, NULL);
        hit_json_text(&all, "displayTimeUnit", "ms");
        hit_json_list(&all, "traceEvents");
        (void)fputc('\n', draft.stream);
        (void)fputs(text, draft.stream);
    } else {
        tell(context, opened); /* and take the others' texts all the same: they wait */
    }
    for (int rank = 1; rank < context->size && status == HIT_OK; rank++) {
        status = receive_text(requests, rank, draft.stream);
    }
    if (opened != HIT_OK) return status;
    (void)fputc('\n', draft.stream);
    hit_json_end_line(&all);
    return hit_draft_close(&draft, status);
}

/* "run.json", or of a group "run-2.json". @owner *name: free() */
static hit_status name_file(const hit_context *context, char **name)
{
    const char *given = getenv("HIT_TRACE");
    const char *end;
    size_t size;
    char *made = NULL;

    if (given == NULL) return HIT_FAIL(HIT_E_ARG, "expected HIT_TRACE as it was before");
    size = strlen(given) + 1 + HIT_GROUP_NAME;
    end = strrchr(given, '.');
    if (end == NULL || strchr(end, '/') != NULL) end = given + strlen(given);
    HIT_TRY(hit_memory_zeroed(size, 1, &made));
    if (context->group[0] == '\0') {
        (void)snprintf(made, size, "%s", given);
    } else {
        (void)snprintf(made, size, "%.*s-%s%s", (int)(end - given), given, context->group,
                       end);
    }
    *name = made;
    return HIT_OK;
}

static hit_status write_trace(const hit_context *context)
{
    hit_requests *requests = NULL;
    char *text = NULL;
    char *name = NULL;
    size_t size = 0;
    hit_status status = context->rank == 0 ? name_file(context, &name) : HIT_OK;

    if (status == HIT_OK) status = hit_requests_create(context->comm, 1, &requests);
    status = hit_comm_agree(context->comm, status);

    if (status == HIT_OK) {
        const hit_status made = make_text(context, &text, &size);

        if (made != HIT_OK) size = 0;
        tell(context, made); /* the others' events are written all the same */
        status = context->rank != 0
                     ? send_text(requests, text, size)
                     : write_file(context, requests, name, made == HIT_OK ? text : "{}");
    }
    hit_requests_destroy(&requests);
    free(name);
    free(text);
    return status;
}

void hit_trace_close(hit_context *context)
{
    uint64_t wanted[2] = {0};

    if (context->trace == NULL) return;
    if (context->rank == 0 && context->trace->list[HIT_TRACE_LAUNCH].count > 0) {
        wanted[0] = is_set("HIT_TRACE");
        wanted[1] = is_set("HIT_PROFILE");
    }
    hit_disk_moved(context->disk, context->trace->disk_bytes);
    tell(context, hit_energy_end(context->trace));
    tell(context, hit_comm_broadcast(context->comm, 0, wanted, sizeof(wanted)));
    if (wanted[0]) tell(context, write_trace(context));
    if (wanted[1] && context->rank == 0 && context->group[0] != '\0') {
        hit_say(hit_context_reports(context), "group %s, processes: %d\n", context->group,
                context->size);
    }
    if (wanted[1]) {
        tell(context, hit_profile_print(context->comm, context->trace,
                                        hit_context_reports(context)));
    }
    hit_energy_close(context->trace);
    hit_trace_destroy(&context->trace);
}
