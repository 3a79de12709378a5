/* SPDX-License-Identifier: MIT
 * Balancing at two levels with emulated devices: both levels sum exactly, both loops
 * converge, in few rounds, to a makespan near that of the best distribution of all units
 * over all devices, whatever their nodes. */
#include "layouts/partition/dynamic/dynamic.h"
#include "layouts/partition/hierarchical.h"
#include "layouts/partition/partition.h"
#include "tests/layouts/partition/speeds.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_DEVICES 400
#define MOST_NODES 100

typedef struct scene {
    const char *name;
    hit_index rows;
    hit_index columns;
    int nodes;
    int devices; /* of each node; 0: 1..6 by turns */
    speed_kind first;
    speed_kind others;
    double noise;
    int most_rounds;
    double most_ratio;
} scene;

static const scene scenes[] = {
    {"2 x (constant)", 400, 400, 2, 3, SPEED_CONSTANT, SPEED_CONSTANT, 0.0, 10, 1.06},
    {"2 x (cliff, smooth)", 400, 400, 2, 3, SPEED_CLIFF, SPEED_RISES_FALLS, 0.0, 30,
     1.12},
    {"4 x (fails, falls)", 500, 700, 4, 2, SPEED_FAILS, SPEED_FALLS, 0.0, 30, 1.12},
    {"6 x (1..6 devices)", 1000, 1000, 6, 0, SPEED_CLIFF, SPEED_FALLS, 0.0, 30, 1.12},
    {"1 node", 300, 300, 1, 4, SPEED_CONSTANT, SPEED_RISES, 0.0, 10, 1.06},
    {"1 device each", 300, 300, 5, 1, SPEED_RISES_FALLS, SPEED_CONSTANT, 0.0, 30, 1.12},
    {"2 x (cliff, smooth), 5 %", 400, 400, 2, 3, SPEED_CLIFF, SPEED_RISES_FALLS, 0.05, 30,
     1.15},
    {"12 x (cliff, falls)", 900, 900, 12, 3, SPEED_CLIFF, SPEED_FALLS, 0.0, 30, 1.12},
};

static void set_up(const scene *c, hit_random *random, int devices[], speed s[],
                   hit_hierarchy *h)
{
    int all = 0;

    *h = (hit_hierarchy){
        .rows = c->rows, .columns = c->columns, .nodes = c->nodes, .devices = devices};
    for (int i = 0; i < c->nodes; i++) {
        devices[i] = c->devices > 0 ? c->devices : 1 + i % 6;
        all += devices[i];
    }
    for (int i = 0, at = 0; i < c->nodes; i++) {
        for (int j = 0; j < devices[i]; j++) {
            s[at++] = speed_random(random, j == 0 ? c->first : c->others,
                                   c->rows * c->columns / all);
        }
    }
}

/** Do rectangles tile the plane, and slices the rectangles? */
static void check_slices(const hit_hierarchy *h, const hit_slices *slices)
{
    bool tiled = true;
    hit_index area = 0;

    for (int i = 0, at = 0; i < h->nodes; i++) {
        const hit_rect *a = &slices->rect[i];
        hit_index sum = 0;

        area += a->height * a->width;
        tiled = tiled && a->row >= 0 && a->column >= 0 && a->row + a->height <= h->rows &&
                a->column + a->width <= h->columns;
        for (int k = 0; k < i; k++) {
            const hit_rect *b = &slices->rect[k];

            tiled =
                tiled &&
                (a->row >= b->row + b->height || b->row >= a->row + a->height ||
                 a->column >= b->column + b->width || b->column >= a->column + a->width);
        }
        for (int j = 0; j < h->devices[i]; j++, at++) {
            tiled = tiled && slices->width[at] >= 0;
            sum += slices->width[at];
        }
        tiled = tiled && sum == a->width;
    }
    ck_assert(tiled);
    ck_assert_int_eq(area, h->rows * h->columns);
}

static double makespan_of(const hit_hierarchy *h, const speed s[],
                          const hit_slices *slices)
{
    double most = 0.0;

    for (int i = 0, at = 0; i < h->nodes; i++) {
        for (int j = 0; j < h->devices[i]; j++, at++) {
            hit_index units = slices->rect[i].height * slices->width[at];

            most = fmax(most, speed_time(&s[at], units));
        }
    }
    return most;
}

/** Returns how many benchmarks were run, each of all nodes that were busy. */
static int balance(const scene *c, hit_random *random, const hit_hierarchy *h,
                   const speed s[], hit_hierarchical *balancer, hit_slices *slices,
                   hit_dynamic_verdict *verdict)
{
    double seconds[MOST_DEVICES];
    int benchmarks = 0;

    ck_assert_int_eq(hit_hierarchical_next(balancer, NULL, slices, verdict), HIT_OK);
    while (*verdict == HIT_DYNAMIC_CONTINUE) {
        check_slices(h, slices);
        for (int i = 0, at = 0; i < h->nodes; i++) {
            for (int j = 0; j < h->devices[i]; j++, at++) {
                hit_index units = slices->rect[i].height * slices->width[at];

                seconds[at] = speed_time(&s[at], units);
                if (c->noise > 0.0) {
                    seconds[at] *= 1.0 + c->noise * (2.0 * speed_uniform(random) - 1.0);
                }
                if (seconds[at] > hit_hierarchical_kill_s(balancer, i)) {
                    seconds[at] = INFINITY;
                }
                if (!hit_hierarchical_busy(balancer, i) || units == 0) seconds[at] = NAN;
            }
        }
        benchmarks++;
        ck_assert_int_eq(hit_hierarchical_next(balancer, seconds, slices, verdict),
                         HIT_OK);
    }
    check_slices(h, slices);
    return benchmarks;
}

