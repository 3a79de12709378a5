/* SPDX-License-Identifier: MIT
 * Every allocation and every copy of a small program fails in turn, once, or from then
 * on: its results are right, or it is told of an error with a text, and in the end all
 * memory has been given back. On several processes one of them has the fault, each in its
 * turn: then all are told, or none, and no process waits for ever. */
#include "hit/base/context.h"
#include "hit/base/status_impl.h"
#include "hit/comm/comm.h"
#include "hit/device/device.h"
#include "hit/hit.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"
#include "tests/support/faulty_devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hit_kernel blend, bump, multiply, columns;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

static bool in_steps; /* the program repeats its launches, in chains */

static bool is_tall; /* the tiles of its steps have more rows */

static bool goes_on; /* whatever fails, it makes all of its calls */

static size_t cap_bytes; /* the device has no more in one piece; 0: what it has */

/* ---- the program ---- */

enum {
    N = 14,
    ROWS = 40, /* of tiles that go through a device in rows, in steps; or ... */
    MORE_ROWS = 120,
    COLUMNS = 6,
    STEPS = 12
};

typedef struct program {
    hit_context *hit;
    hit_layout *layout;
    hit_layout *row;
    hit_tile *a, *b, *c, *total;
    hit_first first; /* failure, where it goes on */
    int64_t found[2 * MORE_ROWS * COLUMNS + N];
    hit_stats stats;
} program;

static hit_domain domain_of_steps(void)
{
    return hit_domain_of(is_tall ? MORE_ROWS : ROWS, COLUMNS);
}

static hit_status make_tiles(program *p)
{
    const hit_domain square = in_steps ? domain_of_steps() : hit_domain_of(N, N);
    int64_t value = 3;

    HIT_TRY(hit_layout_create(p->hit, square, "block", &p->layout));
    HIT_TRY(hit_layout_create(p->hit, hit_domain_of(N), "block", &p->row));
    HIT_TRY(hit_tile_create(p->layout, HIT_INT64, "a", &p->a));
    HIT_TRY(hit_tile_create(p->layout, HIT_INT64, "b", &p->b));
    HIT_TRY(hit_tile_create(p->layout, HIT_INT64, "c", &p->c));
    HIT_TRY(hit_tile_create(p->row, HIT_INT64, "total", &p->total));
    HIT_TRY(hit_tile_set_boundary(
        p->a, -1, in_steps ? HIT_BOUNDARY_CLAMP : HIT_BOUNDARY_PERIODIC, NULL));
    HIT_TRY(hit_tile_set_boundary(p->b, -1, HIT_BOUNDARY_CLAMP, NULL));
    return hit_comm_agree(p->hit->comm, hit_tile_fill(p->a, &value));
}

static hit_status touch(program *p)
{
    hit_index first[2];
    hit_view view;

    HIT_TRY(hit_tile_map(p->a, 0, HIT_READ_WRITE, &view));
    if (hit_domain_first(&view.domain, first)) {
        *(int64_t *)hit_view_at(&view, first) += 1;
    }
    return HIT_OK;
}

/* What is not told to the others by the library, as docs/errors.md says, but must not let
 * them wait. */
static hit_status tell(program *p, hit_status status)
{
    if (!goes_on) return hit_comm_agree(p->hit->comm, status);
    hit_first_keep(&p->first, status);
    return HIT_OK;
}

#define TELL(p, call) HIT_TRY(tell(p, (call)))

/* What the program itself does on one process, all must know of. */
#define TELL_ALL(p, call) HIT_TRY(tell(p, hit_comm_agree((p)->hit->comm, (call))))

static hit_status run_steps(program *p)
{
    const hit_domain all = domain_of_steps();

    TELL(p, hit_chain(p->hit, HIT_CHAIN_ANY));
    for (int t = 0; t < STEPS; t++) {
        TELL(p, hit_launch(p->hit, &blend, all, p->b, p->a));
        hit_tile_swap(&p->a, &p->b);
    }
    TELL(p, hit_tile_gather(p->a, 0, p->found));
    TELL(p, hit_tile_gather(p->b, 0, p->found + MORE_ROWS * COLUMNS));
    return hit_first_tell(&p->first);
}

