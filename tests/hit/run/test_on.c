/* SPDX-License-Identifier: MIT
 * Launches and kernels that are placed by hand: on several devices of a process, on one,
 * and on simulated machines, by every scheduler. */
#include "hit/plugin.h"
#include "hit/scheduled/schedule.h"
#include "tests/hit/scheduled/simulate_scene.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <string.h>

extern const hit_kernel threads_of, threads_of_second, sum_of_cores;

static hit_context *base; /* keeps MPI open */

static void open_on(const char *devices)
{
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &hit));
}

/* How often each number is in the tile. */
static void count(hit_tile *tile, hit_index found[4])
{
    hit_view view;

    memset(found, 0, 4 * sizeof found[0]);
    HIT_MUST(hit_tile_map(tile, 0, HIT_READ, &view));
    for (hit_index i = 0; i < N; i++) {
        for (hit_index j = 0; j < N; j++) {
            const int64_t threads = HIT_AT(view, int64_t, i, j);

            ck_assert(threads >= 0 && threads < 4);
            found[threads]++;
        }
    }
}

static const char *const lists[] = {
    "host:threads=1 + host:threads=2 + host:threads=3",
    "host:threads=1 + host:threads=2:staged:memory=64KiB + host:threads=3",
    "host:threads=1:staged:memory=64KiB + host:threads=2 + host:threads=3:staged",
};

/* Wide launches are cut over the devices that are named, and over no others. */
START_TEST(wide_launches_run_on_the_devices_that_are_named)
{
    for (int k = 0; k < 3; k++) {
        const hit_domain all = hit_domain_of(N, N);
        hit_index found[4];
        hit_tile *tile;

        open_on(lists[k]);
        tile = simulate_tile();
        HIT_MUST(hit_launch(hit, &threads_of, all, tile));
        count(tile, found);
        ck_assert(found[1] == found[2] && found[2] == found[3]);
        HIT_MUST(hit_launch(hit, &threads_of, all, tile, HIT_ON("host:1")));
        count(tile, found);
        ck_assert_int_eq(found[2], (hit_index)N * N);
        HIT_MUST(hit_launch(hit, &threads_of, all, tile, HIT_ON("host:0,cuda,host:2")));
        count(tile, found);
        ck_assert(found[1] == found[3] && found[2] == 0);
        HIT_MUST(hit_launch(hit, &threads_of_second, all, tile));
        count(tile, found);
        ck_assert_int_eq(found[2], (hit_index)N * N);
        ck_assert_int_eq(hit_launch(hit, &threads_of_second, all, tile, HIT_ON("host:0")),
                         HIT_E_ABSENT);
        ck_assert_ptr_nonnull(strstr(hit_status_text(), "3 host"));
        hit_tile_destroy(&tile);
        hit_close(&hit);
    }
}
END_TEST

/* So small that they are tasks; they go to a device that may take them only. */
START_TEST(narrow_launches_run_on_the_devices_that_are_named)
{
    static const char *const on[] = {"host:0", "host:1", "host:2", "host"};

    for (int k = 0; k < 5; k++) { /* the last two times placed by a scheduler */
        hit_index found[4];
        hit_tile *tile;

        open_on(lists[k < 3 ? k : k - 2]);
        if (k > 2) HIT_MUST(hit_schedule(hit, k == 3 ? "mct" : "steal"));
        tile = simulate_tile();
        for (int turn = 0; turn < 6; turn++) {
            for (hit_index i = 0; i < N; i++) {
                const hit_domain row = {.dims = 2, .sig = {{i, i, 1}, {0, N - 1, 1}}};

                HIT_MUST(hit_launch(hit, &threads_of, row, tile, HIT_ON(on[i % 3])));
            }
            if (turn % 2 == 0) HIT_MUST(hit_wait(hit));
        }
        count(tile, found);
        ck_assert(found[0] == 0 && found[1] == found[2] && found[2] == found[3]);
        for (hit_index i = 0; i < N; i++) {
            const hit_domain row = {.dims = 2, .sig = {{i, i, 1}, {0, N - 1, 1}}};

            HIT_MUST(hit_launch(hit, &threads_of_second, row, tile, HIT_ON("host")));
        }
        count(tile, found);
        ck_assert_int_eq(found[2], (hit_index)N * N);
        hit_tile_destroy(&tile);
        hit_close(&hit);
    }
}
END_TEST

