/* SPDX-License-Identifier: MIT
 * What a machine answers, and how options change what its file says. */
#include "hit/sched/machine.h"

#include "hit/base/alloc.h"
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/sched/sched_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hit_machine_clear(hit_machine *machine)
{
    free(machine->kind);
    free(machine->link);
    free(machine->speed);
    free(machine->kernel);
    free(machine->rate);
    free(machine->node);
    *machine = (hit_machine){0};
}

/* ---- answers ---- */

/** Those in the host's memory come last. */
static void add_devices(const hit_machine *machine, bool host, int *devices,
                        hit_machine_device device[])
{
    for (int k = 0; k < machine->kinds; k++) {
        const hit_machine_kind *kind = &machine->kind[k];

        if ((kind->link < 0) != host) continue;
        for (int i = 0; i < kind->count; i++, (*devices)++) {
            hit_machine_device *one = &device[*devices];

            *one = (hit_machine_device){k, 0, -1, 0};
            if (host) continue;
            one->node = *devices + 1;
            one->link = kind->link;
            one->lane = *devices % machine->link[kind->link].lanes;
        }
    }
}

hit_status hit_machine_devices(const hit_machine *machine, int *devices,
                               hit_machine_device device[])
{
    int64_t count = 0;

    for (int k = 0; k < machine->kinds; k++) {
        count += machine->kind[k].count;
    }
    if (count < 1 || count > HIT_MACHINE_DEVICES) {
        return HIT_FAIL(HIT_E_ARG, "expected a machine of 1 to %d devices but found %lld",
                        HIT_MACHINE_DEVICES, (long long)count);
    }
    *devices = 0;
    add_devices(machine, false, devices, device);
    add_devices(machine, true, devices, device);
    return HIT_OK;
}

hit_machine_kernel *hit_machine_kernel_find(const hit_machine *machine, const char *name,
                                            size_t length)
{
    for (int k = 0; k < machine->kernels; k++) {
        hit_machine_kernel *one = &machine->kernel[k];

        if (strlen(one->name) == length && memcmp(one->name, name, length) == 0) {
            return one;
        }
    }
    return NULL;
}

/** A line for this block goes before one for all blocks; NULL: there is none. */
static const hit_machine_speed *find_speed(const hit_machine *machine, const char *kernel,
                                           int block, const char *kind)
{
    const hit_machine_speed *found = NULL;

    for (int k = 0; k < machine->speeds; k++) {
        const hit_machine_speed *one = &machine->speed[k];

        if (one->block != block && one->block != 0) continue;
        if (found != NULL && one->block == 0) continue;
        if (strcmp(one->kernel, kernel) != 0 || strcmp(one->device, kind) != 0) continue;
        found = one;
    }
    return found;
}

int64_t hit_machine_run_ns(const hit_machine *machine, const char *kernel, int block,
                           int kind)
{
    const hit_machine_kind *where = &machine->kind[kind];
    const hit_machine_kernel *what =
        hit_machine_kernel_find(machine, kernel, strlen(kernel));
    const hit_machine_speed *speed = find_speed(machine, kernel, block, where->name);
    double ns;

    if (speed == NULL) return -1;
    if (what != NULL && what->host_only && where->link >= 0) return -1;
    if (speed->gflops <= 0.0) return speed->run_ns;
    if (what == NULL) return -1;
    ns = (double)what->numerator * block * block * block /
         (what->denominator * speed->gflops);
    return ns < 0x1p62 ? llround(ns) : -1;
}

hit_status hit_machine_add_time(hit_machine *machine, const char *kernel, int block,
                                int64_t run_ns)
{
    const size_t count = (size_t)machine->speeds + (size_t)machine->kinds;

    HIT_TRY(hit_memory_grow(count, &machine->speed_room, sizeof *machine->speed,
                            "a machine", &machine->speed));
    for (int k = 0; k < machine->kinds; k++) {
        hit_machine_speed one = {.block = block, .run_ns = run_ns};

        if (strlen(kernel) >= sizeof one.kernel) continue;
        if (find_speed(machine, kernel, block, machine->kind[k].name) != NULL) continue;
        memcpy(one.kernel, kernel, strlen(kernel) + 1);
        memcpy(one.device, machine->kind[k].name, sizeof one.device);
        machine->speed[machine->speeds++] = one;
    }
    return HIT_OK;
}

