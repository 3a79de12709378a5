/* SPDX-License-Identifier: MIT
 * Costs that the library measures are those of the work. Times are played: each index
 * takes what dear_s() says. */
#include "hit/base/context.h"
#include "hit/data/region.h"
#include "hit/device/box_costs.h"
#include "hit/hit.h"
#include "layouts/costs.h"
#include "tests/support/check_main.h"
#include "tests/support/played_clock.h"

#include <math.h>
#include <string.h>

enum {
    N = 240,
    M = 180,
    STEPS = 4,
    LAYOUTS = 4,
    DEVICES = 2,
    WHERES = 3
};

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

extern const hit_kernel dear; /* dear.k.c */
extern const hit_kernel add_up;

/* dear, and what its indices take. */
static hit_kernel played;
static double worked_s; /* in this process, as if it were not slow */
/* Beside its indices each call of the kernel takes this time, of which nothing is work.
 */
static double call_s;
static double ended_s; /* the last call of the kernel ... */
static int pauses;     /* ... and how often time passed before the next one */

static bool in_front; /* a band of rows is dear, of which the first boxes have some */

static double dear_s(hit_index i, hit_index j)
{
    const bool is_dear = in_front ? i >= N / 8 && i < N / 4 : i > N / 3 && j > M / 2;

    return 1e-6 * (1 + (is_dear ? 20 : 0) + (double)(i % 7));
}

static bool is_wet(hit_index i, hit_index j)
{
    return sin(0.031 * (double)i) + cos(0.043 * (double)j) > -0.4;
}

static hit_status run_dear(const hit_run *run)
{
    double seconds = 0;

    for (hit_index i = run->begin[0]; i <= run->end[0]; i += run->stride[0]) {
        for (hit_index j = run->begin[1]; j <= run->end[1]; j += run->stride[1]) {
            seconds += dear_s(i, j);
        }
    }
    worked_s += seconds;
    pauses += played_clock.now_s() != ended_s;
    played_clock_pass(seconds + call_s);
    ended_s = played_clock.now_s();
    return dear.host(run);
}

/* ---- a program ---- */

static const char *const layouts[LAYOUTS] = {"block", "block:dims=0", "block:dims=1",
                                             "blockcyclic:block=50x40"};
static const char *const wheres[WHERES] = {"i >= 0", "i >= 2*j", "wet == 1"};

/* In place, and through a small memory. */
static const char *const devices[DEVICES] = {"host", "host:staged:memory=64KiB"};

static bool runs(int where, hit_index i, hit_index j)
{
    return where == 0 || (where == 1 ? i >= 2 * j : is_wet(i, j));
}

typedef struct scene {
    hit_context *hit;
    hit_layout *layout;
    hit_tile *water;
    hit_tile *wet;
    hit_tile *costs;
} scene;

static void fill(scene *s)
{
    for (int piece = 0; piece < hit_tile_pieces(s->water); piece++) {
        hit_view water;
        hit_view wet;

        HIT_MUST(hit_tile_map(s->water, piece, HIT_WRITE, &water));
        HIT_MUST(hit_tile_map(s->wet, piece, HIT_WRITE, &wet));
        HIT_FOR_EACH (x, water.domain) {
            HIT_AT(water, double, x[0], x[1]) = 0.001 * (double)(x[0] + 3 * x[1]);
            HIT_AT(wet, uint8_t, x[0], x[1]) = is_wet(x[0], x[1]);
        }
    }
}

static void open_scene(scene *s, const char *on, const char *layout)
{
    const hit_options options = {.devices = on, .threads = 1};

    HIT_MUST(hit_open_with(NULL, NULL, &options, &s->hit));
    s->hit->clock = played_clock;
    HIT_MUST(hit_layout_create(s->hit, hit_domain_of(N, M), layout, &s->layout));
    HIT_MUST(hit_tile_create(s->layout, HIT_DOUBLE, "water", &s->water));
    HIT_MUST(hit_tile_create(s->layout, HIT_UINT8, "wet", &s->wet));
    HIT_MUST(hit_tile_create(s->layout, HIT_DOUBLE, "costs", &s->costs));
    HIT_MUST(hit_chain(s->hit, HIT_CHAIN_OFF));
    fill(s);
    worked_s = 0;
    call_s = 0;
    ended_s = played_clock.now_s();
    pauses = 0;
    in_front = false;
}

static void close_scene(scene *s)
{
    hit_tile_destroy(&s->costs);
    hit_tile_destroy(&s->wet);
    hit_tile_destroy(&s->water);
    hit_layout_destroy(&s->layout);
    hit_close(&s->hit);
}

