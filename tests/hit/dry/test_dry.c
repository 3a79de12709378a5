/* SPDX-License-Identifier: MIT
 * Dry runs: random launches are planned for all processes, and then done; what was
 * planned must be what the processes count. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/alloc.h"
#include "hit/kernel.h"
#include "tests/hit/launch/scene.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hit_kernel evens;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* The figures of some launches of one kind, in a dry run or not. */
static hit_stats figures_of(const trial *kind, const hit_options *options, uint64_t seed,
                            bool dry)
{
    scene s = {.good = true, .random = {seed}};
    hit_stats stats;

    setenv("HIT_PLAN", dry ? "json" : "0", 1);
    HIT_MUST(hit_open_with(NULL, NULL, options, &s.hit));
    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_OFF)); /* dry runs have none */
    kind->run(&s);
    HIT_MUST(hit_context_stats_all(s.hit, &stats));
    hit_close(&s.hit);
    return stats;
}

/* Partial sums of several devices are not foreseen, and a front that moves may have a
 * wider halo than each of its places needs. */
static void check_host(const hit_options *options, uint64_t planned, uint64_t done)
{
    const bool in_place = options->devices == NULL && options->device_memory_bytes == 0;

    if (in_place) ck_assert_uint_eq(planned, done);
    ck_assert_uint_le(planned, done);
    if (options->devices == NULL) ck_assert_uint_ge(10 * planned, 9 * done);
}

static void check_kinds(const hit_options *options, uint64_t rounds, uint64_t seed)
{
    for (int k = 0; k < trial_count; k++) {
        for (uint64_t round = 0; round < rounds; round++) {
            const uint64_t from = seed + 100 * round + (uint64_t)k;
            const hit_stats planned = figures_of(&trials[k], options, from, true);
            const hit_stats done = figures_of(&trials[k], options, from, false);

            ck_assert_uint_eq(planned.launches, done.launches);
            ck_assert_uint_eq(planned.indices, done.indices);
            ck_assert_uint_eq(planned.superblocks, done.superblocks);
            ck_assert_uint_eq(planned.device_limit_bytes, done.device_limit_bytes);
            ck_assert_uint_eq(planned.messages_sent, done.messages_sent);
            ck_assert_uint_eq(planned.message_bytes_sent, done.message_bytes_sent);
            check_host(options, planned.host_peak_bytes, done.host_peak_bytes);
            ck_assert_uint_eq(planned.bytes_in, done.bytes_in);
            ck_assert_uint_eq(planned.bytes_out, done.bytes_out);
        }
    }
}

START_TEST(what_is_planned_in_place_is_what_is_done)
{
    check_kinds(&(hit_options){.threads = 1}, 3, 10000);
}
END_TEST

START_TEST(what_is_planned_in_superblocks_is_what_is_done)
{
    check_kinds(&(hit_options){.threads = 1, .device_memory_bytes = 600}, 3, 20000);
}
END_TEST

START_TEST(what_is_planned_for_several_devices_is_what_is_done)
{
    check_kinds(&(hit_options){.threads = 1,
                               .devices = "host:memory=700:share=3+host+host:memory=600"},
                1, 30000);
}
END_TEST

START_TEST(what_is_planned_for_unlike_processes_is_what_is_done)
{
    check_kinds(&(hit_options){.threads = 1,
                               .devices = "host:memory=900; host; host:memory=600+host"},
                1, 40000);
}
END_TEST

/* Figures do not depend on what they compute. */
HIT_BOX_KERNEL(set_both, (i, j), (out, double, x, "[i, j]"), (out, double, bed, "[i, j]"))
{
    (void)run;
    return HIT_OK;
}

HIT_BOX_KERNEL(step_over, (i, j), (out, double, y, "[i, j]"),
               (in, double, x, "[i-1:i+1, j]"), (in, double, bed, "[i-1:i+1, j]"))
{
    (void)run;
    return HIT_OK;
}

