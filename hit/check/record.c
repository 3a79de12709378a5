/* SPDX-License-Identifier: MIT
 * The recording accessors behind a checked body. An element of the copy is answered with
 * its place there, anything else with the spare element behind it: the body
 * can do no harm. Whether an access reads or writes cannot be seen in C; that is
 * told by running the body twice (hit/check/index.c). */
#include "hit/base/memory.h"
#include "hit/check/check.h"
#include "patterns/kernel_impl.h"

#include <string.h>

enum {
    MAX_OUTSIDE = 1024 /* elements that are not in the copy: enough to tell about */
};

static void append(hit_record *record, const hit_index at[], hit_index cell)
{
    hit_touched *made;

    if (HIT_ONE_MORE(record->list, record->count, record->room, "a record") != HIT_OK) {
        record->lost = true;
        return;
    }
    made = &record->list[record->count++];
    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        made->at[d] = d < record->arg->domain.dims ? at[d] : 0;
    }
    made->cell = cell;
}

static bool known_outside(const hit_record *record, const hit_index at[])
{
    const size_t size = sizeof(hit_index) * (size_t)record->arg->domain.dims;

    if (record->outside >= MAX_OUTSIDE) return true;
    if (record->outside == 0) return false;
    for (int k = 0; k < record->count; k++) {
        const hit_touched *one = &record->list[k];

        if (one->cell < 0 && memcmp(one->at, at, size) == 0) return true;
    }
    return false;
}

void hit_record_add(hit_record *record, const hit_index at[])
{
    const hit_index cell = hit_replica_cell(record->arg, at);

    if (cell < 0) {
        if (known_outside(record, at)) return;
        append(record, at, -1);
        record->outside++;
    } else if (record->seen[cell] != record->run) {
        record->seen[cell] = record->run;
        append(record, at, cell);
    }
}

static hit_index touch_at(hit_touch *self, int count, const hit_index at[])
{
    hit_record *record = (hit_record *)self;
    hit_index cell;

    if (count != record->arg->domain.dims) {
        record->found_dims = count;
        return record->arg->cells;
    }
    hit_record_add(record, at);
    cell = hit_replica_cell(record->arg, at);
    return cell < 0 ? record->arg->cells : cell;
}

void hit_record_start(hit_record *record)
{
    record->count = 0;
    record->outside = 0;
    record->found_dims = -1;
    record->run++;
    if (record->run == 0 && record->seen != NULL) { /* once in 2^32 runs */
        memset(record->seen, 0, sizeof(uint32_t) * ((size_t)record->arg->cells + 1));
        record->run = 1;
    }
}

hit_status hit_recorder_init(const hit_replica *replica, hit_recorder *recorder)
{
    *recorder = (hit_recorder){.replica = replica};
    for (int k = 0; k < replica->kernel->args; k++) {
        hit_record *record = &recorder->of[k];

        record->touch.at = touch_at;
        record->arg = &replica->arg[k];
        if (record->arg->value != NULL) continue;
        HIT_TRY(hit_memory_zeroed((size_t)record->arg->cells + 1, sizeof(uint32_t),
                                  &record->seen));
    }
    return HIT_OK;
}

void hit_recorder_clear(hit_recorder *recorder)
{
    for (int k = 0; k < HIT_MAX_ARGS; k++) {
        free(recorder->of[k].seen);
        free(recorder->of[k].list);
    }
    *recorder = (hit_recorder){0};
}

hit_status hit_recorder_run(hit_recorder *recorder, const hit_index at[])
{
    const hit_replica *replica = recorder->replica;
    const hit_kernel *kernel = replica->kernel;
    const hit_domain point = hit_domain_box(kernel->dims, at, at);
    hit_run run = hit_replica_run(replica, &point);
    bool lost = false;

    run.where = NULL; /* the index is run */
    for (int k = 0; k < kernel->args; k++) {
        const hit_replica_arg *arg = &replica->arg[k];

        hit_record_start(&recorder->of[k]);
        if (arg->value != NULL || kernel->checked == NULL) continue;
        run.slot[k].base = arg->view.data;
        run.slot[k].touch = &recorder->of[k].touch;
        memset(hit_replica_now(arg, arg->cells), 0, arg->view.size_bytes);
    }
    HIT_TRY(hit_kernel_call(
        kernel, kernel->checked != NULL ? kernel->checked : kernel->host, &run));
    for (int k = 0; k < kernel->args; k++) {
        lost = lost || recorder->of[k].lost;
    }
    if (lost) return HIT_FAIL(HIT_E_NOMEM, "no memory for what %s touches", kernel->name);
    return HIT_OK;
}

void hit_recorder_restore(const hit_recorder *recorder)
{
    for (int k = 0; k < recorder->replica->kernel->args; k++) {
        const hit_record *record = &recorder->of[k];

        for (int t = 0; t < record->count; t++) {
            const hit_index cell = record->list[t].cell;

            if (cell >= 0) hit_replica_reset(record->arg, cell);
        }
    }
}
