/* SPDX-License-Identifier: MIT
 * Times of tasks that a scheduler placed are kept in the store of models where it is
 * asked for, spikes left out, and the next run begins with them. On a played clock. */
#include "hit/base/context.h"
#include "hit/hit.h"
#include "hit/model/store.h"
#include "hit/model/store_impl.h"
#include "hit/scheduled/real_impl.h"
#include "hit/scheduled/schedule.h"
#include "tests/support/check_main.h"
#include "tests/support/own_store.h"
#include "tests/support/played_clock.h"

#include <stdlib.h>
#include <string.h>

enum {
    N = 12,
    RUNS = 40,
    SPIKE = 9 /* each so many runs take long */
};

static hit_context *base; /* keeps MPI open */
static int runs;          /* one device: one thread runs kernels */

/* A millisecond; sometimes a second. */
static hit_status take_time(const hit_run *run)
{
    (void)run;
    played_clock_pass(runs++ % SPIKE == SPIKE - 1 ? 1.0 : 1e-3);
    return HIT_OK;
}

static const hit_kernel_arg args[] = {
    {HIT_MODE_INOUT, {HIT_KIND_INT64, sizeof(int64_t)}, "c", "[i, j]"}};
static const hit_kernel timed = {.name = "timed",
                                 .dims = 2,
                                 .index = {"i", "j"},
                                 .args = 1,
                                 .arg = args,
                                 .whole_box = 1,
                                 .host = take_time};

typedef struct program {
    hit_context *hit;
    hit_tile *tile;
} program;

static program begin(const char *scheduler)
{
    const hit_options options = {.devices = "host:threads=1:memory=64KiB"};
    program p = {.hit = NULL};

    runs = 0;
    HIT_MUST(hit_open_with(NULL, NULL, &options, &p.hit));
    p.hit->clock = played_clock;
    HIT_MUST(hit_schedule(p.hit, scheduler));
    HIT_MUST(hit_tile_make(p.hit, hit_domain_of(N, N), "block", HIT_INT64, "c", &p.tile));
    return p;
}

static void end(program *p)
{
    HIT_MUST(hit_wait(p->hit));
    hit_tile_destroy(&p->tile);
    hit_close(&p->hit);
}

static void launch(const program *p, int times, hit_index rows)
{
    for (int k = 0; k < times; k++) {
        HIT_MUST(hit_launch(p->hit, &timed, hit_domain_of(rows, N), p->tile));
    }
}

/* The only model of the store; NULL: there is none. @owner the caller */
static hit_fpm *find_model(void)
{
    hit_model_entry *entry = NULL;
    hit_fpm *fpm = NULL;
    int count = 0;

    HIT_MUST(hit_store_list(&count, &entry));
    ck_assert_int_le(count, 1);
    if (count == 1) {
        ck_assert_ptr_nonnull(strstr(entry[0].key.kernel, "timed"));
        HIT_MUST(hit_store_read(entry[0].name, &entry[0], &fpm));
    }
    free(entry);
    return fpm;
}

static void check_point(const hit_fpm *fpm, size_t k, double units)
{
    ck_assert(hit_fpm_point_at(fpm, k).units == units);
    ck_assert_double_ge(hit_fpm_point_time(fpm, k), 0.99e-3);
    ck_assert_double_le(hit_fpm_point_time(fpm, k), 1.5e-3);
}

START_TEST(times_are_kept_where_it_is_asked_for)
{
    own_store store;
    hit_fpm *fpm;
    program p;

    own_store_open(&store);
    p = begin("mct:beta=2,learn,queue=rank");
    launch(&p, RUNS, N);
    launch(&p, RUNS, N / 2);
    launch(&p, 2, N / 3); /* that is not enough */
    end(&p);
    fpm = find_model();
    ck_assert_ptr_nonnull(fpm);
    ck_assert_uint_eq(hit_fpm_count(fpm), 2);
    check_point(fpm, 0, 0.5 * N * N);
    check_point(fpm, 1, N * N);
    hit_fpm_destroy(&fpm);
    own_store_close(&store);
}
END_TEST

START_TEST(times_are_not_kept_where_it_is_not_asked_for)
{
    own_store store;
    program p;

    own_store_open(&store);
    p = begin("mct:beta=2");
    launch(&p, RUNS, N);
    end(&p);
    ck_assert_ptr_null(find_model());
    own_store_close(&store);
}
END_TEST

/* What was learnt before the scheduler was changed is kept, too. */
START_TEST(the_next_run_begins_with_what_was_learnt)
{
    own_store store;
    const hit_real *real;
    program p;

    own_store_open(&store);
    p = begin("heft");
    launch(&p, RUNS, N);
    HIT_MUST(hit_schedule(p.hit, "eager:learn"));
    launch(&p, RUNS, N);
    HIT_MUST(hit_schedule(p.hit, "heft"));
    end(&p);
    p = begin("mct");
    launch(&p, 1, N);
    real = ((const hit_scheduled *)p.hit->execution)->driven;
    ck_assert_int_eq(real->works, 1);
    ck_assert_double_ge(real->learnt[0].known_ns, 0.99e6);
    ck_assert_double_le(real->learnt[0].known_ns, 1.5e6);
    end(&p);
    own_store_close(&store);
}
END_TEST

START_TEST(a_simulated_machine_has_nothing_to_learn)
{
    const hit_options options = {.devices = "simulated:machines/idgraf.machine"};
    hit_context *hit = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &options, &hit));
    ck_assert_int_eq(hit_schedule(hit, "mct:learn"), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "no option learn"));
    ck_assert_int_eq(hit_schedule(hit, "mct:learn=3"), HIT_E_ARG);
    HIT_MUST(hit_schedule(hit, "mct"));
    hit_close(&hit);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("lessons");
    TCase *tests = tcase_create("lessons");

    tcase_add_test(tests, times_are_kept_where_it_is_asked_for);
    tcase_add_test(tests, times_are_not_kept_where_it_is_not_asked_for);
    tcase_add_test(tests, the_next_run_begins_with_what_was_learnt);
    tcase_add_test(tests, a_simulated_machine_has_nothing_to_learn);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
