/* SPDX-License-Identifier: MIT
 * What "simulated:FILE:gpus=2,noise=5" says, and what happens when virtual time reaches
 * the end of a copy or a task: both are carried out, counted and traced. */
#include "hit/run/simulate_open.h"

#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/number.h"
#include "hit/base/option.h"
#include "hit/base/trace.h"
#include "hit/run/simulate_data.h"
#include "hit/run/simulate_task.h"
#include "hit/run/simulate_time.h"
#include "hit/sched/machine_file.h"
#include "hit/sched/registry.h"
#include "hit/tile/station.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- actions ---- */

/* Of the failures that are not told yet, that of the first task is kept. */
static void store_failure(hit_simulator *sim, uint64_t task, hit_status status)
{
    if (sim->failed != HIT_OK && sim->failed_task <= task) return;
    sim->failures += sim->failed == HIT_OK;
    sim->failed = status;
    sim->failed_task = task;
    (void)snprintf(sim->failed_text, sizeof(sim->failed_text), "%s", hit_status_text());
}

static void carry_copy(hit_simulator *sim, const hit_action *action)
{
    hit_residents *moved = &sim->context->stations->station[0].residents;
    hit_status status;

    *(action->to > 0 ? &moved->bytes_in : &moved->bytes_out) += (uint64_t)action->bytes;
    if (!sim->carries) return;
    status = hit_sim_data_copy(sim, action->datum, action->from, action->to);
    if (status == HIT_OK) return;
    store_failure(sim, UINT64_MAX, status);
    sim->datum[action->datum].not_written = sim->failures;
}

static void carry_task(hit_simulator *sim, const hit_action *action)
{
    hit_sim_task *task = sim->task[action->task];
    hit_status status = HIT_OK;
    bool done = !sim->carries;

    if (!done && !hit_sim_task_is_cancelled(sim, task)) {
        status = hit_sim_task_run(sim, task, sim->device[action->device].node);
        done = status == HIT_OK;
    }
    if (status != HIT_OK) {
        store_failure(sim, sim->forgotten + (uint64_t)action->task, status);
    }
    hit_sim_task_note(sim, task, done);
    sim->context->stations->station[0].superblocks++;
    free(task);
    sim->task[action->task] = NULL;
}

static void carry(void *self, const hit_action *action)
{
    hit_simulator *sim = self;

    if (action->kind == HIT_ACTION_RUN) {
        carry_task(sim, action);
    } else if (action->kind == HIT_ACTION_COPY) {
        carry_copy(sim, action);
    } else {
        hit_sim_data_drop(sim, action->datum, action->from);
    }
}

/* ---- the trace ---- */

static hit_trace *trace_of(const hit_simulator *sim, int device)
{
    hit_trace *trace = sim->context->trace;

    while (device-- > 0) {
        trace = trace->next;
    }
    return trace;
}

/* Devices with a memory of their own are the first ones, in the order of the memories. */
static void watch(void *self, const hit_action *action, int64_t start_ns, int64_t end_ns)
{
    const hit_simulator *sim = self;
    const double origin_s = sim->context->trace->origin_s;
    const bool in = action->to > 0;
    hit_trace_event event = {.what = "copy",
                             .start_s = origin_s + (double)start_ns * 1e-9,
                             .end_s = origin_s + (double)end_ns * 1e-9,
                             .bytes = (uint64_t)action->bytes};

    if (action->kind == HIT_ACTION_RUN) {
        const hit_sim_task *task = sim->task[action->task];

        event.what = task->kernel->name;
        event.bytes = task->bytes;
        event.indices = task->indices;
        event.operations = task->operations;
        hit_trace_put(trace_of(sim, action->device), HIT_TRACE_RUN, &event);
    } else {
        hit_trace_put(trace_of(sim, (in ? action->to : action->from) - 1),
                      in ? HIT_TRACE_IN : HIT_TRACE_OUT, &event);
    }
}

