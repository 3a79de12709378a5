/* SPDX-License-Identifier: MIT
 * What a profile advises, from made-up events: the one thing that would help most. */
#define _POSIX_C_SOURCE 200809L /* dup */

#include "hit/comm/comm.h"
#include "hit/launch/call.h"
#include "hit/trace/trace_write.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const hit_kernel product, rows, transpose, totals; /* of launch_kernels.k.c */

static hit_comm *comm; /* of one process */

/* Seconds of a program of some launches of one kernel on one process. */
typedef struct program {
    int launches;
    double launch_s; /* with all that follows */
    double plan_s;
    double pack_s;
    double run_s;
    double in_s;
    double wait_s;
    uint64_t bytes;
    uint64_t operations;
    const char *column;
    bool beside; /* there is a second device, which does nothing ... */
    bool spare;  /* ... and needs not */
} program;

static void put(hit_trace *trace, hit_trace_lane lane, double seconds)
{
    if (seconds <= 0) return;
    hit_trace_put(trace, lane,
                  &(hit_trace_event){.what = "body", .start_s = 1, .end_s = 1 + seconds});
}

static hit_trace *trace_of(const program *p)
{
    hit_trace *trace = NULL;

    HIT_MUST(hit_trace_create(&trace));
    for (int k = 0; k < p->launches; k++) {
        hit_trace_put(
            trace, HIT_TRACE_LAUNCH,
            &(hit_trace_event){.what = "body",
                               .start_s = 1,
                               .end_s = 1 + p->launch_s / p->launches,
                               .bytes = p->bytes / (uint64_t)p->launches,
                               .operations = p->operations / (uint64_t)p->launches,
                               .plan_s = p->plan_s / p->launches,
                               .pack_s = p->pack_s / p->launches,
                               .column = p->column});
    }
    put(trace, HIT_TRACE_RUN, p->run_s);
    put(trace, HIT_TRACE_IN, p->in_s);
    put(trace, HIT_TRACE_WAIT, p->wait_s);
    if (p->beside) {
        HIT_MUST(hit_trace_create(&trace->next));
        trace->next->spare = p->spare;
    }
    return trace;
}

/* What is printed on stdout, which is lent to a file. */
static void print(const program *p, char *text, size_t size)
{
    hit_trace *trace = trace_of(p);
    FILE *file = tmpfile();
    const int out = dup(STDOUT_FILENO);
    size_t length;

    ck_assert(file != NULL && out >= 0);
    (void)fflush(stdout);
    ck_assert_int_ge(dup2(fileno(file), STDOUT_FILENO), 0);
    HIT_MUST(hit_profile_print(comm, trace, stdout));
    (void)fflush(stdout);
    ck_assert_int_ge(dup2(out, STDOUT_FILENO), 0);
    (void)close(out);
    rewind(file);
    length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    (void)fclose(file);
    hit_trace_destroy(&trace);
}

static void expect(const program *p, const char *advice)
{
    char text[4000];

    print(p, text, sizeof(text));
    ck_assert_msg(strstr(text, advice) != NULL, "expected \"%s\" but found\n%s", advice,
                  text);
}

START_TEST(fast_kernels_are_left_alone)
{
    const program by_bytes = {
        .launches = 10, .launch_s = 1, .run_s = 0.95, .bytes = 10000000000};
    const program by_operations = {.launches = 10,
                                   .launch_s = 1,
                                   .run_s = 0.95,
                                   .bytes = 30000000,
                                   .operations = 10000000000};

    expect(&by_bytes, "kernels dominate: this is as it should be");
    expect(&by_operations, "kernels dominate: this is as it should be");
}
END_TEST

START_TEST(a_device_without_work_is_told_unless_it_is_a_spare_one)
{
    program two = {.launches = 10,
                   .launch_s = 1,
                   .run_s = 0.95,
                   .bytes = 10000000000,
                   .beside = true};

    expect(&two, "some devices run kernels much longer than others");
    two.spare = true;
    expect(&two, "kernels dominate: this is as it should be");
}
END_TEST

START_TEST(slow_kernels_are_told_although_they_dominate)
{
    program p = {.launches = 10, .launch_s = 1, .run_s = 1, .bytes = 30000000};

    expect(&p, "kernels dominate, but body does 0.03 GB/s on each device");
    expect(&p, "HIT_OPERATIONS tells");
    p.operations = 100000000;
    expect(&p, "its loops do not run along the last dimension");
}
END_TEST

START_TEST(a_body_that_walks_over_columns_is_told_what_to_write)
{
    const program p = {
        .launches = 1, .launch_s = 1, .run_s = 1, .bytes = 30000000, .column = "b"};

    expect(&p, "walks over b column by column; indices (i, k, j) with sum, or gemm");
}
END_TEST

START_TEST(planning_that_dominates_is_told_before_memory)
{
    const program p = {.launches = 10,
                       .launch_s = 0.15,
                       .plan_s = 0.12,
                       .run_s = 0.01,
                       .in_s = 0.02,
                       .bytes = 10000000000};

    expect(&p, "planning takes 80 % of the launches' time");
    expect(&p, "plan s   pack s");
    expect(&p, "  0.1500   0.1200   0.0000     0.0100");
}
END_TEST

START_TEST(packing_and_copies_are_told_where_they_dominate)
{
    const program packs = {
        .launches = 10, .launch_s = 1, .pack_s = 0.4, .run_s = 0.5, .bytes = 10000000000};
    const program copies = {
        .launches = 10, .launch_s = 1, .run_s = 0.4, .in_s = 0.9, .bytes = 10000000000};

    expect(&packs, "packing takes 40 % of the launches' time");
    expect(&copies, "copies take longer than kernels");
}
END_TEST

START_TEST(small_launches_are_told_by_their_number)
{
    const program p = {
        .launches = 1000, .launch_s = 0.001, .run_s = 0.0007, .bytes = 10000000};

    expect(&p, "1000 launches take 1.0 microseconds each, and kernels 70 % of that");
}
END_TEST

START_TEST(kernels_that_walk_over_columns_are_known_by_their_patterns)
{
    const struct {
        const hit_kernel *kernel;
        const char *column;
    } each[] = {{&product, "b"}, {&rows, NULL}, {&transpose, NULL}, {&totals, NULL}};

    for (int k = 0; k < 4; k++) {
        hit_known_kernel *known = NULL;

        HIT_MUST(hit_known_kernel_create(each[k].kernel, false, &known));
        ck_assert_pstr_eq(known->column, each[k].column);
        hit_known_kernel_destroy(known);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("profile");
    TCase *tests = tcase_create("profile");

    tcase_add_test(tests, fast_kernels_are_left_alone);
    tcase_add_test(tests, a_device_without_work_is_told_unless_it_is_a_spare_one);
    tcase_add_test(tests, slow_kernels_are_told_although_they_dominate);
    tcase_add_test(tests, a_body_that_walks_over_columns_is_told_what_to_write);
    tcase_add_test(tests, kernels_that_walk_over_columns_are_known_by_their_patterns);
    tcase_add_test(tests, planning_that_dominates_is_told_before_memory);
    tcase_add_test(tests, packing_and_copies_are_told_where_they_dominate);
    tcase_add_test(tests, small_launches_are_told_by_their_number);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    int code;

    HIT_MUST(hit_comm_open(NULL, NULL, &comm));
    code = check_run(suite());
    hit_comm_close(&comm);
    return code;
}
