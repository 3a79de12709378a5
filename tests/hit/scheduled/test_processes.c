/* SPDX-License-Identifier: MIT
 * Each of several processes places its own launches on its devices: results are those of
 * plain loops whatever places them, and what a task could not write is told to whoever
 * reads it, on other processes, too. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/hit.h"
#include "hit/scheduled/schedule_impl.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"
#include "tests/support/mix.h"

#include <string.h>
#include <time.h>

enum {
    EDGE = 4,   /* of a block */
    BLOCKS = 6, /* in each dimension */
    ALL = BLOCKS * BLOCKS,
    N = BLOCKS * EDGE,
    PASSES = 3
};

static hit_context *base; /* keeps MPI open */
static long delay_ns;     /* of each kernel, so that tasks wait */

static hit_status mix_or_fail(const hit_run *run)
{
    if (test_fault_hits(FAULT_KERNEL)) {
        return HIT_FAIL(HIT_E_DEVICE, "a kernel was made to fail");
    }
    if (delay_ns > 0) (void)nanosleep(&(struct timespec){.tv_nsec = delay_ns}, NULL);
    mix_blocks(run, EDGE);
    return HIT_OK;
}

static const hit_kernel mix = MIX_KERNEL(mix_or_fail);

/* ---- the program ---- */

typedef struct program {
    hit_context *hit;
    hit_tile *all;
    hit_tile *block[ALL];
    uint64_t placed;  /* launches of all processes that were tasks */
    uint64_t drained; /* and those of them that were over, all together, before the end */
} program;

/* The blocks of launch @p k: two of three are of one process, as their rows are, and
 * every second column. */
static void blocks_of(int k, int block[3])
{
    const int first = 7 * k % ALL;
    const int row = first / BLOCKS * BLOCKS;

    block[0] = first;
    block[1] = k % 3 < 2 ? row + (first + 2) % BLOCKS : (first + 9) % ALL;
    block[2] = k % 3 < 2 ? row + (first + 4) % BLOCKS : (first + 7) % ALL;
}

static void open(program *p, const char *devices)
{
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &p->hit));
    HIT_MUST(hit_tile_make(p->hit, hit_domain_of(N, N), "blockcyclic:block=4x4",
                           HIT_INT64, "all", &p->all));
    for (int b = 0; b < ALL; b++) {
        const hit_index i = b / BLOCKS * EDGE;
        const hit_index j = b % BLOCKS * EDGE;

        HIT_MUST(hit_tile_select(p->all, hit_box_of(i, i + EDGE - 1, j, j + EDGE - 1),
                                 &p->block[b]));
    }
    HIT_MUST(hit_tile_fill(p->all, &(int64_t){3}));
}

static void close(program *p)
{
    for (int b = 0; b < ALL; b++) {
        hit_tile_destroy(&p->block[b]);
    }
    hit_tile_destroy(&p->all);
    hit_close(&p->hit);
}

static void count_tasks(program *p)
{
    const hit_scheduled *s = p->hit->stations->keeper.self;
    uint64_t count[2] = {0, 0};

    if (s != NULL) {
        count[0] = s->forgotten + (uint64_t)s->graph.tasks;
        count[1] = s->forgotten;
    }
    HIT_MUST(hit_comm_sum_u64(base->comm, count, 2));
    p->placed = count[0];
    p->drained = count[1];
}

/* Launches go on after a failure. Returns how many were told of one. */
static int run(program *p)
{
    int told = 0;

    for (int k = 0; k < PASSES * ALL; k++) {
        int b[3];

        blocks_of(k, b);
        told += hit_launch(p->hit, &mix, hit_domain_of(1), p->block[b[0]], p->block[b[1]],
                           p->block[b[2]]) != HIT_OK;
    }
    count_tasks(p);
    return told + (hit_wait(p->hit) != HIT_OK);
}

static void run_plainly(int64_t all[N][N])
{
    for (int k = 0; k < N * N; k++) {
        all[k / N][k % N] = 3;
    }
    for (int k = 0; k < PASSES * ALL; k++) {
        int b[3];

        blocks_of(k, b);
        for (int e = 0; e < EDGE * EDGE; e++) {
            int64_t *at[3];

            for (int u = 0; u < 3; u++) {
                at[u] = &all[b[u] / BLOCKS * EDGE + e / EDGE]
                            [b[u] % BLOCKS * EDGE + e % EDGE];
            }
            *at[0] = mixed(*at[0], *at[1], *at[2]);
        }
    }
}

