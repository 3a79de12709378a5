/* SPDX-License-Identifier: MIT
 * Launches of which a process has several pieces, whose elements come into buffers, or
 * whose results go to other processes, are placed, too: on random layouts and devices,
 * against plain loops. What a task could not make is told to those who get it. */
#define _POSIX_C_SOURCE 200809L /* nanosleep, access */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/hit.h"
#include "hit/launch/launcher.h"
#include "hit/plugin.h"
#include "hit/scheduled/schedule_impl.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static hit_context *base; /* keeps MPI open */

enum {
    N = 22,
    STEPS = 24,
    WHATS = 7 /* kernels of a random program */
};

extern const hit_kernel add_one, add_up, add_up_cross, beside, blur, cross, turn,
    turn_cross;

static const char *const layouts[] = {"cyclic",
                                      "cyclic:dim=1",
                                      "blockcyclic:block=3x4",
                                      "blockcyclic:block=5x2",
                                      "block",
                                      "block:dims=1",
                                      "single"};
static const char *const devices[] = {
    "host:threads=1:memory=64KiB * 2", "host:threads=1:memory=16KiB + host:threads=1",
    "host:threads=1:memory=3KiB" /* of large pieces no launch is a task */};

typedef struct program {
    hit_context *hit;
    hit_random random;
    hit_tile *x;
    hit_tile *y;
    hit_tile *sum;
    int64_t want_x[N][N];
    int64_t want_y[N][N];
    int64_t want_sum[N];
} program;

static int pick(program *p, int low, int high)
{
    return (int)hit_random_index(&p->random, low, high);
}

static const char *pick_layout(program *p)
{
    return layouts[pick(p, 0, sizeof(layouts) / sizeof(layouts[0]) - 1)];
}

static void fill(program *p)
{
    for (int k = 0; k < N * N; k++) {
        p->want_x[k / N][k % N] = k * 37 % 101;
        p->want_y[k / N][k % N] = k * 11 % 97;
    }
    memset(p->want_sum, 0, sizeof p->want_sum);
    HIT_MUST(hit_tile_scatter(p->x, 0, p->want_x));
    HIT_MUST(hit_tile_scatter(p->y, 0, p->want_y));
    HIT_MUST(hit_tile_scatter(p->sum, 0, p->want_sum));
}

/* @param layout NULL: of each tile any */
static void begin_as(program *p, const char *on, const char *scheduler,
                     const char *layout)
{
    const hit_domain all = hit_domain_of(N, N);
    const char *first = layout != NULL ? layout : pick_layout(p);
    const char *second = layout != NULL ? layout : pick_layout(p);

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = on}, &p->hit));
    HIT_MUST(hit_tile_make(p->hit, all, first, HIT_INT64, "x", &p->x));
    HIT_MUST(hit_tile_make(p->hit, all, second, HIT_INT64, "y", &p->y));
    HIT_MUST(hit_tile_set_boundary(p->x, -1, HIT_BOUNDARY_PERIODIC, NULL));
    HIT_MUST(hit_tile_set_boundary(p->y, -1, HIT_BOUNDARY_PERIODIC, NULL));
    HIT_MUST(hit_tile_make(p->hit, hit_domain_of(N, 1),
                           pick(p, 0, 1) ? "block" : "single", HIT_INT64, "sum",
                           &p->sum));
    HIT_MUST(hit_schedule(p->hit, scheduler));
    fill(p);
}

static void begin(program *p, const char *on, const char *scheduler)
{
    begin_as(p, on, scheduler, NULL);
}

static void drop(program *p)
{
    hit_tile_destroy(&p->sum);
    hit_tile_destroy(&p->y);
    hit_tile_destroy(&p->x);
    hit_close(&p->hit);
}

/* ---- by plain loops ---- */

/* Boundaries are periodic. */
static int64_t cross_plainly(const program *p, int i, int j)
{
    return (p->want_x[(i + N - 1) % N][j] + 2 * p->want_x[(i + 1) % N][j] +
            3 * p->want_x[i][(j + N - 1) % N] + 5 * p->want_x[i][(j + 1) % N]) %
           1009;
}

static void do_plainly(program *p, int what)
{
    if (what == 0 || what == 5) memset(p->want_sum, 0, sizeof p->want_sum);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            const int64_t x = p->want_x[i][j];

            if (what == 0) p->want_sum[i] += x;
            if (what == 1) p->want_y[i][j] = x + 1;
            if (what == 2) p->want_y[j][i] = x;
            if (what == 4) p->want_y[i][j] = cross_plainly(p, i, j);
            if (what == 5) p->want_sum[i] += cross_plainly(p, i, j);
            if (what == 6) p->want_y[j][i] = cross_plainly(p, i, j);
            if (what != 3 || j == 0 || j == N - 1) continue;
            p->want_y[i][j] = (p->want_x[i][j - 1] + 3 * p->want_x[i][j + 1]) % 1009;
        }
    }
}

