/* SPDX-License-Identifier: MIT
 * Launches on the indices that elements of their arguments choose do what plain loops
 * with an if do, wherever they run; boxes without such an index cost nothing. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/context.h"
#include "hit/launch/launch_plan.h"
#include "hit/launch/launcher.h"
#include "tests/hit/launch/expect.h"
#include "tests/hit/launch/run_trials.h"

#include <stdlib.h>
#include <string.h>

extern const hit_kernel data_two, data_sea, data_around, data_ordered, data_wrong,
    data_int8_t, data_int16_t, data_int32_t, data_int64_t, data_uint8_t, data_uint16_t,
    data_uint32_t, data_uint64_t;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* Where there are some: the host does it. */
START_TEST(so_they_do_beside_gpus)
{
    const char *const gpu = "cuda:0 + host:threads=1:share=0";
    hit_context *hit = NULL;
    const hit_status status =
        hit_open_with(NULL, NULL, &(hit_options){.devices = gpu}, &hit);

    ck_assert(status == HIT_OK || status == HIT_E_ABSENT);
    hit_close(&hit);
    if (status == HIT_OK) run_trials(gpu, HIT_CHAIN_OFF, 574, hit_random_cases(16));
}
END_TEST

/* ---- types ---- */

static int64_t number_at(hit_index i, hit_index j)
{
    return (i * 37 + j * 11) % 100 - 50;
}

static void check_type(hit_context *hit, const hit_kernel *kernel, hit_type type,
                       int64_t low)
{
    const hit_domain all = hit_domain_of(20, 30);
    hit_tile *mask = NULL;
    hit_tile *y = NULL;
    int64_t expected = 0;
    int64_t found = 0;

    HIT_MUST(hit_tile_make(hit, all, "block", type, "mask", &mask));
    HIT_MUST(hit_tile_make(hit, all, "block", HIT_INT32, "y", &y));
    for (int p = 0; p < hit_tile_pieces(mask); p++) {
        hit_view view;

        HIT_MUST(hit_tile_map(mask, p, HIT_WRITE, &view));
        HIT_FOR_EACH (at, view.domain) {
            const int64_t number = number_at(at[0], at[1]);

            memcpy(hit_view_at(&view, at), &number, type.size_bytes); /* little endian */
        }
    }
    HIT_MUST(
        hit_launch(hit, kernel, all, y, mask, HIT_VALUE(low), HIT_WHERE("mask >= low")));
    HIT_FOR_EACH (at, all) {
        const int64_t wide = number_at(at[0], at[1]);
        const int unused = 64 - 8 * (int)type.size_bytes;
        const bool is_signed = type.kind <= HIT_KIND_INT64;
        const uint64_t narrow = (uint64_t)wide << unused >> unused;
        const bool holds = is_signed ? wide >= low : low < 0 || narrow >= (uint64_t)low;
        int32_t ran;

        HIT_MUST(hit_tile_get(y, at, &ran));
        found += ran != holds;
        expected += holds;
    }
    ck_assert_msg(found == 0, "%s: %d wrong, of %d", kernel->name, (int)found,
                  (int)expected);
    hit_tile_destroy(&mask);
    hit_tile_destroy(&y);
}

START_TEST(elements_are_of_any_whole_type)
{
    const struct {
        const hit_kernel *kernel;
        hit_type type;
    } of[] = {{&data_int8_t, HIT_INT8},     {&data_int16_t, HIT_INT16},
              {&data_int32_t, HIT_INT32},   {&data_int64_t, HIT_INT64},
              {&data_uint8_t, HIT_UINT8},   {&data_uint16_t, HIT_UINT16},
              {&data_uint32_t, HIT_UINT32}, {&data_uint64_t, HIT_UINT64}};
    const int64_t lows[] = {-1000, -3, 0, 7, 49, 50, 230, 1 << 20, INT64_MAX};
    hit_context *hit = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = "host"}, &hit));
    for (size_t k = 0; k < sizeof(of) / sizeof(of[0]); k++) {
        for (size_t l = 0; l < sizeof(lows) / sizeof(lows[0]); l++) {
            if (lows[l] > INT64_MAX / 2) continue; /* values stand in for 2^60 at most */
            check_type(hit, of[k].kernel, of[k].type, lows[l]);
        }
    }
    hit_close(&hit);
}
END_TEST

/* ---- no work, and no bytes, for what does not run ---- */

enum {
    N = 202
};

static bool is_nowhere(hit_index i, hit_index j)
{
    return i < 0 && j < 0;
}

static bool is_upper(hit_index i, hit_index j)
{
    return i < 40 && j >= 0;
}

