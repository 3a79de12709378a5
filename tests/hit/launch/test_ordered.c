/* SPDX-License-Identifier: MIT
 * Launches whose indices run in order do what the sequential loops do, wherever they run,
 * however they are cut. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/data/sig.h"
#include "hit/launch/launcher.h"
#include "tests/hit/launch/expect.h"
#include "tests/hit/launch/run_trials.h"

#include <stdlib.h>

extern const hit_kernel along_up, along_down, plane_up_up, plane_up_down, plane_down_up,
    plane_down_down, space_up_up_down, space_up_down_up, space_down_up_up, seidel,
    nine_points, lower, upper, gather_up, both, ordered_sum, ordered_beyond,
    ordered_beside, ordered_mean, spread, thirds, far_column;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

static int64_t mix(int64_t a, int64_t b, int64_t c)
{
    return (3 * a - 5 * b + 7 * c + 11) % 100003;
}

/* ---- loops ---- */

/* The next index of a box in the order of a kernel; starts at the first where !*begun. */
static bool step(const hit_kernel *kernel, const hit_domain *box, bool *begun,
                 hit_index x[])
{
    const bool first = !*begun;

    *begun = true;
    for (int d = box->dims - 1; d >= 0 && !first; d--) {
        const hit_sig sig = box->sig[d];

        x[d] += kernel->order[d] * sig.stride;
        if (x[d] >= sig.begin && x[d] <= sig.end) return true;
        x[d] = kernel->order[d] > 0 ? sig.begin : sig.end;
        if (d == 0) return false;
    }
    for (int d = 0; d < box->dims && first; d++) {
        x[d] = kernel->order[d] > 0 ? box->sig[d].begin : box->sig[d].end;
    }
    return first && !hit_domain_is_empty(box);
}

/* Indices of a tile whose neighbours up to @p far lie in it. */
static hit_domain inside(scene *s, const hit_domain *box, hit_index far)
{
    const hit_domain inner = hit_domain_grow(*box, -far);

    return random_part(s, &inner);
}

static hit_index near(scene *s)
{
    return pick(s, -3, 3);
}

