/* SPDX-License-Identifier: MIT
 * Every call that reads or writes a file fails in turn, and every allocation, once or
 * from then on, on each process in its turn: all processes are told, or none; what was in
 * the place of the file is there, whole, or the new file is; nothing is left behind, and
 * the next call is right. */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/io/io_impl.h"
#include "tests/hit/io/io_case.h"
#include "tests/support/faults.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <string.h>

static hit_context *hit;
static hit_tile *old;   /* what is in the file */
static hit_tile *field; /* what is written, or read into */

typedef struct action {
    const char *name; /* of the file */
    bool writes;
    const char *options;
    const char *old_options; /* where what was there is found again */
} action;

/* in several rounds, of which not every process takes part in all */
static const action actions[] = {
    {"f.npy", true, "buffer=200", NULL},
    {"f.npy", false, "buffer=200", NULL},
    {"f.h5", true, "buffer=200,dataset=a", "dataset=a"},
    {"f.h5", true, "buffer=200,dataset=new/b,add=yes", "dataset=a"},
    {"f.h5", true, "buffer=200,dataset=a,add=yes", "dataset=a"},
    {"f.h5", false, "buffer=200,dataset=a", "dataset=a"},
};

enum {
    MOST_PROCESSES = 16,
    ACTIONS = sizeof(actions) / sizeof(actions[0])
};

/* Elements of field as io_fill() sets them, those of old all 1. */
static hit_status act(const action *a)
{
    const char *path = io_path(a->name);
    hit_status status;

    test_fault_begin();
    status = a->writes ? hit_tile_write(field, path, a->options)
                       : hit_tile_read(field, path, a->options);
    test_fault.on = false;
    return status;
}

static bool all_are_1(hit_tile *tile)
{
    for (int k = 0; k < hit_tile_pieces(tile); k++) {
        hit_index x[HIT_MAX_DIMS];
        hit_view view;

        HIT_MUST(hit_tile_map(tile, k, HIT_READ, &view));
        for (bool more = hit_domain_first(&view.domain, x); more;
             more = hit_domain_next(&view.domain, x)) {
            if (HIT_AT(view, double, x[0], x[1]) != 1) return false;
        }
    }
    return true;
}

/* Is in the file what should be? Reads it anew. */
static const char *complaint(const action *a, hit_status status)
{
    const double zero = 0;
    const char *path = io_path(a->name);
    const bool replaced = a->writes && strstr(a->options, "new/b") == NULL;
    bool is_old;

    if (!a->writes && status == HIT_OK && !all_are_1(field)) return "wrong elements";
    HIT_MUST(hit_tile_fill(old, &zero));
    if (hit_tile_read(old, path, a->old_options) != HIT_OK) return "cannot be read";
    is_old = all_are_1(old);
    if ((status != HIT_OK || !replaced) && !is_old) return "the old array is lost";
    if (status != HIT_OK && strlen(hit_status_text()) < 10) return "no text";
    if (status != HIT_OK || !a->writes) return NULL;
    HIT_MUST(hit_tile_fill(old, &zero));
    if (hit_tile_read(old, path, replaced ? a->old_options : "dataset=new/b") != HIT_OK) {
        return "the new array is not there";
    }
    return io_filled(old) ? NULL : "wrong elements";
}

/* The file as it is before an action. */
static void make_old(const action *a)
{
    const double one = 1;

    HIT_MUST(hit_tile_fill(old, &one));
    HIT_MUST(hit_tile_write(old, io_path(a->name), a->old_options));
    if (a->writes) {
        io_fill(field);
    } else {
        HIT_MUST(hit_tile_fill(field, &(const double){0}));
    }
}