static bool is_lake(hit_index i, hit_index j)
{
    return (i - 60) * (i - 60) + (j - 100) * (j - 100) < 900;
}

static bool is_everywhere(hit_index i, hit_index j)
{
    return i >= 0 && j >= 0;
}

/* What all processes do in a launch on the wet inner indices of a square. */
static hit_stats count(const char *place, bool (*wet)(hit_index i, hit_index j))
{
    const hit_domain all = hit_domain_of(N, N);
    hit_context *hit = NULL;
    hit_tile *x = NULL;
    hit_tile *y = NULL;
    hit_tile *sea = NULL;
    hit_stats stats;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = place}, &hit));
    HIT_MUST(hit_tile_make(hit, all, "block:dims=0", HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_make(hit, all, "block:dims=0", HIT_INT64, "y", &y));
    HIT_MUST(hit_tile_make(hit, all, "block:dims=0", HIT_BOOL, "sea", &sea));
    for (int p = 0; p < hit_tile_pieces(sea); p++) {
        hit_view view;

        HIT_MUST(hit_tile_map(sea, p, HIT_WRITE, &view));
        HIT_FOR_EACH (at, view.domain) {
            HIT_AT(view, bool, at[0], at[1]) = wet(at[0], at[1]);
        }
    }
    HIT_MUST(hit_launch(hit, &data_sea, hit_domain_grow(all, -1), y, x, sea,
                        HIT_WHERE("wet == 1")));
    HIT_MUST(hit_wait(hit));
    HIT_MUST(hit_context_stats_all(hit, &stats));
    hit_tile_destroy(&sea);
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_close(&hit);
    return stats;
}

START_TEST(nothing_is_done_for_what_does_not_run)
{
    const char *const staged = "host:threads=1:staged:memory=64KiB";
    const hit_stats all = count(staged, is_everywhere);
    const hit_stats none = count(staged, is_nowhere);
    const hit_stats upper = count(staged, is_upper);
    const hit_stats lake = count(staged, is_lake);
    const hit_domain square = hit_domain_of(N, N);
    hit_index wet = 0;

    HIT_FOR_EACH (at, square) {
        wet += is_lake(at[0], at[1]);
    }
    ck_assert_uint_eq(all.indices, 200 * 200);
    ck_assert_uint_eq(none.indices, 0);
    ck_assert_uint_eq(none.superblocks, 0);
    ck_assert_uint_eq(none.bytes_in + none.bytes_out, 0);
    ck_assert_uint_eq(none.message_bytes_sent, 0);
    ck_assert_uint_eq(upper.indices, 39 * 200);
    ck_assert_uint_lt(upper.superblocks, all.superblocks / 3);
    ck_assert_uint_lt(upper.bytes_in, all.bytes_in / 3);
    ck_assert_uint_lt(upper.bytes_out, all.bytes_out / 3);
    ck_assert_uint_eq(lake.indices, (uint64_t)wet);
    ck_assert_uint_lt(lake.bytes_out, all.bytes_out * 2 / 3);
    if (hit_size(base) > 2) {
        ck_assert_uint_lt(upper.message_bytes_sent, all.message_bytes_sent * 3 / 4);
    }
}
END_TEST

/* ---- devices of a process ---- */

/* How many of the indices a device of this process was given of the launch before. */
static hit_index given(const hit_context *hit, int device)
{
    const hit_launcher *launcher = hit->launcher;
    const hit_launch_plan *plan = launcher->plan[launcher->plans - 1];
    hit_index sum = 0;

    for (int k = 0; k < plan->parts; k++) {
        const hit_domain *index = &plan->part[k].index;

        for (hit_index i = index->sig[0].begin; i <= index->sig[0].end; i++) {
            hit_domain row = *index; /* of which the count is exact */

            row.sig[0] = hit_sig_make(i, i, 1);
            if (plan->part[k].device != device) break;
            sum += hit_where_count(plan->known->where, &row);
        }
    }
    return sum;
}

