/* SPDX-License-Identifier: MIT
 * The stopping rule of measurements: repeat until the half-width of Student's confidence
 * interval is below a relative error, as FuPerMod does. The quantile is found by
 * bisecting the distribution function, which is a finite sum for whole degrees of freedom
 * (Abramowitz and Stegun, 26.7.3 and 26.7.4): no table, no incomplete beta function. */
#include "hit/model/measure.h"

#include <math.h>
#include <stdbool.h>

#define MOST_FREEDOM 1000

enum {
    SPIKE_FACTOR = 10,
    SPIKE_OTHERS = 3
};

/** P(|T| <= sqrt(freedom) tan(angle)). */
static double within(double angle, int freedom)
{
    double cosine = cos(angle);
    bool odd = freedom % 2 != 0;
    double term = odd ? cosine : 1.0;
    double sum = 0.0;

    for (int k = odd ? 3 : 2; k <= freedom; k += 2) {
        sum += term;
        term *= cosine * cosine * (double)(k - 1) / (double)k;
    }
    if (odd) return (angle + sin(angle) * sum) / acos(0.0);
    return sin(angle) * sum;
}

double hit_measure_student(double confidence, int freedom)
{
    double low = 0.0;
    double high = acos(0.0);

    if (freedom > MOST_FREEDOM) freedom = MOST_FREEDOM;
    for (int i = 0; i < 60; i++) {
        double middle = low + (high - low) / 2.0;

        if (within(middle, freedom) < confidence) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return sqrt((double)freedom) * tan(low + (high - low) / 2.0);
}

static bool positive(double value)
{
    return value > 0.0 && !isnan(value);
}

hit_status hit_measure_init(hit_measure *measure, hit_index units,
                            const hit_measure_options *options)
{
    hit_measure_options o = options != NULL ? *options : (hit_measure_options){0};

    if (o.relative_error == 0.0) o.relative_error = 0.025;
    if (o.confidence == 0.0) o.confidence = 0.95;
    if (o.reps_min == 0) o.reps_min = 3;
    if (o.reps_max == 0) o.reps_max = o.reps_min > 30 ? o.reps_min : 30;
    if (o.time_max_s == 0.0) o.time_max_s = 10.0;
    if (o.kill_s == 0.0) o.kill_s = INFINITY;
    if (units < 0) {
        return HIT_FAIL(HIT_E_ARG, "expected units >= 0 but found %lld",
                        (long long)units);
    }
    if (!positive(o.relative_error) || !positive(o.time_max_s) || !positive(o.kill_s)) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected limits > 0 but found relative error %g, time %g s, "
                        "kill %g s",
                        o.relative_error, o.time_max_s, o.kill_s);
    }
    if (!positive(o.confidence) || o.confidence >= 1.0) {
        return HIT_FAIL(HIT_E_ARG, "expected 0 < confidence < 1 but found %g",
                        o.confidence);
    }
    if (o.reps_min < 1 || o.reps_max < o.reps_min) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected 1 <= least <= most repetitions but found %d and %d",
                        o.reps_min, o.reps_max);
    }
    *measure = (hit_measure){.options = o,
                             .units = units,
                             .half_width_s = INFINITY,
                             .verdict = HIT_MEASURE_CONTINUE};
    return HIT_OK;
}

static hit_measure_verdict judge(const hit_measure *measure, double last)
{
    const hit_measure_options *o = &measure->options;

    if (last >= o->kill_s) return HIT_MEASURE_KILLED;
    if (measure->reps >= o->reps_min &&
        measure->half_width_s <= o->relative_error * measure->seconds) {
        return HIT_MEASURE_EXACT;
    }
    if (measure->total_s >= o->time_max_s) return HIT_MEASURE_TIME;
    return measure->reps >= o->reps_max ? HIT_MEASURE_REPS : HIT_MEASURE_CONTINUE;
}

/* Mean and interval of all times; without the largest where that is far from the others:
 * in the mean it would count for as long as the model is kept. */
static void summarise(hit_measure *measure)
{
    const int others = measure->reps - 1;
    const double away = measure->largest_s - measure->others_s;
    const bool spike = others >= SPIKE_OTHERS && measure->others_s > 0.0 &&
                       measure->largest_s > SPIKE_FACTOR * measure->others_s;
    const int count = spike ? others : measure->reps;
    double deviations = measure->deviations;

    measure->seconds = measure->others_s;
    if (!spike) {
        measure->seconds += away / (double)count;
        deviations += away * away * (double)others / (double)count;
    }
    if (count < 2) return;
    measure->half_width_s = hit_measure_student(measure->options.confidence, count - 1) *
                            sqrt(deviations / (double)(count - 1) / (double)count);
}

static void add(hit_measure *measure, double seconds)
{
    double from_mean;

    measure->total_s += seconds;
    if (measure->reps++ == 0) {
        measure->largest_s = seconds;
        return;
    }
    if (seconds > measure->largest_s) {
        const double larger = seconds;

        seconds = measure->largest_s;
        measure->largest_s = larger;
    }
    from_mean = seconds - measure->others_s;
    measure->others_s += from_mean / (double)(measure->reps - 1);
    measure->deviations += from_mean * (seconds - measure->others_s);
}

hit_measure_verdict hit_measure_add(hit_measure *measure, double seconds)
{
    if (measure->verdict >= HIT_MEASURE_KILLED) return measure->verdict;
    if (isnan(seconds) || seconds < 0.0 || isinf(seconds)) {
        measure->verdict = seconds > 0.0 ? HIT_MEASURE_KILLED : HIT_MEASURE_FAILED;
        measure->seconds = INFINITY;
        measure->half_width_s = INFINITY;
        return measure->verdict;
    }
    add(measure, seconds);
    summarise(measure);
    measure->verdict = judge(measure, seconds);
    if (measure->verdict == HIT_MEASURE_KILLED) measure->seconds = INFINITY;
    return measure->verdict;
}

const char *hit_measure_verdict_name(hit_measure_verdict verdict)
{
    static const char *const name[] = {"exact", "continue", "reps",
                                       "time",  "killed",   "failed"};

    return name[verdict];
}
