/* SPDX-License-Identifier: MIT
 * Balancing by measuring, with emulated processes: how many distributions it takes, and
 * how far the one it returns is from the optimum that true speeds allow. */
#include "layouts/partition/dynamic.h"
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

static void run_scene(const scene *c, hit_random *random, int cases)
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
}

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
    {"steps", 1000000, 6, SPEED_STEPS, SPEED_STEPS, EXACT, 30, 1.05},
    {"saw, half", 1000, 6, SPEED_SAW, SPEED_CONSTANT, EXACT, 30, 1.05},
    {"saw, all", 1000, 6, SPEED_SAW, SPEED_SAW, EXACT, 30, 1.05},
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

    printf("%-28s %8s %3s | rounds    | ratio         | bad | stops\n", "case", "n", "p");
    printf("%-28s %8s %3s |  mean max |  mean    max  |     |\n", "", "", "");
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        run_scene(&scenes[i], &random, scenes[i].parts > 20 ? 10 : 40);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("layouts/partition/dynamic");
    TCase *tc = tcase_create("dynamic");

    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, few_distributions_lead_close_to_the_optimum);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