static void check_shares(const char *where)
{
    const char *const devices = "host:threads=1:share=3 + host:threads=1:share=1";
    const hit_domain all = hit_domain_of(240, 240);
    hit_context *hit = NULL;
    hit_tile *mask = NULL;
    hit_tile *y = NULL;
    hit_index fast;
    hit_index slow;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &hit));
    HIT_MUST(hit_tile_make(hit, all, "block", HIT_INT8, "mask", &mask));
    HIT_MUST(hit_tile_make(hit, all, "block", HIT_INT32, "y", &y));
    for (int p = 0; p < hit_tile_pieces(mask); p++) {
        hit_view view;

        HIT_MUST(hit_tile_map(mask, p, HIT_WRITE, &view));
        HIT_FOR_EACH (at, view.domain) {
            HIT_AT(view, int8_t, at[0], at[1]) =
                at[0] * at[1] % 240 > at[0] ? INT8_C(1) : INT8_C(0);
        }
    }
    HIT_MUST(hit_launch(hit, &data_int8_t, all, y, mask, HIT_VALUE((int64_t)0),
                        HIT_WHERE(where)));
    fast = given(hit, 0);
    slow = given(hit, 1);
    if (fast + slow > 2000) { /* a row or column of 240 is one range at most */
        ck_assert_msg(llabs(fast - 3 * slow) < (fast + slow) / 20 + 480, "%s: %lld %lld",
                      where, (long long)fast, (long long)slow);
    }
    hit_tile_destroy(&mask);
    hit_tile_destroy(&y);
    hit_close(&hit);
}

START_TEST(devices_share_the_indices_that_run)
{
    check_shares("j <= i");
    check_shares("j <= i and i < 100 or j > 150 and i < 30");
    check_shares("mask > low");
    check_shares("mask > low and i <= 3*j");
}
END_TEST

/* Every index of two islands runs in every launch, also while shares follow times. */
static void check_islands(const char *where, hit_index n, int launches)
{
    const char *const place =
        "host:threads=1:share=auto + host:threads=1 + host:threads=1:slow=50";
    const hit_domain all = hit_domain_of(n, n);
    const int64_t low = 0;
    hit_context *hit = NULL;
    hit_tile *y = NULL;
    hit_tile *mask = NULL;
    hit_view view;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = place}, &hit));
    HIT_MUST(hit_tile_make(hit, all, "block", HIT_INT32, "y", &y));
    HIT_MUST(hit_tile_make(hit, all, "block", HIT_INT64, "mask", &mask));
    for (int p = 0; p < hit_tile_pieces(mask); p++) {
        HIT_MUST(hit_tile_map(mask, p, HIT_WRITE, &view));
        HIT_FOR_EACH (x, view.domain) {
            HIT_AT(view, int64_t, x[0], x[1]) =
                (x[0] < 2 && x[1] < 2) || (x[0] >= n - 2 && x[1] >= n - 2);
        }
    }
    HIT_MUST(hit_tile_fill(y, &(int32_t){0}));
    for (int t = 0; t < launches; t++) {
        HIT_MUST(hit_launch(hit, &data_int64_t, all, y, mask, HIT_VALUE(low),
                            HIT_WHERE(where)));
    }
    for (int p = 0; p < hit_tile_pieces(y); p++) {
        HIT_MUST(hit_tile_map(y, p, HIT_READ, &view));
        HIT_FOR_EACH (x, view.domain) {
            const bool island =
                (x[0] < 2 && x[1] < 2) || (x[0] >= n - 2 && x[1] >= n - 2);
            const bool runs = where[0] == 'm' ? island : x[0] == 2 * x[1];

            ck_assert_int_eq(HIT_AT(view, int32_t, x[0], x[1]), runs ? launches : 0);
        }
    }
    hit_tile_destroy(&mask);
    hit_tile_destroy(&y);
    hit_close(&hit);
}

START_TEST(shares_that_follow_times_leave_no_index_out)
{
    check_islands("mask > low", 128, 60);
    check_islands("i == 2*j", 127, 60);
}
END_TEST

