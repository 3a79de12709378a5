/* SPDX-License-Identifier: MIT
 * Random programs in which an allocation, a copy or a kernel of one process fails, once
 * or from then on: the elements of each process are right, or it was told of an error;
 * none waits for ever, and all memory is given back. HIT_PROGRAMS=1000 tries that many,
 * HIT_SEED begins elsewhere, HIT_TRIED=1 says what is tried. */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "tests/programs/body.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"
#include "tests/support/faulty_devices.h"

#include <stdio.h>
#include <stdlib.h>

static hit_context *base; /* keeps MPI open */

static void opened(const hit_context *hit)
{
    faulty_devices_set(hit, 0);
}

static void set(bool on)
{
    test_fault.on = on;
}

static hit_status body(const hit_run *run)
{
    if (!test_fault_hits(FAULT_KERNEL)) return program_body(run);
    return HIT_FAIL(HIT_E_DEVICE, "kernel %ld was made to fail",
                    (long)test_fault.count[FAULT_KERNEL]);
}

static program_faults faults = {.opened = opened, .set = set, .body = body};

static void say(const program *p, long fail_at)
{
    if (getenv("HIT_TRIED") == NULL) return;
    (void)fprintf(stderr, "program %llu, process %d: %s %ld%s\n",
                  (unsigned long long)p->seed, hit_rank(base),
                  test_fault_name[test_fault.kind], fail_at,
                  test_fault.sticky ? " and all that follow" : "");
}

/* Fault number @p fail_at of this process; 0: none. */
static outcome try_once(const program *p, long fail_at)
{
    const long held = test_fault.held;
    outcome found;
    uint64_t lost;

    test_fault.fail_at = fail_at;
    test_fault_begin();
    test_fault.on = false;
    say(p, fail_at);
    found = program_run(p, false);
    lost = test_fault.held != held;
    HIT_MUST(hit_comm_max_u64(base->comm, &lost, 1));
    ck_assert_msg(!lost, "program %llu on %s: %s %ld: memory is not given back",
                  (unsigned long long)p->seed, p->devices,
                  test_fault_name[test_fault.kind], fail_at);
    return found;
}

typedef struct tally {
    int right;
    int told;
} tally;

static bool looks(const program *p)
{
    bool any = false;

    for (int k = 0; k < p->steps; k++) {
        any = any || p->step[k].looks;
    }
    return any;
}

static void try_program(uint64_t seed, test_fault_kind what, tally *all)
{
    const program p = program_make(seed);
    hit_random random = {seed};
    const int victim = (int)hit_random_index(&random, 0, hit_size(base) - 1);
    outcome found;
    uint64_t count;
    long number;

    if (what == FAULT_LATE_COPY && looks(&p)) return; /* other numbers lead anywhere */
    test_fault.kind = what;
    faults.fails = false;
    found = try_once(&p, 0);
    if (!found.good || found.refused > 0) return; /* it tells of other errors */
    faults.fails = true;
    count = victim == hit_rank(base) ? (uint64_t)test_fault.count[what] : 0;
    HIT_MUST(hit_comm_max_u64(base->comm, &count, 1));
    for (int turn = 0; turn < 4 && count > 0; turn++) {
        test_fault.sticky = turn == 3 && hit_size(base) == 1;
        number = (long)hit_random_index(&random, 1, (hit_index)count);
        found = try_once(&p, victim == hit_rank(base) ? number : 0);
        *(found.told ? &all->told : &all->right) += 1;
        if (!found.good && hit_rank(base) == 0) program_print(&p);
        ck_assert_msg(found.good, "program %llu on %s: %s %ld%s of process %d failed: %s",
                      (unsigned long long)seed, p.devices, test_fault_name[what], number,
                      test_fault.sticky ? " and all that follow" : "", victim,
                      found.text);
    }
    test_fault.sticky = false;
}

START_TEST(programs_are_right_or_told)
{
    const uint64_t first = hit_random_start(5000000).state;
    const char *text = getenv("HIT_PROGRAMS");
    const int count = text != NULL ? atoi(text) : hit_random_cases(30);
    tally all = {0};

    program_faulty = &faults;
    for (int k = 0; k < count; k++) {
        try_program(first + (uint64_t)k, (test_fault_kind)_i, &all);
    }
    test_fault.fail_at = 0;
    if (hit_rank(base) > 0) return;
    printf("%s: %d right, %d told\n", test_fault_name[_i], all.right, all.told);
    if (count >= 30) ck_assert_int_gt(all.told, 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("faulty");
    TCase *tests = tcase_create("programs");

    tcase_add_loop_test(tests, programs_are_right_or_told, FAULT_ALLOCATION,
                        FAULT_KERNEL + 1);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