static void expect_right(program *p, const char *what)
{
    static int64_t found[N][N];
    static int64_t want[N][N];

    HIT_MUST(hit_tile_gather(p->all, 0, found));
    if (hit_rank(base) > 0) return;
    run_plainly(want);
    ck_assert_msg(memcmp(found, want, sizeof found) == 0, "%s: wrong results", what);
}

/* ---- what holds ---- */

static const char *const schedulers[] = {"mct",   "heft", "home",
                                         "eager", "dada", "mct:beta=2"};
static const char *const places[] = {"host:threads=1:memory=1KiB * 2",
                                     "host:threads=1:memory=1KiB + host:threads=1"};

/* What a launch needs of others is held: each is a task, and no message waits for all
 * that were launched before. */
START_TEST(all_schedulers_give_the_results_of_plain_loops)
{
    for (int promised = 0; promised < 2; promised++) {
        program p;

        open(&p, places[_i % 2]);
        if (promised) HIT_MUST(hit_chain(p.hit, HIT_CHAIN_ANY));
        HIT_MUST(hit_schedule(p.hit, schedulers[_i]));
        ck_assert_int_eq(run(&p), 0);
        ck_assert_uint_eq(p.placed, PASSES * ALL);
        ck_assert_uint_eq(p.drained, 0);
        expect_right(&p, schedulers[_i]);
        close(&p);
    }
}
END_TEST

/* Memory of a box that is held no more is used again when its readers are over. */
START_TEST(tasks_that_wait_keep_what_they_read)
{
    program p;

    open(&p, places[1]);
    HIT_MUST(hit_chain(p.hit, HIT_CHAIN_ANY));
    HIT_MUST(hit_schedule(p.hit, "mct"));
    delay_ns = 300000;
    ck_assert_int_eq(run(&p), 0);
    delay_ns = 0;
    expect_right(&p, "with late tasks");
    close(&p);
}
END_TEST

/* Without a promise what the host wrote comes into the memory that tasks read. */
START_TEST(what_comes_anew_comes_behind_those_that_read_it)
{
    static int64_t found[N][N];
    int64_t want = 3;
    program p;

    open(&p, places[1]);
    HIT_MUST(hit_schedule(p.hit, "eager"));
    delay_ns = 300000;
    for (int64_t value = 10; value < 15; value++) {
        HIT_MUST(hit_tile_fill(p.block[0], &value));
        want = mixed(want, value, value);
        for (int b = 1; b < ALL; b++) {
            HIT_MUST(hit_launch(p.hit, &mix, hit_domain_of(1), p.block[b], p.block[0],
                                p.block[0]));
        }
    }
    HIT_MUST(hit_tile_gather(p.all, 0, found));
    delay_ns = 0;
    for (int k = EDGE; k < N * N && hit_rank(base) == 0; k++) {
        if (k / N >= EDGE || k % N >= EDGE) ck_assert_int_eq(found[k / N][k % N], want);
    }
    close(&p);
}
END_TEST

/* The last process has no memory but its own. It is told so where it asks. */
START_TEST(a_process_may_have_no_scheduler)
{
    const bool last = hit_size(base) > 1 && hit_rank(base) == hit_size(base) - 1;
    program p;

    open(&p, last ? "host:threads=1" : places[0]);
    ck_assert_int_eq(hit_schedule(p.hit, "mct"), last ? HIT_E_ARG : HIT_OK);
    ck_assert_int_eq(run(&p), 0);
    expect_right(&p, "without a scheduler on the last process");
    close(&p);
}
END_TEST

/* Blocks of launches over processes end there. */
START_TEST(schedulers_may_come_late)
{
    program p;

    open(&p, places[0]);
    HIT_MUST(hit_chain(p.hit, HIT_CHAIN_ANY));
    ck_assert_int_eq(run(&p), 0);
    HIT_MUST(hit_tile_fill(p.all, &(int64_t){3}));
    HIT_MUST(hit_schedule(p.hit, "mct"));
    ck_assert_int_eq(run(&p), 0);
    HIT_MUST(hit_schedule(p.hit, "home"));
    HIT_MUST(hit_tile_fill(p.all, &(int64_t){3}));
    ck_assert_int_eq(run(&p), 0);
    expect_right(&p, "two schedulers");
    close(&p);
}
END_TEST

