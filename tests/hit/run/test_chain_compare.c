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

static hit_status run_liar(chains_scene *s)
{
    const hit_kernel_arg arg[] = {{HIT_MODE_INOUT, HIT_FLOAT, "field", "[i, j]"}};
    const hit_kernel liar = {.name = "liar",
                             .dims = 2,
                             .index = {"i", "j"},
                             .args = 1,
                             .arg = arg,
                             .strict = 1,
                             .host = lie};
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
    tcase_add_test(tc, it_is_asked_for_by_the_environment);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
