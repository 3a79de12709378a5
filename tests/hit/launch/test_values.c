/* SPDX-License-Identifier: MIT
 * Values in patterns: launches do what plain loops do, wherever they run; a loop over a
 * value keeps its plan where all is in place; what cannot be is told on all processes. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/context.h"
#include "hit/launch/launcher.h"
#include "hit/topo/layout.h"
#include "tests/hit/launch/expect.h"
#include "tests/hit/launch/run_trials.h"

#include <stdlib.h>
#include <string.h>

extern const hit_kernel moved_by, eliminate_by, above, spread, column_sum, real_shift,
    finer, rotated, looked_up, counted, gathered, wheeled;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* ---- the same as plain loops ---- */

static void try_shifted(scene *s)
{
    const hit_index n = pick(s, 5, 40);
    const hit_boundary boundary = pick(s, 0, 1) ? HIT_BOUNDARY_NONE : pick_boundary(s);
    field x = make_field(s, hit_domain_of(n), boundary, pick_layout(s, 1));
    field y = make_field(s, hit_domain_of(n), HIT_BOUNDARY_NONE, pick_layout(s, 1));

    for (int t = 0; t < 12; t++) {
        const hit_index d = pick(s, -3, 3);
        const bool open = boundary != HIT_BOUNDARY_NONE;
        const hit_domain box =
            hit_domain_box(1, (hit_index[]){open || d > 0 ? 0 : -d},
                           (hit_index[]){open || d < 0 ? n - 1 : n - 1 - d});

        note(s, hit_launch(s->hit, &moved_by, box, y.tile, x.tile, HIT_VALUE(d)),
             "moved_by");
        for (hit_index i = box.sig[0].begin; i <= box.sig[0].end; i++) {
            SLOT(&y, i) = 2 * WANT(&x, i + d) + i;
        }
        if (t % 3 == 2) { /* what was written is read next */
            const field kept = x;

            if (boundary != HIT_BOUNDARY_NONE) continue;
            x = y;
            y = kept;
        }
    }
    drop_field(s, &x);
    drop_field(s, &y);
}

static void try_eliminate(scene *s)
{
    const hit_index n = pick(s, 2, 14);
    field a = make_field(s, hit_domain_of(n, n), HIT_BOUNDARY_NONE, pick_layout(s, 2));

    for (hit_index k = 0; k < n - 1; k++) {
        const hit_domain box =
            hit_domain_box(2, (hit_index[]){k + 1, k + 1}, (hit_index[]){n - 1, n - 1});

        note(s,
             hit_launch(s->hit, &eliminate_by, box, a.tile, a.tile, a.tile, HIT_VALUE(k)),
             "eliminate_by");
        for (hit_index i = k + 1; i < n; i++) {
            for (hit_index j = k + 1; j < n; j++) {
                SLOT(&a, i, j) =
                    (SLOT(&a, i, j) - SLOT(&a, i, k) * SLOT(&a, k, j)) % 1009;
            }
        }
    }
    drop_field(s, &a);
}

