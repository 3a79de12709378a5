/* SPDX-License-Identifier: MIT
 * Single calls for which one process has no memory: all processes are told, or none. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/hit.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"

#include <stdlib.h>
#include <string.h>

extern const hit_kernel bump;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

enum {
    N = 14
};

/* Its options are read on one process, which tells the others. */
START_TEST(a_layout_for_which_one_process_has_no_memory_is_made_by_none)
{
    const uint64_t size = (uint64_t)hit_size(base);
    char text[64] = "cpm:speeds=1";

    for (uint64_t k = 1; k < size; k++) {
        strcat(text, ",1");
    }
    test_fault.kind = FAULT_ALLOCATION;
    test_fault.sticky = false;
    for (int victim = 0; victim < (int)size; victim++) {
        uint64_t failed = size;

        for (long n = 1; failed > 0; n++) {
            hit_layout *layout = NULL;

            test_fault.fail_at = victim == hit_rank(base) ? n : 0;
            test_fault_begin();
            failed = hit_layout_create(base, hit_domain_of(N), text, &layout) != HIT_OK;
            test_fault.on = false;
            HIT_MUST(hit_comm_sum_u64(base->comm, &failed, 1));
            ck_assert(failed == 0 || failed == size);
            ck_assert_int_gt(n, failed == 0 ? 5 : 0); /* were they made to fail? */
            hit_layout_destroy(&layout);
        }
    }
    test_fault.fail_at = 0;
}
END_TEST

/* The last process has no memory, at a later moment in each launch: all are told the
 * same, and go on to the next one together. */
START_TEST(inference_that_fails_on_one_process_is_told_to_all)
{
    const int64_t value = 3;
    hit_context *hit = NULL;
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;
    hit_status status = HIT_E_NOMEM;
    int told = 0;

    if (hit_size(base) == 1) return;
    ck_assert_int_eq(setenv("HIT_INFER", "1", 1), 0);
    HIT_MUST(hit_open(NULL, NULL, &hit));
    ck_assert_int_eq(unsetenv("HIT_INFER"), 0);
    HIT_MUST(hit_layout_create(hit, hit_domain_of(N, N), "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "a", &tile));
    HIT_MUST(hit_tile_fill(tile, &value));
    test_fault.kind = FAULT_ALLOCATION;
    while (status != HIT_OK && told < 1000) {
        const bool fails = hit_rank(hit) == hit_size(hit) - 1;
        uint64_t failed;

        told++;
        test_fault.fail_at = fails ? told : 0;
        test_fault_begin();
        status = hit_launch(hit, &bump, hit_domain_of(N, N), tile, HIT_VALUE(value));
        test_fault.on = false;
        failed = status != HIT_OK;
        HIT_MUST(hit_comm_sum_u64(hit->comm, &failed, 1));
        ck_assert_uint_eq(failed, status != HIT_OK ? (uint64_t)hit_size(hit) : 0);
    }
    test_fault.fail_at = 0;
    ck_assert_int_eq(status, HIT_OK);
    ck_assert_int_gt(told, 3); /* was it made to fail? */
    hit_tile_destroy(&tile);
    hit_layout_destroy(&layout);
    hit_close(&hit);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("faults of calls");
    TCase *tests = tcase_create("faults");

    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, a_layout_for_which_one_process_has_no_memory_is_made_by_none);
    tcase_add_test(tests, inference_that_fails_on_one_process_is_told_to_all);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