/* A product that may fail. */
static hit_status product(const hit_run *run)
{
    if (!test_fault_hits(FAULT_KERNEL)) return multiply.host(run);
    return HIT_FAIL(HIT_E_DEVICE, "kernel %ld was made to fail",
                    (long)test_fault.count[FAULT_KERNEL]);
}

static hit_status run(program *p)
{
    const hit_domain square = hit_domain_of(N, N);
    hit_kernel product_of = multiply;

    product_of.host = product;
    if (in_steps) return run_steps(p);
    for (int k = 0; k < 2; k++) {
        TELL(p, hit_launch(p->hit, &blend, square, p->b, p->a));
        TELL(p, hit_launch(p->hit, &bump, square, p->a, HIT_VALUE((int64_t)5)));
    }
    for (int k = 0; k < 2; k++) {
        TELL(p, hit_launch(p->hit, &product_of, square, p->c, p->a, p->b));
    }
    TELL(p, hit_launch(p->hit, &columns, square, p->total, p->c));
    TELL_ALL(p, touch(p));
    TELL(p, hit_launch(p->hit, &blend, square, p->b, p->a));
    TELL(p, hit_launch(p->hit, &blend, square, p->c, p->b)); /* its halo is new to b */
    TELL(p, hit_tile_gather(p->b, 0, p->found));
    TELL(p, hit_tile_gather(p->c, 0, p->found + N * N));
    TELL(p, hit_tile_gather(p->total, 0, p->found + 2 * N * N));
    return hit_first_tell(&p->first);
}

static void close_tiles(program *p)
{
    hit_tile_destroy(&p->a);
    hit_tile_destroy(&p->b);
    hit_tile_destroy(&p->c);
    hit_tile_destroy(&p->total);
    hit_layout_destroy(&p->layout);
    hit_layout_destroy(&p->row);
}

static hit_status whole(program *p, const char *devices)
{
    hit_status status = hit_open_with(
        NULL, NULL, &(hit_options){.threads = 1, .devices = devices}, &p->hit);

    if (status != HIT_OK) return status;
    faulty_devices_set(p->hit, cap_bytes);
    status = make_tiles(p);
    if (status == HIT_OK) status = run(p);
    hit_context_stats(p->hit, &p->stats);
    close_tiles(p);
    hit_close(&p->hit);
    return status;
}

/* ---- the trials ---- */

typedef struct outcome {
    long right;
    long told;
} outcome;

static hit_status try_once(const char *devices, program *p)
{
    hit_status status;

    memset(p, 0, sizeof(*p));
    test_fault_begin();
    status = whole(p, devices);
    test_fault.on = false;
    return status;
}

/* What is wrong on this process; NULL: nothing. */
static const char *complaint(hit_status status, const program *p, const program *good,
                             long held)
{
    if (test_fault.held != held) return "memory is not given back";
    if (status == HIT_OK) {
        const bool same = memcmp(p->found, good->found, sizeof(p->found)) == 0;

        return same ? NULL : "wrong results";
    }
    if (status != HIT_E_NOMEM && status != HIT_E_DEVICE && status != HIT_E_COMM &&
        status != HIT_E_PEER) {
        return "another error";
    }
    return strlen(hit_status_text()) > 10 ? NULL : "no text";
}

/* All processes fail together, so that none waits for one that has left the test. */
static void judge(hit_status status, const char *wrong, int victim, outcome *all)
{
    uint64_t sum[2] = {status != HIT_OK, wrong != NULL};

    if (wrong != NULL) {
        printf("process %d of %d; %s %ld%s of process %d failed: %s (%s: %s)\n",
               hit_rank(base), hit_size(base), test_fault_name[test_fault.kind],
               test_fault.fail_at, test_fault.sticky ? " and all that follow" : "",
               victim, wrong, hit_status_name(status), hit_status_text());
    }
    HIT_MUST(hit_comm_sum_u64(base->comm, sum, 2));
    ck_assert_msg(sum[1] == 0, "%d processes complain", (int)sum[1]);
    *(status == HIT_OK ? &all->right : &all->told) += 1;
    if (goes_on) return; /* others may have waited for nothing that was lost */
    ck_assert_msg(sum[0] == 0 || sum[0] == (uint64_t)hit_size(base),
                  "%s %ld of process %d failed: %d of %d processes were told of an error",
                  test_fault_name[test_fault.kind], test_fault.fail_at, victim,
                  (int)sum[0], hit_size(base));
}

