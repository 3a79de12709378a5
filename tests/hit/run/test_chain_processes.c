/* SPDX-License-Identifier: MIT
 * Chains over processes: which launches are in blocks, what is sent for them, and that
 * the results are those of one launch after the other, to the bit. */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/deep/deep.h"
#include "hit/launch/launcher.h"
#include "hit/run/run_impl.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <string.h>

extern const hit_kernel slow_star, kick, drift, corners, total, keep_row, keep_column;

static hit_context *base; /* keeps MPI open */

enum {
    EXTENT = 64,
    TURNS = 5 /* of a program of CHAINS_STEPS steps */
};

static uint64_t messages(const chains_scene *s)
{
    hit_stats stats;

    hit_context_stats(s->hit, &stats);
    return stats.messages_sent;
}

/* Which programs are blocked on several processes where parts are cut in both dimensions,
 * or only in that of columns; the others read what is far away, or new tiles come too
 * often to be recognised. */
typedef struct expected {
    const char *name;
    bool block;
    bool columns;
} expected;

static const expected other[] = {
    {"a tile that is only read, by another pattern", false, false},
    {"a record of each step", false, true},
    {"one dimension, doubles", true, false},
};

static bool is_blocked(const char *name, bool columns)
{
    for (size_t k = 0; k < sizeof(other) / sizeof(other[0]); k++) {
        if (strcmp(other[k].name, name) != 0) continue;
        return columns ? other[k].columns : other[k].block;
    }
    return true;
}

static void run_both(const chains_program *program, bool columns, int threads)
{
    const char *layout = columns ? "block:dims=1" : "block:dims=0";
    const int launches = CHAINS_STEPS * TURNS * program->launches;
    chains_scene one = chains_open_over(&chains_blocked, threads, layout, EXTENT);
    chains_scene plain = chains_open_over(NULL, threads, layout, EXTENT);
    int chained;

    HIT_MUST(hit_chain(plain.hit, HIT_CHAIN_OFF));
    for (int k = 0; k < TURNS; k++) {
        program->run(&one);
        program->run(&plain);
    }
    chains_expect_equal(&one, &plain, program->name);
    chained = (int)chains_chained(&one);
    if (is_blocked(program->name, columns) || hit_size(base) == 1) {
        ck_assert_msg(3 * chained > 2 * launches, "%s, %s: only %d of %d launches",
                      program->name, layout, chained, launches);
    } else {
        ck_assert_msg(chained == 0, "%s, %s: %d launches", program->name, layout,
                      chained);
    }
    ck_assert_int_eq((int)chains_chained(&plain), 0);
    chains_close(&one);
    chains_close(&plain);
}

START_TEST(what_is_legal_is_blocked_and_gives_the_same_bits)
{
    for (int k = 0; k < chains_legal_count; k++) {
        const char *name = chains_legal[k].name;

        /* parts of the others are as thin as what is read of them */
        if (hit_size(base) > 4 && strstr(name, "dimensions") != NULL) continue;
        run_both(&chains_legal[k], false, 1 + k % 2);
        if (strstr(name, "one dimension") != NULL) continue;
        run_both(&chains_legal[k], true, 1 + k % 2);
    }
}
END_TEST

/* 100 steps after those by which they are recognised: messages as if there were blocks of
 * some launches. */
START_TEST(few_messages_are_sent)
{
    chains_scene one = chains_open_over(&chains_blocked, 1, "block:dims=0", 40 * 7);
    chains_scene plain = chains_open_over(NULL, 1, "block:dims=0", 40 * 7);
    uint64_t most;

    HIT_MUST(hit_chain(plain.hit, HIT_CHAIN_OFF));
    for (int k = 0; k < 20; k++) {
        chains_run_star(&one);
        chains_run_star(&plain);
    }
    chains_expect_equal(&one, &plain, "many steps");
    most = messages(&plain) / 8;
    ck_assert_msg(messages(&one) <= most, "expected at most %d messages but found %d",
                  (int)most, (int)messages(&one));
    chains_close(&one);
    chains_close(&plain);
}
END_TEST

