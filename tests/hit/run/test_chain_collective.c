/* SPDX-License-Identifier: MIT
 * How often all processes of a chain wait for each other: once for a block, also where a
 * launch of each step is at another place than in the step before. */
#include "hit/base/context.h"
#include "hit/launch/launcher.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"
#include "tests/support/collectives.h"

extern const hit_kernel keep_row, source;

static hit_context *base; /* keeps MPI open */

enum {
    EXTENT = 88,
    KNOWN = 24, /* steps after which nothing is new */
    STEPS = 48,
    ROOM = 16, /* launches of a block */
    MEMORY_BYTES = 6144
};

/* ---- programs ---- */

typedef struct program {
    const char *name;
    void (*record)(chains_scene *s, hit_tile *rows, int t);
    bool first; /* it comes before the step, not after it */
} program;

/* Each process owns what it needs of the field, and its part of the record. */
static void keep(chains_scene *s, hit_tile *rows, int t)
{
    HIT_MUST(
        hit_launch(s->hit, &keep_row, hit_box_of(t, t, 0, EXTENT - 1), rows, s->tile[1]));
}

/* Elements of neighbours are needed, at each place. */
static void spread(chains_scene *s, hit_tile *rows, int t)
{
    const hit_index row = 2 + t * 7 % (EXTENT - 7);

    (void)rows;
    HIT_MUST(hit_launch(s->hit, &star, hit_box_of(row, row, 2, EXTENT - 3), s->tile[2],
                        s->tile[1], HIT_VALUE(0.5f)));
}

/* A source that moves. */
static void move(chains_scene *s, hit_tile *rows, int t)
{
    const hit_index row = 2 + t % (EXTENT - 4);

    (void)rows;
    HIT_MUST(hit_launch(s->hit, &source, hit_box_of(row, row, 20, 30), s->tile[0],
                        HIT_VALUE((float)t)));
}

static const program programs[] = {
    {"a record at home", keep, false},         {"a record at home, first", keep, true},
    {"elements of neighbours", spread, false}, {"the same, first", spread, true},
    {"a source that moves", move, false},      {"the same, first", move, true},
};

static void run(const program *p, chains_scene *s, hit_tile *rows, int from, int to)
{
    for (int t = from; t < to; t++) {
        if (p->first) p->record(s, rows, t);
        chains_launch_star(s, s->tile[1], s->tile[0], t);
        if (!p->first) p->record(s, rows, t);
        hit_tile_swap(&s->tile[0], &s->tile[1]);
    }
}

static hit_tile *make_rows(chains_scene *s)
{
    hit_tile *rows = NULL;

    HIT_MUST(hit_tile_make(s->hit, hit_domain_of(KNOWN + STEPS, EXTENT), "block:dims=1",
                           HIT_FLOAT, "rows", &rows));
    return rows;
}

static void expect_rows(hit_tile *a, hit_tile *b, const char *name)
{
    static float found[2][(KNOWN + STEPS) * EXTENT];

    HIT_MUST(hit_tile_gather(a, 0, found[0]));
    HIT_MUST(hit_tile_gather(b, 0, found[1]));
    if (hit_rank(base) != 0) return;
    for (int k = 0; k < (KNOWN + STEPS) * EXTENT; k++) {
        ck_assert_msg(found[0][k] == found[1][k], "%s: row %d differs", name, k / EXTENT);
    }
}

static void expect_few(const program *p, chains_scene *one)
{
    chains_scene plain = chains_open_over(NULL, 1, "block:dims=1", EXTENT);
    hit_tile *rows[] = {make_rows(one), make_rows(&plain)};
    const int most = 2 * STEPS / ROOM + 1; /* a block may be left at each end */
    int found;

    HIT_MUST(hit_chain(one->hit, ROOM));
    HIT_MUST(hit_chain(plain.hit, HIT_CHAIN_OFF));
    one->hit->launcher->chain_choice = &chains_blocked; /* blocks are as long as may be */
    HIT_MUST(hit_tile_fill(rows[0], &(float){4}));
    HIT_MUST(hit_tile_fill(rows[1], &(float){4}));
    run(p, one, rows[0], 0, KNOWN);
    found = collectives_count();
    run(p, one, rows[0], KNOWN, KNOWN + STEPS);
    found = collectives_count() - found;
    ck_assert_msg(found <= most, "%s: expected at most %d collective calls but found %d",
                  p->name, most, found);
    ck_assert_int_gt((int)chains_chained(one), 2 * STEPS);
    run(p, &plain, rows[1], 0, KNOWN + STEPS);
    chains_expect_equal(one, &plain, p->name);
    expect_rows(rows[0], rows[1], p->name);
    hit_tile_destroy(&rows[0]);
    hit_tile_destroy(&rows[1]);
    chains_close(one);
    chains_close(&plain);
}

START_TEST(a_block_in_place_takes_one_collective_call)
{
    chains_scene one;

    if (hit_size(base) == 1) return;
    one = chains_open_over(NULL, 1, "block:dims=1", EXTENT);
    expect_few(&programs[_i], &one);
}
END_TEST

START_TEST(so_does_one_through_a_small_memory)
{
    chains_scene one;

    if (hit_size(base) == 1 || hit_size(base) > 4) return; /* parts fit the memory */
    one = chains_open_over_staged(MEMORY_BYTES, 1, "block:dims=1", EXTENT);
    expect_few(&programs[_i], &one);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("collective calls of chains");
    TCase *tc = tcase_create("chains");
    const int count = (int)(sizeof(programs) / sizeof(programs[0]));

    tcase_set_timeout(tc, 0);
    tcase_add_loop_test(tc, a_block_in_place_takes_one_collective_call, 0, count);
    tcase_add_loop_test(tc, so_does_one_through_a_small_memory, 0, count);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
