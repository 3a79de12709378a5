/* SPDX-License-Identifier: MIT
 * Kernels on the host device. Element kernels are split over the threads along one index
 * dimension, always at the same places, and partial results of reductions are combined in
 * the order of the threads: results do not depend on timing. */
#include "hit/base/alloc.h"
#include "hit/device/host_impl.h"
#include "patterns/kernel_impl.h"
#include "patterns/reduce.h"

#include <stdlib.h>

/* Private partial results of all threads together: at most this, or 1/64 of a staged
 * device's limit. */
static const size_t max_partial_bytes = (size_t)256 << 20;

/* So many indices for each thread: a light run that has fewer is not shared. */
static const int least_rows = 16;

typedef struct kernel_work {
    hit_host *self;
    const hit_kernel *kernel;
    const hit_run *run;
    const hit_domain *need;
    int dim;         /* of the index box, split over the threads */
    hit_index count; /* of indices in it */
    bool partials;   /* all threads but the first add to buffers of their own */
} kernel_work;

/* The first dimension outside `avoid` that gives every thread an index; -1: none. */
static int first_wide(const hit_run *run, int dims, int threads, unsigned avoid)
{
    for (int d = 0; d < dims; d++) {
        if ((avoid >> d & 1u) == 0 && hit_run_extent(run, d) >= threads) return d;
    }
    return -1;
}

static int longest(const hit_run *run, int dims)
{
    int best = 0;

    for (int d = 1; d < dims; d++) {
        if (hit_run_extent(run, d) > hit_run_extent(run, best)) best = d;
    }
    return best;
}

static size_t need_bytes(const hit_kernel *kernel, const hit_domain need[])
{
    size_t bytes = 0;

    for (int a = 0; a < kernel->args; a++) {
        if (!hit_mode_reduces(kernel->arg[a].mode)) continue;
        bytes += hit_memory_padded((size_t)hit_domain_count(&need[a]) *
                                   kernel->arg[a].type.size_bytes);
    }
    return bytes;
}

/* Cut the box to one of so many shares; false: nothing is in it. */
static bool take_share(const kernel_work *work, int share, int shares, hit_run *run)
{
    int d = work->dim;
    hit_index first = 0;
    hit_index last = 0;

    hit_thread_pool_share(work->count, share, shares, &first, &last);
    if (first == last) return false;
    run->begin[d] = work->run->begin[d] + first * work->run->stride[d];
    run->end[d] = work->run->begin[d] + (last - 1) * work->run->stride[d];
    return true;
}

/* Let the reduction arguments of *run lie in the lane's own buffer, where nothing has
 * been added yet. */
static hit_status redirect(const kernel_work *work, const hit_host_lane *mine,
                           hit_run *run)
{
    char *data = mine->partial;

    for (int a = 0; a < work->kernel->args; a++) {
        const hit_kernel_arg *arg = &work->kernel->arg[a];
        const hit_domain *need = &work->need[a];
        if (!hit_mode_reduces(arg->mode) || hit_domain_is_empty(need)) continue;
        hit_index count = hit_domain_count(need);
        HIT_TRY(hit_reduce_identity(hit_reducer_of(work->kernel, a), data, count));
        run->slot[a] =
            hit_reduce_slot(&work->run->slot[a], need, arg->type.size_bytes, data);
        run->dense = run->dense && run->slot[a].dense;
        data += hit_memory_padded((size_t)count * arg->type.size_bytes);
    }
    return HIT_OK;
}

void hit_host_keep(hit_host_lane *mine, hit_status status)
{
    hit_first_begin(&mine->first);
    hit_first_keep(&mine->first, status);
}

hit_status hit_host_tell(hit_host *self)
{
    for (int k = 0; k < self->team.threads; k++) {
        HIT_TRY(hit_first_tell(&self->lane[k].first));
    }
    return HIT_OK;
}

static hit_status call_share(const kernel_work *work, int share, int shares, hit_run *run)
{
    if (!take_share(work, share, shares, run)) return HIT_OK;
    return hit_kernel_call(work->kernel, work->kernel->host, run);
}

/* Of a triangle a thread has a share from either end: all have as much. */
static hit_status run_share(const kernel_work *work, int thread, int threads)
{
    hit_run run;

    if (thread >= work->count) return HIT_OK;
    hit_run_copy(&run, work->run, work->kernel->args);
    run.threads = 1;
    if (work->partials && thread > 0) {
        HIT_TRY(redirect(work, &work->self->lane[thread], &run));
    }
    if (run.where == NULL) return call_share(work, thread, threads, &run);
    HIT_TRY(call_share(work, thread, 2 * threads, &run));
    return call_share(work, 2 * threads - 1 - thread, 2 * threads, &run);
}

static void kernel_part(void *argument, int thread, int threads)
{
    const kernel_work *work = argument;

    hit_host_keep(&work->self->lane[thread], run_share(work, thread, threads));
}

