/* SPDX-License-Identifier: MIT
 * What "simulated:FILE:gpus=2,noise=5" says, and what happens when virtual time reaches
 * the end of a copy or a task: both are carried out, counted and traced. */
#include "hit/scheduled/virtual.h"

#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/number.h"
#include "hit/base/option.h"
#include "hit/base/trace.h"
#include "hit/sched/machine_file.h"
#include "hit/sched/registry.h"
#include "hit/scheduled/data.h"
#include "hit/scheduled/task.h"
#include "hit/scheduled/window.h"
#include "hit/tile/station.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- actions ---- */

/* Of the failures that are not told yet, that of the first task is kept. */
static void store_failure(hit_scheduled *s, uint64_t task, hit_status status)
{
    if (s->failed != HIT_OK && s->failed_task <= task) return;
    s->failures += s->failed == HIT_OK;
    s->failed = status;
    s->failed_task = task;
    (void)snprintf(s->failed_text, sizeof(s->failed_text), "%s", hit_status_text());
}

static void carry_copy(hit_scheduled *s, const hit_action *action)
{
    hit_residents *moved = &s->context->stations->station[0].residents;
    hit_status status;

    *(action->to > 0 ? &moved->bytes_in : &moved->bytes_out) += (uint64_t)action->bytes;
    if (!s->carries) return;
    status = hit_scheduled_data_copy(s, action->datum, action->from, action->to);
    if (status == HIT_OK) return;
    store_failure(s, UINT64_MAX, status);
    s->datum[action->datum].not_written = s->failures;
}

static void carry_task(hit_scheduled *s, const hit_action *action)
{
    hit_scheduled_task *task = s->task[action->task];
    hit_status status = HIT_OK;
    bool done = !s->carries;

    if (!done && !hit_scheduled_task_is_cancelled(s, task)) {
        status = hit_scheduled_task_run(s, task, s->device[action->device].node);
        done = status == HIT_OK;
    }
    if (status != HIT_OK) {
        store_failure(s, s->forgotten + (uint64_t)action->task, status);
    }
    hit_scheduled_task_note(s, task, done);
    s->context->stations->station[0].superblocks++;
    free(task);
    s->task[action->task] = NULL;
}

static void carry(void *self, const hit_action *action)
{
    hit_scheduled *s = self;

    if (action->kind == HIT_ACTION_RUN) {
        carry_task(s, action);
    } else if (action->kind == HIT_ACTION_COPY) {
        carry_copy(s, action);
    } else {
        hit_scheduled_data_drop(s, action->datum, action->from);
    }
}

/* ---- the trace ---- */

static hit_trace *trace_of(const hit_scheduled *s, int device)
{
    hit_trace *trace = s->context->trace;

    while (device-- > 0) {
        trace = trace->next;
    }
    return trace;
}

/* Devices with a memory of their own are the first ones, in the order of the memories. */
static void watch(void *self, const hit_action *action, int64_t start_ns, int64_t end_ns)
{
    const hit_scheduled *s = self;
    const double origin_s = s->context->trace->origin_s;
    const bool in = action->to > 0;
    hit_trace_event event = {.what = "copy",
                             .start_s = origin_s + (double)start_ns * 1e-9,
                             .end_s = origin_s + (double)end_ns * 1e-9,
                             .bytes = (uint64_t)action->bytes};

    if (action->kind == HIT_ACTION_RUN) {
        const hit_scheduled_task *task = s->task[action->task];

        event.what = task->kernel->name;
        event.bytes = task->bytes;
        event.indices = task->indices;
        event.operations = task->operations;
        hit_trace_put(trace_of(s, action->device), HIT_TRACE_RUN, &event);
    } else {
        hit_trace_put(trace_of(s, (in ? action->to : action->from) - 1),
                      in ? HIT_TRACE_IN : HIT_TRACE_OUT, &event);
    }
}

/* A list of events for each device. */
static hit_status open_traces(hit_scheduled *s)
{
    hit_trace *trace = s->context->trace;

    if (!hit_trace_on(trace)) return HIT_OK;
    hit_scheduled_describe(s, trace->device, sizeof(trace->device));
    for (char *at = trace->device; *at != '\0'; at++) { /* it goes into a text of JSON */
        if (*at == '"' || *at == '\\' || (unsigned char)*at < ' ') *at = '?';
    }
    for (int d = 1; d < s->devices; d++) {
        HIT_TRY(hit_trace_create(&trace->next));
        trace = trace->next;
    }
    s->options.watch = watch;
    return HIT_OK;
}

/* ---- what the text says ---- */

static hit_status set_of_machine(hit_machine *machine, const char *key, const char *value)
{
    static const char *const known[] = {"bus",       "cpus",   "gpus",      "groups",
                                        "host-only", "memory", "predicted", "window"};

    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (strcmp(key, known[k]) == 0) return hit_machine_set(machine, key, value);
    }
    return HIT_FAIL(HIT_E_ARG,
                    "HIT_DEVICES simulated: expected gpus, cpus, groups, memory, bus, "
                    "window, host-only, predicted, back, noise or seed but found \"%s\"",
                    key);
}

