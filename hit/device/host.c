/* SPDX-License-Identifier: MIT
 * The host device: a group of cores. In place it works on the tiles' own memory. Staged
 * it behaves as an accelerator does, with memory of its own and copies, so that
 * everything that superblocks need is tested on any machine. Element kernels are split
 * over threads along one index dimension, always at the same places: results do not
 * depend on timing. */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/device/host_impl.h"

#include <stdio.h>

enum {
    MAX_THREADS = 4096,
    /* below this, copying with one thread is faster than waking the others */
    PARALLEL_COPY_BYTES = 1 << 20
};

/* ---- open and close ---- */

static hit_status count_cores(const hit_device_spec *spec, const hit_cores *cores,
                              int *count)
{
    int there = hit_cores_count(cores);

    *count = there;
    if (spec->first_core < 0) return HIT_OK;
    if (spec->last_core >= there) {
        return HIT_FAIL(HIT_E_ABSENT,
                        "no cores %d-%d: this process may use %d cores, 0-%d",
                        spec->first_core, spec->last_core, there, there - 1);
    }
    *count = spec->last_core - spec->first_core + 1;
    return HIT_OK;
}

static hit_status count_threads(const hit_device_spec *spec, int cores, int *threads)
{
    *threads = spec->threads > 0 ? spec->threads : cores;
    if (*threads <= MAX_THREADS) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "expected at most %d threads but found %d", MAX_THREADS,
                    *threads);
}

static size_t default_limit(const hit_cores *cores)
{
    hit_cores_info info;

    hit_cores_info_get(cores, &info);
    return info.memory_bytes == 0 ? (size_t)1 << 30 : info.memory_bytes / 2;
}

/* ---- what kernels are told of their threads ---- */

static void run_team(void *self, void (*function)(void *of, int thread, int threads),
                     void *of)
{
    const hit_host *host = self;

    hit_thread_pool_start(host->pool, function, of);
    function(of, 0, host->team.threads);
    hit_thread_pool_stop(host->pool);
}

static void wait_for_team(void *self)
{
    hit_thread_pool_barrier(((hit_host *)self)->pool);
}

static void bind_own_thread(void *of, int thread)
{
    const hit_host *self = of;

    if (thread == 0 || self->core == NULL) return;
    (void)hit_cores_bind(self->cores, self->first_core + thread % self->core_count);
}

/* The cores that the spec names: each device of a process has others. */
static hit_status tell_cores(const hit_device_spec *spec, int threads, hit_host *self)
{
    self->team = (hit_team){
        .threads = threads, .self = self, .run = run_team, .barrier = wait_for_team};
    self->group = (hit_group){.threads = threads, .self = self, .bind = bind_own_thread};
    self->first_core = spec->first_core;
    if (spec->first_core < 0) return HIT_OK;
    HIT_TRY(hit_memory_zeroed((size_t)self->core_count, sizeof(int), &self->core));
    for (int k = 0; k < self->core_count; k++) {
        self->core[k] = hit_cores_number(self->cores, spec->first_core + k);
    }
    self->group.cores = self->core_count;
    self->group.core = self->core;
    return HIT_OK;
}

/* On success the host keeps the cores. */
static hit_status make_host(const hit_device_spec *spec, hit_cores *cores,
                            hit_host **made)
{
    hit_host *self = NULL;
    int count = 0;
    int threads = 0;

    HIT_TRY(count_cores(spec, cores, &count));
    HIT_TRY(count_threads(spec, count, &threads));
    HIT_TRY(hit_memory_zeroed(1, sizeof(*self) + (size_t)threads * sizeof(hit_host_lane),
                              &self));
    self->cores = cores;
    self->core_count = count;
    self->trace = spec->trace;
    self->clock = spec->clock;
    self->disk = spec->disk;
    self->staged = spec->staged || spec->memory_bytes > 0;
    self->limit_bytes =
        spec->memory_bytes > 0 ? spec->memory_bytes : default_limit(cores);
    /* cores are bound to only if the user names them: without, other processes of this
     * machine may count the same cores as theirs */
    int first_core = threads <= count ? spec->first_core : -1;
    hit_status st =
        self->staged ? hit_lanes_create(spec->trace, spec->disk, &self->lanes) : HIT_OK;
    if (st == HIT_OK) st = tell_cores(spec, threads, self);
    if (st == HIT_OK) {
        st = hit_thread_pool_create(threads, cores, first_core, &self->pool);
    }
    if (st != HIT_OK) {
        hit_lanes_destroy(&self->lanes);
        free(self->core);
        free(self);
        return st;
    }
    *made = self;
    return HIT_OK;
}

