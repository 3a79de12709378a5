/* SPDX-License-Identifier: MIT
 * On devices with memories of their own, where no scheduler was asked for: narrow
 * launches that follow each other are placed when that moves fewer bytes, wide ones run
 * as ever between them, and results are those of plain loops. */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/hit.h"
#include "hit/scheduled/schedule_impl.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"
#include "tests/support/mix.h"
#include "tests/support/own_device.h"

#include <stdio.h>
#include <string.h>

enum {
    EDGE = 4,   /* of a block */
    BLOCKS = 8, /* in each dimension */
    ALL = BLOCKS * BLOCKS,
    N = BLOCKS * EDGE,
    LAUNCHES = 400
};

static hit_context *base; /* keeps MPI open */

/* ---- kernels ---- */

static hit_status mix_or_fail(const hit_run *run)
{
    if (test_fault_hits(FAULT_KERNEL)) {
        return HIT_FAIL(HIT_E_DEVICE, "a kernel was made to fail");
    }
    mix_blocks(run, EDGE);
    return HIT_OK;
}

static const hit_kernel mix = MIX_KERNEL(mix_or_fail);

static hit_status raise_rows(const hit_run *run)
{
    const hit_slot *x = &run->slot[0];

    for (hit_index i = run->begin[0]; i <= run->end[0]; i++) {
        for (hit_index j = run->begin[1]; j <= run->end[1]; j++) {
            ((int64_t *)x->base)[i * x->stride[0] + j * x->stride[1]] += i + j;
        }
    }
    return HIT_OK;
}

static const hit_kernel_arg raise_args[] = {
    {HIT_MODE_INOUT, {HIT_KIND_INT64, sizeof(int64_t)}, "x", "[i, j]"}};
static const hit_kernel raise_all = {.name = "raise",
                                     .dims = 2,
                                     .index = {"i", "j"},
                                     .args = 1,
                                     .arg = raise_args,
                                     .whole_box = 1,
                                     .host = raise_rows};

/* ---- programs ---- */

typedef struct program {
    hit_context *hit;
    hit_tile *all;
    hit_tile *block[ALL];
    int wide; /* one launch of so many is; 0: none */
    uint64_t seed;
} program;

static unsigned draw(uint64_t *seed, unsigned below)
{
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)(*seed >> 33) % below;
}

static const hit_device_ops *const kinds[] = {&own_device, NULL};

static program open(const char *devices, int wide, uint64_t seed)
{
    const hit_options options = {.devices = devices, .device_kinds = kinds};
    program p = {.wide = wide, .seed = seed};

    HIT_MUST(hit_open_with(NULL, NULL, &options, &p.hit));
    HIT_MUST(hit_tile_make(p.hit, hit_domain_of(N, N), "blockcyclic:block=4x4", HIT_INT64,
                           "all", &p.all));
    for (int b = 0; b < ALL; b++) {
        const hit_index i = b / BLOCKS * EDGE;
        const hit_index j = b % BLOCKS * EDGE;

        HIT_MUST(hit_tile_select(p.all, hit_box_of(i, i + EDGE - 1, j, j + EDGE - 1),
                                 &p.block[b]));
    }
    HIT_MUST(hit_tile_fill(p.all, &(int64_t){3}));
    return p;
}

/* No scheduler comes. */
static program open_without(const char *devices, int wide, uint64_t seed)
{
    program p = open(devices, wide, seed);

    p.hit->stations->keeper = (hit_keeper){.self = NULL};
    return p;
}

static void close(program *p)
{
    for (int b = 0; b < ALL; b++) {
        hit_tile_destroy(&p->block[b]);
    }
    hit_tile_destroy(&p->all);
    hit_close(&p->hit);
}

/* The blocks of a launch; false: it is wide. */
static bool next_launch(const program *p, uint64_t *seed, int block[3])
{
    if (p->wide > 0 && draw(seed, (unsigned)p->wide) == 0) return false;
    block[0] = (int)draw(seed, ALL);
    do {
        block[1] = block[0] / BLOCKS * BLOCKS + (int)draw(seed, BLOCKS);
        block[2] = (int)draw(seed, ALL);
    } while (block[1] == block[0] || block[2] == block[0]);
    return true;
}

/* Returns how many launches were told of a failure. */
static int run(const program *p)
{
    uint64_t seed = p->seed;
    int told = 0;

    for (int k = 0; k < LAUNCHES; k++) {
        int b[3];

        told +=
            (next_launch(p, &seed, b)
                 ? hit_launch(p->hit, &mix, hit_domain_of(1), p->block[b[0]],
                              p->block[b[1]], p->block[b[2]])
                 : hit_launch(p->hit, &raise_all, hit_domain_of(N, N), p->all)) != HIT_OK;
    }
    return told + (hit_wait(p->hit) != HIT_OK);
}