START_TEST(on_one_device_nothing_else_is_named)
{
    const hit_domain all = hit_domain_of(N, N);
    char many[200] = "host";
    hit_tile *tile;

    open_on("host:threads=2");
    tile = simulate_tile();
    HIT_MUST(hit_launch(hit, &threads_of, all, tile, HIT_ON("host")));
    HIT_MUST(hit_launch(hit, &threads_of, all, tile, HIT_ON("gpu,host:0")));
    ck_assert_int_eq(hit_launch(hit, &threads_of, all, tile, HIT_ON("cuda")),
                     HIT_E_ABSENT);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "\"cuda\""));
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "1 host"));
    ck_assert_int_eq(hit_launch(hit, &threads_of_second, all, tile), HIT_E_ABSENT);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "HIT_RUNS_ON()"));
    ck_assert_int_eq(hit_launch(hit, &threads_of, all, tile, HIT_ON("host:")), HIT_E_ARG);
    ck_assert_int_eq(hit_launch(hit, &threads_of, all, tile, HIT_ON("")), HIT_E_ARG);
    ck_assert_int_eq(
        hit_launch(hit, &threads_of, all, tile, HIT_ON("host"), HIT_ON("host")),
        HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "behind all other arguments"));
    ck_assert_int_eq(hit_launch(hit, &threads_of, all, HIT_ON("host"), tile), HIT_E_ARG);
    ck_assert_int_eq(hit_launch(hit, &threads_of, all, HIT_ON("host")), HIT_E_ARG);
    for (int k = 0; k < 20; k++) {
        strcat(many, ",cuda:1");
    }
    HIT_MUST(hit_launch(hit, &threads_of, all, tile, HIT_ON(many)));
    ck_assert_int_eq(simulate_element(tile), 2);
    hit_tile_destroy(&tile);
    hit_close(&hit);
}
END_TEST

/* ---- simulated machines ---- */

typedef struct blocks {
    hit_tile *all;
    hit_tile *of[TILES];
} blocks;

static blocks make_blocks(void)
{
    blocks b = {.all = simulate_tile()};

    for (hit_index i = 0; i < TILES; i++) {
        const hit_domain box = {
            .dims = 2, .sig = {{i * EDGE, i * EDGE + EDGE - 1, 1}, {0, EDGE - 1, 1}}};

        HIT_MUST(hit_tile_select(b.all, box, &b.of[i]));
    }
    return b;
}

static void drop_blocks(blocks *b)
{
    for (int i = 0; i < TILES; i++) {
        hit_tile_destroy(&b->of[i]);
    }
    hit_tile_destroy(&b->all);
}

/* A third of the blocks is written, by what is read from the others: nothing waits. */
static void launch_mix(const blocks *b, const char *on)
{
    for (int i = 0; i < TILES / 2; i++) {
        HIT_MUST(hit_launch(hit, &mix_int64, hit_domain_of(1), b->of[i],
                            b->of[TILES / 2 + i], b->of[TILES / 2 + i], HIT_ON(on)));
    }
}

/* Cores take 500 ns, and there are no copies: the time says where tasks ran. */
START_TEST(every_scheduler_keeps_to_the_devices_that_are_named)
{
    for (int s = 0; s < hit_scheduler_table_count; s++) {
        double before_s;
        blocks b;

        simulate_open("", hit_scheduler_table[s]->name);
        b = make_blocks();
        launch_mix(&b, "core:1");
        HIT_MUST(hit_wait(hit));
        ck_assert_double_eq_tol(hit_time(hit), 1500e-9, 1e-12);
        before_s = hit_time(hit);
        for (int i = 0; i < TILES / 2; i++) {
            char on[20];

            (void)snprintf(on, sizeof on, "host:%d", i);
            HIT_MUST(hit_launch(hit, &mix_int64, hit_domain_of(1), b.of[i],
                                b.of[TILES / 2 + i], b.of[TILES / 2 + i], HIT_ON(on)));
        }
        HIT_MUST(hit_wait(hit));
        ck_assert_double_eq_tol(hit_time(hit) - before_s, 500e-9, 1e-12);
        drop_blocks(&b);
        hit_close(&hit);
    }
}
END_TEST

START_TEST(what_is_placed_on_an_accelerator_moves_there)
{
    hit_stats stats;
    blocks b;

    simulate_open("", "static");
    b = make_blocks();
    launch_mix(&b, "gpu:1");
    HIT_MUST(hit_wait(hit));
    hit_context_stats(hit, &stats);
    ck_assert_uint_eq(stats.bytes_in, TILES * EDGE * EDGE * sizeof(int64_t));
    launch_mix(&b, "gpu:1");
    HIT_MUST(hit_wait(hit));
    hit_context_stats(hit, &stats);
    ck_assert_uint_eq(stats.bytes_in, TILES * EDGE * EDGE * sizeof(int64_t));
    launch_mix(&b, "gpu:0");
    HIT_MUST(hit_wait(hit));
    hit_context_stats(hit, &stats);
    ck_assert_uint_eq(stats.bytes_in, (uint64_t)2 * TILES * EDGE * EDGE * 8);
    drop_blocks(&b);
    hit_close(&hit);
}
END_TEST