static hit_status host_open(const hit_device_spec *spec, void **state)
{
    hit_cores *cores = NULL;
    hit_host *self = NULL;

    HIT_TRY(hit_cores_open(&cores));
    hit_status st = make_host(spec, cores, &self);
    if (st != HIT_OK) {
        hit_cores_close(&cores);
        return st;
    }
    *state = self;
    return HIT_OK;
}

static void host_close(void *state)
{
    hit_host *self = state;

    for (int k = 0; k < self->team.threads; k++) {
        void *partial = self->lane[k].partial;
        hit_memory_release(&partial);
    }
    hit_lanes_destroy(&self->lanes);
    hit_thread_pool_destroy(&self->pool);
    hit_cores_close(&self->cores);
    free(self->core);
    free(self);
}

static int host_count(const char **why)
{
    if (why != NULL) *why = "";
    return 1;
}

static bool host_in_place(const void *state)
{
    const hit_host *self = state;
    return !self->staged;
}

static size_t host_memory_bytes(const void *state)
{
    const hit_host *self = state;
    return self->limit_bytes;
}

static int host_threads(const void *state)
{
    const hit_host *self = state;
    return self->team.threads;
}

static size_t host_cache_bytes(const void *state)
{
    const hit_host *self = state;
    hit_cores_info info;

    hit_cores_info_get(self->cores, &info);
    return info.level2_bytes;
}

static hit_kernel_function host_function(const hit_kernel *kernel)
{
    return kernel->host;
}

static void host_describe(const void *state, char *text, size_t size)
{
    const hit_host *self = state;
    int threads = host_threads(state);
    char memory[64] = "";

    if (self->staged) {
        char limit[32];
        hit_memory_print(self->limit_bytes, limit, sizeof(limit));
        snprintf(memory, sizeof(memory), ", staged in %s", limit);
    }
    snprintf(text, size, "%d core%s, %d thread%s%s", self->core_count,
             self->core_count == 1 ? "" : "s", threads, threads == 1 ? "" : "s", memory);
}

static void host_start(void *state, hit_work *work, void *of)
{
    const hit_host *self = state;

    hit_thread_pool_start(self->pool, work, of);
}

static void host_stop(void *state)
{
    const hit_host *self = state;

    hit_thread_pool_stop(self->pool);
}

/* ---- memory and copies of the staged device ---- */

static hit_status host_allocate(void *state, size_t size_bytes, void **memory)
{
    (void)state;
    return hit_memory_take(size_bytes, "a staged device", memory);
}

static void host_release(void *state, void *memory)
{
    (void)state;
    hit_memory_release(&memory);
}

typedef struct copy_work {
    hit_ndcopy copy;
    const char *from;
    char *to;
    int dim; /* of the loops to split; -1: the run */
} copy_work;

static void copy_part(void *argument, int thread, int threads)
{
    const copy_work *work = argument;
    hit_ndcopy part = work->copy;
    hit_index first = 0;
    hit_index last = 0;
    int d = work->dim;

    hit_thread_pool_share(d < 0 ? (hit_index)part.run_bytes : part.count[d], thread,
                          threads, &first, &last);
    if (first == last) return;
    if (d < 0) {
        part.run_bytes = (size_t)(last - first);
        part.from_offset += first;
        part.to_offset += first;
    } else {
        part.count[d] = last - first;
        part.from_offset += first * part.from_stride[d];
        part.to_offset += first * part.to_stride[d];
    }
    hit_ndcopy_run(&part, work->from, work->to);
}

