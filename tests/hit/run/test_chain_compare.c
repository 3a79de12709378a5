/* SPDX-License-Identifier: MIT
 * HIT_COMPARE=chain: each block is run twice, and a difference is told with the launch
 * and the element. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "hit/base/context.h"
#include "hit/launch/launcher.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"

#include <stdlib.h>
#include <string.h>

static hit_context *base; /* keeps MPI open */

enum {
    EXTENT = 64,
    TURNS = 3,
    STEPS = 60
};

/* What is declared right comes out the same, blocked in all ways. */
static void run_compared(const chains_program *program, chains_scene *s)
{
    s->hit->launcher->chain_compares = true;
    for (int k = 0; k < TURNS; k++) {
        program->run(s);
    }
    HIT_MUST(hit_wait(s->hit));
    chains_close(s);
}

START_TEST(what_is_declared_right_is_the_same)
{
    for (int k = 0; k < chains_legal_count; k++) {
        const chains_program *program = &chains_legal[k];
        chains_scene s;

        /* parts of the others are as thin as what is read of them */
        if (hit_size(base) > 4 && strstr(program->name, "dimensions") != NULL) continue;
        s = chains_open_over(&chains_blocked, 2, "block:dims=0", EXTENT);
        run_compared(program, &s);
        if (hit_size(base) > 1) continue;
        s = chains_open_staged(4096, 1);
        run_compared(program, &s);
    }
}
END_TEST

/* It reads the row above, and does not say so. */
static hit_status lie(const hit_run *run)
{
    const hit_slot *slot = &run->slot[0];

    for (hit_index i = run->begin[0]; i <= run->end[0]; i++) {
        for (hit_index j = run->begin[1]; j <= run->end[1]; j++) {
            float *at = (float *)slot->base + i * slot->stride[0] + j * slot->stride[1];

            *at = 0.5f * *at + 0.25f * at[-slot->stride[0]];
        }
    }
    return HIT_OK;
}

static hit_kernel of_field(const char *name, hit_status (*host)(const hit_run *run))
{
    static const hit_kernel_arg arg = {
        HIT_MODE_INOUT, {HIT_KIND_FLOAT, sizeof(float)}, "field", "[i, j]"};

    return (hit_kernel){.name = name,
                        .dims = 2,
                        .index = {"i", "j"},
                        .args = 1,
                        .arg = &arg,
                        .strict = 1,
                        .host = host};
}

static hit_status run_liar(chains_scene *s)
{
    const hit_kernel liar = of_field("liar", lie);
    hit_status status = HIT_OK;

    for (int t = 0; t < STEPS && status == HIT_OK; t++) {
        status = hit_launch(s->hit, &liar, s->inner, s->tile[0]);
    }
    return status == HIT_OK ? hit_wait(s->hit) : status;
}

START_TEST(what_is_declared_wrong_is_told)
{
    chains_scene s = chains_open_over(&chains_blocked, 1, "block:dims=1", EXTENT);
    hit_status status;

    s.hit->launcher->chain_compares = true;
    status = run_liar(&s);
    ck_assert_int_eq(status, HIT_E_CHECK);
    ck_assert_msg(strstr(hit_status_text(), "kernel liar, tile a: element (") != NULL &&
                      strstr(hit_status_text(), "writes it last") != NULL,
                  "found %s", hit_status_text());
    s.hit->launcher->chain_compares = false; /* then nothing looks */
    HIT_MUST(run_liar(&s));
    chains_close(&s);
}
END_TEST

static hit_status bump(const hit_run *run)
{
    const hit_slot *slot = &run->slot[0];

    for (hit_index i = run->begin[0]; i <= run->end[0]; i++) {
        for (hit_index j = run->begin[1]; j <= run->end[1]; j++) {
            float *at = (float *)slot->base + i * slot->stride[0] + j * slot->stride[1];

            *at += 1;
        }
    }
    return HIT_OK;
}

