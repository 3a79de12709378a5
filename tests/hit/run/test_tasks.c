/* SPDX-License-Identifier: MIT
 * Launches that return before they run: they run beside each other where nothing keeps
 * them apart, and no program can see the difference. */
#include "hit/base/context.h"
#include "hit/hit.h"
#include "hit/launch/call.h"
#include "hit/tile/station.h"
#include "tests/hit/run/tasks_kernels.h"
#include "tests/hit/run/tasks_scene.h"
#include "tests/support/check_main.h"

#include <stdatomic.h>
#include <string.h>

extern const hit_kernel who, mix, meet, refuse, stir, turn;

enum {
    N = 12,
    LAUNCHES = 20000 /* several times what may wait */
};

#define TWO "host:threads=2"

static hit_context *base; /* keeps MPI open */

/* A context of two threads, with tiles. */
typedef struct scene {
    hit_context *hit;
    hit_tile *c;
    hit_tile *a;
    hit_tile *b;
} scene;

static scene open_scene(const char *devices)
{
    scene s = {.hit = tasks_open(devices)};

    s.c = tasks_tile(s.hit, N, N);
    s.a = tasks_tile(s.hit, N, N);
    s.b = tasks_tile(s.hit, N, N);
    return s;
}

static void close_scene(scene *s)
{
    hit_tile_destroy(&s->c);
    hit_tile_destroy(&s->a);
    hit_tile_destroy(&s->b);
    hit_close(&s->hit);
}

/* ---- side by side or not ---- */

START_TEST(what_is_independent_runs_side_by_side_in_whole_boxes)
{
    scene s = open_scene(TWO);

    HIT_MUST(hit_launch(s.hit, &meet, tasks_box(0, 0, N, 6), s.c, s.a));
    HIT_MUST(hit_launch(s.hit, &meet, tasks_box(0, 6, N, 6), s.c, s.a));
    ck_assert_int_eq(tasks_element(s.c, 3, 3), 6 * N);
    ck_assert_int_eq(tasks_element(s.c, 3, 9), 6 * N);
    close_scene(&s);
}
END_TEST

/* One to a device; each cuts its own for its threads, which meet, too. */
START_TEST(devices_of_a_process_run_tasks_side_by_side)
{
    static const char *const devices[] = {"host:threads=1 * 2", "host:threads=2 * 2"};
    static const hit_index met[] = {6 * N, 3 * N};

    for (int d = 0; d < 2; d++) {
        scene s = open_scene(devices[d]);

        HIT_MUST(hit_launch(s.hit, &meet, tasks_box(0, 0, N, 6), s.c, s.a));
        HIT_MUST(hit_launch(s.hit, &meet, tasks_box(0, 6, N, 6), s.c, s.a));
        ck_assert_int_eq(tasks_element(s.c, 3, 3), met[d]);
        ck_assert_int_eq(tasks_element(s.c, 3, 9), met[d]);
        close_scene(&s);
    }
}
END_TEST

START_TEST(what_writes_most_of_a_tile_is_cut_for_all_workers)
{
    scene s = open_scene(TWO);

    HIT_MUST(hit_launch(s.hit, &meet, tasks_box(0, 0, N, N), s.c, s.a));
    HIT_MUST(hit_wait(s.hit));
    ck_assert_int_eq(tasks_element(s.c, 0, 0), N * N / 2);
    HIT_MUST(hit_launch(s.hit, &meet, tasks_box(0, 0, N, 10), s.c, s.a));
    ck_assert_int_eq(tasks_element(s.c, 0, 0), N * 10 / 2);
    close_scene(&s);
}
END_TEST

START_TEST(a_look_at_one_block_does_not_wait_for_another)
{
    scene s = open_scene(TWO);
    const int64_t one = 1;

    /* it waits until another run begins, which comes after the look */
    HIT_MUST(hit_launch(s.hit, &meet, tasks_box(0, 0, N, 6), s.c, s.a));
    HIT_MUST(
        hit_launch(s.hit, &mix, tasks_box(0, 0, 3, 3), s.a, s.b, s.b, HIT_VALUE(one)));
    ck_assert_int_eq(tasks_element(s.b, 0, 0), 0);
    HIT_MUST(hit_launch(s.hit, &meet, tasks_box(0, 6, N, 6), s.c, s.b));
    ck_assert_int_eq(tasks_element(s.c, 3, 3), 6 * N);
    ck_assert_int_eq(tasks_element(s.c, 3, 9), 6 * N);
    close_scene(&s);
}
END_TEST