/* Ten steps beside a field that nobody writes after the first launch. */
static hit_stats figures_of_steps(const hit_options *options, bool dry)
{
    const hit_domain all = hit_domain_of(24, 5);
    const hit_domain inner = hit_box_of(1, 22, 0, 4);
    static const char *const names[] = {"x", "y", "bed"};
    hit_tile *tile[3];
    hit_context *hit;
    hit_stats stats;

    setenv("HIT_PLAN", dry ? "json" : "0", 1);
    HIT_MUST(hit_open_with(NULL, NULL, options, &hit));
    for (int k = 0; k < 3; k++) {
        HIT_MUST(hit_tile_make(hit, all, "block:dims=0", HIT_DOUBLE, names[k], &tile[k]));
    }
    HIT_MUST(hit_launch(hit, &set_both, all, tile[0], tile[2]));
    for (int t = 0; t < 10; t++) {
        HIT_MUST(hit_launch(hit, &step_over, inner, tile[1], tile[0], tile[2]));
        hit_tile_swap(&tile[0], &tile[1]);
    }
    HIT_MUST(hit_context_stats_all(hit, &stats));
    for (int k = 0; k < 3; k++) {
        hit_tile_destroy(&tile[k]);
    }
    hit_close(&hit);
    return stats;
}

/* docs/dry-run.md, "What is exact": halos of the field are sent once, and what is on a
 * device is not brought again. */
START_TEST(what_nobody_wrote_since_is_planned_once)
{
    const hit_options small = {.threads = 1, .device_memory_bytes = 1 << 20};
    hit_stats planned = figures_of_steps(&(hit_options){.threads = 1}, true);
    hit_stats done = figures_of_steps(&(hit_options){.threads = 1}, false);

    ck_assert_uint_eq(planned.launches, done.launches);
    ck_assert_uint_eq(planned.messages_sent, done.messages_sent);
    ck_assert_uint_eq(planned.message_bytes_sent, done.message_bytes_sent);
    planned = figures_of_steps(&small, true);
    done = figures_of_steps(&small, false);
    ck_assert_uint_eq(done.bytes_in, planned.bytes_in);
    ck_assert_uint_eq(done.bytes_out, planned.bytes_out);
}
END_TEST

START_TEST(a_dry_run_changes_no_element)
{
    const hit_domain box = hit_domain_of(20, 20);
    const int64_t seven = 7;
    scene s = {.good = true};
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;
    hit_tile *copy = NULL;
    bool same = true;

    setenv("HIT_PLAN", "json", 1);
    HIT_MUST(hit_open(NULL, NULL, &s.hit));
    HIT_MUST(hit_layout_create(s.hit, box, "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "tile", &tile));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "copy", &copy));
    HIT_MUST(hit_tile_fill(tile, &seven));
    HIT_MUST(hit_tile_copy(tile, copy));
    for (int k = 0; k < hit_tile_pieces(copy); k++) {
        hit_view view;
        hit_index x[HIT_MAX_DIMS];

        HIT_MUST(hit_tile_map(copy, k, HIT_READ, &view));
        for (bool go = hit_domain_first(&view.domain, x); go;
             go = hit_domain_next(&view.domain, x)) {
            same = same && *(const int64_t *)hit_view_at(&view, x) == 0;
        }
    }
    hit_tile_destroy(&copy);
    hit_tile_destroy(&tile);
    hit_layout_destroy(&layout);
    hit_close(&s.hit);
    ck_assert(same);
}
END_TEST

START_TEST(a_dry_run_takes_no_memory_for_what_it_does_not_look_at)
{
    const hit_domain line = hit_domain_of(64 << 20);
    scene s = {.good = true};
    hit_tile *tile = NULL;
    size_t before_bytes;
    size_t part_bytes;
    size_t after_bytes;

    setenv("HIT_PLAN", "json", 1);
    HIT_MUST(hit_open(NULL, NULL, &s.hit));
    before_bytes = hit_memory_peak_bytes();
    HIT_MUST(hit_tile_make(s.hit, line, "block", HIT_INT64, "tile", &tile));
    after_bytes = hit_memory_peak_bytes();
    part_bytes = sizeof(int64_t) * (64 << 20) / (size_t)hit_size(s.hit);
    hit_tile_destroy(&tile);
    hit_close(&s.hit);
    ck_assert_msg(after_bytes - before_bytes < part_bytes / 4,
                  "%zu bytes were touched of a part of %zu", after_bytes - before_bytes,
                  part_bytes);
}
END_TEST

extern const hit_kernel totals;

HIT_BOX_KERNEL(look_at_all, (i), (in, double, x, "[:]"), (out, double, y, "[i]"))
{
    (void)run;
    return HIT_OK;
}

HIT_BOX_KERNEL(look_beside, (i), (in, double, x, "[i-1:i+1]"), (out, double, y, "[i]"))
{
    (void)run;
    return HIT_OK;
}

/* Both tiles, the temporary pieces and the messages are larger than any memory. */
static void plan_terabytes(const hit_kernel *kernel, const char *processes)
{
    const hit_domain line = hit_domain_of((hit_index)1 << 37);
    hit_context *hit = NULL;
    hit_tile *x = NULL;
    hit_tile *y = NULL;

    setenv("HIT_PLAN", "json", 1);
    setenv("HIT_PLAN_PROCESSES", processes, 1);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.threads = 1}, &hit));
    unsetenv("HIT_PLAN_PROCESSES");
    HIT_MUST(hit_tile_make(hit, line, "block", HIT_DOUBLE, "x", &x));
    HIT_MUST(hit_tile_make(hit, line, "block", HIT_DOUBLE, "y", &y));
    HIT_MUST(hit_tile_set_boundary(x, 0, HIT_BOUNDARY_PERIODIC, NULL));
    HIT_MUST(hit_launch(hit, kernel, line, x, y));
    HIT_MUST(hit_launch(hit, kernel, line, x, y));
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_close(&hit);
}

