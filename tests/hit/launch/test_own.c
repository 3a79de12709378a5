/* SPDX-License-Identifier: MIT
 * One argument that is written by one pattern and read by another: launches do what plain
 * loops do, wherever they run, and those in which an index reads what another one writes
 * are told. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/data/sig.h"
#include "tests/hit/launch/expect.h"
#include "tests/hit/launch/run_trials.h"

#include <stdlib.h>

extern const hit_kernel relax_points, every_other, from_row, cells;
extern const hit_kernel written_beside, only_in, pairs_of;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

static hit_domain strided(hit_sig sig)
{
    return (hit_domain){.dims = 1, .sig = {sig}};
}

/* ---- the same as plain loops ---- */

static void relax_plainly(field *u, const hit_domain *box, int64_t w)
{
    hit_index x[HIT_MAX_DIMS];

    for (bool go = hit_domain_first(box, x); go; go = hit_domain_next(box, x)) {
        const hit_index i = x[0];
        const hit_index j = x[1];

        SLOT(u, i, j) += w * (SLOT(u, i - 1, j) + SLOT(u, i + 1, j) + SLOT(u, i, j - 1) -
                              3 * SLOT(u, i, j + 1));
    }
}

/* Red and black points, in two boxes each. */
static void try_red_black(scene *s)
{
    const hit_index n = pick(s, 4, 24);
    const hit_index m = pick(s, 4, 24);
    field u = make_field(s, hit_domain_of(n, m), HIT_BOUNDARY_NONE, pick_layout(s, 2));

    for (int t = 0; t < 8; t++) {
        const hit_index a = 1 + t % 2;
        const hit_index b = 1 + (t / 2 + t) % 2;
        const hit_domain box = {2,
                                {hit_sig_make(a, n - 2, 2), hit_sig_make(b, m - 2, 2)}};
        const int64_t w = t % 3;

        note(s, hit_launch(s->hit, &relax_points, box, u.tile, HIT_VALUE(w)),
             "relax_points");
        relax_plainly(&u, &box, w);
    }
    drop_field(s, &u);
}

static void try_every_other(scene *s)
{
    const hit_index n = pick(s, 8, 120);
    field u = make_field(s, hit_domain_of(n), HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field f = make_field(s, hit_domain_of(n), HIT_BOUNDARY_NONE, pick_layout(s, 1));

    for (int t = 0; t < 4; t++) {
        const hit_sig sig = hit_sig_make(3 + t % 2, n - 2, 2);

        note(s, hit_launch(s->hit, &every_other, strided(sig), u.tile, f.tile),
             "every_other");
        for (hit_index i = sig.begin; i <= sig.end; i += 2) {
            SLOT(&u, i) = (SLOT(&u, i) + 3 * SLOT(&u, i - 3) - SLOT(&u, i + 1) +
                           SLOT(&f, i - 1) + SLOT(&f, i + 1)) %
                          100003;
        }
    }
    drop_field(s, &u);
    drop_field(s, &f);
}

static void try_from_row(scene *s)
{
    const hit_index n = pick(s, 4, 12);
    const hit_index m = pick(s, 3, 20);
    field u = make_field(s, hit_domain_of(n, m), HIT_BOUNDARY_NONE, pick_layout(s, 2));

    for (hit_index k = 0; k < n; k++) {
        const hit_index by = pick(s, 1, 2);
        const hit_index away = k + by < n ? by : -by;

        note(s,
             hit_launch(s->hit, &from_row, hit_box_of(1, m - 2), u.tile, HIT_VALUE(k),
                        HIT_VALUE(away)),
             "from_row");
        for (hit_index j = 1; j < m - 1; j++) {
            SLOT(&u, k, j) += 2 * SLOT(&u, k + away, j - 1) - SLOT(&u, k + away, j + 1);
        }
    }
    drop_field(s, &u);
}

static void try_cells(scene *s)
{
    const hit_index n = pick(s, 4, 60);
    const hit_sig sig = hit_sig_make(1 + pick(s, 0, 1), n - 1, 2);
    field u = make_field(s, hit_domain_of(2, n), HIT_BOUNDARY_NONE,
                         pick(s, 0, 1) ? "block:dims=0,1" : "single");

    note(s, hit_launch(s->hit, &cells, strided(sig), u.tile), "cells");
    for (hit_index i = sig.begin; i <= sig.end; i += 2) {
        for (hit_index c = 0; c < 2; c++) {
            SLOT(&u, 0, i) += (c + 2) * SLOT(&u, c, i - 1);
            SLOT(&u, 1, i) -= SLOT(&u, c, i - 1);
        }
    }
    drop_field(s, &u);
}

const trial trials[] = {{"relax_points", try_red_black},
                        {"every_other", try_every_other},
                        {"from_row", try_from_row},
                        {"cells", try_cells}};
const int trial_count = sizeof(trials) / sizeof(trials[0]);

static const char *const places[] = {
    "host:threads=2",
    "host:threads=1:staged:memory=64KiB",
    "host:threads=1:staged:memory=700",
    "host:threads=1 + host:threads=2",
    "host:threads=1:memory=64KiB + host:threads=1:memory=64KiB",
    "host:threads=1:memory=1500 + host:threads=1"};

START_TEST(launches_do_what_plain_loops_do)
{
    run_trials(places[_i], _i % 2 == 0 ? HIT_CHAIN_OFF : 16, 41 + (uint64_t)_i,
               hit_random_cases(12));
}
END_TEST

START_TEST(each_access_is_in_its_pattern)
{
    run_trials_checked(places[2 * _i], 141 + (uint64_t)_i, 2);
}
END_TEST

START_TEST(schedulers_run_them)
{
    run_trials_scheduled(places[3], 241, 4);
}
END_TEST

/* ---- beside each other ---- */

/* Bands of a large tile are tasks, which wait for those whose rows they read. */
static void try_bands(scene *s)
{
    enum {
        SIDE = 600,
        BAND = 24
    };
    field u = make_field(s, hit_domain_of(SIDE, SIDE), HIT_BOUNDARY_NONE, "block");

    for (int t = 0; t < 200; t++) {
        const hit_index a = 1 + pick(s, 0, (SIDE - 2) / BAND - 1) * BAND + t % 2;
        const hit_domain box = {
            2,
            {hit_sig_make(a, a + BAND - 2, 2), hit_sig_make(1 + t / 2 % 2, SIDE - 2, 2)}};
        const int64_t w = 1 + t % 2;

        note(s, hit_launch(s->hit, &relax_points, box, u.tile, HIT_VALUE(w)), "bands");
        relax_plainly(&u, &box, w);
    }
    drop_field(s, &u);
}

START_TEST(bands_of_a_tile_run_beside_each_other)
{
    scene s = {.good = true, .random = hit_random_start(77)};

    if (hit_size(base) > 1) return; /* there are no tasks */

    HIT_MUST(
        hit_open_with(NULL, NULL, &(hit_options){.devices = "host:threads=3"}, &s.hit));
    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_OFF));
    try_bands(&s);
    s.good = agree_in_scene(&s);
    hit_close(&s.hit);
    ck_assert_msg(s.good, "%s", s.text);
}
END_TEST