/* ---- errors ---- */

START_TEST(the_wait_tells_an_error_once)
{
    scene s = open_scene(TWO);

    for (int way = 0; way < 2; way++) {
        hit_tile *gone = tasks_tile(s.hit, N, N);
        hit_status status;

        HIT_MUST(hit_launch(s.hit, &refuse, tasks_box(2, 0, 3, 3), gone, s.a));
        HIT_MUST(hit_launch(s.hit, &refuse, tasks_box(5, 0, 3, 3), gone, s.a));
        HIT_MUST(hit_launch(s.hit, &meet, tasks_box(0, 0, 3, 3), s.c, s.a));
        if (way == 0) hit_tile_destroy(&gone); /* runs them, but cannot tell */
        status = hit_wait(s.hit);
        ck_assert_int_eq(status, HIT_E_ARG);
        ck_assert_ptr_nonnull(strstr(hit_status_text(), "refused row 2"));
        HIT_MUST(hit_wait(s.hit));
        ck_assert_int_eq(abs((int)tasks_element(s.c, 0, 0)), 9);
        hit_tile_destroy(&gone);
    }
    for (int k = 0; k < 2; k++) { /* the first of two is told */
        hit_tile *gone = tasks_tile(s.hit, N, N);

        HIT_MUST(hit_launch(s.hit, &refuse, tasks_box(4, 0, 3, 3), gone, s.a));
        hit_tile_destroy(&gone);
        HIT_MUST(hit_launch(s.hit, &refuse, tasks_box(8, 0, 3, 3), s.c, s.a));
        ck_assert_int_eq(hit_wait(s.hit), HIT_E_ARG);
        ck_assert_ptr_nonnull(strstr(hit_status_text(), "refused row 4"));
        HIT_MUST(hit_wait(s.hit));
    }
    HIT_MUST(hit_launch(s.hit, &refuse, tasks_box(0, 0, 3, 3), s.c, s.a));
    close_scene(&s); /* with something that was not told */
}
END_TEST

/* Whether it was added before or after the failure, and directly or by a task between. */
START_TEST(what_comes_after_a_failure_does_not_run)
{
    const int64_t more = 7;

    for (int late = 0; late < 2; late++) {
        scene s = open_scene(late == 1 ? TWO : "host:threads=1 * 2");
        hit_index rest = 0;

        HIT_MUST(hit_launch(s.hit, &refuse, tasks_box(2, 0, 3, 3), s.c, s.a));
        for (int k = 0; k < 50 && late; k++) {
            HIT_MUST(hit_launch(s.hit, &mix, tasks_box(0, 9, 3, 3), s.b, s.a, s.a,
                                HIT_VALUE(more)));
        }
        HIT_MUST(hit_launch(s.hit, &mix, tasks_box(0, 0, 3, 3), s.a, s.c, s.b,
                            HIT_VALUE(more)));
        HIT_MUST(hit_launch(s.hit, &mix, tasks_box(0, 0, 3, 3), s.b, s.a, s.a,
                            HIT_VALUE(more)));
        ck_assert_int_eq(hit_wait(s.hit), HIT_E_ARG);
        ck_assert_ptr_nonnull(strstr(hit_status_text(), "refused row 2"));
        rest = tasks_element(s.a, 0, 0) + tasks_element(s.b, 0, 0);
        ck_assert_int_eq(rest, 0);
        HIT_MUST(hit_launch(s.hit, &mix, tasks_box(0, 0, 3, 3), s.a, s.c, s.c,
                            HIT_VALUE(more)));
        ck_assert_int_eq(tasks_element(s.a, 0, 0), more);
        close_scene(&s);
    }
}
END_TEST

/* ---- many ---- */

START_TEST(more_launches_than_may_wait_run_all_the_same)
{
    scene s = open_scene(TWO);
    int64_t found[N][N];
    hit_stats stats;
    bool good = true;

    for (int64_t k = 0; k < (int64_t)LAUNCHES; k++) {
        const int64_t at = k % (N * N);

        HIT_MUST(hit_launch(s.hit, &mix, tasks_box(at / N, at % N, 1, 1), s.c, s.a, s.a,
                            HIT_VALUE(at)));
    }
    HIT_MUST(hit_tile_gather(s.c, 0, found));
    for (int64_t k = 0; k < (int64_t)N * N; k++) {
        int64_t want = 0;

        for (int64_t n = k; n < LAUNCHES; n += (int64_t)N * N) {
            want = (3 * want + k) % MIX_PRIME;
        }
        good = good && found[k / N][k % N] == want;
    }
    ck_assert(good);
    hit_context_stats(s.hit, &stats);
    ck_assert_uint_eq(stats.launches, LAUNCHES);
    close_scene(&s);
}
END_TEST

