/* SPDX-License-Identifier: MIT
 * `hit model measure`: times a kernel of the catalogue on pieces of given sizes, on all
 * processes at the same time, or copies and messages of this machine; keeps what it finds
 * in the store. */
#include "hit/base/context.h"
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/comm/comm.h"
#include "hit/context.h"
#include "hit/cost/model_key.h"
#include "hit/device/device.h"
#include "hit/launch/catalogue.h"
#include "hit/measure/measure_impl.h"
#include "hit/measure/trial.h"
#include "hit/model/store_impl.h"
#include "hit/tool/tool.h"
#include "hit/trace/meters.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: hit model measure KERNEL --size NxM[,NxM...] [OPTION...]\n"
    "       hit model measure links [OPTION...]\n"
    "       mpiexec -n P hit model measure ...  P processes, measured together\n"
    "\n"
    "  KERNEL         a kernel of the catalogue: heat_float, or heat\n"
    "  links          copies to a device, from it and on it; messages if P > 1\n"
    "  --size SIZES   indices of the pieces in each dimension; N: NxN\n"
    "  --k K          extent of the dimensions that are traversed (\":\")\n"
    "  --devices LIST as HIT_DEVICES\n"
    "  --error E      half-width of the 95 % interval / mean to reach; default 0.025\n"
    "  --reps N       most repetitions; default 30\n"
    "  --energy       also the joules of each size, where the machine has meters\n"
    "  --forget       do not keep what is measured\n"
    "  --json         one line of JSON for each size\n";

typedef struct request {
    const char *kernel;
    const char *sizes;
    const char *devices;
    const char *k;
    const char *error;
    const char *reps;
    bool links; /* instead of a kernel */
    bool energy;
    bool forget;
    bool json;
} request;

/* ---- the command line ---- */

static hit_status read_request(int argc, char **argv, request *r)
{
    const hit_tool_option known[] = {{"--size", &r->sizes, NULL},
                                     {"--k", &r->k, NULL},
                                     {"--devices", &r->devices, NULL},
                                     {"--error", &r->error, NULL},
                                     {"--reps", &r->reps, NULL},
                                     {"--energy", NULL, &r->energy},
                                     {"--forget", NULL, &r->forget},
                                     {"--json", NULL, &r->json},
                                     {NULL, NULL, NULL}};
    const char **const plain[] = {&r->kernel};
    const hit_kernel *found;

    HIT_TRY(hit_tool_read_words(argc, argv, known, 1, plain, "kernel"));
    if (r->kernel == NULL) return HIT_FAIL(HIT_E_ARG, "expected a kernel");
    r->links = strcmp(r->kernel, "links") == 0;
    if (r->links) {
        if (r->energy) return HIT_FAIL(HIT_E_ARG, "expected a kernel for --energy");
        if (r->sizes == NULL && r->k == NULL) return HIT_OK;
        return HIT_FAIL(HIT_E_ARG, "links have their own sizes: expected no %s",
                        r->sizes != NULL ? "--size" : "--k");
    }
    HIT_TRY(hit_kernel_find(NULL, r->kernel, &found));
    if (r->sizes == NULL) return HIT_FAIL(HIT_E_ARG, "expected --size");
    return HIT_OK;
}

/* The next of the sizes "64x64,128" into @p domain; *text goes behind it. */
static hit_status read_size(const char **text, int dims, hit_domain *domain)
{
    hit_index size[HIT_MAX_DIMS] = {0};
    const char *at = *text;
    int given = 0;

    do {
        const char *number = given > 0 ? at + 1 : at;

        if (!hit_number_next(&number, 1, INT64_MAX, &size[given])) break;
        at = number;
        given++;
    } while (*at == 'x' && given < dims);
    for (int d = given; d < dims; d++) {
        size[d] = given == 1 ? size[0] : 0;
    }
    if (given == 0 || (given != 1 && given != dims) || (*at != ',' && *at != '\0') ||
        (*at == ',' && at[1] == '\0')) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected after --size sizes of 1 or %d numbers >= 1, with 'x' "
                        "between them, but found \"%.40s\"",
                        dims, *text);
    }
    *domain = hit_domain_of_sizes(dims, size);
    *text = *at == ',' ? at + 1 : at;
    return HIT_OK;
}