static void run_plainly(const program *p, int64_t all[N][N])
{
    uint64_t seed = p->seed;

    for (int k = 0; k < N * N; k++) {
        all[k / N][k % N] = 3;
    }
    for (int k = 0; k < LAUNCHES; k++) {
        int b[3];
        const bool narrow = next_launch(p, &seed, b);

        for (int e = 0; e < EDGE * EDGE && narrow; e++) {
            int64_t *at[3];

            for (int u = 0; u < 3; u++) {
                at[u] = &all[b[u] / BLOCKS * EDGE + e / EDGE]
                            [b[u] % BLOCKS * EDGE + e % EDGE];
            }
            *at[0] = mixed(*at[0], *at[1], *at[2]);
        }
        for (int e = 0; e < N * N && !narrow; e++) {
            all[e / N][e % N] += e / N + e % N;
        }
    }
}

static void expect_right(const program *p, const char *what)
{
    static int64_t found[N][N];
    static int64_t want[N][N];

    HIT_MUST(hit_tile_gather(p->all, 0, found));
    if (hit_rank(base) > 0) return;
    run_plainly(p, want);
    ck_assert_msg(memcmp(found, want, sizeof found) == 0, "%s: wrong results", what);
}

/* Of all processes. */
static uint64_t bytes_of(const program *p)
{
    hit_stats stats;

    HIT_MUST(hit_context_stats_all(p->hit, &stats));
    return stats.bytes_in + stats.bytes_out;
}

static uint64_t tasks_of(const program *p)
{
    const hit_scheduled *s = p->hit->execution;
    uint64_t tasks = s == NULL ? 0 : s->forgotten + (uint64_t)s->graph.tasks;

    HIT_MUST(hit_comm_sum_u64(base->comm, &tasks, 1));
    return tasks;
}

/* ---- what holds ---- */

static const char *const places[] = {"host:threads=1:memory=1KiB * 2",
                                     "host:threads=1:memory=1KiB + host:threads=1",
                                     "host:threads=1:memory=1KiB"};

/* 8 KiB in all. Where they fit the devices of more processes, nothing moves. */
START_TEST(narrow_launches_are_placed)
{
    for (int promised = 0; promised < 2; promised++) {
        program p = open(places[_i], 0, 1);
        program without = open_without(places[_i], 0, 1);

        if (promised) HIT_MUST(hit_chain(p.hit, HIT_CHAIN_ANY));
        if (promised) HIT_MUST(hit_chain(without.hit, HIT_CHAIN_ANY));
        ck_assert_int_eq(run(&p), 0);
        ck_assert_int_eq(run(&without), 0);
        if (hit_size(base) < 4) ck_assert_uint_gt(tasks_of(&p), LAUNCHES / 2);
        ck_assert_uint_eq(tasks_of(&without), 0);
        ck_assert_uint_le(10 * bytes_of(&p), 11 * bytes_of(&without));
        expect_right(&p, places[_i]);
        expect_right(&without, places[_i]);
        close(&p);
        close(&without);
    }
}
END_TEST

/* On one process: what comes from others is brought in. */
START_TEST(what_moves_nothing_is_not_placed)
{
    program p = open("host:threads=1:memory=1MiB", 0, 2);

    ck_assert_int_eq(run(&p), 0);
    if (hit_size(base) == 1) ck_assert_uint_eq(tasks_of(&p), 0);
    if (hit_size(base) == 1) ck_assert_ptr_null(p.hit->execution);
    expect_right(&p, "all fits");
    close(&p);
}
END_TEST

/* The more often it did not pay, the later it is tried again. */
START_TEST(wide_launches_run_between_them)
{
    const int wide[] = {2, 3, 5, 10, 20, 50, 100, 200};
    uint64_t tasks = 0;
    uint64_t bytes = 0;
    uint64_t bytes_without = 0;

    for (unsigned k = 0; k < sizeof wide / sizeof *wide; k++) {
        program p = open(places[_i], wide[k], k);
        program without = open_without(places[_i], wide[k], k);

        ck_assert_int_eq(run(&p), 0);
        ck_assert_int_eq(run(&without), 0);
        tasks += tasks_of(&p);
        bytes += bytes_of(&p);
        bytes_without += bytes_of(&without);
        ck_assert_msg(4 * bytes_of(&p) <= 5 * bytes_of(&without),
                      "%s, one of %d: %llu bytes instead of %llu", places[_i], wide[k],
                      (unsigned long long)bytes_of(&p),
                      (unsigned long long)bytes_of(&without));
        expect_right(&p, places[_i]);
        close(&p);
        close(&without);
    }
    if (hit_size(base) < 4) ck_assert_uint_gt(tasks, 0);
    ck_assert_uint_le(20 * bytes, 21 * bytes_without);
}
END_TEST

