/* SPDX-License-Identifier: MIT
 * usage: hit.comm.ended MODE: what is left of a context after MPI has ended can be asked
 * for all, says why it cannot, and can be closed. MODE: "owner" closes the context that
 * began MPI before the other one; "program" calls MPI_Finalize before hit_close(). */
#include "hit/hit.h"
#include "hit/mpi.h"
#include "kernels/kernels.h"
#include "tests/support/check_main.h"

#include <mpi.h>

#include <stdio.h>
#include <string.h>

static hit_context *hit;
static hit_layout *layout;
static hit_tile *now;
static hit_tile *next;

static hit_status step(void)
{
    return hit_launch(hit, &heat_float, hit_domain_grow(hit_domain_of(30, 20), -1), next,
                      now, HIT_VALUE(0.1f));
}

static void prepare(void)
{
    const float one = 1;

    HIT_MUST(hit_layout_create(hit, hit_domain_of(30, 20), "block:dims=0", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "now", &now));
    HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "next", &next));
    HIT_MUST(hit_tile_fill(now, &one));
    HIT_MUST(step());
    HIT_MUST(hit_tile_fill(now, &one)); /* so that the next step has messages */
}

static void refused(hit_status found)
{
    ck_assert_msg(found == HIT_E_COMM, "found %s", hit_status_name(found));
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "MPI has been finalized"));
}

START_TEST(what_all_processes_do_together_is_refused_with_the_reason)
{
    hit_layout *other = NULL;
    hit_tile *tile = NULL;
    hit_stats stats;
    float value[30 * 20];

    refused(hit_barrier(hit));
    refused(hit_layout_create(hit, hit_domain_of(5), "block", &other));
    refused(hit_tile_create(layout, HIT_FLOAT, "late", &tile));
    refused(hit_tile_get(now, (const hit_index[]){0, 0}, value));
    refused(hit_tile_gather(now, 0, value));
    refused(hit_tile_copy(now, next));
    refused(hit_tile_write(now, "late.npy", NULL));
    refused(hit_tile_read(now, "late.npy", NULL));
    refused(hit_context_stats_all(hit, &stats));
    ck_assert_ptr_null(other);
    ck_assert_ptr_null(tile);
}
END_TEST

START_TEST(a_launch_that_needs_no_messages_goes_on_and_others_are_refused)
{
    if (hit_size(hit) > 1) {
        refused(step());
    } else {
        ck_assert_int_eq(step(), HIT_OK);
        ck_assert_int_eq(hit_wait(hit), HIT_OK);
    }
}
END_TEST

START_TEST(no_context_is_opened)
{
    const MPI_Comm world = MPI_COMM_WORLD;
    hit_context *late = NULL;

    refused(hit_open(NULL, NULL, &late));
    refused(hit_open_from(&world, NULL, &late));
    ck_assert_ptr_null(late);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("ended");
    TCase *c = tcase_create("after MPI");

    tcase_add_test(c, what_all_processes_do_together_is_refused_with_the_reason);
    tcase_add_test(c, a_launch_that_needs_no_messages_goes_on_and_others_are_refused);
    tcase_add_test(c, no_context_is_opened);
    suite_add_tcase(s, c);
    return s;
}

int main(int argc, char **argv)
{
    hit_context *first = NULL;
    int failed;

    if (argc != 2) return 2;
    if (strcmp(argv[1], "owner") == 0) {
        HIT_MUST(hit_open(&argc, &argv, &first));
        HIT_MUST(hit_open(&argc, &argv, &hit));
        prepare();
        hit_close(&first);
    } else {
        MPI_Init(&argc, &argv);
        HIT_MUST(hit_open(&argc, &argv, &hit));
        prepare();
        MPI_Finalize();
    }
    failed = check_run(suite());
    hit_tile_destroy(&now);
    hit_tile_destroy(&next);
    hit_layout_destroy(&layout);
    hit_close(&hit);
    return failed;
}
