/* SPDX-License-Identifier: MIT
 * Processes: agreement on failures, broadcasts, messages, and contexts over a part of the
 * processes. Runs at any number of them. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/data/ndcopy.h"
#include "hit/device/device.h"
#include "hit/hit.h"
#include "hit/mpi.h"
#include "tests/support/check_main.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hit_comm *comm;

static int after(int rank)
{
    return (rank + 1) % hit_comm_size(comm);
}

static int before(int rank)
{
    return (rank + hit_comm_size(comm) - 1) % hit_comm_size(comm);
}

START_TEST(all_agree_that_nothing_failed)
{
    ck_assert_int_eq(hit_comm_agree(comm, HIT_OK), HIT_OK);
}
END_TEST

/* Each process fails in its turn, alone and together with those above it. */
START_TEST(the_lowest_failure_is_told_to_all_others)
{
    const int me = hit_comm_rank(comm);

    for (int failing = 0; failing < hit_comm_size(comm); failing++) {
        for (int together = 0; together < 2; together++) {
            const bool mine = me == failing || (together == 1 && me > failing);
            hit_status status = HIT_OK;
            char text[60];

            if (mine) status = HIT_FAIL(HIT_E_LIMIT, "process %d has no room", me);
            status = hit_comm_agree(comm, status);
            ck_assert_int_eq(status, mine ? HIT_E_LIMIT : HIT_E_PEER);
            snprintf(text, sizeof(text), "process %d has no room", mine ? me : failing);
            ck_assert_ptr_nonnull(strstr(hit_status_text(), text));
            if (mine) continue;
            snprintf(text, sizeof(text), "process %d failed: ", failing);
            ck_assert_ptr_nonnull(strstr(hit_status_text(), text));
        }
    }
}
END_TEST

START_TEST(long_failures_are_cut_and_no_overflow)
{
    const int me = hit_comm_rank(comm);
    hit_status status = HIT_OK;
    char text[2000];

    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    if (me == 0) status = HIT_FAIL(HIT_E_IO, "%s", text);
    status = hit_comm_agree(comm, status);
    ck_assert_int_eq(status, me == 0 ? HIT_E_IO : HIT_E_PEER);
    ck_assert_uint_gt(strlen(hit_status_text()), 500);
}
END_TEST

static uint64_t mark_number(const void *of)
{
    return (uint64_t)(1 + *(const int *)of);
}

static void say_number(const void *of, char *text, size_t size)
{
    snprintf(text, size, "call %d", *(const int *)of);
}

/* Each process in its turn is in another call than the others. */
START_TEST(unlike_calls_are_told_to_all)
{
    const int me = hit_comm_rank(comm);
    const int size = hit_comm_size(comm);

    for (int odd = 0; odd < size; odd++) {
        const int first = me == odd ? 7 : 5;
        const hit_comm_call call = {mark_number, say_number, &first};
        const hit_status status = hit_comm_agree_on(comm, HIT_OK, &call);
        char text[80];

        ck_assert_int_eq(status, size > 1 ? HIT_E_ARG : HIT_OK);
        if (size == 1) continue;
        snprintf(text, sizeof(text), "process 0 is in call %d, and process %d in call %d",
                 odd == 0 ? 7 : 5, odd == 0 ? 1 : odd, odd == 0 ? 5 : 7);
        ck_assert_ptr_nonnull(strstr(hit_status_text(), text));
    }
}
END_TEST

START_TEST(a_failure_is_told_before_unlike_calls)
{
    const int me = hit_comm_rank(comm);
    const hit_comm_call call = {mark_number, say_number, &me};
    const hit_status mine = me == 0 ? HIT_FAIL(HIT_E_NOMEM, "no room") : HIT_OK;

    ck_assert_int_eq(hit_comm_agree_on(comm, mine, &call),
                     me == 0 ? HIT_E_NOMEM : HIT_E_PEER);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "no room"));
}
END_TEST

START_TEST(one_that_says_no_call_is_in_another)
{
    const int me = hit_comm_rank(comm);
    const hit_comm_call call = {mark_number, say_number, &(const int){3}};

    if (hit_comm_size(comm) == 1) return;
    ck_assert_int_eq(hit_comm_agree_on(comm, HIT_OK, me == 1 ? NULL : &call), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(
        hit_status_text(), "process 0 is in call 3, and process 1 in another call"));
}
END_TEST