/* Each launch needs what the one before wrote. */
START_TEST(the_time_of_what_waited_counts_once)
{
    scene s = open_scene(TWO);
    const double start_s = hit_time(s.hit);
    hit_stats stats;

    for (int64_t k = 0; k < 300; k++) {
        HIT_MUST(
            hit_launch(s.hit, &mix, hit_domain_of(N, N), s.c, s.a, s.a, HIT_VALUE(k)));
    }
    HIT_MUST(hit_wait(s.hit));
    hit_context_stats(s.hit, &stats);
    ck_assert_double_gt(stats.busy_s, 0);
    ck_assert_double_le(stats.busy_s, hit_time(s.hit) - start_s);
    close_scene(&s);
}
END_TEST

/* Threads that ran a launch of that many indices on a context of two threads, at most:
 * the first does the part of the other one if that comes late. */
static int threads_of(hit_index indices, int launches)
{
    hit_context *hit = tasks_open(TWO);
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;
    hit_view view;
    int most = 1;

    HIT_MUST(hit_layout_create(hit, hit_domain_of(indices), "single", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "threads", &tile));
    for (int k = 0; k < launches && most == 1; k++) {
        int threads = 1;

        HIT_MUST(hit_launch(hit, &who, hit_domain_of(indices), tile));
        HIT_MUST(hit_tile_map(tile, 0, HIT_READ, &view));
        for (hit_index i = 1; i < indices; i++) {
            threads +=
                ((const int64_t *)view.data)[i] != ((const int64_t *)view.data)[i - 1];
        }
        most = threads > most ? threads : most;
    }
    hit_tile_destroy(&tile);
    hit_layout_destroy(&layout);
    hit_close(&hit);
    return most;
}

START_TEST(a_small_launch_wakes_no_thread)
{
    ck_assert_int_eq(threads_of(16, 100), 1);
    ck_assert_int_eq(threads_of(1000000, 10000), 2);
}
END_TEST

/* Element kernels on small parts of tiles: where each needs what the one before it wrote
 * there is nothing to run beside it. */
START_TEST(launches_in_a_row_are_no_tasks)
{
    hit_context *hit = tasks_open(TWO);
    hit_tile *tile = tasks_tile(hit, 1024, 1024);
    hit_tile *other = tasks_tile(hit, 1024, 1024);

    HIT_MUST(hit_chain(hit, HIT_CHAIN_OFF));
    for (int k = 0; k < 20; k++) { /* the first ones are wide */
        const hit_index side = k < 6 ? 1024 : 200 - k;

        HIT_MUST(hit_launch(hit, &stir, tasks_box(0, 0, side, side), tile, other,
                            HIT_VALUE((int64_t){k})));
    }
    ck_assert_ptr_null(hit->stations->tasks);
    for (int k = 0; k < 3; k++) {
        HIT_MUST(hit_launch(hit, &stir, tasks_box(200 * k, 200 * k, 200, 200), tile,
                            other, HIT_VALUE((int64_t){k})));
    }
    ck_assert_ptr_nonnull(hit->stations->tasks);
    HIT_MUST(hit_wait(hit));
    hit_tile_destroy(&tile);
    hit_tile_destroy(&other);
    hit_close(&hit);
}
END_TEST

/* Kernels take no time while it stands, however busy the machine is, or the sanitizer. */
static atomic_bool time_stands;

/* a name that the linker asks for: what the library calls in place of its function */
/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming) */
double __real_hit_trace_now(void);
double __wrap_hit_trace_now(void);

double __wrap_hit_trace_now(void)
{
    return time_stands ? 0 : __real_hit_trace_now();
}
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

/* A kernel that takes less than it takes to hand it over runs at once: nothing is logged.
 */
