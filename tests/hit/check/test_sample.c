/* SPDX-License-Identifier: MIT
 * Samples of random domains, against the definition: indices of the domain in its order,
 * with their numbers there, among them its corners and neighbours in each dimension. */
#include "hit/check/check_impl.h"
#include "hit/data/domain_set.h"
#include "tests/support/check_main.h"

enum {
    CASES = 300
};

static bool is_at_rim(const hit_domain *domain, const hit_index at[])
{
    for (int d = 0; d < domain->dims; d++) {
        if (at[d] != domain->sig[d].begin && at[d] != domain->sig[d].end) return false;
    }
    return true;
}

static hit_index number_of(const hit_domain *domain, const hit_index at[])
{
    hit_index number = 0;

    for (int d = 0; d < domain->dims; d++) {
        const hit_sig sig = domain->sig[d];

        number = number * hit_sig_count(sig) + hit_sig_position(sig, at[d]);
    }
    return number;
}

static hit_index corners_of(const hit_domain *domain)
{
    hit_index corners = 1;

    for (int d = 0; d < domain->dims; d++) {
        corners *= hit_sig_count(domain->sig[d]) > 1 ? 2 : 1;
    }
    return corners;
}

static void expect_sample(const hit_domain *domain, hit_index most, uint64_t seed)
{
    hit_sample sample;
    hit_index at[HIT_MAX_DIMS];
    hit_index before = -1;
    hit_index number;
    hit_index visited = 0;
    hit_index corners = 0;
    bool more;

    HIT_MUST(hit_sample_make(domain, most, seed, &sample));
    for (more = hit_sample_first(&sample, at, &number); more;
         more = hit_sample_next(&sample, at, &number)) {
        ck_assert(hit_domain_has(domain, at));
        ck_assert_int_eq(number, number_of(domain, at));
        ck_assert_int_gt(number, before);
        before = number;
        visited++;
        corners += is_at_rim(domain, at);
    }
    ck_assert_int_eq(visited, hit_sample_count(&sample));
    ck_assert_int_eq(sample.whole, visited == hit_domain_count(domain));
    if (visited > 0) ck_assert_int_eq(corners, corners_of(domain));
    if (most >= hit_domain_count(domain)) ck_assert(sample.whole);
    if (most >= 81) ck_assert_int_le(visited, most); /* 3 in each of 4 dimensions */
    hit_sample_clear(&sample);
}

START_TEST(samples_are_indices_in_order_with_all_corners)
{
    hit_random random = hit_random_start(12);

    for (int k = 0; k < hit_random_cases(CASES); k++) {
        const int dims = (int)hit_random_index(&random, 1, 4);
        const hit_domain domain = hit_random_domain(&random, dims, -20, 20, 3);

        expect_sample(&domain, hit_random_index(&random, 1, 2000), (uint64_t)k);
    }
}
END_TEST

START_TEST(a_large_launch_has_a_sample_of_neighbours_everywhere)
{
    const hit_domain domain = hit_domain_of(1000, 3000);
    hit_sample sample;

    HIT_MUST(hit_sample_make(&domain, 10000, 7, &sample));
    ck_assert_int_le(hit_sample_count(&sample), 10000);
    ck_assert_int_ge(hit_sample_count(&sample), 9000);
    for (int d = 0; d < 2; d++) {
        const hit_index extent = hit_sig_count(domain.sig[d]);
        hit_index farthest = 0;
        hit_index neighbours = 0;

        for (hit_index k = 1; k < sample.count[d]; k++) {
            const hit_index step = sample.position[d][k] - sample.position[d][k - 1];

            neighbours += step == 1;
            farthest = step > farthest ? step : farthest;
        }
        ck_assert_int_ge(neighbours, sample.count[d] / 2);
        ck_assert_int_le(farthest, extent / 10); /* no wide stretch is left out */
    }
    hit_sample_clear(&sample);
}
END_TEST

START_TEST(seeds_give_other_places)
{
    const hit_domain domain = hit_domain_of(100000);
    hit_sample sample[2];
    int same = 0;

    HIT_MUST(hit_sample_make(&domain, 1000, 0, &sample[0]));
    HIT_MUST(hit_sample_make(&domain, 1000, 1, &sample[1]));
    for (int k = 0; k < 1000; k++) {
        same += sample[0].position[0][k] == sample[1].position[0][k];
    }
    hit_sample_clear(&sample[0]);
    hit_sample_clear(&sample[1]);
    ck_assert_int_ge(same, 500); /* the rim */
    ck_assert_int_le(same, 600);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("samples");
    TCase *samples = tcase_create("samples");

    tcase_add_test(samples, samples_are_indices_in_order_with_all_corners);
    tcase_add_test(samples, a_large_launch_has_a_sample_of_neighbours_everywhere);
    tcase_add_test(samples, seeds_give_other_places);
    suite_add_tcase(suite, samples);
    return suite;
}

int main(void)
{
    return check_run(suite());
}