/* ---- what is wrong ---- */

START_TEST(an_index_that_reads_what_another_writes_is_told)
{
    const hit_domain even = {1, {hit_sig_make(0, 14, 2)}};
    expectations e = expect_open(NULL);
    hit_tile *u = NULL;

    HIT_MUST(hit_tile_make(e.hit, hit_domain_of(20, 20), "block", HIT_INT64, "u", &u));
    expect_failure(&e,
                   hit_launch(e.hit, &relax_points, hit_box_of(1, 18, 1, 18), u,
                              HIT_VALUE((int64_t)1)),
                   HIT_E_PATTERN, "all points",
                   "kernel relax_points, argument u|index 1:1 x 1:1 reads element 2:2 x "
                   "1:1, which index 2:2 x 1:1 writes|a domain with a stride");
    expect_failure(
        &e,
        hit_launch(e.hit, &every_other, strided(hit_sig_make(3, 18, 3)), e.next, e.now),
        HIT_E_PATTERN, "a stride of 3",
        "index 6:6 reads element 3:3, which index 3:3 writes");
    expect_failure(&e,
                   hit_launch(e.hit, &from_row, hit_box_of(1, 18), u,
                              HIT_VALUE((hit_index)4), HIT_VALUE((hit_index)0)),
                   HIT_E_PATTERN, "the same row", "with k = 4, s = 0 index|which index");
    expect_failure(&e, hit_launch(e.hit, &only_in, even, e.next, e.now), HIT_E_PATTERN,
                   "mode in", "argument u|expected mode inout for \"[i] <- [i-1]\"");
    expect_failure(&e, hit_launch(e.hit, &pairs_of, even, e.next), HIT_E_PATTERN,
                   "a pair", "expected one element for each index before <-");
    hit_tile_destroy(&u);
    expect_close(&e);
}
END_TEST

START_TEST(a_body_that_writes_what_it_says_to_read_is_told)
{
    const hit_domain even = {1, {hit_sig_make(0, 14, 2)}};
    expectations e;

    ck_assert_int_eq(setenv("HIT_CHECK", "1", 1), 0);
    e = expect_open(NULL);
    expect_failure(&e, hit_launch(e.hit, &written_beside, even, e.next), HIT_E_CHECK,
                   "a write beside its own", "writes (1), which stands behind <-");
    expect_close(&e);
    ck_assert_int_eq(unsetenv("HIT_CHECK"), 0);
}
END_TEST

static Suite *suite(void)
{
    const int count = sizeof(places) / sizeof(places[0]);
    Suite *all = suite_create("own");
    TCase *own = tcase_create("own");

    tcase_add_loop_test(own, launches_do_what_plain_loops_do, 0, count);
    tcase_add_loop_test(own, each_access_is_in_its_pattern, 0, 2);
    tcase_add_test(own, schedulers_run_them);
    tcase_add_test(own, bands_of_a_tile_run_beside_each_other);
    tcase_add_test(own, an_index_that_reads_what_another_writes_is_told);
    tcase_add_test(own, a_body_that_writes_what_it_says_to_read_is_told);
    suite_add_tcase(all, own);
    return all;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
