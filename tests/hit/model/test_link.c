/* SPDX-License-Identifier: MIT
 * Links: fits find what made the samples, and packing follows the model. */
#include "hit/model/link.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <math.h>

static double uniform(hit_random *random, double low, double high)
{
    return low + (high - low) * (double)hit_random_index(random, 0, 1000000) / 1e6;
}

static hit_link random_link(hit_random *random)
{
    return (hit_link){.latency_s = uniform(random, 1e-7, 1e-4),
                      .run_s = uniform(random, 1e-9, 1e-6),
                      .byte_s = uniform(random, 1e-11, 1e-9)};
}

static int make_samples(const hit_link *link, hit_link_sample sample[])
{
    static const double run[] = {0, 16, 64, 2048};
    static const double size[] = {4096, 65536, 1 << 20, 1 << 22};
    int count = 0;

    for (int r = 0; r < 4; r++) {
        for (int s = 0; s < 4; s++) {
            const double runs = r == 0 ? 1 : size[s] / run[r];

            sample[count++] =
                (hit_link_sample){runs, size[s], hit_link_time(link, runs, size[s])};
        }
    }
    return count;
}

START_TEST(a_fit_finds_the_link_that_made_the_samples)
{
    hit_random random = {7};

    for (int round = 0; round < 200; round++) {
        const hit_link made = random_link(&random);
        hit_link_sample sample[16];
        const int count = make_samples(&made, sample);
        hit_link found;

        ck_assert_int_eq(hit_link_fit(count, sample, &found), HIT_OK);
        ck_assert_double_eq_tol(found.latency_s, made.latency_s, 1e-3 * made.latency_s);
        ck_assert_double_eq_tol(found.run_s, made.run_s, 1e-3 * made.run_s);
        ck_assert_double_eq_tol(found.byte_s, made.byte_s, 1e-3 * made.byte_s);
    }
}
END_TEST

START_TEST(no_cost_of_a_fit_is_negative_and_noise_changes_times_little)
{
    hit_random random = {8};

    for (int round = 0; round < 200; round++) {
        const hit_link made = random_link(&random);
        hit_link_sample sample[16];
        const int count = make_samples(&made, sample);
        hit_link found;

        for (int k = 0; k < count; k++) {
            sample[k].seconds *= uniform(&random, 0.8, 1.2);
        }
        ck_assert_int_eq(hit_link_fit(count, sample, &found), HIT_OK);
        ck_assert(found.latency_s >= 0 && found.run_s >= 0 && found.byte_s >= 0);
        for (int k = 0; k < count; k++) {
            const double was = hit_link_time(&made, sample[k].runs, sample[k].bytes);
            const double is = hit_link_time(&found, sample[k].runs, sample[k].bytes);

            ck_assert_double_eq_tol(is, was, 0.35 * was);
        }
    }
}
END_TEST

START_TEST(few_samples_are_explained_by_few_costs)
{
    const hit_link_sample one = {1, 1e6, 1e-4};
    const hit_link_sample two[] = {{1, 100, 2e-6}, {1, 1e6, 1.02e-4}};
    const hit_link_sample falls[] = {{1, 100, 2e-6}, {1, 200, 1e-6}};
    const hit_link_sample never = {1, 100, INFINITY};
    hit_link link;

    ck_assert_int_eq(hit_link_fit(1, &one, &link), HIT_OK);
    ck_assert_double_eq_tol(hit_link_time(&link, 1, 1e6), 1e-4, 1e-12);
    ck_assert_int_eq(hit_link_fit(2, two, &link), HIT_OK);
    ck_assert_double_eq_tol(hit_link_time(&link, 1, 100), 2e-6, 1e-10);
    ck_assert_double_eq_tol(link.byte_s, 1e-10, 1e-12);
    ck_assert_int_eq(hit_link_fit(2, falls, &link), HIT_OK);
    ck_assert(link.latency_s >= 1e-6 && link.byte_s >= 0);
    ck_assert_int_eq(hit_link_fit(0, NULL, &link), HIT_E_ARG);
    ck_assert_int_eq(hit_link_fit(1, &never, &link), HIT_E_ARG);
}
END_TEST

START_TEST(packing_is_the_faster_way_of_the_model)
{
    hit_random random = {9};
    int packed = 0;

    for (int round = 0; round < 2000; round++) {
        hit_links links = {.known = (1u << HIT_LINK_NAMES) - 1};
        const hit_link_name way = round % 2 == 0 ? HIT_LINK_IN : HIT_LINK_OUT;
        const hit_link_name other =
            way == HIT_LINK_IN ? HIT_LINK_IN_PACKED : HIT_LINK_OUT_PACKED;
        const double runs = (double)hit_random_index(&random, 2, 5000);
        const double bytes = runs * (double)hit_random_index(&random, 1, 10000);
        double direct_s;
        double packed_s;

        links.link[way] = random_link(&random);
        links.link[other] = random_link(&random);
        direct_s = hit_link_time(&links.link[way], runs, bytes);
        packed_s = hit_link_time(&links.link[other], runs, bytes);
        ck_assert_int_eq(hit_link_packs(&links, way, runs, bytes), packed_s < direct_s);
        ck_assert_double_eq(hit_links_time(&links, way, runs, bytes),
                            packed_s < direct_s ? packed_s : direct_s);
        ck_assert(!hit_link_packs(&links, way, 1, bytes));
        packed += packed_s < direct_s;
    }
    ck_assert_int_gt(packed, 100);
    ck_assert_int_lt(packed, 1900);
}
END_TEST

START_TEST(without_measurements_runs_of_less_than_16_bytes_are_packed)
{
    const hit_links none = {0};
    const hit_links half = {
        .known = 1u << HIT_LINK_IN,
        .link = {[HIT_LINK_IN] = {.latency_s = 1e-3, .run_s = 1e-3, .byte_s = 1e-3}}};

    ck_assert(hit_link_packs(&none, HIT_LINK_IN, 100, 100 * 15.0));
    ck_assert(!hit_link_packs(&none, HIT_LINK_IN, 100, 100 * 17.0));
    ck_assert(!hit_link_packs(&half, HIT_LINK_IN, 2, 2 * 17.0));
    ck_assert(hit_link_packs(&half, HIT_LINK_OUT, 2, 2 * 15.0));
    ck_assert(isnan(hit_links_time(&none, HIT_LINK_IN, 1, 1)));
    ck_assert(isnan(hit_links_time(&half, HIT_LINK_OUT, 1, 1)));
}
END_TEST

START_TEST(links_have_names)
{
    ck_assert_str_eq(hit_link_text(HIT_LINK_IN), "in");
    ck_assert_str_eq(hit_link_text(HIT_LINK_OUT_PACKED), "out_packed");
    ck_assert_str_eq(hit_link_text(HIT_LINK_MESSAGE), "message");
    ck_assert_str_eq(hit_link_text(HIT_LINK_NAMES), "unknown");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("link");
    TCase *tests = tcase_create("link");

    tcase_add_test(tests, a_fit_finds_the_link_that_made_the_samples);
    tcase_add_test(tests, no_cost_of_a_fit_is_negative_and_noise_changes_times_little);
    tcase_add_test(tests, few_samples_are_explained_by_few_costs);
    tcase_add_test(tests, packing_is_the_faster_way_of_the_model);
    tcase_add_test(tests, without_measurements_runs_of_less_than_16_bytes_are_packed);
    tcase_add_test(tests, links_have_names);
    suite_add_tcase(suite, tests);
    return check_run(suite);
}