static chains_scene open_scene(bool staged)
{
    return staged ? chains_open_over_staged(8192, 1, "block:dims=1", 64)
                  : chains_open_over(&chains_blocked, 1, "block:dims=1", 64);
}

/* In the middle of a block over processes, of which the last has no scheduler. */
START_TEST(schedulers_may_come_between_the_launches_of_a_block)
{
    const bool last = hit_size(base) > 1 && hit_rank(base) == hit_size(base) - 1;
    const bool staged = _i == 0 || !last;

    if (hit_size(base) == 1) return;
    for (int steps = 12; steps < 17; steps++) {
        chains_scene one = open_scene(staged);
        chains_scene other = open_scene(staged);

        HIT_MUST(hit_chain(other.hit, HIT_CHAIN_OFF));
        for (int t = 0; t < 22; t++) {
            if (t == steps) {
                if (hit_size(base) < 4) ck_assert_uint_gt(chains_chained(&one), 0);
                ck_assert_int_eq(hit_schedule(one.hit, "mct"),
                                 staged ? HIT_OK : HIT_E_ARG);
            }
            if (t == 19) HIT_MUST(hit_chain(one.hit, HIT_CHAIN_ANY));
            chains_launch_star(&one, one.tile[1], one.tile[0], t);
            chains_launch_star(&other, other.tile[1], other.tile[0], t);
            hit_tile_swap(&one.tile[0], &one.tile[1]);
            hit_tile_swap(&other.tile[0], &other.tile[1]);
        }
        chains_expect_equal(&one, &other, "a scheduler in a block");
        chains_close(&one);
        chains_close(&other);
    }
}
END_TEST

static uint64_t bytes_moved(const chains_scene *s)
{
    hit_stats stats;

    hit_context_stats(s->hit, &stats);
    return stats.bytes_in + stats.bytes_out;
}

/* A stencil: each launch is an inner task, beside its messages, and one for each edge
 * when its halo has come, and only edges move. */
START_TEST(halos_come_into_tasks)
{
    enum {
        EXTENT = 64,
        STEPS = 30,
        EDGES = 4 * EXTENT * sizeof(float) /* two to send, two that come */
    };
    chains_scene one = chains_open_several(2, 65536, 1, "block:dims=1", EXTENT);
    chains_scene other = chains_open_several(2, 65536, 1, "block:dims=1", EXTENT);
    const unsigned edges =
        (hit_rank(base) > 0) + (unsigned)(hit_rank(base) < hit_size(base) - 1);
    const hit_scheduled *s;
    uint64_t before = 0;

    HIT_MUST(hit_schedule(one.hit, "home"));
    for (int t = 0; t < STEPS + 2; t++) {
        HIT_MUST(hit_wait(one.hit));
        if (t == 2) before = bytes_moved(&one);
        chains_launch_star(&one, one.tile[1], one.tile[0], t);
        chains_launch_star(&other, other.tile[1], other.tile[0], t);
        hit_tile_swap(&one.tile[0], &one.tile[1]);
        hit_tile_swap(&other.tile[0], &other.tile[1]);
    }
    HIT_MUST(hit_wait(one.hit));
    s = one.hit->stations->keeper.self;
    ck_assert_uint_eq(s->forgotten + (uint64_t)s->graph.tasks, (1 + edges) * (STEPS + 2));
    ck_assert_uint_le(bytes_moved(&one) - before, STEPS * EDGES);
    chains_expect_equal(&one, &other, "a stencil that is placed");
    chains_close(&one);
    chains_close(&other);
}
END_TEST

static hit_scheduled_driver driver_of_borders; /* another one's, but for: */

/* Of a column at an edge: others have taken the memory meanwhile. */
static void find_nothing(hit_scheduled *s, const hit_scheduled_task *task)
{
    if (hit_sig_count(task->index.sig[1]) == 1) hit_engine_limit(s->engine, 1, 1);
}