double hit_machine_joules(const hit_machine *machine, const int64_t busy_ns[],
                          int64_t end_ns)
{
    double joules = 0;
    hit_machine_device device[HIT_MACHINE_DEVICES];
    int devices = 0;

    if (hit_machine_devices(machine, &devices, device) != HIT_OK) return -1;
    for (int d = 0; d < devices; d++) {
        const hit_machine_kind *kind = &machine->kind[device[d].kind];

        if (kind->busy_w <= 0) return -1;
        joules += kind->busy_w * 1e-9 * (double)busy_ns[d] +
                  kind->idle_w * 1e-9 * (double)(end_ns - busy_ns[d]);
    }
    return joules;
}

int64_t hit_machine_copy_ns(const hit_machine_link *link, bool in, int64_t bytes)
{
    const int64_t speed = in ? link->in_bytes_per_s : link->out_bytes_per_s;
    const int64_t second = 1000000000;
    /* bytes x 10^9 may be more than 2^63 */
    const int64_t whole = bytes / speed;
    const int64_t rest = bytes % speed;
    const int64_t part = rest < INT64_MAX / second
                             ? rest * second / speed
                             : (int64_t)((double)rest / (double)speed * 1e9);

    return whole * second + part + (in ? link->in_ns : link->out_ns);
}

/* ---- options ---- */

static hit_status read_count(const char *key, const char *value, int low, int high,
                             int *count)
{
    const char *at = value;
    hit_index number;

    if (!hit_number_next(&at, low, high, &number) || *at != '\0') {
        return HIT_FAIL(HIT_E_ARG,
                        "expected %s= a whole number from %d to %d but found \"%s\"", key,
                        low, high, value);
    }
    *count = (int)number;
    return HIT_OK;
}

/** Kinds with a memory of their own, or the others. The first one gets @p count devices,
 * the next ones none. */
static hit_status set_count(hit_machine *machine, const char *key, const char *value,
                            bool host)
{
    int count;

    HIT_TRY(read_count(key, value, 0, HIT_MACHINE_DEVICES, &count));
    for (int k = 0; k < machine->kinds; k++) {
        hit_machine_kind *kind = &machine->kind[k];

        if ((kind->link < 0) != host || kind->is_group) continue;
        kind->count = count;
        count = 0;
    }
    if (count == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "%s=%s: the machine has no such kind of device", key,
                    value);
}

hit_status hit_machine_add_kind(hit_machine *machine, const hit_machine_kind *kind)
{
    HIT_TRY(HIT_ONE_MORE(machine->kind, machine->kinds, machine->kind_room, "a machine"));
    machine->kind[machine->kinds++] = *kind;
    return HIT_OK;
}

/* Of cores of kind @p of. */
static hit_status add_group(hit_machine *machine, int of, int threads)
{
    const char *core = machine->kind[of].name;
    hit_machine_kind kind = {.count = 1,
                             .threads = threads,
                             .link = -1,
                             .is_group = true,
                             .busy_w = machine->kind[of].busy_w * threads,
                             .idle_w = machine->kind[of].idle_w * threads};
    char size[16];
    const int digits = snprintf(size, sizeof size, "*%d", threads);

    if (strlen(core) + (size_t)digits >= sizeof kind.name) {
        return HIT_FAIL(HIT_E_ARG, "expected a shorter name of a kind than \"%s\"", core);
    }
    memcpy(kind.name, core, strlen(core));
    memcpy(kind.name + strlen(core), size, (size_t)digits + 1);
    for (int k = 0; k < machine->kinds; k++) {
        hit_machine_kind *known = &machine->kind[k];

        if (strcmp(known->name, kind.name) != 0) continue;
        known->count++;
        return HIT_OK;
    }
    return hit_machine_add_kind(machine, &kind);
}

