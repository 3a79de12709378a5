/* SPDX-License-Identifier: MIT
 * Owners of panels: every suffix against the best distribution of its own, small cases
 * against all assignments, large ones against what is known of them. */
#include "layouts/partition/algorithms.h"
#include "layouts/partition/partition_impl.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64

START_TEST(every_suffix_is_shared_out_as_well_as_alone)
{
    hit_random random = hit_random_start(41);

    for (int i = 0; i < hit_random_cases(2000); i++) {
        const int parts = (int)hit_random_index(&random, 1, 9);
        const hit_index panels = hit_random_index(&random, 0, MOST);
        double speed[9];
        int owner[MOST];
        hit_index count[9] = {0};
        bool equal = true;

        for (int k = 0; k < parts; k++) {
            speed[k] =
                (double)hit_random_index(&random, k == 0 ? 1 : 0, i % 2 ? 5 : 1000);
        }
        ck_assert_int_eq(hit_partition_ordered(panels, parts, speed, owner), HIT_OK);
        for (hit_index j = panels - 1; j >= 0; j--) {
            hit_index share[9];

            count[owner[j]]++;
            ck_assert_int_eq(hit_partition_cpm(panels - j, parts, speed, share), HIT_OK);
            equal = equal && memcmp(share, count, (size_t)parts * sizeof share[0]) == 0;
        }
        ck_assert(equal);
    }
}
END_TEST

START_TEST(whole_speeds_give_a_pattern_that_repeats)
{
    const double speed[] = {3, 1, 2};
    int owner[600];

    ck_assert_int_eq(hit_partition_ordered(600, 3, speed, owner), HIT_OK);
    for (int j = 0; j + 6 < 600; j++) {
        ck_assert_int_eq(owner[j], owner[j + 6]);
    }
}
END_TEST

/** Models with up to 4 points, with speeds that only fall if @p falling. */
static void random_models(hit_random *random, int parts, hit_index span, bool falling,
                          hit_fpm *fpm[])
{
    for (int i = 0; i < parts; i++) {
        hit_fpm_point point[4];
        const size_t count = (size_t)hit_random_index(random, 1, 4);
        double units = 0.0;

        for (size_t k = 0; k < count; k++) {
            double speed = (double)hit_random_index(random, 1, 20);

            units += (double)hit_random_index(random, 1, span);
            if (falling && k > 0) speed = fmin(speed, point[k - 1].value);
            point[k] = (hit_fpm_point){units, speed, 1.0};
        }
        ck_assert_int_eq(hit_fpm_create(HIT_FPM_FUNCTIONAL, count, point, &fpm[i]),
                         HIT_OK);
        if (hit_random_index(random, 0, 3) > 0) continue;
        ck_assert_int_eq(hit_fpm_set_cap(fpm[i], hit_random_index(random, 0, 6 * span)),
                         HIT_OK);
    }
}

static void destroy_models(int parts, hit_fpm *fpm[])
{
    for (int i = 0; i < parts; i++) {
        hit_fpm_destroy(&fpm[i]);
    }
}

/** The least sum of times over all owners of panels 1, 2, ... */
static double least_time(const hit_steps *steps)
{
    double least = INFINITY;
    int owner[MOST] = {0};

    for (hit_index j = 1; j < steps->panels + (steps->panels == 1);) {
        least = fmin(least, hit_partition_ordered_time(steps->panels, steps->height,
                                                       steps->parts, steps->fpm, owner));
        for (j = 1; j < steps->panels && ++owner[j] == steps->parts; j++) {
            owner[j] = 0;
        }
        if (j >= steps->panels) break;
        j = 1;
    }
    return least;
}

