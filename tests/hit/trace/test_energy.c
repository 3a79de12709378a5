/* SPDX-License-Identifier: MIT
 * Energy of launches, by counters that are played in a played_folder(), at any number of
 * processes: when they are read, and how what they show is shared out. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/mpi.h"
#include "hit/trace/meters.h"
#include "hit/trace/trace_write.h"
#include "tests/hit/launch/scene.h"
#include "tests/hit/trace/played_meters.h"
#include "tests/support/check_main.h"
#include "tests/support/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern const hit_kernel star;

static hit_context *base;

/* ---- windows ---- */

static void sleep_10_ms(void)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
}

/* Package 0 goes on by 1 J, package 1 as well, or not yet. */
static void go_on(int k, bool both)
{
    if (hit_rank(base) != 0) return;
    played_set("intel-rapl:0", 500 + 1000000 * (uint64_t)k);
    if (both) played_set("intel-rapl:1", 999000000 + 10000 * (uint64_t)k);
}

START_TEST(a_window_of_10_ms_or_more_ends_when_all_meters_went_on)
{
    hit_context *hit = NULL;
    const hit_energy *energy;

    played_open(base);
    setenv("HIT_PROFILE", "1", 1);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.out = stderr}, &hit));
    unsetenv("HIT_PROFILE");
    energy = hit->trace->energy;
    for (int k = 1; k <= 5; k += 2) { /* before a launch, and behind what ends */
        go_on(k, true);
        sleep_10_ms();
        hit_trace_begin(hit->trace);
        for (int n = 0; n < 1000; n++) {
            hit_trace_add(hit->trace, HIT_TRACE_RUN, "star", hit_trace_start(hit->trace),
                          0);
        }
        go_on(k + 1, false);
        sleep_10_ms();
        hit_trace_add(hit->trace, HIT_TRACE_RUN, "star", hit_trace_now(), 0);
    }
    if (hit_rank(base) == 0) ck_assert_uint_ge(energy->count, 3);
    if (hit_rank(base) != 0) ck_assert_uint_eq(energy->count, 0);
    for (size_t k = 0; k < energy->count; k++) {
        const hit_energy_window *window = &energy->window[k];
        const double length_s = window->end_s - window->start_s;

        ck_assert_double_ge(length_s, 0.01);
        if (k > 0) ck_assert(window->start_s == window[-1].end_s);
        if (length_s >= 1) break; /* the machine stood still */
        ck_assert_double_eq_tol(window->joules, k == 0 ? 1.01 : 2.02, 1e-5);
    }
    hit_close(&hit);
    played_close();
}
END_TEST

/* ---- sharing ---- */

static const char *const names[] = {"one", "two", "three"};

/* Windows of 10 to 20 ms, and on two devices kernels that run longer than they launch, or
 * within their launches. */
static hit_trace *random_trace(hit_random *random)
{
    hit_trace *trace = NULL;
    double at_s = 0;

    HIT_MUST(hit_trace_create(&trace));
    HIT_MUST(hit_trace_create(&trace->next));
    HIT_MUST(hit_memory_zeroed(1, sizeof(hit_energy), &trace->energy));
    trace->energy->count = (size_t)hit_random_index(random, 1, 20);
    HIT_MUST(hit_memory_zeroed(trace->energy->count, sizeof(hit_energy_window),
                               &trace->energy->window));
    for (size_t k = 0; k < trace->energy->count; k++) {
        const double long_s = 1e-3 * (double)hit_random_index(random, 10, 20);

        trace->energy->window[k] = (hit_energy_window){
            at_s, at_s + long_s, (double)hit_random_index(random, 0, 50), 0};
        at_s += long_s;
    }
    at_s = -0.01;
    for (int k = (int)hit_random_index(random, 0, 60); k > 0; k--) {
        const int name = (int)hit_random_index(random, 0, 2);
        const double long_s = 1e-4 * (double)hit_random_index(random, 1, 100);
        const bool task = name == 2;
        hit_trace_event event = {
            .what = names[name], .start_s = at_s, .end_s = at_s + (task ? 1e-6 : long_s)};

        hit_trace_put(trace, HIT_TRACE_LAUNCH, &event);
        event.end_s = at_s + (task ? long_s : long_s / 2);
        event.beside = task ? 2 : 0;
        hit_trace_put(hit_random_index(random, 0, 1) ? trace : trace->next, HIT_TRACE_RUN,
                      &event);
        at_s += 1e-4 * (double)hit_random_index(random, 0, 90);
    }
    return trace;
}