/* Launches at several places, some of which were there before. */
static void try_along(scene *s)
{
    const hit_kernel *kernel = pick(s, 0, 1) ? &along_up : &along_down;
    const hit_domain all = hit_domain_of(pick(s, 8, 60));
    field u = make_field(s, all, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    hit_domain box = inside(s, &all, 3);

    for (int t = 0; t < 4; t++) {
        const hit_index a = near(s);
        const hit_index b = near(s);
        hit_index x[HIT_MAX_DIMS];
        bool begun = false;

        if (pick(s, 0, 1)) box = inside(s, &all, 3);
        note(s, hit_launch(s->hit, kernel, box, u.tile, HIT_VALUE(a), HIT_VALUE(b)),
             "along");
        while (step(kernel, &box, &begun, x)) {
            SLOT(&u, x[0]) = mix(SLOT(&u, x[0]), SLOT(&u, x[0] + a), SLOT(&u, x[0] + b));
        }
    }
    drop_field(s, &u);
}

static const hit_kernel *pick_plane(scene *s)
{
    const hit_kernel *const kinds[] = {&plane_up_up, &plane_up_down, &plane_down_up,
                                       &plane_down_down};

    return kinds[pick(s, 0, 3)];
}

static void step_plane(scene *s, field *u, const hit_kernel *kernel,
                       const hit_domain *box, const hit_index by[4])
{
    hit_layout *split = NULL;
    hit_index x[HIT_MAX_DIMS];
    bool begun = false;

    if (pick(s, 0, 3) == 0) { /* split in another way than the tile */
        HIT_MUST(hit_layout_create(s->hit, u->domain, pick_layout(s, 2), &split));
    }
    note(s,
         hit_launch_on(s->hit, split, kernel, *box, u->tile, HIT_VALUE(by[0]),
                       HIT_VALUE(by[1]), HIT_VALUE(by[2]), HIT_VALUE(by[3])),
         kernel->name);
    hit_layout_destroy(&split);
    while (step(kernel, box, &begun, x)) {
        SLOT(u, x[0], x[1]) =
            mix(SLOT(u, x[0], x[1]), SLOT(u, x[0] + by[0], x[1] + by[1]),
                SLOT(u, x[0] + by[2], x[1] + by[3]));
    }
}

static void try_plane(scene *s)
{
    const hit_domain all = hit_domain_of(pick(s, 8, 22), pick(s, 8, 22));
    const hit_kernel *kernel = pick_plane(s);
    hit_index by[4] = {near(s), near(s), near(s), near(s)};
    field u = make_field(s, all, HIT_BOUNDARY_NONE, pick_layout(s, 2));

    for (int t = 0; t < 3; t++) {
        const hit_domain box = inside(s, &all, 3);

        step_plane(s, &u, kernel, &box, by);
        step_plane(s, &u, kernel, &box, by);
        by[t] = near(s);
    }
    drop_field(s, &u);
}

static void try_space(scene *s)
{
    const hit_kernel *const kinds[] = {&space_up_up_down, &space_up_down_up,
                                       &space_down_up_up};
    const hit_kernel *kernel = kinds[pick(s, 0, 2)];
    const hit_domain all = hit_domain_of(pick(s, 7, 11), pick(s, 7, 11), pick(s, 7, 11));
    const hit_domain box = inside(s, &all, 3);
    const hit_index by[3] = {near(s), near(s), near(s)};
    field u = make_field(s, all, HIT_BOUNDARY_NONE, pick_layout(s, 3));
    hit_index x[HIT_MAX_DIMS];
    bool begun = false;

    note(s,
         hit_launch(s->hit, kernel, box, u.tile, HIT_VALUE(by[0]), HIT_VALUE(by[1]),
                    HIT_VALUE(by[2])),
         kernel->name);
    while (step(kernel, &box, &begun, x)) {
        SLOT(&u, x[0], x[1], x[2]) =
            mix(SLOT(&u, x[0], x[1], x[2]),
                SLOT(&u, x[0] + by[0], x[1] + by[1], x[2] + by[2]),
                SLOT(&u, x[0], x[1] - 1, x[2] + 1));
    }
    drop_field(s, &u);
}

/* Sweep after sweep; also where there is nothing within. */
static void try_seidel(scene *s)
{
    const hit_domain all = hit_domain_of(pick(s, 2, 24), pick(s, 2, 24));
    const hit_domain inner = hit_domain_grow(all, -1);
    const char *layout = pick_layout(s, 2);
    field u = make_field(s, all, HIT_BOUNDARY_NONE, layout);
    field f = make_field(s, all, HIT_BOUNDARY_PERIODIC, layout);

    for (int t = 0; t < 3; t++) {
        hit_index x[HIT_MAX_DIMS];
        bool begun = false;

        note(s, hit_launch(s->hit, &seidel, inner, u.tile, f.tile), "seidel");
        while (step(&seidel, &inner, &begun, x)) {
            const hit_index i = x[0];
            const hit_index j = x[1];

            SLOT(&u, i, j) =
                mix(SLOT(&u, i - 1, j) + SLOT(&u, i, j - 1),
                    SLOT(&u, i + 1, j) - SLOT(&u, i, j), SLOT(&u, i, j + 1)) +
                WANT(&f, i - 1, j) - WANT(&f, i + 1, j);
        }
    }
    drop_field(s, &u);
    drop_field(s, &f);
}

static void try_nine(scene *s)
{
    const hit_domain all = hit_domain_of(pick(s, 4, 20), pick(s, 4, 20));
    const hit_domain box = inside(s, &all, 1);
    field u = make_field(s, all, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    hit_index x[HIT_MAX_DIMS];
    bool begun = false;

    note(s, hit_launch(s->hit, &nine_points, box, u.tile), "nine_points");
    while (step(&nine_points, &box, &begun, x)) {
        int64_t sum = 0;

        for (hit_index a = x[0] - 1; a <= x[0] + 1; a++) {
            for (hit_index b = x[1] - 1; b <= x[1] + 1; b++) {
                sum = 3 * sum + SLOT(&u, a, b);
            }
        }
        SLOT(&u, x[0], x[1]) = sum % 100003;
    }
    drop_field(s, &u);
}

static void try_triangles(scene *s)
{
    const hit_index n = pick(s, 3, 30);
    const hit_index last = n - 1;
    field x = make_field(s, hit_domain_of(n), HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field a = make_field(s, hit_domain_of(n, n), HIT_BOUNDARY_NONE, "block:dims=0");

    note(s, hit_launch(s->hit, &lower, x.domain, x.tile, a.tile), "lower");
    for (hit_index i = 0; i < n; i++) {
        for (hit_index k = 0; k < i; k++) {
            SLOT(&x, i) = (SLOT(&x, i) - SLOT(&a, i, k) * SLOT(&x, k)) % 100003;
        }
    }
    note(s, hit_launch(s->hit, &upper, x.domain, x.tile, a.tile, HIT_VALUE(last)),
         "upper");
    for (hit_index i = n - 1; i >= 0; i--) {
        for (hit_index k = i + 1; k < n; k++) {
            SLOT(&x, i) = (SLOT(&x, i) - SLOT(&a, i, k) * SLOT(&x, k)) % 100003;
        }
    }
    drop_field(s, &x);
    drop_field(s, &a);
}

static void try_gather(scene *s)
{
    const hit_index n = pick(s, 1, 12);
    const hit_index m = pick(s, 1, 12);
    field x = make_field(s, hit_domain_of(n), HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field total = make_field(s, hit_domain_scalar(), HIT_BOUNDARY_NONE, "single");
    field a = make_field(s, hit_domain_of(n, m), HIT_BOUNDARY_NONE, pick_layout(s, 2));

    note(s, hit_launch(s->hit, &gather_up, a.domain, x.tile, total.tile, a.tile),
         "gather_up");
    for (hit_index i = n - 1; i >= 0; i--) {
        for (hit_index j = 0; j < m; j++) {
            SLOT(&x, i) = mix(SLOT(&x, i), SLOT(&a, i, j), total.want[0]);
            total.want[0] = mix(SLOT(&a, i, j), SLOT(&x, i), total.want[0]);
        }
    }
    drop_field(s, &x);
    drop_field(s, &total);
    drop_field(s, &a);
}

static void try_both(scene *s)
{
    const hit_index n = pick(s, 2, 12);
    const hit_index m = pick(s, 4, 16);
    const char *layout = pick_layout(s, 2);
    field u = make_field(s, hit_domain_of(n, m), HIT_BOUNDARY_NONE, layout);
    field v = make_field(s, hit_domain_of(n, m), HIT_BOUNDARY_NONE, layout);
    field w =
        make_field(s, hit_domain_of(2 * n, m), HIT_BOUNDARY_NONE, pick_layout(s, 2));

    note(
        s,
        hit_launch(s->hit, &both, hit_box_of(1, n - 1, 0, m - 3), u.tile, v.tile, w.tile),
        "both");
    for (hit_index i = 1; i < n; i++) {
        for (hit_index j = m - 3; j >= 0; j--) {
            SLOT(&u, i, j) = mix(SLOT(&u, i, j + 2), SLOT(&v, i - 1, j), SLOT(&v, i, j));
            SLOT(&v, i, j) = mix(SLOT(&u, i, j), SLOT(&u, i, j + 2), SLOT(&v, i - 1, j));
            SLOT(&w, 2 * i, j) = SLOT(&u, i, j);
            SLOT(&w, 2 * i + 1, j) = SLOT(&v, i, j);
        }
    }
    drop_field(s, &u);
    drop_field(s, &v);
    drop_field(s, &w);
}

static void try_spread(scene *s)
{
    const hit_index n = pick(s, 2, 12);
    const hit_index m = pick(s, 2, 16);
    field u = make_field(s, hit_domain_of(n, m), HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field bin = make_field(s, hit_domain_of(3), HIT_BOUNDARY_NONE, pick_layout(s, 1));

    note(s, hit_launch(s->hit, &spread, hit_box_of(1, n - 1, 0, m - 2), u.tile, bin.tile),
         "spread");
    for (hit_index i = 1; i < n; i++) {
        for (hit_index j = m - 2; j >= 0; j--) {
            int64_t *sum = &SLOT(&bin, j % 3);

            SLOT(&u, i, j + 1) = mix(SLOT(&u, i - 1, j), SLOT(&u, i, j), *sum);
            SLOT(&u, i - 1, j) =
                mix(SLOT(&u, i, j + 1), SLOT(&u, i - 1, j + 1), SLOT(&u, i, j));
            *sum = mix(*sum, SLOT(&u, i, j), SLOT(&u, i - 1, j));
        }
    }
    drop_field(s, &u);
    drop_field(s, &bin);
}

const trial trials[] = {
    {"plane", try_plane},   {"along", try_along}, {"space", try_space},
    {"seidel", try_seidel}, {"nine", try_nine},   {"triangles", try_triangles},
    {"gather", try_gather}, {"both", try_both},   {"spread", try_spread}};
const int trial_count = sizeof(trials) / sizeof(trials[0]);

static const char *const places[] = {
    "host:threads=2",
    "host:threads=1",
    "host:threads=1:staged:memory=64KiB",
    "host:threads=1:staged:memory=1400",
    "host:threads=1 + host:threads=2",
    "host:threads=1:memory=64KiB + host:threads=1:memory=64KiB",
    "host:threads=1:memory=2500 + host:threads=1"};

START_TEST(launches_do_what_sequential_loops_do)
{
    run_trials(places[_i], _i % 2 == 0 ? HIT_CHAIN_OFF : 16, 51 + (uint64_t)_i,
               hit_random_cases(18));
}
END_TEST

START_TEST(each_access_is_in_its_pattern)
{
    run_trials_checked(places[2 * _i], 151 + (uint64_t)_i, 2);
}
END_TEST

START_TEST(schedulers_run_them)
{
    run_trials_scheduled(places[5], 251, 8);
}
END_TEST

/* Boxes that need more than others fit, too. */
START_TEST(boxes_of_any_size_fit_the_memory)
{
    const hit_domain all = hit_box_of(2, 3, 1, 5, 1, 1);

    for (int bytes = 700; bytes < 1500; bytes += 15) {
        scene s = {.good = true, .random = {(uint64_t)bytes}};
        char device[60];
        field f[3];

        (void)snprintf(device, sizeof(device), "host:threads=2:staged:memory=%d", bytes);
        HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = device}, &s.hit));
        for (int k = 0; k < 3; k++) {
            f[k] = make_field(&s, all, k > 0 ? HIT_BOUNDARY_CONSTANT : HIT_BOUNDARY_NONE,
                              "block:dims=0");
        }
        note(&s, hit_launch(s.hit, &thirds, all, f[0].tile, f[1].tile, f[2].tile),
             device);
        HIT_FOR_EACH (x, all) {
            SLOT(&f[0], x[0], x[1], x[2]) +=
                WANT(&f[1], x[0] - 1, x[1] + 1, x[2] + 2) +
                WANT(&f[2], x[0] + 2, x[1] / 3 + 2, x[2] + 1) -
                WANT(&f[2], x[0] + 3, x[1] + 1, x[2]);
        }
        for (int k = 0; k < 3; k++) {
            drop_field(&s, &f[k]);
        }
        ck_assert_msg(agree_in_scene(&s), "%s", s.text);
        hit_close(&s.hit);
    }
}
END_TEST

/* What all read is written by an index of the first row, far from 0. */
START_TEST(a_fixed_place_far_away_is_written_before_it_is_read)
{
    const hit_index column = (hit_index)1 << 41;
    const hit_domain all = hit_box_of(0, 7, column, column + 63);
    const hit_domain inner = hit_box_of(0, 7, column + 1, column + 63);
    scene s = {.good = true, .random = {41}};
    field f;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = places[_i]}, &s.hit));
    f = make_field(&s, all, HIT_BOUNDARY_NONE, "block:dims=0");
    note(&s, hit_launch(s.hit, &far_column, inner, f.tile), places[_i]);
    HIT_FOR_EACH (x, inner) {
        SLOT(&f, x[0], x[1]) =
            mix(SLOT(&f, x[0], x[1] - 1), SLOT(&f, 0, column + 63), SLOT(&f, x[0], x[1]));
    }
    drop_field(&s, &f);
    ck_assert_msg(agree_in_scene(&s), "%s", s.text);
    hit_close(&s.hit);
}
END_TEST