/* What is added up goes through buffers: each process adds to all columns. */
static void plan_terabytes_of_sums(const char *devices)
{
    const hit_domain all = hit_domain_of(12, (hit_index)1 << 34);
    const hit_domain result[] = {hit_domain_scalar(), hit_domain_of((hit_index)1 << 34),
                                 hit_domain_of(12), hit_domain_scalar()};
    hit_context *hit = NULL;
    hit_tile *a = NULL;
    hit_tile *to[4] = {NULL};

    setenv("HIT_PLAN", "json", 1);
    setenv("HIT_PLAN_PROCESSES", "3", 1);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &hit));
    unsetenv("HIT_PLAN_PROCESSES");
    HIT_MUST(hit_tile_make(hit, all, "block:dims=0", HIT_INT64, "a", &a));
    for (int k = 0; k < 4; k++) {
        HIT_MUST(hit_tile_make(hit, result[k], "block", HIT_INT64, "result", &to[k]));
    }
    HIT_MUST(hit_launch(hit, &totals, all, to[0], to[1], to[2], to[3], a));
    for (int k = 0; k < 4; k++) {
        hit_tile_destroy(&to[k]);
    }
    hit_tile_destroy(&a);
    hit_close(&hit);
}

START_TEST(a_dry_run_neither_takes_nor_reads_what_this_machine_has_not)
{
    const size_t before_bytes = hit_memory_peak_bytes();

    if (hit_size(base) > 1) return; /* who plans for more is alone */
    plan_terabytes(&look_at_all, "3");
    plan_terabytes_of_sums("host:threads=1");
    plan_terabytes_of_sums("host:threads=1+host:threads=1");
    plan_terabytes(&look_beside, "1");
    plan_terabytes(&look_beside, "3");
    ck_assert_uint_lt(hit_memory_peak_bytes() - before_bytes, (size_t)1 << 30);
}
END_TEST

