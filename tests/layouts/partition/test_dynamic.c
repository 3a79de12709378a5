/* SPDX-License-Identifier: MIT
 * Balancing by measuring, with emulated processes: how many distributions it takes, and
 * how far the one it returns is from the optimum that true speeds allow. */
#include "layouts/partition/dynamic/dynamic.h"
#include "tests/layouts/partition/speeds.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_PARTS 90

typedef enum noise_kind {
    EXACT,
    UNIFORM,
    NORMAL
} noise_kind;

/** Some random cases, and what is promised of them. */
typedef struct scene {
    const char *name;
    hit_index n;
    int parts;
    speed_kind kind;  /* of processes 0, 2, 4, ... */
    speed_kind other; /* of the others */
    noise_kind noise; /* of 5 % */
    int most_rounds;
    double most_ratio;
} scene;

typedef struct outcome {
    int rounds;
    double ratio;
    hit_dynamic_verdict verdict;
} outcome;

static double noisy(hit_random *random, noise_kind kind, double seconds)
{
    if (kind == UNIFORM) return seconds * (0.95 + 0.1 * speed_uniform(random));
    if (kind == NORMAL) return seconds * fmax(0.5, 1.0 + 0.05 * speed_normal(random));
    return seconds;
}

static void check_share(hit_index n, int parts, const hit_index share[])
{
    hit_index sum = 0;
    bool negative = false;

    for (int i = 0; i < parts; i++) {
        negative = negative || share[i] < 0;
        sum += share[i];
    }
    ck_assert(!negative);
    ck_assert_int_eq(sum, n);
}

/** Run the loop as a program does: benchmarks are cut off. */
static outcome balance(const scene *c, const speed s[], hit_random *random,
                       const hit_dynamic_options *options)
{
    hit_dynamic *d = NULL;
    hit_dynamic_verdict verdict;
    hit_index share[MOST_PARTS];
    hit_index best[MOST_PARTS];
    double seconds[MOST_PARTS];
    double makespan;
    outcome o;

    ck_assert_int_eq(hit_dynamic_create(c->n, c->parts, options, &d), HIT_OK);
    ck_assert_int_eq(hit_dynamic_next(d, NULL, share, &verdict), HIT_OK);
    while (verdict == HIT_DYNAMIC_CONTINUE) {
        check_share(c->n, c->parts, share);
        for (int i = 0; i < c->parts; i++) {
            seconds[i] = noisy(random, c->noise, speed_time(&s[i], share[i]));
            if (share[i] > 0 && seconds[i] > hit_dynamic_kill_s(d)) seconds[i] = INFINITY;
            if (share[i] == 0) seconds[i] = NAN; /* nobody may look */
        }
        ck_assert_int_eq(hit_dynamic_next(d, seconds, share, &verdict), HIT_OK);
    }
    ck_assert_int_eq(hit_dynamic_best(d, best, &makespan), HIT_OK);
    check_share(c->n, c->parts, best);
    ck_assert_mem_eq(best, share, (size_t)c->parts * sizeof share[0]);
    ck_assert(isfinite(makespan));
    o.rounds = hit_dynamic_rounds(d);
    o.verdict = verdict;
    o.ratio = speed_makespan(c->parts, s, best) / speed_optimum(c->n, c->parts, s);
    hit_dynamic_destroy(&d);
    ck_assert_ptr_null(d);
    return o;
}

/** Can these processes do it all at all? */
static bool possible(const scene *c, const speed s[])
{
    return speed_optimum(c->n, c->parts, s) < 1e15;
}

/** Returns how many cases were not as promised. */
static int run_scene(const scene *c, hit_random *random, int cases)
{
    hit_dynamic_options options = {.noise = c->noise == EXACT ? -1.0 : 0.05};
    int verdicts[HIT_DYNAMIC_INFEASIBLE + 1] = {0};
    double mean_rounds = 0.0;
    double mean_ratio = 0.0;
    outcome worst = {0};
    int beyond = 0;

    for (int i = 0; i < cases; i++) {
        speed s[MOST_PARTS];
        outcome o;

        do {
            for (int k = 0; k < c->parts; k++) {
                s[k] = speed_random(random, k % 2 == 0 ? c->kind : c->other,
                                    c->n / c->parts);
            }
        } while (!possible(c, s));
        o = balance(c, s, random, &options);
        verdicts[o.verdict]++;
        mean_rounds += (double)o.rounds / cases;
        mean_ratio += o.ratio / cases;
        if (o.rounds > worst.rounds) worst.rounds = o.rounds;
        if (o.ratio > worst.ratio) worst.ratio = o.ratio;
        beyond += o.ratio > c->most_ratio || o.rounds > c->most_rounds;
    }
    printf("%-28s %8lld %3d | %5.1f %3d | %6.3f %6.3f | %3d |", c->name, (long long)c->n,
           c->parts, mean_rounds, worst.rounds, mean_ratio, worst.ratio, beyond);
    for (int v = 1; v <= HIT_DYNAMIC_INFEASIBLE; v++) {
        if (verdicts[v] == 0) continue;
        printf(" %s %d", hit_dynamic_verdict_name((hit_dynamic_verdict)v), verdicts[v]);
    }
    printf("\n");
    fflush(stdout);
    return beyond;
}