/** "10,10": the cores of these groups are taken from the single ones. */
static hit_status set_groups(hit_machine *machine, const char *value)
{
    int core = 0;
    const char *at = value;

    while (core < machine->kinds &&
           (machine->kind[core].link >= 0 || machine->kind[core].is_group)) {
        core++;
    }
    if (core == machine->kinds) {
        return HIT_FAIL(HIT_E_ARG, "groups=%s: the machine has no cores", value);
    }
    while (*at != '\0') {
        hit_index threads;

        if (!hit_number_next(&at, 1, machine->kind[core].count, &threads) ||
            (*at != ',' && *at != '\0')) {
            return HIT_FAIL(HIT_E_ARG,
                            "expected groups= numbers of cores with ',' between them, "
                            "%d cores in all, but found \"%s\"",
                            machine->kind[core].count, value);
        }
        machine->kind[core].count -= (int)threads;
        HIT_TRY(add_group(machine, core, (int)threads));
        if (*at == ',') at++;
    }
    return HIT_OK;
}

static hit_status set_memory(hit_machine *machine, const char *value)
{
    size_t bytes;

    HIT_TRY(hit_memory_parse(value, &bytes));
    for (int k = 0; k < machine->kinds; k++) {
        if (machine->kind[k].link >= 0) machine->kind[k].bytes = (int64_t)bytes;
    }
    return HIT_OK;
}

static hit_status set_bus(hit_machine *machine, const char *value)
{
    int lanes = HIT_MACHINE_DEVICES;

    if (strcmp(value, "own") != 0) {
        HIT_TRY(read_count("bus", value, 1, HIT_MACHINE_DEVICES, &lanes));
    }
    for (int k = 0; k < machine->links; k++) {
        machine->link[k].lanes = lanes;
    }
    return HIT_OK;
}

static hit_status set_window(hit_machine *machine, const char *value)
{
    int window;

    HIT_TRY(read_count("window", value, 0, HIT_MACHINE_WINDOW - 1, &window));
    for (int k = 0; k < machine->kinds; k++) {
        if (machine->kind[k].link >= 0) machine->kind[k].window = window;
    }
    return HIT_OK;
}

/** The kernels in the list, and no other ones, run on the host only. */
static hit_status set_host_only(hit_machine *machine, const char *value)
{
    const char *at = strcmp(value, "none") == 0 ? "" : value;

    for (int k = 0; k < machine->kernels; k++) {
        machine->kernel[k].host_only = false;
    }
    while (*at != '\0') {
        const size_t length = strcspn(at, ",");
        hit_machine_kernel *kernel = hit_machine_kernel_find(machine, at, length);

        if (kernel == NULL) {
            return HIT_FAIL(HIT_E_ARG, "host-only=%s: the machine has no kernel \"%.*s\"",
                            value, length < 40 ? (int)length : 40, at);
        }
        kernel->host_only = true;
        at += at[length] == ',' ? length + 1 : length;
    }
    return HIT_OK;
}

bool hit_machine_number(const char *text, double *number)
{
    const char *end;

    *number = hit_text_real(text, &end);
    return end != text && *end == '\0' && isfinite(*number);
}

static hit_status set_predicted(hit_machine *machine, const char *value)
{
    double factor;

    if (!hit_machine_number(value, &factor) || factor < 0.0 || factor > 1000.0) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected predicted= a number from 0 to 1000 but found \"%s\"",
                        value);
    }
    machine->predicted_percent = llround(100.0 * factor);
    return HIT_OK;
}

hit_status hit_machine_set(hit_machine *machine, const char *key, const char *value)
{
    if (strcmp(key, "gpus") == 0) return set_count(machine, key, value, false);
    if (strcmp(key, "cpus") == 0) return set_count(machine, key, value, true);
    if (strcmp(key, "groups") == 0) return set_groups(machine, value);
    if (strcmp(key, "memory") == 0) return set_memory(machine, value);
    if (strcmp(key, "bus") == 0) return set_bus(machine, value);
    if (strcmp(key, "window") == 0) return set_window(machine, value);
    if (strcmp(key, "host-only") == 0) return set_host_only(machine, value);
    if (strcmp(key, "predicted") == 0) return set_predicted(machine, value);
    return HIT_FAIL(HIT_E_ARG,
                    "expected gpus, cpus, groups, memory, bus, window, host-only or "
                    "predicted but found \"%s\"",
                    key);
}