/* ---- measuring ---- */

static void print_json(hit_json *list, const hit_measure *m, bool energy)
{
    const bool known = isfinite(m->seconds);
    const double half_s = known && !isfinite(m->half_width_s) ? 1e308 : m->half_width_s;

    hit_json_object(list, NULL);
    hit_json_real(list, "seconds", "%.9g", m->seconds);
    hit_json_real(list, "half_width_s", "%.9g", known ? half_s : NAN);
    hit_json_whole(list, "repetitions", m->reps);
    hit_json_text(list, "stop", hit_measure_verdict_name(m->verdict));
    if (energy) hit_json_real(list, "joules", "%.9g", m->joules);
    hit_json_end(list);
}

/* Without a limit of time, what is killed is what does not fit. */
static hit_status check_rows(int count, const hit_measured all[])
{
    for (int p = 0; p < count; p++) {
        if (isfinite(all[p].result.seconds)) continue;
        return HIT_FAIL(HIT_E_LIMIT,
                        "expected a size that fits the memory of process %d but found "
                        "%" PRId64 " units",
                        p, all[p].result.units);
    }
    return HIT_OK;
}

static void print_rows(const request *r, const hit_domain *size, int count,
                       const hit_measured all[])
{
    hit_json line = {.file = stdout};

    if (r->json) {
        line = hit_tool_ok();
        hit_json_whole(&line, "units", hit_domain_count(size));
        hit_json_list(&line, "processes");
    }
    for (int p = 0; p < count; p++) {
        const hit_measure *m = &all[p].result;

        if (r->json) {
            print_json(&line, m, r->energy);
        } else if (!isfinite(m->seconds)) {
            hit_say(stdout, "%7d %12" PRId64 " %12s %11s %5d %7s %12s\n", p, m->units,
                    "-", "-", m->reps, hit_measure_verdict_name(m->verdict), "-");
        } else {
            hit_say(stdout, "%7d %12" PRId64 " %12.4g %9.1f %% %5d %7s %12.4g", p,
                    m->units, m->seconds, 100 * m->half_width_s / m->seconds, m->reps,
                    hit_measure_verdict_name(m->verdict), (double)m->units / m->seconds);
            if (r->energy) hit_say(stdout, " %10.4g", m->joules);
            hit_say(stdout, "\n");
        }
    }
    if (r->json) hit_json_end_line(&line);
    (void)fflush(stdout);
}

/* As models of their own, whose seconds are joules. */
static hit_status keep_joules(const hit_context *hit, hit_measured all[])
{
    for (int p = 0; p < hit->size; p++) {
        const hit_model_key key = all[p].key;

        (void)snprintf(all[p].key.kernel, sizeof(key.kernel), "joules_%.120s",
                       key.kernel);
        all[p].result.seconds = all[p].result.joules;
    }
    return hit_models_save(&hit->clock, hit->size, all);
}

/* One size on all processes; process 0 prints and keeps. */
static hit_status measure(hit_context *hit, const request *r, const hit_trial *trial)
{
    const hit_subject subject = hit_trial_subject(trial);
    hit_measured mine = {.result = {.reps = 0}};
    hit_measured *all = NULL;
    hit_status st = hit_model_key_make(hit, &subject, NULL, &mine.key);

    if (st == HIT_OK) st = hit_memory_zeroed((size_t)hit->size, sizeof(mine), &all);
    st = hit_comm_agree(hit->comm, st);
    if (st == HIT_OK) st = hit_trial_run(hit, trial, &trial->whole, &mine.result);
    if (st == HIT_OK) st = hit_comm_gather(hit->comm, &mine, sizeof(mine), all);
    if (st == HIT_OK && hit->rank == 0 && all != NULL) {
        print_rows(r, &trial->whole, hit->size, all);
        if (!r->forget) st = hit_models_save(&hit->clock, hit->size, all);
        if (st == HIT_OK) st = check_rows(hit->size, all);
        if (st == HIT_OK && r->energy && !r->forget) st = keep_joules(hit, all);
    }
    free(all);
    return hit_comm_agree(hit->comm, st);
}

