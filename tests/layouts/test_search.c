/* SPDX-License-Identifier: MIT
 * Layouts that measure themselves: with a kernel of known time and devices that are
 * slower by known factors, on a played clock, the best distribution is known. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/context.h"
#include "hit/cost/model_key.h"
#include "hit/launch/catalogue.h"
#include "hit/measure/trial.h"
#include "hit/model/store_impl.h"
#include "hit/tile/layout_create.h"
#include "hit/topo/layout_impl.h"
#include "layouts/search/search.h"
#include "tests/layouts/nap.h"
#include "tests/support/check_main.h"
#include "tests/support/own_store.h"
#include "tests/support/played_clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS = 240,
    COLUMNS = 200,
    SEEDS = 2
};

static const char devices[] =
    "host;host:slow=4;host:slow=2;host;host:slow=3;host:slow=2;host:slow=6";
static const int factor[] = {1, 4, 2, 1, 3, 2, 6};

static hit_context *base;
/* All processes have one together. */
static own_store models;

/* Opens a context with these devices, and knows the kernel. */
static hit_context *open_slow(void)
{
    const hit_options options = {.devices = devices, .threads = 1};
    hit_context *hit = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &options, &hit));
    hit->clock = played_clock;
    HIT_MUST(hit_kernel_register(hit, &nap));
    return hit;
}

/* The makespan of a layout / that of the best real shares. Even shares have 2.5 and more
 * on 2 and 4 processes. */
static double ratio_of(const hit_layout *layout, hit_index indices)
{
    double speed = 0;
    double most = 0;
    hit_index sum = 0;

    for (int k = 0; k < hit_layout_ranks(layout); k++) {
        hit_region part = {0};
        double seconds;

        HIT_MUST(hit_layout_part(layout, k, &part));
        sum += hit_region_count(&part);
        seconds = (double)hit_region_count(&part) * factor[k];
        if (seconds > most) most = seconds;
        speed += 1.0 / factor[k];
        hit_region_clear(&part);
    }
    ck_assert_int_eq(sum, indices);
    return most * speed / (double)indices;
}

static double ratio(const hit_layout *layout)
{
    return ratio_of(layout, ROWS * COLUMNS);
}

static void check_same_everywhere(hit_context *hit, const hit_layout *layout)
{
    uint64_t key[2] = {hit_layout_key(layout), ~hit_layout_key(layout)};

    HIT_MUST(hit_comm_max_u64(hit->comm, key, 2));
    ck_assert_uint_eq(key[0], ~key[1]);
}

/* How often process 0 measured; the log is removed. */
static int rounds_of(hit_context *hit, const char *log)
{
    uint64_t rounds = 0;

    if (hit->rank == 0) {
        FILE *file = fopen(log, "r");
        char line[4096];

        ck_assert_ptr_nonnull(file);
        while (fgets(line, sizeof(line), file) != NULL) {
            rounds += strncmp(line, "round ", 6) == 0;
        }
        (void)fclose(file);
        (void)remove(log);
    }
    HIT_MUST(hit_comm_max_u64(hit->comm, &rounds, 1));
    return (int)rounds;
}

/* Two searches, of which the second one finds the models of the first; with times that
 * are exact (seed 0) or disturbed. */
static void search(const char *name, int seed)
{
    const double most = seed == 0 ? 1.06 : 1.3;
    hit_context *hit = open_slow();
    const hit_domain domain = hit_domain_of(ROWS, COLUMNS);
    char log[64];
    char text[160];
    int rounds[2];

    (void)snprintf(log, sizeof(log), "search-%d.log", hit_size(hit));
    (void)snprintf(text, sizeof(text), "%s:kernel=nap,error=0.05,log=%s", name, log);
    own_store_open_for(&models, base);
    if (seed > 0) nap_disturb((uint64_t)(100 * seed + hit_rank(hit)), 2);
    for (int time = 0; time < 2; time++) {
        hit_layout *layout = NULL;

        HIT_MUST(hit_layout_create(hit, domain, text, &layout));
        check_same_everywhere(hit, layout);
        ck_assert(ratio(layout) <= most);
        rounds[time] = rounds_of(hit, log);
        hit_layout_destroy(&layout);
    }
    ck_assert_int_ge(rounds[0], 1);
    ck_assert_int_le(rounds[1], seed == 0 ? 1 : 30);
    nap_disturb(0, 0);
    hit_close(&hit);
    own_store_close_for(&models, base);
}