/* A list of events for each device. */
static hit_status open_traces(hit_simulator *sim)
{
    hit_trace *trace = sim->context->trace;

    if (!hit_trace_on(trace)) return HIT_OK;
    hit_simulator_describe(sim, trace->device, sizeof(trace->device));
    for (char *at = trace->device; *at != '\0'; at++) { /* it goes into a text of JSON */
        if (*at == '"' || *at == '\\' || (unsigned char)*at < ' ') *at = '?';
    }
    for (int d = 1; d < sim->devices; d++) {
        HIT_TRY(hit_trace_create(&trace->next));
        trace = trace->next;
    }
    sim->options.watch = watch;
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
static hit_status set_back(hit_simulator *sim, const char *value)
{
    sim->options.engine.back_when_arrived = strcmp(value, "arrived") == 0;
    if (sim->options.engine.back_when_arrived || strcmp(value, "asked") == 0) {
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG,
                    "HIT_DEVICES simulated: expected back=asked or back=arrived but "
                    "found \"%s\"",
                    value);
}

static hit_status set(hit_simulator *sim, const char *key, const char *value)
{
    hit_index number;

    if (strcmp(key, "noise") == 0) {
        HIT_TRY(hit_number_read("noise=", value, 0, 100, &number));
        sim->options.noise_percent = (int)number;
        return HIT_OK;
    }
    if (strcmp(key, "seed") == 0) {
        HIT_TRY(hit_number_read("seed=", value, 0, INT64_MAX / 2, &number));
        sim->options.engine.seed = (uint64_t)number;
        return HIT_OK;
    }
    if (strcmp(key, "back") == 0) return set_back(sim, value);
    return set_of_machine(&sim->machine, key, value);
}

/* "FILE:key=value": options are behind the last ':' if there is a '=' behind it. */
static const char *options_of(const char *text)
{
    const char *last = strrchr(text, ':');

    return last != NULL && strchr(last, '=') != NULL ? last : text + strlen(text);
}

static hit_status set_options(hit_simulator *sim, const char *text)
{
    hit_option_list list = {0};
    hit_status status = hit_option_read("HIT_DEVICES simulated", text, &list);

    for (int k = 0; k < list.count && status == HIT_OK; k++) {
        status = set(sim, list.key[k], list.value[k]);
    }
    hit_option_clear(&list);
    return status;
}

static hit_status read_machine(hit_simulator *sim, const char *text)
{
    const char *options = options_of(text);
    const size_t length = (size_t)(options - text);
    char file[sizeof sim->text];

    if (length == 0 || strlen(text) >= sizeof sim->text) {
        return HIT_FAIL(HIT_E_ARG,
                        "HIT_DEVICES: expected simulated: and a machine, 1 to %zu "
                        "characters, but found \"%.40s\"",
                        sizeof sim->text - 1, text);
    }
    memcpy(file, text, length);
    file[length] = '\0';
    memcpy(sim->text, text, strlen(text) + 1);
    HIT_TRY(hit_machine_find(file, &sim->machine));
    if (*options != '\0') HIT_TRY(set_options(sim, options + 1));
    sim->speeds = sim->machine.speeds;
    return hit_machine_devices(&sim->machine, &sim->devices, sim->device);
}

/* Its options are looked at when it is opened. */
static hit_status open_scheduler(hit_simulator *sim)
{
    const char *text = getenv("HIT_SCHED");
    hit_status status;

    if (text == NULL || *text == '\0') text = "heft";
    status = hit_scheduler_read(sim->context, text, &sim->scheduler);
    if (status == HIT_OK) status = hit_sim_begin(sim);
    if (status != HIT_E_ARG) return status;
    return HIT_FAIL(status, "HIT_SCHED: %s", hit_status_text());
}

hit_status hit_simulator_read(hit_simulator *sim, const char *text)
{
    if (sim->context->size != 1) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected one process on a simulated machine but found %d",
                        sim->context->size);
    }
    HIT_TRY(read_machine(sim, text));
    sim->nodes = 1;
    for (int d = 0; d < sim->devices; d++) {
        sim->nodes += sim->device[d].node > 0;
    }
    sim->options.carry = carry;
    sim->options.self = sim;
    HIT_TRY(open_traces(sim));
    return open_scheduler(sim);
}

void hit_simulator_describe(const hit_simulator *sim, char *text, size_t size)
{
    int used = snprintf(text, size, "simulated %s:", sim->text);

    for (int k = 0; k < sim->machine.kinds && used >= 0 && (size_t)used < size; k++) {
        const hit_machine_kind *kind = &sim->machine.kind[k];

        if (kind->count == 0) continue;
        used +=
            snprintf(text + used, size - (size_t)used, " %d %s", kind->count, kind->name);
    }
}

void hit_simulator_clear(hit_simulator *sim)
{
    hit_simulation_close(&sim->simulation);
    for (int t = 0; t < sim->graph.tasks; t++) {
        free(sim->task[t]);
    }
    free(sim->task);
    sim->task = NULL;
    sim->task_room = 0;
    hit_sim_data_close(sim);
    sim->datum = NULL;
    sim->copy = NULL;
    sim->datum_room = 0;
    hit_sim_data_open(sim);
    sim->forgotten += (uint64_t)sim->graph.tasks;
    hit_graph_clear(&sim->graph);
}