START_TEST(sums_and_maxima_are_everywhere)
{
    const uint64_t n = (uint64_t)hit_comm_size(comm);
    const uint64_t me = (uint64_t)hit_comm_rank(comm);
    uint64_t sum[2] = {me, 1};
    uint64_t most[2] = {me, 100 - me};

    HIT_MUST(hit_comm_sum_u64(comm, sum, 2));
    HIT_MUST(hit_comm_max_u64(comm, most, 2));
    ck_assert_uint_eq(sum[0], n * (n - 1) / 2);
    ck_assert_uint_eq(sum[1], n);
    ck_assert_uint_eq(most[0], n - 1);
    ck_assert_uint_eq(most[1], 100);
}
END_TEST

START_TEST(each_process_can_broadcast)
{
    for (int root = 0; root < hit_comm_size(comm); root++) {
        int data[3] = {-1, -1, -1};

        if (hit_comm_rank(comm) == root) data[2] = 100 + root;
        HIT_MUST(hit_comm_broadcast(comm, root, data, sizeof(data)));
        ck_assert_int_eq(data[2], 100 + root);
        HIT_MUST(hit_comm_broadcast(comm, root, NULL, 0));
    }
}
END_TEST

enum {
    MESSAGES = 5
};

/* Around a ring: messages of several tags, some shorter than what is asked for. */
START_TEST(messages_of_many_tags_and_lengths_arrive)
{
    const int me = hit_comm_rank(comm);
    hit_requests *requests = NULL;
    int sent[MESSAGES][3];
    int got[MESSAGES][3];
    int done = 0;
    int slot = 0;

    HIT_MUST(hit_requests_create(comm, 2 * MESSAGES, &requests));
    for (int round = 0; round < 3; round++) {
        hit_requests_reset(requests);
        for (int k = 0; k < MESSAGES; k++) {
            memset(got[k], 0, sizeof(got[k]));
            HIT_MUST(hit_requests_receive(requests, k, before(me), 7 * k, got[k],
                                          sizeof(got[k])));
        }
        for (int k = MESSAGES - 1; k >= 0; k--) { /* the other way round */
            for (int i = 0; i < 3; i++) {
                sent[k][i] = 1000 * me + 10 * k + i;
            }
            HIT_MUST(hit_requests_send(requests, MESSAGES + k, after(me), 7 * k, sent[k],
                                       sizeof(int) * (size_t)(k % 4)));
        }
        for (done = 0;; done++) {
            HIT_MUST(hit_requests_wait_any(requests, &slot));
            if (slot < 0) break;
        }
        ck_assert_int_eq(done, 2 * MESSAGES);
        for (int k = 0; k < MESSAGES; k++) {
            ck_assert_uint_eq(hit_requests_received(requests, k),
                              sizeof(int) * (size_t)(k % 4));
            for (int i = 0; i < 3; i++) {
                ck_assert_int_eq(got[k][i],
                                 i < k % 4 ? 1000 * before(me) + 10 * k + i : 0);
            }
        }
    }
    hit_requests_destroy(&requests);
    ck_assert_ptr_null(requests);
}
END_TEST

START_TEST(nothing_under_way_is_waited_for_without_a_hang)
{
    hit_requests *requests = NULL;
    int slot = 5;

    HIT_MUST(hit_requests_create(comm, 0, &requests));
    hit_requests_reset(requests);
    HIT_MUST(hit_requests_wait_any(requests, &slot));
    ck_assert_int_eq(slot, -1);
    HIT_MUST(hit_requests_wait_all(requests));
    hit_requests_destroy(&requests);
}
END_TEST

/* To a process that there is not. */
START_TEST(what_cannot_be_sent_is_not_waited_for)
{
    const int nowhere = hit_comm_size(comm) + 3;
    hit_requests *requests = NULL;
    int number = 7;
    int slot = 5;

    HIT_MUST(hit_requests_create(comm, 2, &requests));
    hit_requests_reset(requests);
    ck_assert_int_eq(hit_requests_send(requests, 0, nowhere, 1, &number, sizeof(number)),
                     HIT_E_COMM);
    ck_assert_int_eq(
        hit_requests_receive(requests, 1, nowhere, 1, &number, sizeof(number)),
        HIT_E_COMM);
    HIT_MUST(hit_requests_wait_any(requests, &slot));
    ck_assert_int_eq(slot, -1);
    HIT_MUST(hit_requests_wait_all(requests));
    hit_requests_destroy(&requests);
}
END_TEST

