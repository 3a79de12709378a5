/* SPDX-License-Identifier: MIT
 * Trials: what is measured of a kernel whose time is known, on all processes together.
 * Times of that kernel are played. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/cost/model_key.h"
#include "hit/data/domain_set.h"
#include "hit/launch/catalogue.h"
#include "hit/measure/trial.h"
#include "hit/model/store_impl.h"
#include "hit/tile/tile_move.h"
#include "kernels/kernels.h"
#include "tests/layouts/nap.h"
#include "tests/support/check_main.h"
#include "tests/support/oracles.h"
#include "tests/support/played_clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static hit_context *base;

static hit_context *open_played(const char *devices)
{
    const hit_options options = {.devices = devices, .threads = 1};
    hit_context *hit = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &options, &hit));
    hit->clock = played_clock;
    return hit;
}

/* A process whose assertion fails would leave the others alone: they fail together. */
static bool on_all(bool good)
{
    uint64_t bad = !good;

    HIT_MUST(hit_comm_sum_u64(base->comm, &bad, 1));
    return bad == 0;
}

static hit_status make_key(const hit_context *hit, const hit_trial *trial,
                           const bool cut[], hit_model_key *key)
{
    const hit_subject subject = hit_trial_subject(trial);

    return hit_model_key_make(hit, &subject, cut, key);
}

START_TEST(a_kernel_of_known_time_is_measured)
{
    hit_trial trial = {.kernel = &nap, .whole = hit_domain_of(400, 100)};
    hit_context *hit = open_played("host;host:slow=3");
    hit_domain part;
    hit_measure m;
    int rank;
    int processes;
    double expected;

    hit_comm_local(hit->comm, &rank, &processes);
    part = hit_domain_of(50 + 10 * hit_rank(hit), 100);
    expected = NAP_S * (double)hit_domain_count(&part) * (rank % 2 == 1 ? 3 : 1);
    HIT_MUST(hit_trial_run(hit, &trial, &part, &m));
    ck_assert_int_eq(m.units, hit_domain_count(&part));
    ck_assert(on_all(m.reps == 3));
    ck_assert(on_all(fabs(m.seconds - expected) <= 1e-9 * expected));
    ck_assert(on_all(m.half_width_s <= 1e-9 * expected));
    ck_assert(on_all(m.verdict == HIT_MEASURE_EXACT));
    hit_close(&hit);
}
END_TEST

START_TEST(a_large_part_is_measured_by_pieces)
{
    hit_trial trial = {.kernel = &nap, .whole = hit_domain_of(600, 500), .piece = 3000};
    const double expected = NAP_S * 600 * 500;
    hit_context *hit = open_played("host");
    hit_measure m;

    nap_indices();
    HIT_MUST(hit_trial_run(hit, &trial, &trial.whole, &m));
    ck_assert_int_eq(m.units, 600 * 500);
    ck_assert(on_all(fabs(m.seconds - expected) <= 1e-9 * expected));
    ck_assert(on_all(nap_indices() <= (m.reps + 1) * 150000)); /* not 300000 */
    trial.piece = 0;
    trial.measure.reps_max = 3;
    HIT_MUST(hit_trial_run(hit, &trial, &trial.whole, &m));
    ck_assert_int_eq(nap_indices(), (m.reps + 2) * 600 * 500); /* two are dropped */
    hit_close(&hit);
}
END_TEST

/* Factors so unlike need no interval. */
START_TEST(a_rough_difference_is_enough)
{
    hit_trial trial = {.kernel = &nap,
                       .whole = hit_domain_of(100, 100),
                       .rough = 0.3,
                       .measure = {.reps_min = 5, .reps_max = 5}};
    hit_context *hit = open_played("host;host:slow=2");
    hit_measure m;

    HIT_MUST(hit_trial_run(hit, &trial, &trial.whole, &m));
    ck_assert(on_all(m.reps == (hit_size(hit) > 1 ? 3 : 5)));
    hit_close(&hit);
}
END_TEST

START_TEST(an_empty_part_waits_for_the_others)
{
    hit_trial trial = {.kernel = &nap, .whole = hit_domain_of(100, 100)};
    const hit_domain none = hit_domain_empty(2);
    hit_context *hit = open_played("host");
    hit_measure m;

    HIT_MUST(hit_trial_run(hit, &trial, hit_rank(base) == 0 ? &trial.whole : &none, &m));
    ck_assert_int_eq(m.units, hit_rank(base) == 0 ? 10000 : 0);
    ck_assert(on_all(hit_rank(base) == 0 ? m.reps >= 3 : m.reps == 0));
    HIT_MUST(hit_trial_run(hit, &trial, &none, &m));
    ck_assert_int_eq(m.reps, 0);
    hit_close(&hit);
}
END_TEST