/* What runs one launch after the other has all rows. */
static hit_status bump_some(const hit_run *run)
{
    if (run->end[0] - run->begin[0] + 1 < CHAINS_N - 4) return bump(run);
    return HIT_FAIL(HIT_E_DEVICE, "too many rows");
}

/* Of all that this process has of it. */
static void expect_all(hit_tile *tile, const hit_domain *box, float value)
{
    hit_index at[HIT_MAX_DIMS];
    hit_view view;

    HIT_MUST(hit_tile_map(tile, 0, HIT_READ, &view));
    for (bool more = hit_domain_first(&view.domain, at); more;
         more = hit_domain_next(&view.domain, at)) {
        if (!hit_domain_has(box, at)) continue;
        ck_assert_float_eq(*(float *)hit_view_at(&view, at), value);
    }
}

/* Then all launches have run, that of the difference and those after it. */
START_TEST(what_is_told_is_not_lost)
{
    const hit_kernel liar = of_field("liar", lie);
    const hit_kernel one_more = of_field("bump", bump);
    const float zero = 0;
    chains_scene s = chains_open_over(&chains_blocked, 1, "block:dims=1", EXTENT);
    int told = 0;

    s.hit->launcher->chain_compares = true;
    HIT_MUST(hit_tile_fill(s.tile[1], &zero));
    for (int l = 0; l < 2 * STEPS; l++) {
        const hit_status status =
            hit_launch(s.hit, l % 2 > 0 ? &one_more : &liar, s.inner, s.tile[l % 2]);

        told += status != HIT_OK;
        ck_assert_msg(status == HIT_OK || status == HIT_E_CHECK, "%s", hit_status_text());
    }
    ck_assert_int_gt(told, 1);
    (void)hit_wait(s.hit); /* the last block's */
    expect_all(s.tile[1], &s.inner, (float)STEPS);
    chains_close(&s);
}
END_TEST

/* One launch after the other cannot run: what the block wrote stands. */
START_TEST(what_cannot_be_compared_is_kept)
{
    const hit_kernel kernel = of_field("bump", bump_some);
    const float zero = 0;
    hit_status status = HIT_OK;
    chains_scene s;

    if (hit_size(base) > 1) return; /* there, a first launch runs as a whole */
    s = chains_open(&chains_blocked, 1);
    s.hit->launcher->chain_compares = true;
    HIT_MUST(hit_tile_fill(s.tile[0], &zero));
    for (int l = 0; l < chains_blocked.steps; l++) {
        ck_assert_int_eq(status, HIT_OK);
        status = hit_launch(s.hit, &kernel, s.inner, s.tile[0]);
    }
    ck_assert_int_eq(status, HIT_E_DEVICE);
    expect_all(s.tile[0], &s.inner, (float)chains_blocked.steps);
    chains_close(&s);
}
END_TEST

START_TEST(it_is_asked_for_by_the_environment)
{
    hit_context *hit = NULL;

    setenv("HIT_COMPARE", "chain", 1);
    HIT_MUST(hit_open_with(NULL, NULL, NULL, &hit));
    ck_assert(hit->launcher->chain_compares);
    ck_assert_int_gt(hit->launcher->chain_most, 1);
    hit_close(&hit);
    setenv("HIT_COMPARE", "chains", 1);
    ck_assert_int_eq(hit_open_with(NULL, NULL, NULL, &hit), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "0, 1 or chain"));
    setenv("HIT_COMPARE", "0", 1);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("blocks that are compared");
    TCase *tc = tcase_create("compare");

    tcase_set_timeout(tc, 0);
    tcase_add_test(tc, what_is_declared_right_is_the_same);
    tcase_add_test(tc, what_is_declared_wrong_is_told);
    tcase_add_test(tc, what_is_told_is_not_lost);
    tcase_add_test(tc, what_cannot_be_compared_is_kept);
    tcase_add_test(tc, it_is_asked_for_by_the_environment);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
