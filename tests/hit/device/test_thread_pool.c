/* SPDX-License-Identifier: MIT
 * The thread pool; also run under the thread sanitizer. */
#define _GNU_SOURCE
#include "hit/device/cores.h"
#include "tests/support/check_main.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    MOST = 5
};

typedef struct tally {
    int calls[MOST]; /* by thread: written without atomics, the pool must order them */
    bool in_range;
} tally;

static void count_call(void *argument, int thread, int threads)
{
    tally *all = argument;

    if (thread < 0 || thread >= threads || threads > MOST) {
        all->in_range = false;
        return;
    }
    all->calls[thread]++;
}

static void open_pool(int threads, hit_cores **cores, hit_thread_pool **pool)
{
    ck_assert_int_eq(hit_cores_open(cores), HIT_OK);
    ck_assert_int_eq(hit_thread_pool_create(threads, *cores, -1, pool), HIT_OK);
}

static void close_pool(hit_cores **cores, hit_thread_pool **pool)
{
    hit_thread_pool_destroy(pool);
    ck_assert_ptr_null(*pool);
    hit_thread_pool_destroy(pool); /* NULL is accepted */
    hit_cores_close(cores);
    hit_cores_close(cores);
}

static void pause_ms(long ms)
{
    struct timespec time = {.tv_nsec = ms * 1000000};
    nanosleep(&time, NULL);
}

START_TEST(each_thread_is_called_once_per_run)
{
    hit_cores *cores = NULL;
    hit_thread_pool *pool = NULL;
    tally all = {.in_range = true};
    bool good = true;

    open_pool(_i, &cores, &pool);
    for (int run = 1; run <= 1000; run++) {
        hit_thread_pool_run(pool, HIT_THREAD_POOL_LONG, count_call, &all);
        for (int k = 0; k < _i; k++) {
            good = good && all.calls[k] == run;
        }
    }
    ck_assert(good && all.in_range);
    close_pool(&cores, &pool);
}
END_TEST

START_TEST(threads_that_have_fallen_asleep_wake_up)
{
    hit_cores *cores = NULL;
    hit_thread_pool *pool = NULL;
    tally all = {.in_range = true};

    open_pool(_i, &cores, &pool);
    for (int run = 0; run < 50; run++) {
        pause_ms(run % 4);
        hit_thread_pool_run(pool, HIT_THREAD_POOL_LONG, count_call, &all);
    }
    for (int k = 0; k < _i; k++) {
        ck_assert_int_eq(all.calls[k], 50);
    }
    close_pool(&cores, &pool);
}
END_TEST

static void dawdle(void *argument, int thread, int threads)
{
    if (thread > 0) pause_ms(thread % 3);
    count_call(argument, thread, threads);
}

START_TEST(the_caller_waits_for_the_slowest_thread)
{
    hit_cores *cores = NULL;
    hit_thread_pool *pool = NULL;
    tally all = {.in_range = true};

    open_pool(_i, &cores, &pool);
    for (int run = 1; run <= 40; run++) {
        hit_thread_pool_run(pool, HIT_THREAD_POOL_LONG, dawdle, &all);
        for (int k = 0; k < _i; k++) {
            ck_assert_int_eq(all.calls[k], run);
        }
    }
    close_pool(&cores, &pool);
}
END_TEST

typedef struct who {
    pthread_t caller;
    int caller_did; /* of the parts of others; written by the caller alone */
} who;

static void note_caller(void *argument, int thread, int threads)
{
    who *all = argument;

    (void)threads;
    if (thread > 0 && pthread_equal(pthread_self(), all->caller)) all->caller_did++;
}

/* All threads share a core: while the caller has it no other thread can begin. */
START_TEST(the_caller_does_what_others_have_not_begun)
{
    who all = {.caller = pthread_self()};
    hit_cores *cores = NULL;
    hit_thread_pool *pool = NULL;
    bool bound;

    ck_assert_int_eq(hit_cores_open(&cores), HIT_OK);
    bound = hit_cores_bind(cores, 0);
    hit_cores_close(&cores);
    if (!bound) return; /* not on this system */
    ck_assert_int_eq(hit_cores_open(&cores), HIT_OK);
    ck_assert_int_eq(hit_cores_count(cores), 1);
    ck_assert_int_eq(hit_thread_pool_create(2, cores, -1, &pool), HIT_OK);
    for (int run = 0; run < 500; run++) {
        if (run % 50 == 0) pause_ms(1);
        hit_thread_pool_run(pool, HIT_THREAD_POOL_LONG, note_caller, &all);
    }
    ck_assert_int_gt(all.caller_did, 0);
    close_pool(&cores, &pool);
}
END_TEST