/* Process 0 owns nothing of it: all of the tile comes from the device of the other. */
START_TEST(a_look_without_own_elements_counts_as_one_of_all)
{
    const hit_options staged = {.threads = 1, .device_memory_bytes = 1 << 20};
    const hit_domain line = hit_domain_of(1000);
    hit_context *hit = NULL;
    hit_tile *x = NULL;
    hit_tile *y = NULL;
    hit_view view;
    hit_stats stats;

    if (hit_size(base) > 1) return;
    setenv("HIT_PLAN", "json", 1);
    setenv("HIT_PLAN_PROCESSES", "2", 1);
    HIT_MUST(hit_open_with(NULL, NULL, &staged, &hit));
    unsetenv("HIT_PLAN_PROCESSES");
    HIT_MUST(hit_tile_make(hit, line, "weighted:shares=0,1000", HIT_DOUBLE, "x", &x));
    HIT_MUST(hit_tile_make(hit, line, "weighted:shares=0,1000", HIT_DOUBLE, "y", &y));
    HIT_MUST(hit_launch(hit, &look_beside, hit_box_of(1, 998), x, y));
    ck_assert_int_eq(hit_tile_pieces(y), 0);
    HIT_MUST(hit_tile_map(y, 0, HIT_READ, &view));
    HIT_MUST(hit_context_stats_all(hit, &stats));
    ck_assert_uint_eq(stats.bytes_out, 998 * sizeof(double));
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_close(&hit);
}
END_TEST

/* Number 50 of 100, which is not one of the 32, owns all but 99 elements. */
START_TEST(the_largest_part_counts_on_any_process)
{
    char shares[256] = "weighted:shares=1";
    hit_context *hit = NULL;
    hit_tile *tile = NULL;
    hit_tile *even = NULL;
    hit_stats stats;

    if (hit_size(base) > 1) return; /* who plans for more is alone */
    for (int rank = 1; rank < 100; rank++) {
        strcat(shares, rank == 50 ? ",1000" : ",1");
    }
    setenv("HIT_PLAN", "json", 1);
    setenv("HIT_PLAN_PROCESSES", "100", 1);
    HIT_MUST(hit_open(NULL, NULL, &hit));
    unsetenv("HIT_PLAN_PROCESSES");
    HIT_MUST(hit_tile_make(hit, hit_domain_of(1099), shares, HIT_INT64, "tile", &tile));
    hit_tile_destroy(&tile);
    HIT_MUST(hit_tile_make(hit, hit_domain_of(1099), shares, HIT_INT64, "tile", &tile));
    HIT_MUST(hit_tile_make(hit, hit_domain_of(700), "block", HIT_INT32, "even", &even));
    HIT_MUST(hit_context_stats_all(hit, &stats));
    ck_assert_uint_eq(stats.host_peak_bytes, 8 * 1000 + 4 * 7);
    hit_tile_destroy(&tile);
    hit_tile_destroy(&even);
    hit_close(&hit);
}
END_TEST

extern const hit_kernel line;

/* What a program of two tiles in arrays of its own takes: kernel line reads three
 * elements before its own and two behind. */
static uint64_t adopted_bytes(const char *layout, hit_index ghosts, bool dry)
{
    enum {
        COUNT = 60
    };
    int64_t memory[2][COUNT + 8] = {{0}};
    hit_context *hit = NULL;
    hit_layout *made = NULL;
    hit_tile *tile[2] = {NULL};
    hit_stats stats;

    setenv("HIT_PLAN", dry ? "json" : "0", 1);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.threads = 1}, &hit));
    HIT_MUST(hit_layout_create(hit, hit_domain_of(COUNT), layout, &made));
    for (int k = 0; k < 2; k++) {
        HIT_MUST(hit_tile_adopt(made, HIT_INT64, "own",
                                &(hit_local_array){.first = &memory[k][4],
                                                   .before = {ghosts},
                                                   .behind = {ghosts}},
                                &tile[k]));
    }
    for (int k = 0; k < 3; k++) {
        HIT_MUST(hit_launch(hit, &line, hit_box_of(3, COUNT - 3), tile[1], tile[0]));
        hit_tile_swap(&tile[0], &tile[1]);
    }
    HIT_MUST(hit_context_stats_all(hit, &stats));
    hit_tile_destroy(&tile[0]);
    hit_tile_destroy(&tile[1]);
    hit_layout_destroy(&made);
    hit_close(&hit);
    return stats.host_peak_bytes;
}