/* Each step, or, as a program does that samples, each third one. */
static void run_and_record(chains_scene *s, hit_tile *rows, int steps, bool columns)
{
    const hit_index last = s->all.sig[0].end;

    for (int t = 0; t < steps; t++) {
        chains_launch_star(s, s->tile[1], s->tile[0], t);
        if (!columns || t % 3 == 2) {
            HIT_MUST(hit_launch(s->hit, columns ? &keep_column : &keep_row,
                                hit_box_of(t, t, 0, last), rows, s->tile[1]));
        }
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
}

/* Blocks are as long as may be: times would make them shorter on a busy machine. */
static chains_scene open_recorded(int devices, size_t memory_bytes, const char *layout,
                                  hit_index extent)
{
    chains_scene s = memory_bytes > 0
                         ? chains_open_several(devices, memory_bytes, 1, layout, extent)
                         : chains_open_over(NULL, 1, layout, extent);

    HIT_MUST(hit_chain(s.hit, HIT_CHAIN_ANY));
    s.hit->launcher->chain_choice = &chains_blocked;
    return s;
}

/* A record of another layout, of which each process owns what it has of the field. Of
 * columns devices have some rows each. */
static void expect_recorded(int devices, size_t memory_bytes)
{
    const int steps = 100;
    const bool columns = devices > 1;
    const hit_index extent = columns ? 5 * EXTENT : EXTENT;
    const char *layout = columns ? "block:dims=0" : "block:dims=1";
    chains_scene one = open_recorded(devices, memory_bytes, layout, extent);
    chains_scene plain = chains_open_over(NULL, 1, layout, extent);
    chains_scene *scene[] = {&one, &plain};
    hit_tile *rows[2];

    HIT_MUST(hit_chain(plain.hit, HIT_CHAIN_OFF));
    for (int k = 0; k < 2; k++) {
        HIT_MUST(hit_tile_make(scene[k]->hit, hit_domain_of(steps, extent),
                               "block:dims=1", HIT_FLOAT, "rows", &rows[k]));
        HIT_MUST(hit_tile_fill(rows[k], &(float){1}));
        run_and_record(scene[k], rows[k], steps, columns);
    }
    for (int t = 0; t < steps; t++) {
        const hit_index at[] = {t, t * 7 % extent};
        float found[2];

        HIT_MUST(hit_tile_get(rows[0], at, &found[0]));
        HIT_MUST(hit_tile_get(rows[1], at, &found[1]));
        ck_assert_mem_eq(&found[0], &found[1], sizeof(float));
    }
    chains_expect_equal(&one, &plain, "steps that are recorded");
    ck_assert_int_gt(3 * (int)chains_chained(&one), 2 * (columns ? 4 : 6) * steps / 3);
    if (hit_size(base) > 1) {
        ck_assert_int_lt((columns ? 3 : 2) * (int)messages(&one), (int)messages(&plain));
    }
    for (int k = 0; k < 2; k++) {
        hit_tile_destroy(&rows[k]);
    }
    chains_close(&one);
    chains_close(&plain);
}

START_TEST(a_record_that_needs_no_message_is_blocked)
{
    expect_recorded(1, 0);
    if (hit_size(base) > 1 && hit_size(base) < 5) expect_recorded(1, 8192);
    if (hit_size(base) > 1 && hit_size(base) < 5) expect_recorded(2, 49152);
}
END_TEST

/* The same messages, whichever process looks, and when. */
START_TEST(a_look_sends_nothing)
{
    chains_scene one = chains_open_over(&chains_blocked, 1, "block", EXTENT);
    chains_scene quiet = chains_open_over(&chains_blocked, 1, "block", EXTENT);
    const int size = hit_size(base);
    hit_view view;

    for (int t = 0; t < 60; t++) {
        chains_launch_star(&one, one.tile[1], one.tile[0], t);
        chains_launch_star(&quiet, quiet.tile[1], quiet.tile[0], t);
        if (t % 3 == 0 && t / 3 % size == hit_rank(base)) {
            HIT_MUST(hit_tile_map(one.tile[1], 0, HIT_READ, &view));
        }
        hit_tile_swap(&one.tile[0], &one.tile[1]);
        hit_tile_swap(&quiet.tile[0], &quiet.tile[1]);
    }
    chains_expect_equal(&one, &quiet, "looks of one process");
    ck_assert_int_eq((int)messages(&one), (int)messages(&quiet));
    if (size > 1) {
        ck_assert_int_eq((int)chains_chained(&one), (int)chains_chained(&quiet));
    }
    chains_close(&one);
    chains_close(&quiet);
}
END_TEST

static void write_one(hit_tile *tile, float value)
{
    hit_view view;

    HIT_MUST(hit_tile_map(tile, 0, HIT_READ_WRITE, &view));
    *(float *)(void *)view.data = value;
}

START_TEST(what_all_processes_write_in_a_block_is_seen)
{
    chains_scene one = chains_open_over(&chains_blocked, 1, "block", EXTENT);
    chains_scene plain = chains_open_over(NULL, 1, "block", EXTENT);

    HIT_MUST(hit_chain(plain.hit, HIT_CHAIN_OFF));
    for (int t = 0; t < 60; t++) {
        chains_launch_star(&one, one.tile[1], one.tile[0], t);
        chains_launch_star(&plain, plain.tile[1], plain.tile[0], t);
        if (t == 20 || t == 37 || t == 38) {
            write_one(one.tile[1], (float)t);
            write_one(plain.tile[1], (float)t);
        }
        hit_tile_swap(&one.tile[0], &one.tile[1]);
        hit_tile_swap(&plain.tile[0], &plain.tile[1]);
    }
    chains_expect_equal(&one, &plain, "writes of all processes");
    ck_assert_int_gt((int)chains_chained(&one), 30);
    chains_close(&one);
    chains_close(&plain);
}
END_TEST

/* That all write at the same places is for the program to promise. */
START_TEST(one_may_write_alone_where_chains_are_not_asked_for)
{
    chains_scene one = chains_open_quiet(&chains_blocked, "block", EXTENT);
    chains_scene plain = chains_open_quiet(NULL, "block", EXTENT);

    HIT_MUST(hit_chain(plain.hit, HIT_CHAIN_OFF));
    for (int t = 0; t < 40; t++) {
        chains_launch_star(&one, one.tile[1], one.tile[0], t);
        chains_launch_star(&plain, plain.tile[1], plain.tile[0], t);
        if (hit_rank(base) == t % hit_size(base)) {
            write_one(one.tile[1], (float)t);
            write_one(plain.tile[1], (float)t);
        }
        hit_tile_swap(&one.tile[0], &one.tile[1]);
        hit_tile_swap(&plain.tile[0], &plain.tile[1]);
    }
    chains_expect_equal(&one, &plain, "writes of one process at a time");
    if (hit_size(base) > 1) ck_assert_int_eq((int)chains_chained(&one), 0);
    chains_close(&one);
    chains_close(&plain);
}
END_TEST

/* What lies beyond the tile is at its other side: another process has it, or this one. */
static void run_periodic(chains_scene *s, const hit_boundary kind[2], bool in_place)
{
    for (int k = 0; k < CHAINS_TILES; k++) {
        for (int d = 0; d < 2; d++) {
            HIT_MUST(hit_tile_set_boundary(s->tile[k], d, kind[d], &(float){0.25f}));
        }
    }
    for (int t = 0; t < 40; t++) {
        if (in_place) {
            HIT_MUST(hit_launch(s->hit, &kick, s->all, s->tile[1], s->tile[0]));
            HIT_MUST(hit_launch(s->hit, &drift, s->all, s->tile[0], s->tile[1]));
        } else {
            HIT_MUST(hit_launch(s->hit, &corners, s->all, s->tile[1], s->tile[0]));
            hit_tile_swap(&s->tile[0], &s->tile[1]);
        }
    }
}

START_TEST(periodic_boundaries_are_blocked_and_give_the_same_bits)
{
    static const hit_boundary kind[][2] = {
        {HIT_BOUNDARY_PERIODIC, HIT_BOUNDARY_PERIODIC},
        {HIT_BOUNDARY_PERIODIC, HIT_BOUNDARY_CLAMP},
        {HIT_BOUNDARY_MIRROR, HIT_BOUNDARY_PERIODIC},
        {HIT_BOUNDARY_CONSTANT, HIT_BOUNDARY_PERIODIC},
    };
    static const char *const layout[] = {"block", "block:dims=0", "block:dims=1"};

    for (int k = 0; k < 24; k++) {
        chains_scene one = chains_open_over(&chains_blocked, 1, layout[k % 3], EXTENT);
        chains_scene plain = chains_open_over(NULL, 1, layout[k % 3], EXTENT);

        HIT_MUST(hit_chain(plain.hit, HIT_CHAIN_OFF));
        run_periodic(&one, kind[k % 4], k < 12);
        run_periodic(&plain, kind[k % 4], k < 12);
        chains_expect_equal(&one, &plain, layout[k % 3]);
        ck_assert_msg((int)chains_chained(&one) > 30, "%s, %d and %d: %d launches",
                      layout[k % 3], (int)kind[k % 4][0], (int)kind[k % 4][1],
                      (int)chains_chained(&one));
        chains_close(&one);
        chains_close(&plain);
    }
}
END_TEST

/* Blocks and single launches take turns until it is known which are faster. */
START_TEST(one_process_is_its_own_neighbour)
{
    static const hit_boundary kind[] = {HIT_BOUNDARY_PERIODIC, HIT_BOUNDARY_CLAMP};
    chains_scene one = chains_open_over(NULL, 2, "block", EXTENT);
    chains_scene plain = chains_open_over(NULL, 1, "block", EXTENT);
    const hit_chains *chains;
    const hit_deep_plan *plan;

    one.hit->launcher->chain_cache_bytes = 0;
    HIT_MUST(hit_chain(plain.hit, HIT_CHAIN_OFF));
    for (int k = 0; k < 60 && hit_size(base) == 1; k++) {
        run_periodic(&one, kind, true);
        run_periodic(&plain, kind, true);
        chains_expect_equal(&one, &plain, "one process");
    }
    if (hit_size(base) == 1) {
        ck_assert_int_gt((int)chains_chained(&one), 1000);
        chains = one.hit->stations->recorded.block;
        plan = chains->deep->plan[0];
        ck_assert(plan != NULL && hit_worth_is_decided(&plan->worth));
    }
    chains_close(&one);
    chains_close(&plain);
}
END_TEST

/* The same elements beyond a side are copies, then an edge, then copies again. */
START_TEST(boundaries_may_change)
{
    static const hit_boundary kind[][2] = {
        {HIT_BOUNDARY_PERIODIC, HIT_BOUNDARY_PERIODIC},
        {HIT_BOUNDARY_CLAMP, HIT_BOUNDARY_CLAMP},
        {HIT_BOUNDARY_PERIODIC, HIT_BOUNDARY_CLAMP},
    };
    chains_scene one = chains_open_over(&chains_blocked, 1, "block", EXTENT);
    chains_scene plain = chains_open_over(NULL, 1, "block", EXTENT);

    HIT_MUST(hit_chain(plain.hit, HIT_CHAIN_OFF));
    for (int k = 0; k < 6; k++) {
        run_periodic(&one, kind[k % 3], k % 2 == 0);
        run_periodic(&plain, kind[k % 3], k % 2 == 0);
    }
    chains_expect_equal(&one, &plain, "boundaries that change");
    chains_close(&one);
    chains_close(&plain);
}
END_TEST

/* Runs of launches between reductions, of lengths that nothing tells. */
static void run_lengths(chains_scene *s, int runs)
{
    hit_tile *sum = NULL;

    HIT_MUST(
        hit_tile_make(s->hit, hit_domain_scalar(), "single", HIT_FLOAT, "sum", &sum));
    for (int k = 0; k < runs; k++) {
        for (int t = 0; t < 3 + k * 7 % 31; t++) {
            chains_launch_star(s, s->tile[1], s->tile[0], t);
            hit_tile_swap(&s->tile[0], &s->tile[1]);
        }
        HIT_MUST(hit_launch(s->hit, &total, s->inner, sum, s->tile[0]));
    }
    hit_tile_destroy(&sum);
}

/* Each new plan takes two collective calls. */
START_TEST(runs_of_many_lengths_share_a_few_plans)
{
    chains_scene one = chains_open_over(&chains_blocked, 1, "block:dims=0", 40 * 7);
    chains_scene plain = chains_open_over(NULL, 1, "block:dims=0", 40 * 7);
    const hit_chains *chains = one.hit->stations->recorded.block;
    uint64_t plans;

    if (hit_size(base) > 1) {
        HIT_MUST(hit_chain(plain.hit, HIT_CHAIN_OFF));
        run_lengths(&one, 31);
        plans = chains->deep->plans;
        ck_assert_int_gt((int)chains_chained(&one), 200);
        ck_assert_msg(plans <= 12, "31 lengths took %d plans", (int)plans);
        run_lengths(&one, 31);
        ck_assert_int_eq((int)chains->deep->plans, (int)plans);
        run_lengths(&plain, 62);
        chains_expect_equal(&one, &plain, "runs of many lengths");
    }
    chains_close(&one);
    chains_close(&plain);
}
END_TEST

/* Two fields in turn, and one that is only read, on @p domain. */
static void run_steps(chains_scene *s, int launches, hit_domain domain, int steps)
{
    if (s->hit->launcher->chain_room != 1) HIT_MUST(hit_chain(s->hit, launches));
    for (int t = 0; t < steps; t++) {
        HIT_MUST(hit_launch(s->hit, &star, domain, s->tile[1], s->tile[0],
                            HIT_VALUE((float)t / 64)));
        HIT_MUST(hit_launch(s->hit, &kick, domain, s->tile[1], s->tile[2]));
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
}

/* Deep halos of a few columns say nothing of the other columns. */
START_TEST(what_came_for_a_few_columns_is_not_taken_for_all)
{
    chains_scene one = chains_open_over(&chains_blocked, 1, "block:dims=0", EXTENT);
    chains_scene plain = chains_open_over(NULL, 1, "block:dims=0", EXTENT);
    hit_domain columns = one.inner;

    columns.sig[1] = hit_sig_make(10, 20, 1);
    HIT_MUST(hit_chain(plain.hit, HIT_CHAIN_OFF));
    for (int k = 0; k < 2; k++) {
        chains_scene *s = k == 0 ? &one : &plain;

        run_steps(s, 4, s->inner, 12);
        run_steps(s, HIT_CHAIN_ANY, columns, 24);
        run_steps(s, HIT_CHAIN_ANY, s->inner, 24);
    }
    chains_expect_equal(&one, &plain, "a few columns between all of them");
    chains_close(&one);
    chains_close(&plain);
}
END_TEST

/* So many launches of the kernel are in a block. */
static int block_of(const hit_kernel *kernel)
{
    chains_scene s = chains_open_over(NULL, 1, "block:dims=0", EXTENT);
    const hit_chains *chains;
    int launches;

    s.hit->launcher->wait_s = 1e-6; /* also on a busy machine */
    for (int t = 0; t < 20; t++) {
        HIT_MUST(
            hit_launch(s.hit, kernel, s.inner, s.tile[1], s.tile[0], HIT_VALUE(1.0f)));
        hit_tile_swap(&s.tile[0], &s.tile[1]);
    }
    chains = s.hit->stations->recorded.block;
    launches = chains->deep->plan[0]->launches;
    chains_close(&s);
    return launches;
}

/* Of more processes each has a few rows only. */
START_TEST(blocks_are_short_where_launches_take_long)
{
    if (hit_size(base) == 2) ck_assert_int_lt(block_of(&slow_star), block_of(&star));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("chains over processes");
    TCase *tc = tcase_create("chains");

    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, what_is_legal_is_blocked_and_gives_the_same_bits);
    tcase_add_test(tc, few_messages_are_sent);
    tcase_add_test(tc, a_record_that_needs_no_message_is_blocked);
    tcase_add_test(tc, a_look_sends_nothing);
    tcase_add_test(tc, what_all_processes_write_in_a_block_is_seen);
    tcase_add_test(tc, periodic_boundaries_are_blocked_and_give_the_same_bits);
    tcase_add_test(tc, one_process_is_its_own_neighbour);
    tcase_add_test(tc, boundaries_may_change);
    tcase_add_test(tc, runs_of_many_lengths_share_a_few_plans);
    tcase_add_test(tc, blocks_are_short_where_launches_take_long);
    tcase_add_test(tc, what_came_for_a_few_columns_is_not_taken_for_all);
    tcase_add_test(tc, one_may_write_alone_where_chains_are_not_asked_for);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