static void step(const scene *s, hit_domain domain, int where)
{
    HIT_MUST(
        hit_launch(s->hit, &played, domain, s->water, s->wet, HIT_WHERE(wheres[where])));
}

static void measure(const scene *s, hit_domain domain, int where, double speed,
                    hit_costs_info *info)
{
    HIT_MUST(hit_costs_begin(s->hit, s->costs, speed));
    for (int t = 0; t < STEPS; t++) {
        step(s, domain, where);
    }
    HIT_MUST(hit_costs_end(s->hit, info));
}

/* One launch over all indices. */
static void measure_once(const scene *s, int where, hit_costs_info *info)
{
    HIT_MUST(hit_costs_begin(s->hit, s->costs, 1));
    step(s, hit_domain_of(N, M), where);
    HIT_MUST(hit_costs_end(s->hit, info));
}

static bool has(const hit_domain *box, const hit_index x[])
{
    for (int d = 0; d < box->dims; d++) {
        if (x[d] < box->sig[d].begin || x[d] > box->sig[d].end) return false;
    }
    return true;
}

/* Of this process: the costs that stand in the tile. All are 0 where nothing ran. */
static double sum_costs(const scene *s, hit_domain domain, int where, hit_index *ran)
{
    double sum = 0;

    *ran = 0;
    for (int piece = 0; piece < hit_tile_pieces(s->costs); piece++) {
        hit_view view;

        HIT_MUST(hit_tile_map(s->costs, piece, HIT_READ, &view));
        HIT_FOR_EACH (x, view.domain) {
            const bool in = has(&domain, x) && runs(where, x[0], x[1]);
            const double cost = HIT_AT(view, double, x[0], x[1]);

            ck_assert((cost > 0) == in);
            sum += cost;
            *ran += in;
        }
    }
    return sum;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1e-3, fabs(b));
}

/* ---- what is measured ---- */

START_TEST(all_indices_that_run_are_measured_and_no_others)
{
    const int where = _i % WHERES;
    const hit_domain whole = hit_domain_of(N, M);
    const hit_domain inner = hit_domain_grow(whole, -3);
    const hit_domain domain = _i % 4 < 2 ? whole : inner;
    hit_costs_info info;
    hit_index ran;
    scene s;

    open_scene(&s, devices[_i % DEVICES], layouts[_i / WHERES / DEVICES]);
    measure(&s, domain, where, 1, &info);
    ck_assert(is_near(sum_costs(&s, domain, where, &ran), worked_s));
    ck_assert_uint_eq(info.measured, STEPS * (uint64_t)ran);
    ck_assert_uint_eq(info.measured, info.indices);
    ck_assert(is_near(info.seconds, worked_s));
    ck_assert_int_eq(info.boxes > 0, ran > 0);
    /* but for the last boxes of pieces in launches they take 1 ms and more */
    ck_assert_double_le(
        1e-3 * ((double)info.boxes - 1.0 * STEPS * hit_tile_pieces(s.costs)), worked_s);
    close_scene(&s);
}
END_TEST

/* The longest work of a process / the mean, of all that is launched. */
static double imbalance(const hit_layout *layout, int where)
{
    double most = 0;
    double all = 0;

    for (int p = 0; p < hit_layout_ranks(layout); p++) {
        hit_region part = {0};
        double mine = 0;

        HIT_MUST(hit_layout_part(layout, p, &part));
        for (int k = 0; k < part.count; k++) {
            HIT_FOR_EACH (x, part.part[k]) {
                mine += runs(where, x[0], x[1]) ? dear_s(x[0], x[1]) : 0;
            }
        }
        hit_region_clear(&part);
        most = fmax(most, mine);
        all += mine;
    }
    return most * hit_layout_ranks(layout) / all;
}

/* Rows, and rectangles, after several launches and after one. Of 4 processes and more the
 * blocks are far from even. */
START_TEST(by_measured_costs_the_work_is_even)
{
    const char *text = _i / WHERES % 2 == 0 ? "block:dims=0" : "block";
    const int where = _i % WHERES;
    hit_layout *made;
    hit_costs_info info;
    scene s;

    open_scene(&s, "host", text);
    if (_i < 2 * WHERES) {
        measure(&s, hit_domain_of(N, M), where, 1, &info);
    } else {
        measure_once(&s, where, &info);
    }
    HIT_MUST(hit_layout_from_costs(s.hit, text, s.costs, &made));
    ck_assert_double_le(imbalance(made, where), 1.12);
    if (hit_size(base) >= 4) ck_assert_double_ge(imbalance(s.layout, where), 1.25);
    hit_layout_destroy(&made);
    close_scene(&s);
}
END_TEST