/* Times that fall with the load, and steps as wide as a share, cannot be known from few
 * points: there the loop only comes close. */
static const scene scenes[] = {
    {"constant", 1000000, 8, SPEED_CONSTANT, SPEED_CONSTANT, EXACT, 10, 1.05},
    {"rising", 1000000, 8, SPEED_RISES, SPEED_RISES, EXACT, 10, 1.05},
    {"falling", 1000000, 8, SPEED_FALLS, SPEED_FALLS, EXACT, 10, 1.05},
    {"rising, falling", 1000000, 8, SPEED_RISES_FALLS, SPEED_FALLS, EXACT, 10, 1.05},
    {"smooth, 90 processes", 1000000, 90, SPEED_RISES_FALLS, SPEED_CONSTANT, EXACT, 10,
     1.05},
    {"constant and rising", 300, 3, SPEED_CONSTANT, SPEED_RISES, EXACT, 10, 1.05},
    {"n < p", 5, 8, SPEED_CONSTANT, SPEED_RISES, EXACT, 10, 1.05},
    {"n = 1", 1, 4, SPEED_CONSTANT, SPEED_CONSTANT, EXACT, 10, 1.05},
    {"one zero speed in two", 1000000, 6, SPEED_CONSTANT, SPEED_ZERO, EXACT, 10, 1.05},
    {"cliffs, all", 1000000, 8, SPEED_CLIFF, SPEED_CLIFF, EXACT, 30, 1.05},
    {"cliffs, half", 1000000, 8, SPEED_CLIFF, SPEED_CONSTANT, EXACT, 30, 1.05},
    {"cliffs, 2 processes", 100000, 2, SPEED_CLIFF, SPEED_RISES, EXACT, 30, 1.05},
    {"cliffs, 90 processes", 1000000, 90, SPEED_CLIFF, SPEED_FALLS, EXACT, 30, 1.05},
    {"failing, half", 1000000, 8, SPEED_FAILS, SPEED_FALLS, EXACT, 30, 1.05},
    {"failing, all", 1000000, 8, SPEED_FAILS, SPEED_FAILS, EXACT, 30, 1.05},
    {"wide steps", 1000000, 6, SPEED_STEPS, SPEED_STEPS, EXACT, 30, 1.25},
    {"saw, half", 1000, 6, SPEED_SAW, SPEED_CONSTANT, EXACT, 30, 1.20},
    {"saw, all", 1000, 6, SPEED_SAW, SPEED_SAW, EXACT, 30, 1.20},
    {"constant, +-5 %", 1000000, 8, SPEED_CONSTANT, SPEED_CONSTANT, UNIFORM, 10, 1.10},
    {"constant, deviation 5 %", 1000000, 8, SPEED_CONSTANT, SPEED_CONSTANT, NORMAL, 10,
     1.10},
    {"smooth, +-5 %", 1000000, 8, SPEED_RISES_FALLS, SPEED_FALLS, UNIFORM, 10, 1.10},
    {"smooth, deviation 5 %", 1000000, 8, SPEED_RISES_FALLS, SPEED_FALLS, NORMAL, 10,
     1.10},
    {"cliffs, +-5 %", 1000000, 8, SPEED_CLIFF, SPEED_FALLS, UNIFORM, 30, 1.10},
    {"cliffs, deviation 5 %", 1000000, 8, SPEED_CLIFF, SPEED_FALLS, NORMAL, 30, 1.10},
    {"failing, +-5 %", 1000000, 8, SPEED_FAILS, SPEED_FALLS, UNIFORM, 30, 1.10},
};

START_TEST(few_distributions_lead_close_to_the_optimum)
{
    hit_random random = hit_random_start(71);
    int beyond = 0;

    printf("%-28s %8s %3s | rounds    | ratio         | bad | stops\n", "case", "n", "p");
    printf("%-28s %8s %3s |  mean max |  mean    max  |     |\n", "", "", "");
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        beyond += run_scene(&scenes[i], &random, scenes[i].parts > 20 ? 10 : 40);
    }
    ck_assert_int_eq(beyond, 0);
}
END_TEST

