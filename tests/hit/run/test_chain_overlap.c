/* SPDX-License-Identifier: MIT
 * Blocks over processes whose messages come late: what needs none of them runs before,
 * and the results are those of one launch after the other, to the bit. */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/launch/launcher.h"
#include "hit/run/run_impl.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"

#include <string.h>

extern const hit_kernel kick;

static hit_context *base; /* keeps MPI open */

enum {
    PART = 90, /* rows or columns of a process, if only these are shared */
    TURNS = 3
};

static const double late_s = 0.0005;

static uint64_t overlapped(const chains_scene *s)
{
    const hit_chains *chains = s->hit->stations->recorded.block;

    return chains != NULL ? chains->overlapped : 0;
}

static uint64_t run(const chains_program *program, const char *layout, hit_index extent,
                    int threads)
{
    chains_scene one = chains_open_over(&chains_blocked, threads, layout, extent);
    chains_scene plain = chains_open_over(NULL, threads, layout, extent);
    uint64_t blocks;

    hit_comm_hold(one.hit->comm, late_s);
    HIT_MUST(hit_chain(one.hit, 4 * program->launches));
    HIT_MUST(hit_chain(plain.hit, HIT_CHAIN_OFF));
    for (int k = 0; k < TURNS; k++) {
        program->run(&one);
        program->run(&plain);
    }
    chains_expect_equal(&one, &plain, program->name);
    blocks = overlapped(&one);
    chains_close(&one);
    chains_close(&plain);
    return blocks;
}

START_TEST(boxes_that_run_beside_late_messages_give_the_same_bits)
{
    const int size = hit_size(base);
    const char *layout[] = {"block:dims=0", "block:dims=1", "block"};
    int blocked = 0;
    int programs = 0;

    for (int k = 0; k < chains_legal_count; k++) {
        const chains_program *program = &chains_legal[k];
        const hit_index extent = k % 3 < 2 ? (hit_index)PART * size : 2 * PART;

        if (strstr(program->name, "one dimension") != NULL) continue;
        blocked += run(program, layout[k % 3], extent, 1 + k % 2) > 0;
        if (k == 0 && size > 1) ck_assert_int_eq(blocked, 1);
        programs++;
    }
    ck_assert_int_gt(programs, 6);
    if (size > 1) ck_assert_int_ge(blocked, programs / 4);
    if (size == 1) ck_assert_int_eq(blocked, 0); /* there are no messages */
}
END_TEST

/* Until it is settled how blocks are run, and what is tried then, with looks between. */
START_TEST(blocks_as_they_are_found_fastest_give_the_same_bits)
{
    chains_scene one = chains_open_over(NULL, 1, "block:dims=0", 256);
    chains_scene plain = chains_open_over(NULL, 1, "block:dims=0", 256);

    hit_comm_hold(one.hit->comm, late_s);
    HIT_MUST(hit_chain(one.hit, 8));
    HIT_MUST(hit_chain(plain.hit, HIT_CHAIN_OFF));
    for (int k = 0; k < 40; k++) {
        hit_view view;

        chains_run_star(&one);
        chains_run_star(&plain);
        if (k % 2 == 1) HIT_MUST(hit_tile_map(one.tile[0], 0, HIT_READ, &view));
    }
    chains_expect_equal(&one, &plain, "two tiles in turn");
    chains_close(&one);
    chains_close(&plain);
}
END_TEST

static void add_one_to_all(hit_tile *tile)
{
    hit_view view;

    HIT_MUST(hit_tile_map(tile, 0, HIT_READ_WRITE, &view));
    HIT_FOR_EACH (at, view.domain) {
        *(float *)hit_view_at(&view, at) += 1;
    }
}

/* The tile that is read alone comes with those blocks before which the program wrote it.
 * A look in the middle of a block has what runs beside messages found anew: in the block
 * behind it nothing comes, so that all runs at once, and in the next one it may not. */
START_TEST(boxes_wait_for_what_comes_with_some_blocks_only)
{
    enum {
        LAUNCHES = 4
    };
    const hit_choice four = {.steps = LAUNCHES, .width = {4, 6}};
    const hit_index extent = (hit_index)PART * hit_size(base);
    chains_scene one = chains_open_over(&four, 1, "block:dims=1", extent);
    chains_scene plain = chains_open_over(NULL, 1, "block:dims=1", extent);

    hit_comm_hold(one.hit->comm, late_s);
    HIT_MUST(hit_chain(one.hit, LAUNCHES));
    HIT_MUST(hit_chain(plain.hit, HIT_CHAIN_OFF));
    for (int l = 0; l < 24 * LAUNCHES; l++) {
        for (int k = 0; k < 2; k++) {
            chains_scene *s = k == 0 ? &one : &plain;
            hit_view view;

            HIT_MUST(hit_launch(s->hit, &kick, s->inner, s->tile[0], s->tile[2]));
            if (l % 16 == 5) HIT_MUST(hit_tile_map(s->tile[0], 0, HIT_READ, &view));
            if (l % 16 == 11) add_one_to_all(s->tile[2]);
        }
    }
    chains_expect_equal(&one, &plain, "a tile that is written now and then");
    if (hit_size(base) > 1) ck_assert_uint_gt(overlapped(&one), 0);
    chains_close(&one);
    chains_close(&plain);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("chains and messages");
    TCase *tc = tcase_create("overlap");

    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, boxes_that_run_beside_late_messages_give_the_same_bits);
    tcase_add_test(tc, boxes_wait_for_what_comes_with_some_blocks_only);
    tcase_add_test(tc, blocks_as_they_are_found_fastest_give_the_same_bits);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
