/* SPDX-License-Identifier: MIT
 * What ends a chain, what is told when, and limits. */
#define _POSIX_C_SOURCE 200112L /* setenv */
#include "hit/base/context.h"
#include "hit/device/device.h"
#include "hit/launch/launcher.h"
#include "hit/tile/station.h"
#include "kernels/kernels.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"

#include <stdlib.h>
#include <string.h>

extern const hit_kernel turned, total;

static hit_context *base; /* keeps MPI open */

/* names that the linker asks for; a test program has no context to hang this on */
/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming) */
static size_t refused_bytes; /* allocations of more fail; 0: none */
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
    if (refused_bytes > 0 && count * size > refused_bytes) return NULL;
    return __real_calloc(count, size);
}
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

START_TEST(a_launch_that_cannot_join_runs_after_the_chain)
{
    chains_scene one = chains_open(&chains_blocked, 2);
    chains_scene other = chains_open(NULL, 2);

    for (int s = 0; s < 2; s++) {
        chains_scene *of = s == 0 ? &one : &other;

        for (int t = 0; t < CHAINS_STEPS; t++) {
            chains_launch_star(of, of->tile[1], of->tile[0], t);
            chains_launch_star(of, of->tile[0], of->tile[1], t);
            HIT_MUST(hit_launch(of->hit, &turned, of->all, of->tile[2], of->tile[0]));
            chains_launch_star(of, of->tile[0], of->tile[2], t);
        }
    }
    chains_expect_equal(&one, &other, "turned");
    ck_assert_int_gt((int)chains_chained(&one), CHAINS_STEPS);
    chains_close(&one);
    chains_close(&other);
}
END_TEST

START_TEST(a_reduction_sees_the_launches_before_it)
{
    chains_scene s = chains_open(&chains_blocked, 2);
    chains_scene other = chains_open(NULL, 2);
    float found[2];

    for (int k = 0; k < 2; k++) {
        chains_scene *of = k == 0 ? &s : &other;
        hit_layout *layout = NULL;
        hit_tile *sum = NULL;

        HIT_MUST(hit_layout_create(of->hit, hit_domain_scalar(), "single", &layout));
        HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "sum", &sum));
        chains_run_star(of);
        HIT_MUST(hit_launch(of->hit, &total, of->all, sum, of->tile[0]));
        HIT_MUST(hit_tile_get(sum, NULL, &found[k]));
        hit_tile_destroy(&sum);
        hit_layout_destroy(&layout);
    }
    ck_assert_int_eq(memcmp(&found[0], &found[1], sizeof(float)), 0);
    chains_close(&s);
    chains_close(&other);
}
END_TEST

START_TEST(the_time_of_a_block_counts_once)
{
    chains_scene s = chains_open(&chains_blocked, 2);
    const double start_s = hit_time(s.hit);
    hit_stats stats;

    for (int k = 0; k < 20; k++) {
        chains_run_star(&s);
    }
    HIT_MUST(hit_wait(s.hit));
    hit_context_stats(s.hit, &stats);
    ck_assert_double_gt(stats.busy_s, 0);
    ck_assert_double_le(stats.busy_s, hit_time(s.hit) - start_s);
    chains_close(&s);
}
END_TEST

START_TEST(a_look_sees_the_launches_before_it)
{
    chains_scene s = chains_open(&chains_blocked, 1);
    chains_scene other = chains_open(NULL, 1);
    float found[2];

    for (int t = 0; t < CHAINS_STEPS; t++) {
        chains_launch_star(&s, s.tile[1], s.tile[0], t);
        chains_launch_star(&other, other.tile[1], other.tile[0], t);
        hit_tile_swap(&s.tile[0], &s.tile[1]);
        hit_tile_swap(&other.tile[0], &other.tile[1]);
        if (t % 3 != 0) continue;
        HIT_MUST(hit_tile_get(s.tile[0], (hit_index[]){7, 7}, &found[0]));
        HIT_MUST(hit_tile_get(other.tile[0], (hit_index[]){7, 7}, &found[1]));
        ck_assert_int_eq(memcmp(&found[0], &found[1], sizeof(float)), 0);
        HIT_MUST(hit_tile_fill(s.tile[1], &(float){3}));
        HIT_MUST(hit_tile_fill(other.tile[1], &(float){3}));
    }
    chains_expect_equal(&s, &other, "looks");
    chains_close(&s);
    chains_close(&other);
}
END_TEST