START_TEST(what_is_light_runs_at_once_while_nothing_is_open)
{
    enum {
        ROWS = 64,
        TRIES = 1000
    };
    hit_context *hit = tasks_open(TWO);
    bool at_once = false;

    time_stands = true;

    for (int k = 0; k < TRIES && !at_once; k++) {
        hit_tile *fresh = tasks_tile(hit, ROWS, 2);

        HIT_MUST(hit_launch(hit, &turn, hit_box_of(3, 3), fresh));
        at_once = hit_fence_boxes(fresh->storage->fence) == 0;
        if (k == 0) ck_assert(!at_once); /* not known yet */
        ck_assert_int_eq(tasks_element(fresh, 3, 1), 4);
        HIT_MUST(hit_wait(hit));
        hit_tile_destroy(&fresh);
    }
    ck_assert(at_once ||
              hit_random_is_slow()); /* a sanitizer's kernel may not be light */
    hit_close(&hit);
}
END_TEST

/* A body may read them by instructions that ask for as much as the type says. */
START_TEST(values_are_kept_where_their_types_may_lie)
{
    static const char from[64] = "a value";
    const hit_arg args[] = {{NULL, from, {HIT_KIND_BYTES, 8}},
                            {NULL, from, {HIT_KIND_BYTES, 64}},
                            {NULL, from, {HIT_KIND_BYTES, 24}},
                            {NULL, from, {HIT_KIND_BYTES, 32}}};
    const hit_call call = {.count = 4, .args = args};
    static char memory[512];
    hit_slot slot[HIT_MAX_ARGS];
    size_t bytes = 0;

    for (int k = 0; k < 4; k++) {
        bytes += hit_call_value_room(args[k].type.size_bytes);
    }
    ck_assert_uint_le(bytes + 64, sizeof(memory));
    for (size_t shift = 0; shift < 64; shift++) {
        ck_assert(hit_call_keep_values(&call, memory + shift, bytes, slot));
        for (int k = 0; k < 4; k++) {
            const size_t size_bytes = args[k].type.size_bytes;

            ck_assert_uint_eq((uintptr_t)slot[k].base % (size_bytes & -size_bytes), 0);
            ck_assert_int_eq(memcmp(slot[k].base, from, size_bytes), 0);
        }
    }
    ck_assert(!hit_call_keep_values(&call, memory, 8 + 64 + 24 + 31, slot));
}
END_TEST

/* Each launch counts once for each device that would have a share of it, as in dry runs.
 */
START_TEST(tasks_are_counted_as_launches_that_run_at_once)
{
    static const char *const devices[] = {"host:threads=1", TWO, "host:threads=1 * 2"};
    static const uint64_t shares[] = {1, 1, 2};

    for (int d = 0; d < 3; d++) {
        scene s = open_scene(devices[d]);
        hit_tile *block = NULL;
        hit_stats before;
        hit_stats stats;

        HIT_MUST(hit_tile_select(s.c, hit_box_of(0, 1, 0, 1), &block));
        hit_context_stats(s.hit, &before);
        for (int64_t k = 0; k < 20; k++) {
            HIT_MUST(hit_launch(s.hit, &mix, hit_domain_of(2, 2), block, s.a, s.b,
                                HIT_VALUE(k)));
        }
        HIT_MUST(hit_wait(s.hit));
        hit_context_stats(s.hit, &stats);
        ck_assert_uint_eq(stats.superblocks - before.superblocks, 20 * shares[d]);
        hit_tile_destroy(&block);
        close_scene(&s);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tasks");
    TCase *tc = tcase_create("tasks");

    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, a_small_launch_wakes_no_thread);
    tcase_add_test(tc, launches_in_a_row_are_no_tasks);
    tcase_add_test(tc, what_is_independent_runs_side_by_side_in_whole_boxes);
    tcase_add_test(tc, devices_of_a_process_run_tasks_side_by_side);
    tcase_add_test(tc, what_writes_most_of_a_tile_is_cut_for_all_workers);
    tcase_add_test(tc, a_look_at_one_block_does_not_wait_for_another);
    tcase_add_test(tc, what_comes_after_a_failure_does_not_run);
    tcase_add_test(tc, the_wait_tells_an_error_once);
    tcase_add_test(tc, more_launches_than_may_wait_run_all_the_same);
    tcase_add_test(tc, the_time_of_what_waited_counts_once);
    tcase_add_test(tc, what_is_light_runs_at_once_while_nothing_is_open);
    tcase_add_test(tc, values_are_kept_where_their_types_may_lie);
    tcase_add_test(tc, tasks_are_counted_as_launches_that_run_at_once);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