START_TEST(no_owners_of_few_panels_end_earlier)
{
    hit_random random = hit_random_start(42);
    int feasible = 0;

    for (int i = 0; i < hit_random_cases(1500); i++) {
        const int parts = (int)hit_random_index(&random, 1, 3);
        hit_fpm *fpm[3];
        hit_index height[8];
        int owner[8];
        hit_steps steps = {.panels = hit_random_index(&random, 1, parts == 3 ? 6 : 8),
                           .parts = parts};
        double least;

        random_models(&random, parts, 12, i % 2 == 0, fpm);
        steps.fpm = (const hit_fpm *const *)fpm;
        for (int k = 0; k < 8; k++) {
            height[k] = hit_random_index(&random, 1, 9);
        }
        if (i % 3 == 0) steps.height = height;
        least = least_time(&steps);
        if (isfinite(least)) {
            feasible++;
            ck_assert_int_eq(hit_partition_ordered_fpm(steps.panels, steps.height, parts,
                                                       steps.fpm, owner),
                             HIT_OK);
            ck_assert_double_eq_tol(hit_partition_ordered_time(steps.panels, steps.height,
                                                               parts, steps.fpm, owner),
                                    least, 1e-12 * (1.0 + least));
        } else {
            ck_assert_int_eq(hit_partition_ordered_fpm(steps.panels, steps.height, parts,
                                                       steps.fpm, owner),
                             HIT_E_LIMIT);
        }
        destroy_models(parts, fpm);
    }
    ck_assert_int_gt(feasible, hit_random_cases(500));
}
END_TEST

START_TEST(reverse_is_near_the_optimum_where_times_rise)
{
    hit_random random = hit_random_start(43);

    for (int i = 0; i < 60; i++) {
        enum {
            PANELS = 101
        };
        hit_fpm *fpm[6];
        const hit_fpm *model[6];
        int owner[PANELS];
        int best[PANELS] = {0};
        hit_steps steps = {.panels = PANELS, .parts = 2, .fpm = model};
        hit_arrays arrays = {NULL};
        bool better = false;
        double found;

        /* three more that cannot do anything keep the exact algorithm away */
        random_models(&random, 2, 4000, true, fpm);
        for (int k = 0; k < 2; k++) {
            ck_assert_int_eq(hit_fpm_set_cap(fpm[k], INT64_MAX), HIT_OK);
            model[k] = fpm[k];
        }
        ck_assert_int_eq(hit_fpm_constant(1.0, &fpm[2]), HIT_OK);
        ck_assert_int_eq(hit_fpm_set_cap(fpm[2], 0), HIT_OK);
        model[2] = model[3] = model[4] = model[5] = fpm[2];
        ck_assert(hit_steps_are_few(&steps));
        ck_assert_int_eq(hit_steps_optimal(&steps, &arrays, best), HIT_OK);
        hit_arrays_free(&arrays);
        steps.parts = 6;
        ck_assert(!hit_steps_are_few(&steps));
        ck_assert_int_eq(hit_partition_ordered_fpm(PANELS, NULL, 6, model, owner),
                         HIT_OK);
        found = hit_partition_ordered_time(PANELS, NULL, 6, model, owner);
        ck_assert_double_le(
            found, 1.05 * hit_partition_ordered_time(PANELS, NULL, 6, model, best));
        for (int j = 1; j < PANELS; j++) { /* no panel would better be elsewhere */
            owner[j] = 1 - owner[j];
            better = better || hit_partition_ordered_time(PANELS, NULL, 6, model, owner) <
                                   found * (1.0 - 1e-6);
            owner[j] = 1 - owner[j];
        }
        ck_assert(!better);
        destroy_models(3, fpm);
    }
}
END_TEST