static hit_status read_limits(const request *r, hit_measure_options *options)
{
    hit_index reps = 0;
    double *error = &options->relative_error;

    if (r->reps != NULL) HIT_TRY(hit_number_read("--reps", r->reps, 1, INT_MAX, &reps));
    if (r->error != NULL) {
        HIT_TRY(hit_number_read_real("--error", r->error, 1e-6, 1e15, error));
    }
    options->reps_max = (int)reps;
    if (reps > 0 && reps < 3) options->reps_min = (int)reps;
    return HIT_OK;
}

/* ---- links ---- */

/* The slowest of those that took part: what all wait for. */
static const hit_measure *slowest(int count, const hit_measured all[])
{
    const hit_measure *found = &all[0].result;

    for (int p = 1; p < count; p++) {
        if (all[p].result.seconds > found->seconds) found = &all[p].result;
    }
    return found;
}

static void print_head(void)
{
    hit_say(stdout, "%-10s %10s %10s %12s %11s %5s %12s\n", "link", "run bytes", "bytes",
            "seconds", "half-width", "reps", "bytes/s");
}

static void print_shape(const hit_link_shape *shape, const hit_measure *m, bool json)
{
    const size_t run = shape->run_bytes > 0 ? shape->run_bytes : shape->bytes;
    const double speed = (double)shape->bytes / m->seconds;

    if (json) {
        hit_json line = hit_tool_ok();

        hit_json_text(&line, "link", hit_link_text(shape->link));
        hit_json_count(&line, "run_bytes", run);
        hit_json_count(&line, "bytes", shape->bytes);
        hit_json_real(&line, "seconds", "%.9g", m->seconds);
        hit_json_real(&line, "half_width_s", "%.9g",
                      m->half_width_s < 1e308 ? m->half_width_s : 1e308);
        hit_json_whole(&line, "repetitions", m->reps);
        hit_json_end_line(&line);
    } else {
        hit_say(stdout, "%-10s %10zu %10zu %12.4g %9.1f %% %5d %12.4g\n",
                hit_link_text(shape->link), run, shape->bytes, m->seconds,
                100 * m->half_width_s / m->seconds, m->reps, speed);
    }
    (void)fflush(stdout);
}

static hit_status measure_link(hit_context *hit, const hit_link_shape *shape,
                               const request *r, const hit_measure_options *options,
                               bool *any)
{
    hit_measured mine = {.result = {.reps = 0}};
    hit_measured *all = NULL;
    hit_status st = hit_memory_zeroed((size_t)hit->size, sizeof(mine), &all);

    hit_model_key_of_link(hit, hit->device[0], shape->link, shape->run_bytes, &mine.key);
    st = hit_comm_agree(hit->comm, st);
    if (st == HIT_OK) {
        st = hit_links_measure(hit, hit->device[0], shape, options, &mine.result);
    }
    if (st == HIT_OK) st = hit_comm_gather(hit->comm, &mine, sizeof(mine), all);
    if (st == HIT_OK && hit->rank == 0 && slowest(hit->size, all)->reps > 0) {
        if (!*any && !r->json) print_head();
        *any = true;
        print_shape(shape, slowest(hit->size, all), r->json);
        if (!r->forget) st = hit_models_save(&hit->clock, hit->size, all);
    }
    free(all);
    return hit_comm_agree(hit->comm, st);
}

static void print_links(const hit_context *hit, bool json)
{
    hit_links links;

    hit_links_load(hit, hit->device[0], &links);
    for (int name = 0; name < HIT_LINK_NAMES; name++) {
        const hit_link *link = &links.link[name];

        if ((links.known >> name & 1u) == 0) continue;
        if (json) {
            hit_json line = hit_tool_ok();

            hit_json_text(&line, "link", hit_link_text((hit_link_name)name));
            hit_json_real(&line, "latency_s", "%.9g", link->latency_s);
            hit_json_real(&line, "run_s", "%.9g", link->run_s);
            hit_json_real(&line, "byte_s", "%.9g", link->byte_s);
            hit_json_end_line(&line);
        } else {
            hit_say(stdout, "%s: %.3g s + %.3g s per run + %.3g s per MiB\n",
                    hit_link_text((hit_link_name)name), link->latency_s, link->run_s,
                    link->byte_s * 1048576);
        }
    }
}