START_TEST(a_tile_may_go_while_launches_on_it_wait)
{
    chains_scene s = chains_open(&chains_blocked, 2);
    chains_scene other = chains_open(NULL, 2);

    for (int k = 0; k < 2; k++) {
        chains_scene *of = k == 0 ? &s : &other;

        chains_launch_star(of, of->tile[1], of->tile[0], 1);
        chains_launch_star(of, of->tile[2], of->tile[1], 2);
        hit_tile_destroy(&of->tile[1]);
        of->tile[1] = of->tile[2];
    }
    chains_expect_equal(&s, &other, "destroyed");
    s.tile[1] = NULL;
    other.tile[1] = NULL;
    chains_close(&s);
    chains_close(&other);
}
END_TEST

/* Launches that are tasks between launches that are recorded. */
START_TEST(tasks_and_chains_see_each_other)
{
    chains_scene s = chains_open(&chains_blocked, 3);
    chains_scene other = chains_open(NULL, 3);

    HIT_MUST(hit_chain(other.hit, HIT_CHAIN_OFF));
    for (int k = 0; k < 2; k++) {
        chains_scene *of = k == 0 ? &s : &other;

        for (int t = 0; t < CHAINS_STEPS; t++) {
            HIT_MUST(hit_launch(of->hit, &gemm_float, of->inner, of->tile[2], of->tile[0],
                                of->tile[1], HIT_VALUE(0.001f), HIT_VALUE(0.5f)));
            chains_launch_star(of, of->tile[0], of->tile[2], t);
            chains_launch_star(of, of->tile[1], of->tile[0], t);
        }
    }
    chains_expect_equal(&s, &other, "tasks");
    ck_assert_int_gt((int)chains_chained(&s), CHAINS_STEPS);
    chains_close(&s);
    chains_close(&other);
}
END_TEST

/* ---- errors, limits ---- */

START_TEST(a_launch_that_is_wrong_says_so_at_once)
{
    chains_scene s = chains_open(&chains_blocked, 2);

    chains_launch_star(&s, s.tile[1], s.tile[0], 0);
    ck_assert_int_eq(
        hit_launch(s.hit, &star, s.inner, s.tile[0], s.tile[0], HIT_VALUE(1.f)),
        HIT_E_ARG);
    ck_assert_int_eq(
        hit_launch(s.hit, &star, s.all, s.tile[0], s.tile[1], HIT_VALUE(1.f)),
        HIT_E_PATTERN);
    ck_assert_int_eq(hit_wait(s.hit), HIT_OK);
    chains_close(&s);
}
END_TEST

static hit_status fail_at_two(const hit_run *run)
{
    if (run->begin[0] > 2 || run->end[0] < 2) return HIT_OK;
    return HIT_E_ARG;
}

START_TEST(a_kernel_that_fails_is_told_once_by_who_waits)
{
    const hit_kernel_arg arg[] = {{HIT_MODE_INOUT, HIT_FLOAT, "field", "[i, j]"}};
    const hit_kernel failing = {.name = "failing",
                                .dims = 2,
                                .index = {"i", "j"},
                                .args = 1,
                                .arg = arg,
                                .host = fail_at_two};
    chains_scene s = chains_open(&chains_blocked, 2);

    HIT_MUST(hit_launch(s.hit, &failing, s.inner, s.tile[0]));
    HIT_MUST(hit_launch(s.hit, &failing, s.inner, s.tile[0]));
    ck_assert_int_eq(hit_wait(s.hit), HIT_E_ARG);
    ck_assert_int_eq(hit_wait(s.hit), HIT_OK);
    chains_close(&s);
}
END_TEST

START_TEST(a_program_can_bound_chains)
{
    chains_scene s = chains_open(&chains_blocked, 2);

    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_OFF));
    chains_run_star(&s);
    HIT_MUST(hit_wait(s.hit));
    ck_assert_int_eq((int)chains_chained(&s), 0);
    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_ANY));
    chains_run_star(&s);
    HIT_MUST(hit_wait(s.hit));
    ck_assert_int_eq((int)chains_chained(&s), CHAINS_STEPS);
    ck_assert_int_eq(hit_chain(s.hit, -1), HIT_E_ARG);
    ck_assert_int_eq(hit_chain(NULL, 4), HIT_E_ARG);
    chains_close(&s);
}
END_TEST

static void expect_chained(const char *setting, int launches)
{
    chains_scene s;

    setenv("HIT_CHAIN", setting, 1);
    s = chains_open(&chains_blocked, 2);
    chains_run_star(&s);
    HIT_MUST(hit_wait(s.hit));
    ck_assert_int_eq((int)chains_chained(&s), launches);
    chains_close(&s);
    unsetenv("HIT_CHAIN");
}