/* The same where what is dear comes first, after one launch. On 7 processes the dear rows
 * of the first one are less than a box has. */
START_TEST(the_first_boxes_tell_what_is_dear)
{
    const char *text = _i == 0 ? "block:dims=0" : "block";
    hit_layout *made;
    hit_costs_info info;
    scene s;

    open_scene(&s, "host", text);
    in_front = true;
    measure_once(&s, 0, &info);
    HIT_MUST(hit_layout_from_costs(s.hit, text, s.costs, &made));
    if (hit_size(base) <= 4) ck_assert_double_le(imbalance(made, 0), 1.1);
    hit_layout_destroy(&made);
    close_scene(&s);
}
END_TEST

static hit_status note_box(void *of, const hit_domain *box)
{
    double *first = of;

    if (*first == 0) *first = (double)hit_domain_count(box);
    played_clock_pass(1e-6 * (double)hit_domain_count(box));
    return HIT_OK;
}

/* It has indices, but none of the costs. */
START_TEST(a_process_without_costs_begins_with_large_boxes)
{
    const hit_domain whole = hit_domain_of(N, M);
    const hit_run run = {0};
    hit_box_costs *costs;
    double first = 0;

    HIT_MUST(hit_box_costs_create(2, 0, &costs));
    costs->clock = played_clock;
    HIT_MUST(hit_box_costs_run(costs, base->device[0], &whole, &run, note_box, &first));
    ck_assert_double_ge(first, (double)hit_domain_count(&whole) / 128);
    hit_box_costs_destroy(&costs);
}
END_TEST

/* A second of a process that is four times as slow is a quarter of the work. */
START_TEST(costs_are_those_of_the_work_on_unlike_processes)
{
    const hit_domain whole = hit_domain_of(N, M);
    const bool slow = hit_rank(base) % 2 == 1;
    hit_costs_info info;
    hit_index ran;
    scene s;

    open_scene(&s, "host;host:slow=4", "block");
    measure(&s, whole, 0, slow ? 0.25 : 1, &info);
    ck_assert(is_near(sum_costs(&s, whole, 0, &ran), worked_s));
    ck_assert(is_near(info.seconds, slow ? 4 * worked_s : worked_s));
    close_scene(&s);
}
END_TEST

/* Where 1 ms is a few indices, boxes are larger, so that what beginning them takes is
 * little. */
START_TEST(calls_of_the_kernel_are_no_work)
{
    hit_costs_info info;
    hit_index ran;
    double sum;
    scene s;

    open_scene(&s, "host:slow=40;host:slow=160", "block");
    call_s = 5e-6;
    measure(&s, hit_domain_of(N, M), 0, hit_rank(base) % 2 == 0 ? 4 : 1, &info);
    sum = sum_costs(&s, hit_domain_of(N, M), 0, &ran);
    ck_assert_double_ge(sum, 160 * worked_s);
    ck_assert_double_le(sum, 160 * 1.05 * worked_s);
    close_scene(&s);
}
END_TEST

/* A core that slept is cold. */
START_TEST(a_slow_device_sleeps_after_the_last_box)
{
    const double begin_s = played_clock.now_s();
    hit_costs_info info;
    scene s;

    open_scene(&s, "host:slow=40", "block");
    measure(&s, hit_domain_of(N, M), 0, 1, &info);
    ck_assert_int_eq(pauses, STEPS - 1);
    ck_assert_uint_gt(info.boxes, 16 * STEPS);
    ck_assert(is_near(played_clock.now_s() - begin_s, 40 * worked_s));
    step(&s, hit_domain_of(N, M), 0); /* as ever */
    ck_assert(is_near(played_clock.now_s() - begin_s, 40 * worked_s));
    close_scene(&s);
}
END_TEST

START_TEST(results_have_the_same_bits)
{
    static double water[2][N * M];
    const int where = _i % WHERES;
    hit_costs_info info;
    scene s;

    for (int k = 0; k < 2; k++) {
        open_scene(&s, "host", layouts[_i / WHERES]);
        if (k == 0) {
            measure(&s, hit_domain_of(N, M), where, 1, &info);
        } else {
            for (int t = 0; t < STEPS; t++) {
                step(&s, hit_domain_of(N, M), where);
            }
        }
        HIT_MUST(hit_tile_gather(s.water, 0, hit_rank(base) == 0 ? water[k] : NULL));
        close_scene(&s);
    }
    ck_assert_int_eq(memcmp(water[0], water[1], sizeof water[0]), 0);
}
END_TEST

