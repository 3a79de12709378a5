/* SPDX-License-Identifier: MIT
 * The driver in virtual time: when it reaches the end of a copy or a task, both are
 * carried out, counted and traced. Every memory of the machine has real copies, so that a
 * copy that is missing or old gives a wrong result as it would there. */
#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/base/text.h"
#include "hit/base/trace.h"
#include "hit/data/ndcopy.h"
#include "hit/run/chains.h"
#include "hit/run/live.h"
#include "hit/sched/cluster.h"
#include "hit/scheduled/virtual_impl.h"
#include "hit/tile/station.h"
#include "patterns/kernel_impl.h"

#include <string.h>

static void describe(const hit_context *context, char *text, size_t size)
{
    const hit_scheduled *s = context->execution;

    text[0] = '\0';
    hit_text_add(text, size, "simulated %s:", context->simulated->text);
    for (int k = 0; k < s->machine.kinds; k++) {
        const hit_machine_kind *kind = &s->machine.kind[k];

        if (kind->count > 0) hit_text_add(text, size, " %d %s", kind->count, kind->name);
    }
}

/* ---- memory ---- */

static void note_time(hit_scheduled *s)
{
    hit_virtual *v = s->driven;

    if (v->simulation == NULL) return; /* closed, as what a launch needs was missing */
    v->now_ns = hit_simulation_now_ns(v->simulation);
    s->context->stations->busy_s = (double)v->now_ns * 1e-9;
}

static hit_status virtual_take(hit_scheduled *s, int datum, int node, void **memory)
{
    const hit_scheduled_datum *one = &s->datum[datum];
    const size_t bytes = (size_t)s->graph.datum[datum].bytes;

    (void)node;
    HIT_TRY(hit_memory_take(bytes, one->storage->name, memory));
    if (one->not_written > 0) memset(*memory, 0, bytes); /* somebody may read it */
    return HIT_OK;
}

static void virtual_release(hit_scheduled *s, int datum, int node, void *memory)
{
    (void)s;
    (void)datum;
    (void)node;
    hit_memory_release(&memory);
}

/* Elements of the box go now, whenever time says so. */
static hit_status carry_box(hit_scheduled *s, const hit_action *action,
                            const hit_domain *box)
{
    hit_residents *moved = &s->context->stations->station[0].residents;
    const size_t size_bytes = s->datum[action->datum].storage->type.size_bytes;
    hit_view source;
    hit_view target;

    *(action->to > 0 ? &moved->bytes_in : &moved->bytes_out) +=
        (uint64_t)hit_domain_count(box) * size_bytes;
    if (!hit_virtual_of(s)->carries) return HIT_OK;
    HIT_TRY(hit_scheduled_data_prepare(s, action->datum, action->from, action->to,
                                       &source, &target));
    if (source.data != NULL) hit_view_copy(&source, &target, box, NULL);
    return HIT_OK;
}

static hit_status virtual_copy(hit_scheduled *s, int datum, int from, int to,
                               const hit_domain *box)
{
    const size_t size_bytes = s->datum[datum].storage->type.size_bytes;
    const hit_action copy = {.kind = HIT_ACTION_COPY,
                             .task = -1,
                             .datum = datum,
                             .from = from,
                             .to = to,
                             .bytes = hit_domain_count(box) * (int64_t)size_bytes,
                             .after = -1};

    HIT_TRY(carry_box(s, &copy, box));
    HIT_TRY(hit_simulation_copy(hit_virtual_of(s)->simulation, &copy));
    note_time(s);
    return HIT_OK;
}

/* ---- actions ---- */

static void carry_copy(hit_scheduled *s, const hit_action *action)
{
    const hit_domain box = hit_scheduled_datum_copied(s, action->datum, action->to);
    const hit_status status = carry_box(s, action, &box);

    if (status != HIT_OK) hit_scheduled_copy_failed(s, action->datum, status);
}

static bool carry_task(hit_scheduled *s, const hit_action *action)
{
    const hit_scheduled_task *task = s->task[action->task];
    const hit_device *device = s->context->device[0];
    const bool skipped = hit_scheduled_task_is_cancelled(s, task);
    hit_status status = HIT_OK;

    if (hit_virtual_of(s)->carries && !skipped) {
        hit_domain added[HIT_MAX_ARGS];
        const bool sums = hit_kernel_reduces(task->kernel);
        hit_run run;

        if (sums) hit_scheduled_task_need(task, added);
        status = hit_scheduled_task_begin(s, task, s->device[action->device].node, device,
                                          &run);
        if (status == HIT_OK) {
            status = hit_device_run(device, task->kernel, &run, sums ? added : NULL);
        }
    }
    s->context->stations->station[0].superblocks++;
    hit_scheduled_task_end(s, action->task, !skipped, status);
    return !skipped;
}