static void run_scene(const scene *c, hit_random *random, int cases)
{
    hit_dynamic_options options = {.noise = c->noise > 0.0 ? c->noise : -1.0};
    int rounds = 0;
    int benchmarks = 0;
    double mean = 0.0;
    double most = 0.0;

    for (int k = 0; k < cases; k++) {
        int devices[MOST_NODES];
        speed s[MOST_DEVICES];
        hit_rect rect[MOST_NODES];
        hit_index width[MOST_DEVICES];
        hit_slices slices = {rect, width};
        hit_hierarchical *balancer = NULL;
        hit_dynamic_verdict verdict;
        hit_hierarchy h;
        double optimum;
        double ratio;
        int all = 0;
        int run;

        do {
            set_up(c, random, devices, s, &h);
            all = 0;
            for (int i = 0; i < h.nodes; i++) {
                all += devices[i];
            }
            optimum = speed_optimum(c->rows * c->columns, all, s);
        } while (optimum > 1e15);
        ck_assert_int_eq(hit_hierarchical_create(&h, &options, &balancer), HIT_OK);
        run = balance(c, random, &h, s, balancer, &slices, &verdict);
        ck_assert_msg(verdict == HIT_DYNAMIC_BALANCED || verdict == HIT_DYNAMIC_OPTIMAL,
                      "%s: %s", c->name, hit_dynamic_verdict_name(verdict));
        check_slices(&h, &slices);
        ratio = makespan_of(&h, s, &slices) / optimum;
        mean += ratio / cases;
        most = fmax(most, ratio);
        if (run > benchmarks) benchmarks = run;
        if (hit_hierarchical_rounds(balancer) > rounds) {
            rounds = hit_hierarchical_rounds(balancer);
        }
        hit_hierarchical_destroy(&balancer);
    }
    printf("%-26s %9lld %3d | %5d %7d | %6.3f %6.3f\n", c->name,
           (long long)(c->rows * c->columns), c->nodes, rounds, benchmarks, mean, most);
    fflush(stdout);
    ck_assert_msg(rounds <= c->most_rounds, "%s: %d rounds", c->name, rounds);
    ck_assert_msg(most <= c->most_ratio, "%s: ratio %g", c->name, most);
}

START_TEST(nested_loops_come_close_to_a_flat_optimum)
{
    hit_random random = hit_random_start(81);

    printf("%-26s %9s %3s | most rounds of        | ratio to flat\n", "case", "n", "q");
    printf("%-26s %9s %3s | nodes benches   |  mean    max\n", "", "", "");
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        run_scene(&scenes[i], &random, scenes[i].nodes > 5 ? 5 : 15);
    }
}
END_TEST

START_TEST(models_of_all_devices_give_the_same_at_once)
{
    hit_random random = hit_random_start(82);
    double most = 0.0;

    for (int k = 0; k < 20; k++) {
        static const int devices[3] = {3, 1, 2};
        hit_hierarchy h = {.rows = 400, .columns = 300, .nodes = 3, .devices = devices};
        hit_fpm *model[6] = {NULL};
        hit_rect rect[3];
        hit_index width[6];
        hit_index flat[6];
        hit_slices slices = {rect, width};
        hit_partition_info info;
        double makespan;

        for (int j = 0; j < 6; j++) {
            double fast = exp(3.0 * speed_uniform(&random));
            hit_fpm_point point[3] = {
                {1.0, fast, 1.0}, {0.0, fast, 1.0}, {0.0, 0.0, 1.0}};

            point[1].units = 15000.0 + 30000.0 * speed_uniform(&random);
            point[2].units = floor(point[1].units) + 1.0;
            point[1].units -= 1.0;
            point[2].value = fast / (j % 2 == 0 ? 10.0 : 1.0); /* a cliff */
            ck_assert_int_eq(hit_fpm_create(HIT_FPM_FUNCTIONAL, 3, point, &model[j]),
                             HIT_OK);
        }
        ck_assert_int_eq(hit_hierarchical_static(&h, (const hit_fpm *const *)model,
                                                 &slices, &makespan),
                         HIT_OK);
        check_slices(&h, &slices);
        ck_assert_int_eq(hit_partition_fpm(h.rows * h.columns, 6,
                                           (const hit_fpm *const *)model, flat, &info),
                         HIT_OK);
        most = fmax(most, makespan / info.makespan_s);
        for (int j = 0; j < 6; j++) {
            hit_fpm_destroy(&model[j]);
        }
    }
    printf("static, 3 nodes of 3, 1, 2 devices: at most %.3f of the flat optimum\n",
           most);
    ck_assert_double_le(most, 1.12);
}
END_TEST

START_TEST(wrong_hierarchies_are_refused)
{
    int none[1] = {0};
    hit_hierarchy h = {.rows = 4, .columns = 4, .nodes = 1, .devices = none};
    hit_hierarchical *balancer = NULL;

    ck_assert_int_eq(hit_hierarchical_create(&h, NULL, &balancer), HIT_E_ARG);
    none[0] = 2;
    h.rows = -1;
    ck_assert_int_eq(hit_hierarchical_create(&h, NULL, &balancer), HIT_E_ARG);
    h.nodes = 0;
    ck_assert_int_eq(hit_hierarchical_create(&h, NULL, &balancer), HIT_E_ARG);
    ck_assert_ptr_null(balancer);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("layouts/partition/hierarchical");
    TCase *tc = tcase_create("hierarchical");

    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, nested_loops_come_close_to_a_flat_optimum);
    tcase_add_test(tc, models_of_all_devices_give_the_same_at_once);
    tcase_add_test(tc, wrong_hierarchies_are_refused);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
