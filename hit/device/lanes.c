/* SPDX-License-Identifier: MIT
 * Copy threads. One writer (the caller) and one reader (the lane's thread) share a ring
 * of jobs; both numbers of a lane are atomic. A thread that finds nothing to do looks for
 * some microseconds and then sleeps. All sleepers share one condition: a copy that is
 * worth a thread takes longer than waking them. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): pthreads */
#include "hit/base/alloc.h"
#include "hit/device/host_impl.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum {
    ROOM = 64,              /* jobs of a lane that may be waiting */
    LOOKS = 100,            /* before sleeping */
    SMALL_BYTES = 16 * 1024 /* copied sooner than a thread is woken */
};

typedef struct job {
    hit_ndcopy copy;
    const char *from;
    char *to;
    hit_way way;
    size_t bytes;
    uint64_t after[HIT_LANES]; /* jobs of the other lanes that come before it */
} job;

/* what the caller writes and what the thread writes lie in lines of their own */
/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): see above */
typedef struct lane {
    hit_lanes *all;
    pthread_t thread;
    bool started;
    uint64_t given;                          /* the caller's own count */
    uint64_t after[HIT_LANES];               /* for the next job */
    _Alignas(64) atomic_uint_fast64_t asked; /* jobs that the thread may look at */
    _Alignas(64) atomic_uint_fast64_t done;
    job ring[ROOM];
} lane;

struct hit_lanes {
    pthread_mutex_t mutex;
    pthread_cond_t change;
    atomic_int sleepers;
    atomic_bool stop;
    hit_trace *trace;
    hit_disk *disk;
    lane lane[HIT_LANES]; /* that of kernels is not used */
};

/* Wake all who sleep. They say that they sleep before they look for the last time. */
static void tell(hit_lanes *lanes)
{
    if (atomic_load(&lanes->sleepers) == 0) return;
    pthread_mutex_lock(&lanes->mutex);
    pthread_cond_broadcast(&lanes->change);
    pthread_mutex_unlock(&lanes->mutex);
}

/* Are the first *mark jobs done? NULL: is there a job, or the end? */
static bool is_there(const lane *l, const uint64_t *mark)
{
    if (mark != NULL) return atomic_load(&l->done) >= *mark;
    return atomic_load(&l->asked) > atomic_load(&l->done) || atomic_load(&l->all->stop);
}

static void wait_for(const lane *l, const uint64_t *mark)
{
    hit_lanes *lanes = l->all;

    for (int k = 0; k < LOOKS; k++) {
        if (is_there(l, mark)) return;
        (void)sched_yield();
    }
    pthread_mutex_lock(&lanes->mutex);
    atomic_fetch_add(&lanes->sleepers, 1);
    while (!is_there(l, mark)) {
        pthread_cond_wait(&lanes->change, &lanes->mutex);
    }
    atomic_fetch_sub(&lanes->sleepers, 1);
    pthread_mutex_unlock(&lanes->mutex);
}

bool hit_lanes_reached(const hit_lanes *lanes, hit_lane number, uint64_t mark)
{
    return is_there(&lanes->lane[number], &mark);
}

void hit_lanes_wait(const hit_lanes *lanes, hit_lane number, uint64_t mark)
{
    const lane *l = &lanes->lane[number];

    if (!is_there(l, &mark)) wait_for(l, &mark);
}

static void do_job(const lane *l, const job *one)
{
    hit_lanes *lanes = l->all;
    hit_trace *trace = lanes->trace;
    double start_s;

    for (int k = HIT_LANE_IN; k < HIT_LANES; k++) {
        hit_lanes_wait(lanes, (hit_lane)k, one->after[k]);
    }
    start_s = hit_trace_start(trace);
    hit_disk_copy(lanes->disk, &one->copy, one->from, one->to);
    hit_trace_add(trace, hit_way_trace(one->way), "copy", start_s, one->bytes);
}

static void *work(void *argument)
{
    lane *l = argument;

    for (;;) {
        uint64_t next;

        wait_for(l, NULL);
        next = atomic_load(&l->done);
        if (atomic_load(&l->asked) == next) return NULL;
        do_job(l, &l->ring[next % ROOM]);
        atomic_store(&l->done, next + 1);
        tell(l->all);
    }
}

hit_status hit_lanes_create(hit_trace *trace, hit_disk *disk, hit_lanes **out)
{
    hit_lanes *made = NULL;
    void *memory = NULL;

    HIT_TRY(hit_memory_take(sizeof(*made), "the lanes of a device", &memory));
    memset(memory, 0, sizeof(*made));
    made = memory;
    made->trace = trace;
    made->disk = disk;
    pthread_mutex_init(&made->mutex, NULL);
    pthread_cond_init(&made->change, NULL);
    for (int k = 0; k < HIT_LANES; k++) {
        made->lane[k].all = made;
    }
    *out = made;
    return HIT_OK;
}

void hit_lanes_destroy(hit_lanes **out)
{
    hit_lanes *old = *out;
    void *memory = old;

    if (old == NULL) return;
    for (int k = 0; k < HIT_LANES; k++) {
        hit_lanes_wait(old, (hit_lane)k, old->lane[k].given);
    }
    atomic_store(&old->stop, true);
    tell(old);
    for (int k = 0; k < HIT_LANES; k++) {
        if (old->lane[k].started) pthread_join(old->lane[k].thread, NULL);
    }
    pthread_cond_destroy(&old->change);
    pthread_mutex_destroy(&old->mutex);
    hit_memory_release(&memory);
    *out = NULL;
}

static bool start(lane *l)
{
    if (!l->started) l->started = pthread_create(&l->thread, NULL, work, l) == 0;
    return l->started;
}

void hit_lanes_copy(hit_lanes *lanes, hit_lane number, const hit_ndcopy *copy,
                    const void *from, void *to, hit_way way)
{
    lane *l = &lanes->lane[number];
    job *one = &l->ring[l->given % ROOM];
    const bool idle = atomic_load(&l->done) == l->given;

    if (l->given >= ROOM) hit_lanes_wait(lanes, number, l->given - ROOM + 1);
    *one = (job){.copy = *copy, .from = from, .to = to, .way = way};
    one->bytes = hit_ndcopy_bytes(copy);
    if (lanes->disk != NULL) hit_disk_expect(lanes->disk, copy, from);
    memcpy(one->after, l->after, sizeof(one->after));
    l->given++;
    if ((idle && one->bytes <= SMALL_BYTES) || !start(l)) {
        hit_lanes_wait(lanes, number, l->given - 1);
        do_job(l, one);
        atomic_store(&l->done, l->given);
        atomic_store(&l->asked, l->given);
        return;
    }
    atomic_store(&l->asked, l->given);
    tell(lanes);
}

uint64_t hit_lanes_mark(const hit_lanes *lanes, hit_lane number)
{
    return lanes->lane[number].given;
}

void hit_lanes_after(hit_lanes *lanes, hit_lane number, hit_lane of, uint64_t mark)
{
    uint64_t *before = &lanes->lane[number].after[of];

    if (mark > *before) *before = mark;
}
