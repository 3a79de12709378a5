/* SPDX-License-Identifier: MIT
 * Trials run in a context of one process that borrows the device: launches there are the
 * real ones, with superblocks and all, but send nothing and agree with no others.
 * Elements are written before, since memory that was never written is one page of zeros,
 * which a cache holds whatever the size; and they are 1, as small numbers may become
 * denormal.
 */
#include "hit/measure/trial.h"

#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/measure/measure_impl.h"
#include "hit/tile/tile_impl.h"
#include "hit/trace/meters.h"

#include <math.h>

/* A first run that takes so many times the limit is not repeated. */
static const double hopeless = 10;

/* A first run that takes longer is believed, without a second one. */
static const double once_s = 1;

/* For so long at least a part runs whose energy is asked for. */
static const double meters_s = 2;

/* What one process runs. */
typedef struct bench {
    hit_rig rig;
    hit_contention *others; /* devices of the process */
    double kill_s;
    double fastest_s; /* of all repetitions, the dropped one included */
} bench;

/* The first run, which is dropped, tells whether more are hopeless. It begins with tiles
 * that are as large as the kernel needs. *run_s: how long one takes, by a second run
 * where the first one may have loaded a library. */
static hit_status warm_up(bench *b, hit_measure *result, double *run_s)
{
    double seconds = 0;

    HIT_TRY(hit_rig_time(&b->rig, &seconds));
    if (seconds < once_s) HIT_TRY(hit_rig_time(&b->rig, &seconds));
    b->fastest_s = seconds;
    if (seconds >= hopeless * b->kill_s) (void)hit_measure_add(result, INFINITY);
    *run_s = seconds / (double)hit_pieces_count(&b->rig.pieces);
    return HIT_OK;
}

/* How many runs make a repetition: enough for the clock; and pieces, until the slowest
 * process has run one of them. */
static hit_status set_runs(hit_context *context, bench *b, double run_s)
{
    const bool whole = hit_pieces_count(&b->rig.pieces) <= 1;
    double wanted_s = b->rig.trial->sample_s > 0 ? b->rig.trial->sample_s : 1e-3;
    uint64_t slowest_ns = whole ? 0 : (uint64_t)(1e9 * run_s);

    HIT_TRY(hit_comm_max_u64(context->comm, &slowest_ns, 1));
    if (whole && run_s >= wanted_s) return HIT_OK;
    if (!whole) wanted_s = fmax(wanted_s, 1e-9 * (double)slowest_ns);
    b->rig.runs = (int)fmin(fmax(1, round(wanted_s / fmax(run_s, 1e-7))), 1e4);
    return HIT_OK;
}

/* What does not fit is not an error but takes for ever. */
static hit_status forgive(hit_status status, hit_measure *result)
{
    if (status != HIT_E_LIMIT && status != HIT_E_NOMEM) return status;
    (void)hit_measure_add(result, INFINITY);
    return HIT_OK;
}

/* What processes agree on after each repetition: the largest of theirs. */
enum {
    VERDICT,
    LONGEST,  /* of the fastest runs, in ns */
    SHORTEST, /* of the means, in ns, subtracted from the largest number */
    AGREED
};

/* One repetition of this process, if it is not idle. */
static hit_status run_once(bench *b, hit_measure *result, uint64_t agreed[])
{
    hit_status st;
    double seconds = 0;

    if (hit_domain_is_empty(b->rig.part) || result->verdict >= HIT_MEASURE_KILLED) {
        return HIT_OK;
    }
    st = forgive(hit_rig_time(&b->rig, &seconds), result);
    b->fastest_s = fmin(b->fastest_s, seconds);
    /* one long run may be an accident: all must take too long */
    if (b->fastest_s >= b->kill_s) seconds = INFINITY;
    if (st == HIT_OK && result->verdict < HIT_MEASURE_KILLED) {
        (void)hit_measure_add(result, seconds);
    }
    if (st == HIT_OK && result->verdict < HIT_MEASURE_KILLED) {
        agreed[VERDICT] = (uint64_t)result->verdict;
        agreed[LONGEST] = (uint64_t)fmin(1e9 * b->fastest_s, 0x1p62);
        agreed[SHORTEST] = UINT64_MAX - (uint64_t)fmin(1e9 * result->seconds, 0x1p62);
    }
    return st;
}

/* One repetition on all processes; *verdict is that of all of them. */
static hit_status repeat(hit_context *context, bench *b, hit_measure *result, int reps,
                         uint64_t *verdict)
{
    uint64_t agreed[AGREED] = {HIT_MEASURE_EXACT, 0, 0};
    hit_status st;
    double longest;

    HIT_TRY(hit_comm_barrier(context->comm));
    st = run_once(b, result, agreed);
    if (st != HIT_OK) agreed[VERDICT] = HIT_MEASURE_FAILED;
    HIT_TRY(hit_comm_max_u64(context->comm, agreed, AGREED));
    *verdict = agreed[VERDICT];
    longest = (double)agreed[LONGEST];
    if (*verdict == HIT_MEASURE_CONTINUE && b->rig.trial->rough > 0 && reps >= 3 &&
        longest - (double)(UINT64_MAX - agreed[SHORTEST]) >
            b->rig.trial->rough * longest) {
        *verdict = HIT_MEASURE_REPS;
    }
    return st;
}