/* Moment by moment: what of the window does the event have? The events that count are
 * launches of "one" and "two", and runs of "three". */
static double brute(const hit_trace *trace, const hit_trace_event *event)
{
    double joules = 0;

    for (size_t w = 0; w < trace->energy->count; w++) {
        const hit_energy_window *window = &trace->energy->window[w];
        double all_s = 0;
        double mine_s = 0;

        for (int lane = 0; lane < 3; lane++) { /* launches, runs of both devices */
            const hit_trace *of = lane < 2 ? trace : trace->next;
            const hit_trace_list *list =
                &of->list[lane == 0 ? HIT_TRACE_LAUNCH : HIT_TRACE_RUN];

            for (size_t k = 0; k < list->count; k++) {
                const hit_trace_event *e = &list->event[k];
                const double part_s =
                    fmin(window->end_s, e->end_s) - fmax(window->start_s, e->start_s);

                if ((strcmp(e->what, "three") == 0) != (lane > 0) || part_s <= 0) {
                    continue;
                }
                all_s += lane > 0 ? part_s / 2 : part_s;
                if (e == event) mine_s = lane > 0 ? part_s / 2 : part_s;
            }
        }
        all_s = fmax(all_s, window->end_s - window->start_s);
        joules += window->joules * mine_s / all_s;
    }
    return joules;
}

static void never(hit_trace *trace, double now_s)
{
    (void)trace;
    (void)now_s;
}

START_TEST(energy_is_shared_out_by_time)
{
    hit_random random = hit_random_start(1);
    double shared_j = 0;

    for (int n = 0; n < hit_random_cases(1000); n++) {
        hit_trace *trace = random_trace(&random);
        bool good = true;

        trace->look = never;
        HIT_MUST(hit_energy_share(trace));
        for (int lane = 0; lane < 3; lane++) {
            const hit_trace *of = lane < 2 ? trace : trace->next;
            const hit_trace_list *list =
                &of->list[lane == 0 ? HIT_TRACE_LAUNCH : HIT_TRACE_RUN];

            for (size_t k = 0; k < list->count; k++) {
                const hit_trace_event *event = &list->event[k];
                const double expected = brute(trace, event);

                good &= fabs(event->joules - expected) <= 1e-9 * (1 + expected);
                shared_j += event->joules;
            }
        }
        ck_assert_msg(good, "case %d", n);
        free(trace->energy->window);
        free(trace->energy);
        hit_trace_destroy(&trace);
    }
    ck_assert(shared_j > 0);
}
END_TEST

START_TEST(devices_of_a_simulated_machine_have_the_power_that_its_file_says)
{
    const hit_trace_event run = {.what = "one", .start_s = 100.002, .end_s = 100.010};
    hit_trace *trace = NULL;

    HIT_MUST(hit_trace_create(&trace));
    HIT_MUST(hit_trace_create(&trace->next));
    trace->origin_s = 100;
    trace->busy_w = 50;
    trace->idle_w = 10;
    trace->next->busy_w = 20;
    trace->next->idle_w = 5;
    hit_trace_put(trace, HIT_TRACE_RUN, &run);
    HIT_MUST(hit_energy_end(trace));
    ck_assert(hit_energy_is_known(trace));
    ck_assert_double_eq_tol(trace->list[HIT_TRACE_RUN].event[0].joules, 0.4, 1e-9);
    ck_assert_uint_eq(trace->energy->count, 1); /* 8 ms at 50 W, 2 at 10, 10 at 5 */
    ck_assert_double_eq_tol(trace->energy->window[0].joules, 0.47, 1e-9);
    hit_energy_close(trace);
    trace->next->busy_w = 0; /* not all are known */
    HIT_MUST(hit_energy_end(trace));
    ck_assert(!hit_energy_is_known(trace));
    hit_trace_destroy(&trace);
}
END_TEST