/* ---- by the library ---- */

/* Elements around what a process has come, and results go to others. */
static hit_status launch_where_read(program *p)
{
    return hit_launch_on(p->hit, hit_tile_layout(p->x), &turn_cross, hit_domain_of(N, N),
                         p->y, p->x);
}

static hit_status launch(program *p, int what)
{
    const hit_domain all = hit_domain_of(N, N);
    hit_domain inner = all;

    inner.sig[1] = hit_sig_make(1, N - 2, 1);
    if (what == 0) return hit_launch(p->hit, &add_up, all, p->sum, p->x);
    if (what == 1) return hit_launch(p->hit, &add_one, all, p->y, p->x);
    if (what == 4) return hit_launch(p->hit, &cross, all, p->y, p->x);
    if (what == 2) return hit_launch(p->hit, &turn, all, p->y, p->x);
    if (what == 5) return hit_launch(p->hit, &add_up_cross, all, p->sum, p->x);
    if (what == 6) return launch_where_read(p);
    return hit_launch(p->hit, &blur, inner, p->y, p->x);
}

static void swap(program *p)
{
    int64_t kept[N][N];

    hit_tile_swap(&p->x, &p->y);
    memcpy(kept, p->want_x, sizeof kept);
    memcpy(p->want_x, p->want_y, sizeof kept);
    memcpy(p->want_y, kept, sizeof kept);
}

static bool has(hit_tile *tile, const void *want)
{
    static int64_t found[N][N];
    const hit_domain all = hit_tile_domain(tile);
    const size_t count = (size_t)hit_domain_count(&all);

    HIT_MUST(hit_tile_gather(tile, 0, found));
    return hit_rank(base) > 0 || memcmp(found, want, count * sizeof(int64_t)) == 0;
}

/* All processes say the same. */
static bool is_right(program *p)
{
    uint64_t wrong = !has(p->x, p->want_x);

    wrong += !has(p->y, p->want_y);
    wrong += !has(p->sum, p->want_sum);
    HIT_MUST(hit_comm_sum_u64(base->comm, &wrong, 1));
    return wrong == 0;
}

/* How many launches failed here. */
static int run(program *p)
{
    int failed = 0;

    for (int k = 0; k < STEPS; k++) {
        const int what = pick(p, 0, WHATS - 1);

        failed += launch(p, what) != HIT_OK;
        do_plainly(p, what);
        if (what > 0 && what != 5 && pick(p, 0, 2) > 0) swap(p);
    }
    return failed + (hit_wait(p->hit) != HIT_OK);
}

static bool all_are_placed(const program *p)
{
    const hit_launcher *launcher = p->hit->launcher;

    for (int k = 0; k < launcher->plans; k++) {
        if (!launcher->plan[k]->placed && launcher->plan[k]->pieces > 0) return false;
    }
    return true;
}

START_TEST(random_programs_are_those_of_plain_loops)
{
    for (int k = 0; k < 36; k++) {
        const char *scheduler = hit_scheduler_table[k % hit_scheduler_table_count]->name;
        program p = {.random = hit_random_start((uint64_t)k + 71)};

        begin(&p, devices[k % 3], scheduler);
        ck_assert_int_eq(run(&p), 0);
        if (k % 3 < 2) ck_assert_msg(all_are_placed(&p), "%s, %d", scheduler, k);
        ck_assert_msg(is_right(&p), "%s on %s, %d: wrong results", scheduler,
                      devices[k % 3], k);
        drop(&p);
    }
}
END_TEST

/* ---- beside messages ---- */

/* Of boxes around the inner indices each is a task, and all of them add to, or write,
 * what goes to other processes. */
START_TEST(borders_make_results_together)
{
    const int whats[] = {5, 6};

    for (int k = 0; k < 2 * hit_scheduler_table_count; k++) {
        const char *scheduler = hit_scheduler_table[k / 2]->name;
        const int what = whats[k % 2];
        program p = {.random = hit_random_start((uint64_t)k)};

        begin_as(&p, devices[1], scheduler, k % 4 < 2 ? "block" : "block:dims=1");
        for (int t = 0; t < 4; t++) {
            HIT_MUST(launch(&p, what));
            do_plainly(&p, what);
            if (what == 6) swap(&p);
        }
        ck_assert_msg(is_right(&p), "%s, %d: wrong results", scheduler, what);
        drop(&p);
    }
}
END_TEST

static char noted[64]; /* a file that is there when a kernel has run */

static hit_status note_and_blur(const hit_run *run)
{
    FILE *file = fopen(noted, "w");

    if (file != NULL) (void)fclose(file);
    return blur.host(run);
}

