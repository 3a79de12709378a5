/* SPDX-License-Identifier: MIT
 * The annotation checker: visits the indices of a launch. */
#include "hit/check/check.h"

#include "hit/base/trace.h"
#include "hit/check/check_impl.h"

#include <string.h>

bool hit_check_begin(hit_checker *checker, int k, const hit_index at[])
{
    char index[100];

    if (!hit_report_first(checker->report)) return false;
    hit_replica_print_index(checker->replica->kernel->dims, at, index, sizeof(index));
    hit_report_write(checker->report, checker->replica, k, "index %s ", index);
    return true;
}

void hit_check_end(hit_checker *checker, int k)
{
    checker->suggested = k + 1;
}

static hit_status init(hit_checker *checker)
{
    const hit_kernel *kernel = checker->replica->kernel;
    hit_arrays *arrays = &checker->arrays;

    HIT_TRY(hit_recorder_init(checker->replica, &checker->recorder));
    for (int k = 0; k < kernel->args; k++) {
        const size_t size = kernel->arg[k].type.size_bytes;

        if (size > checker->element_bytes) checker->element_bytes = size;
    }
    HIT_TRY(hit_arrays_take(arrays, 1, checker->element_bytes, &checker->element));
    for (int k = 0; k < kernel->args; k++) {
        const hit_replica_arg *arg = &checker->replica->arg[k];
        const size_t boxes = (size_t)checker->replica->pattern[k].count;

        if (arg->value != NULL) continue;
        HIT_TRY(HIT_TAKE(arrays, boxes, checker->box[k]));
        HIT_TRY(hit_tight_init(checker, k));
        if (kernel->arg[k].mode != HIT_MODE_OUT &&
            kernel->arg[k].mode != HIT_MODE_INOUT) {
            continue;
        }
        if (hit_kernel_is_ordered(kernel)) continue; /* indices may share elements */
        HIT_TRY(HIT_TAKE(arrays, (size_t)arg->cells + 1, checker->owner[k]));
    }
    return HIT_OK;
}

static void clear(hit_checker *checker)
{
    const hit_checker none = {.replica = checker->replica,
                              .report = checker->report,
                              .effort = checker->effort,
                              .suggested = checker->suggested,
                              .looked = checker->looked,
                              .seconds = checker->seconds};

    hit_arrays_free(&checker->arrays);
    free(checker->watch);
    free(checker->value);
    hit_recorder_clear(&checker->recorder);
    *checker = none;
}

/* What is read through a pointer that a body made from hit() is not seen, but what is
 * written is. */
static void check_rest(hit_checker *checker)
{
    hit_replica *replica = checker->replica;
    bool changed = false;

    for (int k = 0; k < replica->kernel->args; k++) {
        const hit_replica_arg *arg = &replica->arg[k];

        if (arg->value != NULL) continue;
        if (memcmp(arg->view.data, arg->pristine, hit_replica_bytes(arg)) == 0) continue;
        changed = true;
        for (hit_index cell = 0; cell < arg->cells; cell++) {
            char element[100];

            if (hit_replica_is_kept(arg, cell)) continue;
            if (!hit_report_first(checker->report)) break;
            hit_replica_print_cell(arg, cell, element, sizeof(element));
            hit_report_write(checker->report, replica, k,
                             "some index changes element %s without naming it: write "
                             "hit(%s, ...) for every access",
                             element, replica->kernel->arg[k].name);
            break;
        }
    }
    if (changed) hit_replica_restore(replica);
}

static hit_status visit(hit_checker *checker, hit_sample *sample)
{
    const hit_index all = hit_sample_count(sample);
    const double start_s = hit_trace_now();
    hit_index at[HIT_MAX_DIMS];
    hit_index done = 0;

    if (!hit_sample_first(sample, at, &checker->number)) return HIT_OK;
    do {
        if (!hit_replica_has(checker->replica, at)) continue;
        HIT_TRY(hit_check_index(checker, at));
        done++;
        if (checker->effort != NULL) hit_effort_tell(checker->effort, start_s, done, all);
    } while (hit_sample_next(sample, at, &checker->number));
    checker->looked += done;
    checker->seconds += hit_trace_now() - start_s;
    check_rest(checker);
    return HIT_OK;
}

/* Is there anything that a sample did not touch, and no other report? */
static bool has_doubts(hit_checker *checker)
{
    hit_report *report = checker->report;
    hit_report untouched = {0};

    if (report->count > 0 || checker->effort->tight) return false;
    checker->report = &untouched;
    hit_tight_report(checker);
    checker->report = report;
    checker->suggested = 0;
    return untouched.count > 0;
}

static hit_status look(hit_checker *checker, bool tight_too, hit_index most, bool *doubts)
{
    const uint64_t seed = checker->effort == NULL ? 0 : checker->effort->launches;
    hit_sample sample;
    hit_status status = hit_sample_make(&checker->replica->index, most, seed, &sample);

    if (status == HIT_OK) status = init(checker);
    if (status == HIT_OK) status = visit(checker, &sample);
    if (status == HIT_OK && tight_too && sample.whole) hit_tight_report(checker);
    *doubts = status == HIT_OK && tight_too && !sample.whole && has_doubts(checker);
    clear(checker);
    hit_sample_clear(&sample);
    return status;
}

static hit_status look_at_elements(hit_checker *checker, bool tight_too)
{
    hit_effort *effort = checker->effort;
    hit_index most = INT64_MAX;
    bool doubts;

    if (effort != NULL) most = hit_effort_most(effort, checker->replica);
    HIT_TRY(look(checker, tight_too, most, &doubts));
    if (effort != NULL && doubts) {
        effort->tight = true;
        HIT_TRY(look(checker, tight_too, INT64_MAX, &doubts));
    }
    if (effort != NULL) {
        hit_effort_end(effort, checker->replica, checker->seconds, checker->looked);
    }
    return HIT_OK;
}

/* At the end: finding the annotation means running the body. */
static void suggest(hit_checker *checker)
{
    char text[400];

    hit_infer_suggest(checker->replica, checker->suggested - 1, text, sizeof(text));
    hit_report_add(checker->report, "%s", text);
}

hit_status hit_check_some(hit_replica *replica, bool tight_too, hit_effort *effort,
                          hit_report *report)
{
    hit_checker checker = {.replica = replica, .report = report, .effort = effort};

    HIT_TRY(hit_replica_ready(replica));
    if (replica->kernel->checked == NULL) {
        HIT_TRY(hit_check_box(replica, report));
    } else {
        HIT_TRY(look_at_elements(&checker, tight_too));
    }
    if (checker.suggested > 0) suggest(&checker);
    hit_report_finish(report);
    return HIT_OK;
}
