/* SPDX-License-Identifier: MIT
 * A crew is a pool with one thread per device. Error text is thread-local, so it is
 * copied to the calling thread. */
#include "hit/base/memory.h"
#include "hit/base/status_impl.h"
#include "hit/device/cores.h"
#include "hit/device/device.h"

#include <stdlib.h>

typedef struct member {
    int first_core;  /* to be bound to at the first run; -1: to none, or done */
    hit_first first; /* each thread has texts of its own */
} member;

struct hit_crew {
    hit_cores *cores;
    hit_thread_pool *pool;
    int count;
    hit_work *work; /* of hit_crew_start() */
    void *of;
    hit_crew_function *function; /* of hit_crew_run() */
    void *argument;
    member member[];
};

hit_status hit_crew_create(int count, hit_device *const device[], hit_crew **crew)
{
    hit_crew *made = NULL;
    int bound = HIT_THREAD_POOL_UNBOUND;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made) + (size_t)count * sizeof(member), &made));
    made->count = count;
    for (int k = 0; k < count; k++) {
        made->member[k].first_core = k > 0 ? device[k]->spec.first_core : -1;
        if (made->member[k].first_core >= 0) bound = HIT_THREAD_POOL_BOUND_LATER;
    }
    status = hit_cores_open(&made->cores);
    if (status == HIT_OK) {
        status = hit_thread_pool_create(count, made->cores, bound, &made->pool);
    }
    if (status != HIT_OK) hit_crew_destroy(&made);
    *crew = made;
    return status;
}

void hit_crew_destroy(hit_crew **crew)
{
    hit_crew *old = *crew;

    if (old == NULL) return;
    hit_thread_pool_destroy(&old->pool);
    hit_cores_close(&old->cores);
    free(old);
    *crew = NULL;
}

static void bind_once(hit_crew *crew, int thread)
{
    member *self = &crew->member[thread];

    if (self->first_core < 0) return;
    (void)hit_cores_bind(crew->cores, self->first_core);
    self->first_core = -1;
}

static void work(void *argument, int thread, int threads)
{
    hit_crew *crew = argument;

    bind_once(crew, thread);
    crew->work(crew->of, thread, threads);
}

void hit_crew_start(hit_crew *crew, hit_work *function, void *of)
{
    hit_thread_pool_stop(crew->pool);
    crew->work = function;
    crew->of = of;
    hit_thread_pool_start(crew->pool, work, crew);
}

void hit_crew_stop(hit_crew *crew)
{
    hit_thread_pool_stop(crew->pool);
}

static void run_member(void *of, int thread, int threads)
{
    hit_crew *crew = of;
    hit_first *first = &crew->member[thread].first;

    (void)threads;
    hit_first_begin(first);
    hit_first_keep(first, crew->function(crew->argument, thread));
}

/* Each member by a thread of its own, which is bound to cores of its device. */
hit_status hit_crew_run(hit_crew *crew, hit_crew_function *function, void *argument)
{
    hit_thread_pool_stop(crew->pool);
    crew->function = function;
    crew->argument = argument;
    hit_crew_start(crew, run_member, crew);
    run_member(crew, 0, crew->count);
    hit_crew_stop(crew);
    for (int k = 0; k < crew->count; k++) {
        HIT_TRY(hit_first_tell(&crew->member[k].first));
    }
    return HIT_OK;
}