/* All processes go on or fail together. */
static bool judge(const action *a, hit_status status, int victim)
{
    char told[512];
    const char *wrong = NULL;
    uint64_t sum[2] = {status != HIT_OK, 0};

    (void)snprintf(told, sizeof(told), "%s", hit_status_text());
    HIT_MUST(hit_comm_sum_u64(hit->comm, sum, 1));
    if (sum[0] != 0 && sum[0] != (uint64_t)hit_size(hit)) {
        wrong = "some are told of an error, others are not";
    } else {
        wrong = complaint(a, status);
    }
    if (wrong == NULL && io_drafts(hit) > 0) wrong = "a draft stays";
    if (wrong != NULL) {
        sum[1] = 1;
        printf("%s %s, process %d of %d; %s %ld%s of process %d failed: %s (%s: %s)\n",
               a->name, a->options, hit_rank(hit), hit_size(hit),
               test_fault_name[test_fault.kind], test_fault.fail_at,
               test_fault.sticky ? " and all that follow" : "", victim, wrong,
               hit_status_name(status), told);
    }
    HIT_MUST(hit_comm_sum_u64(hit->comm, sum + 1, 1));
    ck_assert_msg(sum[1] == 0, "%d processes complain", (int)sum[1]);
    return status != HIT_OK;
}

/* How many of that kind each process asks for when nothing fails. */
static void count_all(const action *a, test_fault_kind kind, uint64_t count[])
{
    test_fault.fail_at = 0;
    make_old(a);
    ck_assert_msg(act(a) == HIT_OK, "%s", hit_status_text());
    for (int k = 0; k < hit_size(hit); k++) {
        count[k] = k == hit_rank(hit) ? (uint64_t)test_fault.count[kind] : 0;
    }
    HIT_MUST(hit_comm_sum_u64(hit->comm, count, hit_size(hit)));
}

static void fail_in_turn(const action *a, test_fault_kind kind, long step)
{
    uint64_t count[MOST_PROCESSES];
    long told = 0;
    long tries = 0;
    bool changed = true;
    long held;

    ck_assert_int_le(hit_size(hit), MOST_PROCESSES);
    count_all(a, kind, count);
    held = test_fault.held;
    test_fault.kind = kind;
    for (int victim = 0; victim < hit_size(hit); victim++) {
        const long last = (long)count[victim];

        for (long n = 1 + victim % step; n <= 2 * last; n += step) {
            bool fails;

            test_fault.fail_at = 0;
            if (changed) make_old(a);
            test_fault.sticky = n > last;
            test_fault.fail_at = victim != hit_rank(hit) ? 0 : n > last ? n - last : n;
            fails = judge(a, act(a), victim);
            changed = !fails || !a->writes; /* else the file is as it was */
            told += fails;
            tries++;
        }
    }
    test_fault.fail_at = 0;
    ck_assert_int_eq(test_fault.held, held);
    if (hit_rank(hit) == 0) {
        printf("%s %s: %s failed in turn on %d processes: %ld of %ld told\n", a->name,
               a->options, test_fault_name[kind], hit_size(hit), told, tries);
    }
    ck_assert_int_gt(told, tries / 2);
}

START_TEST(every_call_of_a_file_may_fail)
{
    if (strstr(actions[_i].name, ".h5") != NULL && !hit_hdf5_is_there()) return;
    fail_in_turn(&actions[_i], FAULT_FILE, hit_size(hit) < 3 ? 1 : 5);
}
END_TEST

START_TEST(every_allocation_for_a_file_may_fail)
{
    const long step = (hit_random_is_slow() ? 40L : 10L) * hit_size(hit) - 3;

    if (strstr(actions[_i].name, ".h5") != NULL && !hit_hdf5_is_there()) return;
    fail_in_turn(&actions[_i], FAULT_ALLOCATION, step);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("io faults");
    TCase *tests = tcase_create("all");

    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, every_call_of_a_file_may_fail, 0, ACTIONS);
    tcase_add_loop_test(tests, every_allocation_for_a_file_may_fail, 0, ACTIONS);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    int failed;

    HIT_MUST(hit_open(&argc, &argv, &hit));
    io_begin(hit);
    old = io_tile(hit, "block", hit_domain_of(9, 14), HIT_DOUBLE);
    field = io_tile(hit, "cyclic", hit_domain_of(9, 14), HIT_DOUBLE);
    failed = check_run(suite());
    hit_tile_destroy(&old);
    hit_tile_destroy(&field);
    io_end(hit);
    hit_close(&hit);
    return failed;
}