/* ---- other promises ---- */

static void two_constant(const hit_index share[], double seconds[])
{
    seconds[0] = (double)share[0] / 100.0;
    seconds[1] = (double)share[1] / 300.0;
}

START_TEST(seeds_save_rounds_and_wrong_ones_do_no_harm)
{
    hit_fpm *seed[2] = {NULL, NULL};
    hit_dynamic_options options = {.noise = -1.0, .seed = (const hit_fpm *const *)seed};

    for (int wrong = 0; wrong < 2; wrong++) {
        hit_dynamic *d = NULL;
        hit_dynamic_verdict verdict;
        hit_index share[2];
        double seconds[2];

        ck_assert_int_eq(hit_fpm_constant(wrong ? 900.0 : 100.0, &seed[0]), HIT_OK);
        ck_assert_int_eq(hit_fpm_constant(300.0, &seed[1]), HIT_OK);
        ck_assert_int_eq(hit_dynamic_create(4000, 2, &options, &d), HIT_OK);
        hit_fpm_destroy(&seed[0]);
        hit_fpm_destroy(&seed[1]);
        ck_assert_int_eq(hit_dynamic_next(d, NULL, share, &verdict), HIT_OK);
        while (verdict == HIT_DYNAMIC_CONTINUE) {
            two_constant(share, seconds);
            ck_assert_int_eq(hit_dynamic_next(d, seconds, share, &verdict), HIT_OK);
        }
        ck_assert_int_eq(verdict, HIT_DYNAMIC_BALANCED);
        ck_assert_int_eq(hit_dynamic_rounds(d), 1 + wrong);
        ck_assert_int_eq(share[0], 1000);
        hit_dynamic_destroy(&d);
    }
}
END_TEST

START_TEST(caps_of_seeds_are_kept)
{
    hit_fpm *seed[2] = {NULL, NULL};
    hit_dynamic_options options = {.seed = (const hit_fpm *const *)seed};
    hit_dynamic *d = NULL;
    hit_dynamic_verdict verdict;
    hit_index share[2];
    double seconds[2];

    ck_assert_int_eq(hit_fpm_constant(1000.0, &seed[1]), HIT_OK); /* too fast */
    ck_assert_int_eq(hit_fpm_set_cap(seed[1], 1200), HIT_OK);
    ck_assert_int_eq(hit_dynamic_create(4000, 2, &options, &d), HIT_OK);
    ck_assert_int_eq(hit_dynamic_next(d, NULL, share, &verdict), HIT_OK);
    while (verdict == HIT_DYNAMIC_CONTINUE) {
        ck_assert_int_le(share[1], 1200);
        two_constant(share, seconds);
        ck_assert_int_eq(hit_dynamic_next(d, seconds, share, &verdict), HIT_OK);
    }
    ck_assert_int_eq(share[1], 1200);
    hit_dynamic_destroy(&d);
    hit_fpm_destroy(&seed[1]);

    ck_assert_int_eq(hit_fpm_constant(1.0, &seed[0]), HIT_OK);
    ck_assert_int_eq(hit_fpm_constant(1.0, &seed[1]), HIT_OK);
    ck_assert_int_eq(hit_fpm_set_cap(seed[0], 10), HIT_OK);
    ck_assert_int_eq(hit_fpm_set_cap(seed[1], 10), HIT_OK);
    ck_assert_int_eq(hit_dynamic_create(21, 2, &options, &d), HIT_OK);
    ck_assert_int_eq(hit_dynamic_next(d, NULL, share, &verdict), HIT_E_LIMIT);
    hit_dynamic_destroy(&d);
    hit_fpm_destroy(&seed[0]);
    hit_fpm_destroy(&seed[1]);
}
END_TEST

START_TEST(it_stops_where_everything_fails_or_nothing_is_to_do)
{
    double never[3] = {INFINITY, INFINITY, INFINITY};
    double nothing[3] = {NAN, NAN, NAN};
    hit_dynamic *d = NULL;
    hit_dynamic_verdict verdict;
    hit_index share[3];
    double makespan;

    ck_assert_int_eq(hit_dynamic_create(1000, 3, NULL, &d), HIT_OK);
    ck_assert_int_eq(hit_dynamic_best(d, share, &makespan), HIT_E_LIMIT);
    ck_assert_int_eq(hit_dynamic_next(d, NULL, share, &verdict), HIT_OK);
    while (verdict == HIT_DYNAMIC_CONTINUE) {
        check_share(1000, 3, share);
        ck_assert_int_eq(hit_dynamic_next(d, never, share, &verdict), HIT_OK);
    }
    ck_assert_int_eq(verdict, HIT_DYNAMIC_INFEASIBLE);
    ck_assert_int_eq(hit_dynamic_best_round(d), -1);
    ck_assert_int_eq(hit_dynamic_best(d, share, &makespan), HIT_E_LIMIT);
    ck_assert_int_eq(hit_dynamic_next(d, never, share, &verdict), HIT_E_ARG);
    hit_dynamic_destroy(&d);

    ck_assert_int_eq(hit_dynamic_create(0, 3, NULL, &d), HIT_OK);
    ck_assert_int_eq(hit_dynamic_next(d, NULL, share, &verdict), HIT_OK);
    check_share(0, 3, share);
    ck_assert_int_eq(hit_dynamic_next(d, nothing, share, &verdict), HIT_OK);
    ck_assert_int_eq(verdict, HIT_DYNAMIC_BALANCED);
    hit_dynamic_destroy(&d);
}
END_TEST