START_TEST(a_cliff_at_the_first_steps_is_avoided)
{
    enum {
        PANELS = 200
    };
    /* fast, but not with more than half of the matrix */
    const hit_fpm_point cliff[] = {{20000, 100, 1}, {20400, 5, 1}};
    hit_fpm *fpm[8];
    int owner[PANELS];
    int greedy[PANELS];
    const double speed[8] = {100, 20, 20, 20, 20, 20, 20, 20};
    const hit_fpm *const *model = (const hit_fpm *const *)fpm;

    ck_assert_int_eq(hit_fpm_create(HIT_FPM_FUNCTIONAL, 2, cliff, &fpm[0]), HIT_OK);
    for (int i = 1; i < 8; i++) {
        ck_assert_int_eq(hit_fpm_constant(speed[i], &fpm[i]), HIT_OK);
    }
    ck_assert_int_eq(hit_partition_ordered(PANELS, 8, speed, greedy), HIT_OK);
    ck_assert_int_eq(hit_partition_ordered_fpm(PANELS, NULL, 8, model, owner), HIT_OK);
    ck_assert_double_le(hit_partition_ordered_time(PANELS, NULL, 8, model, owner),
                        1.001 *
                            hit_partition_ordered_time(PANELS, NULL, 8, model, greedy));
    hit_fpm_destroy(&fpm[0]);
    ck_assert_int_eq(hit_fpm_create(HIT_FPM_FUNCTIONAL, 2,
                                    (const hit_fpm_point[]){{8000, 100, 1}, {8160, 5, 1}},
                                    &fpm[0]),
                     HIT_OK);
    ck_assert_int_eq(hit_partition_ordered_fpm(PANELS, NULL, 8, model, owner), HIT_OK);
    ck_assert_double_le(2.0 * hit_partition_ordered_time(PANELS, NULL, 8, model, owner),
                        hit_partition_ordered_time(PANELS, NULL, 8, model, greedy));
    destroy_models(8, fpm);
}
END_TEST

START_TEST(owners_that_a_table_does_not_allow_are_not_given_out)
{
    enum {
        PANELS = 1200, /* too many for the optimum */
        LOADS = PANELS / 2
    };
    static hit_fpm_point even[LOADS];
    static hit_index flat[PANELS];
    static int owner[PANELS];
    hit_fpm *fpm[2] = {NULL, NULL};
    const hit_fpm *const *model = (const hit_fpm *const *)fpm;
    hit_status st;

    for (int k = 0; k < LOADS; k++) {
        even[k] = (hit_fpm_point){2.0 * (k + 1), k + 1.0, 1.0};
    }
    for (int k = 0; k < PANELS; k++) {
        flat[k] = 1;
    }
    HIT_MUST(hit_fpm_create(HIT_FPM_TABLE, LOADS, even, &fpm[0]));
    HIT_MUST(hit_fpm_constant(1, &fpm[1]));
    st = hit_partition_ordered_fpm(PANELS, flat, 2, model, owner);
    ck_assert(st == HIT_OK || st == HIT_E_LIMIT);
    if (st == HIT_OK) {
        ck_assert(isfinite(hit_partition_ordered_time(PANELS, flat, 2, model, owner)));
    }
    hit_fpm_destroy(&fpm[0]);
    hit_fpm_destroy(&fpm[1]);
}
END_TEST

START_TEST(constant_models_give_what_speeds_give)
{
    hit_random random = hit_random_start(44);

    for (int i = 0; i < 30; i++) {
        const int parts = (int)hit_random_index(&random, 4, 8);
        hit_fpm *fpm[8];
        double speed[8];
        int owner[MOST];
        int other[MOST];
        const hit_fpm *const *model = (const hit_fpm *const *)fpm;

        for (int k = 0; k < parts; k++) {
            speed[k] = (double)hit_random_index(&random, 1, 100);
            ck_assert_int_eq(hit_fpm_constant(speed[k], &fpm[k]), HIT_OK);
        }
        ck_assert_int_eq(hit_partition_ordered(MOST, parts, speed, owner), HIT_OK);
        ck_assert_int_eq(hit_partition_ordered_fpm(MOST, NULL, parts, model, other),
                         HIT_OK);
        ck_assert_double_eq_tol(
            hit_partition_ordered_time(MOST, NULL, parts, model, owner),
            hit_partition_ordered_time(MOST, NULL, parts, model, other), 1e-6);
        destroy_models(parts, fpm);
    }
}
END_TEST