/* The same inequality of another argument is another question. */
START_TEST(questions_differ_by_the_arguments_that_they_ask)
{
    const hit_domain all = hit_domain_of(6, 6);
    const char *const where[] = {"a == 1 and c >= 2", "c == 1 and a >= 2",
                                 "a == 1 and c >= 2"};
    hit_context *hit = NULL;
    hit_tile *tile[3] = {NULL};
    hit_view view;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = "host"}, &hit));
    for (int k = 0; k < 3; k++) {
        HIT_MUST(hit_tile_make(hit, all, "block", HIT_INT64, "tile", &tile[k]));
        for (int p = 0; p < hit_tile_pieces(tile[k]) && k > 0; p++) {
            HIT_MUST(hit_tile_map(tile[k], p, HIT_WRITE, &view));
            HIT_FOR_EACH (x, view.domain) {
                HIT_AT(view, int64_t, x[0], x[1]) = x[k - 1];
            }
        }
    }
    for (int t = 0; t < 3; t++) {
        HIT_MUST(hit_tile_fill(tile[0], &(int64_t){0}));
        HIT_MUST(hit_launch(hit, &data_two, all, tile[0], tile[1], tile[2],
                            HIT_WHERE(where[t])));
        for (int p = 0; p < hit_tile_pieces(tile[0]); p++) {
            HIT_MUST(hit_tile_map(tile[0], p, HIT_READ, &view));
            HIT_FOR_EACH (x, view.domain) {
                const hit_index one = x[t % 2];
                const hit_index other = x[1 - t % 2];

                ck_assert_int_eq(HIT_AT(view, int64_t, x[0], x[1]),
                                 one == 1 && other >= 2);
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        hit_tile_destroy(&tile[k]);
    }
    hit_close(&hit);
}
END_TEST

/* ---- plans, and what is refused ---- */

START_TEST(a_mask_that_stays_is_planned_once)
{
    const hit_domain all = hit_domain_of(12, 12);
    hit_context *hit = NULL;
    hit_tile *x = NULL;
    hit_tile *y = NULL;
    hit_tile *sea = NULL;
    uint64_t before;
    const bool wet = true;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = "host"}, &hit));
    HIT_MUST(hit_tile_make(hit, all, "block", HIT_INT64, "x", &x));
    HIT_MUST(hit_tile_make(hit, all, "block", HIT_INT64, "y", &y));
    HIT_MUST(hit_tile_make(hit, all, "block", HIT_BOOL, "sea", &sea));
    HIT_MUST(hit_tile_fill(sea, &wet));
    before = hit->launcher->plans_made;
    for (int t = 0; t < 6; t++) {
        if (t == 4) HIT_MUST(hit_tile_fill(sea, &wet));
        HIT_MUST(hit_launch(hit, &data_sea, hit_domain_grow(all, -1), y, x, sea,
                            HIT_WHERE("wet == 1")));
    }
    ck_assert_uint_eq(hit->launcher->plans_made, before + 2);
    hit_tile_destroy(&sea);
    hit_tile_destroy(&x);
    hit_tile_destroy(&y);
    hit_close(&hit);
}
END_TEST

START_TEST(wrong_questions_are_refused)
{
    const struct {
        const char *where;
        const char *text;
    } wrong[] = {{"real > 0", "expected arguments of mode in and of whole numbers"},
                 {"y > 0", "expected arguments of mode in and of whole numbers"},
                 {"pair > 0", "of which an index touches one element"},
                 {"mask[i] > 0", "expected an argument by its name alone"},
                 {"mask > mask", "expected an argument on one side of a comparison"},
                 {"mask", "expected <=, <, >=, > or =="},
                 {"2*mask > 0", "expected no factor beside what stands in data"}};
    hit_context *hit = NULL;
    hit_tile *y = NULL;
    hit_tile *real = NULL;
    hit_tile *mask = NULL;
    const hit_domain all = hit_domain_of(9);

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = "host"}, &hit));
    HIT_MUST(hit_tile_make(hit, all, "block", HIT_INT64, "y", &y));
    HIT_MUST(hit_tile_make(hit, hit_domain_of(10), "block", HIT_INT64, "mask", &mask));
    HIT_MUST(hit_tile_make(hit, all, "block", HIT_DOUBLE, "real", &real));
    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        ck_assert_int_eq(hit_launch(hit, &data_wrong, all, y, real, mask, mask,
                                    HIT_WHERE(wrong[k].where)),
                         HIT_E_PATTERN);
        ck_assert_msg(strstr(hit_status_text(), wrong[k].text) != NULL, "%s: %s",
                      wrong[k].where, hit_status_text());
    }
    ck_assert_int_eq(hit_launch(hit, &data_ordered, all, y, mask, HIT_WHERE("mask > 0")),
                     HIT_E_PATTERN);
    ck_assert(strstr(hit_status_text(), "expected indices in any order") != NULL);
    hit_tile_destroy(&y);
    hit_tile_destroy(&mask);
    hit_tile_destroy(&real);
    hit_close(&hit);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit/launch/where_data");
    TCase *tests = tcase_create("where_data");

    tcase_set_timeout(tests, 0);
    add_trial_tests(tests, 74, 24, 6);
    tcase_add_test(tests, so_they_do_beside_gpus);
    tcase_add_test(tests, elements_are_of_any_whole_type);
    tcase_add_test(tests, nothing_is_done_for_what_does_not_run);
    tcase_add_test(tests, devices_share_the_indices_that_run);
    tcase_add_test(tests, shares_that_follow_times_leave_no_index_out);
    tcase_add_test(tests, questions_differ_by_the_arguments_that_they_ask);
    tcase_add_test(tests, a_mask_that_stays_is_planned_once);
    tcase_add_test(tests, wrong_questions_are_refused);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