/* ---- a run ---- */

/* What a run with these environment variables prints on process 0, whose steps use 5 J.
 */
static void run(const char *variable, const char *value, char *text, size_t size)
{
    const hit_domain box = hit_domain_of(60, 60);
    FILE *out = tmpfile();
    hit_context *hit = NULL;
    hit_layout *layout = NULL;
    hit_tile *a = NULL;
    hit_tile *b = NULL;

    ck_assert(out != NULL);
    setenv(variable, value, 1);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.threads = 1, .out = out}, &hit));
    HIT_MUST(hit_layout_create(hit, box, "block:dims=0", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "a", &a));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "b", &b));
    for (int step = 0; step < 5; step++) {
        HIT_MUST(hit_launch(hit, &star, hit_domain_grow(box, -3), b, a,
                            HIT_VALUE((int64_t){3})));
        hit_tile_swap(&a, &b);
    }
    played_use(2, 3);
    hit_tile_destroy(&a);
    hit_tile_destroy(&b);
    hit_layout_destroy(&layout);
    hit_close(&hit);
    unsetenv(variable);
    text_of_stream(out, text, size);
}

START_TEST(a_profile_counts_each_meter_once)
{
    char text[8000];

    played_open(base);
    run("HIT_PROFILE", "1", text, sizeof(text));
    played_close();
    if (hit_rank(base) != 0) return;
    ck_assert_msg(strstr(text, "energy: 5.0000 J from hit_open() to hit_close()") != NULL,
                  "%s", text);
    ck_assert_msg(strstr(text, "by 2 packages and 0 devices") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "J/launch") != NULL, "%s", text);
}
END_TEST

START_TEST(a_profile_says_nothing_of_meters_that_are_not_there)
{
    char text[8000];

    played_open(base);
    setenv("HIT_POWERCAP", "/nowhere", 1);
    run("HIT_PROFILE", "1", text, sizeof(text));
    played_close();
    ck_assert_msg(strstr(text, "energy") == NULL && strstr(text, "J/launch") == NULL,
                  "%s", text);
}
END_TEST

START_TEST(a_trace_has_watts_and_joules)
{
    char name[80];
    char printed[8000];

    played_open(base);
    (void)snprintf(name, sizeof(name), "%s/trace.json", played_folder());
    run("HIT_TRACE", name, printed, sizeof(printed));
    if (hit_rank(base) == 0) {
        char *text = text_of_file(name);

        ck_assert_msg(strstr(text, "{\"name\": \"watts\", \"ph\": \"C\", \"pid\": 0, ") !=
                          NULL,
                      "%s", text);
        ck_assert_msg(strstr(text, "\"joules\": ") != NULL, "%s", text);
        free(text);
    }
    played_close();
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("energy");
    TCase *tests = tcase_create("energy");

    tcase_add_test(tests, a_window_of_10_ms_or_more_ends_when_all_meters_went_on);
    tcase_add_test(tests, energy_is_shared_out_by_time);
    tcase_add_test(tests,
                   devices_of_a_simulated_machine_have_the_power_that_its_file_says);
    tcase_add_test(tests, a_profile_counts_each_meter_once);
    tcase_add_test(tests, a_profile_says_nothing_of_meters_that_are_not_there);
    tcase_add_test(tests, a_trace_has_watts_and_joules);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