START_TEST(a_kernel_may_be_restricted_on_a_simulated_machine)
{
    hit_stats stats;
    blocks b;

    simulate_open("gpus=2,cpus=3", "heft");
    b = make_blocks();
    for (int i = 0; i < 4; i++) {
        HIT_MUST(hit_launch(hit, &sum_of_cores, hit_domain_of(1), b.of[i]));
    }
    ck_assert_int_eq(
        hit_launch(hit, &sum_of_cores, hit_domain_of(1), b.of[0], HIT_ON("core:0")),
        HIT_E_ABSENT);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "2 gpu, 3 core"));
    ck_assert_int_eq(
        hit_launch(hit, &sum_of_cores, hit_domain_of(1), b.of[0], HIT_ON("cuda")),
        HIT_E_ABSENT);
    HIT_MUST(hit_wait(hit));
    hit_context_stats(hit, &stats);
    ck_assert_uint_eq(stats.bytes_in, 0);
    /* two of them one after the other, of 128 bytes */
    ck_assert_double_eq_tol(hit_time(hit), 2 * 17e-9, 1e-12);
    drop_blocks(&b);
    hit_close(&hit);
}
END_TEST

/* ---- random programs ---- */

static void run_random(hit_random *random, bool placed, const char *const on[], int ons,
                       hit_index found[])
{
    blocks b = make_blocks();
    hit_view view;

    for (int k = 0; k < 200; k++) {
        const int c = (int)hit_random_index(random, 0, TILES - 1);
        const int a = (int)(c + hit_random_index(random, 1, TILES - 1)) % TILES;
        const char *where = on[hit_random_index(random, 0, ons - 1)];

        if (placed) {
            HIT_MUST(hit_launch(hit, &mix_int64, hit_domain_of(1), b.of[c], b.of[a],
                                b.of[a], HIT_ON(where)));
        } else {
            HIT_MUST(
                hit_launch(hit, &mix_int64, hit_domain_of(1), b.of[c], b.of[a], b.of[a]));
        }
    }
    HIT_MUST(hit_tile_map(b.all, 0, HIT_READ, &view));
    for (hit_index i = 0; i < N; i++) {
        for (hit_index j = 0; j < N; j++) {
            found[i * N + j] = HIT_AT(view, int64_t, i, j);
        }
    }
    drop_blocks(&b);
}

START_TEST(random_programs_are_right_wherever_they_are_placed)
{
    static const char *const real[] = {"host", "host:0", "host:1", "host:2",
                                       "host:0,host:2"};
    static const char *const machine[] = {"host",   "gpu",          "gpu:1",
                                          "core:2", "gpu:0,core:0", "core,gpu"};
    static hit_index want[N * N];
    static hit_index found[N * N];

    hit_random random = hit_random_start(72);

    for (int k = 0; k < hit_random_cases(12); k++) {
        hit_random same = random;

        open_on("host:threads=1");
        run_random(&same, false, real, 5, want);
        hit_close(&hit);
        same = random;
        open_on(lists[k % 3]);
        run_random(&same, true, real, 5, found);
        hit_close(&hit);
        ck_assert(memcmp(want, found, sizeof want) == 0);

        open_on("host:threads=1");
        same = random;
        run_random(&same, false, machine, 6, want);
        hit_close(&hit);
        simulate_open("memory=600",
                      hit_scheduler_table[k % hit_scheduler_table_count]->name);
        run_random(&random, true, machine, 6, found);
        hit_close(&hit);
        ck_assert(memcmp(want, found, sizeof want) == 0);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("on");
    TCase *tests = tcase_create("on");

    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, wide_launches_run_on_the_devices_that_are_named);
    tcase_add_test(tests, narrow_launches_run_on_the_devices_that_are_named);
    tcase_add_test(tests, on_one_device_nothing_else_is_named);
    tcase_add_test(tests, every_scheduler_keeps_to_the_devices_that_are_named);
    tcase_add_test(tests, what_is_placed_on_an_accelerator_moves_there);
    tcase_add_test(tests, a_kernel_may_be_restricted_on_a_simulated_machine);
    tcase_add_test(tests, random_programs_are_right_wherever_they_are_placed);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return simulate_run(&argc, &argv, suite(), &base);
}