typedef struct meeting {
    pthread_t caller;
    int processor;        /* the caller's */
    atomic_int by_worker; /* parts that the worker itself has begun */
    atomic_int beside;    /* of them, on the caller's processor */
} meeting;

static void note_place(void *argument, int thread, int threads)
{
    meeting *all = argument;

    (void)threads;
    if (thread == 0) pause_ms(1); /* the worker comes meanwhile */
    if (thread == 0 || pthread_equal(pthread_self(), all->caller)) return;
    atomic_fetch_add(&all->by_worker, 1);
    atomic_fetch_add(&all->beside, sched_getcpu() == all->processor);
}

/* Both threads begin on a processor, as where a system wakes a thread beside the one that
 * wakes it; only the caller may stay. */
START_TEST(a_worker_leaves_the_core_of_the_caller)
{
    meeting all = {.caller = pthread_self()};
    hit_cores *cores = NULL;
    hit_thread_pool *pool = NULL;
    cpu_set_t before;
    cpu_set_t one;

    ck_assert_int_eq(sched_getaffinity(0, sizeof(before), &before), 0);
    ck_assert_int_eq(hit_cores_open(&cores), HIT_OK);
    all.processor = hit_cores_number(cores, 0);
    if (hit_cores_count(cores) < 2 || all.processor < 0) {
        hit_cores_close(&cores);
        return; /* not on this machine */
    }
    CPU_ZERO(&one);
    CPU_SET((size_t)all.processor, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0);
    ck_assert_int_eq(hit_thread_pool_create(2, cores, -1, &pool), HIT_OK);
    for (int run = 0; run < 100 || atomic_load(&all.by_worker) == 0; run++) {
        hit_thread_pool_run(pool, HIT_THREAD_POOL_LONG, note_place, &all);
    }
    ck_assert_int_eq(atomic_load(&all.beside), 0);
    close_pool(&cores, &pool);
    ck_assert_int_eq(sched_setaffinity(0, sizeof(before), &before), 0);
}
END_TEST

static void go_to_last(void *of)
{
    hit_cores *cores = of;

    (void)hit_cores_bind(cores, hit_cores_count(cores) - 1);
}

START_TEST(a_thread_visits_a_core_and_leaves_one_for_good)
{
    hit_cores *cores = NULL;
    cpu_set_t before;
    cpu_set_t after;

    ck_assert_int_eq(hit_cores_open(&cores), HIT_OK);
    ck_assert_int_eq(sched_getaffinity(0, sizeof(before), &before), 0);
    hit_cores_around(cores, go_to_last, cores);
    ck_assert_int_eq(sched_getaffinity(0, sizeof(after), &after), 0);
    ck_assert(CPU_EQUAL(&before, &after));
    if (hit_cores_leave(cores, hit_cores_number(cores, 0))) {
        ck_assert_int_eq(sched_getaffinity(0, sizeof(after), &after), 0);
        ck_assert(!CPU_ISSET((size_t)hit_cores_number(cores, 0), &after));
        ck_assert_int_ne(sched_getcpu(), hit_cores_number(cores, 0));
    } else {
        ck_assert_int_eq(hit_cores_count(cores), 1);
    }
    ck_assert(!hit_cores_leave(cores, -1));
    ck_assert_int_eq(sched_setaffinity(0, sizeof(before), &before), 0);
    hit_cores_close(&cores);
}
END_TEST

static void note_thread(void *argument, int thread, int threads)
{
    pthread_t *of = argument;

    (void)threads;
    of[thread] = pthread_self();
}

START_TEST(what_is_started_is_called_by_each_thread_itself)
{
    pthread_t first[MOST];
    pthread_t now[MOST];
    hit_cores *cores = NULL;
    hit_thread_pool *pool = NULL;

    open_pool(MOST, &cores, &pool);
    for (int run = 0; run < 200; run++) {
        hit_thread_pool_start(pool, note_thread, run == 0 ? first : now);
        hit_thread_pool_stop(pool);
        for (int k = 1; run > 0 && k < MOST; k++) {
            ck_assert(pthread_equal(first[k], now[k]));
            ck_assert(!pthread_equal(first[k], pthread_self()));
        }
    }
    close_pool(&cores, &pool);
}
END_TEST