/* ---- what is wrong ---- */

START_TEST(what_has_no_order_is_told)
{
    expectations e = expect_open(NULL);
    hit_tile *total = NULL;
    int64_t sum;

    HIT_MUST(hit_tile_make(e.hit, hit_domain_scalar(), "single", HIT_INT64, "s", &total));
    expect_failure(
        &e, hit_launch(e.hit, &ordered_sum, hit_domain_of(EXPECT_N), e.next, total),
        HIT_E_ARG, "a sum", "indices that run in an order cannot reduce");
    expect_failure(&e,
                   hit_launch(e.hit, &ordered_sum, hit_domain_of(EXPECT_N), e.next,
                              HIT_RESULT(&sum)),
                   HIT_E_ARG, "a sum of a number",
                   "indices that run in an order cannot reduce");
    expect_failure(&e, hit_launch(e.hit, &ordered_beyond, hit_domain_of(EXPECT_N), e.now),
                   HIT_E_PATTERN, "a periodic boundary",
                   "touches -1:21, but the tile has");
    expect_failure(&e,
                   hit_launch(e.hit, &ordered_beyond, hit_domain_of(EXPECT_N), e.next),
                   HIT_E_PATTERN, "no boundary", "touches -1:21, but the tile has");
    expect_failure(&e, hit_launch(e.hit, &ordered_beyond, hit_domain_of(2, 2), e.next),
                   HIT_E_ARG, "two dimensions", "a domain of 1 dimensions but found 2");
    hit_tile_destroy(&total);
    expect_close(&e);
}
END_TEST