START_TEST(the_environment_can_bound_chains)
{
    hit_context *hit = NULL;

    expect_chained("off", 0);
    expect_chained("4", CHAINS_STEPS);
    expect_chained("", CHAINS_STEPS);
    setenv("HIT_CHAIN", "never", 1);
    ck_assert_int_eq(hit_open(NULL, NULL, &hit), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "HIT_CHAIN: expected off, say"));
    unsetenv("HIT_CHAIN");
    setenv("HIT_COMPARE", "1", 1);
    expect_chained("", 0);
    unsetenv("HIT_COMPARE");
}
END_TEST

START_TEST(without_memory_launches_run_one_after_the_other)
{
    for (size_t bytes = 4000; bytes < 2000000; bytes *= 3) {
        chains_scene s = chains_open(&chains_blocked, 2);
        chains_scene other = chains_open(NULL, 2);

        HIT_MUST(hit_wait(s.hit));
        chains_launch_star(&s, s.tile[2], s.tile[0], 0); /* planned */
        chains_launch_star(&other, other.tile[2], other.tile[0], 0);
        refused_bytes = bytes;
        chains_run_star(&s);
        refused_bytes = 0;
        chains_run_star(&other);
        chains_expect_equal(&s, &other, "without memory");
        chains_close(&s);
        chains_close(&other);
    }
}
END_TEST

/* ---- on a device with a memory of its own ---- */

enum {
    SMALL = 14000 /* bytes: a part of two tiles */
};

static const hit_memory_ops *real_memory;
static int copies_left;  /* that do not fail; the next one does, once */
static size_t cap_bytes; /* the device has no more in one piece */

static hit_status faulty_copy(void *state, hit_lane lane, hit_way way,
                              const hit_view *from, const hit_view *to,
                              const hit_domain *domain)
{
    if (copies_left-- == 0) return HIT_FAIL(HIT_E_DEVICE, "this copy fails");
    return real_memory->copy(state, lane, way, from, to, domain);
}

static hit_status capped_allocate(void *state, size_t size_bytes, void **memory)
{
    if (size_bytes > cap_bytes) return HIT_FAIL(HIT_E_NOMEM, "the device has less");
    return real_memory->allocate(state, size_bytes, memory);
}

static void play(chains_scene *s, hit_memory_ops *played)
{
    hit_device *device = s->hit->device[0];

    real_memory = device->memory;
    *played = *real_memory;
    played->copy = faulty_copy;
    played->allocate = capped_allocate;
    copies_left = -1;
    cap_bytes = SIZE_MAX;
    device->memory = played;
}

START_TEST(a_kernel_that_fails_in_a_piece_is_told_once)
{
    const hit_kernel_arg arg[] = {{HIT_MODE_INOUT, HIT_FLOAT, "field", "[i, j]"}};
    const hit_kernel failing = {.name = "failing",
                                .dims = 2,
                                .index = {"i", "j"},
                                .args = 1,
                                .arg = arg,
                                .host = fail_at_two};
    chains_scene s = chains_open_staged(SMALL, 2);

    chains_launch_star(&s, s.tile[1], s.tile[2], 0); /* the first one is not recorded */
    HIT_MUST(hit_launch(s.hit, &failing, s.inner, s.tile[0]));
    HIT_MUST(hit_launch(s.hit, &failing, s.inner, s.tile[0]));
    ck_assert_ptr_nonnull(s.hit->stations->recorded.block);
    ck_assert_int_eq(hit_wait(s.hit), HIT_E_ARG);
    ck_assert_int_eq(hit_wait(s.hit), HIT_OK);
    chains_run_star(&s);
    ck_assert_int_eq(hit_wait(s.hit), HIT_OK);
    chains_close(&s);
}
END_TEST

/* Each of them in its turn: what comes afterwards is as if nothing had been. */
START_TEST(a_copy_that_fails_in_a_block_is_told_once)
{
    hit_memory_ops played;
    int told = 0;

    for (int n = 0; n < 200; n += 7) {
        chains_scene s = chains_open_staged(SMALL, 1);
        chains_scene other = chains_open(NULL, 1);
        hit_status status;

        play(&s, &played);
        chains_run_star(&s);
        copies_left = n;
        status = hit_wait(s.hit);
        copies_left = -1;
        told += status == HIT_E_DEVICE;
        ck_assert(status == HIT_OK || status == HIT_E_DEVICE);
        ck_assert_int_eq(hit_wait(s.hit), HIT_OK);
        chains_drop_tiles(&s);
        chains_drop_tiles(&other);
        chains_make_tiles(&s, hit_domain_of(90, CHAINS_N), HIT_FLOAT);
        chains_make_tiles(&other, s.all, HIT_FLOAT);
        chains_run_star(&s);
        chains_run_star(&other);
        chains_expect_equal(&s, &other, "after a copy that failed");
        chains_close(&s);
        chains_close(&other);
    }
    ck_assert_int_gt(told, 5);
}
END_TEST