START_TEST(a_hundred_thousand_panels_of_ten_thousand_processes_are_dealt)
{
    enum {
        PANELS = 100000,
        PARTS = 10000
    };
    hit_random random = hit_random_start(45);
    double *speed = calloc(PARTS, sizeof *speed);
    int *owner = calloc(PANELS, sizeof *owner);
    hit_index *share = calloc(PARTS, sizeof *share);

    ck_assert(speed != NULL && owner != NULL && share != NULL);
    for (int i = 0; i < PARTS; i++) {
        speed[i] = (double)hit_random_index(&random, 0, 1000000);
    }
    ck_assert_int_eq(hit_partition_ordered(PANELS, PARTS, speed, owner), HIT_OK);
    ck_assert_int_eq(hit_partition_cpm(PANELS, PARTS, speed, share), HIT_OK);
    for (int j = 0; j < PANELS; j++) {
        share[owner[j]]--;
    }
    for (int i = 0; i < PARTS; i++) {
        ck_assert_int_eq(share[i], 0);
    }
    free(speed);
    free(owner);
    free(share);
}
END_TEST

START_TEST(wrong_arguments_are_told)
{
    const double idle[] = {0, 0};
    const double wrong[] = {1, NAN};
    const double good[] = {0, 1};
    const hit_index flat[] = {0, 1};
    hit_fpm *fpm;
    int owner[3];

    ck_assert_int_eq(hit_partition_ordered(3, 2, idle, owner), HIT_E_LIMIT);
    ck_assert_int_eq(hit_partition_ordered(0, 2, idle, owner), HIT_OK);
    ck_assert_int_eq(hit_partition_ordered(3, 2, wrong, owner), HIT_E_ARG);
    ck_assert_int_eq(hit_partition_ordered(-1, 2, good, owner), HIT_E_ARG);
    ck_assert_int_eq(hit_partition_ordered(3, 0, good, owner), HIT_E_ARG);
    ck_assert_int_eq(hit_partition_ordered(3, 2, good, owner), HIT_OK);
    for (int j = 0; j < 3; j++) {
        ck_assert_int_eq(owner[j], 1);
    }
    ck_assert_int_eq(hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, &fpm), HIT_OK);
    ck_assert_int_eq(
        hit_partition_ordered_fpm(3, NULL, 1, (const hit_fpm *const *)&fpm, owner),
        HIT_E_ARG);
    hit_fpm_destroy(&fpm);
    ck_assert_int_eq(hit_fpm_constant(1.0, &fpm), HIT_OK);
    ck_assert_int_eq(
        hit_partition_ordered_fpm(3, flat, 1, (const hit_fpm *const *)&fpm, owner),
        HIT_E_ARG);
    ck_assert_int_eq(
        hit_partition_ordered_fpm(1, NULL, 1, (const hit_fpm *const *)&fpm, owner),
        HIT_OK);
    ck_assert_int_eq(owner[0], 0);
    hit_fpm_destroy(&fpm);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("ordered");
    TCase *tcase = tcase_create("ordered");

    tcase_add_test(tcase, every_suffix_is_shared_out_as_well_as_alone);
    tcase_add_test(tcase, whole_speeds_give_a_pattern_that_repeats);
    tcase_add_test(tcase, no_owners_of_few_panels_end_earlier);
    tcase_add_test(tcase, reverse_is_near_the_optimum_where_times_rise);
    tcase_add_test(tcase, a_cliff_at_the_first_steps_is_avoided);
    tcase_add_test(tcase, owners_that_a_table_does_not_allow_are_not_given_out);
    tcase_add_test(tcase, constant_models_give_what_speeds_give);
    tcase_add_test(tcase, a_hundred_thousand_panels_of_ten_thousand_processes_are_dealt);
    tcase_add_test(tcase, wrong_arguments_are_told);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