START_TEST(what_takes_too_long_is_cut_off)
{
    hit_trial trial = {.kernel = &nap,
                       .whole = hit_domain_of(100, 100),
                       .measure = {.kill_s = hit_rank(base) == 0 ? 1e-4 : 10.0}};
    hit_context *hit = open_played("host");
    hit_measure m;

    HIT_MUST(hit_trial_run(hit, &trial, &trial.whole, &m));
    ck_assert(on_all(isinf(m.seconds) == (hit_rank(base) == 0)));
    ck_assert(
        on_all(hit_rank(base) == 0 ? m.verdict == HIT_MEASURE_KILLED : m.reps >= 3));
    hit_close(&hit);
}
END_TEST

/* Every kernel of the catalogue can be tried, with tiles made from its patterns; also
 * where a device has so little memory that superblocks begin. Not so those that are one
 * piece of work, for they want square blocks, nor those that want a tile of one row. */
START_TEST(every_kernel_of_the_catalogue_can_be_tried)
{
    const hit_options options = {.devices = "host:staged:memory=64KiB", .threads = 1};
    hit_context *staged = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &options, &staged));
    for (int k = 0; k < hit_kernel_table_count; k++) {
        hit_trial trial = {
            .kernel = hit_kernel_table[k], .extent = 12, .measure = {.reps_max = 3}};
        const hit_oracle *oracle;
        hit_index size[HIT_MAX_DIMS];
        hit_stats before;
        hit_stats after;
        hit_measure m;

        oracle = hit_oracle_find(trial.kernel->name);
        if (oracle != NULL && (oracle->one_index || oracle->row_arg > 0)) continue;
        for (int d = 0; d < HIT_MAX_DIMS; d++) {
            size[d] = trial.kernel->dims == 1   ? 30000
                      : trial.kernel->dims == 2 ? 150
                                                : 30;
        }
        trial.whole = hit_domain_of_sizes(trial.kernel->dims, size);
        hit_context_stats(staged, &before);
        HIT_MUST(hit_trial_run(base, &trial, &trial.whole, &m));
        ck_assert(m.seconds > 0 && isfinite(m.seconds));
        HIT_MUST(hit_trial_run(staged, &trial, &trial.whole, &m));
        ck_assert(m.seconds > 0 && isfinite(m.seconds));
        hit_context_stats(staged, &after);
        ck_assert_uint_eq(before.launches, after.launches); /* none of the program's */
        ck_assert_uint_le(after.device_peak_bytes, 64 << 10);
    }
    hit_close(&staged);
}
END_TEST

/* What the program has on the device gives way to the trial, and is not lost. */
START_TEST(tiles_on_the_device_survive_a_trial)
{
    const hit_options options = {.devices = "host:staged:memory=64KiB", .threads = 1};
    const hit_domain all = hit_domain_of(60 * hit_size(base), 60);
    hit_trial trial = {.kernel = &heat_float, .whole = hit_domain_of(80, 80)};
    hit_context *hit = NULL;
    hit_layout *layout = NULL;
    hit_tile *tile[2];
    hit_measure m;

    HIT_MUST(hit_open_with(NULL, NULL, &options, &hit));
    HIT_MUST(hit_layout_create(hit, all, "block:dims=0", &layout));
    for (int k = 0; k < 2; k++) {
        HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "tile", &tile[k]));
        HIT_MUST(hit_tile_fill(tile[k], &(float){2 + (float)k}));
    }
    HIT_MUST(hit_launch(hit, &axpy_in_two, all, tile[0], tile[1], HIT_VALUE(4.0f)));
    HIT_MUST(hit_trial_run(hit, &trial, &trial.whole, &m));
    ck_assert(isfinite(m.seconds));
    HIT_MUST(hit_launch(hit, &axpy_in_two, all, tile[0], tile[1], HIT_VALUE(4.0f)));
    for (int k = 0; k < 3; k++) {
        const hit_index x[] = {17 * k, 29 * k};
        float value = 0;

        HIT_MUST(hit_tile_get(tile[0], x, &value));
        ck_assert(value == 2 + 2 * 4 * 3);
        HIT_MUST(hit_tile_get(tile[1], x, &value));
        ck_assert(value == 3);
    }
    hit_tile_destroy(&tile[0]);
    hit_tile_destroy(&tile[1]);
    hit_layout_destroy(&layout);
    hit_close(&hit);
}
END_TEST

START_TEST(one_block_that_does_not_fit_takes_for_ever)
{
    const hit_options options = {.devices = "host:staged:memory=16", .threads = 1};
    hit_trial trial = {
        .kernel = &gemm_double, .whole = hit_domain_of(64, 64), .extent = 64};
    hit_context *hit = NULL;
    hit_measure m;

    HIT_MUST(hit_open_with(NULL, NULL, &options, &hit));
    HIT_MUST(hit_trial_run(hit, &trial, &trial.whole, &m));
    ck_assert(isinf(m.seconds));
    hit_close(&hit);
}
END_TEST