START_TEST(a_pool_that_never_ran_can_be_destroyed)
{
    hit_cores *cores = NULL;
    hit_thread_pool *pool = NULL;

    open_pool(_i, &cores, &pool);
    close_pool(&cores, &pool);
}
END_TEST

START_TEST(shares_are_contiguous_and_cover_everything)
{
    for (int64_t count = 0; count < 40; count++) {
        for (int threads = 1; threads < 9; threads++) {
            int64_t next = 0;
            for (int k = 0; k < threads; k++) {
                int64_t first = -1;
                int64_t last = -1;
                hit_thread_pool_share(count, k, threads, &first, &last);
                ck_assert_int_eq(first, next);
                ck_assert_int_ge(last - first, count / threads);
                ck_assert_int_le(last - first, (count + threads - 1) / threads);
                next = last;
            }
            ck_assert_int_eq(next, count);
        }
    }
}
END_TEST

START_TEST(this_process_has_cores_and_can_be_bound_to_them)
{
    hit_cores *cores = NULL;
    hit_cores *now = NULL;
    hit_cores_info info;

    ck_assert_int_eq(hit_cores_open(&cores), HIT_OK);
    hit_cores_info_get(cores, &info);
    ck_assert_int_ge(info.cores, 1);
    ck_assert_int_eq(hit_cores_count(cores), info.cores);
    printf("%s: %d cores, caches %zu %zu %zu bytes, memory %zu bytes\n",
           hit_cores_library(), info.cores, info.level1_bytes, info.level2_bytes,
           info.level3_bytes, info.memory_bytes);
    if (hit_cores_bind(cores, info.cores - 1)) {
        ck_assert_int_eq(hit_cores_open(&now), HIT_OK);
        ck_assert_int_eq(hit_cores_count(now), 1);
        hit_cores_close(&now);
    }
    hit_cores_close(&cores);
}
END_TEST

/* What others look at at the same time is common, and goes with the last of them. */
static void *look_at_cores(void *count)
{
    for (int k = 0; k < 30; k++) {
        hit_cores *cores = NULL;
        int last;

        if (hit_cores_open(&cores) != HIT_OK) return NULL;
        last = hit_cores_count(cores) - 1;
        if (last != *(const int *)count - 1) return NULL;
        if (hit_cores_group(cores, last, HIT_CORES_L3) < 0) return NULL;
        hit_cores_close(&cores);
    }
    return count;
}

START_TEST(threads_may_look_at_the_cores_at_the_same_time)
{
    hit_cores *cores = NULL;
    pthread_t thread[MOST];
    int count;

    ck_assert_int_eq(hit_cores_open(&cores), HIT_OK);
    count = hit_cores_count(cores);
    hit_cores_close(&cores);
    for (int k = 0; k < MOST; k++) {
        ck_assert_int_eq(pthread_create(&thread[k], NULL, look_at_cores, &count), 0);
    }
    for (int k = 0; k < MOST; k++) {
        void *found = NULL;

        ck_assert_int_eq(pthread_join(thread[k], &found), 0);
        ck_assert_ptr_eq(found, &count);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit.device.thread_pool");
    TCase *tests = tcase_create("pool");

    tcase_add_loop_test(tests, each_thread_is_called_once_per_run, 1, MOST + 1);
    tcase_add_loop_test(tests, threads_that_have_fallen_asleep_wake_up, 1, MOST + 1);
    tcase_add_loop_test(tests, the_caller_waits_for_the_slowest_thread, 1, MOST + 1);
    tcase_add_loop_test(tests, a_pool_that_never_ran_can_be_destroyed, 1, MOST + 1);
    tcase_add_test(tests, shares_are_contiguous_and_cover_everything);
    tcase_add_test(tests, what_is_started_is_called_by_each_thread_itself);
    tcase_add_test(tests, threads_may_look_at_the_cores_at_the_same_time);
    tcase_add_test(tests, a_worker_leaves_the_core_of_the_caller);
    tcase_add_test(tests, a_thread_visits_a_core_and_leaves_one_for_good);
    /* last: the calling thread stays bound */
    tcase_add_test(tests, this_process_has_cores_and_can_be_bound_to_them);
    tcase_add_test(tests, the_caller_does_what_others_have_not_begun);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