START_TEST(slices_are_balanced)
{
    search("fpm", _i);
}
END_TEST

START_TEST(columns_are_balanced)
{
    search("fpm2d", _i);
}
END_TEST

START_TEST(two_levels_are_balanced)
{
    search("hierarchical", _i);
}
END_TEST

/* The lines of a log: the last word, and how many distributions were looked at. Process 0
 * has the log. */
static void check_converged(const char *log)
{
    FILE *file = fopen(log, "r");
    char line[4096];
    int steps = 0;
    bool good = false;

    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof(line), file) != NULL) {
        steps += strncmp(line, "nodes, round ", 13) == 0;
        good = good || strncmp(line, "balanced, ", 10) == 0 ||
               strncmp(line, "optimal, ", 9) == 0;
    }
    (void)fclose(file);
    (void)remove(log);
    ck_assert(good);
    ck_assert_int_ge(steps, 2);
}

/* As many nodes as there are pairs of processes; the last one may have one more. */
START_TEST(both_loops_of_two_levels_converge)
{
    hit_context *hit = open_slow();
    const int nodes = hit_size(hit) > 1 ? hit_size(hit) / 2 : 1;
    hit_layout *layout = NULL;
    char log[64];
    char text[160];
    int used;

    (void)snprintf(log, sizeof(log), "nodes-%d.log", hit_size(hit));
    used = snprintf(text, sizeof(text), "hierarchical:kernel=nap,log=%s,nodes=", log);
    for (int k = 0; k < nodes; k++) {
        const int here = k + 1 < nodes ? 2 : hit_size(hit) - 2 * k;

        used += snprintf(text + used, sizeof(text) - (size_t)used, "%s%d",
                         k > 0 ? "," : "", here);
    }
    own_store_open_for(&models, base);
    if (_i > 0) nap_disturb((uint64_t)(100 * _i + hit_rank(hit)), 2);
    HIT_MUST(hit_layout_create(hit, hit_domain_of(ROWS, COLUMNS), text, &layout));
    nap_disturb(0, 0);
    check_same_everywhere(hit, layout);
    ck_assert(ratio(layout) <= (_i == 0 ? 1.06 : 1.3));
    hit_layout_destroy(&layout);
    own_store_close_for(&models, base);
    hit_close(&hit);
    if (hit_rank(base) == 0) check_converged(log);
}
END_TEST

START_TEST(constant_speeds_are_good_where_they_are_constant)
{
    search("cpm", _i);
    search("cpm2d", _i);
}
END_TEST

/* Less than a single run of all indices, where each distribution has three and more. */
START_TEST(a_search_runs_less_than_the_program_does)
{
    hit_context *hit = open_slow();
    hit_layout *layout = NULL;
    uint64_t ran;

    own_store_open_for(&models, base);
    nap_indices();
    HIT_MUST(hit_layout_create(hit, hit_domain_of(4000, 3000),
                               "fpm2d:kernel=nap,error=0.05", &layout));
    ran = (uint64_t)nap_indices();
    HIT_MUST(hit_comm_sum_u64(hit->comm, &ran, 1));
    ck_assert_uint_le(ran, 4000 * 3000);
    ck_assert(ratio_of(layout, 4000 * 3000) <= 1.06);
    hit_layout_destroy(&layout);
    hit_close(&hit);
    own_store_close_for(&models, base);
}
END_TEST

