/* SPDX-License-Identifier: MIT
 * The optimal partition against trying all loads of all processes, sums of sets against
 * adding all pairs, and cases that are large or hard. */
#include "layouts/partition/algorithms.h"
#include "layouts/partition/partition_impl.h"
#include "tests/layouts/partition/partition_case.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

START_TEST(it_equals_brute_force_on_speeds_of_any_shape)
{
    partition_check_best(hit_partition_optimal, CASE_CONSTANT, CASE_PLATEAU, 6000, 41);
}
END_TEST

START_TEST(it_equals_brute_force_on_tables)
{
    partition_check_best(hit_partition_optimal, CASE_TABLE, CASE_GAPS, 4000, 42);
}
END_TEST

START_TEST(it_equals_brute_force_on_mixtures)
{
    partition_check_best(hit_partition_optimal, CASE_CONSTANT, CASE_GAPS, 6000, 43);
}
END_TEST

START_TEST(the_automatic_choice_equals_brute_force_too)
{
    partition_check_best(hit_partition_fpm, CASE_CONSTANT, CASE_GAPS, 6000, 44);
}
END_TEST

/** Random spans within 0..@p top, begun with 0 every second time. */
static hit_spans random_set(hit_random *random, hit_index top, hit_index longest)
{
    hit_spans set = {0};
    hit_index at = hit_random_index(random, 0, 1);

    while (at <= top && hit_random_index(random, 0, 40) > 0) {
        hit_index last = at + hit_random_index(random, 0, longest - 1);

        HIT_MUST(hit_spans_append(&set, at, last < top ? last : top));
        at = last + 1 + hit_random_index(random, 1, 3);
    }
    return set;
}

START_TEST(sums_of_sets_are_all_sums_of_pairs)
{
    hit_random random = hit_random_start(45);

    for (int k = 0; k < hit_random_cases(3000); k++) {
        hit_index top = hit_random_index(&random, 1, 400);
        hit_index most = hit_random_index(&random, 0, 900);
        hit_spans a = random_set(&random, top, k % 2 ? 1 : 9);
        hit_spans b = random_set(&random, top, k % 3 ? 1 : 5);
        hit_spans sums = {0};
        bool want[1000] = {false};
        bool good = true;

        for (hit_index x = 0; x <= top; x++) {
            for (hit_index y = 0; y <= top && fpm_case_has(&a, x); y++) {
                if (fpm_case_has(&b, y) && x + y <= most) want[x + y] = true;
            }
        }
        HIT_MUST(hit_sumset(&a, &b, most, &sums));
        for (hit_index x = 0; x < 1000; x++) {
            good = good && fpm_case_has(&sums, x) == want[x];
        }
        for (size_t s = 1; s < sums.count; s++) { /* ascending, and do not touch */
            good = good && sums.span[s].first > sums.span[s - 1].last + 1;
        }
        hit_spans_clear(&a);
        hit_spans_clear(&b);
        hit_spans_clear(&sums);
        ck_assert_msg(good, "case %d", k);
    }
}
END_TEST

START_TEST(sums_do_not_overflow)
{
    hit_span spans[] = {{0, 0}, {INT64_MAX - 5, INT64_MAX}};
    hit_spans set = {2, 2, spans};
    hit_spans sums = {0};

    HIT_MUST(hit_sumset(&set, &set, INT64_MAX, &sums));
    ck_assert_uint_eq(sums.count, 2);
    ck_assert_int_eq(sums.span[1].first, INT64_MAX - 5);
    ck_assert_int_eq(sums.span[1].last, INT64_MAX);
    hit_spans_clear(&sums);
}
END_TEST

/** @p count random models of @p shape for loads up to @p most, without caps. */
static hit_fpm **make_models(hit_random *random, fpm_case_shape shape, int count,
                             hit_index most)
{
    hit_fpm **model = calloc((size_t)count, sizeof *model);

    if (model == NULL) abort();
    for (int i = 0; i < count; i++) {
        fpm_case one = fpm_case_random(random, shape, most);

        one.cap = INT64_MAX;
        one.point[0].value = fmax(one.point[0].value, 1.0);
        model[i] = fpm_case_model(&one);
    }
    return model;
}

static void drop_models(hit_fpm **model, int count)
{
    for (int i = 0; i < count; i++) {
        hit_fpm_destroy(&model[i]);
    }
    free(model);
}

START_TEST(ten_thousand_processes_and_10_to_the_15_units_are_fine)
{
    hit_random random = hit_random_start(46);
    const hit_index n = INT64_C(1000000000000000);

    for (int shape = CASE_CONSTANT; shape < CASE_TABLE; shape++) {
        int parts = shape == CASE_RAGGED ? 10000 : 2000;
        hit_fpm **model = make_models(&random, (fpm_case_shape)shape, parts, n / 2000);

        partition_check_sound(hit_partition_fpm, n, parts, (const hit_fpm *const *)model,
                              1.0);
        partition_check_sound(hit_partition_optimal, n, parts,
                              (const hit_fpm *const *)model, 1.0);
        drop_models(model, parts);
    }
}
END_TEST