static hit_status merge(const kernel_work *work, int threads)
{
    for (int k = 1; k < threads && k < work->count; k++) {
        char *data = work->self->lane[k].partial;
        for (int a = 0; a < work->kernel->args; a++) {
            const hit_kernel_arg *arg = &work->kernel->arg[a];
            const hit_domain *need = &work->need[a];
            size_t size_bytes = arg->type.size_bytes;
            if (!hit_mode_reduces(arg->mode) || hit_domain_is_empty(need)) continue;
            hit_view onto = hit_reduce_view(&work->run->slot[a], need, size_bytes);
            hit_view from = hit_view_make(need, size_bytes, data);
            HIT_TRY(
                hit_reduce_combine(hit_reducer_of(work->kernel, a), &onto, &from, need));
            data += hit_memory_padded((size_t)hit_domain_count(need) * size_bytes);
        }
    }
    return HIT_OK;
}

static hit_status prepare_partials(hit_host *self, size_t bytes)
{
    for (int k = 1; k < self->team.threads; k++) {
        hit_host_lane *lane_of = &self->lane[k];
        if (lane_of->partial_bytes >= bytes) continue;
        void *memory = lane_of->partial;
        hit_memory_release(&memory);
        lane_of->partial = NULL;
        lane_of->partial_bytes = 0;
        HIT_TRY(hit_memory_take(bytes, "a partial result", &memory));
        lane_of->partial = memory;
        lane_of->partial_bytes = bytes;
    }
    return HIT_OK;
}

/* Choose what to split. A kernel with reductions is best split where threads never meet
 * in an element; else each thread gets partial results, and where these would be too
 * large the run is not split at all. */
static hit_status plan_split(kernel_work *work, bool *alone)
{
    hit_host *self = work->self;
    int dims = work->kernel->dims;
    int threads = self->team.threads;
    unsigned reduced = 0;

    *alone = false;
    if (hit_kernel_reduces(work->kernel)) {
        HIT_TRY(hit_reduce_dims(work->kernel, &reduced));
    }
    work->dim = first_wide(work->run, dims, threads, reduced);
    if (work->dim < 0) work->dim = first_wide(work->run, dims, threads, 0);
    if (work->dim < 0) work->dim = longest(work->run, dims);
    work->count = hit_run_extent(work->run, work->dim);
    work->partials = (reduced >> work->dim & 1u) != 0;
    if (!work->partials) return HIT_OK;

    size_t bytes = need_bytes(work->kernel, work->need);
    size_t most = self->staged && self->limit_bytes / 64 < max_partial_bytes
                      ? self->limit_bytes / 64
                      : max_partial_bytes;
    /* a result of a few elements must not depend on the limit */
    if (bytes > 4096 && bytes > most / (size_t)threads) {
        *alone = true;
        return HIT_OK;
    }
    return prepare_partials(self, bytes);
}

/* On all threads; @p work_ns: what one would take. */
static hit_status run_split(kernel_work *work, double work_ns)
{
    bool alone = false;

    HIT_TRY(plan_split(work, &alone));
    if (alone || work->count == 1) {
        return hit_kernel_call(work->kernel, work->kernel->host, work->run);
    }
    hit_thread_pool_run(work->self->pool, work_ns, kernel_part, work);
    HIT_TRY(hit_host_tell(work->self));
    return work->partials ? merge(work, work->self->team.threads) : HIT_OK;
}

static void note_rows(const kernel_work *work, bool shared)
{
    hit_host_rows *rows = &work->self->rows;

    *rows = (hit_host_rows){.base = NULL};
    for (int a = 0; a < work->kernel->args && shared; a++) {
        const hit_mode mode = work->kernel->arg[a].mode;

        if (mode != HIT_MODE_OUT && mode != HIT_MODE_INOUT) continue;
        *rows = (hit_host_rows){.base = work->run->slot[a].base,
                                .begin = work->run->begin[work->dim],
                                .end = work->run->end[work->dim]};
    }
}

/* Is a light run on nearly the rows that threads have in their caches? If the caller took
 * them, the next run would have to fetch them back, which takes longer than to share this
 * one. Runs that reduce are always cut alike: their sums must not depend on time. */
static bool follows_rows(const hit_host *self, const hit_kernel *kernel,
                         const hit_run *run)
{
    const hit_host_rows *rows = &self->rows;
    const int least = least_rows * self->team.threads;
    hit_index apart;
    int d;

    if (rows->base == NULL || hit_kernel_reduces(kernel)) return false;
    d = first_wide(run, kernel->dims, least, 0);
    if (d < 0) return false;
    apart = llabs(run->begin[d] - rows->begin) + llabs(run->end[d] - rows->end);
    if (apart > (rows->end - rows->begin) / 8) return false;
    for (int a = 0; a < kernel->args; a++) {
        if (run->slot[a].base == rows->base) return true;
    }
    return false;
}

