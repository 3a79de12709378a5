/* SPDX-License-Identifier: MIT
 * Chains of launches that are blocked in time: which ones are, and that their results are
 * those of one launch after the other, to the bit. */
#include "hit/base/context.h"
#include "hit/launch/launcher.h"
#include "hit/run/chains.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"

extern const hit_kernel sideways;

static hit_context *base; /* keeps MPI open */

/* On as many threads, or on two devices that work in place, of which one may be spare. */
static chains_scene open_blocked(int threads)
{
    static const char *const two[] = {"host:threads=1+host:threads=2",
                                      "host:threads=2+host:threads=1:share=0"};

    return threads <= 3
               ? chains_open(&chains_blocked, threads)
               : chains_open_on(&chains_blocked, two[threads - 4], "single", CHAINS_N);
}

START_TEST(what_is_legal_is_blocked_and_gives_the_same_bits)
{
    for (int k = 0; k < chains_legal_count; k++) {
        for (int threads = 1; threads <= 5; threads++) {
            chains_scene one = open_blocked(threads);
            chains_scene other = chains_open(NULL, threads);

            HIT_MUST(hit_chain(other.hit, HIT_CHAIN_OFF));
            chains_legal[k].run(&one);
            chains_legal[k].run(&other);
            chains_expect_equal(&one, &other, chains_legal[k].name);
            ck_assert_msg(chains_chained(&one) >=
                              (uint64_t)(CHAINS_STEPS * chains_legal[k].launches - 1),
                          "%s: only %d launches are in chains", chains_legal[k].name,
                          (int)chains_chained(&one));
            ck_assert_int_eq((int)chains_chained(&other), 0);
            chains_close(&one);
            chains_close(&other);
        }
    }
}
END_TEST

/* Blocks of two steps: what stands where another launch of its kernel stood reads other
 * rows. */
START_TEST(numbers_in_patterns_change_from_block_to_block)
{
    const hit_choice two_steps = {.steps = 4, .width = {4, 6}};

    for (int threads = 1; threads <= 3; threads++) {
        chains_scene scene[] = {chains_open(&two_steps, threads),
                                chains_open(NULL, threads)};

        HIT_MUST(hit_chain(scene[1].hit, HIT_CHAIN_OFF));
        for (int k = 0; k < 2; k++) {
            chains_scene *s = &scene[k];

            for (int t = 0; t < CHAINS_STEPS; t++) {
                chains_launch_star(s, s->tile[1], s->tile[0], t);
                HIT_MUST(hit_launch(s->hit, &sideways, s->inner, s->tile[0], s->tile[1],
                                    HIT_VALUE((hit_index)(2 * (t % 3) - 2))));
            }
        }
        chains_expect_equal(&scene[0], &scene[1], "numbers that change");
        ck_assert_int_eq((int)chains_chained(&scene[0]), 2 * CHAINS_STEPS);
        chains_close(&scene[0]);
        chains_close(&scene[1]);
    }
}
END_TEST

static uint64_t bytes_moved(chains_scene *s)
{
    hit_stats stats;

    hit_context_stats(s->hit, &stats);
    return stats.bytes_in + stats.bytes_out;
}

/* In pieces, one below the other: what does not fit is as well right step by step. */
START_TEST(what_does_not_fit_a_device_gives_the_same_bits)
{
    static const size_t memory[] = {2500, 4000, 9000, 14000, 25000, 45000, 80000};

    for (int k = 0; k < chains_legal_count; k++) {
        int blocked = 0;

        for (int m = 0; m < 7; m++) {
            chains_scene one = chains_open_staged(memory[m], 1 + (m % 4 == 1));
            chains_scene other = chains_open_staged(memory[m], 1);

            chains_place_nothing(&one);
            chains_place_nothing(&other);
            HIT_MUST(hit_chain(other.hit, HIT_CHAIN_OFF));
            if (m % 2 == 1) one.hit->launcher->chain_choice = &chains_blocked;
            chains_legal[k].run(&one);
            chains_legal[k].run(&other);
            chains_expect_equal(&one, &other, chains_legal[k].name);
            blocked += chains_chained(&one) > 0;
            ck_assert_msg(bytes_moved(&one) <= bytes_moved(&other),
                          "%s in %zu bytes: %llu bytes, and one by one %llu",
                          chains_legal[k].name, memory[m],
                          (unsigned long long)bytes_moved(&one),
                          (unsigned long long)bytes_moved(&other));
            chains_close(&one);
            chains_close(&other);
        }
        ck_assert_msg(blocked > 0, "%s: blocked in no memory", chains_legal[k].name);
    }
}
END_TEST

