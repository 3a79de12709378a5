/* SPDX-License-Identifier: MIT
 * Launches that reduce, of each of several processes placed on its devices: sums are
 * those of plain loops, elements stay where they are, and a task that fails is told to
 * those who own the sums. */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/hit.h"
#include "hit/scheduled/schedule_impl.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"

static hit_context *base; /* keeps MPI open */

enum {
    ROWS = 21 /* at least as many as processes */
};

extern const hit_kernel add_up; /* the rows of a matrix */

static hit_status raise_columns(const hit_run *run)
{
    const hit_slot *x = &run->slot[0];

    for (hit_index i = x->begin[0]; i <= x->end[0]; i++) {
        for (hit_index j = run->begin[0]; j <= run->end[0]; j++) {
            ((int64_t *)x->base)[i * x->stride[0] + j * x->stride[1]] += i + j;
        }
    }
    return HIT_OK;
}

static const hit_kernel_arg raised[] = {
    {HIT_MODE_INOUT, {HIT_KIND_INT64, sizeof(int64_t)}, "x", "[:, j]"}};
static const hit_kernel raise_all = {.name = "raise",
                                     .dims = 1,
                                     .index = {"j"},
                                     .args = 1,
                                     .arg = raised,
                                     .whole_box = 1,
                                     .host = raise_columns};

static hit_status add_or_fail(const hit_run *run)
{
    if (test_fault_hits(FAULT_KERNEL)) {
        return HIT_FAIL(HIT_E_DEVICE, "a kernel was made to fail");
    }
    return add_up.host(run);
}

/* After @p passes launches of each kernel. */
static void expect_sum(hit_tile *sum, int passes)
{
    int64_t found[ROWS];

    HIT_MUST(hit_tile_gather(sum, 0, found));
    for (int i = 0; i < ROWS && hit_rank(base) == 0; i++) {
        ck_assert_int_eq(found[i], passes * (ROWS * (ROWS - 1) / 2 + ROWS * i));
    }
}

/* Columns are shared out, and so are the sums of rows. Of each process the launch is a
 * task where its columns are; where one fails, those who own sums are told. */
START_TEST(sums_are_placed)
{
    const int passes = 12;
    hit_kernel add = add_up;

    add.host = add_or_fail;
    for (int victim = -1; victim < hit_size(base); victim++) {
        hit_context *hit;
        hit_tile *x;
        hit_tile *sum;
        const hit_scheduled *s;
        hit_stats stats;
        uint64_t told = 0;

        HIT_MUST(hit_open_with(
            NULL, NULL, &(hit_options){.devices = "host:threads=1:memory=16KiB"}, &hit));
        HIT_MUST(hit_tile_make(hit, hit_domain_of(ROWS, ROWS), "block:dims=1", HIT_INT64,
                               "x", &x));
        HIT_MUST(hit_tile_make(hit, hit_domain_of(ROWS, 1), "block:dims=0", HIT_INT64,
                               "sum", &sum));
        HIT_MUST(hit_schedule(hit, "home"));
        test_fault.kind = FAULT_KERNEL;
        test_fault.fail_at = hit_rank(base) == victim ? 3 : 0;
        test_fault_begin();
        for (int t = 0; t < passes; t++) {
            HIT_MUST(hit_launch(hit, &raise_all, hit_domain_of(ROWS), x));
            told += hit_launch(hit, &add, hit_domain_of(ROWS, ROWS), sum, x) != HIT_OK;
        }
        test_fault.on = false;
        s = hit->stations->keeper.self;
        ck_assert_uint_eq(s->forgotten + (uint64_t)s->graph.tasks, 2 * (unsigned)passes);
        hit_context_stats(hit, &stats); /* x once, sums as they come and go */
        ck_assert_uint_le(stats.bytes_in + stats.bytes_out,
                          sizeof(int64_t) * ROWS * (ROWS + 2 * (size_t)passes));
        if (victim < 0) ck_assert_uint_eq(told, 0);
        if (victim == hit_rank(base)) ck_assert_uint_eq(told, 1);
        HIT_MUST(hit_comm_sum_u64(base->comm, &told, 1));
        ck_assert(victim < 0 || told > 0);
        expect_sum(sum, passes);
        hit_tile_destroy(&sum);
        hit_tile_destroy(&x);
        hit_close(&hit);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("sums that schedulers place");
    TCase *tests = tcase_create("sums");

    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, sums_are_placed);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