START_TEST(buffers_around_arrays_of_the_program_are_foreseen)
{
    static const char *const layout[] = {"block", "blockcyclic:block=3", "cyclic"};

    for (int k = 0; k < 3; k++) {
        for (hit_index ghosts = 0; ghosts <= (k == 0 ? 4 : 0); ghosts++) {
            const uint64_t planned = adopted_bytes(layout[k], ghosts, true);
            const uint64_t done = adopted_bytes(layout[k], ghosts, false);

            ck_assert_msg(planned == done,
                          "%s, %d ghosts: %d bytes are planned and %d taken", layout[k],
                          (int)ghosts, (int)planned, (int)done);
        }
    }
}
END_TEST

START_TEST(what_the_library_prints_goes_where_the_program_says)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    hit_context *hit = NULL;
    hit_tile *a = NULL;
    hit_tile *b = NULL;

    ck_assert_ptr_nonnull(out);
    setenv("HIT_PLAN", "1", 1);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.out = out}, &hit));
    HIT_MUST(hit_tile_make(hit, hit_domain_of(9), "block", HIT_INT64, "a", &a));
    HIT_MUST(hit_tile_make(hit, hit_domain_of(18), "block", HIT_INT64, "b", &b));
    HIT_MUST(hit_launch(hit, &evens, hit_domain_of(9), b, a));
    hit_tile_destroy(&a);
    hit_tile_destroy(&b);
    hit_close(&hit);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_int_eq(strstr(text, "in all: 1 launches") != NULL, hit_rank(base) == 0);
    free(text);
}
END_TEST

/* Opening must fail on all processes; process 0, which reads the settings, names @p word.
 */
static void refuse(const char *plan, const char *processes, const char *word)
{
    hit_context *hit = NULL;
    hit_status status;

    setenv("HIT_PLAN", plan, 1);
    setenv("HIT_PLAN_PROCESSES", processes, 1);
    status = hit_open(NULL, NULL, &hit);
    unsetenv("HIT_PLAN_PROCESSES");
    if (hit_rank(base) != 0) {
        ck_assert_int_eq(status, HIT_E_PEER);
        return;
    }
    ck_assert_int_eq(status, HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(), word) != NULL, "%s", hit_status_text());
}

START_TEST(wrong_settings_are_refused_with_what_was_expected)
{
    refuse("yes", "", "expected 0, 1, measure or json but found \"yes\"");
    refuse("", "4", "HIT_PLAN_PROCESSES: expected HIT_PLAN beside it");
    refuse("1", "0", "from 1 to 1000000 for HIT_PLAN_PROCESSES but found \"0\"");
    refuse("1", "4x", "found \"4x\"");
    if (hit_size(base) > 1) refuse("1", "1000", "one process that plans for 1000");
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("dry");
    TCase *tests = tcase_create("dry");

    tcase_add_test(tests, what_is_planned_in_place_is_what_is_done);
    tcase_add_test(tests, what_is_planned_in_superblocks_is_what_is_done);
    tcase_add_test(tests, what_is_planned_for_several_devices_is_what_is_done);
    tcase_add_test(tests, what_is_planned_for_unlike_processes_is_what_is_done);
    tcase_add_test(tests, what_nobody_wrote_since_is_planned_once);
    tcase_add_test(tests, a_dry_run_changes_no_element);
    tcase_add_test(tests, a_dry_run_takes_no_memory_for_what_it_does_not_look_at);
    tcase_add_test(tests, a_dry_run_neither_takes_nor_reads_what_this_machine_has_not);
    tcase_add_test(tests, a_look_without_own_elements_counts_as_one_of_all);
    tcase_add_test(tests, the_largest_part_counts_on_any_process);
    tcase_add_test(tests, buffers_around_arrays_of_the_program_are_foreseen);
    tcase_add_test(tests, what_the_library_prints_goes_where_the_program_says);
    tcase_add_test(tests, wrong_settings_are_refused_with_what_was_expected);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