/* Else these run with the whole part, of which the inner indices have run. */
START_TEST(borders_go_where_their_inner_indices_are)
{
    enum {
        STEPS = 5
    };
    chains_scene one = chains_open_several(1, 65536, 1, "block:dims=1", 64);
    chains_scene other = chains_open_several(1, 65536, 1, "block:dims=1", 64);
    const unsigned edges =
        (hit_rank(base) > 0) + (unsigned)(hit_rank(base) < hit_size(base) - 1);
    hit_scheduled *s;

    HIT_MUST(hit_schedule(one.hit, "home"));
    s = one.hit->stations->keeper.self;
    driver_of_borders = *s->driver;
    driver_of_borders.probe = find_nothing;
    s->driver = &driver_of_borders;
    for (int t = 0; t < STEPS; t++) {
        chains_launch_star(&one, one.tile[1], one.tile[0], t);
        chains_launch_star(&other, other.tile[1], other.tile[0], t);
        hit_tile_swap(&one.tile[0], &one.tile[1]);
        hit_tile_swap(&other.tile[0], &other.tile[1]);
    }
    HIT_MUST(hit_wait(one.hit));
    ck_assert_uint_eq(s->forgotten + (uint64_t)s->graph.tasks, (1 + edges) * STEPS);
    chains_expect_equal(&one, &other, "borders without memory");
    chains_close(&one);
    chains_close(&other);
}
END_TEST

/* Of one process: launches are placed as before, in chains, where there is no such
 * scheduler. */
START_TEST(a_scheduler_that_is_none_ends_no_chain)
{
    chains_scene s;

    if (hit_size(base) > 1) return;
    s = chains_open_staged(4096, 1);
    ck_assert_int_eq(hit_schedule(s.hit, "no such one"), HIT_E_ARG);
    chains_run_star(&s);
    HIT_MUST(hit_wait(s.hit));
    ck_assert_uint_gt(chains_chained(&s), 0);
    HIT_MUST(hit_schedule(s.hit, "mct"));
    chains_close(&s);
}
END_TEST

/* Each task of a process fails in turn: all are told when they look, nobody waits for
 * ever, and what is written anew is right again. */
static void fail_on(int victim)
{
    program p;

    for (int n = 1; n < 40; n += 6) {
        uint64_t told;

        open(&p, places[n / 6 % 2]);
        if (n / 12 % 2 > 0) HIT_MUST(hit_chain(p.hit, HIT_CHAIN_ANY));
        HIT_MUST(hit_schedule(p.hit, "mct"));
        test_fault.kind = FAULT_KERNEL;
        test_fault.fail_at = hit_rank(base) == victim ? n : 0;
        test_fault_begin();
        told = run(&p) > 0;
        test_fault.on = false;
        HIT_MUST(hit_comm_sum_u64(base->comm, &told, 1));
        if (told > 0) {
            static int64_t all[N][N];

            if (hit_size(base) > 1) {
                ck_assert_int_ne(hit_tile_gather(p.all, 0, all), HIT_OK);
            }
            HIT_MUST(hit_tile_fill(p.all, &(int64_t){3}));
            ck_assert_int_eq(run(&p), 0);
        }
        expect_right(&p, "after a failure");
        close(&p);
    }
}

START_TEST(what_a_task_could_not_write_is_told_where_it_is_read)
{
    for (int victim = 0; victim < hit_size(base); victim++) {
        fail_on(victim);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("schedulers of several processes");
    TCase *tests = tcase_create("processes");

    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, all_schedulers_give_the_results_of_plain_loops, 0,
                        (int)(sizeof(schedulers) / sizeof(schedulers[0])));
    tcase_add_test(tests, tasks_that_wait_keep_what_they_read);
    tcase_add_test(tests, what_comes_anew_comes_behind_those_that_read_it);
    tcase_add_test(tests, a_process_may_have_no_scheduler);
    tcase_add_test(tests, schedulers_may_come_late);
    tcase_add_loop_test(tests, schedulers_may_come_between_the_launches_of_a_block, 0, 2);
    tcase_add_test(tests, halos_come_into_tasks);
    tcase_add_test(tests, borders_go_where_their_inner_indices_are);
    tcase_add_test(tests, a_scheduler_that_is_none_ends_no_chain);
    tcase_add_test(tests, what_a_task_could_not_write_is_told_where_it_is_read);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
