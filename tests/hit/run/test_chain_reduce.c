/* SPDX-License-Identifier: MIT
 * Reductions among the launches of a chain: results that anything reads are those of one
 * launch after the other, to the bit, and so are the tiles; the others never run. */
#include "hit/base/context.h"
#include "hit/launch/launcher.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

extern const hit_kernel chain_total, chain_peak, chain_scaled, chain_around;

static hit_context *base; /* keeps MPI open */

enum {
    STEPS = 24
};

/* What is done between two steps, a bit each. */
enum {
    TOTAL = 1,     /* of the tile that was written */
    PEAK = 2,      /* of both, with a value */
    OLD = 4,       /* the total of the tile that the next step overwrites */
    LOOK = 8,      /* at the total */
    WRITE = 16,    /* an element, of a tile that reductions read */
    SOURCE = 32,   /* a launch beside steps */
    GONE = 64,     /* by a handle that goes */
    SHIFTED = 128, /* every fifth has no step */
    SCALED = 256,  /* a launch of the block reads the total */
    AROUND = 512,  /* the total of all, and of what lies beyond the tile */
    ALL = 1023,
    SUMS = 4
};

typedef struct program {
    chains_scene s;
    hit_tile *one[SUMS]; /* total, peak, total of the old one, and around */
    double seen[STEPS];
} program;

static void open(program *r, bool chained, int threads)
{
    r->s = chained ? chains_open(&chains_blocked, threads) : chains_open(NULL, threads);
    if (!chained) HIT_MUST(hit_chain(r->s.hit, HIT_CHAIN_OFF));
    for (int k = 0; k < CHAINS_TILES; k++) {
        HIT_MUST(hit_tile_set_boundary(r->s.tile[k], -1, HIT_BOUNDARY_CLAMP, NULL));
    }
    for (int k = 0; k < SUMS; k++) {
        HIT_MUST(hit_tile_make(r->s.hit, hit_domain_of(1), "single", HIT_DOUBLE, "sum",
                               &r->one[k]));
    }
}

static void total_of(program *r, hit_tile *sum, hit_tile *tile, bool goes)
{
    hit_tile *part = tile;

    if (goes) HIT_MUST(hit_tile_select(tile, r->s.inner, &part));
    HIT_MUST(hit_launch(r->s.hit, &chain_total, r->s.inner, sum, part));
    if (goes) hit_tile_destroy(&part);
}

static void step(program *r, int t, unsigned what)
{
    hit_tile **tile = r->s.tile;

    if (t % 5 != 4 || (what & SHIFTED) == 0) {
        chains_launch_star(&r->s, tile[1], tile[0], t);
        hit_tile_swap(&tile[0], &tile[1]);
    }
    if ((what & TOTAL) != 0) total_of(r, r->one[0], tile[0], (what & GONE) != 0);
    if ((what & PEAK) != 0) {
        const float scale = (float)(t % 3);

        HIT_MUST(hit_launch(r->s.hit, &chain_peak, r->s.inner, r->one[1], tile[0],
                            tile[1], HIT_VALUE(scale)));
    }
    if ((what & OLD) != 0) total_of(r, r->one[2], tile[1], false);
    if ((what & AROUND) != 0) {
        HIT_MUST(hit_launch(r->s.hit, &chain_around, r->s.all, r->one[3], tile[t % 2]));
    }
    if ((what & SOURCE) != 0) chains_launch_star(&r->s, tile[2], tile[0], t);
    if ((what & SCALED) != 0) {
        HIT_MUST(
            hit_launch(r->s.hit, &chain_scaled, r->s.inner, tile[2], tile[0], r->one[0]));
    }
    if ((what & LOOK) != 0) {
        HIT_MUST(hit_tile_get(r->one[0], (hit_index[]){0}, &r->seen[t]));
    }
    if ((what & WRITE) != 0) {
        hit_view view;

        HIT_MUST(hit_tile_map(tile[1], 0, HIT_READ_WRITE, &view));
        ((float *)view.data)[t] = (float)t;
    }
}

/* The steps of one program: what is done in each of them is drawn, mostly the same. */
static void run_steps(program *r, hit_random random)
{
    const unsigned often = (unsigned)hit_random_index(&random, 0, ALL);

    for (int t = 0; t < STEPS; t++) {
        const bool other = hit_random_index(&random, 0, 5) == 0;
        const unsigned drawn = (unsigned)hit_random_index(&random, 0, ALL);
        const unsigned looks = hit_random_index(&random, 0, 7) > 0 ? LOOK | WRITE : 0;

        step(r, t, (other ? drawn : often) & ~looks);
    }
}

