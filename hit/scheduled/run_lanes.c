/* SPDX-License-Identifier: MIT
 * A thread per device that sleeps while it has nothing to do: kernels that are worth
 * placing take longer than to wake it. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): clocks */
#include "hit/base/memory.h"
#include "hit/device/cores.h"
#include "hit/scheduled/real_impl.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef enum lane_state {
    LANE_IDLE,
    LANE_RUNS,
    LANE_DONE
} lane_state;

typedef struct lane {
    hit_run_lanes *all;
    hit_device *device;
    pthread_t thread;
    bool started;
    pthread_cond_t asked;
    lane_state state;
    const hit_kernel *kernel;
    hit_first first; /* each thread has texts of its own */
    double seconds;
    hit_run run;
    bool sums;
    hit_domain need[HIT_MAX_ARGS]; /* where it does: of the arguments that it adds to */
} lane;

struct hit_run_lanes {
    pthread_mutex_t mutex;
    pthread_cond_t done;
    bool stops;
    const hit_clock *clock;
    hit_cores *cores; /* NULL: no device names any */
    int devices;
    lane lane[];
};

static void run(lane *l)
{
    const hit_clock *clock = l->all->clock;
    const double start_s = hit_clock_now(clock);

    hit_first_begin(&l->first);
    hit_first_keep(&l->first, hit_device_run(l->device, l->kernel, &l->run,
                                             l->sums ? l->need : NULL));
    l->seconds = hit_clock_now(clock) - start_s;
}

static void *work(void *of)
{
    lane *l = of;
    hit_run_lanes *lanes = l->all;

    if (l->device->spec.first_core >= 0) {
        (void)hit_cores_bind(lanes->cores, l->device->spec.first_core);
    }
    pthread_mutex_lock(&lanes->mutex);
    for (;;) {
        while (l->state != LANE_RUNS && !lanes->stops) {
            pthread_cond_wait(&l->asked, &lanes->mutex);
        }
        if (l->state != LANE_RUNS) break;
        pthread_mutex_unlock(&lanes->mutex);
        run(l);
        pthread_mutex_lock(&lanes->mutex);
        l->state = LANE_DONE;
        pthread_cond_signal(&lanes->done);
    }
    pthread_mutex_unlock(&lanes->mutex);
    return NULL;
}

static void make_conditions(hit_run_lanes *lanes)
{
    pthread_condattr_t monotonic;

    pthread_mutex_init(&lanes->mutex, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&lanes->done, &monotonic);
    pthread_condattr_destroy(&monotonic);
    for (int d = 0; d < lanes->devices; d++) {
        pthread_cond_init(&lanes->lane[d].asked, NULL);
    }
}

static hit_status start_threads(hit_run_lanes *lanes)
{
    for (int d = 0; d < lanes->devices; d++) {
        lane *l = &lanes->lane[d];

        if (hit_device_async(l->device)) continue;
        if (l->device->spec.first_core >= 0 && lanes->cores == NULL) {
            HIT_TRY(hit_cores_open(&lanes->cores));
        }
    }
    for (int d = 0; d < lanes->devices; d++) {
        lane *l = &lanes->lane[d];

        if (hit_device_async(l->device)) continue;
        l->started = pthread_create(&l->thread, NULL, work, l) == 0;
        if (!l->started) {
            return HIT_FAIL(HIT_E_DEVICE, "the thread of device %d cannot be started", d);
        }
    }
    return HIT_OK;
}

hit_status hit_run_lanes_create(int devices, hit_device *const device[],
                                const hit_clock *clock, hit_run_lanes **lanes)
{
    hit_run_lanes *made = NULL;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made) + (size_t)devices * sizeof(lane), &made));
    made->devices = devices;
    made->clock = clock;
    make_conditions(made);
    for (int d = 0; d < devices; d++) {
        made->lane[d].all = made;
        made->lane[d].device = device[d];
    }
    status = start_threads(made);
    if (status != HIT_OK) hit_run_lanes_destroy(&made);
    *lanes = made;
    return status;
}

void hit_run_lanes_destroy(hit_run_lanes **lanes)
{
    hit_run_lanes *old = *lanes;

    if (old == NULL) return;
    pthread_mutex_lock(&old->mutex);
    old->stops = true;
    for (int d = 0; d < old->devices; d++) {
        pthread_cond_signal(&old->lane[d].asked);
    }
    pthread_mutex_unlock(&old->mutex);
    for (int d = 0; d < old->devices; d++) {
        if (old->lane[d].started) pthread_join(old->lane[d].thread, NULL);
        pthread_cond_destroy(&old->lane[d].asked);
    }
    hit_cores_close(&old->cores);
    pthread_cond_destroy(&old->done);
    pthread_mutex_destroy(&old->mutex);
    free(old);
    *lanes = NULL;
}

hit_run *hit_run_lanes_next(hit_run_lanes *lanes, int device)
{
    return &lanes->lane[device].run;
}

void hit_run_lanes_start(hit_run_lanes *lanes, int device, const hit_kernel *kernel,
                         const hit_domain need[])
{
    lane *l = &lanes->lane[device];

    pthread_mutex_lock(&lanes->mutex);
    l->kernel = kernel;
    l->sums = need != NULL;
    if (l->sums) memcpy(l->need, need, sizeof(l->need));
    l->state = LANE_RUNS;
    pthread_cond_signal(&l->asked);
    pthread_mutex_unlock(&lanes->mutex);
}

bool hit_run_lanes_end(hit_run_lanes *lanes, int device, hit_ran *ran)
{
    lane *l = &lanes->lane[device];
    bool done;

    pthread_mutex_lock(&lanes->mutex);
    done = l->state == LANE_DONE;
    if (done) l->state = LANE_IDLE;
    pthread_mutex_unlock(&lanes->mutex);
    if (done) *ran = (hit_ran){hit_first_tell(&l->first), l->seconds};
    return done;
}

static bool any_done(const hit_run_lanes *lanes)
{
    for (int d = 0; d < lanes->devices; d++) {
        if (lanes->lane[d].state == LANE_DONE) return true;
    }
    return false;
}

void hit_run_lanes_wait(hit_run_lanes *lanes, double most_s)
{
    struct timespec end;
    int error = 0;

    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += most_s > 0 ? (long)(most_s * 1e9) % 1000000000 : 0;
    end.tv_sec += (most_s > 0 ? (time_t)most_s : 0) + end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    pthread_mutex_lock(&lanes->mutex);
    while (error == 0 && !any_done(lanes)) {
        error = most_s < 0 ? pthread_cond_wait(&lanes->done, &lanes->mutex)
                           : pthread_cond_timedwait(&lanes->done, &lanes->mutex, &end);
    }
    pthread_mutex_unlock(&lanes->mutex);
}