START_TEST(a_body_that_writes_what_it_says_to_read_is_told)
{
    expectations e;

    ck_assert_int_eq(setenv("HIT_CHECK", "1", 1), 0);
    e = expect_open(NULL);
    expect_failure(&e, hit_launch(e.hit, &ordered_beside, hit_box_of(1, 14), e.next),
                   HIT_E_CHECK, "a write beside its own",
                   "writes (0), which stands behind <-");
    expect_close(&e);
    ck_assert_int_eq(unsetenv("HIT_CHECK"), 0);
}
END_TEST

START_TEST(what_is_written_is_found_among_equal_elements)
{
    const float none = 0;
    const float one = 1;
    hit_tile *u = NULL;
    hit_tile *end = NULL;
    expectations e;

    ck_assert_int_eq(setenv("HIT_CHECK", "1", 1), 0);
    e = expect_open(NULL);
    HIT_MUST(hit_tile_make(e.hit, hit_domain_of(20), "block", HIT_FLOAT, "u", &u));
    HIT_MUST(hit_tile_fill(u, &none));
    HIT_MUST(hit_tile_select(u, hit_box_of(0, 0), &end));
    HIT_MUST(hit_tile_fill(end, &one));
    hit_tile_destroy(&end);
    expect_failure(&e, hit_launch(e.hit, &ordered_mean, hit_box_of(1, 14), u),
                   HIT_E_CHECK, "a mean",
                   "touches (2)|write (inout, float, u, \"[i] <- [i-1:i+1]\")");
    hit_tile_destroy(&u);
    expect_close(&e);
    ck_assert_int_eq(unsetenv("HIT_CHECK"), 0);
}
END_TEST

static Suite *suite(void)
{
    const int count = sizeof(places) / sizeof(places[0]);
    Suite *all = suite_create("ordered");
    TCase *ordered = tcase_create("ordered");

    tcase_add_loop_test(ordered, launches_do_what_sequential_loops_do, 0, count);
    tcase_add_loop_test(ordered, each_access_is_in_its_pattern, 0, 2);
    tcase_add_test(ordered, schedulers_run_them);
    tcase_add_test(ordered, boxes_of_any_size_fit_the_memory);
    tcase_add_loop_test(ordered, a_fixed_place_far_away_is_written_before_it_is_read, 0,
                        2);
    tcase_add_test(ordered, what_has_no_order_is_told);
    tcase_add_test(ordered, a_body_that_writes_what_it_says_to_read_is_told);
    tcase_add_test(ordered, what_is_written_is_found_among_equal_elements);
    suite_add_tcase(all, ordered);
    return all;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