/* Rows of a tile, which are blocks of one column, are of both devices. */
START_TEST(rows_are_dealt_to_all_devices)
{
    program p = open(places[0], 0, 3);
    const hit_station *station = p.hit->stations->station;

    if (hit_size(base) > 1) {
        close(&p);
        return;
    }
    for (int k = 0; k < LAUNCHES; k++) {
        const hit_index i = k % BLOCKS * 2;

        HIT_MUST(hit_launch(p.hit, &raise_all, hit_box_of(i, i + 1, 0, N - 1), p.all));
    }
    HIT_MUST(hit_wait(p.hit));
    ck_assert_uint_gt(tasks_of(&p), LAUNCHES / 2);
    ck_assert_uint_gt(station[0].superblocks, LAUNCHES / 4);
    ck_assert_uint_gt(station[1].superblocks, LAUNCHES / 4);
    close(&p);
}
END_TEST

/* In whatever order they are listed: one in place, of another kind, has none of them. */
START_TEST(tasks_go_to_devices_with_memories)
{
    static const char *const devices[] = {"own + host:threads=1:memory=1KiB",
                                          "host:threads=1:memory=1KiB + own"};
    program p = open(devices[_i], 0, 1);
    const hit_station *station = p.hit->stations->station;
    uint64_t placed;

    ck_assert_int_eq(run(&p), 0);
    placed = station[1 - _i].superblocks;
    HIT_MUST(hit_comm_sum_u64(base->comm, &placed, 1));
    if (hit_size(base) < 4) ck_assert_uint_gt(tasks_of(&p), LAUNCHES / 2);
    ck_assert_uint_ge(placed, tasks_of(&p));
    expect_right(&p, devices[_i]);
    close(&p);
}
END_TEST

/* However many tasks ran before it. */
START_TEST(a_wide_launch_has_all_devices)
{
    program p = open("host:threads=1:memory=10KiB * 2", 0, 6);
    const hit_station *station = p.hit->stations->station;
    uint64_t before[2];

    for (int k = 0; k < 5; k++) {
        ck_assert_int_eq(run(&p), 0);
    }
    if (hit_size(base) == 1) ck_assert_uint_gt(tasks_of(&p), LAUNCHES);
    before[0] = station[0].superblocks;
    before[1] = station[1].superblocks;
    HIT_MUST(hit_launch(p.hit, &raise_all, hit_domain_of(N, N), p.all));
    HIT_MUST(hit_wait(p.hit));
    ck_assert_uint_gt(station[0].superblocks, before[0]);
    ck_assert_uint_gt(station[1].superblocks, before[1]);
    close(&p);
}
END_TEST

START_TEST(a_scheduler_may_come_later)
{
    program p = open(places[0], 20, 4);
    uint64_t tasks;

    ck_assert_int_eq(hit_schedule(p.hit, "no such one"), HIT_E_ARG);
    ck_assert_int_eq(run(&p), 0);
    ck_assert_int_eq(hit_schedule(p.hit, "no such one"), HIT_E_ARG);
    HIT_MUST(hit_tile_fill(p.all, &(int64_t){3}));
    ck_assert_int_eq(run(&p), 0);
    tasks = tasks_of(&p);
    HIT_MUST(hit_schedule(p.hit, "mct"));
    ck_assert_uint_eq(tasks_of(&p), tasks); /* their numbers go on */
    HIT_MUST(hit_tile_fill(p.all, &(int64_t){3}));
    ck_assert_int_eq(run(&p), 0);
    ck_assert_uint_gt(tasks_of(&p), tasks + LAUNCHES / 2);
    expect_right(&p, "a scheduler that was asked for");
    close(&p);
}
END_TEST

/* One kernel of a process fails: it is told where that is met, and what is written anew
 * is right. */
START_TEST(failures_are_told)
{
    for (int n = 1; n < 200; n += 23) {
        for (int victim = 0; victim < hit_size(base); victim++) {
            program p = open(places[n % 3], n % 2 * 30, (uint64_t)n);
            uint64_t told;
            uint64_t failed;

            test_fault.kind = FAULT_KERNEL;
            test_fault.fail_at = hit_rank(base) == victim ? n : 0;
            test_fault_begin();
            told = run(&p) > 0;
            test_fault.on = false;
            failed = hit_rank(base) == victim && test_fault.count[FAULT_KERNEL] >= n;
            HIT_MUST(hit_comm_sum_u64(base->comm, &told, 1));
            HIT_MUST(hit_comm_sum_u64(base->comm, &failed, 1));
            ck_assert_int_eq(told > 0, failed > 0);
            HIT_MUST(hit_tile_fill(p.all, &(int64_t){3}));
            ck_assert_msg(run(&p) == 0, "n %d: %s", n, hit_status_text());
            expect_right(&p, "after a failure");
            close(&p);
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("a scheduler at need");
    TCase *tests = tcase_create("at need");

    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, narrow_launches_are_placed, 0, 3);
    tcase_add_test(tests, what_moves_nothing_is_not_placed);
    tcase_add_loop_test(tests, wide_launches_run_between_them, 0, 3);
    tcase_add_test(tests, rows_are_dealt_to_all_devices);
    tcase_add_loop_test(tests, tasks_go_to_devices_with_memories, 0, 2);
    tcase_add_test(tests, a_wide_launch_has_all_devices);
    tcase_add_test(tests, a_scheduler_may_come_later);
    tcase_add_test(tests, failures_are_told);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
