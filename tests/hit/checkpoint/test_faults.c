/* SPDX-License-Identifier: MIT
 * Every call that reads or writes a file fails in turn, once or from then on, on each
 * process in its turn, while a checkpoint is written or read: all processes are told, or
 * none, and the next run goes on from a checkpoint that is right. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): opendir */
#include "hit/checkpoint/checkpoint_impl.h"
#include "hit/io/io_impl.h"
#include "tests/hit/checkpoint/run_case.h"
#include "tests/support/faults.h"

#include <dirent.h>
#include <string.h>

enum {
    MOST_PROCESSES = 16
};

static const char *const options[] = {"every=2steps,keep=1,memory=1MiB,format=npy",
                                      "every=2steps,keep=1,memory=1MiB,format=hdf5"};

/* Call number @p n fails on this process while the call of this step is carried out. */
static hit_status step_with(run *r, long n, bool sticky)
{
    hit_status status;

    test_fault.kind = FAULT_FILE;
    test_fault.fail_at = n;
    test_fault.sticky = sticky;
    test_fault_begin();
    status = hit_checkpoint_step(r->hit);
    if (status == HIT_OK && r->hit->checkpoint->saving != NULL) {
        status = hit_checkpoint_finish(r->hit->checkpoint); /* the thread meets it */
    }
    test_fault.on = false;
    return status;
}

static int drafts(void)
{
    DIR *all = opendir(run_folder());
    const struct dirent *entry;
    int count = 0;

    ck_assert_ptr_nonnull(all);
    while ((entry = readdir(all)) != NULL) {
        count += strstr(entry->d_name, ".tmp") != NULL;
    }
    (void)closedir(all);
    return count;
}

/* Are all processes told, or none? */
static void told_alike(hit_status status)
{
    uint64_t failed = status != HIT_OK;

    HIT_MUST(hit_comm_sum_u64(run_base()->comm, &failed, 1));
    io_claim(failed == 0 || failed == (uint64_t)hit_size(run_base()), "all are told",
             "fault");
}

static bool changed; /* the folder needs to be made anew */

/* A checkpoint is at step 2; that of step 4 meets a fault. @p n: 0: none, on this process
 */
static hit_status write_with(const char *how, long n, bool sticky)
{
    hit_status status;
    run r;

    if (changed) {
        run_other_folder();
        run_goes(how, "block", 0, 3);
    }
    run_ask(how);
    run_open(&r, "cyclic");
    io_claim(steps_do(&r.s, 4) == HIT_OK && r.s.first == 2, "goes on", how);
    status = step_with(&r, n, sticky);
    told_alike(status);
    io_claim(steps_right(&r.s), "changes nothing", how);
    run_close(&r, false);
    if (hit_rank(run_base()) == 0) io_claim(drafts() == 0, "leaves no draft", how);
    run_open(&r, "block");
    io_claim(steps_do(&r.s, r.s.t + 1) == HIT_OK, "goes on after it",
             how); /* writes none */
    io_claim(r.s.first == 4 || (r.s.first == 2 && status != HIT_OK), "from a whole one",
             how);
    io_claim(r.s.went_on && steps_right(&r.s), "has right elements after it", how);
    changed = r.s.first != 2;
    run_close(&r, false);
    return status;
}

static hit_status read_with(const char *how, long n, bool sticky)
{
    hit_status status;
    run r;

    run_ask(how);
    run_open(&r, "cyclic");
    status = step_with(&r, n, sticky);
    told_alike(status);
    if (status == HIT_OK) {
        io_claim(r.s.t == 2 && steps_right(&r.s), "has right elements", how);
    }
    run_close(&r, false);
    return status;
}

static void fail_in_turn(hit_status (*act)(const char *how, long n, bool sticky),
                         const char *how, int step)
{
    hit_context *base = run_base();
    uint64_t count[MOST_PROCESSES] = {0};
    int told = 0;
    int tries = 0;

    ck_assert_int_le(hit_size(base), MOST_PROCESSES);
    io_claim(act(how, 0, false) == HIT_OK, "runs without a fault", how);
    count[hit_rank(base)] = (uint64_t)test_fault.count[FAULT_FILE];
    HIT_MUST(hit_comm_sum_u64(base->comm, count, hit_size(base)));
    for (int victim = 0; victim < hit_size(base); victim++) {
        const long last = (long)count[victim];

        for (long n = 1 + victim % step; n <= 2 * last; n += step) {
            const long at = n > last ? n - last : n;

            told += act(how, victim == hit_rank(base) ? at : 0, n > last) != HIT_OK;
            tries++;
            io_assert();
        }
    }
    if (hit_rank(base) == 0) {
        printf("%s: file calls failed in turn on %d processes: %d of %d told\n", how,
               hit_size(base), told, tries);
    }
    ck_assert_int_ge(told, tries / 3);
}

static int step_of_tries(void)
{
    return 2 * hit_size(run_base()) * (hit_random_is_slow() ? 3 : 1) - 1;
}

START_TEST(every_call_of_a_file_may_fail_while_one_is_written)
{
    if (_i == 1 && !hit_hdf5_is_there()) return;
    changed = true;
    fail_in_turn(write_with, options[_i], step_of_tries());
}
END_TEST

START_TEST(every_call_of_a_file_may_fail_while_one_is_read)
{
    if (_i == 1 && !hit_hdf5_is_there()) return;
    run_other_folder();
    run_goes(options[_i], "block", 0, 3);
    fail_in_turn(read_with, options[_i], step_of_tries());
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("checkpoint faults");
    TCase *tests = tcase_create("all");

    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, every_call_of_a_file_may_fail_while_one_is_written, 0, 2);
    tcase_add_loop_test(tests, every_call_of_a_file_may_fail_while_one_is_read, 0, 2);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return run_main(&argc, &argv, suite());
}
