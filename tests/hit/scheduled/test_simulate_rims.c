/* SPDX-License-Identifier: MIT
 * Launches on a simulated machine that read beyond the boundary of a tile, and that
 * reduce, are tasks: results are those of plain loops by every scheduler in every memory,
 * only edges move, and a run that is only planned takes the same time. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/context.h"
#include "hit/hit.h"
#include "hit/plugin.h"
#include "hit/scheduled/schedule_impl.h"
#include "tests/hit/scheduled/simulate_scene.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hit_context *base; /* keeps MPI open */

extern const hit_kernel blur;

typedef struct program {
    hit_tile *x;
    hit_tile *y;
    hit_tile *total;
    hit_random random;
    bool planned; /* nothing is carried out */
    hit_boundary boundary;
    uint64_t launches;
    int64_t want_x[N][N];
    int64_t want_y[N][N];
    int64_t want_total[N];
} program;

static int64_t beyond(const program *p, int i)
{
    return p->boundary == HIT_BOUNDARY_PERIODIC ? p->want_x[i][N - 1]
           : p->boundary == HIT_BOUNDARY_CLAMP  ? p->want_x[i][0]
                                                : 5;
}

/* Stencils: only edges move. */
static void blur_plainly(program *p)
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            const int64_t west = j > 0 ? p->want_x[i][j - 1] : p->want_x[i][N - 1];

            p->want_y[i][j] = (west + 3 * p->want_x[i][(j + 1) % N]) % 1009;
        }
    }
}

static void move_plainly(program *p)
{
    for (int i = 0; i < N; i++) {
        for (int j = N - 1; j > 0; j--) {
            p->want_y[i][j] = p->want_x[i][j - 1];
        }
        p->want_y[i][0] = beyond(p, i);
    }
}

static void sum_plainly(program *p)
{
    for (int i = 0; i < N; i++) {
        p->want_total[i] = 0;
        for (int j = 0; j < N; j++) {
            p->want_total[i] += p->want_y[i][j];
        }
    }
}

static void swap(program *p)
{
    int64_t kept[N][N];

    hit_tile_swap(&p->x, &p->y);
    memcpy(kept, p->want_x, sizeof kept);
    memcpy(p->want_x, p->want_y, sizeof kept);
    memcpy(p->want_y, kept, sizeof kept);
}

static bool is_equal(hit_tile *tile, int64_t want[N][N])
{
    static int64_t found[N][N];

    HIT_MUST(hit_tile_gather(tile, 0, found));
    return memcmp(found, want, sizeof found) == 0;
}

static bool has_total(const program *p)
{
    static int64_t found[N][N];

    HIT_MUST(hit_tile_gather(p->total, 0, found));
    for (int i = 0; i < N; i++) {
        if (found[i][0] != p->want_total[i]) return false;
    }
    return true;
}

static bool go_on(program *p)
{
    const int what = (int)hit_random_index(&p->random, 0, 8);
    const hit_domain all = hit_domain_of(N, N);
    hit_view view;

    p->launches += what < 7;
    if (what < 3) {
        HIT_MUST(hit_launch(hit, &from_west, all, p->y, p->x));
        move_plainly(p);
    } else if (what < 5) {
        HIT_MUST(hit_launch(hit, &add_one, all, p->y, p->x));
        for (int k = 0; k < N * N; k++) {
            p->want_y[k / N][k % N] = p->want_x[k / N][k % N] + 1;
        }
    } else if (what < 7) {
        HIT_MUST(hit_launch(hit, &add_up, all, p->total, p->y));
        sum_plainly(p);
        return true;
    } else if (what == 7) {
        HIT_MUST(hit_tile_map(p->y, 0, HIT_READ, &view));
        return p->planned || HIT_AT(view, int64_t, 3, 4) == p->want_y[3][4];
    } else {
        HIT_MUST(hit_wait(hit));
    }
    swap(p);
    return true;
}

static program open(int seed, bool planned)
{
    static const hit_boundary boundary[] = {HIT_BOUNDARY_PERIODIC, HIT_BOUNDARY_CLAMP,
                                            HIT_BOUNDARY_CONSTANT};
    program p = {.random = hit_random_start((uint64_t)seed),
                 .planned = planned,
                 .boundary = boundary[(seed + seed / 6) % 3]}; /* all, on each machine */
    hit_tile **tile[] = {&p.x, &p.y};

    p.total = simulate_tile();
    for (int k = 0; k < 2; k++) {
        *tile[k] = simulate_tile();
        HIT_MUST(hit_tile_set_boundary(*tile[k], -1, p.boundary,
                                       p.boundary == HIT_BOUNDARY_CONSTANT ? &(int64_t){5}
                                                                           : NULL));
    }
    for (int k = 0; k < N * N; k++) {
        p.want_x[k / N][k % N] = 7 * k % 101;
    }
    HIT_MUST(hit_tile_scatter(p.x, 0, p.want_x));
    for (int k = 0; k < 2; k++) { /* memory for rims; a plan has none */
        HIT_MUST(hit_launch(hit, &from_west, hit_domain_of(N, N), p.y, p.x));
        HIT_MUST(hit_wait(hit));
        move_plainly(&p);
        swap(&p);
    }
    p.launches = 2;
    return p;
}