/* Whatever is tried, for as long as it is. */
START_TEST(the_same_bits_while_sizes_are_tried)
{
    for (size_t k = 0; k < 4; k++) {
        chains_scene one = chains_open(NULL, 2);
        chains_scene other = chains_open(NULL, 2);

        HIT_MUST(hit_chain(other.hit, HIT_CHAIN_OFF));
        for (int s = 0; s < 2; s++) {
            chains_scene *of = s == 0 ? &one : &other;

            of->hit->launcher->chain_cache_bytes = (size_t)1 << 18;
            chains_drop_tiles(of);
            chains_make_tiles(of, hit_domain_of(700, 500), HIT_FLOAT);
            for (int t = 0; t < 24; t++) {
                chains_legal[k].run(of);
            }
        }
        chains_expect_equal(&one, &other, chains_legal[k].name);
        /* how many is up to measured times */
        ck_assert_int_gt((int)chains_chained(&one), 0);
        chains_close(&one);
        chains_close(&other);
    }
}
END_TEST

START_TEST(small_tiles_are_not_recorded)
{
    chains_scene s = chains_open(NULL, 2);

    chains_run_star(&s);
    ck_assert_ptr_null(s.hit->stations->recorded.block);
    chains_close(&s);
}
END_TEST

static int recorded(const chains_scene *s)
{
    const hit_chains *chains = s->hit->stations->recorded.block;

    return chains == NULL ? 0 : chains->count;
}

/* After each launch comes one that cannot join it: to record it is in vain. */
START_TEST(launches_that_are_always_alone_are_seldom_recorded)
{
    chains_scene s = chains_open(&chains_blocked, 2);
    int count = 0;
    int t = 0;

    for (int k = 0; k < 100; k++) {
        chains_launch_star(&s, s.tile[0], s.tile[1], k);
        count += recorded(&s);
        HIT_MUST(hit_wait(s.hit));
    }
    ck_assert_int_ge(count, 6);
    ck_assert_int_lt(count, 12);
    for (; recorded(&s) < 2 && t < 20; t++) {
        chains_launch_star(&s, s.tile[t % 2], s.tile[1 - t % 2], t);
    }
    ck_assert_int_lt(t, 20);
    HIT_MUST(hit_wait(s.hit));
    for (int k = 0; k < 3; k++) { /* from now on it is worth it again */
        chains_launch_star(&s, s.tile[0], s.tile[1], k);
        ck_assert_int_eq(recorded(&s), 1);
        HIT_MUST(hit_wait(s.hit));
    }
    chains_close(&s);
}
END_TEST

/* A program that waits every 17 launches, of which 8 are in a block. */
START_TEST(what_is_left_of_a_loop_does_not_end_chains)
{
    enum {
        ROUNDS = 10,
        ROUND = 17
    };
    chains_scene s = chains_open_staged(9000, 1);

    HIT_MUST(hit_chain(s.hit, 8));
    for (int k = 0; k < ROUNDS; k++) {
        for (int t = 0; t < ROUND; t++) {
            chains_launch_star(&s, s.tile[t % 2], s.tile[1 - t % 2], t);
        }
        HIT_MUST(hit_wait(s.hit));
    }
    ck_assert_int_gt((int)chains_chained(&s), (ROUNDS - 1) * (ROUND - 1));
    chains_close(&s);
}
END_TEST

/* Blocks of six launches and of four in turn: a block is not run in the tiles of the one
 * before, though its launches are the first ones of that. */
START_TEST(a_block_that_ends_earlier_than_the_one_before_is_cut_anew)
{
    const hit_choice six = {.steps = 6, .width = {4, 6}};
    chains_scene one = chains_open(&six, 2);
    chains_scene other = chains_open(NULL, 2);

    HIT_MUST(hit_chain(other.hit, HIT_CHAIN_OFF));
    for (int t = 0; t < 30; t++) {
        chains_launch_star(&one, one.tile[1 - t % 2], one.tile[t % 2], t);
        chains_launch_star(&other, other.tile[1 - t % 2], other.tile[t % 2], t);
        if (t % 10 == 9) chains_expect_equal(&one, &other, "six and four");
    }
    ck_assert_int_eq((int)chains_chained(&one), 30);
    chains_close(&one);
    chains_close(&other);
}
END_TEST

/* Also where the last block was full. */
START_TEST(nothing_is_recorded_when_chains_are_off)
{
    const hit_choice four = {.steps = 4, .width = {4, 6}};
    chains_scene s = chains_open(&four, 1);

    for (int t = 0; t < 8; t++) {
        chains_launch_star(&s, s.tile[1 - t % 2], s.tile[t % 2], t);
    }
    ck_assert_int_eq((int)chains_chained(&s), 8);
    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_OFF));
    for (int t = 0; t < 8; t++) {
        chains_launch_star(&s, s.tile[1 - t % 2], s.tile[t % 2], t);
        ck_assert_int_eq(recorded(&s), 0);
    }
    ck_assert_int_eq((int)chains_chained(&s), 8);
    chains_close(&s);
}
END_TEST

/* ---- memory ---- */