/* When does the host have what is written back to make room? */
static hit_status set_back(hit_scheduled *s, const char *value)
{
    s->options.engine.back_when_arrived = strcmp(value, "arrived") == 0;
    if (s->options.engine.back_when_arrived || strcmp(value, "asked") == 0) {
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG,
                    "HIT_DEVICES simulated: expected back=asked or back=arrived but "
                    "found \"%s\"",
                    value);
}

static hit_status set(hit_scheduled *s, const char *key, const char *value)
{
    hit_index number;

    if (strcmp(key, "noise") == 0) {
        HIT_TRY(hit_number_read("noise=", value, 0, 100, &number));
        s->options.noise_percent = (int)number;
        return HIT_OK;
    }
    if (strcmp(key, "seed") == 0) {
        HIT_TRY(hit_number_read("seed=", value, 0, INT64_MAX / 2, &number));
        s->options.engine.seed = (uint64_t)number;
        return HIT_OK;
    }
    if (strcmp(key, "back") == 0) return set_back(s, value);
    return set_of_machine(&s->machine, key, value);
}

/* "FILE:key=value": options are behind the last ':' if there is a '=' behind it. */
static const char *options_of(const char *text)
{
    const char *last = strrchr(text, ':');

    return last != NULL && strchr(last, '=') != NULL ? last : text + strlen(text);
}

static hit_status set_options(hit_scheduled *s, const char *text)
{
    hit_option_list list = {0};
    hit_status status = hit_option_read("HIT_DEVICES simulated", text, &list);

    for (int k = 0; k < list.count && status == HIT_OK; k++) {
        status = set(s, list.key[k], list.value[k]);
    }
    hit_option_clear(&list);
    return status;
}

static hit_status read_machine(hit_scheduled *s, const char *text)
{
    const char *options = options_of(text);
    const size_t length = (size_t)(options - text);
    char file[sizeof s->text];

    if (length == 0 || strlen(text) >= sizeof s->text) {
        return HIT_FAIL(HIT_E_ARG,
                        "HIT_DEVICES: expected simulated: and a machine, 1 to %zu "
                        "characters, but found \"%.40s\"",
                        sizeof s->text - 1, text);
    }
    memcpy(file, text, length);
    file[length] = '\0';
    memcpy(s->text, text, strlen(text) + 1);
    HIT_TRY(hit_machine_find(file, &s->machine));
    if (*options != '\0') HIT_TRY(set_options(s, options + 1));
    s->speeds = s->machine.speeds;
    return hit_machine_devices(&s->machine, &s->devices, s->device);
}

/* Its options are looked at when it is opened. */
static hit_status open_scheduler(hit_scheduled *s)
{
    const char *text = getenv("HIT_SCHED");
    hit_status status;

    if (text == NULL || *text == '\0') text = "heft";
    status = hit_scheduler_read(s->context, text, &s->scheduler);
    if (status == HIT_OK) status = hit_scheduled_begin(s);
    if (status != HIT_E_ARG) return status;
    return HIT_FAIL(status, "HIT_SCHED: %s", hit_status_text());
}

hit_status hit_scheduled_read(hit_scheduled *s, const char *text)
{
    if (s->context->size != 1) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected one process on a simulated machine but found %d",
                        s->context->size);
    }
    HIT_TRY(read_machine(s, text));
    s->nodes = 1;
    for (int d = 0; d < s->devices; d++) {
        s->nodes += s->device[d].node > 0;
    }
    s->options.carry = carry;
    s->options.self = s;
    HIT_TRY(open_traces(s));
    return open_scheduler(s);
}

void hit_scheduled_describe(const hit_scheduled *s, char *text, size_t size)
{
    int used = snprintf(text, size, "simulated %s:", s->text);

    for (int k = 0; k < s->machine.kinds && used >= 0 && (size_t)used < size; k++) {
        const hit_machine_kind *kind = &s->machine.kind[k];

        if (kind->count == 0) continue;
        used +=
            snprintf(text + used, size - (size_t)used, " %d %s", kind->count, kind->name);
    }
}

void hit_scheduled_clear(hit_scheduled *s)
{
    hit_simulation_close(&s->simulation);
    for (int t = 0; t < s->graph.tasks; t++) {
        free(s->task[t]);
    }
    free(s->task);
    s->task = NULL;
    s->task_room = 0;
    hit_scheduled_data_close(s);
    s->datum = NULL;
    s->copy = NULL;
    s->datum_room = 0;
    hit_scheduled_data_open(s);
    s->forgotten += (uint64_t)s->graph.tasks;
    hit_graph_clear(&s->graph);
}