/* On all threads or on the caller alone, as is faster. */
static hit_status run_fastest(kernel_work *work)
{
    const double indices = hit_run_indices(work->run, work->kernel->dims);
    hit_pace *pace = hit_paces_find(&work->self->paces, work->kernel, indices);
    bool timed = false;
    const bool shared = hit_pace_shares(pace, indices, &timed);
    const bool known = pace->shared_ns < pace->alone_ns; /* else it is to be tried */
    const double work_ns = known ? pace->alone_ns * indices : HIT_THREAD_POOL_LONG;
    const double start_s = timed ? hit_clock_now(NULL) : 0;
    hit_status status;

    if (shared) {
        status = run_split(work, work_ns);
    } else {
        status = hit_kernel_call(work->kernel, work->kernel->host, work->run);
    }
    if (timed) hit_pace_note(pace, shared, indices, hit_clock_now(NULL) - start_s);
    note_rows(work, shared);
    return status;
}

typedef struct entering {
    const hit_kernel *kernel;
    const hit_group *group;
    hit_status status;
} entering;

static void enter_kernel(void *of)
{
    entering *e = of;

    e->status = hit_kernel_enter(e->kernel, e->group);
}

/* A kernel with threads of its own confines them before it first runs on this device. One
 * that was forgotten does so again. LLVM's OpenMP lets a thread that is new to it run on
 * all cores, also one that is bound. */
static hit_status enter(hit_host *self, const hit_kernel *kernel)
{
    hit_status (*function)(const hit_group *group) = kernel->own_threads->enter;
    entering e = {.kernel = kernel, .group = &self->group};

    for (int k = 0; k < HIT_HOST_ENTERED; k++) {
        if (self->entered[k] == function) return HIT_OK;
    }
    hit_cores_around(self->cores, enter_kernel, &e);
    HIT_TRY(e.status);
    self->entered[self->next_entered] = function;
    self->next_entered = (self->next_entered + 1) % HIT_HOST_ENTERED;
    return HIT_OK;
}

static hit_status run_whole(hit_host *self, const hit_kernel *kernel, const hit_run *run)
{
    const int threads = self->team.threads;
    hit_run whole;

    if (kernel->own_threads != NULL && kernel->own_threads->enter != NULL) {
        HIT_TRY(enter(self, kernel));
    }
    if (threads == 1 && run->threads == 1) { /* it is as the kernel wants it */
        return hit_kernel_call(kernel, kernel->host, run);
    }
    hit_run_copy(&whole, run, kernel->args);
    whole.threads = threads;
    whole.team = whole.threads > 1 ? &self->team : NULL;
    return hit_kernel_call(kernel, kernel->host, &whole);
}

static hit_status run_on_threads(hit_host *self, const hit_kernel *kernel,
                                 const hit_run *run, const hit_domain need[])
{
    const bool light = run->light && kernel->whole_box == 0;
    kernel_work work = {.self = self, .kernel = kernel, .run = run, .need = need};

    if (light && !follows_rows(self, kernel, run)) {
        return hit_kernel_call(kernel, kernel->host, run);
    }
    if (light) return run_split(&work, 0); /* nobody is woken for it */
    /* how sums are cut, and whole boxes, decides how they round: not by time */
    if (kernel->whole_box == 0 && !hit_kernel_reduces(kernel)) return run_fastest(&work);
    return run_split(&work, HIT_THREAD_POOL_LONG);
}

static hit_status run_now(hit_host *self, const hit_kernel *kernel, const hit_run *run,
                          const hit_domain need[])
{
    const int threads = self->team.threads;

    if (kernel->host == NULL) {
        return HIT_FAIL(HIT_E_ABSENT, "kernel %s has no implementation for host devices",
                        kernel->name);
    }
    if (hit_run_is_empty(run, kernel->dims)) return HIT_OK;
    if (kernel->whole_box == 1 || (kernel->whole_box == 2 && threads == 1)) {
        return run_whole(self, kernel, run);
    }
    if (threads == 1) return hit_kernel_call(kernel, kernel->host, run);
    return run_on_threads(self, kernel, run, need);
}

hit_status hit_host_run(void *state, const hit_kernel *kernel, const hit_run *run,
                        const hit_domain need[])
{
    hit_host *self = state;
    const double start_s = hit_trace_start(self->trace);
    const hit_status status = run_now(self, kernel, run, need);

    hit_trace_add(self->trace, HIT_TRACE_RUN, kernel->name, start_s, 0);
    return status;
}

hit_status hit_host_run_alone(void *state, const hit_kernel *kernel, const hit_run *run)
{
    (void)state;
    if (hit_run_is_empty(run, kernel->dims)) return HIT_OK;
    return hit_kernel_call(kernel, kernel->host, run);
}