static void close(program *r)
{
    for (int k = 0; k < SUMS; k++) {
        hit_tile_destroy(&r->one[k]);
    }
    chains_close(&r->s);
}

static void expect_equal(program *a, program *b, int number)
{
    hit_stats counted[2];

    for (int k = 0; k < SUMS; k++) {
        double sum[2];

        HIT_MUST(hit_tile_get(a->one[k], (hit_index[]){0}, &sum[0]));
        HIT_MUST(hit_tile_get(b->one[k], (hit_index[]){0}, &sum[1]));
        ck_assert_msg(sum[0] == sum[1], "program %d: sum %d is %.17g, expected %.17g",
                      number, k, sum[0], sum[1]);
    }
    for (int t = 0; t < STEPS; t++) {
        ck_assert_msg(a->seen[t] == b->seen[t], "program %d: sum of step %d", number, t);
    }
    chains_expect_equal(&a->s, &b->s, "a program with reductions");
    hit_context_stats(a->s.hit, &counted[0]);
    hit_context_stats(b->s.hit, &counted[1]);
    ck_assert_uint_eq(counted[0].launches, counted[1].launches);
    ck_assert_uint_eq(counted[0].indices, counted[1].indices);
    ck_assert_uint_eq(counted[0].superblocks, counted[1].superblocks);
}

START_TEST(random_programs_with_reductions_are_right)
{
    const int cases = hit_random_cases(120);
    hit_random random = hit_random_start(5000);
    uint64_t chained = 0;

    for (int k = 0; k < cases; k++) {
        program one = {.one = {NULL}};
        program other = {.one = {NULL}};

        open(&one, true, 1 + k % 3);
        open(&other, false, 1 + k % 3);
        run_steps(&one, random);
        run_steps(&other, random);
        (void)hit_random_next(&random);
        chained += chains_chained(&one.s);
        expect_equal(&one, &other, k);
        close(&other);
        close(&one);
    }
    ck_assert_uint_gt(chained, (uint64_t)(cases * STEPS) / 4);
}
END_TEST

/* A residual of each step that nothing reads is in the way of no block, and runs once for
 * each of them; one that is looked at ends it. */
START_TEST(a_residual_of_each_step_is_in_a_chain)
{
    for (int looks = 0; looks < 2; looks++) {
        program one = {.one = {NULL}};

        open(&one, true, 1);
        for (int t = 0; t < STEPS; t++) {
            step(&one, t, looks ? TOTAL | LOOK : TOTAL);
        }
        HIT_MUST(hit_wait(one.s.hit));
        ck_assert_uint_ge(chains_chained(&one.s), looks ? 0 : STEPS - 1);
        if (looks) ck_assert_uint_eq(chains_chained(&one.s), 0);
        close(&one);
    }
}
END_TEST

/* Fails on the first index when it is told to. */
static bool fails;

static hit_status total_or_fail(const hit_run *run)
{
    if (fails) return HIT_FAIL(HIT_E_DEVICE, "a kernel was made to fail");
    return chain_total.host(run);
}

/* The next call that waits tells it. */
START_TEST(a_reduction_that_waited_fails)
{
    hit_kernel total = chain_total;
    program one = {.one = {NULL}};
    double found;

    total.host = total_or_fail;
    open(&one, true, 1);
    for (int t = 0; t < 3; t++) {
        step(&one, t, 0);
        fails = t > 0;
        HIT_MUST(hit_launch(one.s.hit, &total, one.s.inner, one.one[0], one.s.tile[0]));
    }
    ck_assert_int_eq(hit_wait(one.s.hit), HIT_E_DEVICE);
    fails = false;
    HIT_MUST(hit_launch(one.s.hit, &total, one.s.inner, one.one[0], one.s.tile[0]));
    HIT_MUST(hit_tile_get(one.one[0], (hit_index[]){0}, &found));
    close(&one);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("reductions among launches of a chain");
    TCase *tests = tcase_create("reductions");

    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, random_programs_with_reductions_are_right);
    tcase_add_test(tests, a_residual_of_each_step_is_in_a_chain);
    tcase_add_test(tests, a_reduction_that_waited_fails);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