START_TEST(a_record_takes_what_its_arguments_need)
{
    const hit_chain_room four = {4, 4, 0};

    ck_assert_uint_le(hit_chain_record_bytes(&four), 2048);
    for (int n = 0; n < HIT_MAX_ARGS; n++) {
        const hit_chain_room room = {n, n, 0};
        const hit_chain_room more = {n + 1, n + 1, 0};

        ck_assert_uint_le(hit_chain_record_bytes(&more),
                          hit_chain_record_bytes(&room) + 448);
    }
}
END_TEST

/* What all records have, in records of the star. */
static int described(const chains_scene *s)
{
    const hit_chain_room room = {2, 3, hit_call_value_room(sizeof(float))};
    const hit_chains *chains = s->hit->stations->recorded.block;
    size_t bytes = 0;

    for (int l = 0; l < HIT_CHAIN_LAUNCHES; l++) {
        bytes += chains->record[l].memory_bytes;
    }
    ck_assert_uint_eq(bytes % hit_chain_record_bytes(&room), 0);
    return (int)(bytes / hit_chain_record_bytes(&room));
}

/* Blocks of 64 launches, of which two are repeated. With other values each is its own. */
START_TEST(steps_that_repeat_are_described_once)
{
    const hit_choice all = {.steps = HIT_CHAIN_LAUNCHES, .width = {4, 6}};
    chains_scene s = chains_open(&all, 1);

    for (int t = 0; t < 4 * HIT_CHAIN_LAUNCHES; t++) {
        chains_launch_star(&s, s.tile[1 - t % 2], s.tile[t % 2], 1);
    }
    ck_assert_int_eq(described(&s), 2);
    for (int t = 0; t < 4 * HIT_CHAIN_LAUNCHES; t++) {
        chains_launch_star(&s, s.tile[1 - t % 2], s.tile[t % 2], t);
    }
    ck_assert_int_eq(described(&s), HIT_CHAIN_LAUNCHES);
    chains_close(&s);
}
END_TEST

/* The values of launches are equal for a while, then not, then equal again, or change in
 * steps other than those of the block. */
static int value_of(int t)
{
    switch (t / 60 % 5) {
    case 0:
    case 2:
        return 1;
    case 1:
        return t;
    case 3:
        return t % 3;
    default:
        return t % 7 == 0;
    }
}

START_TEST(values_stay_those_of_their_launch)
{
    for (int steps = 4; steps <= 16; steps *= 2) {
        const hit_choice some = {.steps = steps, .width = {4, 6}};
        chains_scene one = chains_open(&some, 2);
        chains_scene other = chains_open(NULL, 2);

        HIT_MUST(hit_chain(other.hit, HIT_CHAIN_OFF));
        for (int t = 0; t < 600; t++) {
            chains_launch_star(&one, one.tile[1 - t % 2], one.tile[t % 2], value_of(t));
            chains_launch_star(&other, other.tile[1 - t % 2], other.tile[t % 2],
                               value_of(t));
            if (t % 59 == 58) chains_expect_equal(&one, &other, "values");
        }
        ck_assert_int_ge((int)chains_chained(&one), 590);
        chains_close(&one);
        chains_close(&other);
    }
}
END_TEST

/* A narrow launch may begin the block behind a full one of wide ones, and no other. */
START_TEST(narrow_launches_begin_one_block)
{
    chains_scene s = chains_open(&chains_blocked, 2);
    const uint64_t block = (uint64_t)chains_blocked.steps;

    for (int t = 0; t < chains_blocked.steps; t++) {
        chains_launch_star(&s, s.tile[(t + 1) % 2], s.tile[t % 2], t);
    }
    for (hit_index row = 2; row < CHAINS_N - 2; row++) {
        hit_domain one = s.inner;

        one.sig[0].begin = one.sig[0].end = row;
        HIT_MUST(hit_launch(s.hit, &star, one, s.tile[2], s.tile[0], HIT_VALUE(1.0f)));
    }
    HIT_MUST(hit_wait(s.hit));
    ck_assert_uint_ge(chains_chained(&s), block);
    ck_assert_uint_le(chains_chained(&s), 2 * block);
    chains_close(&s);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("chains");
    TCase *tc = tcase_create("chains");

    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, what_is_legal_is_blocked_and_gives_the_same_bits);
    tcase_add_test(tc, numbers_in_patterns_change_from_block_to_block);
    tcase_add_test(tc, narrow_launches_begin_one_block);
    tcase_add_test(tc, what_does_not_fit_a_device_gives_the_same_bits);
    tcase_add_test(tc, a_block_that_ends_earlier_than_the_one_before_is_cut_anew);
    tcase_add_test(tc, the_same_bits_while_sizes_are_tried);
    tcase_add_test(tc, nothing_is_recorded_when_chains_are_off);
    tcase_add_test(tc, a_record_takes_what_its_arguments_need);
    tcase_add_test(tc, steps_that_repeat_are_described_once);
    tcase_add_test(tc, values_stay_those_of_their_launch);
    tcase_add_test(tc, small_tiles_are_not_recorded);
    tcase_add_test(tc, launches_that_are_always_alone_are_seldom_recorded);
    tcase_add_test(tc, what_is_left_of_a_loop_does_not_end_chains);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