/* How many of that kind each process asks for when nothing fails. */
static void count_all(test_fault_kind what, uint64_t count[])
{
    for (int k = 0; k < hit_size(base); k++) {
        count[k] = k == hit_rank(base) ? (uint64_t)test_fault.count[what] : 0;
    }
    HIT_MUST(hit_comm_sum_u64(base->comm, count, hit_size(base)));
}

enum {
    MOST_PROCESSES = 16
};

/* On several processes some of them: they wait for each other, and many do the same. */
static outcome fail_in_turn(test_fault_kind what, const char *devices)
{
    static program good;
    static program p;
    const int size = hit_size(base);
    const bool slow = hit_random_is_slow();
    const long step = (6 * size - 5) * (slow ? 2 : 1) * (is_tall ? 3 : 1);
    uint64_t count[MOST_PROCESSES];
    outcome all = {0};
    long held;

    ck_assert_int_le(size, MOST_PROCESSES);
    ck_assert_msg(try_once(devices, &good) == HIT_OK, "%s", hit_status_text());
    held = test_fault.held;
    count_all(what, count);
    test_fault.kind = what;
    for (int victim = 0; victim < size; victim++) {
        const long last = (long)count[victim];

        for (long n = 1 + victim % step; n <= 2 * last; n += step) {
            hit_status status;

            test_fault.sticky = n > last;
            test_fault.fail_at = victim != hit_rank(base) ? 0 : n > last ? n - last : n;
            status = try_once(devices, &p);
            judge(status, complaint(status, &p, &good, held), victim, &all);
        }
    }
    test_fault.fail_at = 0;
    if (hit_rank(base) == 0) {
        printf("%s, %d processes: %s failed in turn: %ld right, %ld told\n", devices,
               size, test_fault_name[what], all.right, all.told);
    }
    return all;
}

/* A few superblocks, one at a time and in lanes; tiles that give way to each other; all
 * that fits; on two devices. */
static const char *const places[] = {
    "host:memory=1000",
    "host:memory=3000",
    "host:memory=4200",
    "host:memory=100000",
    "host:memory=1000+host:memory=100000",
};
static const char *const roomy = "host:memory=100000";

START_TEST(every_allocation_may_fail)
{
    ck_assert_int_gt(fail_in_turn(FAULT_ALLOCATION, places[_i]).told, 0);
}
END_TEST

static void fail_copies(test_fault_kind what, const char *place)
{
    const outcome all = fail_in_turn(what, place);

    ck_assert_int_gt(all.told, 0);
    ck_assert_int_eq(all.right, 0);
}

START_TEST(every_copy_may_fail)
{
    fail_copies(FAULT_COPY, places[_i]);
}
END_TEST

START_TEST(every_copy_may_fail_after_it_was_asked_for)
{
    fail_copies(FAULT_LATE_COPY, places[_i]);
}
END_TEST

/* In place, through a small memory, and through two: those of one process are larger. */
static const char *const chain_places[] = {
    "host",
    "host:memory=2000",
    "host:memory=3200+host:memory=3200",
    "host:memory=5600+host:memory=5600",
};

/* On two processes, whose halos are deep; on several devices of one. */
START_TEST(every_allocation_and_copy_of_a_chain_may_fail)
{
    static program good;
    const char *const place = chain_places[_i];

    if (hit_size(base) != (_i < 3 ? 2 : 1)) return;
    if (getenv("HIT_SCHED") != NULL) return; /* no chains */
    in_steps = true;
    is_tall = _i >= 2;
    ck_assert_msg(try_once(place, &good) == HIT_OK, "%s", hit_status_text());
    ck_assert_uint_gt(good.stats.chained, STEPS / 2);
    ck_assert_int_gt(fail_in_turn(FAULT_ALLOCATION, place).told, 0);
    if (_i > 0) ck_assert_int_gt(fail_in_turn(FAULT_COPY, place).told, 0);
    in_steps = is_tall = false;
}
END_TEST

/* Processes that were not told go on as well, and wait for the one that was: it sends
 * what they wait for, or says that it cannot. */