static void close(program *p)
{
    hit_tile_destroy(&p->x);
    hit_tile_destroy(&p->y);
    hit_tile_destroy(&p->total);
    hit_close(&hit);
}

typedef struct outcome {
    double time_s;
    uint64_t bytes;
    bool good;
} outcome;

static uint64_t placed(void)
{
    const hit_scheduled *s = hit->stations->keeper.self;

    return s->forgotten + (uint64_t)s->graph.tasks;
}

static uint64_t moved(void)
{
    hit_stats stats;

    hit_context_stats(hit, &stats);
    return stats.bytes_in + stats.bytes_out;
}

static outcome run(const char *options, const char *scheduler, int seed, bool planned)
{
    outcome out;
    program p;

    if (planned) ck_assert_int_eq(setenv("HIT_PLAN", "1", 1), 0);
    simulate_open(options, scheduler);
    ck_assert_int_eq(unsetenv("HIT_PLAN"), 0);
    p = open(seed, planned);
    out.good = true;
    for (int k = 0; k < 60; k++) {
        out.good = go_on(&p) && out.good;
    }
    ck_assert_uint_eq(placed(), p.launches);
    HIT_MUST(hit_wait(hit));
    out.time_s = hit_time(hit);
    out.bytes = moved();
    if (!planned) {
        out.good = out.good && has_total(&p) && is_equal(p.x, p.want_x) &&
                   is_equal(p.y, p.want_y);
    }
    close(&p);
    return out;
}

static const char *const machines[] = {"",
                                       "gpus=1,cpus=0",
                                       "gpus=2,cpus=1,memory=20KiB",
                                       "gpus=1,cpus=0,memory=12KiB,back=arrived",
                                       "bus=own,window=0,noise=20",
                                       "gpus=0,cpus=2"};

START_TEST(rims_and_sums_are_those_of_plain_loops_and_plans_take_the_same_time)
{
    for (int k = 0; k < 6 * hit_scheduler_table_count; k++) {
        const char *options = machines[k % 6];
        const char *scheduler = hit_scheduler_table[k / 6]->name;
        const outcome real = run(options, scheduler, k, false);
        const outcome plan = run(options, scheduler, k, true);

        ck_assert_msg(real.good, "%s on %s: wrong results", scheduler, options);
        ck_assert_msg(real.time_s == plan.time_s, "%s on %s: %g s but planned %g s",
                      scheduler, options, real.time_s, plan.time_s);
        ck_assert_msg(real.bytes == plan.bytes, "%s on %s: other bytes", scheduler,
                      options);
    }
}
END_TEST

/* On one GPU: its tiles stay there, and edges go home and come back, in time that the
 * link takes for them. */
START_TEST(only_edges_move)
{
    const int steps = 20;
    const uint64_t edges = 2 * N * sizeof(int64_t);
    uint64_t before = 0;
    double from_s = 0;
    program p;

    simulate_open("gpus=1,cpus=0", "mct");
    p = open(0, false);
    for (int t = 0; t < steps + 2; t++) {
        HIT_MUST(hit_wait(hit));
        if (t == 2) before = moved();
        if (t == 2) from_s = hit_time(hit);
        HIT_MUST(hit_launch(hit, &blur, hit_domain_of(N, N), p.y, p.x));
        blur_plainly(&p);
        swap(&p);
    }
    HIT_MUST(hit_wait(hit));
    ck_assert_uint_eq(moved() - before, 2 * edges * (unsigned)steps);
    ck_assert_double_ge(hit_time(hit) - from_s,
                        1e-9 * (double)(steps * (4 * 100 + 2 * (int)edges)));
    ck_assert(is_equal(p.x, p.want_x));
    close(&p);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("simulate_rims");
    TCase *tests = tcase_create("rims");

    tcase_set_timeout(tests, 120);
    tcase_add_test(tests,
                   rims_and_sums_are_those_of_plain_loops_and_plans_take_the_same_time);
    tcase_add_test(tests, only_edges_move);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return simulate_run(&argc, &argv, suite(), &base);
}
