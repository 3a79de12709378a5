/* SPDX-License-Identifier: MIT
 * Every allocation, every kernel and every copy of a small program of tasks fails in
 * turn, once, or from then on, on threads, on simulated machines, and placed by a
 * scheduler on devices with memories: its results are right, or it is told of an error
 * with a text; what failed once is as good as new when the program begins again; and in
 * the end all memory has been given back. */
#include "hit/hit.h"
#include "hit/plugin.h"
#include "hit/scheduled/schedule.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"
#include "tests/support/faulty_devices.h"
#include "tests/support/mix.h"
#include "tests/support/random.h"

#include <string.h>

enum {
    BLOCKS = 5, /* so many that a launch on one is a task of a thread */
    EDGE = 3,
    ALL = BLOCKS * BLOCKS,
    N = BLOCKS * EDGE
};

static hit_context *base; /* keeps MPI open */

/* ---- the program ---- */

static hit_status mix_or_fail(const hit_run *run)
{
    if (test_fault_hits(FAULT_KERNEL)) {
        return HIT_FAIL(HIT_E_DEVICE, "a kernel was made to fail");
    }
    mix_blocks(run, EDGE);
    return HIT_OK;
}

static const hit_kernel mix = MIX_KERNEL(mix_or_fail);

typedef struct program {
    bool scheduled;
    hit_context *hit;
    hit_layout *layout;
    hit_tile *all;
    hit_tile *block[ALL];
    bool made; /* all tiles */
    int64_t found[N][N];
} program;

static hit_status launch_all(program *p)
{
    for (int k = 0; k < ALL; k++) {
        HIT_TRY(hit_launch(p->hit, &mix, hit_domain_of(1), p->block[7 * k % ALL],
                           p->block[(7 * k + 2 + k % 3) % ALL],
                           p->block[(7 * k + 7) % ALL]));
    }
    return HIT_OK;
}

static hit_status make_tiles(program *p)
{
    HIT_TRY(hit_layout_create(p->hit, hit_domain_of(N, N), "block", &p->layout));
    HIT_TRY(hit_tile_create(p->layout, HIT_INT64, "A", &p->all));
    for (int k = 0; k < ALL; k++) {
        const hit_index i = k / BLOCKS * EDGE;
        const hit_index j = k % BLOCKS * EDGE;
        const hit_domain box = {.dims = 2,
                                .sig = {{i, i + EDGE - 1, 1}, {j, j + EDGE - 1, 1}}};

        HIT_TRY(hit_tile_select(p->all, box, &p->block[k]));
    }
    p->made = true;
    return HIT_OK;
}

static hit_status run_all(program *p)
{
    hit_view view;

    if (p->scheduled) HIT_TRY(hit_schedule(p->hit, "heft"));
    HIT_TRY(launch_all(p));
    HIT_TRY(hit_tile_map(p->block[4], 0, HIT_READ_WRITE, &view));
    HIT_AT(view, int64_t, EDGE, EDGE) += 3;
    if (p->scheduled) HIT_TRY(hit_schedule(p->hit, "mct:beta=2"));
    HIT_TRY(launch_all(p));
    HIT_TRY(hit_wait(p->hit));
    HIT_TRY(launch_all(p));
    HIT_TRY(hit_tile_gather(p->all, 0, p->found));
    return hit_wait(p->hit);
}

/* After a failure that was told. */
static hit_status run_again(program *p)
{
    const int64_t zero = 0;

    (void)hit_wait(p->hit); /* one that was stored meanwhile */
    HIT_TRY(hit_tile_fill(p->all, &zero));
    return run_all(p);
}

static void close_all(program *p)
{
    for (int k = 0; k < ALL; k++) {
        hit_tile_destroy(&p->block[k]);
    }
    hit_tile_destroy(&p->all);
    hit_layout_destroy(&p->layout);
    hit_close(&p->hit);
}

/* The memory that is held afterwards and was not before: *more. *again: what it does when
 * it begins again after a failure that comes once. */
