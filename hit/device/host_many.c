/* SPDX-License-Identifier: MIT
 * Runs of kernels that have nothing to do with each other. A kernel of whole boxes loses
 * speed when its box is cut for the threads, so that each thread runs a box of its own
 * where there are enough of about the same size; what is larger than a fair share of the
 * rest is cut. Which is which depends on costs only, so that results do not depend on
 * timing. */
#include "hit/device/host_many.h"

#include "hit/device/host_impl.h"
#include "hit/device/host_run.h"
#include "patterns/kernel_impl.h"

#include <stdatomic.h>
#include <stdio.h>

/* The longest thread may take so many times a fair share. */
static const double even = 1.1;

typedef struct many {
    int count;
    const hit_job *job[HIT_MAX_JOBS]; /* the largest first */
    atomic_int next;
    hit_status status[HIT_MAX_JOBS];
    char text[HIT_MAX_JOBS][sizeof(((hit_host_lane *)NULL)->text)];
    double seconds[HIT_MAX_JOBS];
} many;

/* The seconds, in units of costs, of the jobs from @p first on, each given to the thread
 * that is free first; at most HIT_MAX_JOBS threads can be busy. */
static double makespan(const many *m, int first, int threads)
{
    double busy[HIT_MAX_JOBS] = {0};
    double most = 0;

    for (int k = first; k < m->count; k++) {
        int free = 0;

        for (int t = 1; t < threads && t < HIT_MAX_JOBS; t++) {
            if (busy[t] < busy[free]) free = t;
        }
        busy[free] += m->job[k]->cost;
        if (busy[free] > most) most = busy[free];
    }
    return most;
}

/* From which job on do they run side by side? */
static int first_beside(const many *m, int threads)
{
    double sum = 0;
    int first = 0;

    for (int k = 0; k < m->count; k++) {
        sum += m->job[k]->cost;
    }
    while (first < m->count && makespan(m, first, threads) > even * sum / threads) {
        sum -= m->job[first++]->cost;
    }
    return first;
}

static void sort(many *m, const hit_job job[])
{
    for (int k = 0; k < m->count; k++) {
        int at = k;

        while (at > 0 && m->job[at - 1]->cost < job[k].cost) {
            m->job[at] = m->job[at - 1];
            at--;
        }
        m->job[at] = &job[k];
    }
}

/* The text of a failure belongs to the thread; the caller has to say it again. */
static void note(many *m, int k, hit_status status)
{
    m->status[k] = status;
    if (status == HIT_OK) return;
    (void)snprintf(m->text[k], sizeof(m->text[k]), "%s", hit_status_text());
}

static void run_next(void *argument, int thread, int threads)
{
    many *m = argument;
    int k;

    (void)thread;
    (void)threads;
    while ((k = atomic_fetch_add(&m->next, 1)) < m->count) {
        const double start_s = hit_trace_now();

        note(m, k,
             hit_kernel_call(m->job[k]->kernel, m->job[k]->kernel->host, m->job[k]->run));
        m->seconds[k] = hit_trace_now() - start_s;
    }
}

/* A device has one lane for kernels: there they stand one behind the other, each with its
 * part of the time. */
static void put_runs(hit_trace *trace, const many *m, int first, double start_s)
{
    const double all_s = hit_trace_now() - start_s;
    double sum_s = 0;

    for (int k = first; k < m->count; k++) {
        sum_s += m->seconds[k];
    }
    for (int k = first; k < m->count; k++) {
        const double end_s = start_s + (sum_s > 0 ? all_s * m->seconds[k] / sum_s : 0);
        const hit_trace_event event = {m->job[k]->kernel->name, start_s, end_s, 0, 0, 0};

        hit_trace_put(trace, HIT_TRACE_RUN, &event);
        start_s = end_s;
    }
}

static void run_beside(hit_host *self, many *m, int first)
{
    const double start_s = hit_trace_start(self->trace);

    if (first == m->count) return;
    atomic_store(&m->next, first);
    hit_pool_run(self->pool, run_next, m);
    if (hit_trace_on(self->trace)) put_runs(self->trace, m, first, start_s);
}

/* Of what failed, the one that the program asked for first. */
static hit_status tell(const many *m)
{
    int failed = -1;

    for (int k = 0; k < m->count; k++) {
        if (m->status[k] == HIT_OK) continue;
        if (failed < 0 || m->job[k] < m->job[failed]) failed = k;
    }
    return failed < 0 ? HIT_OK : HIT_FAIL(m->status[failed], "%s", m->text[failed]);
}

hit_status hit_host_run_many(void *state, int count, const hit_job job[])
{
    hit_host *self = state;
    many m;
    int first;

    m.count = count;
    sort(&m, job);
    first = first_beside(&m, hit_pool_threads(self->pool));
    for (int k = 0; k < first; k++) {
        note(&m, k, hit_host_run(self, m.job[k]->kernel, m.job[k]->run, NULL));
    }
    run_beside(self, &m, first);
    return tell(&m);
}