static hit_status expect_one_device(const hit_context *hit)
{
    if (hit_device_sharing(hit->devices, hit->device) == 1) return HIT_OK;
    return HIT_FAIL(
        HIT_E_ARG,
        "links are measured one device at a time: expected one device of this "
        "process but found %d",
        hit->devices);
}

static hit_status measure_links(hit_context *hit, const request *r)
{
    /* a copy that others disturb is not waited for: there are many of them */
    hit_measure_options options = {.time_max_s = 0.2};
    hit_link_shape shape[HIT_LINK_SHAPES];
    const int count = hit_links_shapes(shape);
    hit_status st = HIT_OK;
    bool any = false;

    HIT_TRY(read_limits(r, &options));
    HIT_TRY(hit_comm_agree(hit->comm, expect_one_device(hit)));
    for (int k = 0; k < count; k++) {
        HIT_TRY(measure_link(hit, &shape[k], r, &options, &any));
    }
    if (hit->rank == 0 && !any) {
        st = HIT_FAIL(HIT_E_ARG,
                      "there is no link: the device works on the tiles' own memory, and "
                      "there is one process. Name a device with memory of its own "
                      "(--devices host:staged), or start several processes");
    }
    if (hit->rank == 0 && any && !r->forget) print_links(hit, r->json);
    return hit_comm_agree(hit->comm, st);
}

/* ---- all ---- */

/* Some process must have a meter. */
static hit_status check_meters(const hit_context *hit, const hit_meters *meters)
{
    uint64_t count = (uint64_t)meters->packages + (uint64_t)meters->devices;
    hit_status st = HIT_OK;

    HIT_TRY(hit_comm_sum_u64(hit->comm, &count, 1));
    if (count == 0 && hit->rank == 0) {
        st = HIT_FAIL(HIT_E_ABSENT, "--energy: expected a meter but found none%s%s",
                      meters->refused[0] != '\0' ? ": " : "", meters->refused);
    }
    return hit_comm_agree(hit->comm, st);
}

static hit_status measure_sizes(hit_context *hit, const request *r, hit_meters *meters)
{
    /* a meter is updated about each millisecond */
    hit_trial trial = {.meters = meters, .sample_s = meters != NULL ? 0.01 : 0};
    const char *at = r->sizes;

    HIT_TRY(hit_kernel_find(hit, r->kernel, &trial.kernel));
    if (r->k != NULL) {
        HIT_TRY(hit_number_read("--k", r->k, 1, INT64_MAX / 2, &trial.extent));
    }
    HIT_TRY(read_limits(r, &trial.measure));
    if (hit->rank == 0 && !r->json) {
        hit_say(stdout, "%7s %12s %12s %11s %5s %7s %12s%s\n", "process", "units",
                "seconds", "half-width", "reps", "stop", "units/s",
                r->energy ? "          J" : "");
    }
    while (*at != '\0') {
        HIT_TRY(read_size(&at, trial.kernel->dims, &trial.whole));
        HIT_TRY(measure(hit, r, &trial));
    }
    return HIT_OK;
}

static hit_status measure_all(hit_context *hit, const request *r)
{
    hit_meters *meters = NULL;
    hit_status st;

    if (r->links) return measure_links(hit, r);
    if (!r->energy) return measure_sizes(hit, r, NULL);
    HIT_TRY(hit_meters_open(hit, &meters));
    st = check_meters(hit, meters);
    if (st == HIT_OK) st = measure_sizes(hit, r, meters);
    hit_meters_close(&meters);
    return st;
}

int hit_tool_model_measure(int argc, char **argv)
{
    request r = {.forget = false};
    hit_options options = {0};
    hit_context *hit = NULL;
    hit_status st;

    if (hit_tool_helps(argc, argv, usage)) return 0;
    st = read_request(argc, argv, &r);
    options.devices = r.devices;
    if (st == HIT_OK) st = hit_open_with(NULL, NULL, &options, &hit);
    if (st == HIT_OK) st = measure_all(hit, &r);
    if (st != HIT_OK && (hit == NULL || hit->rank == 0)) {
        hit_tool_print_failure("model measure", r.json, "error");
    }
    hit_close(&hit);
    return st == HIT_OK ? 0 : 2;
}