static void try_above(scene *s)
{
    const hit_index n = pick(s, 1, 9);
    const hit_index m = pick(s, 1, 20);
    field x = make_field(s, hit_domain_of(n, m), HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field y = make_field(s, hit_domain_of(n, m), HIT_BOUNDARY_NONE, pick_layout(s, 2));

    for (hit_index k = 0; k < n; k++) { /* nothing is above the first one */
        note(s,
             hit_launch(s->hit, &above, hit_domain_of(m), y.tile, x.tile, HIT_VALUE(k)),
             "above");
        for (hit_index j = 0; j < m; j++) {
            SLOT(&y, k, j) = k;
            for (hit_index i = 0; i < k; i++) {
                SLOT(&y, k, j) += (i + 1) * SLOT(&x, i, j);
            }
        }
    }
    drop_field(s, &x);
    drop_field(s, &y);
}

static void try_spread(scene *s)
{
    const int32_t most = (int32_t)pick(s, 1, 5);
    const hit_index n = pick(s, 1, 12);
    field x =
        make_field(s, hit_domain_of(n + most), HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field y =
        make_field(s, hit_domain_of(n * most + 4), HIT_BOUNDARY_NONE, pick_layout(s, 1));

    for (int32_t d = 1; d <= most; d++) {
        const uint8_t o = (uint8_t)pick(s, 0, 4);

        note(s,
             hit_launch(s->hit, &spread, hit_domain_of(n), y.tile, x.tile, HIT_VALUE(d),
                        HIT_VALUE(o)),
             "spread");
        for (hit_index b = 0; b < n; b++) {
            int64_t sum = 0;

            for (hit_index t = b; t < b + d; t++) {
                sum = 3 * sum + SLOT(&x, t);
            }
            SLOT(&y, d * b + o) = sum;
        }
    }
    drop_field(s, &x);
    drop_field(s, &y);
}

static void try_column_sum(scene *s)
{
    const hit_index n = pick(s, 1, 20);
    const hit_index m = pick(s, 2, 9);
    field x = make_field(s, hit_domain_of(n, m), HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field y = make_field(s, hit_domain_of(1, m), HIT_BOUNDARY_NONE, pick_layout(s, 2));

    for (hit_index k = 0; k + 1 < m; k++) {
        note(s,
             hit_launch(s->hit, &column_sum, hit_domain_of(n), y.tile, x.tile,
                        HIT_VALUE(k)),
             "column_sum");
        SLOT(&y, 0, k) = 0;
        for (hit_index i = 0; i < n; i++) {
            SLOT(&y, 0, k) += SLOT(&x, i, k) - 2 * SLOT(&x, i, k + 1);
        }
    }
    drop_field(s, &x);
    drop_field(s, &y);
}

static hit_index part_of(hit_index a, hit_index n)
{
    return a >= 0 ? a / n : -((n - 1 - a) / n);
}

static hit_index rest_of(hit_index a, hit_index n)
{
    return a - n * part_of(a, n);
}

static void try_finer(scene *s)
{
    const int32_t by = (int32_t)pick(s, 1, 4);
    const hit_domain box = random_box(s, 2, 9);
    const hit_sig row = box.sig[0];
    const hit_sig column = box.sig[1];
    const hit_domain coarse = hit_domain_box(
        2, (hit_index[]){part_of(row.begin, by), part_of(column.begin + 1, 2)},
        (hit_index[]){part_of(row.end, by) + 1, part_of(column.end + 1, 2)});
    const hit_domain part = random_part(s, &box);
    field y = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field x = make_field(s, coarse, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    hit_index of[HIT_MAX_DIMS];

    note(s, hit_launch(s->hit, &finer, part, y.tile, x.tile, HIT_VALUE(by)), "finer");
    for (bool go = hit_domain_first(&part, of); go; go = hit_domain_next(&part, of)) {
        const hit_index i = part_of(of[0], by);
        const hit_index j = part_of(of[1] + 1, 2);

        SLOT(&y, of[0], of[1]) = SLOT(&x, i, j) + 3 * SLOT(&x, i + 1, j) + of[0] - of[1];
    }
    drop_field(s, &x);
    drop_field(s, &y);
}

static void try_rotated(scene *s)
{
    const hit_index n = pick(s, 1, 40);
    field y = make_field(s, hit_domain_of(n), HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field x = make_field(s, hit_domain_of(n), HIT_BOUNDARY_NONE, pick_layout(s, 1));

    for (int t = 0; t < 3; t++) {
        const hit_domain part = random_part(s, &y.domain);
        const hit_index by = pick(s, -50, 50);

        note(s,
             hit_launch(s->hit, &rotated, part, y.tile, x.tile, HIT_VALUE(by),
                        HIT_VALUE(n)),
             "rotated");
        for (hit_index i = part.sig[0].begin; i <= part.sig[0].end;
             i += part.sig[0].stride) {
            SLOT(&y, i) = 2 * SLOT(&x, i + by - n * part_of(i + by, n)) - i;
        }
    }
    drop_field(s, &x);
    drop_field(s, &y);
}

static hit_index gcd(hit_index a, hit_index b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* Of a tile that has what is touched, and few others: indices that lead past n once. */
static void try_wrapped(scene *s)
{
    const hit_index n = pick(s, 2, 12);
    const hit_index stride = pick(s, 1, n - 1);
    const hit_index count = pick(s, 2, (n - 1) / stride + 1);
    const hit_index by = pick(s, -n, n);
    const hit_domain part = {1, {hit_sig_make(0, (count - 1) * stride, stride)}};
    field y = make_field(s, hit_domain_of(n), HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field x = make_field(s, hit_domain_of(n), HIT_BOUNDARY_NONE, pick_layout(s, 1));
    const hit_index first = rest_of(by, n);
    hit_sig held = hit_sig_make(first, first, 1);
    hit_index step = 0;
    hit_tile *some = NULL;

    for (hit_index k = 1; k < count; k++) {
        const hit_index at = rest_of(by + k * stride, n);

        held.begin = at < held.begin ? at : held.begin;
        held.end = at > held.end ? at : held.end;
        step = gcd(step, at > first ? at - first : first - at);
    }
    held = hit_sig_make(held.begin, held.end, step > 0 ? step : 1);
    note(s, hit_tile_select(x.tile, (hit_domain){1, {held}}, &some), "selected");
    note(s, hit_launch(s->hit, &rotated, part, y.tile, some, HIT_VALUE(by), HIT_VALUE(n)),
         "wrapped");
    for (hit_index i = 0; i < count * stride; i += stride) {
        SLOT(&y, i) = 2 * SLOT(&x, rest_of(i + by, n)) - i;
    }
    hit_tile_destroy(&some);
    drop_field(s, &x);
    drop_field(s, &y);
}

static void try_looked_up(scene *s)
{
    const hit_domain box = random_box(s, 2, 9);
    const hit_domain part = random_part(s, &box);
    field y = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field x = make_field(s, hit_domain_of(5), HIT_BOUNDARY_NONE, pick_layout(s, 1));
    hit_index of[HIT_MAX_DIMS];

    note(s, hit_launch(s->hit, &looked_up, part, y.tile, x.tile), "looked_up");
    for (bool go = hit_domain_first(&part, of); go; go = hit_domain_next(&part, of)) {
        const hit_index from = 2 * of[1] - of[0];

        SLOT(&y, of[0], of[1]) = SLOT(&x, from - 5 * part_of(from, 5)) + 7 * of[1];
    }
    drop_field(s, &x);
    drop_field(s, &y);
}

static void try_counted(scene *s)
{
    const hit_index n = pick(s, 1, 60);
    const hit_index by = pick(s, 1, 9);
    const hit_index parts = (n - 1) / by + 1;
    field x = make_field(s, hit_domain_of(n), HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field y = make_field(s, hit_domain_of(parts), HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field z = make_field(s, hit_domain_of(by), HIT_BOUNDARY_NONE, pick_layout(s, 1));

    note(s,
         hit_launch(s->hit, &counted, hit_domain_of(n), y.tile, z.tile, x.tile,
                    HIT_VALUE(by)),
         "counted");
    memset(y.want, 0, sizeof(int64_t) * (size_t)parts);
    memset(z.want, 0, sizeof(int64_t) * (size_t)(by < n ? by : n));
    for (hit_index i = 0; i < n; i++) {
        SLOT(&y, i / by) += SLOT(&x, i);
        SLOT(&z, i % by) += SLOT(&x, i) * i;
    }
    drop_field(s, &x);
    drop_field(s, &y);
    drop_field(s, &z);
}

static void try_gathered(scene *s)
{
    const hit_index n = pick(s, 1, 60);
    const hit_index by = pick(s, 1, 9);
    const hit_index first = pick(s, 0, n - 1);
    const hit_domain part = {1, {hit_sig_make(first, n - 1, by)}};
    field x = make_field(s, hit_domain_of(n), HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field y = make_field(s, hit_domain_of((n - 1) / by + 1), HIT_BOUNDARY_NONE,
                         pick_layout(s, 1));

    note(s, hit_launch(s->hit, &gathered, part, y.tile, x.tile, HIT_VALUE(by)),
         "gathered");
    for (hit_index i = first; i < n; i += by) {
        SLOT(&y, i / by) += 2 * SLOT(&x, i);
    }
    drop_field(s, &x);
    drop_field(s, &y);
}

const trial trials[] = {{"moved_by", try_shifted},      {"eliminate_by", try_eliminate},
                        {"above", try_above},           {"spread", try_spread},
                        {"column_sum", try_column_sum}, {"finer", try_finer},
                        {"rotated", try_rotated},       {"wrapped", try_wrapped},
                        {"looked_up", try_looked_up},   {"counted", try_counted},
                        {"gathered", try_gathered}};
const int trial_count = sizeof(trials) / sizeof(trials[0]);

static const char *const places[] = {
    "host:threads=2", "host:threads=1:staged:memory=64KiB",
    "host:threads=1:staged:memory=1100", "host:threads=1 + host:threads=2",
    "host:threads=1:memory=1500 + host:threads=1"};

START_TEST(launches_do_what_plain_loops_do)
{
    run_trials(places[_i], HIT_CHAIN_OFF, 36 + (uint64_t)_i, hit_random_cases(12));
}
END_TEST

START_TEST(so_do_chains)
{
    run_trials(places[_i], 16, 136 + (uint64_t)_i, hit_random_cases(6));
}
END_TEST

START_TEST(each_access_is_in_its_pattern)
{
    run_trials_checked(places[_i], 236 + (uint64_t)_i, 2);
}
END_TEST

START_TEST(schedulers_run_them)
{
    run_trials_scheduled(places[3], 336, 4);
}
END_TEST

/* ---- plans ---- */

/* Launches of a loop over k, and how many plans were made for them. */
static uint64_t plans_of_loop(hit_context *hit, hit_index n)
{
    const uint64_t before = hit->launcher->plans_made;
    hit_tile *a = NULL;

    HIT_MUST(hit_tile_make(hit, hit_domain_of(n, n), "single", HIT_INT64, "a", &a));
    for (hit_index k = 0; k < n - 1; k++) {
        HIT_MUST(hit_launch(
            hit, &eliminate_by,
            hit_domain_box(2, (hit_index[]){k + 1, k + 1}, (hit_index[]){n - 1, n - 1}),
            a, a, a, HIT_VALUE(k)));
    }
    hit_tile_destroy(&a);
    return hit->launcher->plans_made - before;
}

START_TEST(a_loop_over_a_value_keeps_its_plan)
{
    hit_context *hit = NULL;

    HIT_MUST(
        hit_open_with(NULL, NULL, &(hit_options){.devices = "host:threads=1"}, &hit));
    ck_assert_uint_eq(plans_of_loop(hit, 60), 1);
    ck_assert_uint_eq(plans_of_loop(hit, 60), 0);
    ck_assert_int_eq(hit->launcher->plans, 1);
    hit_close(&hit);
}
END_TEST

/* Kernels with numbers go, too. */
START_TEST(few_of_many_numbers_are_kept)
{
    hit_context *hit = NULL;
    hit_tile *x = NULL;
    hit_tile *y = NULL;

    HIT_MUST(
        hit_open_with(NULL, NULL, &(hit_options){.devices = "host:threads=1"}, &hit));
    HIT_MUST(hit_tile_make(hit, hit_domain_of(9000), "single", HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_make(hit, hit_domain_of(9000), "single", HIT_INT64, "y", &y));
    for (hit_index k = 0; k < 3 * HIT_MAX_KERNELS; k++) {
        HIT_MUST(hit_launch(hit, &moved_by, hit_domain_of(5), y, x, HIT_VALUE(k)));
        ck_assert_int_le(hit->launcher->kernels, HIT_MAX_KERNELS);
    }
    ck_assert_int_eq(hit->launcher->plans, 1);
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_close(&hit);
}
END_TEST

/* ---- what is wrong ---- */

START_TEST(what_cannot_be_is_told)
{
    const hit_domain some = hit_box_of(3, 12);
    const uint64_t huge = UINT64_MAX;
    hit_kernel_arg arg[3] = {moved_by.arg[0], moved_by.arg[1], moved_by.arg[2]};
    expectations e = expect_open(NULL);
    hit_kernel wide = moved_by;

    arg[2].type = HIT_UINT64;
    wide.arg = arg;
    expect_failure(&e,
                   hit_launch(e.hit, &moved_by, hit_domain_of(EXPECT_N), e.now, e.next,
                              HIT_VALUE((hit_index){2})),
                   HIT_E_PATTERN, "beyond the tile",
                   "kernel moved_by, argument x|the pattern \"[i+s]\" with s = 2 touches "
                   "2:24, but the tile has 0:22");
    expect_failure(&e,
                   hit_launch(e.hit, &real_shift, some, e.next, e.now, HIT_VALUE(1.0)),
                   HIT_E_PATTERN, "a real number",
                   "kernel real_shift, argument x|whole numbers in \"[i+s]\" but found "
                   "s, which is double");
    expect_failure(&e, hit_launch(e.hit, &wide, some, e.next, e.now, HIT_VALUE(huge)),
                   HIT_E_ARG, "too large",
                   "argument s: expected a value of 64 bits with a sign");
    expect_failure(
        &e,
        hit_launch(e.hit, &moved_by, some, e.next, e.now, HIT_VALUE((hit_index)1 << 61)),
        HIT_E_PATTERN, "far away", "number up to 2^60, found 2305843009213693952|[i+s]");
    expect_failure(&e,
                   hit_launch(e.hit, &rotated, some, e.next, e.now,
                              HIT_VALUE((hit_index){1}), HIT_VALUE((hit_index){0})),
                   HIT_E_PATTERN, "a divisor of 0",
                   "kernel rotated, argument x|a divisor >= 1, found 0|[(i+s)%n]");
    expect_failure(
        &e, hit_launch(e.hit, &gathered, some, e.next, e.now, HIT_VALUE((hit_index){4})),
        HIT_E_PATTERN, "a quotient of neighbours",
        "pattern \"[i/n]\" with n = 4 indices 4:4 and 5:5 both touch element 1:1");
    expect_failure(
        &e, hit_launch(e.hit, &wheeled, some, e.next, e.now, HIT_VALUE((hit_index){7})),
        HIT_E_PATTERN, "a remainder of indices far apart",
        "pattern \"[i%n]\" with n = 7 indices 3:3 and 10:10 both touch element "
        "3:3");
    expect_close(&e);
}
END_TEST

START_TEST(unlike_numbers_are_told)
{
    expectations e = expect_open(NULL);
    const bool several = hit_size(e.hit) > 1;
    const hit_index other = several && hit_rank(e.hit) == hit_size(e.hit) - 1;
    const hit_domain some = hit_box_of(3, 12);
    hit_tile *x = NULL;
    hit_tile *y = NULL;
    hit_status found;

    found = hit_launch(e.hit, &moved_by, some, e.next, e.now, HIT_VALUE(other));
    if (several) {
        expect_failure(&e, found, HIT_E_ARG, "the first launch",
                       "hit_launch(moved_by, 3:12, next of 0:22, now of 0:22, s = 0)|s = "
                       "1)");
    }
    HIT_MUST(hit_tile_make(e.hit, hit_domain_of(20), "single", HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_make(e.hit, hit_domain_of(20), "single", HIT_INT64, "y", &y));
    for (hit_index s = 0; s < 2; s++) { /* both are known then */
        HIT_MUST(hit_launch(e.hit, &moved_by, some, y, x, HIT_VALUE(s)));
    }
    found = hit_launch(e.hit, &moved_by, some, y, x, HIT_VALUE(other));
    expect_true(&e, found == HIT_OK, "the launch itself succeeds");
    found = hit_barrier(e.hit);
    if (several) {
        expect_failure(&e, found, HIT_E_ARG, "a launch before it",
                       "with the same values in patterns|before hit_barrier()");
    }
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    expect_close(&e);
}
END_TEST

static Suite *suite(void)
{
    const int count = sizeof(places) / sizeof(places[0]);
    Suite *made = suite_create("hit/launch/values");
    TCase *tests = tcase_create("values");

    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, launches_do_what_plain_loops_do, 0, count);
    tcase_add_loop_test(tests, so_do_chains, 0, count);
    tcase_add_loop_test(tests, each_access_is_in_its_pattern, 0, count);
    tcase_add_test(tests, schedulers_run_them);
    tcase_add_test(tests, a_loop_over_a_value_keeps_its_plan);
    tcase_add_test(tests, few_of_many_numbers_are_kept);
    tcase_add_test(tests, what_cannot_be_is_told);
    tcase_add_test(tests, unlike_numbers_are_told);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
