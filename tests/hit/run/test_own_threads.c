/* SPDX-License-Identifier: MIT
 * A kernel with threads of its own, OpenMP's, is told of each device once, and keeps to
 * its threads and cores. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): sched_getaffinity */
#include "hit/hit.h"
#include "hit/kernel.h"
#include "tests/support/check_main.h"

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

enum {
    MOST = 8 /* threads that are noted */
};

static hit_context *base;  /* keeps MPI open */
static atomic_int entered; /* a test program has no context to hang this on */
static hit_status answer;

static hit_status confine(const hit_group *group)
{
    atomic_fetch_add(&entered, 1);
    omp_set_dynamic(0);
    omp_set_num_threads(group->threads);
#pragma omp parallel
    group->bind(group->self, omp_get_thread_num());
    return answer != HIT_OK ? HIT_FAIL(answer, "no threads to be had") : HIT_OK;
}

/* The only processor on which the calling thread may run; -1: there are several. */
static int only_core(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof(set), &set) != 0 || CPU_COUNT(&set) != 1) return -1;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET((size_t)cpu, &set)) return cpu;
    }
    return -1;
}

/* A row: how many threads there are, and the core of each. */
HIT_OWN_THREADS(note_cores, confine);
HIT_BOX_KERNEL(note_cores, (i), (inout, int64_t, row, "[i, :]"))
{
    const hit_index at[] = {run->begin[0], 0};
    int64_t *row = (int64_t *)hit_run_address(run, 0, 2, at, sizeof(int64_t));

#pragma omp parallel
    {
        const int thread = omp_get_thread_num();

        if (thread == 0) row[0] = omp_get_num_threads();
        if (thread + 1 < MOST) row[thread + 1] = only_core();
    }
    return row[0] == run->threads ? HIT_OK : HIT_FAIL(HIT_E_DEVICE, "other threads");
}

static hit_context *open_on(const char *devices)
{
    hit_context *hit = NULL;

    atomic_store(&entered, 0);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &hit));
    return hit;
}

static hit_tile *make(hit_context *hit)
{
    const int64_t none = -2;
    hit_tile *tile = NULL;

    HIT_MUST(hit_tile_make(hit, hit_domain_of(40, MOST), "block", HIT_INT64, "t", &tile));
    HIT_MUST(hit_tile_fill(tile, &none));
    return tile;
}

static hit_domain row(int i)
{
    return (hit_domain){.dims = 1, .sig = {{i, i, 1}}};
}

START_TEST(groups_of_unlike_sizes_use_their_numbers_of_threads)
{
    hit_context *hit = open_on("host:threads=1 + host:threads=2 + host:threads=3");
    hit_tile *tile = make(hit);
    hit_view view;

    for (int i = 0; i < 40; i++) {
        const char *on[] = {"host:0", "host:1", "host:2"};

        HIT_MUST(hit_launch(hit, &note_cores, row(i), tile, HIT_ON(on[i % 3])));
    }
    HIT_MUST(hit_tile_map(tile, 0, HIT_READ, &view));
    for (int i = 0; i < 40; i++) {
        ck_assert_int_eq(HIT_AT(view, int64_t, i, 0), i % 3 + 1);
    }
    ck_assert_int_eq(entered, 3);
    hit_tile_destroy(&tile);
    hit_close(&hit);
}
END_TEST

START_TEST(threads_stay_on_the_cores_of_their_group)
{
    int64_t core[2] = {-1, -1};
    hit_context *hit;
    hit_tile *tile;
    hit_view view;

    if (sysconf(_SC_NPROCESSORS_ONLN) < 2) return;
    hit = open_on("host:cores=0-0 + host:cores=1-1");
    tile = make(hit);
    for (int i = 0; i < 40; i++) {
        HIT_MUST(hit_launch(hit, &note_cores, row(i), tile,
                            HIT_ON(i % 2 == 0 ? "host:0" : "host:1")));
    }
    HIT_MUST(hit_tile_map(tile, 0, HIT_READ, &view));
    for (int i = 1; i < 40; i += 2) {
        ck_assert_int_eq(HIT_AT(view, int64_t, i, 0), 1);
        core[1] = HIT_AT(view, int64_t, i, 1);
        ck_assert_int_ge(core[1], 0);
        ck_assert_int_eq(core[1], HIT_AT(view, int64_t, 1, 1));
    }
    ck_assert_int_eq(entered, 2);
    hit_tile_destroy(&tile);
    hit_close(&hit);

    /* one device of both: the caller stays free, the other thread is on the second core
     */
    hit = open_on("host:cores=0-1");
    tile = make(hit);
    for (int i = 0; i < 40; i++) {
        HIT_MUST(hit_launch(hit, &note_cores, row(i), tile));
    }
    HIT_MUST(hit_tile_map(tile, 0, HIT_READ, &view));
    for (int i = 0; i < 40; i++) {
        ck_assert_int_eq(HIT_AT(view, int64_t, i, 0), 2);
        ck_assert_int_eq(HIT_AT(view, int64_t, i, 2), core[1]);
    }
    ck_assert_int_eq(entered, 1);
    hit_tile_destroy(&tile);
    hit_close(&hit);
}
END_TEST

START_TEST(a_failure_of_the_prologue_is_that_of_the_launch)
{
    hit_context *hit = open_on("host:threads=2");
    hit_tile *tile = make(hit);

    answer = HIT_E_DEVICE;
    ck_assert_int_eq(hit_launch(hit, &note_cores, row(0), tile), HIT_E_DEVICE);
    answer = HIT_OK;
    HIT_MUST(hit_launch(hit, &note_cores, row(0), tile));
    HIT_MUST(hit_launch(hit, &note_cores, row(1), tile));
    ck_assert_int_eq(entered, 2);
    hit_tile_destroy(&tile);
    hit_close(&hit);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("own_threads");
    TCase *tc = tcase_create("own_threads");

    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, groups_of_unlike_sizes_use_their_numbers_of_threads);
    tcase_add_test(tc, threads_stay_on_the_cores_of_their_group);
    tcase_add_test(tc, a_failure_of_the_prologue_is_that_of_the_launch);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