/* From a little less down to nearly nothing. */
START_TEST(a_device_that_has_less_gets_smaller_pieces)
{
    int blocked = 0;

    for (int part = 2; part < 8; part++) {
        chains_scene s = chains_open_staged(SMALL, 1);
        chains_scene other = chains_open_staged(SMALL, 1);
        hit_memory_ops played;
        hit_stats stats;

        HIT_MUST(hit_chain(other.hit, HIT_CHAIN_OFF));
        play(&s, &played);
        cap_bytes = SMALL / (size_t)part;
        chains_run_star(&s);
        chains_run_star(&other);
        chains_expect_equal(&s, &other, "less memory");
        hit_context_stats(s.hit, &stats);
        ck_assert_uint_gt(stats.replans, 0);
        ck_assert_uint_le(stats.device_peak_bytes, cap_bytes);
        blocked += stats.chained > 0;
        chains_close(&s);
        chains_close(&other);
    }
    ck_assert_int_gt(blocked, 0);
}
END_TEST

START_TEST(without_memory_pieces_are_those_of_one_launch)
{
    for (size_t bytes = 4000; bytes < 2000000; bytes *= 3) {
        chains_scene s = chains_open_staged(SMALL, 2);
        chains_scene other = chains_open_staged(SMALL, 2);

        HIT_MUST(hit_chain(other.hit, HIT_CHAIN_OFF));
        chains_launch_star(&s, s.tile[2], s.tile[0], 0); /* planned */
        chains_launch_star(&other, other.tile[2], other.tile[0], 0);
        refused_bytes = bytes;
        chains_run_star(&s);
        refused_bytes = 0;
        chains_run_star(&other);
        chains_expect_equal(&s, &other, "without memory");
        chains_close(&s);
        chains_close(&other);
    }
}
END_TEST

START_TEST(a_full_block_does_not_send_what_is_overwritten)
{
    uint64_t bytes[2];

    for (int k = 0; k < 2; k++) {
        chains_scene s = chains_open_staged(SMALL, 1);
        hit_stats stats;

        s.hit->launcher->chain_choice = &chains_blocked;
        for (int t = 0; t < 2 * chains_blocked.steps; t++) {
            chains_launch_star(&s, s.tile[1], s.tile[0], t);
            hit_tile_swap(&s.tile[0], &s.tile[1]);
            if (k == 1 && t == chains_blocked.steps - 1) HIT_MUST(hit_wait(s.hit));
        }
        HIT_MUST(hit_wait(s.hit));
        hit_context_stats(s.hit, &stats);
        bytes[k] = stats.bytes_out;
        chains_close(&s);
    }
    /* all inner elements of a tile less */
    ck_assert_uint_eq(bytes[0] + 4 * (uint64_t)(4 * CHAINS_N - 4) * (CHAINS_N - 4),
                      bytes[1]);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ends of chains");
    TCase *tc = tcase_create("chains");

    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, a_launch_that_cannot_join_runs_after_the_chain);
    tcase_add_test(tc, a_reduction_sees_the_launches_before_it);
    tcase_add_test(tc, the_time_of_a_block_counts_once);
    tcase_add_test(tc, a_look_sees_the_launches_before_it);
    tcase_add_test(tc, a_tile_may_go_while_launches_on_it_wait);
    tcase_add_test(tc, tasks_and_chains_see_each_other);
    tcase_add_test(tc, a_launch_that_is_wrong_says_so_at_once);
    tcase_add_test(tc, a_kernel_that_fails_is_told_once_by_who_waits);
    tcase_add_test(tc, a_program_can_bound_chains);
    tcase_add_test(tc, the_environment_can_bound_chains);
    tcase_add_test(tc, without_memory_launches_run_one_after_the_other);
    tcase_add_test(tc, a_kernel_that_fails_in_a_piece_is_told_once);
    tcase_add_test(tc, a_copy_that_fails_in_a_block_is_told_once);
    tcase_add_test(tc, a_device_that_has_less_gets_smaller_pieces);
    tcase_add_test(tc, without_memory_pieces_are_those_of_one_launch);
    tcase_add_test(tc, a_full_block_does_not_send_what_is_overwritten);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