/* The models say it all, so nothing is measured: the kernel would nap for hours. */
START_TEST(what_the_models_know_is_not_measured)
{
    hit_context *hit = open_slow();
    const bool cut[] = {true, false};
    const hit_subject subject = {
        .kernel = &nap, .whole = hit_domain_of(ROWS, COLUMNS), .piece = 1};
    hit_model_key key;
    hit_layout *layout = NULL;
    hit_fpm *fpm = NULL;
    char log[64];
    char text[160];

    own_store_open_for(&models, base);
    HIT_MUST(hit_model_key_make(hit, &subject, cut, &key));
    HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, &fpm));
    for (hit_index row = 1; row <= ROWS; row++) {
        const double units = (double)(row * COLUMNS);

        HIT_MUST(hit_fpm_add(fpm, units, units * factor[hit_rank(hit)], 1));
    }
    HIT_MUST(
        hit_store_add(NULL, &key, fpm)); /* the processes of the test share a store */
    hit_fpm_destroy(&fpm);
    HIT_MUST(hit_barrier(hit));
    (void)snprintf(log, sizeof(log), "known-%d.log", hit_size(hit));
    (void)snprintf(text, sizeof(text), "fpm:kernel=nap,log=%s", log);
    HIT_MUST(hit_layout_create(hit, subject.whole, text, &layout));
    check_same_everywhere(hit, layout);
    ck_assert_int_eq(rounds_of(hit, log), 0);
    ck_assert(ratio(layout) <= 1.06);
    hit_layout_destroy(&layout);
    hit_close(&hit);
    own_store_close_for(&models, base);
}
END_TEST

START_TEST(mistakes_are_errors_on_all)
{
    static const struct {
        const char *text;
        const char *expected;
    } wrong[] = {
        {"fpm:kernel=nothing", "expected the name of a kernel ("},
        {"fpm:kernel=dot", "expected a kernel of 2 dimensions"},
        {"fpm:kernel=heat,error=2", "1e-06 <= error < 1"},
        {"fpm:kernel=heat,piece=-1", "0 <= piece < 1"},
        {"fpm:kernel=heat,measure=never", "measure=missing or always"},
        {"fpm:kernel=heat,k=0", "k"},
        {"fpm:kernel=heat,speeds=1", "speeds"},
        {"fpm2d:kernel=heat,dims=0,0", "dims"},
        {"cpm:kernel=heat,rounds=0", "rounds"},
        {"hierarchical:kernel=heat,nodes=100", "nodes"},
        {"block:kernel=heat", "kernel"},
    };
    const hit_domain domain = hit_domain_of(ROWS, COLUMNS);
    hit_layout *layout = NULL;

    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        const hit_status st = hit_layout_create(base, domain, wrong[k].text, &layout);

        ck_assert_msg(st != HIT_OK, "%s", wrong[k].text);
        ck_assert_msg(strstr(hit_status_text(), wrong[k].expected) != NULL, "%s: %s",
                      wrong[k].text, hit_status_text());
        ck_assert_ptr_null(layout);
    }
    ck_assert_int_eq(
        hit_layout_plan(hit_layout_table[0], domain, 2, "kernel=heat", &layout),
        HIT_E_ARG);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("search");
    TCase *tc = tcase_create("all");

    tcase_add_loop_test(tc, slices_are_balanced, 0, SEEDS);
    tcase_add_loop_test(tc, columns_are_balanced, 0, SEEDS);
    tcase_add_loop_test(tc, two_levels_are_balanced, 0, SEEDS);
    tcase_add_loop_test(tc, both_loops_of_two_levels_converge, 0, SEEDS);
    tcase_add_loop_test(tc, constant_speeds_are_good_where_they_are_constant, 0, SEEDS);
    tcase_add_test(tc, a_search_runs_less_than_the_program_does);
    tcase_add_test(tc, what_the_models_know_is_not_measured);
    tcase_add_test(tc, mistakes_are_errors_on_all);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
