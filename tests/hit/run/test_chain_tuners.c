/* SPDX-License-Identifier: MIT
 * What a program finds about its chains is in the store for the next one. Time is
 * emulated: each block takes a second, so that those of the most indices are the fastest.
 */
#define _POSIX_C_SOURCE 200809L /* setenv, truncate */

#include "hit/base/context.h"
#include "hit/launch/launcher.h"
#include "hit/model/store_impl.h"
#include "hit/run/run_impl.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"
#include "tests/support/own_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static hit_context *base; /* keeps MPI open */
static own_store models;
static double played_s;

static double play(void)
{
    return played_s++;
}

static chains_scene open_scene(void)
{
    chains_scene s = chains_open(NULL, 2);

    s.hit->clock.now_s = play;
    s.hit->launcher->chain_cache_bytes = (size_t)1 << 18;
    chains_drop_tiles(&s);
    chains_make_tiles(&s, hit_domain_of(600, 500), HIT_FLOAT);
    return s;
}

static void run(chains_scene *s, int steps)
{
    for (int t = 0; t < steps; t++) {
        chains_launch_star(s, s->tile[1], s->tile[0], t);
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
}

/* Of the steps. */
static const hit_chain_tuned *tuned(const chains_scene *s)
{
    const hit_chains *chains = s->hit->stations->recorded.block;

    ck_assert_ptr_nonnull(chains);
    ck_assert_ptr_nonnull(chains->tuners[0]);
    return chains->tuners[0];
}

static int sum_of_tries(const chains_scene *s)
{
    const hit_tuner *tuner = &tuned(s)->tuner;
    int sum = 0;

    for (int k = 0; k < tuner->choices; k++) {
        sum += tuner->tries[k];
    }
    return sum;
}

/* Until everything was tried; the launches that took. */
static int settle(chains_scene *s)
{
    int launches = 0;

    do {
        run(s, 8);
        launches += 8;
    } while (!hit_tuner_is_settled(&tuned(s)->tuner) && launches < 4000);
    ck_assert_int_lt(launches, 4000);
    return launches;
}

/* The path of the file for chains of so many steps as are the fastest: blocks that ended
 * with the program may have one, too. */
static const char *path(void)
{
    static char text[128];
    hit_model_entry *entry = NULL;
    int count = 0;
    int found = 0;

    HIT_MUST(hit_store_list(&count, &entry));
    for (int k = 0; k < count; k++) {
        if (strstr(entry[k].key.kernel, " steps") != NULL) continue;
        found++;
        (void)snprintf(text, sizeof(text), "%s/hit/models/%s%s", models.folder,
                       entry[k].name, hit_store_ending(entry[k].kind));
    }
    free(entry);
    ck_assert_int_eq(found, 1);
    return text;
}

static long size_of(const char *file)
{
    FILE *opened = fopen(file, "r");
    long size;

    ck_assert_ptr_nonnull(opened);
    (void)fseek(opened, 0, SEEK_END);
    size = ftell(opened);
    (void)fclose(opened);
    return size;
}

START_TEST(a_second_run_tries_nothing)
{
    chains_scene s;
    hit_choice best;
    int tries;

    own_store_open(&models);
    s = open_scene();
    (void)settle(&s);
    best = *hit_tuner_choice(&tuned(&s)->tuner);
    tries = sum_of_tries(&s);
    ck_assert_int_ge(tries, 6);
    chains_close(&s);
    for (int again = 0; again < 2; again++) {
        s = open_scene();
        run(&s, 200);
        ck_assert_int_eq(sum_of_tries(&s), tries);
        ck_assert(hit_choice_equal(&best, hit_tuner_choice(&tuned(&s)->tuner)));
        chains_close(&s);
    }
    (void)path();
    own_store_close(&models);
}
END_TEST

/* The tuner that was told a time last. */
static const hit_tuner *last_told(const chains_scene *s)
{
    const hit_chains *chains = s->hit->stations->recorded.block;
    const hit_tuner *last = &chains->tuners[0]->tuner;

    for (int k = 1; k < HIT_CHAIN_TUNERS && chains->tuners[k] != NULL; k++) {
        const hit_tuner *one = &chains->tuners[k]->tuner;

        if (one->recent->used > last->recent->used) last = one;
    }
    return last;
}

START_TEST(what_is_left_of_full_blocks_is_run_as_they_are)
{
    chains_scene s;
    hit_choice best;
    const hit_tuner *left;

    own_store_open(&models);
    s = open_scene();
    (void)settle(&s);
    HIT_MUST(hit_wait(s.hit));
    best = *hit_tuner_choice(&tuned(&s)->tuner);
    ck_assert(!best.plain);
    ck_assert_int_gt(best.steps, 3);
    run(&s, best.steps + 3);
    ck_assert_ptr_eq(last_told(&s), &tuned(&s)->tuner);
    HIT_MUST(hit_wait(s.hit));
    left = last_told(&s);
    ck_assert_ptr_ne(left, &tuned(&s)->tuner);
    ck_assert_int_eq(left->choices, 2);
    ck_assert(left->choice[1].plain);
    best.steps = 3;
    ck_assert(hit_choice_equal(&left->choice[0], &best));
    chains_close(&s);
    own_store_close(&models);
}
END_TEST

START_TEST(short_runs_go_on_with_each_other)
{
    bool settled = false;
    int tries = 0;
    int runs = 0;

    own_store_open(&models);
    for (; !settled && runs < 40; runs++) {
        chains_scene s = open_scene();

        run(&s, 140); /* two of the longest blocks: the first one does not count */
        settled = hit_tuner_is_settled(&tuned(&s)->tuner);
        ck_assert_int_ge(sum_of_tries(&s), tries + !settled);
        tries = sum_of_tries(&s);
        chains_close(&s);
    }
    ck_assert(settled);
    ck_assert_int_gt(runs, 1);
    own_store_close(&models);
}
END_TEST

/* Cut, changed or replaced: told, not used, and whole again afterwards. */
START_TEST(a_file_that_is_wrong_is_not_used_and_replaced)
{
    chains_scene s;
    chains_scene other = open_scene();
    long size;

    HIT_MUST(hit_chain(other.hit, HIT_CHAIN_OFF));
    run(&other, 64);
    own_store_open(&models);
    s = open_scene();
    (void)settle(&s);
    chains_close(&s);
    size = size_of(path());
    for (int k = 0; k < 4; k++) {
        FILE *file;

        s = open_scene();
        if (k % 2 == 0) {
            ck_assert_int_eq(truncate(path(), size * k / 4), 0);
        } else {
            file = fopen(path(), "w");
            (void)fputs(k % 4 == 1 ? "nonsense\n" : "# hit tiles 1\n1 2 3\nend\n", file);
            (void)fclose(file);
        }
        run(&s, 64);
        ck_assert_int_lt(sum_of_tries(&s), 8);
        chains_expect_equal(&s, &other, "beside a file that is wrong");
        (void)settle(&s);
        chains_close(&s);
        ck_assert_int_gt(size_of(path()), size / 2);
        s = open_scene();
        run(&s, 64);
        ck_assert_int_gt(sum_of_tries(&s), 6);
        chains_close(&s);
    }
    chains_close(&other);
    own_store_close(&models);
}
END_TEST

START_TEST(nothing_is_kept_where_there_is_no_folder)
{
    const char *set = getenv("HOME");
    char *home = set != NULL ? strdup(set) : NULL;
    chains_scene s;

    own_store_open(&models);
    (void)setenv("XDG_CACHE_HOME", "relative", 1);
    (void)setenv("HOME", "", 1);
    s = open_scene();
    (void)settle(&s);
    chains_close(&s);
    (void)setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
    s = open_scene();
    (void)settle(&s);
    chains_close(&s);
    if (home != NULL) (void)setenv("HOME", home, 1);
    free(home);
    (void)setenv("XDG_CACHE_HOME", models.folder, 1);
    own_store_close(&models);
}
END_TEST

/* Other extents, other threads, another bound: other tiles. */
START_TEST(each_chain_has_its_own)
{
    hit_model_entry *entry = NULL;
    int count = 0;

    own_store_open(&models);
    for (int k = 0; k < 3; k++) {
        chains_scene s = open_scene();

        if (k == 1) {
            chains_drop_tiles(&s);
            chains_make_tiles(&s, hit_domain_of(700, 500), HIT_FLOAT);
        }
        if (k == 2) HIT_MUST(hit_chain(s.hit, 20));
        run(&s, 200);
        chains_close(&s);
    }
    HIT_MUST(hit_store_list(&count, &entry));
    ck_assert_int_eq(count, 3);
    free(entry);
    own_store_close(&models);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tuners of chains");
    TCase *tc = tcase_create("store");

    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, a_second_run_tries_nothing);
    tcase_add_test(tc, what_is_left_of_full_blocks_is_run_as_they_are);
    tcase_add_test(tc, short_runs_go_on_with_each_other);
    tcase_add_test(tc, a_file_that_is_wrong_is_not_used_and_replaced);
    tcase_add_test(tc, nothing_is_kept_where_there_is_no_folder);
    tcase_add_test(tc, each_chain_has_its_own);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