START_TEST(whoever_goes_on_after_a_failure_lets_nobody_wait)
{
    const test_fault_kind what[] = {FAULT_ALLOCATION, FAULT_COPY, FAULT_KERNEL};
    const char *const place[] = {"host",          places[0],       roomy,
                                 chain_places[0], chain_places[1], chain_places[2]};

    if (hit_size(base) == 1) return;
    goes_on = true;
    for (int k = 0; k < (what[_i] == FAULT_KERNEL ? 3 : 6); k++) {
        if (what[_i] == FAULT_COPY && k % 3 == 0) continue;
        in_steps = k >= 3;
        is_tall = k >= 5;
        ck_assert_int_gt(fail_in_turn(what[_i], place[k]).told, 0);
    }
    in_steps = is_tall = goes_on = false;
}
END_TEST

/* The last process fails in a product: whoever needs its elements of c, and whoever
 * looks, is told, until they are written anew. */
START_TEST(what_a_launch_lost_is_told_where_it_is_read)
{
    const hit_domain square = hit_domain_of(N, N);
    const int last = hit_size(base) - 1;
    const int64_t zero = 0;
    hit_kernel product_of = multiply;
    program p = {.hit = base};
    int64_t found;

    if (last == 0) return;
    product_of.host = product;
    HIT_MUST(make_tiles(&p));
    HIT_MUST(hit_tile_fill(p.b, &zero));
    HIT_MUST(hit_launch(base, &product_of, square, p.c, p.a, p.b));
    HIT_MUST(hit_launch(base, &columns, square, p.total, p.c));
    test_fault.kind = FAULT_KERNEL;
    test_fault.fail_at = hit_rank(base) == last;
    test_fault_begin();
    ck_assert_int_eq(hit_launch(base, &product_of, square, p.c, p.a, p.b),
                     hit_rank(base) == last ? HIT_E_DEVICE : HIT_OK);
    test_fault.on = false;
    test_fault.fail_at = 0;
    ck_assert_int_eq(hit_launch(base, &columns, square, p.total, p.c),
                     hit_rank(base) == last ? HIT_E_DEVICE : HIT_E_PEER);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), hit_rank(base) == last
                                                        ? "was made to fail"
                                                        : "could not write"));
    ck_assert_int_ne(hit_tile_get(p.total, (hit_index[]){0}, &found), HIT_OK);
    HIT_MUST(hit_tile_fill(p.c, &zero));
    HIT_MUST(hit_launch(base, &columns, square, p.total, p.c));
    HIT_MUST(hit_tile_get(p.total, (hit_index[]){0}, &found));
    ck_assert_int_eq((int)found, 0);
    close_tiles(&p);
}
END_TEST

/* Somebody else has taken the device's memory. */
START_TEST(less_memory_than_the_limit_gives_a_smaller_plan)
{
    static program good;
    static program p;
    const long held = test_fault.held;

    ck_assert_int_eq(try_once(roomy, &good), HIT_OK);
    ck_assert_uint_eq(good.stats.replans, 0);
    for (cap_bytes = 4000; cap_bytes >= 900; cap_bytes -= 100) {
        ck_assert_msg(try_once(roomy, &p) == HIT_OK, "%s", hit_status_text());
        ck_assert(memcmp(p.found, good.found, sizeof(p.found)) == 0);
    }
    ck_assert_uint_gt(p.stats.replans, 0);
    ck_assert_uint_le(p.stats.replans, 6); /* once per plan */
    cap_bytes = 20;
    ck_assert_int_eq(try_once(roomy, &p), HIT_E_NOMEM);
    cap_bytes = 0;
    ck_assert_int_eq(test_fault.held, held);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "kernel blend asked for"));
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "bytes are not there"));
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "are missing"));
}
END_TEST

static Suite *suite(void)
{
    const int count = (int)(sizeof(places) / sizeof(places[0]));
    Suite *made = suite_create("faults");
    TCase *tests = tcase_create("faults");

    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, every_allocation_may_fail, 0, count);
    tcase_add_loop_test(tests, every_copy_may_fail, 0, count);
    tcase_add_loop_test(tests, every_copy_may_fail_after_it_was_asked_for, 0, count);
    tcase_add_loop_test(tests, every_allocation_and_copy_of_a_chain_may_fail, 0, 4);
    tcase_add_loop_test(tests, whoever_goes_on_after_a_failure_lets_nobody_wait, 0, 3);
    tcase_add_test(tests, what_a_launch_lost_is_told_where_it_is_read);
    tcase_add_test(tests, less_memory_than_the_limit_gives_a_smaller_plan);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