static bool carry(void *self, const hit_action *action)
{
    hit_scheduled *s = self;

    if (action->kind == HIT_ACTION_RUN) return carry_task(s, action);
    if (action->kind == HIT_ACTION_COPY) {
        carry_copy(s, action);
    } else {
        hit_scheduled_data_drop(s, action->datum, action->from);
    }
    return true;
}

/* ---- the trace ---- */

hit_trace *hit_virtual_trace(const hit_scheduled *s, int device)
{
    hit_trace *trace = hit_virtual_of(s)->trace;

    while (device-- > 0) {
        trace = trace->next;
    }
    return trace;
}

/* Devices with a memory of their own are the first ones, in the order of the memories. */
static void watch(void *self, const hit_action *action, int64_t start_ns, int64_t end_ns)
{
    const hit_scheduled *s = self;
    const double origin_s = hit_virtual_of(s)->trace->origin_s;
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
        hit_trace_put(hit_virtual_trace(s, action->device), HIT_TRACE_RUN, &event);
    } else {
        hit_trace_put(hit_virtual_trace(s, (in ? action->to : action->from) - 1),
                      in ? HIT_TRACE_IN : HIT_TRACE_OUT, &event);
    }
}

/* A list of events for each device. */
static hit_status open_traces(hit_scheduled *s)
{
    hit_trace *trace = s->context->trace;

    if (!hit_trace_on(trace)) return HIT_OK;
    describe(s->context, trace->device, sizeof(trace->device));
    for (char *at = trace->device; *at != '\0'; at++) { /* it goes into a text of JSON */
        if (*at == '"' || *at == '\\' || (unsigned char)*at < ' ') *at = '?';
    }
    for (int d = 0; d < s->devices; d++) {
        const hit_machine_kind *kind = &s->machine.kind[s->device[d].kind];

        if (d > 0) {
            HIT_TRY(hit_trace_create(&trace->next));
            trace = trace->next;
        }
        trace->busy_w = kind->busy_w;
        trace->idle_w = kind->idle_w;
    }
    hit_virtual_of(s)->trace = s->context->trace;
    hit_virtual_of(s)->options.watch = watch;
    return HIT_OK;
}

/* ---- what it takes ---- */

/* Where the launch may run, by the names of the machine file. */
static hit_status virtual_find_on(hit_scheduled *s, const hit_call *call,
                                  const hit_launch_plan *plan, hit_device_set *set)
{
    const hit_on on = hit_call_on(call);
    hit_on_device device[HIT_MACHINE_DEVICES];

    (void)plan;
    *set = (hit_device_set){{0}};
    if (on.of_kernel == NULL && on.of_launch == NULL) return HIT_OK;
    for (int d = 0; d < s->devices; d++) {
        const hit_machine_device *one = &s->device[d];

        device[d] = (hit_on_device){s->machine.kind[one->kind].name, one->node == 0};
    }
    return hit_on_find(&on, s->devices, device, set);
}

static bool knows(const hit_scheduled *s, const char *name)
{
    for (int k = 0; k < s->machine.kernels; k++) {
        if (strcmp(s->machine.kernel[k].name, name) == 0) return true;
    }
    for (int k = 0; k < hit_virtual_of(s)->speeds; k++) {
        if (strcmp(s->machine.speed[k].kernel, name) == 0) return true;
    }
    return false;
}

void hit_virtual_name(const hit_scheduled *s, const char *kernel,
                      char name[HIT_MACHINE_NAME], bool *known)
{
    char part[128];
    size_t length = strlen(kernel);

    if (length >= sizeof part) length = sizeof part - 1;
    memcpy(part, kernel, length);
    part[length] = '\0';
    *known = true;
    do {
        if (!knows(s, part)) continue;
        memcpy(name, part, strlen(part) + 1); /* as long as in the file */
        return;
    } while (hit_machine_shorten(part));
    *known = false;
    if (length >= HIT_MACHINE_NAME) length = HIT_MACHINE_NAME - 1;
    memcpy(name, kernel, length);
    name[length] = '\0';
}

hit_status hit_virtual_know(hit_scheduled *s, const hit_kernel *kernel, int block,
                            int64_t bytes, char name[HIT_MACHINE_NAME])
{
    bool known;

    hit_virtual_name(s, kernel->name, name, &known);
    if (known || hit_machine_run_ns(&s->machine, name, block, 0) >= 0) return HIT_OK;
    return hit_machine_add_time(&s->machine, name, block,
                                hit_scheduled_guessed_ns(bytes));
}

static hit_status virtual_find_work(hit_scheduled *s, const hit_call *call,
                                    const hit_launch_plan *plan,
                                    const hit_scheduled_task *task, int64_t bytes,
                                    int *work)
{
    char kernel[HIT_MACHINE_NAME];

    (void)call;
    (void)plan;
    HIT_TRY(hit_virtual_know(s, task->kernel, task->block, bytes, kernel));
    return hit_graph_add_work(&s->graph, kernel, task->block, &task->on, work);
}