static hit_status run(const char *devices, program *p, hit_status *again, long *more)
{
    const long before = test_fault.held;
    hit_status status;

    *p = (program){.scheduled = strstr(devices, "memory") != NULL};
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &p->hit));
    faulty_devices_set(p->hit, 0);
    test_fault_begin();
    status = make_tiles(p);
    if (status == HIT_OK) status = run_all(p);
    *again = status;
    if (status != HIT_OK && !test_fault.sticky && p->made) {
        ck_assert_int_gt((int)strlen(hit_status_text()), 0);
        *again = run_again(p);
    }
    close_all(p);
    test_fault.on = false;
    *more = test_fault.held - before;
    return status;
}

static void fail_in_turn(const char *devices, test_fault_kind kind, bool sticky)
{
    static program want;
    static program found;
    const long step = hit_random_is_slow() ? 7 : 2;
    hit_status again;
    long held;
    long more;
    int told = 0;
    long tries = 0;
    long count;

    test_fault.fail_at = 0;
    HIT_MUST(run(devices, &want, &again, &held));
    count = test_fault.count[kind];
    test_fault.kind = kind;
    test_fault.sticky = sticky;
    for (long k = 1; k <= count; k += step) {
        hit_status status;

        tries++;
        test_fault.fail_at = k;
        status = run(devices, &found, &again, &more);
        ck_assert_msg(more == held, "%s %ld: %ld pieces of memory are held, not %ld",
                      test_fault_name[kind], k, more, held);
        if (status != HIT_OK) {
            ck_assert_int_gt((int)strlen(hit_status_text()), 0);
            told++;
        }
        ck_assert_msg(again == HIT_OK || sticky || !found.made, "%s %ld: fails again: %s",
                      test_fault_name[kind], k, hit_status_text());
        if (again != HIT_OK) continue;
        ck_assert_msg(memcmp(found.found, want.found, sizeof want.found) == 0,
                      "%s %ld: wrong and not told%s", test_fault_name[kind], k,
                      status == HIT_OK ? "" : ", begun again");
    }
    test_fault.fail_at = 0;
    ck_assert_int_gt(told, 0);
    if (kind == FAULT_KERNEL) ck_assert_int_eq(told, tries);
}

/* On numbers 4 and 5 each task needs copies. */
static const char *const places[] = {
    "host:threads=2",
    "host:threads=1 * 2",
    "simulated:machines/idgraf.machine:gpus=2,cpus=1,memory=300",
    "simulated:machines/sirocco.machine:gpus=3,cpus=0,memory=250,back=arrived",
    "host:threads=1:memory=300B",
    "host:threads=1:memory=250B * 2",
    "host:threads=1 + host:threads=1:memory=250B"};

START_TEST(each_allocation_that_fails_is_told_or_does_not_matter)
{
    fail_in_turn(places[_i], FAULT_ALLOCATION, false);
    fail_in_turn(places[_i], FAULT_ALLOCATION, true);
}
END_TEST

START_TEST(each_kernel_that_fails_is_told)
{
    fail_in_turn(places[_i], FAULT_KERNEL, false);
    fail_in_turn(places[_i], FAULT_KERNEL, true);
}
END_TEST

START_TEST(each_copy_that_fails_is_told)
{
    fail_in_turn(places[_i], FAULT_COPY, false);
    fail_in_turn(places[_i], FAULT_COPY, true);
    fail_in_turn(places[_i], FAULT_LATE_COPY, false);
    fail_in_turn(places[_i], FAULT_LATE_COPY, true);
}
END_TEST

static Suite *suite(void)
{
    const int count = (int)(sizeof(places) / sizeof(places[0]));
    Suite *s = suite_create("tasks_faults");
    TCase *tc = tcase_create("in turn");

    tcase_set_timeout(tc, 240);
    tcase_add_loop_test(tc, each_allocation_that_fails_is_told_or_does_not_matter, 0,
                        count);
    tcase_add_loop_test(tc, each_kernel_that_fails_is_told, 0, count);
    tcase_add_loop_test(tc, each_copy_that_fails_is_told, 4, 6);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