START_TEST(what_is_no_time_is_refused)
{
    hit_dynamic_options wrong = {.noise = 2.0};
    hit_dynamic *d = NULL;
    hit_dynamic_verdict verdict;
    hit_index share[2];
    double seconds[2] = {1.0, NAN};

    ck_assert_int_eq(hit_dynamic_create(-1, 2, NULL, &d), HIT_E_ARG);
    ck_assert_int_eq(hit_dynamic_create(1, 0, NULL, &d), HIT_E_ARG);
    ck_assert_int_eq(hit_dynamic_create(1, 1, &wrong, &d), HIT_E_ARG);
    ck_assert_int_eq(hit_dynamic_create(10, 2, NULL, &d), HIT_OK);
    ck_assert_int_eq(hit_dynamic_next(d, seconds, share, &verdict), HIT_E_ARG);
    ck_assert_int_eq(hit_dynamic_next(d, NULL, share, &verdict), HIT_OK);
    ck_assert_int_eq(hit_dynamic_next(d, NULL, share, &verdict), HIT_E_ARG);
    ck_assert_int_eq(hit_dynamic_next(d, seconds, share, &verdict), HIT_E_ARG);
    seconds[1] = -1.0;
    ck_assert_int_eq(hit_dynamic_next(d, seconds, share, &verdict), HIT_E_ARG);
    seconds[0] = 0.0; /* too short for the clock */
    seconds[1] = 0.0;
    ck_assert_int_eq(hit_dynamic_next(d, seconds, share, &verdict), HIT_OK);
    ck_assert_int_eq(verdict, HIT_DYNAMIC_BALANCED);
    hit_dynamic_destroy(&d);
}
END_TEST

START_TEST(random_times_of_any_kind_end_with_a_reason)
{
    hit_random random = hit_random_start(72);

    for (int i = 0; i < hit_random_cases(1000); i++) {
        int parts = (int)hit_random_index(&random, 1, 12);
        hit_index n = hit_random_index(&random, 0, 1) == 0
                          ? hit_random_index(&random, 0, 20)
                          : hit_random_index(&random, 0, INT64_C(1) << 50);
        hit_dynamic *d = NULL;
        hit_dynamic_verdict verdict;
        hit_index share[12];
        double seconds[12];

        ck_assert_int_eq(hit_dynamic_create(n, parts, NULL, &d), HIT_OK);
        ck_assert_int_eq(hit_dynamic_next(d, NULL, share, &verdict), HIT_OK);
        while (verdict == HIT_DYNAMIC_CONTINUE) {
            check_share(n, parts, share);
            for (int k = 0; k < parts; k++) {
                hit_index kind = hit_random_index(&random, 0, 9);

                seconds[k] = exp(40.0 * speed_uniform(&random) - 20.0);
                if (kind == 0) seconds[k] = INFINITY;
                if (kind == 1) seconds[k] = 0.0;
            }
            ck_assert_int_eq(hit_dynamic_next(d, seconds, share, &verdict), HIT_OK);
            ck_assert(!isnan(hit_dynamic_kill_s(d)));
        }
        ck_assert_int_le(hit_dynamic_rounds(d), 30);
        check_share(n, parts, share);
        hit_dynamic_destroy(&d);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("layouts/partition/dynamic");
    TCase *tc = tcase_create("dynamic");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, few_distributions_lead_close_to_the_optimum);
    tcase_add_test(tc, seeds_save_rounds_and_wrong_ones_do_no_harm);
    tcase_add_test(tc, caps_of_seeds_are_kept);
    tcase_add_test(tc, it_stops_where_everything_fails_or_nothing_is_to_do);
    tcase_add_test(tc, what_is_no_time_is_refused);
    tcase_add_test(tc, random_times_of_any_kind_end_with_a_reason);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