static void set_to_rank(hit_tile *tile, int rank)
{
    for (int k = 0; k < hit_tile_pieces(tile); k++) {
        hit_view view;
        const int32_t value = rank;

        HIT_MUST(hit_tile_map(tile, k, HIT_WRITE, &view));
        hit_view_fill(&view, &view.domain, &value);
    }
}

/* Odd and even processes open contexts of their own, at the same time. */
static void try_part(bool of_fortran)
{
    const hit_options options = {.devices = "host", .threads = 1};
    MPI_Comm half = MPI_COMM_NULL;
    hit_context *hit = NULL;
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;
    int size = 0;
    int32_t found[12] = {0};

    MPI_Comm_split(MPI_COMM_WORLD, hit_comm_rank(comm) % 2, 0, &half);
    MPI_Comm_size(half, &size);
    if (of_fortran) {
        HIT_MUST(hit_open_from_fortran(MPI_Comm_c2f(half), &options, &hit));
    } else {
        HIT_MUST(hit_open_from(&half, &options, &hit));
    }
    MPI_Comm_free(&half); /* the context has a duplicate */
    ck_assert_int_eq(hit_size(hit), size);
    HIT_MUST(hit_layout_create(hit, hit_domain_of(12), "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT32, "ranks", &tile));
    set_to_rank(tile, hit_rank(hit));
    HIT_MUST(hit_tile_gather(tile, 0, found));
    for (hit_index i = 0; i < 12 && hit_rank(hit) == 0; i++) {
        ck_assert_int_eq(found[i], hit_layout_owner(layout, &i));
    }
    hit_tile_destroy(&tile);
    hit_layout_destroy(&layout);
    hit_close(&hit);
}

START_TEST(a_context_over_a_part_of_the_processes_works_alone)
{
    try_part(false);
    try_part(true);
}
END_TEST

static void set_number(const char *name, int number)
{
    char text[16];

    snprintf(text, sizeof(text), "%d", number);
    setenv(name, text, 1);
}

/* The test sets the variables that mpiexec sets, and removes all others. */
static void say_place(int rank, int size, int local_rank, int local_size)
{
    unsetenv("MPI_LOCALNRANKS");
    unsetenv("MV2_COMM_WORLD_LOCAL_SIZE");
    unsetenv("PMI_LOCAL_SIZE");
    unsetenv("SLURM_PROCID");
    set_number("OMPI_COMM_WORLD_RANK", rank);
    set_number("OMPI_COMM_WORLD_SIZE", size);
    set_number("OMPI_COMM_WORLD_LOCAL_RANK", local_rank);
    set_number("OMPI_COMM_WORLD_LOCAL_SIZE", local_size);
}

/* What is found over @p of, and the number of threads of the device taken there. */
static void expect_place(MPI_Comm of, int expected_rank, int expected_size)
{
    const hit_options options = {
        .devices = "host:threads=1; host:threads=2; host:threads=3; host:threads=4"};
    hit_context *hit = NULL;
    int rank = -1;
    int size = -1;

    HIT_MUST(hit_open_from(&of, &options, &hit));
    hit_comm_beside(hit->comm, &rank, &size);
    ck_assert_int_eq(rank, expected_rank);
    ck_assert_int_eq(size, expected_size);
    ck_assert_int_eq(hit->device[0]->threads, 1 + expected_rank % 4);
    hit_close(&hit);
}

START_TEST(a_part_of_the_job_counts_all_processes_of_the_host)
{
    const int me = hit_comm_rank(comm);
    const int all = hit_comm_size(comm);
    MPI_Comm half = MPI_COMM_NULL;
    int rank = 0;
    int size = 0;

    MPI_Comm_split(MPI_COMM_WORLD, me % 2, 0, &half);
    MPI_Comm_rank(half, &rank);
    MPI_Comm_size(half, &size);
    say_place(me, all, all - 1 - me, all);
    expect_place(half, all > 1 ? all - 1 - me : 0, all);
    expect_place(MPI_COMM_SELF, all > 1 ? all - 1 - me : 0, all);
    expect_place(MPI_COMM_WORLD, me, all);     /* in its own order */
    say_place(me + 1, all, all - 1 - me, all); /* another job */
    expect_place(half, rank, size);
    say_place(me, all + 1, all - 1 - me, all);
    expect_place(half, rank, size);
    say_place(me, all, me, size - 1); /* less than are here */
    expect_place(half, rank, size);
    say_place(me, all, me, all);
    if (rank == 0) unsetenv("OMPI_COMM_WORLD_LOCAL_RANK"); /* of one it is not known */
    expect_place(half, rank, size);
    say_place(me, all, me, all);
    MPI_Comm_free(&half);
}
END_TEST

/* What Slurm's srun sets, and no variable of others. */
static void say_slurm(int rank, int size, const char *tasks, int host)
{
    unsetenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    set_number("SLURM_PROCID", rank);
    set_number("SLURM_STEP_NUM_TASKS", size);
    set_number("SLURM_LOCALID", size - 1 - rank);
    setenv("SLURM_STEP_TASKS_PER_NODE", tasks, 1);
    set_number("SLURM_NODEID", host);
}

START_TEST(a_part_of_a_job_of_slurm_counts_all_processes_of_the_host)
{
    const int me = hit_comm_rank(comm);
    const int all = hit_comm_size(comm);
    const int place = all > 1 ? all - 1 - me : 0;
    char tasks[64];
    static const char *const bad[] = {"",      "x",  "1(x",   "1(x2",
                                      "1(y2)", "1,", "0(x9)", "1;1"};

    say_place(me, all, me, all);
    snprintf(tasks, sizeof(tasks), "%d", all);
    say_slurm(me, all, tasks, 0);
    expect_place(MPI_COMM_SELF, place, all);
    snprintf(tasks, sizeof(tasks), "1(x2),%d,1", all);
    say_slurm(me, all, tasks, 2);
    expect_place(MPI_COMM_SELF, place, all);
    snprintf(tasks, sizeof(tasks), "1,%d(x2)", all);
    say_slurm(me, all, tasks, 2);
    expect_place(MPI_COMM_SELF, place, all);
    say_slurm(me, all, tasks, 3); /* a host that the list does not have */
    expect_place(MPI_COMM_SELF, 0, 1);
    for (size_t k = 0; k < sizeof(bad) / sizeof(bad[0]); k++) {
        say_slurm(me, all, bad[k], 1);
        expect_place(MPI_COMM_SELF, 0, 1);
    }
    say_place(me, all, me, all);
}
END_TEST

START_TEST(no_communicator_is_refused)
{
    MPI_Comm none = MPI_COMM_NULL;
    hit_context *hit = NULL;

    ck_assert_int_eq(hit_open_from(&none, NULL, &hit), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "MPI_COMM_NULL"));
    ck_assert_int_eq(hit_open_from_fortran(MPI_Comm_c2f(none), NULL, &hit), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "MPI_COMM_NULL"));
    ck_assert_ptr_null(hit);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("comm");
    TCase *tests = tcase_create("mpi");

    tcase_add_test(tests, all_agree_that_nothing_failed);
    tcase_add_test(tests, the_lowest_failure_is_told_to_all_others);
    tcase_add_test(tests, long_failures_are_cut_and_no_overflow);
    tcase_add_test(tests, unlike_calls_are_told_to_all);
    tcase_add_test(tests, a_failure_is_told_before_unlike_calls);
    tcase_add_test(tests, one_that_says_no_call_is_in_another);
    tcase_add_test(tests, sums_and_maxima_are_everywhere);
    tcase_add_test(tests, each_process_can_broadcast);
    tcase_add_test(tests, messages_of_many_tags_and_lengths_arrive);
    tcase_add_test(tests, nothing_under_way_is_waited_for_without_a_hang);
    tcase_add_test(tests, what_cannot_be_sent_is_not_waited_for);
    tcase_add_test(tests, a_context_over_a_part_of_the_processes_works_alone);
    tcase_add_test(tests, no_communicator_is_refused);
    tcase_add_test(tests, a_part_of_the_job_counts_all_processes_of_the_host);
    tcase_add_test(tests, a_part_of_a_job_of_slurm_counts_all_processes_of_the_host);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    int failed;

    HIT_MUST(hit_comm_open(&argc, &argv, &comm));
    failed = check_run(suite());
    hit_comm_close(&comm);
    return failed;
}