static bool is_noted(void)
{
    for (int k = 0; k < 3000; k++) {
        if (access(noted, F_OK) == 0) return true;
        (void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return false;
}

/* The others send nothing until the first process has run its inner indices. */
START_TEST(inner_indices_run_before_messages_come)
{
    const hit_domain inner = hit_box_of(0, N - 1, 1, N - 2);
    hit_kernel noting = blur;
    program p;

    if (hit_size(base) == 1) return;
    (void)snprintf(noted, sizeof noted, "/tmp/hit-pieces-%ld", (long)getppid());
    noting.host = note_and_blur;
    p.random = hit_random_start(1);
    begin_as(&p, devices[0], "mct", "block:dims=1");
    for (int t = 0; t < 4; t++) {
        HIT_MUST(hit_wait(p.hit));
        HIT_MUST(hit_comm_agree(base->comm, HIT_OK));
        if (hit_rank(base) == 0) (void)remove(noted);
        HIT_MUST(hit_comm_agree(base->comm, HIT_OK));
        /* the first two are planned together */
        if (t >= 2 && hit_rank(base) > 0) ck_assert(is_noted());
        HIT_MUST(hit_launch(p.hit, &noting, inner, p.y, p.x));
        do_plainly(&p, 3);
        swap(&p);
    }
    ck_assert(is_right(&p));
    if (hit_rank(base) == 0) (void)remove(noted);
    drop(&p);
}
END_TEST

/* Nothing comes for z, which reaches further than x. What both need is one box, in which
 * rows of x come. */
START_TEST(inner_indices_touch_nothing_that_comes_for_another_argument)
{
    for (int k = 0; k < 2; k++) {
        program p = {.random = hit_random_start(1)};

        begin_as(&p, devices[k], "eager", "block:dims=0");
        HIT_MUST(hit_tile_set_boundary(p.x, 1, HIT_BOUNDARY_CONSTANT, &(int64_t){7}));
        for (int t = 0; t < 4; t++) {
            HIT_MUST(hit_launch(p.hit, &beside, hit_domain_of(N, N), p.y, p.x, p.x));
            HIT_MUST(hit_launch(p.hit, &add_one, hit_domain_of(N, N), p.x, p.y));
            for (int e = 0; e < N * N; e++) {
                const int64_t *below = p.want_x[(e / N + 1) % N];

                p.want_y[e / N][e % N] = p.want_x[e / N][e % N] + 5 * 7 +
                                         2 * (e % N > 0 ? below[e % N - 1] : 7);
            }
            for (int e = 0; e < N * N; e++) {
                p.want_x[e / N][e % N] = p.want_y[e / N][e % N] + 1;
            }
        }
        ck_assert(is_right(&p));
        drop(&p);
    }
}
END_TEST

/* ---- failures ---- */

static hit_status fail_sometimes(const hit_run *run)
{
    if (test_fault_hits(FAULT_KERNEL)) {
        return HIT_FAIL(HIT_E_DEVICE, "a kernel was made to fail");
    }
    return turn.host(run);
}

static void fail_on(int victim, int seed)
{
    hit_kernel failing = turn;
    program p = {.random = hit_random_start((uint64_t)seed + 171)};
    uint64_t told = 0;

    failing.host = fail_sometimes;
    begin(&p, devices[seed % 2], "mct");
    test_fault.kind = FAULT_KERNEL;
    test_fault.fail_at = hit_rank(base) == victim ? 2 : 0;
    test_fault_begin();
    for (int t = 0; t < 4; t++) {
        told += hit_launch(p.hit, &failing, hit_domain_of(N, N), p.y, p.x) != HIT_OK;
        told += hit_launch(p.hit, &add_one, hit_domain_of(N, N), p.x, p.y) != HIT_OK;
    }
    told += hit_wait(p.hit) != HIT_OK;
    test_fault.on = false;
    HIT_MUST(hit_comm_sum_u64(base->comm, &told, 1));
    if (hit_rank(base) == victim && test_fault.count[FAULT_KERNEL] >= 2) {
        ck_assert_uint_gt(told, 0);
    }
    fill(&p);
    ck_assert_int_eq(run(&p), 0);
    ck_assert(is_right(&p));
    drop(&p);
}

START_TEST(what_fails_is_told_and_nobody_waits)
{
    for (int victim = 0; victim < hit_size(base); victim++) {
        for (int seed = 0; seed < 6; seed++) {
            fail_on(victim, seed);
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("pieces that schedulers place");
    TCase *tests = tcase_create("pieces");

    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, random_programs_are_those_of_plain_loops);
    tcase_add_test(tests, borders_make_results_together);
    tcase_add_test(tests, inner_indices_run_before_messages_come);
    tcase_add_test(tests, inner_indices_touch_nothing_that_comes_for_another_argument);
    tcase_add_test(tests, what_fails_is_told_and_nobody_waits);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