/* The limit of single repetitions is judged here, not by hit_measure. */
static hit_status check(const hit_trial *trial, const hit_domain *part,
                        hit_measure *result, double *kill_s)
{
    const hit_kernel *kernel = trial->kernel;

    if (kernel == NULL) return HIT_FAIL(HIT_E_ARG, "expected a kernel but found NULL");
    if (trial->extent < 0 || trial->piece < 0) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected an extent and a piece >= 0 but found %lld, %lld",
                        (long long)trial->extent, (long long)trial->piece);
    }
    HIT_TRY(hit_domain_check(part));
    if (part->dims != kernel->dims || trial->whole.dims != kernel->dims) {
        return HIT_FAIL(HIT_E_ARG,
                        "kernel %s: expected indices of %d dimensions but found %d of %d",
                        kernel->name, kernel->dims, part->dims, trial->whole.dims);
    }
    HIT_TRY(hit_measure_init(result, hit_domain_count(part), &trial->measure));
    *kill_s = result->options.kill_s;
    result->options.kill_s = INFINITY;
    return HIT_OK;
}

/* Until all are satisfied or one has to stop; then all know whether one failed. */
static hit_status run_all(hit_context *context, bench *b, hit_measure *result)
{
    uint64_t verdict = HIT_MEASURE_CONTINUE;
    hit_status st = HIT_OK;

    for (int reps = 1; st == HIT_OK && verdict == HIT_MEASURE_CONTINUE; reps++) {
        st = repeat(context, b, result, reps, &verdict);
    }
    return hit_comm_agree(context->comm, st);
}

/* What one run of the part used, of all that was used since @p start_s. A GPU's meter
 * goes on every tenth of a second: the runs go on until that is little. */
static hit_status set_joules(hit_context *context, bench *b, double start_s,
                             hit_measure *result)
{
    const bool runs =
        !hit_domain_is_empty(b->rig.part) && result->verdict < HIT_MEASURE_KILLED;
    hit_status st = HIT_OK;
    double seconds;
    double all_s;
    double packages_j;
    double all_j;
    uint64_t microjoules;
    double mine_j;

    while (runs && st == HIT_OK && hit_clock_now(&context->clock) - start_s < meters_s) {
        st = hit_rig_time(&b->rig, &seconds);
    }
    HIT_TRY(hit_comm_agree(context->comm, st));
    all_s = hit_clock_now(&context->clock) - start_s;
    all_j = hit_meters_read(b->rig.trial->meters, &packages_j);
    microjoules = (uint64_t)(1e6 * packages_j);

    HIT_TRY(hit_comm_sum_u64(context->comm, &microjoules, 1));
    mine_j = all_j - packages_j + 1e-6 * (double)microjoules / context->size;
    if (all_s > 0 && isfinite(result->seconds)) {
        result->joules = mine_j / all_s * result->seconds;
    }
    return HIT_OK;
}

/* Everything before the first repetition. */
static hit_status begin(hit_context *context, bench *b, hit_measure *result)
{
    hit_status st = HIT_OK;
    double run_s = 0;

    if (!hit_domain_is_empty(b->rig.part) && result->verdict == HIT_MEASURE_CONTINUE) {
        st = forgive(warm_up(b, result, &run_s), result);
    }
    HIT_TRY(hit_comm_agree(context->comm, st));
    return set_runs(context, b, run_s);
}

/* The trial while the other devices of the process are busy. */
static hit_status run_beside(hit_context *context, bench *b, hit_measure *result)
{
    hit_meters *meters = b->rig.trial->meters;
    double start_s;
    hit_status st;

    hit_contention_begin(b->others);
    st = begin(context, b, result);
    start_s = hit_clock_now(&context->clock);
    if (st == HIT_OK && meters != NULL) (void)hit_meters_read(meters, NULL);
    if (st == HIT_OK) st = run_all(context, b, result);
    if (st == HIT_OK && meters != NULL) {
        st = set_joules(context, b, start_s, result);
    }
    if (st == HIT_OK) {
        st = hit_contention_end(b->others);
    } else {
        (void)hit_contention_end(b->others);
    }
    return hit_comm_agree(context->comm, st);
}

hit_subject hit_trial_subject(const hit_trial *trial)
{
    return (hit_subject){trial->kernel, trial->whole, trial->extent, trial->piece,
                         trial->device};
}

hit_status hit_trial_run(hit_context *context, const hit_trial *trial,
                         const hit_domain *part, hit_measure *result)
{
    bench b = {.rig = {.trial = trial, .part = part}};
    hit_measure found = {.reps = 0};
    hit_status st;

    if (context == NULL || trial == NULL || part == NULL || result == NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected a context, a trial, a part and a place for "
                                   "the result but found NULL");
    }
    st = hit_settle(context); /* the trial's launcher does not know what this one left */
    if (st == HIT_OK) st = check(trial, part, &found, &b.kill_s);
    if (st == HIT_OK) st = forgive(hit_rig_open(context, trial->device, &b.rig), &found);
    if (st == HIT_OK) st = hit_contention_open(context, trial, part, &b.others);
    st = hit_comm_agree(context->comm, st);
    if (st == HIT_OK) st = run_beside(context, &b, &found);
    hit_contention_close(&b.others);
    hit_rig_close(&b.rig);
    if (st == HIT_OK) *result = found;
    return st;
}