/* ---- time goes on ---- */

static hit_status virtual_open(hit_scheduled *s)
{
    hit_virtual *v = s->driven;

    HIT_TRY(hit_simulation_open(&s->graph, &s->machine, &s->scheduler, &v->options,
                                v->now_ns, &v->simulation));
    s->engine = hit_simulation_engine(v->simulation);
    return HIT_OK;
}

static void virtual_close(hit_scheduled *s)
{
    hit_simulation_close(&hit_virtual_of(s)->simulation);
    s->engine = NULL;
}

static hit_status virtual_submit(hit_scheduled *s)
{
    return hit_simulation_submit(hit_virtual_of(s)->simulation);
}

static hit_status virtual_run(hit_scheduled *s, int left)
{
    const hit_status status = hit_simulation_run(hit_virtual_of(s)->simulation, left);

    note_time(s);
    return status;
}

static void virtual_give_up(hit_scheduled *s)
{
    hit_simulation_give_up(hit_virtual_of(s)->simulation);
}

static int64_t virtual_now_ns(const hit_scheduled *s)
{
    return hit_simulation_now_ns(hit_virtual_of(s)->simulation);
}

static hit_status virtual_step(hit_scheduled *s, bool briefly)
{
    const hit_status status = hit_simulation_step(hit_virtual_of(s)->simulation);

    (void)briefly;
    note_time(s);
    return status;
}

void hit_virtual_pass(hit_scheduled *s, int64_t ns)
{
    hit_virtual *v = s->driven;

    if (v->simulation != NULL) {
        hit_simulation_pass(v->simulation, ns);
    } else {
        v->now_ns += ns; /* where the next one begins */
    }
    note_time(s);
}

/* What others see of its time is not that of the host. One that waits in a block takes
 * its time there. */
static hit_status virtual_live(hit_scheduled *s, const hit_call *call,
                               hit_launch_plan *plan)
{
    hit_virtual *v = s->driven;
    hit_status status = hit_virtual_chains_meet(s, call, plan);

    if (status == HIT_OK) {
        status =
            v->carries ? hit_live_run(call, plan) : hit_scheduled_foresee(call, plan);
    }
    if (!plan->placed && !hit_virtual_chains_wait(s)) {
        hit_virtual_pass(
            s, hit_scheduled_guessed_ns((int64_t)hit_launch_plan_touched(plan)));
    }
    note_time(s);
    return status;
}

/* The devices of a simulated machine are its own. A block has all of their memory. */
static hit_status virtual_leave(hit_scheduled *s, const hit_call *call,
                                const hit_launch_plan *plan)
{
    return hit_chains_want(call, plan) ? hit_scheduled_leave(s) : HIT_OK;
}

/* ---- open ---- */

static double virtual_trace_s(const hit_scheduled *s)
{
    return s->context->trace->origin_s + (double)hit_virtual_of(s)->now_ns * 1e-9;
}

static const hit_scheduled_driver driver = {
    .driven_bytes = sizeof(hit_virtual),
    .open = virtual_open,
    .close = virtual_close,
    .submit = virtual_submit,
    .run = virtual_run,
    .step = virtual_step,
    .give_up = virtual_give_up,
    .now_ns = virtual_now_ns,
    .trace_s = virtual_trace_s,
    .find_on = virtual_find_on,
    .find_work = virtual_find_work,
    .leave = virtual_leave,
    .live = virtual_live,
    .take = virtual_take,
    .release = virtual_release,
    .copy = virtual_copy,
};

static double time_s(const hit_context *context)
{
    return (double)hit_virtual_of(context->execution)->now_ns * 1e-9;
}

static void close_all(hit_context *context)
{
    if (context->execution != NULL) hit_virtual_chains_close(context->execution);
    hit_scheduled_close(context);
}

static const hit_executor executor = {.name = "simulated",
                                      .launch = hit_scheduled_launch,
                                      .places = true,
                                      .time_s = time_s,
                                      .describe = describe,
                                      .close = close_all};

hit_status hit_scheduled_open_virtual(hit_context *context, bool carries)
{
    hit_virtual_machine *simulated = context->simulated;
    hit_scheduled *s = NULL;
    hit_virtual *v;

    if (context->size != 1) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected one process on a simulated machine but found %d",
                        context->size);
    }
    HIT_TRY(hit_scheduled_create(context, &driver, &executor, &s));
    v = s->driven;
    v->carries = carries;
    v->options = simulated->options;
    s->machine = simulated->machine;
    simulated->machine = (hit_machine){0};
    v->speeds = s->machine.speeds;
    HIT_TRY(hit_scheduled_find_devices(s));
    v->options.carry = carry;
    v->options.self = s;
    HIT_TRY(open_traces(s));
    return hit_virtual_chains_open(s);
}