START_TEST(mistakes_are_errors_on_all)
{
    hit_trial trial = {.kernel = &nap, .whole = hit_domain_of(10, 10)};
    const hit_domain flat = hit_domain_of(10);
    hit_measure m;

    ck_assert_int_eq(hit_trial_run(NULL, &trial, &flat, &m), HIT_E_ARG);
    ck_assert_int_eq(hit_trial_run(base, &trial, NULL, &m), HIT_E_ARG);
    /* on one process only: the others must not wait for ever */
    ck_assert_int_eq(
        hit_trial_run(base, &trial, hit_rank(base) == 0 ? &flat : &trial.whole, &m),
        hit_rank(base) == 0 ? HIT_E_ARG : HIT_E_PEER);
    trial.piece = -1;
    ck_assert_int_eq(hit_trial_run(base, &trial, &trial.whole, &m), HIT_E_ARG);
    trial.piece = 0;
    trial.measure.relative_error = -1;
    ck_assert_int_eq(hit_trial_run(base, &trial, &trial.whole, &m), HIT_E_ARG);
    trial = (hit_trial){.kernel = &matvec_float, .whole = hit_domain_of(10)};
    ck_assert_int_eq(hit_trial_run(base, &trial, &trial.whole, &m), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "give its extent"));
}
END_TEST

START_TEST(keys_tell_what_times_depend_on)
{
    const hit_options options = {.devices = "host:slow=3", .threads = 1};
    hit_trial trial = {.kernel = &nap, .whole = hit_domain_of(40, 30)};
    const bool rows[] = {true, false};
    hit_model_key key;
    hit_model_key other;
    hit_context *slow = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &options, &slow));
    HIT_MUST(make_key(base, &trial, NULL, &key));
    ck_assert_str_eq(key.kernel, "nap *x*");
    HIT_MUST(make_key(base, &trial, rows, &other));
    ck_assert_str_eq(other.kernel, "nap *x30");
    ck_assert_str_eq(other.device, key.device);
    HIT_MUST(make_key(slow, &trial, NULL, &other));
    ck_assert_str_eq(other.kernel, key.kernel);
    ck_assert_str_ne(other.device, key.device);
    trial.kernel = &gemm_double;
    HIT_MUST(make_key(base, &trial, NULL, &key));
    ck_assert_str_eq(key.kernel, "gemm_double *x* k= 40x30");
    trial.extent = 256;
    HIT_MUST(make_key(base, &trial, NULL, &key));
    ck_assert_str_eq(key.kernel, "gemm_double *x* k=256");
    trial.piece = 1000;
    HIT_MUST(make_key(base, &trial, NULL, &key));
    ck_assert_str_eq(key.kernel, "gemm_double *x* k=256 by pieces");
    hit_close(&slow);
}
END_TEST

START_TEST(kernels_are_found_by_name)
{
    static const hit_kernel other = {.name = "nap"};
    const hit_kernel *found = NULL;
    hit_context *hit = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, NULL, &hit));
    HIT_MUST(hit_kernel_find(hit, "heat", &found));
    ck_assert_ptr_eq(found, &heat_float);
    HIT_MUST(hit_kernel_find(NULL, "gemm_double", &found));
    ck_assert_ptr_eq(found, &gemm_double);
    ck_assert_int_eq(hit_kernel_find(hit, "nap", &found), HIT_E_ARG);
    HIT_MUST(hit_kernel_register(hit, &nap));
    HIT_MUST(hit_kernel_register(hit, &nap));
    ck_assert_int_eq(hit_kernel_register(hit, &other), HIT_E_ARG);
    HIT_MUST(hit_kernel_find(hit, "nap", &found));
    ck_assert_ptr_eq(found, &nap);
    ck_assert_int_eq(hit_kernel_find(hit, "na", &found), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "kernel (nap, axpy_double"));
    hit_close(&hit);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("trial");
    TCase *tc = tcase_create("all");

    tcase_add_test(tc, a_kernel_of_known_time_is_measured);
    tcase_add_test(tc, a_large_part_is_measured_by_pieces);
    tcase_add_test(tc, a_rough_difference_is_enough);
    tcase_add_test(tc, an_empty_part_waits_for_the_others);
    tcase_add_test(tc, what_takes_too_long_is_cut_off);
    tcase_add_test(tc, every_kernel_of_the_catalogue_can_be_tried);
    tcase_add_test(tc, tiles_on_the_device_survive_a_trial);
    tcase_add_test(tc, one_block_that_does_not_fit_takes_for_ever);
    tcase_add_test(tc, mistakes_are_errors_on_all);
    tcase_add_test(tc, keys_tell_what_times_depend_on);
    tcase_add_test(tc, kernels_are_found_by_name);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