/* In the lane of kernels all threads copy, and in any of a device in place: no kernel
 * runs meanwhile. */
static void copy_at_once(hit_host *self, const hit_ndcopy *copy, const char *from,
                         char *to)
{
    int threads = self->team.threads;
    copy_work work = {.copy = *copy, .from = from, .to = to};

    if (threads == 1 || hit_ndcopy_bytes(copy) < PARALLEL_COPY_BYTES ||
        hit_disk_holds(self->disk, from) || hit_disk_holds(self->disk, to)) {
        hit_disk_copy(self->disk, copy, from, to);
        return;
    }
    while (work.dim < work.copy.dims && work.copy.count[work.dim] < threads) {
        work.dim++;
    }
    if (work.dim == work.copy.dims) work.dim = -1;
    hit_thread_pool_run(self->pool, HIT_THREAD_POOL_LONG, copy_part, &work);
}

static hit_status host_copy(void *state, hit_lane lane, hit_way way, const hit_view *from,
                            const hit_view *to, const hit_domain *domain)
{
    hit_host *self = state;
    const hit_ndcopy copy = hit_ndcopy_make(from, to, domain, NULL);

    if (lane == HIT_LANE_RUN || self->lanes == NULL) {
        const double start_s = hit_trace_start(self->trace);

        copy_at_once(self, &copy, from->data, to->data);
        hit_trace_add(self->trace, hit_way_trace(way), "copy", start_s,
                      hit_ndcopy_bytes(&copy));
    } else {
        hit_lanes_copy(self->lanes, lane, &copy, from->data, to->data, way);
    }
    return hit_disk_told(self->disk);
}

static uint64_t host_mark(void *state, hit_lane lane)
{
    const hit_host *self = state;
    return lane == HIT_LANE_RUN || self->lanes == NULL
               ? 0
               : hit_lanes_mark(self->lanes, lane);
}

static hit_status host_reached(void *state, hit_lane lane, uint64_t mark, bool *over)
{
    const hit_host *self = state;

    *over = lane == HIT_LANE_RUN || self->lanes == NULL ||
            hit_lanes_reached(self->lanes, lane, mark);
    return hit_disk_told(self->disk);
}

/* The lane of kernels is the caller: it is done with what it was asked for. */
static hit_status host_after(void *state, hit_lane lane, hit_lane of, uint64_t mark)
{
    hit_host *self = state;

    if (of == HIT_LANE_RUN || of == lane || self->lanes == NULL) return HIT_OK;
    if (lane == HIT_LANE_RUN) {
        hit_lanes_wait(self->lanes, of, mark);
    } else {
        hit_lanes_after(self->lanes, lane, of, mark);
    }
    return hit_disk_told(self->disk);
}

static hit_status host_wait(void *state)
{
    hit_host *self = state;

    if (self->lanes == NULL) return HIT_OK;
    hit_lanes_wait(self->lanes, HIT_LANE_IN, hit_lanes_mark(self->lanes, HIT_LANE_IN));
    hit_lanes_wait(self->lanes, HIT_LANE_OUT, hit_lanes_mark(self->lanes, HIT_LANE_OUT));
    return hit_disk_told(self->disk);
}

static const hit_memory_ops memory_ops = {
    .memory_bytes = host_memory_bytes,
    .allocate = host_allocate,
    .release = host_release,
    .copy = host_copy,
    .mark = host_mark,
    .reached = host_reached,
    .after = host_after,
};

static const hit_processor_ops processor_ops = {
    .run = hit_host_run,
    .run_alone = hit_host_run_alone,
    .start = host_start,
    .stop = host_stop,
    .run_chain = hit_host_run_chain,
    .cache_bytes = host_cache_bytes,
    .threads = host_threads,
    .function = host_function,
};

const hit_device_ops hit_device_host = {
    .kind = "host",
    .memory = &memory_ops,
    .processor = &processor_ops,
    .uses_cores = true,
    .lends = true,
    .open = host_open,
    .close = host_close,
    .count = host_count,
    .describe = host_describe,
    .in_place = host_in_place,
    .wait = host_wait,
};
