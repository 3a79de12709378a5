/* SPDX-License-Identifier: MIT
 * Random chains in random tilings, beside one launch after the other. */
#include "tests/hit/chain/chain_case.h"
#include "tests/support/check_main.h"

#include <stdlib.h>
#include <string.h>

static void fill(chain_memory *memory)
{
    for (int s = 0; s < CASE_STORAGES; s++) {
        for (int k = 0; k < CASE_ELEMENTS; k++) {
            memory->element[s][k] = (uint64_t)(s * CASE_ELEMENTS + k) * 77 + 5;
        }
    }
}

static hit_index indices_of(const chain_case *c)
{
    hit_index sum = 0;

    for (int l = 0; l < c->launches; l++) {
        sum += hit_domain_count(&c->launch[l].domain);
    }
    return sum;
}

/* Are the results those of one launch after the other? */
static bool is_right(const chain_case *c, const hit_tiling *tiling, bool backwards)
{
    static chain_memory expected;
    static chain_memory found;
    hit_index count;

    fill(&expected);
    fill(&found);
    chain_case_run(c, &expected);
    count = chain_case_run_tiled(c, tiling, backwards, &found);
    return count == indices_of(c) && memcmp(&expected, &found, sizeof(found)) == 0;
}

START_TEST(tiles_keep_the_order_that_results_depend_on)
{
    hit_random random = hit_random_start(1);
    const int cases = hit_random_cases(1500);
    int long_chains = 0;
    int cut = 0;

    for (int k = 0; k < cases; k++) {
        chain_case c;

        chain_case_make(&random, true, &c);
        if (c.launches > 0) {
            const hit_tiling tiling = chain_case_tiling(&random, &c);
            const bool right =
                is_right(&c, &tiling, false) && is_right(&c, &tiling, true);

            if (!right) ck_abort_msg("wrong in case %d", k);
            cut += hit_tiling_phases(&tiling) > 1;
        }
        long_chains += c.launches > 2;
        chain_case_clear(&c);
    }
    ck_assert_int_gt(long_chains, cases / 4);
    ck_assert_int_gt(cut, cases / 8);
}
END_TEST

/* One number that is too small by one, in the last launch that has met another. */
static bool lower_one(hit_random *random, chain_case *c, bool growth)
{
    const int axis = (int)hit_random_index(random, 0, c->axes - 1);
    const int l = c->launches - 1;
    hit_chain_place *place = &c->chain.place[l];

    if (l < 1) return false;
    if (growth) {
        place->growth[axis]--;
    } else {
        place->shift[axis]--;
    }
    return true;
}

static int count_wrong(bool growth, int cases, int *tried)
{
    hit_random random = hit_random_start(2);
    int wrong = 0;

    *tried = 0;
    for (int k = 0; k < cases; k++) {
        chain_case c;

        chain_case_make(&random, true, &c);
        if (lower_one(&random, &c, growth)) {
            bool right = true;

            for (int t = 0; t < 6 && right; t++) {
                hit_tiling tiling = chain_case_tiling(&random, &c);

                tiling.lines = false;
                right = is_right(&c, &tiling, false) && is_right(&c, &tiling, true);
            }
            wrong += !right;
            (*tried)++;
        }
        chain_case_clear(&c);
    }
    return wrong;
}

/* Not always: the launch may touch nothing that the others touch, or where they do not
 * run. */
START_TEST(a_shift_that_is_too_small_by_one_gives_wrong_results)
{
    int tried;
    const int wrong = count_wrong(false, hit_random_cases(400), &tried);

    ck_assert_int_gt(wrong, tried / 8);
}
END_TEST

START_TEST(a_growth_that_is_too_small_by_one_gives_wrong_results)
{
    int tried;
    const int wrong = count_wrong(true, hit_random_cases(400), &tried);

    ck_assert_int_gt(wrong, tried / 8);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tiles of chains");
    TCase *tc = tcase_create("tile");

    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, tiles_keep_the_order_that_results_depend_on);
    tcase_add_test(tc, a_shift_that_is_too_small_by_one_gives_wrong_results);
    tcase_add_test(tc, a_growth_that_is_too_small_by_one_gives_wrong_results);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