/* ---- what is not ---- */

START_TEST(a_launch_that_reduces_runs_as_ever)
{
    const hit_domain whole = hit_domain_of(N, M);
    hit_costs_info info;
    double sum = -1;
    double expected = 0;
    hit_index ran;
    scene s;

    open_scene(&s, "host", "block");
    step(&s, whole, 0); /* before: not measured */
    HIT_MUST(hit_costs_begin(s.hit, s.costs, 1));
    HIT_MUST(hit_launch(s.hit, &add_up, whole, HIT_RESULT(&sum), s.wet));
    HIT_MUST(hit_costs_end(s.hit, &info));
    step(&s, whole, 0); /* and afterwards */
    HIT_FOR_EACH (x, whole) {
        expected += is_wet(x[0], x[1]);
    }
    ck_assert(is_near(sum, expected));
    ck_assert_uint_eq(info.measured, 0);
    ck_assert_uint_eq(info.boxes, 0);
    ck_assert(is_near(sum_costs(&s, hit_domain_of(0, 0), 0, &ran), 0));
    (void)ran;
    ck_assert_uint_gt(info.indices, 0);
    close_scene(&s);
}
END_TEST

/* On one process chains stream such a launch; else its boxes are timed. */
START_TEST(launches_in_chains_run_as_ever)
{
    const hit_domain whole = hit_domain_of(N, M);
    hit_costs_info info;
    hit_index ran;
    double sum;
    scene s;

    open_scene(&s, devices[1], "block");
    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_ANY));
    HIT_MUST(hit_costs_begin(s.hit, s.costs, 1));
    HIT_MUST(hit_launch(s.hit, &played, whole, s.water, s.wet));
    HIT_MUST(hit_launch(s.hit, &played, whole, s.water, s.wet));
    HIT_MUST(hit_costs_end(s.hit, &info));
    sum = sum_costs(&s, info.measured > 0 ? whole : hit_domain_of(0, 0), 0, &ran);
    ck_assert_uint_le(info.measured, info.indices);
    ck_assert(is_near(sum, info.seconds));
    if (hit_size(base) == 1) ck_assert_uint_lt(info.measured, info.indices);
    close_scene(&s);
}
END_TEST

static void expect_refusal(hit_status status, const char *words)
{
    ck_assert_int_eq(status, HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(), words) != NULL, "\"%s\" is not in \"%s\"",
                  words, hit_status_text());
}

START_TEST(what_makes_no_sense_is_refused)
{
    scene s;

    open_scene(&s, "host", "block");
    expect_refusal(hit_costs_begin(NULL, s.costs, 1), "a context");
    expect_refusal(hit_costs_begin(s.hit, NULL, 1), "costs but found NULL");
    expect_refusal(hit_costs_begin(s.hit, s.wet, 1), "type double");
    expect_refusal(hit_costs_begin(s.hit, s.costs, 0), "a speed > 0 but found 0");
    expect_refusal(hit_costs_begin(s.hit, s.costs, INFINITY), "a speed > 0");
    expect_refusal(hit_costs_end(s.hit, NULL), "hit_costs_begin()");
    expect_refusal(hit_costs_end(NULL, NULL), "a context");
    HIT_MUST(hit_costs_begin(s.hit, s.costs, 1));
    expect_refusal(hit_costs_begin(s.hit, s.costs, 1), "hit_costs_end()");
    step(&s, hit_domain_of(N, M), 0);
    close_scene(&s); /* while it is measured */
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("costs_measured");
    TCase *tests = tcase_create("all");

    played = dear;
    played.host = run_dear;
    tcase_add_loop_test(tests, all_indices_that_run_are_measured_and_no_others, 0,
                        LAYOUTS * WHERES * DEVICES);
    tcase_add_loop_test(tests, by_measured_costs_the_work_is_even, 0, 4 * WHERES);
    tcase_add_loop_test(tests, the_first_boxes_tell_what_is_dear, 0, 2);
    tcase_add_test(tests, a_process_without_costs_begins_with_large_boxes);
    tcase_add_test(tests, costs_are_those_of_the_work_on_unlike_processes);
    tcase_add_test(tests, calls_of_the_kernel_are_no_work);
    tcase_add_test(tests, a_slow_device_sleeps_after_the_last_box);
    tcase_add_loop_test(tests, results_have_the_same_bits, 0, LAYOUTS * WHERES);
    tcase_add_test(tests, a_launch_that_reduces_runs_as_ever);
    tcase_add_test(tests, launches_in_chains_run_as_ever);
    tcase_add_test(tests, what_makes_no_sense_is_refused);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