/** A table of random times for loads of 1..count grains. */
static hit_fpm *random_table(hit_random *random, int count, hit_index grain)
{
    hit_fpm_point *point = calloc((size_t)count, sizeof *point);
    hit_fpm *fpm = NULL;

    if (point == NULL) abort();
    for (int k = 0; k < count; k++) {
        double work = (double)(k + 1) * (double)hit_random_index(random, 500, 1500);

        point[k] = (hit_fpm_point){(double)(k + 1) * (double)grain, work / 1000.0, 1.0};
    }
    HIT_MUST(hit_fpm_create(HIT_FPM_TABLE, (size_t)count, point, &fpm));
    free(point);
    return fpm;
}

START_TEST(large_ragged_tables_are_fine)
{
    hit_random random = hit_random_start(47);
    hit_fpm *model[8];

    for (int parts = 1; parts <= 8; parts++) {
        hit_index n = parts == 1 ? 17000 : 10000 * parts;

        for (int i = 0; i < parts; i++) {
            model[i] = random_table(&random, 20000, 1);
        }
        partition_check_sound(hit_partition_optimal, n, parts,
                              (const hit_fpm *const *)model, 1.0);
        for (int i = 0; i < parts; i++) {
            hit_fpm_destroy(&model[i]);
        }
    }
}
END_TEST

START_TEST(loads_that_are_multiples_cost_as_few_as_their_grains)
{
    hit_random random = hit_random_start(48);
    const hit_index grain = INT64_C(1000000000);
    hit_fpm *model[20];
    partition_result found;

    for (int i = 0; i < 20; i++) {
        model[i] = random_table(&random, 1000, grain);
    }
    partition_check_sound(hit_partition_optimal, 9999 * grain, 20,
                          (const hit_fpm *const *)model, 1.0);
    found = partition_try(hit_partition_optimal, 9999 * grain + 1, 20,
                          (const hit_fpm *const *)model);
    ck_assert(found.sound);
    ck_assert_int_eq(found.status, HIT_E_LIMIT);
    for (int i = 0; i < 20; i++) {
        hit_fpm_destroy(&model[i]);
    }
}
END_TEST

START_TEST(times_that_fall_are_used)
{
    /* 100 units take 1 s, but 50 take 5 s: one process idles */
    const hit_fpm_point points[] = {{50, 10, 1}, {100, 100, 1}};
    hit_fpm *fpm = NULL;
    const hit_fpm *model[2];
    hit_index share[2];
    hit_partition_info info;

    HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 2, points, &fpm));
    model[0] = fpm;
    model[1] = fpm;
    HIT_MUST(hit_partition_fpm(100, 2, model, share, &info));
    ck_assert_int_eq(share[0] + share[1], 100);
    ck_assert_int_eq(share[0] * share[1], 0);
    ck_assert_double_eq_tol(info.makespan_s, 1.0, 1e-12);
    ck_assert_str_eq(info.algorithm, "optimal");
    ck_assert_int_eq(hit_partition_gpa(100, 2, model, share, &info), HIT_E_ARG);
    hit_fpm_destroy(&fpm);
}
END_TEST

START_TEST(what_is_impossible_or_wrong_is_told)
{
    hit_fpm *fpm = NULL;
    hit_fpm *empty = NULL;
    const hit_fpm *model[2];
    hit_index share[2];

    HIT_MUST(hit_fpm_constant(0.0, &fpm));
    HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, &empty));
    model[0] = fpm;
    model[1] = fpm;
    ck_assert_int_eq(hit_partition_optimal(1, 2, model, share, NULL), HIT_E_LIMIT);
    ck_assert_int_eq(hit_partition_optimal(0, 2, model, share, NULL), HIT_OK);
    ck_assert_int_eq(share[0] + share[1], 0);
    ck_assert_int_eq(hit_partition_optimal(-1, 2, model, share, NULL), HIT_E_ARG);
    ck_assert_int_eq(hit_partition_optimal(1, 0, model, share, NULL), HIT_E_ARG);
    model[1] = empty;
    ck_assert_int_eq(hit_partition_optimal(1, 2, model, share, NULL), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "process 1"));
    hit_fpm_destroy(&fpm);
    hit_fpm_destroy(&empty);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("optimal");
    TCase *tcase = tcase_create("optimal");

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, it_equals_brute_force_on_speeds_of_any_shape);
    tcase_add_test(tcase, it_equals_brute_force_on_tables);
    tcase_add_test(tcase, it_equals_brute_force_on_mixtures);
    tcase_add_test(tcase, the_automatic_choice_equals_brute_force_too);
    tcase_add_test(tcase, sums_of_sets_are_all_sums_of_pairs);
    tcase_add_test(tcase, sums_do_not_overflow);
    tcase_add_test(tcase, ten_thousand_processes_and_10_to_the_15_units_are_fine);
    tcase_add_test(tcase, large_ragged_tables_are_fine);
    tcase_add_test(tcase, loads_that_are_multiples_cost_as_few_as_their_grains);
    tcase_add_test(tcase, times_that_fall_are_used);
    tcase_add_test(tcase, what_is_impossible_or_wrong_is_told);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
